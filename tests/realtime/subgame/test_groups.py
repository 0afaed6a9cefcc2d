"""Turns with groups of hands on every river, beside brute force over pairs of hands and beside the exact solver."""

import itertools
from typing import Any

import numpy as np
import pytest
from phevaluator import evaluate_cards

from holdem.cards import format_card, hole_cards
from holdem.errors import ConfigError
from holdem.realtime.subgame.groups.lifted import exact_exploitability
from holdem.realtime.subgame.groups.rivers import river_groups
from holdem.realtime.subgame.groups.street import StreetGroups
from holdem.realtime.subgame.groups.turns import drawn_pairs, turn_check_downs, turn_groups
from holdem.realtime.subgame.nodes.lock import apply_locks
from holdem.realtime.subgame.solver import SubgameSolver
from tests.realtime.spots import REFERENCE, RIVER, TURN, spot

SIZES = {"turn": {"bet": "75%, a", "raise": "a"}, "river": {"bet": "75%, a", "raise": "a"}}
NO_BLOCKERS: dict[str, Any] = {
    **TURN,
    "range_oop": "AdAh, KhQh, JhTh, 9d8d:0.5",
    "range_ip": "AcKd, 7c7d, 6d5d, 3s3c:0.3",
    "bet_sizes": SIZES,
}
BLOCKERS: dict[str, Any] = {
    **TURN,
    "range_oop": "AA, AK:0.5, KQs, JTs, 99:0.2, 65s",
    "range_ip": "AK, KK:0.7, QQ, JTs, T9s:0.4, 54s, A5s",
    "bet_sizes": SIZES,
}


def rank(hand: int, board: tuple[int, ...]) -> int:
    """Larger is better, by phevaluator."""
    return -int(evaluate_cards(*map(format_card, (*hole_cards(hand), *board))))


@pytest.mark.parametrize("groups", [1, 3, 8, 64])
def test_groups_are_ordered_by_strength_and_payoffs_are_means_over_pairs(groups: int) -> None:
    at = spot(BLOCKERS)
    hands = tuple(np.flatnonzero(weights > 0) for weights in at.ranges)
    weights = tuple(at.ranges[player][hands[player]] for player in (0, 1))
    made = river_groups(at.board, (hands[0], hands[1]), (weights[0], weights[1]), groups)
    count = made.ends.shape[2]
    assert count <= groups
    rivers = [card for card in range(52) if card not in at.board]
    for place in (0, 11, 30, 47):
        board = (*at.board, rivers[place])
        members = [_members(made.order[p, place], made.ends[p, place]) for p in (0, 1)]
        ranks = [[[rank(int(hands[p][h]), board) for h in group] for group in members[p]] for p in (0, 1)]
        both = [ranks[0][g] + ranks[1][g] for g in range(count)]
        filled = [group for group in both if group]
        assert all(max(low) < min(high) for low, high in itertools.pairwise(filled))
        free = [sum(not set(hole_cards(int(h))) & set(board) for h in hands[p]) for p in (0, 1)]
        assert [sum(map(len, members[p])) for p in (0, 1)] == free
        for p in (0, 1):
            for own in range(count):
                for other in range(count):
                    expected = _brute_force(hands, weights, members, ranks, p, own, other)
                    found = made.meet[p, place, other, own], made.win[p, place, other, own]
                    assert found == pytest.approx(expected, abs=1e-6)


def _members(order: Any, ends: Any) -> list[list[int]]:
    starts = [0, *ends.tolist()]
    return [order[a:b].tolist() for a, b in itertools.pairwise(starts)]


def _brute_force(
    hands: Any, weights: Any, members: Any, ranks: Any, p: int, own: int, other: int
) -> tuple[float, float]:
    """Shares of compatible pairs, and wins less losses of player p, of all pairs of two groups."""
    total = meet = win = 0.0
    for i, mine in enumerate(members[p][own]):
        for j, theirs in enumerate(members[1 - p][other]):
            mass = weights[p][mine] * weights[1 - p][theirs]
            total += mass
            if not set(hole_cards(int(hands[p][mine]))) & set(hole_cards(int(hands[1 - p][theirs]))):
                meet += mass
                win += mass * float(np.sign(ranks[p][own][i] - ranks[1 - p][other][j]))
    return (meet / total, win / total) if total else (0.0, 0.0)


