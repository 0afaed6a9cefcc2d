"""Made-up policies before the flop for three to six seats: one that plays like a chart, and ways to spoil it.

A habit is how much of its range a position plays and raises at a kind of spot: the best hands raise, the next ones
call, the rest folds. Habits are named `first in UTG`, `BB against UTG`, `over callers`, `facing a jam`, `later`; a
policy is a table of them, and a bad one differs from the chart in one line.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise

import numpy as np

from holdem.abstraction.betting.tree import ActionCode, BettingTree, build_tree, position_names
from holdem.cards.preflop_equity import preflop_equities
from holdem.cards.ranges import CLASS_SIZES
from holdem.policy.policy import AveragePolicy
from holdem.types import BettingConfig, GameConfig, StreetMenus
from tests.evaluation.litmus_policies import Rule, make_policy, sensible


@dataclass(frozen=True)
class Habit:
    """The share of all hands that are played, those that raise (small sizes alike), and those that are all-in."""

    played: float
    raised: float = 0.0
    all_in: float = 0.0
    upside_down: bool = False
    """The worst hands are taken for the best."""


CHART = {
    "first in UTG": Habit(0.17, 0.17),
    "first in HJ": Habit(0.21, 0.21),
    "first in CO": Habit(0.28, 0.28),
    "first in BTN": Habit(0.45, 0.45),
    "first in SB": Habit(0.65, 0.30),
    "BB against UTG": Habit(0.33, 0.055),
    "BB against HJ": Habit(0.36, 0.06),
    "BB against CO": Habit(0.42, 0.08),
    "BB against BTN": Habit(0.53, 0.12),
    "BB against SB": Habit(0.60, 0.14),
    "SB against UTG": Habit(0.08, 0.06),
    "SB against HJ": Habit(0.09, 0.06),
    "SB against CO": Habit(0.11, 0.08),
    "SB against BTN": Habit(0.16, 0.11),
    "against an open": Habit(0.12, 0.07),
    "over callers": Habit(0.15, 0.04),
    "facing a jam": Habit(0.04),
    "later": Habit(0.15, 0.03),
}
"""What common charts say, in round figures; the best hands by equity stand for those that a chart would choose."""

SHAPES = {
    6: BettingConfig(sizes=StreetMenus(preflop=("2x, 3x", "3x, a", "a")), max_raises=(3, 0, 0, 0), limps=False),
    5: BettingConfig(sizes=StreetMenus(preflop=("2.5x", "3x, a", "a")), max_raises=(3, 0, 0, 0), limps=False),
    4: BettingConfig(sizes=StreetMenus(preflop=("2x, 3x, a", "3x, a", "a")), max_raises=(3, 0, 0, 0)),
    3: BettingConfig(sizes=StreetMenus(preflop=("2.2x, 3x, a", "3x, a", "a")), max_raises=(3, 0, 0, 0)),
}
"""Trees of different kinds: with and without limps, with one open and several; nobody bets after the flop."""


@cache
def preflop_tree(players: int, stack: int = 10_000) -> BettingTree:
    """A game of two streets whose flop is checked through."""
    name = f"before the flop, {players} players"
    betting = SHAPES[players]
    return build_tree(GameConfig(name=name, num_players=players, stacks=(stack,), board_cards=(0, 3), betting=betting))


def chart_policy(
    tree: BettingTree,
    changed: Mapping[str, Habit] | None = None,
    unvisited: Callable[[int], bool] = lambda node: False,
) -> AveragePolicy:
    """The chart, with some habits replaced: `{"first in UTG": Habit(0.1, 0.1)}`."""
    habits = {**CHART, **(changed or {})}
    assert habits.keys() == CHART.keys(), "a habit of this name is in no chart"
    return make_policy(tree, sensible, unvisited, lambda node: rule_at(tree, node, habits))


def rule_at(tree: BettingTree, node: int, habits: Mapping[str, Habit]) -> Rule | None:
    """The rule of a habit at a decision before the flop."""
    if tree.street[node] > 0:
        return None
    actor = int(tree.player[node])
    last = [int(tree.action[child]) for child in tree.children(node)]
    stacks = tree.config.starting_stacks
    all_in = bool(tree.chips_in[tree.children(node)[-1], actor] == stacks[actor]) and last[-1] == ActionCode.RAISE
    return _rule(habits[_kind_of_spot(tree, node)], all_in)


def spoilt(habit: str, **changes: object) -> Habit:
    """A habit of the chart with something changed."""
    return replace(CHART[habit], **changes)  # type: ignore[arg-type]


@cache
def _rule(habit: Habit, last_is_all_in: bool) -> Rule:
    def rule(strength: float, actions: list[ActionCode]) -> list[float]:
        better = share_above(1.0 - strength) if habit.upside_down else share_above(strength)
        row = [0.0] * len(actions)
        raises = [i for i, action in enumerate(actions) if action == ActionCode.RAISE]
        small = raises[:-1] if last_is_all_in and len(raises) > 1 else raises
        if last_is_all_in and better < habit.all_in:
            row[-1] = 1.0
        elif raises and (better < habit.raised or (better < habit.played and ActionCode.CALL not in actions)):
            for i in small:
                row[i] = 1.0 / len(small)
        elif better < habit.played or ActionCode.FOLD not in actions:
            row[actions.index(ActionCode.CALL)] = 1.0
        else:
            row[actions.index(ActionCode.FOLD)] = 1.0
        return row

    return rule


@cache
def share_above(strength: float) -> float:
    """The share of all 1326 hands that are better than one of this rank among the classes (0 the worst, 1 the best)."""
    table = preflop_equities()
    equity = (table.equity * table.combinations).sum(axis=1) / table.combinations.sum(axis=1)
    best_first = np.argsort(-equity)
    return float(CLASS_SIZES[best_first[: round(168 * (1.0 - strength))]].sum() / 1326)


def _kind_of_spot(tree: BettingTree, node: int) -> str:
    """Which habit is asked for."""
    names = position_names(tree.config)
    name = names[int(tree.player[node])]
    steps = [(names[int(tree.player[a])], int(tree.action[b]), b) for a, b in pairwise(tree.path(node))]
    raises = [(who, after) for who, action, after in steps if action == ActionCode.RAISE]
    calls = [who for who, action, _ in steps if action == ActionCode.CALL]
    if (tree.chips_in[node] >= tree.config.starting_stacks[0]).any():
        return "facing a jam"
    if not raises and not calls and name != "BB":
        return f"first in {name}"
    if len(raises) != 1 or name in [who for who, _, _ in steps]:
        return "later"
    if calls:
        return "over callers"
    opener = raises[0][0]
    return f"{name} against {opener}" if f"{name} against {opener}" in CHART else "against an open"
