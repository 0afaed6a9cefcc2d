"""A street's tree beside the blueprint's: which of the blueprint's nodes each node here stands for.

Both trees are walked side by side: the same folds and calls, and for a bet the blueprint's nearest size in shares of
the pot. A line that the blueprint does not have ends the match.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from holdem.abstraction.betting.tree import ActionCode, NodeKind
from holdem.blueprint.agent import BlueprintAgent
from holdem.blueprint.walk import HistoryWalk
from holdem.game.agent import PublicState
from holdem.realtime.search.history import past_decisions

Place = TypeVar("Place")
"""A node of the tree here, as that tree names it."""


def street_root_in(blueprint: BlueprintAgent, state: PublicState) -> int | None:
    """The blueprint's most likely node for the start of the current street; None if it has none."""
    decisions = [past for past, _ in past_decisions(state) if past.street == state.street]
    shares = blueprint.node_probabilities(decisions[0] if decisions else state)
    return max(shares, key=lambda pair: pair[1])[0] if shares else None


def match_trees(
    top: Place, street_root: int | None, children: Callable[[Place, int], Iterable[tuple[Place, int | None]]]
) -> Iterator[tuple[Place, int]]:
    """All nodes here with the blueprint's node for each; `children` lists the children of a node here in this way."""
    open_nodes = [] if street_root is None else [(top, street_root)]
    while open_nodes:
        here, there = open_nodes.pop()
        yield here, there
        open_nodes.extend((child, match) for child, match in children(here, there) if match is not None)


def matching_child(
    walk: HistoryWalk, there: int, player: int, street: int, code: ActionCode | int, size: float
) -> int | None:
    """The blueprint's node after an action like this one; `size`: what a raise adds to a call, in pots after that call.

    None if the blueprint has another player to act at `there`, or no such action.
    """
    if walk.tree.kind[there] != NodeKind.DECISION:
        return None
    decision = walk.decision(there)
    if decision.player != player or decision.street != street:
        return None
    if code != ActionCode.RAISE:
        return decision.fold if code == ActionCode.FOLD else decision.call
    return min(decision.raises, key=lambda bet: abs(bet.size - size)).child if decision.raises else None