def test_without_blockers_and_with_enough_groups_it_is_the_exact_game() -> None:
    at = spot(NO_BLOCKERS)
    grouped = SubgameSolver(at, grouping=StreetGroups(64))
    grouped.solve(max_iterations=400)
    exact = SubgameSolver(at)
    exact.solve(max_iterations=400)
    value = grouped.expected_values()[0]
    # Values of a zero-sum game differ by at most the sum of what both strategies can be exploited for.
    tolerance = 2 * (grouped.exploitability() + exact.exploitability()) + 1e-3
    assert value == pytest.approx(exact.expected_values()[0], abs=tolerance)


@pytest.mark.parametrize("groups", [4, 16])
def test_chips_are_conserved(groups: int) -> None:
    at = spot(BLOCKERS)
    grouped = SubgameSolver(at, grouping=StreetGroups(groups))
    grouped.solve(max_iterations=19)
    won = [float(at.ranges[player] @ grouped.root_values(player)) for player in (0, 1)]
    # 32-bit sums of values of some hundred chips times weights of some dozen hands.
    assert won[0] == pytest.approx(-won[1], rel=1e-4)


def test_sixteen_groups_are_close_to_the_exact_value_of_a_reference_spot() -> None:
    reference = REFERENCE["PT1"]
    grouped = SubgameSolver(spot(reference), grouping=StreetGroups(16))
    grouped.solve(max_iterations=200)
    value = grouped.expected_values()[0]
    # Groups change the game a little: 0.3 % of the pot is three times what sixteen of them cost on random turns.
    assert value == pytest.approx(reference["reference"]["ev_oop"], abs=0.003 * reference["pot"])


def test_a_river_has_no_street_for_groups() -> None:
    with pytest.raises(ConfigError, match="groups of hands are for the streets after a flop or a turn"):
        SubgameSolver(spot(RIVER), grouping=StreetGroups(16))


def test_the_estimate_is_from_above() -> None:
    solver = SubgameSolver(spot(BLOCKERS), grouping=StreetGroups(16))
    estimate = solver.estimate()
    tables = solver.workspace.storage
    allocated = tables.regrets.nbytes + tables.averages.nbytes
    assert estimate.storage_bytes / 2 <= allocated <= estimate.storage_bytes


FLOP_WITHOUT_RIVER_BETS: dict[str, Any] = {
    "board": "Ks 9d 4h",
    "pot": 60,
    "effective_stack": 200,
    "range_oop": "AhAd, QcJc, 9h8h:0.5, 7s6s, 5c5d",
    "range_ip": "AcKc, QdTd, JhTh, 8c8d:0.7, 3s2s",
    "bet_sizes": {"flop": {"bet": "75%, a", "raise": "a"}, "turn": {"bet": "75%, a", "raise": "a"}},
}


@pytest.mark.parametrize("rivers", [4, 10, 48])
def test_drawn_rivers_are_below_every_turn_alike(rivers: int) -> None:
    pairs = drawn_pairs((3, 17, 40), rivers)
    assert len({frozenset(pair) for pair in pairs.tolist()}) == len(pairs) == 49 * rivers // 2
    assert np.bincount(pairs.ravel()).tolist() == [rivers] * 49


def test_odd_numbers_of_rivers_are_refused() -> None:
    with pytest.raises(ConfigError, match="an even number from 4 to 48"):
        drawn_pairs((3, 17, 40), 5)


