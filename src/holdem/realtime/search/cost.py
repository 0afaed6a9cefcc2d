"""What a solve costs: the numbers that an iteration goes through, and the seconds per number on this machine.

Trees are counted before they are built for solving. The cost of an iteration is nearly proportional to the entries of
the exact street (actions × hands), and to three more things where the next street is in groups: hands that go into
groups and back, the entries of the groups, and pairs of hands that are all-in. These are counted as so many entries.
With three players and more, what an iteration costs whatever the tree is counted as so many nodes.
"""

import math
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from holdem.abstraction.betting.reference_tree import minimum_bet
from holdem.realtime.search.ranges import SeatRanges, free_of
from holdem.realtime.search.request import Depth
from holdem.realtime.search.street_solution import Timing
from holdem.realtime.search.street_tree import Menu
from holdem.realtime.subgame.flat_tree import padded
from holdem.realtime.subgame.nodes.moves import MoveKind
from holdem.realtime.subgame.tree_size import count_tree
from holdem.realtime.vector.root import SubgameRoot, street_sizes

NUM_CARDS, RIVER = 52, 3
LEARNING_RATE = 0.2
_SHAPES, _MOST_COUNTED = 4, 20_000
GROUPS = 16
"""Of hands on the street after the one that is searched."""
HAND_TO_GROUP, GROUP_ENTRY, ALL_IN_PAIR, CHECK_DOWN = 0.8, 1.2, 0.03, 8.0
"""What a hand that goes into its group and back (eight lines at once), an action of a group and a pair of all-in hands
cost, in entries of an exact street, and a hand's check-down in units of the first; measured with all hands."""
Kind = tuple[Depth, int, int]
"""How far a tree goes, from which street, and how many players begin it."""
HEADS_UP = 2


@dataclass
class CostModel:
    """Seconds per entry and iteration, seconds of a solve besides its iterations per hand, and seconds of answering.

    The first values are those of a 2-core server; `learn` replaces them by what is measured.
    """

    per_entry: dict[Kind, float] = field(default_factory=dict)
    per_hand: dict[Kind, float] = field(default_factory=dict)
    answering: dict[Kind, float] = field(default_factory=dict)
    """Of the time besides iterations, what comes after the last one."""

    def seconds(self, kind: Kind, entries: int, hands: int, iterations: int) -> float:
        """What a solve is expected to take."""
        return self.before(kind, hands) + iterations * entries * self._entry(kind)

    def before(self, kind: Kind, hands: int) -> float:
        """Seconds besides the iterations."""
        return self.per_hand.get(kind, _FIRST_PER_HAND[kind[0]]) * (hands + FIXED_HANDS)

    def after(self, kind: Kind) -> float:
        """Seconds after the last iteration."""
        return self.answering.get(kind, 0.004)

    def _entry(self, kind: Kind) -> float:
        return self.per_entry.get(kind, _FIRST_PER_ENTRY[kind[0]])

    def learn(
        self, kind: Kind, entries: int, hands: int, iterations: int, timing: Timing, rate: float = LEARNING_RATE
    ) -> None:
        """Take in a solve: seconds before its iterations, of them, and after them; a `rate` of 1 forgets the past."""
        before, running, after = timing
        if not iterations:
            return
        measured = (
            (self.per_entry, self._entry(kind), running / (iterations * entries)),
            (self.answering, self.after(kind), after),
            (self.per_hand, self.before(kind, 0) / FIXED_HANDS, (before + after) / (hands + FIXED_HANDS)),
        )
        for table, known, value in measured:
            table[kind] = known + rate * (value - known)


FIXED_HANDS = 800
"""What a solve costs before its first iteration whatever the ranges are, as hands."""
_FIRST_PER_ENTRY = {Depth.END: 6e-9, Depth.GROUPS: 3e-9, Depth.DRAWN: 4e-9, Depth.THREE: 3.5e-9, Depth.SAMPLED: 6e-7}
_FIRST_PER_HAND = {Depth.END: 5e-6, Depth.GROUPS: 7e-6, Depth.DRAWN: 2e-5, Depth.THREE: 3e-6, Depth.SAMPLED: 1e-5}
DEALING_NODES = {1: 550, 2: 350, 3: 200}
"""What an iteration of a sampled street costs before its tree, as nodes: cards, hands, playouts of leaves."""
CORRECTION_NODES, FIXED_WIDTH = 20, 200
"""The same on an exact river of three, as nodes and as hands: corrections for card removal, calls."""


