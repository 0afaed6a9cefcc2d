"""What hands get after each card: against the values that a solver says itself, and against exact next streets."""

import itertools
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from holdem.cards import hole_cards
from holdem.realtime.subgame.groups.street import StreetGroups
from holdem.realtime.subgame.kernels.traversal import BEST
from holdem.realtime.subgame.nodes.moves import Move
from holdem.realtime.subgame.nodes.path import Place, find_line
from holdem.realtime.subgame.solver import SubgameSolver
from holdem.realtime.subgame.tree import SubgameNodeKind
from tests.realtime.spots import TURN, spot

NO_BETS: dict[str, Any] = {
    "board": "Ks 9d 4h",
    "pot": 60,
    "effective_stack": 200,
    "range_oop": "AA, QJs, 98s:0.5, 76s, 55",
    "range_ip": "AK, QTs, JTs, 88:0.7, 33",
    "bet_sizes": {"turn": {"bet": "75%", "raise": "a"}, "river": {"bet": "75%", "raise": "a"}},
}
"""A flop that is checked through: one closing line, whose value is that of the root."""


@pytest.mark.parametrize("grouping", [None, StreetGroups(8, rivers=1), StreetGroups(8, 6)])
@pytest.mark.parametrize("player", [0, 1])
def test_the_mean_over_cards_is_the_value_of_the_line(grouping: StreetGroups | None, player: int) -> None:
    solver = SubgameSolver(spot(NO_BETS), grouping=grouping)
    solver.solve(max_iterations=30)
    values = solver.values_after_cards(player)
    at_root = solver.root_values(player, BEST)[solver.hands[player]]
    # 52 cards less the flop and both hands; a card that a hand holds is worth nothing to it.
    assert values.shape[0] == 49 and values.shape[2] == 1
    assert values[:, :, 0].sum(axis=0) / 45 == pytest.approx(at_root, rel=1e-4, abs=1e-3 * np.abs(at_root).max())


def test_groups_promise_about_what_exact_rivers_do() -> None:
    content = {**TURN, "bet_sizes": {"turn": {"bet": "75%", "raise": "a"}, "river": {"bet": "75%", "raise": "a"}}}
    exact, grouped = SubgameSolver(spot(content)), SubgameSolver(spot(content), grouping=StreetGroups(64))
    for solver in (exact, grouped):
        solver.solve(max_iterations=200)
    first, second = exact.values_after_cards(1), grouped.values_after_cards(1)
    assert first.shape == second.shape
    closing = [node for node in exact.tree.nodes if node.kind == SubgameNodeKind.DEAL]
    assert len(closing) == first.shape[2]
    # Both are near an equilibrium: values are unique there, each hand's within what either can still be exploited for.
    weights = exact.spot.ranges[1][exact.hands[1]]
    means = [np.einsum("chl,h->l", values, weights) for values in (first, second)]
    scale = 44 * exact.spot.pot * weights.sum() * exact.spot.ranges[0].sum()
    assert means[0] / scale == pytest.approx(means[1] / scale, abs=0.03)


ONE_SIZE = {"bet": "75%, a", "raise": "a"}
TURN_WITHOUT_BLOCKERS: dict[str, Any] = {
    **TURN,
    "range_oop": "AdAh, KhQh, JhTh, 9d8d:0.5",
    "range_ip": "AcKd, 7c7d, 6d5d, 3s3c:0.3",
    "bet_sizes": {"turn": ONE_SIZE, "river": ONE_SIZE},
}
FLOP_WITHOUT_BLOCKERS: dict[str, Any] = {
    **NO_BETS,
    "range_oop": "AhAd, QcJc, 9h8h:0.5, 7s6s",
    "range_ip": "AcKc, QdTd, JhTh, 8c8d:0.7, 3s2s",
    "bet_sizes": {"flop": ONE_SIZE, "turn": ONE_SIZE},
}
"""Without bets on the river, as groups on the turn have it."""


