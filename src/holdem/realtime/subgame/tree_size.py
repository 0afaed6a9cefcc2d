"""How large a betting tree would be, counted without building it.

What follows a state depends on its chips, not on the way to it, so equal states are counted once. A tree of a million
lines with tiny raises is refused in milliseconds, where building it would take a minute.
"""

from typing import NamedTuple

from holdem.realtime.subgame.nodes.moves import Move, MoveKind
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

NO_ACTIONS, NO_LINES = (0,) * 8, (0,) * 4


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
    """Nodes, actions of the longest line, actions at decisions by 2 × street + player, and by street how many lines go
    on to the next one and how many are all-in."""

    nodes: int
    longest: int
    actions: tuple[int, ...]
    lines: tuple[int, ...] = NO_LINES
    all_ins: tuple[int, ...] = NO_LINES

    @property
    def streets(self) -> int:
        """Streets on which somebody decides."""
        return sum(any(self.actions[place : place + 2]) for place in range(0, len(self.actions), 2))

    def add(self, other: "TreeSize", way: int = 1) -> "TreeSize":
        """The size with a subtree that begins `way` actions further on."""
        mine, theirs = (self.actions, self.lines, self.all_ins), (other.actions, other.lines, other.all_ins)
        added = [tuple(a + b for a, b in zip(*both, strict=True)) for both in zip(mine, theirs, strict=True)]
        return TreeSize(self.nodes + other.nodes, max(self.longest, way + other.longest), *added)


END = TreeSize(1, 0, NO_ACTIONS)


def _one(street: int) -> tuple[int, ...]:
    return tuple(int(street == place) for place in range(len(NO_LINES)))


class TreeCounter:
    """Counts the tree of a root, with the sizes that were really bet on the line `played`."""

    def __init__(self, root: Root, sizes: Sizes, played: tuple[Move, ...] = (), last_street: int = RIVER) -> None:
        self.root, self.sizes, self.played, self.last_street = root, sizes, played, last_street
        self._known: dict[_State, TreeSize] = {}

    def count(self) -> TreeSize:
        """The size of the whole tree, or one sentence if it is too large to be built."""
        root, me = self.root, self.root.to_act
        mine, theirs = root.bets[me], root.bets[1 - me]
        min_raise = max(root.min_bet, theirs - mine)
        acted = mine != theirs or me != OOP
        state = _State(root.street, mine, theirs, 0, me, min_raise, int(max(root.bets) > 0), acted)
        return self._count(state, 0, bool(self.played))

    def _count(self, state: _State, depth: int, on_line: bool = False) -> TreeSize:
        if depth > LINE_LIMIT:
            raise too_many_actions()
        if on_line:
            size = self._decision(state, depth, self.played[depth])
        else:
            if state not in self._known:
                self._known[state] = self._decision(state, depth)
            size = self._known[state]
        if size.nodes > NODE_LIMIT:
            raise too_many_nodes()
        if depth + size.longest > LINE_LIMIT:
            raise too_many_actions()
        return size

    def _decision(self, state: _State, depth: int, played: Move | None = None) -> TreeSize:
        facing = state.theirs > state.mine
        level = max(state.mine, state.theirs)
        menu = self.sizes(state.player, state.street).menu(state.raises)
        totals = set(menu_totals(self.root, menu, state.street, state.mine, level, state.base, state.min_raise))
        bet = None if played is None or not played.raises else self._total(state, played)
        if bet is not None:
            totals.add(bet)
        actions = list(NO_ACTIONS)
        actions[2 * state.street + state.player] = (2 if facing else 1) + len(totals)
        size = TreeSize(1, 0, tuple(actions))
        if facing:
            size = size.add(END)
        more = depth + 1 < len(self.played)
        passive = played is not None and bet is None and played.kind is not MoveKind.FOLD
        size = size.add(self._after_call(state, depth + 1, passive and more))
        for total in sorted(totals):
            min_raise = max(state.min_raise, total - level)
            raised = state._replace(
                mine=state.theirs, theirs=total, player=1 - state.player, min_raise=min_raise, raises=state.raises + 1,
                acted=True,
            )  # fmt: skip
            size = size.add(self._count(raised, depth + 1, more and total == bet))
            if size.nodes > NODE_LIMIT:  # a menu of thousands is not counted to its end
                raise too_many_nodes()
        return size

    def _total(self, state: _State, move: Move) -> int:
        stack = self.root.effective_stack
        return stack if move.amount is None else min(state.base + move.amount, stack)

    def _after_call(self, state: _State, depth: int, on_line: bool) -> TreeSize:
        if not state.acted:
            other = state._replace(mine=state.theirs, theirs=state.mine, player=1 - state.player, acted=True)
            return self._count(other, depth, on_line)
        chips = state.theirs
        if state.street == self.last_street:
            return END
        if chips >= self.root.effective_stack:
            return END._replace(all_ins=_one(state.street))
        after = _State(state.street + 1, chips, chips, chips, OOP, self.root.min_bet, 0, False)
        return END._replace(lines=_one(state.street)).add(self._count(after, depth, on_line), 0)


def count_tree(root: Root, sizes: Sizes, played: tuple[Move, ...] = (), last_street: int = RIVER) -> TreeSize:
    """The size of the tree of a root, or a ConfigError if it is larger than trees may be."""
    return TreeCounter(root, sizes, played, last_street).count()