def sampled_entries(street: int, nodes: int) -> int:
    """What an iteration of a sampled street goes through."""
    return nodes + DEALING_NODES[street]


def three_way_entries(nodes: int, hands: int) -> int:
    """What an iteration of an exact river of three goes through; hands: in any of the three ranges."""
    return (nodes + CORRECTION_NODES) * (hands + FIXED_WIDTH)


class TreeCount(NamedTuple):
    """What an iteration of a tree goes through, by street from that of the root on.

    actions: (player 0, player 1) of a street on one board; lines, all_ins: closing lines and all-ins of a street
    """

    actions: tuple[tuple[int, int], ...]
    lines: tuple[int, ...]
    all_ins: tuple[int, ...]

    def entries(self, depth: Depth, hands: tuple[int, int], cards: int) -> int:
        """As entries of an exact street; `cards` may come next."""
        exact = [sum(a * n for a, n in zip(actions, hands, strict=True)) for actions in self.actions]
        if depth is Depth.END:
            boards = np.cumprod([1, cards, cards - 1])[: len(exact)]
            return int(np.dot(boards, exact))
        pairs = ALL_IN_PAIR * self.all_ins[0] * hands[0] * hands[1]
        if len(exact) == 1:
            return int(exact[0] + pairs)
        if depth is Depth.GROUPS:
            moved = HAND_TO_GROUP * cards * sum(hands) * padded(self.lines[0]) / 8
            return int(exact[0] + pairs + moved + GROUP_ENTRY * GROUPS * cards * sum(self.actions[1]))
        vectors = padded(self.lines[1]) / 8 + CHECK_DOWN * (padded(self.lines[1]) + padded(self.all_ins[1])) / 8
        grouped = GROUP_ENTRY * GROUPS * sum(self.actions[2]) if len(exact) > 2 else 0.0
        return int(exact[0] + pairs + cards * (exact[1] + HAND_TO_GROUP * sum(hands) * vectors + grouped))


_Key = tuple[Menu, Menu | None, Depth, int, int, int, int, tuple[MoveKind, ...]]
_COUNTED: dict[_Key, TreeCount] = {}


def hands_in(root: SubgameRoot, ranges: SeatRanges) -> tuple[int, int]:
    """How many hands both ranges hold on this board."""
    free = free_of(root.state.board)
    first, second = (int(np.count_nonzero(free & (ranges.weights[seat] > 0.0))) for seat in root.seats)
    return first, second


def count_entries(root: SubgameRoot, hands: tuple[int, int], menu: Menu, depth: Depth, later: Menu | None) -> int:
    """What an iteration of the tree of a menu goes through.

    Trees of one smallest bet, about the same depth of stacks and the same kind of line are counted once.
    """
    shape = round(_SHAPES * math.log2(root.effective_stack / root.pot))
    kinds = tuple(move.kind for move in root.moves())
    key = menu, later, depth, root.state.street, root.player, minimum_bet(root.state.config), shape, kinds
    if key not in _COUNTED:
        if len(_COUNTED) >= _MOST_COUNTED:
            _COUNTED.clear()
        _COUNTED[key] = _count(root, menu, depth, later)
    return _COUNTED[key].entries(depth, hands, NUM_CARDS - len(root.state.board))


def _count(root: SubgameRoot, menu: Menu, depth: Depth, later: Menu | None) -> TreeCount:
    street = root.state.street
    after = street_sizes(later or menu)
    sizes = {street: street_sizes(menu)}
    last_street = street + 1 if depth is Depth.GROUPS else RIVER
    size = count_tree(root.betting_root(), lambda _, on: sizes.get(on, after), root.moves(), min(RIVER, last_street))
    streets = range(street, street + size.streets)
    return TreeCount(
        tuple((size.actions[2 * on], size.actions[2 * on + 1]) for on in streets),
        tuple(size.lines[on] for on in streets),
        tuple(size.all_ins[on] for on in streets),
    )
