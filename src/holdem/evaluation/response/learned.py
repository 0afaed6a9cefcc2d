"""What an opponent wins who sees the same buckets and bets, and learns to beat a strategy that stays as it is.

One position learns by external sampling, as in training, while the other keeps to the policy. It begins as the strategy
itself. Against somebody who does not change, regrets estimate what each action is worth, and the learner approaches the
best response of the abstract game. What it wins is counted in each hand before it learns from that hand, so the figure
belongs to strategies that were really played: a lower bound on exploitability, inside the abstraction and in the real
game, which rises with the iterations. Local best response sees exact cards and looks one bet ahead; this one sees
buckets and plans to the end.
"""

import math
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from holdem.abstraction.betting.row_layout import row_blocks
from holdem.abstraction.betting.tree import NodeKind
from holdem.blueprint.tree_values import check_two_players
from holdem.evaluation.match.win_rates import confidence
from holdem.mccfr.kernels.table import HIGHEST_ENTRY
from holdem.mccfr.sampling.external import ExternalSampler
from holdem.mccfr.table.regret_tracker import RegretTracker
from holdem.mccfr.training_game import TrainingGame
from holdem.policy.policy import SCALE, AveragePolicy
from holdem.types import MCCFRConfig

STAGES = 8
"""Learning goes in stages of equal length; later ones weigh more, and the last one is what is reported."""
HEAD_START = 64
"""Regrets that the learner begins with, in largest swings of a visit: its own strategy, until it has seen better."""
_STEP = 1 << 14

Progress = Callable[[int], None]


@dataclass(frozen=True)
class LearnedResponse:
    """What one position won in its last finished stage, in chips a hand, after learning from `iterations` hands.

    In the first stage, if it was stopped there.
    """

    iterations: int
    won: float
    standard_error: float


def learn_responses(
    game: TrainingGame,
    policy: AveragePolicy,
    iterations: int,
    *,
    seed: int = 0,
    threads: int = 2,
    progress: Progress = lambda count: None,
    stopped: Callable[[], bool] = lambda: False,
) -> list[LearnedResponse | None]:
    """A response for each position; None for one that was stopped before it had played."""
    check_two_players(game.config)
    played = played_entries(policy)
    learners = [_learn(game, played, position, iterations, seed, progress, stopped) for position in (0, 1)]
    if threads == 1:  # in turn, so that a stop finds both
        pairs = deque(zip(*learners, strict=False), maxlen=1)
        return list(pairs[0]) if pairs else [None, None]
    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(_last, learners))


def exploitability(responses: Sequence[LearnedResponse]) -> tuple[float, float]:
    """Chips a hand, the mean of both positions, and half of its 95 % interval."""
    won = sum(response.won for response in responses) / len(responses)
    variance = sum(response.standard_error**2 for response in responses)
    hands = min(response.iterations for response in responses)
    return won, confidence(hands) * math.sqrt(variance) / len(responses)


def played_entries(policy: AveragePolicy) -> npt.NDArray[np.int32]:
    """(entries,) what a blueprint plays, in 60,000ths."""
    entries = np.empty(len(policy.table), dtype=np.int32)
    for node in np.flatnonzero(policy.tree.kind == NodeKind.DECISION).tolist():
        entries[policy.places(node)] = np.rint(policy.rows(node)[0] * SCALE)
    return entries


def _learn(
    game: TrainingGame,
    played: npt.NDArray[np.int32],
    position: int,
    iterations: int,
    seed: int,
    progress: Progress,
    stopped: Callable[[], bool],
) -> Iterator[LearnedResponse]:
    """What has been learned so far, after every few hands."""
    tracker = RegretTracker.allocate(game)
    head_start = min(HEAD_START * game.largest_swing_chips * game.unit, HIGHEST_ENTRY // 2)
    tracker.regrets[:] = np.where(_entries_of(game, position), played * (head_start / SCALE), played)
    sampler = ExternalSampler(MCCFRConfig(seed=seed, enable_pruning=False), tracker, learner=position)
    result: LearnedResponse | None = None
    for stage in range(STAGES):
        begin, end = stage * iterations // STAGES, (stage + 1) * iterations // STAGES
        sampler.statistics.reset()
        for first in range(begin, end, _STEP):
            if stopped():
                return
            last = min(first + _STEP, end)
            sampler.run(first, last, regret_weight=1.0 + stage, strategy_weight=0.0)
            progress(last - first)
            if stage == 0 or last == end:
                won, error = sampler.statistics.value_chips(position), sampler.statistics.standard_error_chips(position)
                result = LearnedResponse(last, won, error)
            assert result is not None
            yield result


def _last(learner: Iterator[LearnedResponse]) -> LearnedResponse | None:
    return next(iter(deque(learner, maxlen=1)), None)


def _entries_of(game: TrainingGame, position: int) -> npt.NDArray[np.bool_]:
    """(entries,) whether the row is one of the position's decisions."""
    mine = np.zeros(game.layout.entries, dtype=np.bool_)
    for block in row_blocks(game.tree, game.buckets_per_street):
        mine[block.start : block.end] = block.position == position
    return mine
