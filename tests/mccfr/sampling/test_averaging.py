"""Strategy sums of three and more players against exact sums weighted by the player's own reach.

Regrets are set by hand and change from phase to phase; increments of regrets have weight 0, so that the strategies of a
phase are known exactly. Three-player Kuhn cannot show the bias of the two-player shortcut; random trees do.
"""

import numpy as np
import numpy.typing as npt
import pytest

from holdem.abstraction.betting.tree import NodeKind
from holdem.mccfr.dealers import ListDealer
from holdem.mccfr.sampling.external import STRATEGY_UNIT, ExternalSampler
from holdem.mccfr.sampling.outcome import OutcomeSampler
from holdem.mccfr.table.regret_tracker import RegretTracker
from holdem.mccfr.training_game import TrainingGame
from holdem.types import MCCFRConfig
from tests.mccfr.games import random_game

Floats = npt.NDArray[np.float64]
ITERATIONS = 20_000
PHASES = 3


def exact_sums(game: TrainingGame, strategy: Floats, owner: int, others_play: bool) -> Floats:
    """Expected sums of one path: the owner by its strategy, the others by theirs (the biased way) or uniformly."""
    sums = np.zeros(game.layout.entries)
    assert isinstance(game.dealer, ListDealer)
    deals = game.dealer.deal_rows

    def walk(node: int, rows: npt.NDArray[np.int64], reach: float) -> None:
        if game.tree.kind[node] != NodeKind.DECISION:
            return
        player = int(game.tree.player[node])
        start = int(game.layout.offset[node] + rows[int(game.tree.street[node]) * game.num_players + player])
        probabilities = strategy[start : start + int(game.tree.num_actions[node])]
        if player == owner:
            sums[start : start + len(probabilities)] += reach * probabilities
        elif not others_play:
            probabilities = np.full(len(probabilities), 1.0 / len(probabilities))
        for child, probability in zip(game.tree.children(node), probabilities, strict=True):
            walk(child, rows, reach * probability)

    for rows in deals:
        walk(0, rows, 1.0 / len(deals))
    return sums


def phases(game: TrainingGame, tracker: RegretTracker, seed: int) -> list[npt.NDArray[np.int64]]:
    """Regrets of each phase: a third of the actions have none, so that some infosets are not reached in some."""
    rng = np.random.default_rng(seed)
    size = len(tracker.table)
    return [rng.integers(1, 1_000, size) * (rng.random(size) < 0.67) for _ in range(PHASES)]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("kind", ["external", "outcome"])
def test_sums_are_weighted_by_the_players_own_reach(kind: str, seed: int) -> None:
    game = random_game(seed, 3)
    sampler: ExternalSampler | OutcomeSampler
    if kind == "external":
        tracker = RegretTracker.allocate(game)
        sampler, scale = ExternalSampler(MCCFRConfig(seed=seed), tracker), float(STRATEGY_UNIT)
    else:
        tracker = RegretTracker.allocate(game, np.float64)
        sampler, scale = OutcomeSampler(MCCFRConfig(seed=seed, sampling="outcome"), tracker), 1.0
    expected, biased = np.zeros(len(tracker.table)), np.zeros(len(tracker.table))
    for phase, regrets in enumerate(phases(game, tracker, seed)):
        tracker.table[:, 0] = regrets
        strategy = tracker.current_strategy_table()
        for owner in range(3):
            expected += ITERATIONS * exact_sums(game, strategy, owner, others_play=False)
            biased += ITERATIONS * exact_sums(game, strategy, owner, others_play=True)
        sampler.run(phase * ITERATIONS, (phase + 1) * ITERATIONS, 0.0, 1.0)
        assert np.array_equal(tracker.table[:, 0], regrets)
    # What one path adds to an entry is between 0 and 1, so the variance of a sum is at most its mean; five standard
    # deviations, and one visit more for the rarest. Integers are rounded at random, which keeps the mean and adds a
    # variance of at most the mean, in squared units.
    tolerance = 5 * np.sqrt((1 + 1 / STRATEGY_UNIT) * expected + 1)
    assert (np.abs(tracker.strategy_sums / scale - expected) < tolerance).all()
    assert (tracker.strategy_sums[expected == 0] == 0).all()


def test_the_two_player_shortcut_would_be_noticed() -> None:
    """On these trees the biased weights give another average strategy, far outside the tolerance above."""
    differences = []
    for seed in range(6):
        game = random_game(seed, 3)
        tracker = RegretTracker.allocate(game)
        averages = []
        for others_play in (False, True):
            total = np.zeros(len(tracker.table))
            for regrets in phases(game, tracker, seed):
                tracker.table[:, 0] = regrets
                strategy = tracker.current_strategy_table()
                total += sum(exact_sums(game, strategy, owner, others_play) for owner in range(3))
            tracker.table[:, 1] = np.round(total * 1e6)
            averages.append(tracker.average_strategy_table())
        differences.append(np.abs(averages[0] - averages[1]).max())
    assert min(differences) > 0.1
