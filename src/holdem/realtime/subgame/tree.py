"""The betting tree of a subgame: every line of play from the root to the end, without the cards.

Cards do not change what may be bet, so one tree serves every runout. A betting round that ends with chips behind is
a *deal* node: its subtree is the next street. Totals count chips put in since the pot of the root was in the middle;
`raise_totals` of the bet-size language turns menus into chips, with no cap on raises and no sizes merged.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from enum import IntEnum
from functools import cached_property

from holdem.abstraction.betting.sizes import BetSize, BettingSpot, raise_totals
from holdem.errors import ConfigError
from holdem.realtime.subgame.nodes.moves import CALL, CHECK, FOLD, Move, MoveKind

OOP, IP = 0, 1
RIVER = 3
NODE_LIMIT = 250_000
LINE_LIMIT = 256
"""Actions on one line: more of them are a menu of tiny raises, and not a question that anybody has."""


class SubgameNodeKind(IntEnum):
    """What happens at a node."""

    DECISION = 0
    FOLD = 1
    SHOWDOWN = 2
    ALL_IN = 3
    """Both are all-in before the river: the board is dealt out."""
    DEAL = 4
    """The betting round is over and a card comes."""


@dataclass(frozen=True)
class StreetSizes:
    """Sizes of one player on one street: for the first bet, and for raises by their number (the last serves on)."""

    bet: tuple[BetSize, ...] = ()
    raises: tuple[tuple[BetSize, ...], ...] = ((),)

    def menu(self, number: int) -> tuple[BetSize, ...]:
        """Sizes of the bet or raise that would be the `number`-th of the street, counted from 0."""
        return self.bet if number == 0 else self.raises[min(number, len(self.raises)) - 1]


Sizes = Callable[[int, int], StreetSizes]
"""Sizes of a player (0 is out of position) on a street (1 flop, 2 turn, 3 river)."""


@dataclass(frozen=True)
class Root:
    """The state at the root: chips in the middle, stack behind at the start of the street, bets of this street."""

    street: int
    pot: int
    effective_stack: int
    bets: tuple[int, int] = (0, 0)
    to_act: int = OOP
    min_bet: int = 1


@dataclass(eq=False)
class Node:
    """A node of the tree; `children` in the order of `moves`."""

    kind: SubgameNodeKind
    street: int
    chips_in: tuple[int, int]
    """Totals of both players since the root's pot."""
    player: int = -1
    """Who decides; at a fold, who folded."""
    moves: tuple[Move, ...] = ()
    children: list["Node"] = field(default_factory=list)

    @cached_property
    def actions(self) -> tuple[str, ...]:
        """The labels of the moves."""
        return tuple(map(str, self.moves))

    @property
    def is_action(self) -> bool:
        """Whether a player acts here."""
        return bool(self.moves)


@dataclass(frozen=True)
class _State:
    street: int
    chips_in: tuple[int, int]
    base: int
    player: int
    min_raise: int
    raises: int
    acted: bool
    path: tuple[Move, ...]


