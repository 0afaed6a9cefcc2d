"""Exact worth of actions for two players where a street can be played through to the end of the hand.

Both play the average policy. Down the tree goes what the opponent may hold, hand by hand; at the end each own hand
meets all of it that shares no card with it: at a showdown on the river by strength, after an all-in before the flop by
the equity of the two classes. Nothing is drawn. Where another street follows, rollouts say what actions are worth:
leaf values (`holdem leaf-values`) follow buckets from street to street, forget on the way how strong a hand was, and
so undervalue the strongest hands by what no standard error shows.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from holdem.abstraction.betting.payoffs import payoffs
from holdem.abstraction.betting.tree import NodeKind
from holdem.blueprint.class_worth import ClassWorth
from holdem.blueprint.line_view import LineView, class_means, mass_beside
from holdem.blueprint.tree_values import sums_by
from holdem.cards.cards import HOLE_CARDS, HOLE_MASKS, NUM_CARDS, NUM_HOLE_PAIRS
from holdem.cards.evaluator import evaluate
from holdem.cards.preflop_equity import preflop_equities
from holdem.cards.ranges import CLASS_OF_HOLE, NUM_CLASSES
from holdem.policy.policy import AveragePolicy
from holdem.util.arrays import Float64, Int64

Meeting = Callable[[Float64], Float64]
"""From (1326,) weights of the opponent's hands to what each own hand wins from them for one chip at stake."""

RIVER = 3


@dataclass(frozen=True)
class StreetWorth:
    """Plays the last street of a hand for `position`.

    buckets: (1326,) of every hand on this street, -1 where it cannot be held; meeting: a showdown's sign
    """

    policy: AveragePolicy
    position: int
    buckets: Int64
    meeting: Meeting

    def actions(self, node: int, opponent: Float64) -> Float64:
        """(1326, actions) what each action wins from now on with each hand; opponent: (1326,) weights of its hands."""
        chips = int(self.policy.tree.chips_in[node, self.position])
        with np.errstate(invalid="ignore", divide="ignore"):
            worth = [self._value(child, opponent) / mass_beside(opponent) for child in self.policy.tree.children(node)]
        return np.stack(worth, axis=1) + chips

    def _value(self, node: int, opponent: Float64) -> Float64:
        """(1326,) the sum over the opponent's hands of their weight times what each own hand wins in the end."""
        tree = self.policy.tree
        if tree.kind[node] == NodeKind.FOLD_WIN:
            return mass_beside(opponent) * float(payoffs(tree, node, (1, 0))[self.position])
        if tree.kind[node] == NodeKind.SHOWDOWN:
            return self.meeting(opponent) * float(payoffs(tree, node, (1, 0))[0])
        rows = self.policy.rows(node)[0][self.buckets]
        children = tree.children(node)
        if tree.player[node] == self.position:
            return sum_of([rows[:, a] * self._value(child, opponent) for a, child in enumerate(children)])
        return sum_of([self._value(child, opponent * rows[:, a]) for a, child in enumerate(children)])


def street_worth(policy: AveragePolicy, node: int, view: LineView, buckets: Int64) -> ClassWorth | None:
    """What the actions of a decision are worth, None where the hand goes on to another street."""
    position, street = view.position, int(policy.tree.street[node])
    if policy.tree.num_players != 2 or len(policy.config.ranks) != 13 or policy.config.board_cards[-1] != 5:
        return None
    if street == RIVER:
        play = StreetWorth(policy, position, buckets, river_meeting(view.board))
        words = "exact: the average policy against every hand that the betting leaves"
    elif street == 0 and policy.info.buckets_per_street[0] == NUM_CLASSES and not _goes_on(policy, node):
        chances = 2.0 * preflop_equities().equity - 1.0
        play = StreetWorth(policy, position, buckets, lambda weights: meet_by_class(chances, weights))
        words = "exact: the average policy against every class that the betting leaves"
    else:
        return None
    return by_class(view, play.actions(node, view.reach[1 - position]), words)


def by_class(view: LineView, evs: Float64, words: str) -> ClassWorth:
    """Means over the hands of each class by weight; evs: (1326, actions)."""
    means = class_means(np.column_stack([evs, (view.probabilities * evs).sum(axis=1)]), view.weights)
    errors = np.where(np.isnan(means), np.nan, 0.0)
    return ClassWorth(means[:, :-1], errors[:, :-1], means[:, -1], errors[:, -1], words)


def meet_by_class(table: Float64, weights: Float64) -> Float64:
    """(1326,) what each hand wins from weighed hands of the opponent by a (169, 169) table; shared cards left out."""
    classes = CLASS_OF_HOLE.astype(np.int64)
    low, high = HOLE_CARDS.astype(np.int64).T
    total = sums_by(classes, weights, NUM_CLASSES)
    places = classes * NUM_CARDS
    with_card = sum_of([sums_by(places + cards, weights, NUM_CLASSES * NUM_CARDS) for cards in (low, high)])
    beside = table @ with_card.reshape(NUM_CLASSES, NUM_CARDS)
    own = table[classes, classes] * weights
    return np.asarray((table @ total)[classes] - beside[classes, low] - beside[classes, high] + own)


def river_meeting(board: tuple[int, ...]) -> Meeting:
    """Wins minus losses on a whole board: one row of signs for each hand."""
    held = np.flatnonzero(~np.isin(HOLE_CARDS, board).any(axis=1))
    strengths = np.array([evaluate((*HOLE_CARDS[hand].tolist(), *board)) for hand in held.tolist()], dtype=np.int32)
    apart = (HOLE_MASKS[held][:, None] & HOLE_MASKS[held][None, :]) == 0
    signs = np.sign(strengths[:, None] - strengths[None, :]) * apart

    def meet(weights: Float64) -> Float64:
        won = np.zeros(NUM_HOLE_PAIRS)
        won[held] = signs @ weights[held]
        return won

    return meet


def sum_of(parts: list[Float64]) -> Float64:
    """The sum of arrays of one shape."""
    return np.asarray(np.sum(parts, axis=0))


def _goes_on(policy: AveragePolicy, node: int) -> bool:
    """Whether there are decisions of a later street behind a node."""
    tree = policy.tree
    below = list(tree.descendants(node))
    return bool(((tree.kind[below] == NodeKind.DECISION) & (tree.street[below] > tree.street[node])).any())
