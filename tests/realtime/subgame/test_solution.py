"""Asking a solve: nodes agree with their parents and with the whole, on boards of every class of suits."""

import numpy as np
import pytest

from holdem.cards import hole_index, parse_cards
from holdem.cards.cards import HOLE_CARDS
from holdem.errors import HoldemError
from holdem.realtime import solve_subgame
from holdem.realtime.subgame.nodes.path import parse_path
from holdem.realtime.subgame.nodes.picture import range_view
from holdem.realtime.subgame.solution import Solution
from tests.realtime.spots import FLOP, RIVER, TURN


@pytest.fixture(scope="module")
def river() -> Solution:
    return solve_subgame(RIVER, target_percent=0.05)


@pytest.fixture(scope="module")
def turn() -> Solution:
    return solve_subgame(TURN, target_percent=0.5)


def test_the_root_is_the_whole(river: Solution) -> None:
    root = river.node()
    assert root.expected_value == pytest.approx(river.expected_values[0], abs=1e-3)
    assert sum(root.frequencies.values()) == pytest.approx(1.0)
    assert root.values == pytest.approx((root.strategy * root.action_values).sum(axis=1))


def test_an_action_is_worth_what_its_node_is_worth(river: Solution) -> None:
    """EV of IP after the bet and EV of OOP's bet: together the pot, over the hands that bet."""
    root, after = river.node(), river.node("bet 50")
    betting = root.weights * root.strategy[:, root.actions.index("Bet(50)")]
    mean = betting @ root.action_values[:, root.actions.index("Bet(50)")] / betting.sum()
    assert mean == pytest.approx(root.mean_action_values["Bet(50)"])
    assert mean + after.expected_value == pytest.approx(RIVER["pot"], abs=1e-2)


def test_folding_is_worth_what_was_put_in(river: Solution) -> None:
    view = river.node("bet 50, raise 125")
    assert view.action_values[view.weights > 0, view.actions.index("Fold")] == pytest.approx(-50.0, abs=1e-3)
    assert view.pot == 100 + 50 + 125


def test_a_deal_is_the_mean_over_its_cards(turn: Solution) -> None:
    """EV of OOP over check-check on the turn, card by card, is what the turn said about it."""
    before = turn.node("check")
    checked = before.weights * before.strategy[:, before.actions.index("Check")]
    ip = float(checked @ before.action_values[:, before.actions.index("Check")] / checked.sum())
    total = weight = 0.0
    for card in range(52):
        if card not in turn.spot.board:
            name = "23456789TJQKA"[card >> 2] + "cdhs"[card & 3]
            view = turn.node(("Check", "Check", name))
            if view.weights.sum() > 0:
                total += view.weights.sum() * view.expected_value
                weight += view.weights.sum()
    assert total / weight == pytest.approx(TURN["pot"] - ip, abs=1e-2)


def test_cards_of_one_class_have_renamed_strategies() -> None:
    """On a monotone spade flop the other suits are alike: 2c and 2h turns differ by renaming clubs and hearts."""
    solution = solve_subgame(FLOP, max_iterations=20)
    clubs, hearts = solution.node("check, check, 2c"), solution.node("check, check, 2h")
    rows = dict(zip(hearts.hands.tolist(), zip(hearts.strategy, hearts.values, strict=True), strict=True))
    swap = {0: 2, 2: 0, 1: 1, 3: 3}
    compared = 0
    for hand, strategy, value, weight in zip(clubs.hands, clubs.strategy, clubs.values, clubs.weights, strict=True):
        low, high = ((int(card) & ~3) | swap[int(card) & 3] for card in HOLE_CARDS[hand])
        if weight > 0:
            other, other_value = rows[hole_index(low, high)]
            assert other == pytest.approx(strategy, abs=1e-6)
            assert other_value == pytest.approx(value, abs=1e-3)
            compared += 1
    assert compared == 6  # all pairs of aces: 2c blocks none of them


def test_blocked_hands_do_not_come_to_a_node(turn: Solution) -> None:
    view = turn.node("check, check, Ad")
    blocked = np.isin(HOLE_CARDS[view.hands], parse_cards("Ad")).any(axis=1)
    assert blocked.any()
    assert not view.weights[blocked].any()
    assert view.weights[~blocked].any()


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("bet 51", r"'Bet\(51\)' is not possible here; the actions are Check, Bet\(50\), AllIn\(250\)"),
        ("jump", "'jump' is neither an action nor a card"),
        ("check, check", "the hand is over there"),
        ("check, check, bet 5", "the hand is over before"),
        ("raise", "'Raise' is not possible here"),
    ],
)
def test_a_wrong_path_says_what_was_possible(river: Solution, path: str, message: str) -> None:
    with pytest.raises(HoldemError, match=message):
        river.node(path)


def test_wrong_cards_in_a_path(turn: Solution) -> None:
    with pytest.raises(HoldemError, match="add the card that is dealt"):
        turn.node("check, check")
    with pytest.raises(HoldemError, match="Ks is on the board already"):
        turn.node("check, check, Ks")
    with pytest.raises(HoldemError, match=r"a card is dealt before 'Check'"):
        turn.node("check, check, check")


def test_actions_by_their_short_names(river: Solution) -> None:
    assert parse_path("Bet(50), all-in, call") == ("Bet(50)", "AllIn", "Call")
    for name in ("all-in", "allin 250", "bet 250", "AllIn(250)"):
        assert river.node(name).pot == 350


def test_a_picture_shows_the_frequencies_of_the_range(river: Solution) -> None:
    node = river.node()
    view = range_view(node)
    assert view.frequencies() == pytest.approx(list(node.frequencies.values()))
    assert view.summary.actions == ("check", "bet 50", "all-in 250")
    assert view.class_sizes().sum() == pytest.approx(node.weights.sum())