class TreeBuilder:
    """Grows the tree of a root; `played` is a line whose own sizes are added, so that no bet really made is rounded.

    After `last_street` hands are shown, whatever is still to be dealt.
    """

    def __init__(self, root: Root, sizes: Sizes, played: tuple[Move, ...] = (), last_street: int = RIVER) -> None:
        self.root = root
        self.sizes = sizes
        self.played = played
        self.last_street = last_street
        self.nodes = 0

    def build(self) -> Node:
        """The root node."""
        root = self.root
        acted = root.bets[0] != root.bets[1] or root.to_act != OOP
        min_raise = max(root.min_bet, abs(root.bets[0] - root.bets[1]))
        state = _State(root.street, root.bets, 0, root.to_act, min_raise, int(max(root.bets) > 0), acted, ())
        return self._grow(state)

    def _grow(self, state: _State) -> Node:
        self.nodes += 1
        if self.nodes > NODE_LIMIT:
            raise too_many_nodes()
        if len(state.path) > LINE_LIMIT:
            raise too_many_actions()
        choices = list(self._choices(state))
        node = Node(SubgameNodeKind.DECISION, state.street, state.chips_in, state.player, tuple(c[0] for c in choices))
        node.children = [self._after(state, *choice) for choice in choices]
        return node

    def _choices(self, state: _State) -> Iterator[tuple[Move, int]]:
        """Moves and the totals that they put in (−1: fold), in the order fold, check or call, bets ascending."""
        mine, theirs = state.chips_in[state.player], state.chips_in[1 - state.player]
        level = max(mine, theirs)
        if theirs > mine:
            yield FOLD, -1
            yield CALL, theirs
        else:
            yield CHECK, mine
        stack = self.root.effective_stack
        menu = self.sizes(state.player, state.street).menu(state.raises)
        own = menu_totals(self.root, menu, state.street, mine, level, state.base, state.min_raise)
        totals = set(own) | self._played_total(state)
        for total in sorted(totals):
            kind = MoveKind.ALL_IN if total == stack else MoveKind.RAISE if theirs > mine else MoveKind.BET
            yield Move(kind, total - state.base), total

    def _played_total(self, state: _State) -> set[int]:
        depth = len(state.path)
        if len(self.played) <= depth or self.played[:depth] != state.path:
            return set()
        move = self.played[depth]
        if not move.raises:
            return set()
        stack = self.root.effective_stack
        total = stack if move.amount is None else min(state.base + move.amount, stack)
        if total <= max(state.chips_in):
            raise ConfigError(f"'{move}' was played where {max(state.chips_in) - state.base} were bet")
        return {total}

    def _after(self, state: _State, move: Move, total: int) -> Node:
        player = state.player
        if total < 0:
            self.nodes += 1
            return Node(SubgameNodeKind.FOLD, state.street, state.chips_in, player)
        chips_in = (total, state.chips_in[1]) if player == OOP else (state.chips_in[0], total)
        path = (*state.path, move)
        if move.raises:
            level = max(state.chips_in)
            min_raise = max(state.min_raise, total - level)
            after = replace(
                state, chips_in=chips_in, player=1 - player, min_raise=min_raise, raises=state.raises + 1,
                acted=True, path=path,
            )  # fmt: skip
            return self._grow(after)
        if not state.acted:
            return self._grow(replace(state, player=1 - player, acted=True, path=path))
        return self._closed(state.street, chips_in, path)

    def _closed(self, street: int, chips_in: tuple[int, int], path: tuple[Move, ...]) -> Node:
        """The end of a betting round."""
        self.nodes += 1
        if street == self.last_street:
            return Node(SubgameNodeKind.SHOWDOWN, street, chips_in)
        if chips_in[0] >= self.root.effective_stack:
            return Node(SubgameNodeKind.ALL_IN, street, chips_in)
        after = _State(street + 1, chips_in, chips_in[0], OOP, self.root.min_bet, 0, False, path)
        return Node(SubgameNodeKind.DEAL, street, chips_in, children=[self._grow(after)])


def menu_totals(
    root: Root, menu: tuple[BetSize, ...], street: int, chips_in: int, level: int, base: int, min_raise: int
) -> list[int]:
    """The totals to which a menu raises, where a player has put in `chips_in` and must put in `level` to stay."""
    spot = BettingSpot(
        level=level,
        street_base=base,
        chips_in=chips_in,
        pot_after_call=root.pot + 2 * level,
        min_raise=min_raise,
        effective_stack=root.effective_stack,
        streets_left=RIVER + 1 - street,
    )
    return raise_totals(menu, spot)


def too_many_nodes() -> ConfigError:
    """The error for a tree that is too large."""
    return ConfigError(f"the betting tree has more than {NODE_LIMIT:,} nodes; give fewer or larger bet sizes")


def too_many_actions() -> ConfigError:
    """The error for a tree whose lines are too long."""
    return ConfigError(f"a line of the betting tree has more than {LINE_LIMIT} actions; give larger bet sizes")
