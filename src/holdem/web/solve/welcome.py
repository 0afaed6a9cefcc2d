"""What a Solve page is told first: places, limits, and where to begin."""

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from holdem.cards import format_cards
from holdem.realtime.subgame.spot import read_spots
from holdem.types import STREET_NAMES
from holdem.util.shipped import SPOTS
from holdem.web.run_folder import RunFolder
from holdem.web.solve.messages import Plain

if TYPE_CHECKING:
    from holdem.web.solve.rooms import SolveRooms

PRESETS = (
    (
        "BTN opens 2.5 bb, 100 bb",
        "22+, A2s+, K2s+, Q4s+, J6s+, T6s+, 96s+, 85s+, 75s+, 64s+, 53s+, A2o+, K8o+, Q9o+, J9o+, T8o+, 98o",
    ),
    ("CO opens 2.5 bb, 100 bb", "22+, A2s+, K5s+, Q7s+, J8s+, T8s+, 97s+, 86s+, 75s+, 65s, 54s, A8o+, KTo+, QTo+, JTo"),
    ("UTG of six opens 2.5 bb, 100 bb", "44+, A2s+, K9s+, QTs+, J9s+, T9s, 98s, 87s, 76s, ATo+, KQo"),
    (
        "SB raises, heads-up, 100 bb",
        "22+, A2s+, K2s+, Q2s+, J2s+, T3s+, 95s+, 84s+, 74s+, 63s+, 53s+, 43s, A2o+, K2o+, Q5o+, J7o+, T7o+, "
        "97o+, 87o, 76o",
    ),
    (
        "BB calls a BTN open",
        "22-99, A2s-A9s, K2s-KTs, Q5s-QTs, J7s-JTs, T7s+, 96s+, 86s+, 75s+, 64s+, 54s, A5o-AJo, K9o-KQo, "
        "Q9o+, J9o+, T9o, 98o",
    ),
    (
        "BB calls a SB raise, heads-up",
        "22-88, A2s-A8s, K2s-KTs, Q2s-QTs, J4s-JTs, T6s+, 95s+, 85s+, 74s+, 64s+, 53s+, A2o-A9o, K4o-KJo, "
        "Q7o-QJo, J8o+, T8o+, 98o, 87o",
    ),
    (
        "three-bets of the BB against BTN",
        "TT+, AQs+, A5s-A3s, K9s:0.5, KJs+, QJs:0.5, JTs:0.5, 76s:0.25, 65s:0.25, AQo+, KQo:0.5",
    ),
    ("every hand", "random"),
)
"""Ranges to begin with: rules of thumb, and not solved by anybody here."""


def welcome(rooms: "SolveRooms", runs: RunFolder) -> Plain:
    """The first message; the lists of files are read now."""
    return {
        "type": "welcome",
        "solves": {"most": rooms.most, "running": rooms.solving},
        "most_bytes": rooms.most_bytes,
        "presets": [{"name": name, "text": text} for name, text in PRESETS],
        "spots": shipped_spots(),
        "policies": runs.names(),
    }


@cache
def shipped_spots() -> list[Plain]:
    """The spots that come with the package, without what only files say about them."""
    found = []
    for spot in read_spots(SPOTS.find(Path("subgames"))):
        content = spot.question()
        content.pop("id", None)  # a code of the file; a person reads the board
        stakes = f"pot {spot.pot}, stacks {spot.effective_stack}"
        name = f"{STREET_NAMES[spot.street]} {format_cards(spot.board, ' ')}, {stakes}"
        found.append({"name": name, "spot": content})
    return found
