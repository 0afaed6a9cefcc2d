"""What the bot would do at one decision, and everything that a person wants to know about it.

Worth is in chips, counted from the chips in front of the seat now: a fold is worth 0. It is absent where nothing was
computed.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, isnan
from typing import Any

from holdem.abstraction.betting.tree import position_names
from holdem.cards.cards import format_cards
from holdem.game.actions import Action, ActionKind
from holdem.game.agent import Observation, PublicState
from holdem.realtime.search.decision import Decision
from holdem.table.advice.rollouts import Worth
from holdem.types import STREET_NAMES
from holdem.util.words import counted

CLEAR_ERRORS = 2.0
"""Standard errors: what an estimate says beyond them is hardly chance."""
SMALLEST_LOSS = 0.005
"""Of a big blind: less is not worth a mark."""
FEW_CHIPS = 20
"""With fewer chips to a big blind, whole chips are too coarse to tell what an action is worth."""
NOT_COMPUTED = "not computed"
ROUNDING = 1e-6
"""Of a per cent: what single precision takes off a whole one."""


@dataclass(frozen=True)
class Recommendation:
    """A decision with the state it is for."""

    observation: Observation
    decision: Decision
    worth: Worth | None = None
    """The rollouts that the decision's worth comes from, None if it was solved or not computed."""
    ev_source: str = NOT_COMPUTED

    @property
    def ev_errors(self) -> tuple[float, ...] | None:
        """Standard errors of worth that was estimated; None where it was not: how accurate a solve is says nothing
        about the worth of a single action."""
        return None if self.worth is None or self.worth.exact else self.worth.errors

    @property
    def shown(self) -> list[int]:
        """The places of the actions whose worth is shown."""
        return [place for place, ev in enumerate(self.decision.evs or ()) if not isnan(ev)]

    @property
    def best(self) -> int | None:
        """The place of the action that is worth most, of those whose worth is shown; None if there are none."""
        evs = self.decision.evs or ()
        return max(self.shown, key=lambda place: evs[place], default=None)

    def lost(self, taken: Sequence[float]) -> tuple[float | None, float | None]:
        """What a mixture of the actions loses to the best one, and the standard error of that; None where nothing was
        estimated. Nobody loses less than nothing: an estimate below zero is one of zero.

        Nothing is known of a mixture with an action whose worth is not shown.
        """
        evs, best, shown = self.decision.evs, self.best, self.shown
        if evs is None or best is None or any(share for place, share in enumerate(taken) if place not in shown):
            return None, None
        if self.worth is not None and not self.worth.exact:
            lost, error = self.worth.lost_to_best(taken, shown)
            return (None, None) if isnan(lost) else (max(0.0, lost), error or None)
        return max(0.0, evs[best] - sum(taken[place] * evs[place] for place in shown)), None

    @property
    def percents(self) -> list[int]:
        """The frequencies in whole per cent, which add up to a hundred: by largest remainder, the first of equals."""
        exact = [100.0 * share for share in self.decision.probabilities]
        whole = [int(percent + ROUNDING) for percent in exact]
        left = max(0, round(sum(exact)) - sum(whole))
        by_rest = sorted(range(len(exact)), key=lambda place: whole[place] - exact[place])
        return [percent + (place in by_rest[:left]) for place, percent in enumerate(whole)]

    @property
    def digits(self) -> int:
        """Behind the point of chips that are worth showing."""
        return chip_digits(self.observation)

    @property
    def caveats(self) -> list[str]:
        """Sentences on why the figures are not quite the truth, each to be shown by itself; mostly there are none."""
        given_up = [] if self.decision.accuracy is not None or not self.accuracy_words else [self.accuracy_words]
        return [*self.decision.caveats, *given_up]

    @property
    def accuracy_words(self) -> str:
        """How far the worth can be trusted, beyond the errors beside it; empty where there is nothing to say."""
        decision = self.decision
        if decision.accuracy is not None and decision.evs is not None:
            scale = 10**self.digits
            whole, own = (ceil(scale * of) / scale for of in (decision.accuracy, decision.hand_accuracy or 0.0))
            with_hand = f", {own:,.{self.digits}f} with this hand" if own > whole else ""
            return f"solved to within {_chips(whole, self.digits)}{with_hand}"
        if self.worth is None or decision.hardly_comes_here:  # by a guess nothing is given up
            return ""
        given_up, error = self.lost(self._shown())
        if given_up is None or given_up <= max(CLEAR_ERRORS * (error or 0.0), smallest_loss(self.observation)):
            return ""
        chips = _chips(given_up, self.digits)
        return f"by these figures the blueprint's own mixture gives up {chips}; it is trained, not solved"

    def _shown(self) -> list[float]:
        """The mixture of the actions whose worth is shown."""
        shown = self.shown
        shares = [share if place in shown else 0.0 for place, share in enumerate(self.decision.probabilities)]
        return [share / (sum(shares) or 1.0) for share in shares]

    @property
    def chosen_words(self) -> str:
        """`raise to 900`."""
        return self.words(self.decision.chosen)

    def words(self, action: Action) -> str:
        """An action as people say it here."""
        return words_of(action, self.observation)

    @property
    def how(self) -> str:
        """`search, 312 iterations, 78 ms (river, 1,081 nodes)`."""
        decision = self.decision
        iterations = f", {counted(decision.iterations, 'iteration')}" if decision.iterations else ""
        note = f" ({decision.note})" if decision.note else ""
        return f"{decision.method.value}{iterations}, {decision.seconds * 1000:.1f} ms{note}"

    def to_plain(self) -> dict[str, Any]:
        """What a JSON line holds."""
        seen, decision = self.observation, self.decision
        return {
            "street": STREET_NAMES[seen.street],
            "seat": seen.seat,
            "position": position_name(seen),
            "board": format_cards(seen.board),
            "hole_cards": format_cards(seen.hole_cards),
            "pot": seen.pot,
            "to_call": seen.legal.call_amount,
            "stack": seen.stacks[seen.seat],
            "actions": [self._plain_action(index, percent) for index, percent in enumerate(self.percents)],
            "chosen": plain_action(decision.chosen, seen),
            "method": decision.method.value,
            "iterations": decision.iterations,
            "milliseconds": round(decision.seconds * 1000, 3),
            "note": decision.note,
            "ev_source": self.ev_source,
            "digits": self.digits,
            "accuracy_words": self.accuracy_words,
            "accuracy": _rounded(decision.accuracy),
            "hand_accuracy": _rounded(decision.hand_accuracy),
            "off_the_line": decision.off_the_line,
            "outside_range": decision.outside_range,
            "caveats": self.caveats,
        }

    def _plain_action(self, index: int, percent: int) -> dict[str, Any]:
        decision = self.decision
        ev = None if decision.evs is None or isnan(decision.evs[index]) else decision.evs[index]
        errors = self.ev_errors
        error = None if ev is None or errors is None else _rounded(errors[index])
        return {
            **plain_action(decision.actions[index], self.observation),
            "frequency": round(decision.probabilities[index], 6),
            "percent": percent,
            "ev": _rounded(ev),
            "ev_error": error,
            "ev_standard_error": error,
        }


