"""What actions are worth by class of hands, drawn: the same rollouts as for one hand, with cards of the whole range.

For every class that gets to a decision, deals are drawn from what the betting leaves of everybody's hands; all play the
average policy to the end, and every action is tried on the same deals. Rounds of some deals a class go on until the
time is up, so that each class has its mean and standard error.
"""

import time

import numpy as np

from holdem.blueprint.class_worth import ClassWorth
from holdem.blueprint.line_view import LineView
from holdem.cards.cards import HOLE_CARDS, Cards
from holdem.cards.ranges import CLASS_OF_HOLE, NUM_CLASSES
from holdem.table.advice.kernels.rollout import deal_from_ranges, worth_of_actions
from holdem.table.advice.rollouts import TRIES_PER_DEAL, Deals, Rollouts
from holdem.util.arrays import Float64, Int64, UInt64
from holdem.util.rng import stream

DEALS_A_ROUND = 16
"""Of each class."""
NOBODY = -1
"""All seats' cards are drawn."""


class ClassRollouts(Rollouts):
    """Rollouts of whole ranges with one blueprint."""

    def worth_by_class(
        self, node: int, view: LineView, seconds: float = np.inf, rounds: int | None = None, seed: int = 0
    ) -> ClassWorth:
        """Means and errors of every class that gets to `node`, from as many rounds as the time allows, at least two.

        The first round does not count: it may compile or load what it calls.
        """
        random = np.frombuffer(stream(seed, "class rollouts", node).bytes(16), np.uint64).copy()
        classes = np.flatnonzero(view.class_weights() > 0.0)
        sums = np.zeros((3, NUM_CLASSES, len(view.summary.actions) + 1))  # count, values, squares
        self._add_round(node, view, classes, random, sums)
        until, done = time.monotonic() + seconds, 1
        while done < 2 or (time.monotonic() < until and done != rounds):
            self._add_round(node, view, classes, random, sums)
            done += 1
        count, values, squares = sums
        with np.errstate(invalid="ignore", divide="ignore"):
            means = values / count
            errors = np.sqrt(np.maximum(squares / count - means**2, 0.0) / (count - 1))
        words = f"rollouts: the average policy against itself, {int(count[:, 0].sum()):,} deals"
        return ClassWorth(means[:, :-1], errors[:, :-1], means[:, -1], errors[:, -1], words)

    def _add_round(self, node: int, view: LineView, classes: Int64, random: UInt64, sums: Float64) -> None:
        """Some deals of every class, added to the counts, sums and sums of squares of its actions and its mixture."""
        parts = [self._draw_class(int(number), view, random) for number in classes]
        holes, boards = (np.concatenate([getattr(part, name) for part in parts]) for name in ("holes", "boards"))
        tree = self.blueprint.policy.tree
        buckets, strengths = self._look_up(holes, boards, int(tree.street[node]))
        values = np.empty((len(holes), len(view.summary.actions)))
        worth_of_actions(self._arrays, node, view.position, buckets, strengths, self._walked(node), random, values)
        values += int(tree.chips_in[node, view.position])
        own = holes[:, view.position]
        played = np.column_stack([values, (values * view.probabilities[own]).sum(axis=1)])
        for place, figures in enumerate((np.ones_like(played), played, played**2)):
            np.add.at(sums[place], CLASS_OF_HOLE[own], figures)

    def _draw_class(self, number: int, view: LineView, random: UInt64) -> Deals:
        """Deals in which the player to act holds a hand of one class."""
        weights = view.reach.copy()
        weights[view.position, number != CLASS_OF_HOLE] = 0.0
        board = np.array(view.board, dtype=np.uint8)
        holes = np.empty((DEALS_A_ROUND, len(weights)), np.int16)
        boards = np.empty((DEALS_A_ROUND, 5), np.uint8)
        sums, tries = np.cumsum(weights, axis=1), DEALS_A_ROUND * TRIES_PER_DEAL
        done = deal_from_ranges(random, sums, HOLE_CARDS, NOBODY, _bits(view.board), board, tries, holes, boards)
        return Deals(holes[:done], boards[:done], np.ones(done))


def _bits(cards: Cards) -> int:
    return sum(1 << card for card in cards)
