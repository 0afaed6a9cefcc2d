"""One node: the figures of `holdem solve`, equities by brute force, and shares that add up."""

import json
from itertools import combinations
from pathlib import Path

import numpy as np
import phevaluator
import pytest

from holdem.cards.cards import HOLE_CARDS, format_card, hole_index, parse_cards
from holdem.cards.ranges import Range
from holdem.realtime import solve_subgame
from holdem.realtime.search.street_solution import LEAST_FREQUENCY
from holdem.realtime.subgame.files import save_solution
from holdem.realtime.subgame.nodes.path import find_decision, parse_path
from holdem.realtime.subgame.solution import Solution
from holdem.web.solve.node_data import node_data
from tests.cli.runs import Run
from tests.realtime.spots import REFERENCE, RIVER, TURN
from tests.web.pages import Message

PATHS = {"PR1": ["", "check", "check, bet 45", "bet 45, raise 153"], "small turn": ["", "check, check, As, check"]}
STREETS = {
    "small turn": TURN,
    "PR1": REFERENCE["PR1"],
    "flop": {**TURN, "board": "Ks Qs 7h", "bet_sizes": {"flop": {"bet": "50%"}}},
}


@pytest.fixture(scope="module")
def solved() -> dict[str, Solution]:
    return {name: solve_subgame(spot, target_percent=0.5) for name, spot in STREETS.items()}


@pytest.mark.parametrize(("name", "path"), [(name, path) for name, paths in PATHS.items() for path in paths])
def test_the_figures_of_the_command_line(
    solved: dict[str, Solution], name: str, path: str, tmp_path: Path, run: Run
) -> None:
    save_solution(solved[name], tmp_path / "saved.solve")
    out = tmp_path / "out.json"
    assert run("solve", tmp_path / "saved.solve", "--node", path, "--hands", "random", "--out", out).status == 0
    told = json.loads(out.read_text(encoding="utf-8"))["node"]
    shown = node_data(solved[name], path)
    assert shown["player"] == told["player"]
    assert (" ".join(shown["board"]), shown["pot"]) == (told["board"], told["pot"])
    player = ("oop", "ip").index(told["player"])
    assert shown["ev"][player] == pytest.approx(told["ev"], abs=1e-3)
    assert sum(shown["ev"]) == pytest.approx(solved[name].spot.pot, abs=2e-3)
    for action in shown["actions"]:
        assert action["frequency"] == pytest.approx(told["frequencies"][action["label"]], abs=1e-4)
        if told["frequencies"][action["label"]] < LEAST_FREQUENCY:
            assert action["ev"] is None
        else:
            assert action["ev"] == pytest.approx(told["ev_of_actions"][action["label"]], abs=1e-3)
    for hand in (one for hands in shown["hands"].values() for one in hands):
        figures = told["hands"][hand["cards"]]
        assert hand["shares"] == pytest.approx(list(figures["strategy"].values()), abs=1e-4)
        assert hand["evs"] == pytest.approx(list(figures["action_ev"].values()), abs=1e-3)
        assert hand["ev"] == pytest.approx(figures["ev"], abs=1e-3)


def brute_force(solution: Solution, data: Message) -> dict[str, float]:
    """Equity of each hand of the player to act against the other's range, by every runout and phevaluator."""
    spot = solution.spot
    assert data["path"] == []  # at the root both ranges are those of the spot
    mine, other = spot.ranges
    board = parse_cards("".join(data["board"]))
    found = {}
    for hand in np.flatnonzero(mine).tolist():
        won = met = 0.0
        for villain in np.flatnonzero(other).tolist():
            used = {*HOLE_CARDS[hand].tolist(), *HOLE_CARDS[villain].tolist(), *board}
            if len(used) < 4 + len(board):
                continue
            for more in combinations([card for card in range(52) if card not in used], 5 - len(board)):
                ranks = [
                    phevaluator.evaluate_cards(*map(format_card, (*HOLE_CARDS[one].tolist(), *board, *more)))
                    for one in (hand, villain)
                ]
                won += other[villain] * (0.5 if ranks[0] == ranks[1] else float(ranks[0] < ranks[1]))
                met += other[villain]
        if met:
            found["".join(format_card(card) for card in sorted(HOLE_CARDS[hand].tolist(), reverse=True))] = won / met
    return found