@pytest.mark.parametrize("grouping", [None, StreetGroups(64)], ids=["exact", "groups"])
@pytest.mark.parametrize("content", [TURN_WITHOUT_BLOCKERS, FLOP_WITHOUT_BLOCKERS], ids=["turn", "flop"])
def test_they_are_best_responses_of_the_exact_next_street(
    content: dict[str, Any], grouping: StreetGroups | None
) -> None:
    """Before the first iteration everybody plays all actions alike, so both streets have the same strategies."""
    at = spot(content)
    solver = SubgameSolver(at, grouping=grouping).allocate()
    values = solver.values_after_cards(1)
    deck = [card for card in range(52) if card not in at.board]
    arrays, nodes = solver.tree.arrays, solver.tree.nodes
    closing = arrays.deals[: arrays.deal_start[1]].tolist()
    assert values.shape == (len(deck), len(solver.hands[1]), len(closing))
    for (line, number), place in itertools.product(closing_lines(solver), (0, 9, 25, len(deck) - 1)):
        chips = nodes[number].chips_in[0]
        # The own range as it comes there: a share of each hand for each decision on the way.
        share = np.prod([1.0 / len(nodes[n].moves) for n, _, _, _ in line.steps if nodes[n].player == 0])
        blocked = np.array([deck[place] in hole_cards(hand) for hand in range(1326)])
        first, second = (np.where(blocked, 0.0, own) for own in at.ranges)
        after = replace(
            at,
            board=(*at.board, deck[place]),
            pot=at.pot + 2 * chips,
            effective_stack=at.effective_stack - chips,
            ranges=(first, second),
            played=(),
        )
        scale = share * first.max()  # a spot's ranges have a largest weight of 1
        exact = scale * SubgameSolver(after).root_values(1, BEST)[solver.hands[1]]
        # Single precision: sums of a few hands' values, each of at most half of the pot and a stack.
        tolerance = 1e-5 * first.sum() * (at.pot + at.effective_stack)
        assert values[place, :, closing.index(number)] == pytest.approx(exact, abs=tolerance)


def closing_lines(solver: SubgameSolver) -> list[tuple[Place, int]]:
    """Places where the first street ends and a card comes, with the numbers of their nodes."""
    found: list[tuple[Place, int]] = []
    open_lines: list[tuple[Move, ...]] = [()]
    deals = set(solver.tree.arrays.deals[: solver.tree.arrays.deal_start[1]].tolist())
    while open_lines:
        line = open_lines.pop()
        place = find_line(solver.tree, line)
        if place.node in deals:
            found.append((place, place.node))
        elif solver.tree.nodes[place.node].is_action:
            open_lines.extend((*line, move) for move in solver.tree.nodes[place.node].moves)
    assert len(found) == len(deals)
    return found


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("content", [TURN, {**FLOP_WITHOUT_BLOCKERS, "range_ip": "AK, 88:0.7"}], ids=["turn", "flop"])
def test_they_add_up_to_the_value_of_every_line(content: dict[str, Any], player: int) -> None:
    """A best response gets at a line what it gets after each card, times the chance of the card."""
    grouped = SubgameSolver(spot(content), grouping=StreetGroups(8, 8))
    grouped.solve(max_iterations=30)
    values = grouped.values_after_cards(player)
    # A pair of hands blocks four cards of those that are left.
    chance = 1.0 / (52 - len(grouped.spot.board) - 4)
    space, arrays = grouped.workspace, grouped.tree.arrays
    for line, number in enumerate(arrays.deals[: arrays.deal_start[1]].tolist()):
        assert chance * values[:, :, line].sum(axis=0) == pytest.approx(
            space.values(player, number), rel=1e-4, abs=1e-2
        )
    deck = [card for card in range(52) if card not in grouped.spot.board]
    for place, card in enumerate(deck):
        held = np.array([card in hole_cards(int(hand)) for hand in grouped.hands[player]])
        assert not values[place, held].any(), "a card that a hand holds cannot come"
