"""What the bot would do at one decision, and everything that a person wants to know about it.

Worth is in chips, counted from the chips in front of the seat now: a fold is worth 0. It is absent where nothing was
computed.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan
from typing import Any

from holdem.abstraction.betting.tree import position_names
from holdem.cards.cards import format_cards
from holdem.game.actions import Action, ActionKind
from holdem.game.agent import Observation, PublicState
from holdem.realtime.search.decision import Decision
from holdem.table.advice.rollouts import Worth
from holdem.types import STREET_NAMES
from holdem.util.words import counted

NOT_COMPUTED = "not computed"


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
        """Standard errors of the worth; None where it is exact or absent."""
        return None if self.worth is None or self.worth.exact else self.worth.errors

    def lost(self, taken: Sequence[float]) -> tuple[float | None, float | None]:
        """What a mixture of the actions loses to the decision's own, and the standard error of an estimate."""
        decision = self.decision
        if self.worth is not None:
            lost, error = self.worth.lost(taken, decision.probabilities)
            return (None, None) if isnan(lost) else (lost, None if self.worth.exact else error)
        if decision.evs is None:
            return None, None
        gain = [own - other for own, other in zip(decision.probabilities, taken, strict=True)]
        return sum(share * ev for share, ev in zip(gain, decision.evs, strict=True)), None

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
            "actions": [self._plain_action(index) for index in range(len(decision.actions))],
            "chosen": plain_action(decision.chosen, seen),
            "method": decision.method.value,
            "iterations": decision.iterations,
            "milliseconds": round(decision.seconds * 1000, 3),
            "note": decision.note,
            "ev_source": self.ev_source,
        }

    def _plain_action(self, index: int) -> dict[str, Any]:
        decision = self.decision
        evs, errors = decision.evs, self.ev_errors
        return {
            **plain_action(decision.actions[index], self.observation),
            "frequency": round(decision.probabilities[index], 6),
            "ev": None if evs is None or isnan(evs[index]) else round(evs[index], 3),
            "ev_standard_error": None if errors is None or isnan(errors[index]) else round(errors[index], 3),
        }


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
