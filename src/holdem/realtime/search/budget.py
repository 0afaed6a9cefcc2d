"""Which tree to solve in the time there is: the largest whose `min_iters` fit, at the cost measured on this machine.

The cost of an iteration is nearly proportional to the entries that it goes through (actions × hands × boards), and
much more so than to anything known before a tree is built. So trees are counted without being built for solving, and
the seconds per number are measured at the start and again with every solve. With a fixed number of iterations the
measured cost is not used, so that the same question has the same answer on every machine.
"""

import math
from dataclasses import dataclass, field

import numpy as np

from holdem.abstraction.betting.reference_tree import minimum_bet
from holdem.errors import ConfigError
from holdem.game.agent import PublicState
from holdem.realtime.search.ranges import SeatRanges, free_of
from holdem.realtime.search.request import Depth
from holdem.realtime.search.street_solution import Timing
from holdem.realtime.search.street_tree import MENUS, Menu, street_start, street_tree
from holdem.realtime.subgame.nodes.moves import MoveKind
from holdem.realtime.subgame.tree import DepthLimit, SubgameNodeKind, TreeBuilder
from holdem.realtime.vector.root import SubgameRoot, players_at, street_sizes
from holdem.types import BettingConfig

RIVER = 3
_LEARNING_RATE = 0.2
SAFETY = 0.5
"""A tree is taken if its `min_iters` are expected within this share of the time: machines have other things to do."""
_SHAPES, _MOST_COUNTED = 4, 20_000
LATER = Menu("75%, a", "a", 2)
"""Sizes of the streets after the current one."""
CHOICES = 4
_Key = tuple[Menu, Depth, int, int, int, int, tuple[MoveKind, ...]]
_COUNTED: dict[_Key, tuple[int, int]] = {}


@dataclass
class CostModel:
    """Seconds per number and iteration by depth, and seconds of a solve besides its iterations.

    The first values are those of a 2-core server; `learn` replaces them by what is measured.
    """

    per_entry: dict[Depth, float] = field(
        default_factory=lambda: {Depth.END: 6e-9, Depth.LEAVES: 12e-9, Depth.SAMPLED: 2.5e-6}
    )
    per_solve: dict[Depth, float] = field(
        default_factory=lambda: {Depth.END: 0.012, Depth.LEAVES: 0.015, Depth.SAMPLED: 0.012}
    )
    answering: dict[Depth, float] = field(
        default_factory=lambda: {Depth.END: 0.004, Depth.LEAVES: 0.004, Depth.SAMPLED: 0.004}
    )
    """Of `per_solve`, what comes after the last iteration."""

    def seconds(self, depth: Depth, entries: int, iterations: int) -> float:
        """What a solve is expected to take."""
        return self.per_solve[depth] + iterations * entries * self.per_entry[depth]

    def learn(self, depth: Depth, entries: int, iterations: int, timing: Timing, rate: float = _LEARNING_RATE) -> None:
        """Take in a solve: seconds before its iterations, of them, and after them; a `rate` of 1 forgets the past."""
        before, running, after = timing
        if not iterations:
            return
        measured = (
            (self.per_entry, running / (iterations * entries)),
            (self.answering, after),
            (self.per_solve, before + after),
        )
        for table, value in measured:
            table[depth] += rate * (value - table[depth])


@dataclass(frozen=True)
class TreeChoice:
    """A tree to solve, the entries it has, and whether `min_iters` are expected to fit."""

    menu: Menu
    depth: Depth
    entries: int
    fits: bool
    later: Menu | None = None


def choose_vector_tree(
    root: SubgameRoot,
    ranges: SeatRanges,
    cost: CostModel,
    seconds: float,
    iterations: int,
    leaves_of: BettingConfig | None,
) -> TreeChoice:
    """The largest heads-up tree that fits, to the end before depth-limited; the smallest one if none does.

    `leaves_of`: the betting of the blueprint whose leaf values there are.
    """
    hands = hands_in(root, ranges)
    choices = []
    for depth in depths_of(root, leaves_of is not None):
        menus = MENUS if depth is Depth.END or leaves_of is None else leaf_menus(leaves_of, root.state.street)
        choices.append(largest_fitting(root, hands, depth, menus, cost, seconds, iterations))
        if choices[-1].fits:
            break
    return choices[-1]


def leaf_menus(betting: BettingConfig, street: int) -> tuple[Menu, ...]:
    """Menus of a depth-limited tree: the blueprint's own sizes, so that each leaf is one of its own lines."""
    texts = betting.sizes.street(street)
    bets, raises = texts[0], texts[min(1, len(texts) - 1)]
    most = max(1, betting.max_raises[street])
    menus = [Menu(bets, raises, number) for number in range(most, 0, -1)]
    smallest = bets.partition(",")[0]
    return (*menus, Menu(smallest, raises, 1)) if smallest != bets else tuple(menus)


