"""Jam or fold with ten big blinds: solved in the test, measured exactly, compared with the published chart."""

import numpy as np
import pytest

from holdem.abstraction.betting.row_layout import layout_rows
from holdem.abstraction.betting.tree import build_tree
from holdem.cards.preflop_equity import BOARDS_PER_PAIR, class_index, preflop_equities
from holdem.cards.ranges import CLASS_NAMES, CLASS_OF_HOLE, CLASS_SIZES, Range
from holdem.errors import ConfigError
from holdem.evaluation.response.jam_or_fold import JamOrFold, exploitability_mbb
from holdem.game.presets import load_preset
from tests.evaluation.tables import FloatArray

TREE = build_tree(load_preset("jam_or_fold_10bb"))
LAYOUT = layout_rows(TREE, (169, 50, 50, 50))
SMALL_BLIND, BIG_BLIND = 0, 2
"""The two decisions: fold or jam, fold or call."""

PUBLISHED_JAMS = (
    "22+, A2s+, K2s+, Q2s+, J3s+, T4s+, 95s+, 84s+, 74s+, 64s+, 53s+, 43s, A2o+, K2o+, Q7o+, J8o+, T8o+, 97o+, 87o, 76o"
)
"""What the small blind jams with ten big blinds in published heads-up push-or-fold charts."""


def table_of(jam: FloatArray, call: FloatArray) -> FloatArray:
    strategy = np.zeros(LAYOUT.entries)
    for node, second in ((SMALL_BLIND, jam), (BIG_BLIND, call)):
        starts = LAYOUT.offset[node] + np.arange(169) * LAYOUT.stride[node]
        strategy[starts], strategy[starts + 1] = 1.0 - second, second
    return strategy


def solve(iterations: int) -> tuple[FloatArray, FloatArray]:
    """Average jam and call probabilities of CFR+ on the two decisions, in chips (blinds 50 and 100, stacks 1000)."""
    equities = preflop_equities()
    pairs = float(equities.combinations.sum())
    meet = equities.combinations / pairs
    edge = (equities.wins - equities.wins.T) / (pairs * BOARDS_PER_PAIR)
    regrets = np.zeros((2, 169, 2))
    average = np.zeros((2, 169))

    def probability(position: int) -> FloatArray:
        total = regrets[position].sum(axis=1)
        return np.where(total > 0, regrets[position, :, 1] / np.where(total > 0, total, 1.0), 0.5)

    def learn(position: int, fold: FloatArray, play: FloatArray) -> None:
        mean = fold + probability(position) * (play - fold)
        regrets[position] = np.maximum(regrets[position] + np.stack([fold - mean, play - mean], axis=1), 0.0)

    for t in range(1, iterations + 1):
        call = probability(1)
        learn(0, -50.0 * meet.sum(axis=1), 100.0 * (meet @ (1.0 - call)) + 1000.0 * (edge @ call))
        jam = probability(0)
        learn(1, -100.0 * (meet @ jam), 1000.0 * (edge @ jam))
        average += t * np.stack([jam, call])
    total = iterations * (iterations + 1) / 2
    return average[0] / total, average[1] / total


JAM, CALL = solve(1000)


def test_a_solved_strategy_cannot_be_exploited() -> None:
    values = JamOrFold(TREE, LAYOUT)
    assert values.exploitability_mbb(table_of(JAM, CALL)) < 0.01
    assert values.exploitability_mbb(table_of(*solve(100))) < 1.0


def test_it_is_the_published_chart() -> None:
    jams = Range(np.where(JAM[CLASS_OF_HOLE] > 0.5, 1.0, 0.0))
    assert jams == Range.parse(PUBLISHED_JAMS)
    # In the published charts the small blind plays 58 % and the big blind 37 % of all hands.
    assert (JAM * CLASS_SIZES).sum() / 1326 == pytest.approx(0.583, abs=0.005)
    assert (CALL * CLASS_SIZES).sum() / 1326 == pytest.approx(0.374, abs=0.005)
    pairs_and_aces = [i for i, name in enumerate(CLASS_NAMES) if name[0] == "A" or name[0] == name[1]]
    assert JAM[pairs_and_aces].min() > 0.999
    # holdemresources.net: T3s is a jam up to 7.7 big blinds, Q2o a call up to 5.6: neither with ten.
    assert JAM[class_index("T3s")] < 0.001
    assert CALL[class_index("Q2o")] < 0.001


def test_the_value_of_the_game() -> None:
    """The small blind loses 0.0454 big blinds a hand; the best responses bracket that to within twice 0.01 mbb."""
    responses = JamOrFold(TREE, LAYOUT).responses(table_of(JAM, CALL))
    big_blind, small_blind = responses.best / 100
    assert -big_blind <= small_blind <= -big_blind + 2e-5
    assert small_blind == pytest.approx(-0.04537, abs=2e-5)


def test_simple_strategies_by_hand() -> None:
    """Whoever always folds loses a blind; against that the answer wins it every hand."""
    values = JamOrFold(TREE, LAYOUT)
    never, always = np.zeros(169), np.ones(169)
    folding = values.responses(table_of(never, never))
    assert folding.expected == pytest.approx([50.0, -50.0], abs=1e-9)
    assert folding.best == pytest.approx([50.0, 100.0], abs=1e-9)
    assert exploitability_mbb(TREE, LAYOUT, table_of(never, never)) == pytest.approx(1000 * (0 + 1.5) / 2, abs=1e-9)
    blind = values.responses(table_of(always, always))
    assert blind.expected == pytest.approx([0.0, 0.0], abs=1e-9)
    # Against a jam with everything, call whatever has 45 % of the pot of 2,000 (pay 900): equity above 0.45.
    equities = preflop_equities()
    meet = equities.combinations / equities.combinations.sum()
    win = (equities.equity * meet).sum(axis=1)
    share = meet.sum(axis=1)
    assert blind.best[0] == pytest.approx(np.maximum(-100 * share, 2000 * win - 1000 * share).sum(), abs=1e-9)


@pytest.mark.parametrize("name", ["headsup_100bb", "leduc", "short_rank", "threemax_100bb"])
def test_other_games_are_refused(name: str) -> None:
    tree = build_tree(load_preset(name))
    with pytest.raises(ConfigError, match="jam_or_fold_10bb"):
        JamOrFold(tree, layout_rows(tree, [2] * tree.config.num_streets))