def chip_digits(state: PublicState) -> int:
    """Digits behind the point of chips that are worth showing: none where a big blind has many chips."""
    return 2 if state.config.big_blind < FEW_CHIPS else 0


def smallest_loss(state: PublicState) -> float:
    """Chips: less is not worth a mark."""
    return SMALLEST_LOSS * state.config.big_blind


def _chips(amount: float, digits: int) -> str:
    """`1 chip` at least, `0.05 chips`."""
    if digits:
        return f"{max(amount, 10.0**-digits):,.{digits}f} chips"
    return counted(max(round(amount), 1), "chip")


def _rounded(number: float | None) -> float | None:
    return None if number is None or isnan(number) else round(number, 3)


def position_name(state: PublicState) -> str:
    """`SB`, `BB`, `UTG` … `BTN` of the seat to act."""
    return position_names(state.config)[state.position]


def plain_action(action: Action, state: PublicState) -> dict[str, Any]:
    """An action in words and as a number: the total on this street of a raise, the chips of a call."""
    amount = {
        ActionKind.FOLD: 0,
        ActionKind.CHECK_OR_CALL: state.legal.call_amount,
        ActionKind.RAISE_TO: action.amount,
    }[action.kind]
    return {"action": words_of(action, state), "amount": amount}


def words_of(action: Action, state: PublicState) -> str:
    """`fold`, `check`, `call 300`, `bet 500`, `raise to 900`, with `all-in` where it is."""
    call, stack = state.legal.call_amount, state.stacks[state.seat]
    if action.kind is ActionKind.FOLD:
        return "fold"
    if action.kind is ActionKind.CHECK_OR_CALL:
        return f"call {call}{' all-in' if call == stack else ''}" if call else "check"
    verb = "raise to" if any(state.street_bets) else "bet"
    return f"{verb} {action.amount}{' all-in' if action.amount == stack + state.street_bets[state.seat] else ''}"
