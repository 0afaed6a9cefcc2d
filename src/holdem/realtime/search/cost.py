"""What a solve costs: the numbers that an iteration goes through, and the seconds per number on this machine.

Trees are counted before they are built for solving. The cost of an iteration is nearly proportional to the entries of
the exact street (actions × hands), and to three more things where the next street is in groups: hands that go into
groups and back, the entries of the groups, and pairs of hands that are all-in. These are counted as so many entries.
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
from holdem.realtime.subgame.tree import DepthLimit, SubgameNodeKind, TreeBuilder
from holdem.realtime.vector.root import SubgameRoot, street_sizes

NUM_CARDS, RIVER = 52, 3
LEARNING_RATE = 0.2
_SHAPES, _MOST_COUNTED = 4, 20_000
CHOICES = 4
GROUPS = 16
"""Of hands on the street after the one that is searched."""
HAND_TO_GROUP, GROUP_ENTRY, ALL_IN_PAIR = 0.8, 1.2, 0.03
"""What a hand that goes into its group and back (eight lines at once), an action of a group and a pair of all-in hands
cost, in entries of an exact street; measured on turns with all hands."""
Kind = tuple[Depth, int]
"""How far a tree goes, and from which street."""


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
_FIRST_PER_ENTRY = {Depth.END: 6e-9, Depth.GROUPS: 3.5e-9, Depth.LEAVES: 12e-9, Depth.SAMPLED: 2.5e-6}
_FIRST_PER_HAND = {Depth.END: 5e-6, Depth.GROUPS: 7e-6, Depth.LEAVES: 5e-6, Depth.SAMPLED: 1.5e-5}


class TreeCount(NamedTuple):
    """Actions of both players on the street of the root, actions × boards after it, closing lines and all-ins."""

    actions: tuple[int, int]
    later: tuple[int, int]
    lines: int
    all_ins: int

    def entries(self, depth: Depth, hands: tuple[int, int], cards: int) -> int:
        """What an iteration goes through, as entries of an exact street; `cards` may come next."""
        exact = sum(actions * count for actions, count in zip(self.actions, hands, strict=True))
        if depth is not Depth.GROUPS:
            return exact + sum(actions * count for actions, count in zip(self.later, hands, strict=True))
        moved = HAND_TO_GROUP * cards * sum(hands) * padded(self.lines) / 8
        grouped = GROUP_ENTRY * GROUPS * sum(self.later)
        return int(exact + moved + grouped + ALL_IN_PAIR * self.all_ins * hands[0] * hands[1])


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
    state = root.state
    after = street_sizes(later or menu)
    sizes = {state.street: street_sizes(menu)}
    limit = DepthLimit(state.street, 1 - root.player, CHOICES) if depth is Depth.LEAVES else None
    last_street = state.street + 1 if depth is Depth.GROUPS else RIVER
    builder = TreeBuilder(
        root.betting_root(), lambda _, street: sizes.get(street, after), root.moves(), limit, last_street
    )
    actions, following = [0, 0], [0, 0]
    lines = all_ins = 0
    open_nodes = [(builder.build(), 1, len(state.board))]
    while open_nodes:
        node, boards, dealt = open_nodes.pop()
        if node.kind == SubgameNodeKind.DECISION:
            totals = actions if node.street == state.street else following
            totals[node.player] += len(node.moves) * boards
        lines += node.kind == SubgameNodeKind.DEAL and node.street == state.street
        all_ins += node.kind == SubgameNodeKind.ALL_IN and node.street == state.street
        more = NUM_CARDS - dealt if node.kind == SubgameNodeKind.DEAL else 1
        open_nodes.extend((child, boards * more, dealt + (more > 1)) for child in node.children)
    return TreeCount((actions[0], actions[1]), (following[0], following[1]), lines, all_ins)