def test_groups_of_turns_win_from_each_other_what_pairs_of_hands_do() -> None:
    """Every river below a turn, every pair of hands, by phevaluator."""
    at = spot(FLOP_WITHOUT_RIVER_BETS)
    hands = tuple(np.flatnonzero(weights > 0) for weights in at.ranges)
    weights = tuple(at.ranges[player][hands[player]] for player in (0, 1))
    made = turn_groups(at.board, drawn_pairs(at.board, 48), (hands[0], hands[1]), (weights[0], weights[1]), 4)
    deck = [card for card in range(52) if card not in at.board]
    for place in (2, 30):
        members = [_members(made.order[p, place], made.ends[p, place]) for p in (0, 1)]
        for own, other in itertools.product(range(made.ends.shape[2]), repeat=2):
            won = total = 0.0
            for h, o in itertools.product(members[0][own], members[1][other]):
                mine, theirs = int(hands[0][h]), int(hands[1][o])
                mass = weights[0][h] * weights[1][o]
                total += mass
                taken = {*hole_cards(mine), *hole_cards(theirs), deck[place]}
                if len(taken) == 5:
                    rivers = [card for card in deck if card not in taken]
                    boards = [(*at.board, deck[place], card) for card in rivers]
                    won += mass * float(np.mean([np.sign(rank(mine, b) - rank(theirs, b)) for b in boards]))
            expected = won / total if total else 0.0
            assert made.win[0, place, other, own] == pytest.approx(expected, abs=1e-5)
            assert made.win[1, place, own, other] == pytest.approx(-expected, abs=1e-5)


def test_a_flop_with_a_group_for_each_hand_is_the_exact_game() -> None:
    """Without bets on the river the exact solver checks it down, too."""
    at = spot(FLOP_WITHOUT_RIVER_BETS)
    grouped, exact = SubgameSolver(at, grouping=StreetGroups(64)), SubgameSolver(at)
    for solver in (grouped, exact):
        solver.solve(max_iterations=300)
    # Hands that share a card with some of a group's opponents and not with others cost a little; see the table above.
    tolerance = 2 * (grouped.exploitability() + exact.exploitability()) + 0.002 * at.pot
    assert grouped.expected_values()[0] == pytest.approx(exact.expected_values()[0], abs=tolerance)


def test_a_flop_conserves_chips() -> None:
    at = spot(FLOP_WITHOUT_RIVER_BETS)
    grouped = SubgameSolver(at, grouping=StreetGroups(4, 6))
    grouped.solve(max_iterations=19)
    won = [float(at.ranges[player] @ grouped.root_values(player)) for player in (0, 1)]
    assert won[0] == pytest.approx(-won[1], rel=1e-4)


FLOP_WITH_RIVER_BETS: dict[str, Any] = {
    **FLOP_WITHOUT_RIVER_BETS,
    "bet_sizes": {street: {"bet": "75%", "raise": "a"} for street in ("flop", "turn", "river")},
}


def test_hands_win_from_groups_by_checking_down_what_they_win_from_their_hands() -> None:
    """Every river below a turn, every pair of hands, by phevaluator."""
    at = spot(FLOP_WITHOUT_RIVER_BETS)
    hands = tuple(np.flatnonzero(weights > 0) for weights in at.ranges)
    weights = tuple(at.ranges[player][hands[player]] for player in (0, 1))
    deck = [card for card in range(52) if card not in at.board]
    turns = [deck[5], deck[40]]
    both = (hands[0], hands[1]), (weights[0], weights[1])
    downs = turn_check_downs(at.board, drawn_pairs(at.board, 48), turns, *both, 3, np.ones(1, dtype=np.float32))
    for place, turn in enumerate(turns):
        members = _members(downs.order[1, place], downs.ends[1, place])
        for h, mine in enumerate(hands[0]):
            for group, theirs in enumerate(members):
                if turn in hole_cards(int(mine)):
                    continue
                won = [weights[1][o] * _checked_down(int(mine), int(hands[1][o]), (*at.board, turn)) for o in theirs]
                total = sum(weights[1][o] for o in theirs)
                expected = sum(won) / total if total else 0.0
                assert downs.shares[0, place, h, group] == pytest.approx(expected, abs=1e-5)


def _checked_down(mine: int, theirs: int, turn: tuple[int, ...]) -> float:
    """Wins less losses over all rivers; 0 for hands that cannot meet."""
    taken = {*hole_cards(mine), *hole_cards(theirs), *turn}
    if len(taken) < len(turn) + 4:
        return 0.0
    boards = [(*turn, card) for card in range(52) if card not in taken]
    return float(np.mean([np.sign(rank(mine, b) - rank(theirs, b)) for b in boards]))