@pytest.mark.parametrize("spot", [RIVER, TURN], ids=["river", "turn"])
def test_equities_by_brute_force(spot: Message) -> None:
    solution = solve_subgame(spot, max_iterations=20)
    data = node_data(solution, "")
    expected = brute_force(solution, data)
    shown = {one["cards"]: one["equity"] for hands in data["hands"].values() for one in hands}
    assert {hand: value for hand, value in shown.items() if value is not None} == pytest.approx(expected, abs=1e-4)
    assert sum(data["equity"]) == pytest.approx(1.0, abs=2e-4)


def test_equities_behind_a_bet_are_of_the_ranges_that_get_there(solved: dict[str, Solution]) -> None:
    """PR1 after a bet: the bettor's range by the solve's own strategy, compared hand by hand on the one board."""
    solution = solved["PR1"]
    strategy = solution.strategy("")[1]
    bettors = solution.spot.ranges[0] * strategy[:, 1]
    data = node_data(solution, "bet 45")
    board = [format_card(card) for card in solution.spot.board]
    rank = {
        hand: phevaluator.evaluate_cards(*board, *map(format_card, HOLE_CARDS[hand].tolist()))
        for hand in np.flatnonzero(solution.spot.ranges[0] + solution.spot.ranges[1]).tolist()
    }
    for hands in list(data["hands"].values())[::15]:
        hand = hole_index(*parse_cards(hands[0]["cards"]))
        won = met = 0.0
        for villain in np.flatnonzero(bettors).tolist():
            if not {*HOLE_CARDS[hand].tolist()} & {*HOLE_CARDS[villain].tolist()}:
                won += bettors[villain] * (0.5 if rank[hand] == rank[villain] else float(rank[hand] < rank[villain]))
                met += bettors[villain]
        assert hands[0]["equity"] == pytest.approx(won / met, abs=1e-4)


@pytest.mark.parametrize("name", STREETS)
def test_shares_add_up(solved: dict[str, Solution], name: str) -> None:
    data = node_data(solved[name], "")
    json.dumps(data, allow_nan=False)
    for player in ("oop", "ip"):
        for kind in ("made", "draw"):
            shares = [one["share"] for one in data["composition"][player] if one["kind"] == kind]
            assert sum(shares) == pytest.approx(1.0, abs=1e-3) if shares else (kind, name) == ("draw", "PR1")
    made = [one for one in data["composition"]["oop"] if one["kind"] == "made"]
    for number in range(len(data["actions"])):
        total = sum(one["share"] * one["shares"][number] for one in made)
        assert total == pytest.approx(data["actions"][number]["frequency"], abs=1e-3)
    equity = sum(one["share"] * one["equity"] for one in made)
    assert equity == pytest.approx(data["equity"][0], abs=1e-3)
    assert all("shares" not in one for one in data["composition"]["ip"])
    opponents = Range(solved[name].spot.ranges[1]).without(solved[name].spot.board)
    assert set(data["opponent"]) == {
        one for one in data["opponent"] if Range.parse(one).weights @ opponents.weights > 0
    }
    for one in data["classes"].values():
        assert sum(one["shares"]) == pytest.approx(1.0, abs=1e-3)
        assert 0 < one["weight"] <= 1


def test_deals_and_ends(solved: dict[str, Solution]) -> None:
    turn = solved["small turn"]
    deal = node_data(turn, "check, check")
    assert (deal["kind"], len(deal["cards"])) == ("deal", 48)
    assert not set(deal["cards"]) & set(deal["board"])
    river = node_data(turn, "check, check, 5d")
    assert (river["board"][-1], river["street"]) == ("5d", "river")
    assert [step["kind"] for step in river["steps"]] == ["decision", "decision", "deal"]
    assert river["path"] == ["Check", "Check", "5d"]
    assert node_data(turn, "bet 45, fold")["words"] == "ip folds, and oop wins the pot of 105"
    assert "show their hands" in node_data(turn, "check, check, 5d, check, check")["words"]
    assert "dealt out" in node_data(turn, "bet 45, all-in, call")["words"]
    assert node_data(turn, "bet 45, all-in, call")["stacks"] == [0, 0]


