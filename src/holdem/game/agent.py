"""Who plays: what a player sees, and what a player is.

An `Observation` has no place for another seat's cards, so an agent cannot look at them. Its `random()` is the
only randomness an agent should use: it is keyed by the deal, the position and the decision, and not by who
sits there, so the same agent in the same place does the same thing again, and a duplicate match against
itself is exactly zero.
"""

from dataclasses import dataclass, fields
from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from holdem.cards.cards import HOLE_CARDS, NUM_HOLE_PAIRS, Cards, format_cards
from holdem.errors import CardError, IllegalAction
from holdem.game.actions import Action, ActionKind, LegalActions
from holdem.game.hand import Hand
from holdem.game.records import HoleCardsDealt, Record, public_records
from holdem.types import GameConfig
from holdem.util.rng import stream, unit_draw

ROW_ERROR = 1e-4
"""How far a row of `range_policy` may be from 1: single precision is within a hundredth of it."""


@dataclass(frozen=True)
class PublicState:
    """What everybody at the table sees when a seat is to act. Lists are by seat."""

    config: GameConfig
    button: int
    seat: int
    """The seat to act."""
    street: int
    board: Cards
    pot: int
    """All chips in the middle, this street's bets included."""
    stacks: tuple[int, ...]
    street_bets: tuple[int, ...]
    live: tuple[bool, ...]
    legal: LegalActions
    history: tuple[Record, ...]

    @property
    def position(self) -> int:
        """The position of the seat to act: 0 is first after the flop, the last one is the button."""
        return (self.seat - self.button - 1) % self.config.num_players


@dataclass(frozen=True)
class Observation(PublicState):
    """What the seat to act sees: the table and its own two cards."""

    hole_cards: Cards
    deal: int
    """Keys the random streams of this deal; the cards cannot be told from it."""
    decision: int
    """How many times this seat has acted in this hand."""

    def public(self) -> PublicState:
        """The same without this seat's cards."""
        values = {field.name: getattr(self, field.name) for field in fields(PublicState)}
        return PublicState(**values | {"history": public_records(self.history)})

    def random(self) -> np.random.Generator:
        """The stream of this decision: the same for whoever plays this position of this deal."""
        return stream(self.deal, "action", self.position, self.decision)

    def draw(self) -> float:
        """One number in [0, 1), for an agent that needs no more: cheaper than `random`, and as repeatable."""
        return unit_draw(self.deal, "draw", self.position, self.decision)


@runtime_checkable
class Agent(Protocol):
    """Somebody who plays."""

    @property
    def name(self) -> str:
        """What reports call this agent."""

    def act(self, observation: Observation) -> Action:
        """The action to take; it must be legal."""


@runtime_checkable
class RangeAgent(Agent, Protocol):
    """An agent whose whole strategy is known, so that it can be tracked, exploited and corrected for luck."""

    def range_policy(self, public_state: PublicState) -> tuple[list[Action], npt.NDArray[np.float64]]:
        """Its actions, and (1326, actions) their probabilities for each hole pair; rows sum to 1."""


def close_agent(holder: object) -> None:
    """Let an agent, or work that opened some, go of its processes and whatever else it holds, if it has a `close`."""
    if callable(close := getattr(holder, "close", None)):
        close()


def checked_rows(name: str, rows: npt.ArrayLike, actions: int, board: Cards) -> npt.NDArray[np.float64]:
    """What a `range_policy` told, scaled to 1 for every hole that the board allows, and zero for the others.

    (1326, actions); IllegalAction if it is something else.
    """
    table = np.array(rows, dtype=np.float64)
    if table.shape != (NUM_HOLE_PAIRS, actions):
        raise IllegalAction(
            f"agent {name}: range_policy gave a table of shape {table.shape} for {actions} actions; "
            f"it must be ({NUM_HOLE_PAIRS}, {actions})"
        )
    possible = ~np.isin(HOLE_CARDS, list(board)).any(axis=1)
    table[~possible] = 0.0
    sums = table.sum(axis=1)
    wrong = possible & ~((np.abs(sums - 1.0) <= ROW_ERROR) & (table.min(axis=1) >= 0.0))
    if wrong.any():
        hole = int(np.flatnonzero(wrong)[0])
        shares = ", ".join(f"{share:g}" for share in table[hole])
        raise IllegalAction(
            f"agent {name}: range_policy gives {shares} with {format_cards(tuple(HOLE_CARDS[hole].tolist()))}; "
            "the probabilities of a hole must add up to 1"
        )
    return np.asarray(table / np.where(possible, sums, 1.0)[:, None])


def as_called(action: Action, state: PublicState) -> Action:
    """A raise beyond what anybody can call as the one that can just be called, which is the same to everybody."""
    others = [seat for seat, live in enumerate(state.live) if live and seat != state.seat]
    most = max(state.stacks[seat] + state.street_bets[seat] for seat in others)
    least = state.legal.min_raise_to
    if action.kind is not ActionKind.RAISE_TO or least is None or action.amount <= most:
        return action
    return Action.raise_to(max(most, least))


def public_state(hand: Hand) -> PublicState:
    """What everybody sees of a hand in which somebody is to act."""
    return PublicState(**_seen_by_all(hand), history=public_records(hand.records))


def observe(hand: Hand, deal: int = 0, decision: int = 0) -> Observation:
    """What the seat to act sees; its hole cards must be known."""
    seen = _seen_by_all(hand)
    seat: int = seen["seat"]
    cards = hand.hole_cards[seat]
    if cards is None:
        raise CardError(f"the hole cards of seat {seat} are not known; it can only be watched")
    history = tuple(
        HoleCardsDealt(r.seat, None) if isinstance(r, HoleCardsDealt) and r.seat != seat else r for r in hand.records
    )
    return Observation(**seen, history=history, hole_cards=cards, deal=deal, decision=decision)


def _seen_by_all(hand: Hand) -> dict[str, Any]:
    return {
        "config": hand.config,
        "button": hand.button,
        "legal": hand.legal_actions(),
        "seat": hand.actor,
        "street": hand.street,
        "board": hand.board,
        "pot": hand.pot,
        "stacks": tuple(hand.stacks),
        "street_bets": tuple(hand.street_bets),
        "live": tuple(hand.live),
    }
