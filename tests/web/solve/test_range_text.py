"""Ranges over HTTP: the notation of the command line in both directions, exact to five digits."""

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdem.cards.cards import NUM_HOLE_PAIRS, hole_index, parse_cards
from holdem.cards.ranges import Range
from holdem.errors import HoldemError
from holdem.realtime.subgame.nodes.view import hand_name
from holdem.web.solve.range_text import RangeAsked, answer_range
from tests.web.pages import Served
from tests.web.solve.solve_pages import fetch, sentence_of


def answer(**asked: Any) -> dict[str, Any]:
    return answer_range(RangeAsked.read(json.dumps(asked).encode()))


WEIGHTS = st.dictionaries(
    st.integers(0, NUM_HOLE_PAIRS - 1).map(hand_name), st.integers(0, 100_000).map(lambda number: number / 100_000)
)


@given(WEIGHTS)
@settings(deadline=None)
def test_round_trip(weights: dict[str, float]) -> None:
    painted = {hand: weight for hand, weight in weights.items() if weight}
    found = answer(weights=weights)
    assert found["weights"] == painted
    back = answer(text=found["text"])
    assert back["weights"] == painted
    assert back["text"] == found["text"]
    assert found["combos"] == pytest.approx(sum(painted.values()))


@given(WEIGHTS)
@settings(deadline=None)
def test_the_text_is_that_of_ranges(weights: dict[str, float]) -> None:
    table = np.zeros(NUM_HOLE_PAIRS)
    for hand, weight in weights.items():
        table[hole_index(*parse_cards(hand))] = weight
    if table.any():
        assert Range.parse(answer(weights=weights)["text"]) == Range(table)


def test_what_is_given_finer_is_rounded_said_so_and_does_not_vanish() -> None:
    fine = answer(text="AA:0.0004, KK:0.5004")
    assert (fine["text"], fine["rounded"]) == ("AA:0.0004, KK:0.5004", False)
    finer = answer(text="AA:0.000001, KK:0.123456")
    assert (finer["text"], finer["rounded"]) == ("AA:1e-05, KK:0.12346", True)
    assert answer(text=finer["text"])["rounded"] is False


def test_over_http(server: Served) -> None:
    address = f"{server.address}/data/range"
    status, content = fetch(address, json.dumps({"text": "22+, AKs:0.5, AhKh", "board": "KsKd7c"}).encode())
    found = json.loads(content)
    assert status == 200
    assert found["weights"]["AhKh"] == 1.0
    assert found["weights"]["AcKc"] == 0.5
    assert "AsKs" not in found["weights"]
    assert sum(hand[0] == hand[2] == "K" for hand in found["weights"]) == 1
    empty = {"text": "", "weights": {}, "combos": 0.0, "rounded": False}
    assert json.loads(fetch(address, b'{"text": ""}')[1]) == empty
    for bad in (b"", b"[]", b"{}", b'{"text": "XX"}', b'{"text": "AA", "weights": {}}', b'{"weights": {"AhKh": 2}}',
                b'{"weights": {"Ah": 1}}', b'{"weights": {"Ah  ": 1}}', b'{"weights": {"10h,": 1}}',
                b'{"weights": {"  ,,": 1}}', b'{"weights": {"AhAh": 1}}', b'{"text": 3}',
                b'{"text": "AA", "board": "Zz"}',
                b'{"text": "AA", "x": 1}', b'{"text": "' + b"A" * 300_000 + b'"}', b"\xff"):  # fmt: skip
        status, content = fetch(address, bad)
        assert status == 400
        assert sentence_of(content)


@given(st.binary(max_size=200) | st.text(max_size=200).map(lambda text: json.dumps({"text": text}).encode()))
@settings(deadline=None)
def test_whatever_is_sent_is_a_range_or_a_sentence(body: bytes) -> None:
    try:
        answer_range(RangeAsked.read(body))
    except HoldemError as error:
        assert str(error)
