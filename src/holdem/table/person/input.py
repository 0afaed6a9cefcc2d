"""What a person types at the table: `f`, `c`, `r 600`, `p`, `a`, and what it means now."""

import re
from dataclasses import dataclass
from enum import Enum

from holdem.errors import IllegalAction
from holdem.game.actions import Action
from holdem.game.agent import PublicState

_AMOUNT = re.compile(r"(\d{1,12}(?:\.\d{1,6})?)\s*(bb|%|)", re.ASCII)
BETWEEN = "Enter next hand · w what the bot would have done · q leave"
HELP = """\
f          fold
c          check, or call
r 600      bet or raise so that 600 chips stand in front of you
r 6bb      the same in big blinds; r 75% is a share of the pot
h, p       bet or raise half the pot, the pot
a          all-in
w          what the bot would do in your place
e          how often your hand would win if all cards were dealt now
q          leave: your hand is folded, or checked where that is free
?          this list
"""


class Request(Enum):
    """What a person may want other than act."""

    HELP = "help"
    ADVICE = "advice"
    EQUITY = "equity"
    LEAVE = "leave"
    NEXT_HAND = "next hand"


_REQUESTS = {
    "?": Request.HELP, "help": Request.HELP,
    "w": Request.ADVICE, "what": Request.ADVICE,
    "e": Request.EQUITY, "equity": Request.EQUITY,
    "q": Request.LEAVE, "quit": Request.LEAVE, "exit": Request.LEAVE, "leave": Request.LEAVE,
}  # fmt: skip


@dataclass(frozen=True)
class Sizes:
    """Bets that have a letter, in chips on this street; None where no raise is allowed."""

    half_pot: int | None
    pot: int | None
    all_in: int | None


def sizes(state: PublicState) -> Sizes:
    """What the letters mean now: half the pot, the pot, and all chips, within the limits."""
    if not state.legal.can_raise:
        return Sizes(None, None, None)
    return Sizes(_share(state, 0.5), _share(state, 1.0), state.legal.max_raise_to)


def parse_between(text: str) -> Request:
    """The request in a line after a hand; IllegalAction if there is none in it."""
    words = text.strip().lower()
    if words in ("", "n", "next"):
        return Request.NEXT_HAND
    if words not in _REQUESTS or _REQUESTS[words] is Request.EQUITY:
        raise IllegalAction(f"{words!r:.60} is not an answer now: the hand is over; {BETWEEN}")
    return _REQUESTS[words]


def parse_input(text: str, state: PublicState) -> Action | Request:
    """The action or the request in a line; IllegalAction with what is possible if it is neither.

    A word with more behind it than it takes is not understood: `c 500` may have been meant as a bet.
    """
    words = " ".join(text.lower().split())
    if words in _REQUESTS:
        return _REQUESTS[words]
    if words in ("f", "fold"):
        if not state.legal.can_fold or not state.legal.call_amount:
            raise IllegalAction("there is nothing to fold to: c checks")
        return Action.fold()
    if words in ("c", "call", "check", "x", "k"):
        return Action.check_or_call()
    named = sizes(state)
    letters = {"h": named.half_pot, "p": named.pot, "pot": named.pot}
    letters |= dict.fromkeys(("a", "all-in", "all in"), named.all_in)
    if words in letters:
        return _raise(letters[words], state)
    word, _, rest = words.partition(" ")
    number = _AMOUNT.fullmatch(rest.removeprefix("to ") if word in ("r", "b", "raise", "bet") else words)
    if number is None:
        raise IllegalAction(f"{text.strip()!r:.60} is not a move; you may {state.legal}, and ? lists the letters")
    return _raise(_chips(float(number[1]), number[2], state), state)


def _chips(value: float, unit: str, state: PublicState) -> int:
    if unit == "bb":
        return round(value * state.config.big_blind)
    return _share(state, value / 100) if unit == "%" else round(value)


def _share(state: PublicState, share: float) -> int:
    """A raise by a share of the pot after a call, within the limits."""
    least, most = state.legal.min_raise_to or 0, state.legal.max_raise_to or 0
    level = max(state.street_bets)
    pot_after_call = state.pot + level - state.street_bets[state.seat]
    return min(max(level + round(share * pot_after_call), least), most)


def _raise(amount: int | None, state: PublicState) -> Action:
    legal = state.legal
    if amount is None or not legal.can_raise:
        raise IllegalAction(f"no raise is possible here; you may {legal}")
    action = Action.raise_to(amount)
    if not legal.allows(action):
        raise IllegalAction(f"{amount:,} is not possible; raise to {legal.min_raise_to:,} up to {legal.max_raise_to:,}")
    return action
