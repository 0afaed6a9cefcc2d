"""Spots that several tests solve."""

import json
from pathlib import Path
from typing import Any

from holdem.realtime.subgame.spot import Spot

REFERENCE_FILE = Path(__file__).parents[2] / "assets" / "spots" / "subgames.json"
REFERENCE: dict[str, dict[str, Any]] = {
    spot["id"]: spot for spot in json.loads(REFERENCE_FILE.read_text(encoding="utf-8"))["spots"]
}

RIVER: dict[str, Any] = {
    "id": "small river",
    "board": "Ks Qd 7h 4c 2s",
    "pot": 100,
    "effective_stack": 250,
    "range_oop": "AA, KQ, QJs:0.5, JTs, 77, AcKc",
    "range_ip": "AK, QQ, T9s:0.25, 65s, 88",
    "bet_sizes": {"river": {"bet": "50%, a", "raise": "2.5x, a"}},
}
TURN: dict[str, Any] = {
    "id": "small turn",
    "board": "Ks Qs 7h 4c",
    "pot": 60,
    "effective_stack": 130,
    "range_oop": "AdAh, KhQh, JhTh, 9d8d:0.5",
    "range_ip": "AcKd, 7c7d, 6d5d, AdKc:0.3",
    "bet_sizes": {"turn": {"bet": "75%", "raise": "a"}, "river": {"bet": "a", "raise": ""}},
}
FLOP: dict[str, Any] = {
    "id": "small flop",
    "board": "Ks 8s 3s",
    "pot": 50,
    "effective_stack": 60,
    "range_oop": "AA",
    "range_ip": "KK:0.5",
    "bet_sizes": {"flop": {"bet": "a"}, "turn": {"bet": "50%"}, "river": {}},
}


def changed(content: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """A spot with some fields replaced."""
    return {**content, **fields}


def spot(content: dict[str, Any], **fields: Any) -> Spot:
    """A checked spot."""
    return Spot.from_plain(changed(content, **fields))
