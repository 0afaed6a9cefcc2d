"""The spot behind a dealt card, against plain products of the strategies on the way."""

import pytest

from holdem.cards.ranges import Range
from holdem.errors import HoldemError
from holdem.realtime.subgame.loop import SolveResult
from holdem.realtime.subgame.nodes.lock import apply_locks
from holdem.realtime.subgame.nodes.view import hand_name
from holdem.realtime.subgame.solution import Solution
from holdem.realtime.subgame.spot import Spot
from holdem.web.solve.estimate import checked_solver
from holdem.web.solve.line_spot import LEAST_WEIGHT
from holdem.web.solve.messages import HandsKind, NextSpotAsked, Plain
from holdem.web.solve.next_spot import next_spot
from tests.realtime.spots import TURN, changed
from tests.web.solve.test_worker import HeardWorker, worker

__all__ = ["worker"]

FLOP = changed(
    TURN,
    board="Ks Qs 7h",
    bet_sizes={"flop": {"bet": "75%", "raise": "a"}, "turn": {"bet": "75%"}, "river": {"bet": "a"}},
)
ROUNDING = 0.5e-4 + 1e-9
"""Weights have four digits."""


def solved(content: Plain, hands: HandsKind = "exact") -> Solution:
    solver = checked_solver(Spot.from_plain(content), hands, 1)
    solver.allocate()
    apply_locks(solver)
    solver.solve(max_iterations=15)
    return Solution(solver, SolveResult(15, 1.0, None, "iterations"))


def expected_weights(solution: Solution, content: Plain, steps: list[tuple[str, str]], dealt: list[str]) -> list[Plain]:
    """By player and hand: the weight at the root times the shares of the own actions on the way, largest 1."""
    found = []
    for player, name in enumerate(("oop", "ip")):
        given = Range.parse(content[f"range_{name}"]).weights
        hands = {hand_name(hand): given[hand] for hand in given.nonzero()[0].tolist()}
        for path, action in steps:
            node = solution.node(path)
            if node.player == player:
                shares = node.strategy[:, node.actions.index(action)]
                played = {hand_name(hand): share for hand, share in zip(node.hands.tolist(), shares, strict=True)}
                hands = {hand: weight * played[hand] for hand, weight in hands.items()}
        taken = {*content["board"].split(), *dealt}
        hands = {hand: weight for hand, weight in hands.items() if not {hand[:2], hand[2:]} & taken}
        found.append({hand: weight / max(hands.values()) for hand, weight in hands.items()})
    return found


@pytest.mark.parametrize(
    ("content", "hands", "steps", "path", "board", "pot", "stack"),
    [
        (TURN, "exact", [("", "Check"), ("check", "Check")], "check, check, 5c", "Ks Qs 7h 4c 5c", 60, 130),
        (TURN, "groups", [("", "Bet(45)"), ("bet 45", "Call")], "bet 45, call, 6d", "Ks Qs 7h 4c 6d", 150, 85),
        (FLOP, "groups", [("", "Check"), ("check", "Check")], "check, check, Ac", "Ks Qs 7h Ac", 60, 130),
        (
            FLOP,
            "exact",
            [
                ("", "Check"),
                ("check", "Bet(45)"),
                ("check, bet 45", "Call"),
                ("check, bet 45, call, 2c", "Check"),
                ("check, bet 45, call, 2c, check", "Check"),
            ],
            "check, bet 45, call, 2c, check, check, Kd",
            "Ks Qs 7h 2c Kd",
            150,
            85,
        ),
    ],
)
def test_ranges_pot_and_stack_behind_a_card(
    content: Plain, hands: HandsKind, steps: list[tuple[str, str]], path: str, board: str, pot: int, stack: int
) -> None:
    solution = solved(content, hands)
    found = next_spot(solution, path)
    assert (found["board"], found["pot"], found["effective_stack"]) == (board, pot, stack)
    assert found["bet_sizes"] == content["bet_sizes"]
    Spot.from_plain(found)
    expected = expected_weights(solution, content, steps, board.split()[3:])
    for name, weights in zip(("oop", "ip"), expected, strict=True):
        shown = Range.parse(found[f"range_{name}"]).weights
        kept = {hand: weight for hand, weight in weights.items() if weight >= LEAST_WEIGHT}
        assert {hand_name(hand) for hand in shown.nonzero()[0].tolist()} == set(kept)
        assert shown.max() == 1
        for hand in shown.nonzero()[0].tolist():
            assert shown[hand] == pytest.approx(kept[hand_name(hand)], abs=ROUNDING)


@pytest.mark.parametrize("hands", ["exact", "groups"])
@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("", "ends without a card"),
        ("check, check", "ends without a card"),
        ("5c", "no card is dealt where 5c is named"),
        ("check, 5c", "no card is dealt where 5c is named"),
        ("check, check, Ks", "Ks is on the board already"),
        ("check, dance, 5c", "neither an action nor a card"),
    ],
)
def test_what_leads_to_no_spot_is_a_sentence(path: str, words: str, hands: HandsKind) -> None:
    with pytest.raises(HoldemError, match=words):
        next_spot(solved(TURN, hands), path)


def test_where_nobody_comes_there_is_no_spot() -> None:
    always = {"node": "", "strategy": {"Check": 1}}
    with pytest.raises(HoldemError, match="never comes here"):
        next_spot(solved({**TURN, "locks": [always]}), "bet 45, call, 5c")


def test_the_worker_tells_it(worker: HeardWorker) -> None:
    (refused,) = worker.ask(NextSpotAsked(type="next_spot", request=4, path="check, check, 5c"))
    assert "nothing is solved yet" in refused["text"]
    worker.start(**TURN)
    (told,) = worker.ask(NextSpotAsked(type="next_spot", request=5, path="check, check, 5c"))
    assert (told["type"], told["request"]) == ("next_spot", 5)
    assert worker.start(**told["spot"])[-1]["type"] == "stopped"
