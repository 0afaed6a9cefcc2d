"""What the script of the review page asks for, without the page; and hands to review."""

import json
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

from websockets.sync.client import connect

from holdem.game import Action, Game, Hand
from holdem.game.presets import load_preset
from holdem.table.history.hand_history import HandHistory
from holdem.table.history.observed_hand import ObservedHand, seen_by
from tests.waiting import PATIENCE_SECONDS
from tests.web.pages import Served

Plain = dict[str, Any]
CALL, FOLD, JAM = Action.check_or_call(), Action.fold(), Action.raise_to(1_000)
JAMS = [("7d2c", CALL), ("AsAh", FOLD), ("AdAc", CALL), ("9s4h", CALL), ("8d3c", FOLD)]
"""Somebody in the big blind against an all-in: three of the five throw chips away."""


def get(server: Served, path: str, **query: object) -> tuple[int, Plain]:
    return _ask(f"{server.address}/data/{path}?{urlencode(query)}", None, {})


def bring(server: Served, content: bytes, name: str = "hands.phhs", **headers: str) -> tuple[int, Plain]:
    return _ask(f"{server.address}/data/histories?{urlencode({'name': name})}", content, headers)


def _ask(address: str, content: bytes | None, headers: dict[str, str]) -> tuple[int, Plain]:
    try:
        with urlopen(Request(address, content, headers), timeout=PATIENCE_SECONDS) as response:
            return response.status, json.loads(response.read())
    except HTTPError as error:
        return error.code, json.loads(error.read())


def review(server: Served, request: object) -> list[Plain]:
    """All messages of a review."""
    with connect(server.address.replace("http", "ws") + "/review", open_timeout=PATIENCE_SECONDS) as socket:
        socket.send(request if isinstance(request, str | bytes) else json.dumps(request))
        return [json.loads(text) for text in socket]


def jam(cards: str, answer: Action) -> Hand:
    """The button is all-in for ten big blinds, and seat 0 answers."""
    game = Game(load_preset("jam_or_fold_10bb"))
    hand = game.new_hand(hole_cards=[cards, "KdQh"], board="Ks5hJcTd6c", button=1)
    hand.act(JAM)
    hand.act(answer)
    assert hand.is_over
    return hand


def write_jams(path: Path, jams: list[tuple[str, Action]] = JAMS) -> Path:
    """A file of jams as seat 0 saw them."""
    with HandHistory.open(path) as history:
        for number, (cards, answer) in enumerate(jams):
            hand = jam(cards, answer)
            history.append(ObservedHand(number, 0, ("you", "bot"), seen_by(hand.records, 0), hand.payoffs))
    return path
