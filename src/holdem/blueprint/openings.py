"""How often each position raises, calls or folds before the flop where everybody before it folded."""

from dataclasses import dataclass

import numpy as np

from holdem.abstraction.betting.tree import ActionCode, BettingTree, NodeKind
from holdem.blueprint.line_view import view_line
from holdem.policy.policy import AveragePolicy


@dataclass(frozen=True)
class Opening:
    """Shares of the hands that a position holds there, all sizes of raises together."""

    position: str
    raises: float
    calls: float
    folds: float


def openings(policy: AveragePolicy) -> list[Opening]:
    """Of every position that can be first in, in the order of play; none in games without hole pairs or with boards."""
    if policy.config.variant != "holdem" or policy.config.board_cards[0]:
        return []
    return [_opening(policy, node) for node in first_in(policy.tree)]


def first_in(tree: BettingTree) -> list[int]:
    """The decisions before which everybody folded, in the order of play."""
    nodes, left = [], [0]
    while left and tree.kind[left[0]] == NodeKind.DECISION:
        nodes.append(left[0])
        left = [child for child in tree.children(left[0]) if tree.action[child] == ActionCode.FOLD]
    return nodes


def _opening(policy: AveragePolicy, node: int) -> Opening:
    view, codes = view_line(policy, node), policy.tree.action[np.array(policy.tree.children(node))]
    raises, calls, folds = (
        float(view.frequencies()[codes == code].sum()) for code in (ActionCode.RAISE, ActionCode.CALL, ActionCode.FOLD)
    )
    return Opening(view.summary.position, raises, calls, folds)
