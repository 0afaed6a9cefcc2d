"""Locked nodes: what is fixed stays fixed, the rest solves against it, and best responses keep to it."""

import time

import numpy as np
import pytest

from holdem.cards import hole_cards
from holdem.errors import HoldemError
from holdem.realtime import solve_subgame
from holdem.realtime.subgame.nodes.lock import check_locks, parse_lock
from holdem.realtime.subgame.nodes.view import hand_name
from holdem.realtime.subgame.solver import SubgameSolver
from holdem.realtime.subgame.spot import Spot
from tests.realtime.spots import RIVER, TURN

FOLDING = {"node": "bet 50", "strategy": {"Fold": 1.0}}


def test_everybody_bets_into_a_player_who_folds() -> None:
    solution = solve_subgame({**RIVER, "locks": [FOLDING]}, max_iterations=300)
    view = solution.node("bet 50")
    assert view.frequencies["Fold"] == pytest.approx(1.0)
    assert solution.node().frequencies["Bet(50)"] > 0.9
    # A bet wins the whole pot; OOP cannot do worse, and the strongest hands do better.
    assert solution.expected_values[0] >= RIVER["pot"] - 1e-3
    assert solution.exploitability_percent < 0.1


def test_a_lock_of_some_hands_leaves_the_others_free() -> None:
    lock = {"node": "bet 50", "hands": {"QQ": {"Fold": 1}}}
    solution = solve_subgame({**RIVER, "locks": [lock]}, target_percent=0.1)
    view = solution.node("bet 50")
    queens = np.array([hand_ranks(hand) == (10, 10) for hand in view.hands])
    fold = view.strategy[:, view.actions.index("Fold")]
    assert queens.sum() == 3
    assert fold[queens] == pytest.approx(1.0)
    assert fold[~queens].min() < 0.01
    assert view.values[queens & (view.weights > 0)] == pytest.approx(0.0, abs=1e-3)


def hand_ranks(hand: int) -> tuple[int, int]:
    low, high = hole_cards(int(hand))
    return low >> 2, high >> 2


def test_a_lock_on_every_card() -> None:
    locks = [{"node": "check, check, *, check", "strategy": {"Check": 1}}]
    solution = solve_subgame({**TURN, "locks": locks}, max_iterations=100)
    for card in ("2c", "As", "9h"):
        assert solution.node(f"check, check, {card}, check").frequencies["Check"] == pytest.approx(1.0)
    assert solution.exploitability_percent < 1.0


def test_a_lock_hand_by_hand_on_every_turn_and_river_is_read_once() -> None:
    """On 49 × 48 boards that took a tenth of a second on a 2-core server in November 2026, and many seconds where its
    300 ranges were read again on each of them."""
    apart = {hand_name(hand): {"Check": 1 + hand, "Bet": 1} for hand in range(300)}
    flop = {"board": "Kc8h5h", "pot": 60, "effective_stack": 900, "range_oop": "random", "range_ip": "random"}
    bets = {street: {"bet": "50%"} for street in ("flop", "turn", "river")}
    locks = [{"node": "check, check, *, check, check, *", "hands": apart}]
    solver = SubgameSolver(Spot.from_plain({**flop, "bet_sizes": bets, "locks": locks}))
    start = time.process_time()
    check_locks(solver)
    assert time.process_time() - start < 2.0


def test_locks_on_the_command_line() -> None:
    assert parse_lock("bet 45: Fold 0.3, all-in 0.7") == {"node": "bet 45", "strategy": {"Fold": 0.3, "all-in": 0.7}}
    assert parse_lock(": check 1")["node"] == ""
    with pytest.raises(HoldemError, match="is not understood; write a path and shares"):
        parse_lock("bet 45")


@pytest.mark.parametrize(
    ("lock", "message"),
    [
        ({"node": "bet 50", "strategy": {"Raise(51)": 1}}, "is not possible here"),
        ({"node": "bet 50", "strategy": {"Fold": -1}}, "the share of 'Fold' is -1"),
        ({"node": "bet 50", "strategy": {"Fold": 0}}, "plays nothing"),
        ({"node": "check, check", "strategy": {"Fold": 1}}, "nobody decides"),
        ({"nodes": "check"}, "is something else"),
        ({"node": "bet 50"}, "fixes nothing; give it a strategy"),
        ({"node": "bet 50", "strategy": "Fold"}, "a locked strategy is actions with shares"),
        ({"node": "bet 50", "strategy": {"": 1}}, "'' is not possible here"),
        ({"node": "bet 50", "strategy": {"Fold": float("nan")}}, "the share of 'Fold' is nan"),
        ({"node": "bet 50", "strategy": {"Fold": float("inf")}}, "the share of 'Fold' is inf"),
        ({"node": "bet 50", "strategy": {"Fold": 1e308, "Call": 1e308}}, "the share of 'Fold' is 1e.308; .* 1,000,000"),
        ({"node": "bet 50", "strategy": {"Fold": 10**400}}, "it must be a number from 0 to 1,000,000"),
        ({"node": "bet 50", "hands": "QQ"}, "the hands of a lock are ranges with strategies"),
        ({"node": "bet 50", "hands": {"QQ": 1}}, "a locked strategy is actions with shares"),
    ],
)
def test_wrong_locks(lock: dict[str, object], message: str) -> None:
    with pytest.raises(HoldemError, match=message):
        solve_subgame({**RIVER, "locks": [lock]}, max_iterations=1)


def test_shares_are_weights() -> None:
    shares = {"Fold": 750_000, "fold": 0, "Call": 250_000}
    solution = solve_subgame({**RIVER, "locks": [{"node": "bet 50", "strategy": shares}]}, max_iterations=1)
    assert np.allclose(solution.node("bet 50").strategy[:, :2], [0.75, 0.25])


def test_locks_need_whole_numbers() -> None:
    with pytest.raises(HoldemError, match="locked nodes need 32-bit tables"):
        solve_subgame({**RIVER, "locks": [FOLDING]}, max_iterations=1, compressed=True)