@pytest.mark.long
def test_a_flop_with_all_rivers_and_a_group_for_each_hand_is_the_exact_game() -> None:
    at = spot(FLOP_WITH_RIVER_BETS)
    grouped, exact = SubgameSolver(at, grouping=StreetGroups(64, rivers=48)), SubgameSolver(at)
    for solver in (grouped, exact):
        solver.solve(max_iterations=200)
    # As above; a few hands share cards here.
    tolerance = 2 * (grouped.exploitability() + exact.exploitability()) + 0.004 * at.pot
    assert grouped.expected_values()[0] == pytest.approx(exact.expected_values()[0], abs=tolerance)


@pytest.mark.parametrize("rivers", [1, 3])
def test_a_flop_with_drawn_rivers_conserves_chips(rivers: int) -> None:
    at = spot(FLOP_WITH_RIVER_BETS)
    grouped = SubgameSolver(at, grouping=StreetGroups(4, rivers=rivers))
    grouped.solve(max_iterations=19)
    won = [float(at.ranges[player] @ grouped.root_values(player)) for player in (0, 1)]
    weight = at.ranges[0].sum() * at.ranges[1].sum()
    assert won[0] == pytest.approx(-won[1], abs=0.002 * at.pot * weight)


@pytest.mark.parametrize(
    ("content", "grouping"),
    [
        (BLOCKERS, StreetGroups(8)),
        (FLOP_WITH_RIVER_BETS, StreetGroups(8, 6)),
        (FLOP_WITH_RIVER_BETS, StreetGroups(8, rivers=1)),
    ],
)
@pytest.mark.parametrize("threads", [2, 3])
def test_threads_share_the_cards(content: dict[str, Any], grouping: StreetGroups, threads: int) -> None:
    alone, together = (SubgameSolver(spot(content), grouping=grouping, threads=count) for count in (1, threads))
    for player in (0, 1):
        values = alone.root_values(player)
        assert together.root_values(player) == pytest.approx(values, abs=1e-5 * np.abs(values).max())
    after = alone.values_after_cards(1)
    assert together.values_after_cards(1) == pytest.approx(after, abs=1e-5 * float(np.abs(after).max()))
    # Rounding decides where actions are worth the same, so that strategies differ soon; values do not.
    for solver in (alone, together):
        solver.solve(max_iterations=100)
    tolerance = 2 * (alone.exploitability() + together.exploitability())
    assert together.expected_values()[0] == pytest.approx(alone.expected_values()[0], abs=tolerance)


def test_what_a_grouped_turn_loses_in_the_real_game() -> None:
    """With a group for each hand it is what the grouped game says; with two groups it is more."""
    fine = SubgameSolver(spot(NO_BLOCKERS), grouping=StreetGroups(64))
    fine.solve(max_iterations=100)
    exact = exact_exploitability(fine)
    assert exact is not None and exact == pytest.approx(fine.exploitability(), abs=0.002 * fine.spot.pot)
    coarse = SubgameSolver(spot(BLOCKERS), grouping=StreetGroups(2))
    coarse.solve(max_iterations=100)
    lost = exact_exploitability(coarse)
    assert lost is not None and lost > 2 * coarse.exploitability()


def test_what_a_grouped_turn_loses_keeps_to_its_locks() -> None:
    """OOP has to bet with hands that would rather check: a best response without the lock wins a fifth of the pot."""
    locks = [{"node": "", "strategy": {"Bet(75)": 1}}]
    grouped = SubgameSolver(spot(NO_BLOCKERS, locks=locks, pot=100), grouping=StreetGroups(64))
    apply_locks(grouped.allocate())
    grouped.solve(max_iterations=100)
    lost = exact_exploitability(grouped)
    assert lost is not None and lost == pytest.approx(grouped.exploitability(), abs=0.002 * grouped.spot.pot)


def test_a_flop_has_no_exact_figure() -> None:
    solver = SubgameSolver(spot(FLOP_WITH_RIVER_BETS), grouping=StreetGroups(4, rivers=1))
    solver.solve(max_iterations=2)
    assert exact_exploitability(solver) is None
