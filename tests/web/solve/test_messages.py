"""Messages that no page of ours sends: each is one sentence back, and the next one is served."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed

from holdem.errors import ConfigError
from holdem.web.solve.messages import LONGEST_MESSAGE, read_message, request_of
from tests.realtime.spots import RIVER
from tests.web.pages import Served
from tests.web.solve.solve_pages import SolvePageScript, solve_page

GARBAGE = [
    "", "x", "[]", "3", "null", "{}", '{"type": "start"}', '{"type": "dance", "request": 1}', '{"request": 1}',
    '{"type": "node", "request": "1"}', '{"type": "node", "request": 1.5}', '{"type": "node", "request": -1}',
    '{"type": "next_spot", "request": 1}', '{"type": "next_spot", "request": 1, "path": "' + "5h, " * 600 + '"}',
    '{"type": "node", "request": 1, "path": 3}', '{"type": "node", "request": 1, "more": 3}',
    '{"type": "start", "request": 1, "spot": 3}', '{"type": "start", "request": 1, "spot": {}, "target": NaN}',
    '{"type": "start", "request": 1, "spot": {}, "seconds": -1}',
    '{"type": "start", "request": 1, "spot": {}, "hands": "all"}',
    '{"type": "open", "request": 1, "upload": "' + "x" * 100 + '"}', '{"type": "go_on", "request": 1, "target": 1e999}',
    "[" * 10_000, '{"a":' * 10_000, '"\\ud800"',
]  # fmt: skip


@pytest.mark.parametrize("text", GARBAGE)
def test_what_is_not_understood_is_a_sentence(text: str) -> None:
    with pytest.raises(ConfigError) as refused:
        read_message(text)
    assert "\n" not in str(refused.value)
    assert "nothing was done" in str(refused.value)


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), lambda x: st.dictionaries(st.text(), x)))
def test_any_json_is_a_message_or_a_sentence(content: object) -> None:
    text = json.dumps(content)
    with pytest.raises(ConfigError, match="nothing was done"):
        read_message(text)
    request_of(text)


def test_a_message_that_grows_on_its_way_is_answered(page: SolvePageScript) -> None:
    """Its numbers are written in full when it is passed on, which makes it longer than a page may send."""
    page.solve(RIVER, target=1.0)
    for kind, answered in (("start", "refused"), ("estimate", "estimate")):
        numbers = ",".join(["1e15"] * 12_000)
        spot = json.dumps({**RIVER, "locks": ["NUMBERS"]}).replace('"NUMBERS"', numbers)
        page.socket.send(f'{{"type": "{kind}", "request": 77, "spot": {spot}}}')
        answer = page.next()
        assert (answer["type"], answer["request"]) == (answered, 77), answer
    assert page.ask("node")["type"] == "node"


def test_a_page_that_talks_nonsense_is_answered_and_served(page: SolvePageScript) -> None:
    for text in GARBAGE:
        page.socket.send(text)
        answer = page.next()
        assert answer["type"] == "refused"
    assert answer["request"] is None
    page.socket.send('{"type": "dance", "request": 7}')
    assert page.next()["request"] == 7
    page.socket.send(b"\x00\xff")
    assert page.next()["type"] == "refused"
    changes: tuple[dict[str, object], ...]
    changes = ({"pot": 10**300}, {"board": ["Ks"]}, {"range_oop": None}, {"bet_sizes": [[[]]]}, {"locks": {"a": 1}})
    for spot in changes:
        answer = page.ask("estimate", spot={**RIVER, **spot})
        assert (answer["type"], answer["fits"]) == ("estimate", False), "what is wrong with a spot is an answer"
        assert 0 < len(answer["why_not"]) <= 500
    for path in ("nonsense", "5h" * 900, ",,,,", "check, check, check", "bet 1"):
        page.ask("node", path=path)
    assert page.solve(RIVER, target=1.0)["by"] == "target"
    for path in ("nonsense", "check, check, check", "bet 1", "5h"):
        assert page.ask("node", path=path)["type"] == "refused"
    assert page.ask("node", path=",,,,")["kind"] == "decision"


def test_a_message_that_is_too_long_closes_the_page(server: Served) -> None:
    with solve_page(server.address) as page, pytest.raises(ConnectionClosed):
        page.socket.send("x" * (LONGEST_MESSAGE + 1))
        page.until("never")


def test_a_page_that_sends_by_the_thousand_is_closed(server: Served) -> None:
    with solve_page(server.address) as page, pytest.raises(ConnectionClosed):
        assert page.ask("start", spot=RIVER, target=0.0)["type"] == "started"
        for _ in range(20_000):
            page.say("save")
        while True:
            page.next()
