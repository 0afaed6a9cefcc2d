"""What an opponent wins who sees the same buckets and bets, and learns to beat a strategy that stays as it is.

One position learns by external sampling, as in training, while all others keep to the policy. It begins as the strategy
itself. Against players who do not change, regrets estimate what each action is worth, and the learner approaches the
best response of the abstract game. What it wins is counted in each hand before it learns from that hand, so the figure
belongs to strategies that were really played, on deals that they had not seen: a lower bound on what can be won, inside
the abstraction and in the real game, which rises with the iterations. Local best response sees exact cards and looks
one bet ahead; this one sees buckets and plans to the end.

The strategy's own results add up to zero over the positions, so the mean of what their answers win is exploitability,
for any number of players. One position alone may win or lose by where it sits: there the figure is what it wins beyond
the strategy itself (`own_results`).
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


@dataclass(frozen=True)
class OwnResult:
    """What one position wins when everybody plays the strategy, in chips a hand, over so many hands."""

    hands: int
    won: float
    standard_error: float


def learn_responses(
    game: TrainingGame,
    policy: AveragePolicy,
    iterations: int,
    *,
    positions: Sequence[int] | None = None,
    seed: int = 0,
    threads: int = 2,
    progress: Progress = lambda count: None,
    stopped: Callable[[], bool] = lambda: False,
) -> list[LearnedResponse | None]:
    """A response for each of the positions, of all if they are left out; None for one that was stopped before it had
    played. One position takes 8 bytes for each entry of the policy, and `threads` of them learn at once."""
    played = played_entries(policy)
    chosen = range(game.num_players) if positions is None else positions
    learners = [_learn(game, played, position, iterations, seed, progress, stopped) for position in chosen]
    if threads == 1 and len(learners) == 2:  # in turn, so that a stop finds both
        pairs = deque(zip(*learners, strict=False), maxlen=1)
        return list(pairs[0]) if pairs else [None, None]
    with ThreadPoolExecutor(min(threads, len(learners))) as pool:
        return list(pool.map(_last, learners))


def own_results(
    game: TrainingGame,
    policy: AveragePolicy,
    hands: int,
    *,
    first: int = 0,
    seed: int = 0,
    progress: Progress = lambda count: None,
    stopped: Callable[[], bool] = lambda: False,
) -> list[OwnResult]:
    """What each position wins when all keep to the policy; `first`: the number of the first deal, so that others than
    those of `learn_responses` are played. Fewer hands if stopped, and an infinite error if none."""
    tracker = RegretTracker.allocate(game)
    tracker.regrets[:] = played_entries(policy)
    sampler = ExternalSampler(MCCFRConfig(seed=seed, enable_pruning=False), tracker, stream_start=first)
    for begin in range(0, hands, _STEP):
        if stopped():
            break
        end = min(begin + _STEP, hands)
        sampler.run(begin, end, regret_weight=0.0, strategy_weight=0.0)  # weights of nothing: nobody learns
        progress(end - begin)
    statistics = sampler.statistics
    played = statistics.iterations
    return [
        OwnResult(
            played,
            statistics.value_chips(position),
            statistics.standard_error_chips(position) if played > 1 else math.inf,
        )
        for position in range(game.num_players)
    ]


def exploitability(responses: Sequence[LearnedResponse]) -> tuple[float, float]:
    """Chips a hand, the mean of all positions, and half of its 95 % interval."""
    won = sum(response.won for response in responses) / len(responses)
    variance = sum(response.standard_error**2 for response in responses)
    hands = min(response.iterations for response in responses)
    return won, confidence(hands) * math.sqrt(variance) / len(responses)


def gain(response: LearnedResponse, own: OwnResult) -> tuple[float, float]:
    """What an answer wins beyond the strategy itself, chips a hand, and half of its 95 % interval.

    Both were measured on deals of their own, so their errors are independent.
    """
    error = math.hypot(response.standard_error, own.standard_error)
    return response.won - own.won, confidence(min(response.iterations, own.hands)) * error


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
