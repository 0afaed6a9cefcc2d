"""How large a betting tree would be, counted without building it.

What follows a state depends on its chips, not on the way to it, so equal states are counted once. A tree of a million
lines with tiny raises is refused in milliseconds, where building it would take a minute.
"""

from typing import NamedTuple

from holdem.realtime.subgame.tree import (
    LINE_LIMIT,
    NODE_LIMIT,
    OOP,
    RIVER,
    Root,
    Sizes,
    menu_totals,
    too_many_actions,
    too_many_nodes,
)

NO_ACTIONS = (0,) * 8


class _State(NamedTuple):
    street: int
    mine: int
    theirs: int
    base: int
    player: int
    min_raise: int
    raises: int
    acted: bool


class TreeSize(NamedTuple):
    """Nodes, actions of the longest line, and actions at decisions by 2 × street + player."""

    nodes: int
    longest: int
    actions: tuple[int, ...]

    @property
    def streets(self) -> int:
        """Streets on which somebody decides."""
        return sum(any(self.actions[place : place + 2]) for place in range(0, len(self.actions), 2))

    def add(self, other: "TreeSize", way: int = 1) -> "TreeSize":
        """The size with a subtree that begins `way` actions further on."""
        actions = tuple(a + b for a, b in zip(self.actions, other.actions, strict=True))
        return TreeSize(self.nodes + other.nodes, max(self.longest, way + other.longest), actions)


END = TreeSize(1, 0, NO_ACTIONS)


class TreeCounter:
    """Counts the tree of a root; sizes really played are not in it."""

    def __init__(self, root: Root, sizes: Sizes) -> None:
        self.root, self.sizes = root, sizes
        self._known: dict[_State, TreeSize] = {}

    def count(self) -> TreeSize:
        """The size of the whole tree, or one sentence if it is too large to be built."""
        root, me = self.root, self.root.to_act
        mine, theirs = root.bets[me], root.bets[1 - me]
        min_raise = max(root.min_bet, theirs - mine)
        acted = mine != theirs or me != OOP
        state = _State(root.street, mine, theirs, 0, me, min_raise, int(max(root.bets) > 0), acted)
        return self._count(state, 0)

    def _count(self, state: _State, depth: int) -> TreeSize:
        if depth > LINE_LIMIT:
            raise too_many_actions()
        if state not in self._known:
            self._known[state] = self._decision(state, depth)
        size = self._known[state]
        if size.nodes > NODE_LIMIT:
            raise too_many_nodes()
        if depth + size.longest > LINE_LIMIT:
            raise too_many_actions()
        return size

    def _decision(self, state: _State, depth: int) -> TreeSize:
        facing = state.theirs > state.mine
        level = max(state.mine, state.theirs)
        menu = self.sizes(state.player, state.street).menu(state.raises)
        totals = menu_totals(self.root, menu, state.street, state.mine, level, state.base, state.min_raise)
        actions = list(NO_ACTIONS)
        actions[2 * state.street + state.player] = (2 if facing else 1) + len(totals)
        size = TreeSize(1, 0, tuple(actions))
        if facing:
            size = size.add(END)
        size = size.add(self._after_call(state, depth + 1))
        for total in totals:
            min_raise = max(state.min_raise, total - level)
            raised = state._replace(
                mine=state.theirs, theirs=total, player=1 - state.player, min_raise=min_raise, raises=state.raises + 1,
                acted=True,
            )  # fmt: skip
            size = size.add(self._count(raised, depth + 1))
        return size

    def _after_call(self, state: _State, depth: int) -> TreeSize:
        if not state.acted:
            other = state._replace(mine=state.theirs, theirs=state.mine, player=1 - state.player, acted=True)
            return self._count(other, depth)
        chips = state.theirs
        if state.street == RIVER or chips >= self.root.effective_stack:
            return END
        after = _State(state.street + 1, chips, chips, chips, OOP, self.root.min_bet, 0, False)
        return END.add(self._count(after, depth), 0)


def count_tree(root: Root, sizes: Sizes) -> TreeSize:
    """The size of the tree of a root, or a ConfigError if it is larger than trees may be."""
    return TreeCounter(root, sizes).count()