def test_a_node_that_one_player_never_comes_to() -> None:
    lock = {"node": "", "strategy": {"Check": 1}}
    solution = solve_subgame({**RIVER, "locks": [lock]}, max_iterations=20)
    data = node_data(solution, "bet 50")
    json.dumps(data, allow_nan=False)
    assert data["equity"] == [None, None]
    assert not data["reached"]
    assert {action["frequency"] for action in data["actions"]} == {None}, "half and half is no strategy"
    assert not data["opponent"]


def test_two_that_both_come_and_cannot_meet() -> None:
    """Aces wait for a bet that only a hand with one of them makes: nothing was trained behind it."""
    spot = {**RIVER, "board": "Kh Qd 7h 4c 2s", "range_oop": "AsAh", "range_ip": "AsKs, TT"}
    locks = [{"node": "", "strategy": {"Check": 1}}]
    locks.append({"node": "check", "hands": {"AsKs": {"Bet(50)": 1}, "TT": {"Check": 1}}})
    solution = solve_subgame({**spot, "locks": locks}, max_iterations=20)
    data = node_data(solution, "check, bet 50")
    json.dumps(data, allow_nan=False)
    assert solution.reach(
        find_decision(solution.solver.tree, solution.solver.boards, parse_path("check, bet 50"))
    ).any()
    assert not data["reached"]
    assert {action["frequency"] for action in data["actions"]} == {None}
    assert data["hands"]["AA"][0]["shares"] == [None] * len(data["actions"])
    before = node_data(solution, "check")
    assert before["reached"]
    assert before["hands"]["AKs"][0]["shares"] == [0.0, 1.0, 0.0], "a lock is what it is"


def test_a_hand_that_meets_none_has_no_strategy() -> None:
    spot = {**RIVER, "board": "Kh Qd 7h 4c 2s", "range_oop": "AsAh", "range_ip": "AsKs, TT"}
    solution = solve_subgame({**spot, "locks": [{"node": "", "strategy": {"Check": 1}}]}, max_iterations=20)
    data = node_data(solution, "check")
    json.dumps(data, allow_nan=False)
    assert data["reached"]
    assert data["hands"]["AKs"][0]["shares"] == data["classes"]["AKs"]["shares"] == [None, None, None]
    for hand in data["hands"]["TT"]:
        assert sum(hand["shares"]) == pytest.approx(1.0, abs=1e-3)
    assert sum(action["frequency"] for action in data["actions"]) == pytest.approx(1.0, abs=1e-3)
    (made,) = data["composition"]["ip"]
    assert sum(made["shares"]) == pytest.approx(1.0, abs=1e-3)


def test_no_ev_of_what_nobody_has_an_answer_to() -> None:
    """Never checked, by a lock: how the other would answer a check was not trained; a fold ends the hand."""
    solution = solve_subgame({**RIVER, "locks": [{"node": "", "strategy": {"Bet(50)": 1}}]}, max_iterations=100)
    root = node_data(solution, "")
    assert root["reached"]
    assert [action["ev"] is not None for action in root["actions"]] == [False, True, False]
    for hand in (one for hands in root["hands"].values() for one in hands):
        assert [ev is not None for ev in hand["evs"]] == [False, True, False]
        assert hand["ev"] == hand["evs"][1]
    folds = {"node": "bet 50", "strategy": {"Call": 1}}
    after = node_data(solve_subgame({**RIVER, "locks": [folds]}, max_iterations=100), "bet 50")
    by_label = dict(zip([one["label"] for one in after["actions"]], after["hands"]["AKs"][0]["evs"], strict=True))
    assert by_label.pop("Fold") == pytest.approx(0.0, abs=1e-3)
    assert by_label.pop("Call") is not None
    assert by_label.pop("AllIn(250)") is None


def test_a_lock_that_nobody_comes_to_is_shown() -> None:
    locks = [{"node": "", "strategy": {"Check": 1}}, {"node": "bet 50", "strategy": {"Fold": 1}}]
    data = node_data(solve_subgame({**RIVER, "locks": locks}, max_iterations=20), "bet 50")
    assert (data["locked"], data["reached"]) == (True, False)
    assert data["actions"][0]["frequency"] == 1.0
