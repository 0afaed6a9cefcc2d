"""What a policy does at one decision, hand by hand and class by class: what pictures and tables of it show."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from holdem.abstraction.betting.line import choices, format_line
from holdem.abstraction.betting.tree import NodeKind, position_names
from holdem.blueprint.tree_values import sums_by
from holdem.cards.cards import NUM_HOLE_PAIRS, Cards, format_cards
from holdem.cards.ranges import CLASS_NAMES, CLASS_OF_HOLE, NUM_CLASSES
from holdem.errors import CardError, IllegalAction
from holdem.policy.hands import buckets_of_holes
from holdem.policy.policy import AveragePolicy
from holdem.types import STREET_NAMES
from holdem.util.arrays import Float64


@dataclass(frozen=True)
class NodeSummary:
    """A decision in words: the line to it, whose turn it is, and what there is to choose from."""

    line: str
    street: str
    position: str
    actions: tuple[str, ...]
    pot_chips: int
    big_blind: int

    @property
    def pot(self) -> str:
        """The pot in big blinds, in chips where there are none."""
        return f"{self.pot_chips / self.big_blind:g}bb" if self.big_blind else str(self.pot_chips)

    @property
    def turn(self) -> str:
        """`BB to act on the flop, pot 6bb`."""
        when = "before the flop" if self.street == STREET_NAMES[0] else f"on the {self.street}"
        return f"{self.position} to act {when}, pot {self.pot}"


@dataclass(frozen=True)
class StrategyView:
    """A policy at one decision on one board.

    probabilities: (1326, actions) float64, NaN for hands that cannot be held
    visited: (1326,) bool, false where training never came by and the hand is not raised
    """

    summary: NodeSummary
    board: Cards
    probabilities: Float64
    visited: npt.NDArray[np.bool_]

    @property
    def possible(self) -> npt.NDArray[np.bool_]:
        """(1326,) hands that can be held."""
        return ~np.isnan(self.probabilities[:, 0])

    def class_sizes(self) -> Float64:
        """(169,) hands of each class that can be held."""
        return self._by_class(np.ones(NUM_HOLE_PAIRS))

    def class_probabilities(self) -> Float64:
        """(169, actions) mean over the hands of a class; NaN for a class that cannot be held."""
        sums = np.stack([self._by_class(column) for column in self.probabilities.T], axis=1)
        with np.errstate(invalid="ignore"):
            return np.asarray(sums / self.class_sizes()[:, None])

    def class_visited(self) -> Float64:
        """(169,) share of a class's hands whose row was visited; NaN for a class that cannot be held."""
        with np.errstate(invalid="ignore"):
            return np.asarray(self._by_class(self.visited.astype(np.float64)) / self.class_sizes())

    def class_fills(self) -> Float64:
        """(169,) how much of each class's cell a picture fills: all of it, unless hands are weighed."""
        return np.ones(NUM_CLASSES)

    def frequencies(self) -> Float64:
        """(actions,) over all hands that can be held, each as likely as any other."""
        return np.asarray(self.probabilities[self.possible].mean(axis=0))

    def to_plain(self) -> dict[str, object]:
        """The view by class as JSON data."""
        sizes, visited, rows = self.class_sizes(), self.class_visited(), self.class_probabilities()
        actions = self.summary.actions
        return {
            **plain_summary(self.summary),
            "board": format_cards(self.board),
            "frequencies": dict(zip(actions, self.frequencies().tolist(), strict=True)),
            "classes": {
                name: {
                    "hands": int(sizes[i]),
                    "visited": float(visited[i]),
                    "probabilities": dict(zip(actions, rows[i].tolist(), strict=True)),
                }
                for i, name in enumerate(CLASS_NAMES)
                if sizes[i]
            },
        }

    def _by_class(self, values: Float64) -> Float64:
        held = self.possible
        return sums_by(CLASS_OF_HOLE[held].astype(np.int64), values[held], NUM_CLASSES)


def summarise(policy: AveragePolicy, node: int, board: Cards = ()) -> NodeSummary:
    """A decision in words; an IllegalAction where the hand is over."""
    tree = policy.tree
    if tree.kind[node] != NodeKind.DECISION:
        raise IllegalAction(f"the hand is over after {tree.describe(node)!r}; show a shorter line")
    return NodeSummary(
        line=format_line(tree, node, board).rstrip() or "first to act",
        street=STREET_NAMES[int(tree.street[node])],
        position=position_names(tree.config)[int(tree.player[node])],
        actions=tuple(choices(tree, node)),
        pot_chips=int(tree.chips_in[node].sum()),
        big_blind=tree.config.big_blind,
    )


def plain_summary(summary: NodeSummary) -> dict[str, object]:
    """The words as JSON data."""
    return {
        "line": summary.line,
        "street": summary.street,
        "position": summary.position,
        "pot": summary.pot,
        "actions": list(summary.actions),
    }


def view_strategy(
    policy: AveragePolicy, node: int, board: Cards = (), buckets: npt.NDArray[np.int64] | None = None
) -> StrategyView:
    """What a hold'em policy does at a decision with every hole pair; `buckets` of all pairs, if they are known."""
    summary = summarise(policy, node, board)
    due = policy.config.board_cards[int(policy.tree.street[node])]
    if len(board) != due:
        raise CardError(
            f"on the {summary.street} the strategy depends on the board; "
            f"name its {due} cards in the line, as in `SB call, BB check | Ks7d2c`"
        )
    if buckets is None:
        buckets = buckets_of_holes(policy, board)
    rows, visited = policy.rows(node)
    held = buckets >= 0
    probabilities = np.where(held[:, None], rows[buckets], np.nan)
    return StrategyView(summary, board, probabilities, visited[buckets] & held)
