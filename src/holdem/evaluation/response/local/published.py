"""The four settings in which local best response was played against the champions of its time, and what it won.

Moravčík et al. 2017, "DeepStack: Expert-Level Artificial Intelligence in Heads-Up No-Limit Poker", table of LBR results
in the supplement; the first three of Slumbot and of the agent with all cards are also in Lisý and Bowling 2017. mbb a
hand with 95 % intervals, positive where LBR wins. They are for orientation: two of the three agents had 200 big blinds,
and the sizes there are shares of the pot, 0.05 × 1.15^k, and all-in, where `wide` has steps of one factor from the
smallest bet to all-in. `docs/evaluation.md` says what of this could be checked.
"""

from dataclasses import dataclass
from typing import Any

from holdem.evaluation.response.local.actions import Menus, parse_menus
from holdem.evaluation.response.local.match import MeasuredMean

SOURCE = "supplement of DeepStack (Moravčík et al. 2017)"


@dataclass(frozen=True)
class PublishedAgent:
    """Whom LBR played, and for how many big blinds."""

    name: str
    big_blinds: int


AGENTS = (PublishedAgent("Slumbot 2016", 200), PublishedAgent("DeepStack", 200), PublishedAgent("all cards", 100))
"""`all cards`: a strategy without buckets that knows bets of the pot and all-in alone."""


@dataclass(frozen=True)
class PublishedSetting:
    """What LBR may do on each street, as `--actions` takes it, and what it won from each of `AGENTS`."""

    actions: str
    figures: tuple[MeasuredMean, MeasuredMean, MeasuredMean]

    @property
    def menus(self) -> Menus:
        """The same by street."""
        return parse_menus(self.actions, "all")

    def to_plain(self) -> dict[str, Any]:
        """The published figures as JSON, by agent."""
        pairs = zip(AGENTS, self.figures, strict=True)
        return {agent.name: {**figure.to_plain(), "big_blinds": agent.big_blinds} for agent, figure in pairs}


def _setting(actions: str, *figures: tuple[int, int]) -> PublishedSetting:
    slumbot, deepstack, all_cards = (MeasuredMean(float(mean), float(interval)) for mean, interval in figures)
    return PublishedSetting(actions, (slumbot, deepstack, all_cards))


PUBLISHED = (
    _setting("fc,fc,fc,fc", (522, 50), (-428, 87), (-424, 37)),
    _setting("c,c,fcpa,fcpa", (4020, 115), (-383, 219), (-536, 87)),
    _setting("c,c,wide,wide", (3763, 104), (-775, 255), (2403, 87)),
    _setting("c,wide,fc,fc", (1227, 79), (-602, 214), (1008, 68)),
)
