"""Spots from files: what is wrong with one is said in one sentence that names it."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from holdem.cards import Range, parse_cards
from holdem.errors import HoldemError
from holdem.realtime.subgame.nodes.moves import Move, MoveKind
from holdem.realtime.subgame.spot import Spot, parse_sizes, read_spots
from tests.realtime.spots import REFERENCE, REFERENCE_FILE, RIVER, TURN, changed

CHECK = Move(MoveKind.CHECK)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"board": "Ks Ks 7h 4c 2s"}, "Ks appears twice"),
        ({"board": "Ks Qd"}, "the board has 2 cards"),
        ({"board": "Ks Qd 7h 4c 1s"}, "'1s' is not a card"),
        ({"range_oop": "KsKd"}, "range_oop is empty: no hand of it is possible on the board Ks Qd 7h 4c 2s"),
        ({"range_ip": "   "}, "range_ip: the range is empty"),
        ({"range_ip": "AK, xyz"}, "range_ip: 'xyz' is not a hand or range"),
        ({"range_oop": "AcAd", "range_ip": "AcAh, AdAs"}, "cannot meet"),
        ({"effective_stack": 0}, "effective_stack is 0"),
        ({"effective_stack": 12.5}, r"effective_stack is 12\.5; it must be a whole number"),
        ({"pot": -3}, "pot is -3"),
        ({"bet_sizes": {"river": {"bet": "50%, halb"}}}, r"'halb' \(bet_sizes\.river\.bet\) is not understood"),
        ({"bet_sizes": {"river": {"raise": "0.5x"}}}, r"'0\.5x' \(bet_sizes\.river\.raise\) is too small"),
        ({"bet_sizes": {"rivver": {}}}, "'rivver' is not a street"),
        ({"bet_sizes": {"river": "50%"}}, r"bet_sizes\.river has a menu `bet`"),
        ({"bet_sizes": {"oop": {}, "river": {}}}, "players and streets side by side"),
        ({"street": "turn"}, "the street is 'turn', but"),
        ({"stack": 5}, "'stack' is not a field of a spot"),
        ({"bets": [250, 250]}, "both players are all-in"),
        ({"bets": [300, 0], "to_act": "ip"}, "a bet of the root is 300, more than the stack of 250"),
        ({"bets": [50, 0]}, 'oop has bet more than ip, so ip is to act; write "to_act": "ip"'),
        ({"bets": 5}, "bets is 5; it must be a list"),
        ({"bets": [50]}, r"bets is \[50\]; write the chips of both players"),
        ({"to_act": "button"}, "to_act is 'button'; it is 'oop' or 'ip'"),
        ({"min_bet": 0}, "min_bet is 0"),
        ({"min_bet": "10"}, "min_bet is '10'"),
        ({"pot": 10**10}, "pot is 10000000000; at most 1,000,000,000 chips"),
        ({"played": "Check"}, "played is 'Check'; it must be a list"),
        ({"played": ["bett 37"]}, "'bett 37' is neither an action nor a card"),
        ({"played": ["Bet"]}, "played has 'Bet'; write actions with their amounts"),
        ({"played": ["5h"]}, "played has '5h'"),
        ({"played": ["Continue"]}, "played has 'Continue'; write actions with their amounts"),
        ({"played": ["Check, Check"]}, "played has 'Check, Check'"),
        ({"played": [""]}, "played has ''"),
        ({"played": [37]}, "played has 37"),
        ({"locks": None}, "locks is None; it must be a list"),
        ({"range_oop": 5}, 'range_oop is 5; write it as text, such as "22\\+, A2s\\+"'),
        ({"range_ip": None}, "range_ip is None; write it as text"),
        ({"range_ip": ["AA"]}, r"range_ip is \['AA'\]; write it as text"),
        ({"board": ["Ks", "Qd", "7h"]}, r"board is \['Ks', 'Qd', '7h'\]; write it as text, such as \"Ks 8s 3s\""),
        ({"id": {"name": "x"}}, "id is {'name': 'x'}; write it as text"),
        ({"id": ["x" * 1000]}, "id is .{60}…; write it as text"),
        ({"played": [f"Bet({10**26})"]}, r"played has 'Bet\(1000+\)'; at most 1,000,000,000 chips can be bet"),
        ({"played": ["Bet(" + "9" * 5000 + ")"]}, r"played has 'Bet\(9+…; at most 1,000,000,000 chips can be bet"),
        ({"bet_sizes": {"oop": "50%"}}, r"bet_sizes\.oop is an object of streets"),
        ({"bet_sizes": {"river": {"raise": 60}}}, r"'60' \(bet_sizes\.river\.raise\) is not understood"),
    ],
)
def test_what_is_wrong_is_named(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(HoldemError, match=message) as raised:
        Spot.from_plain(changed(RIVER, **fields))
    assert "\n" not in str(raised.value)


def test_a_missing_field_is_named() -> None:
    with pytest.raises(HoldemError, match="the spot small river has no 'pot'"):
        Spot.from_plain({key: value for key, value in RIVER.items() if key != "pot"})


def test_files(tmp_path: Path) -> None:
    assert [spot.id for spot in read_spots(REFERENCE_FILE)] == ["PR1", "PT1"]
    one = tmp_path / "one.json"
    one.write_text(json.dumps(TURN))
    assert read_spots(one)[0].street == 2
    one.write_text("\ufeff" + json.dumps(TURN), encoding="utf-8")  # as Windows editors save it
    assert read_spots(one)[0].street == 2
    for text, message in (
        ("{", "be read as JSON"), ("[" * 100_000, "be read as JSON"), ("1" * 5000, "be read as JSON"),
        ('{"spots": []}', "holds no spot"), ('{"spots": 3}', "spots is a list of spots, not int"), ("3", "not int"),
        ("{}", "the spot has no 'board'"),
    ):  # fmt: skip
        one.write_text(text)
        with pytest.raises(HoldemError, match=message):
            read_spots(one)
    with pytest.raises(HoldemError, match="is missing"):
        read_spots(tmp_path / "none.json")


def test_combinations_are_those_of_the_reference() -> None:
    for content in REFERENCE.values():
        spot = Spot.from_plain(content)
        assert [int((weights > 0).sum()) for weights in spot.ranges] == content["combos"]


@pytest.mark.parametrize("content", [RIVER, TURN])
def test_a_spot_survives_being_written(content: dict[str, Any]) -> None:
    spot = Spot.from_plain(content)
    bare = Spot(spot.board, spot.pot, spot.effective_stack, spot.ranges, spot.sizes, played=(CHECK,), min_bet=2)
    again = Spot.from_plain(json.loads(json.dumps(bare.to_plain())))
    assert again.sizes == spot.sizes
    assert all(np.array_equal(a, b) for a, b in zip(again.ranges, spot.ranges, strict=True))
    assert (again.played, again.min_bet, again.board) == ((CHECK,), 2, spot.board)


def test_every_kind_of_size_is_written_as_it_was_read() -> None:
    sizes = parse_sizes({"flop": {"bet": "33%, 12.5%, e, 2e, 3e200%, a", "raise": ["2.5x, 100c", ""]}})
    spot = Spot(parse_cards("Ks8s3s"), 10, 10, (Range.parse("AA").weights, Range.parse("QQ").weights), sizes)
    assert parse_sizes(spot.to_plain()["bet_sizes"]) == sizes


def test_a_line_is_written_as_people_say_it() -> None:
    played = Spot.from_plain(changed(RIVER, id=None, played=["check", "bet 37", "AllIn"])).played
    assert tuple(map(str, played)) == ("Check", "Bet(37)", "AllIn")
