"""Which tree to solve in the time there is: the largest whose `min_iters` fit, at the cost measured on this machine.

A river of two or three players is solved to the end. A turn of two is solved to the end if there is much time or the
ranges are small, else with the hands of each river in groups. A flop of two is solved with exact turns and one river
drawn below each of them if that fits, else with the hands of each turn in groups, and rivers checked down. All else is
sampled to the end of the street. With a fixed number of iterations the measured cost is not used, so that the same
question has the same answer on every machine.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from holdem.cards.cards import NUM_HOLE_PAIRS
from holdem.errors import ConfigError
from holdem.game.agent import PublicState
from holdem.realtime.search.cost import (
    GROUPS,
    HEADS_UP,
    CostModel,
    Kind,
    count_entries,
    hands_in,
    sampled_entries,
    three_way_entries,
)
from holdem.realtime.search.ranges import SeatRanges, free_of
from holdem.realtime.search.request import Depth, SolveRequest
from holdem.realtime.search.street_tree import GROUPED_MENUS, MENUS, Menu, example_states, street_start, street_tree
from holdem.realtime.subgame.groups.street import StreetGroups
from holdem.realtime.vector.root import SubgameRoot
from holdem.types import GameConfig

FLOP, TURN, RIVER = 1, 2, 3
SAFETY = {Depth.END: 0.5, Depth.GROUPS: 0.75, Depth.DRAWN: 0.75, Depth.THREE: 0.75, Depth.SAMPLED: 0.75}
"""A tree is taken if its `min_iters` are expected within this share of the time: machines have other things to do."""
LATER = Menu("75%, a", "a", 2)
"""Sizes of the streets after the current one."""
SHORT = Menu("75%", "75%", 1)
"""The same where the smallest tree does not fit otherwise."""
WORTH_EXACT_RIVERS = MENUS[3]
"""A turn is solved to the end if this tree fits; smaller ones lose more by their sizes than groups do."""
MOST_RIVERS, FEWEST_RIVERS, BOARD_SECONDS_PER_HAND = 48, 6, 35e-9
"""Of a flop: rivers below each turn, and what a full board costs per hand to set up (2-core server)."""
SHARE_FOR_BOARDS = 0.15
EXACT_PLAYERS = 3
"""So many on a river are solved exactly."""
EXAMPLE_MENU = MENUS[4]
"""Of streets with three players and more, measured at the start: two sizes and a raise."""
THINNED = {Depth.END: 1, Depth.GROUPS: 1, Depth.DRAWN: 8}
"""One hand in so many is enough to measure what a tree of this depth costs."""


@dataclass(frozen=True)
class TreeChoice:
    """A tree to solve, the entries it has, and whether `min_iters` are expected to fit."""

    menu: Menu
    depth: Depth
    street: int
    entries: int
    hands: int
    fits: bool
    later: Menu | None = None
    grouping: StreetGroups | None = None
    players: int = HEADS_UP

    @property
    def kind(self) -> Kind:
        """What its cost is learnt for."""
        return self.depth, self.street, self.players


def choose_vector_tree(
    root: SubgameRoot,
    ranges: SeatRanges,
    cost: CostModel,
    seconds: float,
    iterations: int,
) -> TreeChoice:
    """The largest heads-up tree that fits, exact if there is time for it; the smallest one if none does."""
    hands = hands_in(root, ranges)
    if root.state.street == RIVER:
        return largest_fitting(root, hands, Depth.END, MENUS, cost, seconds, iterations)
    if root.state.street == TURN:
        menus = MENUS[: MENUS.index(WORTH_EXACT_RIVERS) + 1]
        exact = largest_fitting(root, hands, Depth.END, menus, cost, seconds, iterations)
    else:
        exact = largest_fitting(root, hands, Depth.DRAWN, GROUPED_MENUS, cost, seconds, iterations)
    if exact.fits:
        return exact
    return largest_fitting(root, hands, Depth.GROUPS, GROUPED_MENUS, cost, seconds, iterations)


def depths_of(root: SubgameRoot) -> list[Depth]:
    """How far a tree of this street may go."""
    if root.state.street == RIVER:
        return [Depth.END]
    return [Depth.END, Depth.GROUPS] if root.state.street == TURN else [Depth.DRAWN, Depth.GROUPS]


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
    street = root.state.street
    later = LATER if street < RIVER else None
    for menu in reversed(menus):
        entries = count_entries(root, hands, menu, depth, later)
        fits = cost.seconds((depth, street, HEADS_UP), entries, sum(hands), iterations) <= SAFETY[depth] * seconds
        if chosen is None or fits:
            grouping = grouping_for(depth, rivers_to_draw(sum(hands), seconds))
            chosen = TreeChoice(menu, depth, street, entries, sum(hands), fits, later, grouping)
        if not fits:
            break
    assert chosen is not None
    if not chosen.fits and depth is Depth.GROUPS:
        entries = count_entries(root, hands, chosen.menu, depth, SHORT)
        fits = cost.seconds((depth, street, HEADS_UP), entries, sum(hands), iterations) <= SAFETY[depth] * seconds
        return replace(chosen, entries=entries, fits=fits, later=SHORT)
    return chosen


def grouping_for(depth: Depth, runouts: int) -> StreetGroups | None:
    """What is in groups in trees of a depth."""
    if depth is Depth.GROUPS:
        return StreetGroups(GROUPS, runouts)
    return StreetGroups(GROUPS, runouts, rivers=1) if depth is Depth.DRAWN else None


def rivers_to_draw(hands: int, seconds: float) -> int:
    """How many rivers below each turn of a flop can be set up in a small part of the time, an even number."""
    boards = SHARE_FOR_BOARDS * seconds / (BOARD_SECONDS_PER_HAND * max(1, hands))
    rivers = int(boards * 2 / 49) // 2 * 2
    return max(FEWEST_RIVERS, min(MOST_RIVERS, rivers))


def multiway_choice(state: PublicState, ranges: SeatRanges, menu: Menu, fits: bool = False) -> TreeChoice:
    """The tree of a menu for a street that three to six players begin; a river of three is exact, all else sampled.

    Building it takes longer the more nodes it has, which count as its hands.
    """
    players, street = street_start(state).entered, state.street
    nodes = street_tree(state, menu).tree.num_nodes
    if players == EXACT_PLAYERS and street == RIVER:
        held = (ranges.weights[list(state.live)] > 0.0).any(axis=0)
        hands = int(np.count_nonzero(held & free_of(state.board)))
        entries = three_way_entries(nodes, hands)
        return TreeChoice(menu, Depth.THREE, street, entries, nodes, fits, players=players)
    return TreeChoice(menu, Depth.SAMPLED, street, sampled_entries(street, nodes), nodes, fits, players=players)


def choose_multiway_tree(
    state: PublicState, ranges: SeatRanges, cost: CostModel, seconds: float, iterations: int
) -> TreeChoice:
    """The largest tree of a street with three to six players that fits, or the smallest.

    A sampled tree fits if it gets as many iterations as it has nodes: with fewer, more sizes are more noise.
    """
    chosen: TreeChoice | None = None
    for menu in reversed(MENUS):
        try:
            choice = multiway_choice(state, ranges, menu)
        except ConfigError:  # more nodes than a tree may have
            if chosen is None:
                raise
            break
        wanted = max(iterations, choice.hands) if choice.depth is Depth.SAMPLED and chosen else iterations
        needed = cost.seconds(choice.kind, choice.entries, choice.hands, wanted)
        fits = needed <= SAFETY[choice.depth] * seconds
        if chosen is None or fits:
            chosen = replace(choice, fits=fits)
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
) -> TreeChoice:
    """What to solve at a state."""
    if is_heads_up(state):
        return choose_vector_tree(SubgameRoot.of(state), ranges, cost, seconds, iterations)
    return choose_multiway_tree(state, ranges, cost, seconds, iterations)


def is_heads_up(state: PublicState) -> bool:
    """Whether exactly two players have not folded."""
    return sum(state.live) == 2


def examples(config: GameConfig) -> Iterator[tuple[TreeChoice, SolveRequest]]:
    """The smallest tree of each kind that a game may need: what is compiled and measured at the start."""
    for state in example_states(config):
        ranges = SeatRanges.all_hands(config.num_players).after_board(state.board)
        if not is_heads_up(state):
            choice = multiway_choice(state, ranges, EXAMPLE_MENU, True)
            yield choice, SolveRequest(state, ranges.weights, choice.menu, choice.depth, iterations=1)
            continue
        root = SubgameRoot.of(state)
        for depth in depths_of(root):
            weights = ranges.weights * (np.arange(NUM_HOLE_PAIRS) % THINNED[depth] == 0)
            hands = hands_in(root, SeatRanges(weights))
            later = LATER if state.street < RIVER else None
            entries = count_entries(root, hands, MENUS[-1], depth, later)
            grouping = grouping_for(depth, FEWEST_RIVERS)
            choice = TreeChoice(MENUS[-1], depth, state.street, entries, sum(hands), True, later, grouping)
            yield choice, SolveRequest(state, weights, choice.menu, depth, later, grouping, iterations=1)
