"""What a policy does at one decision with the hands that get there: each weighs as much as the betting leaves of it.

A hand's weight is Bayes' rule along the line: the chance that its player plays the line with it (`line_reach`), times
the hands of each other player, weighed in the same way, that share no card with it. With two players that is exact;
with more, that the others' hands do not share cards among themselves is left out. Players who folded count too: what
they threw away is still missing from the deck.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from holdem.abstraction.betting.tree import position_names
from holdem.blueprint.line_reach import line_reach
from holdem.blueprint.tree_values import sums_by
from holdem.blueprint.view import StrategyView, view_strategy
from holdem.cards.cards import HOLE_CARDS, NUM_CARDS, Cards
from holdem.cards.ranges import CLASS_NAMES, CLASS_OF_HOLE, NUM_CLASSES
from holdem.policy.hands import buckets_of_holes
from holdem.policy.policy import AveragePolicy
from holdem.util.arrays import Float64, Int64

_CLASSES = CLASS_OF_HOLE.astype(np.int64)
_ROUNDING = 1e-12
"""Less than this share of a range is what differences of sums leave of nothing."""


@dataclass(frozen=True)
class LineView(StrategyView):
    """A policy at one decision, hands weighed by how they get there.

    reach: (players, 1326) float64, the chance that each position plays the line with each hand
    position: the one to act
    """

    reach: Float64
    position: int

    @cached_property
    def weights(self) -> Float64:
        """(1326,) how likely the player to act holds each hand here, up to a factor; see `range_weights`."""
        return range_weights(self.reach, self.position)

    @property
    def comes_here(self) -> bool:
        """Whether the policy ever plays this line; if not, all hands that can be held weigh the same."""
        return bool(self.weights.any())

    @property
    def is_weighed(self) -> bool:
        """Whether the betting so far tells hands apart; before the first action it does not."""
        return not bool((self.reach[:, self.possible] == 1.0).all())

    @property
    def share(self) -> float:
        """How many of the hands that can be held the player to act still has: the mean of its reach."""
        return float(self.reach[self.position, self.possible].mean())

    def class_reach(self) -> Float64:
        """(169,) the mean chance of a class's hands to get here; NaN for a class that cannot be held."""
        return class_means(self.reach[self.position, :, None], self.possible)[:, 0]

    def class_fills(self) -> Float64:
        """(169,) `class_reach` over that of the class that gets here most."""
        reach = np.nan_to_num(self.class_reach())
        return np.asarray(reach / (reach.max() or 1.0))

    def class_weights(self) -> Float64:
        """(169,) the share of each class in the range of the player to act; zeros if no hand gets here."""
        return sums_by(_CLASSES, self.weights / (self.weights.sum() or 1.0), NUM_CLASSES)

    def class_probabilities(self) -> Float64:
        """(169, actions) mean over the hands of a class by weight, and plain where none of them gets here."""
        by_weight = class_means(self.probabilities, self.weights)
        return np.where(np.isnan(by_weight), super().class_probabilities(), by_weight)

    def frequencies(self) -> Float64:
        """(actions,) over the range; over all hands alike where no hand gets here."""
        if not self.comes_here:
            return super().frequencies()
        held = self.possible
        return np.asarray(self.weights[held] @ self.probabilities[held] / self.weights[held].sum())

    def alike(self) -> StrategyView:
        """The same with every hand counted alike."""
        return StrategyView(self.summary, self.board, self.probabilities, self.visited)

    def to_plain(self) -> dict[str, object]:
        """The view by class as JSON data, with the reach of each class and of the whole range."""
        content = super().to_plain()
        figures = zip(self.class_reach().tolist(), self.class_weights().tolist(), strict=True)
        by_name = dict(zip(CLASS_NAMES, figures, strict=True))
        classes = content["classes"]
        assert isinstance(classes, dict)
        for name, found in classes.items():
            found["reach"], found["weight"] = by_name[name]
        return {**content, "reach": self.share, "comes_here": self.comes_here}


def view_line(
    policy: AveragePolicy, node: int, board: Cards = (), buckets: Callable[[Cards], Int64] | None = None
) -> LineView:
    """What a hold'em policy does at a decision with the hands that get there; `buckets` of all pairs on a board."""
    look_up = buckets or (lambda shown: buckets_of_holes(policy, shown))
    view = view_strategy(policy, node, board, look_up(board))
    reach = line_reach(policy, look_up, node, board) * view.possible
    return LineView(
        view.summary, view.board, view.probabilities, view.visited, reach=reach, position=int(policy.tree.player[node])
    )


def range_weights(reach: Float64, position: int) -> Float64:
    """(1326,) a position's hands by Bayes' rule: its own reach times what each other position can hold beside it."""
    others = [mass_beside(row) for other, row in enumerate(reach) if other != position]
    return np.asarray(np.prod([reach[position], *others], axis=0))


def folded_into(reach: Float64, left: Collection[int]) -> Float64:
    """(players, 1326) the reach of those who are left times what folded players can hold beside each hand.

    In the rows of the folded stand ones. So two players who are left have one joint distribution, in which a pair of
    hands weighs as the product of their rows: a folded hand misses one of them as often beside any other.
    """
    folded = [position for position in range(len(reach)) if position not in left]
    beside = np.prod([np.ones(reach.shape[1]), *(mass_beside(reach[position]) for position in folded)], axis=0)
    counted = reach * beside
    counted[folded] = 1.0
    return np.asarray(counted)


def mass_beside(weights: Float64) -> Float64:
    """(1326,) the sum of the weights of all hands that share no card with each hand."""
    low, high = HOLE_CARDS.astype(np.int64).T
    by_card = sums_by(low, weights, NUM_CARDS) + sums_by(high, weights, NUM_CARDS)
    beside = weights.sum() - by_card[low] - by_card[high] + weights
    return np.where(beside > _ROUNDING * weights.sum(), beside, 0.0)


def class_means(values: Float64, weights: Float64 | npt.NDArray[np.bool_]) -> Float64:
    """(169, columns) means over the hands of each class by weight; NaN where there is none.

    values: (1326, columns), NaN where nothing is known; weights: (1326,)
    """
    known = np.where(np.isnan(values).any(axis=1), 0.0, weights).astype(np.float64)
    totals = sums_by(_CLASSES, known, NUM_CLASSES)[:, None]
    columns = (known[:, None] * np.nan_to_num(values)).T
    sums = np.stack([sums_by(_CLASSES, column, NUM_CLASSES) for column in columns], axis=1)
    return np.where(totals > 0.0, sums / np.where(totals > 0.0, totals, 1.0), np.nan)


def players_left(policy: AveragePolicy, node: int) -> dict[int, str]:
    """The positions that have not folded, with their names, in the order of play after the flop."""
    names = position_names(policy.config)
    return {p: name for p, name in enumerate(names) if not int(policy.tree.folded[node]) >> p & 1}