def depths_of(root: SubgameRoot, has_leaves: bool) -> list[Depth]:
    """How far a tree of this street may go, the farthest first."""
    if root.state.street == RIVER or not has_leaves:
        return [Depth.END]
    return [Depth.END, Depth.LEAVES] if root.state.street == RIVER - 1 else [Depth.LEAVES]


def largest_fitting(
    root: SubgameRoot,
    hands: tuple[int, int],
    depth: Depth,
    menus: tuple[Menu, ...],
    cost: CostModel,
    seconds: float,
    iterations: int,
) -> TreeChoice:
    """The largest tree of a depth that fits, or the smallest."""
    chosen: TreeChoice | None = None
    for menu in reversed(menus):
        entries = count_entries(root, hands, menu, depth)
        fits = cost.seconds(depth, entries, iterations) <= SAFETY * seconds
        if chosen is None or fits:
            later = LATER if depth is Depth.END and root.state.street < RIVER else None
            chosen = TreeChoice(menu, depth, entries, fits, later)
        if not fits:
            break
    assert chosen is not None
    return chosen


def hands_in(root: SubgameRoot, ranges: SeatRanges) -> tuple[int, int]:
    """How many hands both ranges hold on this board."""
    free = free_of(root.state.board)
    first, second = (int(np.count_nonzero(free & (ranges.weights[seat] > 0.0))) for seat in root.seats)
    return first, second


def count_entries(root: SubgameRoot, hands: tuple[int, int], menu: Menu, depth: Depth) -> int:
    """Actions × hands × boards of the tree of a menu.

    Trees of one smallest bet, about the same depth of stacks and the same kind of line are counted once.
    """
    shape = round(_SHAPES * math.log2(root.effective_stack / root.pot))
    kinds = tuple(move.kind for move in root.moves())
    key = menu, depth, root.state.street, root.player, minimum_bet(root.state.config), shape, kinds
    if key not in _COUNTED:
        if len(_COUNTED) >= _MOST_COUNTED:
            _COUNTED.clear()
        _COUNTED[key] = _actions_of_players(root, menu, depth)
    return sum(actions * count for actions, count in zip(_COUNTED[key], hands, strict=True))


def _actions_of_players(root: SubgameRoot, menu: Menu, depth: Depth) -> tuple[int, int]:
    """Actions × boards of both players."""
    state = root.state
    sizes = {state.street: street_sizes(menu)}
    limit = DepthLimit(state.street, 1 - root.player, CHOICES) if depth is Depth.LEAVES else None
    later = street_sizes(LATER)
    top = TreeBuilder(root.betting_root(), lambda _, street: sizes.get(street, later), root.moves(), limit).build()
    totals = [0, 0]
    open_nodes = [(top, 1, len(state.board))]
    while open_nodes:
        node, boards, dealt = open_nodes.pop()
        if node.kind == SubgameNodeKind.DECISION:
            totals[node.player] += len(node.moves) * boards
        more = 52 - dealt if node.kind == SubgameNodeKind.DEAL else 1
        open_nodes.extend((child, boards * more, dealt + (more > 1)) for child in node.children)
    return totals[0], totals[1]


def choose_sampled_tree(state: PublicState, cost: CostModel, seconds: float, iterations: int) -> TreeChoice:
    """The largest tree of a street with three to six players that fits, or the smallest."""
    chosen: TreeChoice | None = None
    for menu in reversed(MENUS):
        try:
            entries = street_tree(state, menu).tree.num_nodes
        except ConfigError:  # more nodes than a tree may have
            if chosen is None:
                raise
            break
        fits = cost.seconds(Depth.SAMPLED, entries, iterations) <= SAFETY * seconds
        if chosen is None or fits:
            chosen = TreeChoice(menu, Depth.SAMPLED, entries, fits)
        if not fits:
            break
    assert chosen is not None
    return chosen


def choose_tree(
    state: PublicState,
    ranges: SeatRanges,
    cost: CostModel,
    seconds: float,
    iterations: int,
    leaves_of: BettingConfig | None,
) -> TreeChoice:
    """What to solve at a state."""
    if is_heads_up(state):
        return choose_vector_tree(SubgameRoot.of(state), ranges, cost, seconds, iterations, leaves_of)
    return choose_sampled_tree(state, cost, seconds, iterations)


def is_heads_up(state: PublicState) -> bool:
    """Whether two players entered the street."""
    return len(players_at(street_start(state))) == 2


def depths_at(state: PublicState, has_leaves: bool) -> list[Depth]:
    """The kinds of tree that a state may need."""
    return depths_of(SubgameRoot.of(state), has_leaves) if is_heads_up(state) else [Depth.SAMPLED]


def size_of(state: PublicState, ranges: SeatRanges, menu: Menu, depth: Depth) -> int:
    """The entries of a tree that an iteration's cost is proportional to."""
    if depth is Depth.SAMPLED:
        return street_tree(state, menu).tree.num_nodes
    root = SubgameRoot.of(state)
    return count_entries(root, hands_in(root, ranges), menu, depth)
