"""What strategy sums of three and more players weigh, against exact sums over all deals of random trees.

A traversal adds the strategies of all others where it meets them: it tries its own actions, draws theirs, and ends
where its player folds. So an infoset counts as often as play leads there if one of the others does all but fold, for
each of these in turn; with two players that is its own player's reach. Period k of a run counts k^(beta + 3).
Regrets are set by hand and change from phase to phase; increments of regrets have weight 0, so that the strategies of a
phase are known exactly.
"""

import numpy as np
import numpy.typing as npt
import pytest

from holdem.abstraction.betting.tree import ActionCode, NodeKind
from holdem.mccfr.dealers import ListDealer
from holdem.mccfr.sampling.external import STRATEGY_UNIT, ExternalSampler
from holdem.mccfr.sampling.outcome import OutcomeSampler
from holdem.mccfr.schedules.discount import DiscountSchedule
from holdem.mccfr.schedules.total_weight import total_weights
from holdem.mccfr.table.regret_tracker import RegretTracker
from holdem.mccfr.training_game import TrainingGame
from holdem.types import MCCFRConfig
from tests.mccfr.games import random_game

Floats = npt.NDArray[np.float64]
ITERATIONS = 20_000
PHASES = 3


def exact_sums(game: TrainingGame, strategy: Floats, traverser: int, own_reach: bool = False) -> tuple[Floats, Floats]:
    """Expected sums of one traversal, and how many lines of the traverser's actions there are up to each entry.

    own_reach: weigh an infoset by how its own player plays and nobody else, as the theory of two players has it
    """
    sums, lines = np.zeros(game.layout.entries), np.ones(game.layout.entries)
    assert isinstance(game.dealer, ListDealer)
    deals = game.dealer.deal_rows

    def walk(node: int, rows: npt.NDArray[np.int64], reach: Floats, tried: float) -> None:
        if game.tree.kind[node] != NodeKind.DECISION:
            return
        player = int(game.tree.player[node])
        start = int(game.layout.offset[node] + rows[int(game.tree.street[node]) * game.num_players + player])
        row = slice(start, start + int(game.tree.num_actions[node]))
        if player != traverser:
            sums[row] += (reach[player] if own_reach else reach.prod()) / len(deals) * strategy[row]
            lines[row] = tried
        for child, probability in zip(game.tree.children(node), strategy[row], strict=True):
            if player == traverser and game.tree.action[child] == ActionCode.FOLD:
                continue
            after = reach.copy()
            after[player] *= probability if player != traverser else 1.0
            walk(child, rows, after, tried * (len(strategy[row]) if player == traverser else 1))

    for rows in deals:
        walk(0, rows, np.ones(game.num_players), 1.0)
    return sums, lines


def phases(tracker: RegretTracker, seed: int) -> list[npt.NDArray[np.int64]]:
    """Regrets of each phase: a third of the actions have none, so that some infosets are not reached in some."""
    rng = np.random.default_rng(seed)
    size = len(tracker.table)
    return [rng.integers(1, 1_000, size) * (rng.random(size) < 0.67) for _ in range(PHASES)]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("kind", ["external", "outcome"])
def test_sums_are_weighted_by_the_reach_of_all_but_the_traverser(kind: str, seed: int) -> None:
    game = random_game(seed, 3)
    sampler: ExternalSampler | OutcomeSampler
    if kind == "external":
        tracker = RegretTracker.allocate(game)
        sampler, scale = ExternalSampler(MCCFRConfig(seed=seed), tracker), float(STRATEGY_UNIT)
    else:
        tracker = RegretTracker.allocate(game, np.float64)
        config = MCCFRConfig(seed=seed, sampling="outcome", exploration_epsilon=1.0)
        sampler, scale = OutcomeSampler(config, tracker), 1.0
    expected, largest = np.zeros(len(tracker.table)), np.ones(len(tracker.table))
    for phase, regrets in enumerate(phases(tracker, seed)):
        tracker.table[:, 0] = regrets
        strategy = tracker.current_strategy_table()
        for traverser in range(3):
            sums, lines = exact_sums(game, strategy, traverser)
            expected += ITERATIONS * sums
            largest = np.maximum(largest, lines)
        sampler.run(phase * ITERATIONS, (phase + 1) * ITERATIONS, 0.0, 1.0)
        assert np.array_equal(tracker.table[:, 0], regrets)
    # One visit adds at most `largest` to an entry: 1 where all actions of the traverser are tried, one over the chance
    # of its line where they are drawn evenly. External traversals meet a row along several of these lines, so their
    # number is the most that one of them adds. The variance of a sum is at most `largest` times its mean; five standard
    # deviations, and one visit more for the rarest. Integers are rounded at random, which keeps the mean and adds a
    # variance of at most the mean, in squared units.
    tolerance = 5 * np.sqrt((largest + 1 / STRATEGY_UNIT) * expected + largest**2)
    assert (np.abs(tracker.strategy_sums / scale - expected) < tolerance).all()
    assert (tracker.strategy_sums[expected == 0] == 0).all()


def test_weights_by_own_reach_would_be_noticed() -> None:
    """On these trees the weights that theory asks for give another average strategy: docs/training.md says so."""
    differences = []
    for seed in range(6):
        game = random_game(seed, 3)
        tracker = RegretTracker.allocate(game)
        averages = []
        for own_reach in (False, True):
            total = np.zeros(len(tracker.table))
            for regrets in phases(tracker, seed):
                tracker.table[:, 0] = regrets
                strategy = tracker.current_strategy_table()
                total += sum(exact_sums(game, strategy, player, own_reach)[0] for player in range(3))
            tracker.table[:, 1] = np.round(total * 1e6)
            averages.append(tracker.average_strategy_table())
        differences.append(np.abs(averages[0] - averages[1]).max())
    assert min(differences) > 0.1


@pytest.mark.parametrize(("players", "exponent"), [(2, 1.0), (3, 4.0), (6, 4.0)])
def test_later_periods_weigh_more(players: int, exponent: float) -> None:
    """Period k counts k with two players and k^4 with more: the last quarter then has three quarters of the weight."""
    schedule = DiscountSchedule.of(MCCFRConfig(discount_interval=10), players)
    totals = [total_weights(schedule, count) for count in (750, 1_000)]
    units = [schedule.weights(count - 1)[1].halvings for count in (750, 1_000)]
    first, whole = (total * 2.0**unit for (_, total), unit in zip(totals, units, strict=True))
    periods = np.arange(1, 101) ** exponent
    assert whole == pytest.approx(10 * periods.sum(), rel=1e-9)
    assert first == pytest.approx(10 * periods[:75].sum(), rel=1e-9)
    assert 1 - first / whole == pytest.approx(0.43 if players == 2 else 0.76, abs=0.01)
