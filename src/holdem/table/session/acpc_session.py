"""The bot at an ACPC dealer: the same player and the same observers as at a local table, over TCP.

Asked to leave at once while it waits, it goes; while it thinks, it checks or folds and waits a moment for the end of
the hand.
"""

import secrets
from collections.abc import Sequence
from threading import Timer

from holdem.blueprint.agent import BlueprintAgent
from holdem.table.acpc.client import play_match
from holdem.table.history.observed_hand import ObservedHand, SeatObserver
from holdem.table.profiles.acpc_profile import definition_of
from holdem.table.profiles.profiles import TableProfile
from holdem.table.session.autoplay import AutoPlayer
from holdem.table.session.leave_signals import LeaveNow, LeaveSignals
from holdem.table.session.session import Limits
from holdem.util.logs import LOGGER

GRACE_SECONDS = 2.0
"""Seconds to wait for the end of a hand after the last, hurried answer."""


def play_at_dealer(
    profile: TableProfile,
    blueprint: BlueprintAgent,
    player: AutoPlayer,
    observers: Sequence[SeatObserver],
    limits: Limits,
    leave: LeaveSignals,
    seed: int | None = None,
) -> str:
    """Play until the dealer ends the match, a limit or a signal; why it ended."""
    assert profile.acpc is not None
    definition = definition_of(profile, blueprint)
    counter = _Counter(limits)
    timers: list[Timer] = []
    player.in_haste = lambda: timers.append(leave.soon(GRACE_SECONDS))
    try:
        result = play_match(
            profile.acpc.host,
            profile.acpc.port,
            player,
            definition,
            observers=[*observers, counter],
            should_stop=lambda: leave.after_hand or bool(counter.why),
            seat=profile.hero_seat,
            seed=secrets.randbits(63) if seed is None else seed,
            silence_seconds=profile.acpc.timeout_seconds,
            while_waiting=leave.interruptible,
        )
    except LeaveNow:
        return "asked to leave at once"
    finally:
        for timer in timers:
            timer.cancel()
    if result.unreadable_states or result.faults:
        LOGGER.warning("%d messages were not understood, %d answers failed", result.unreadable_states, result.faults)
    if leave.after_hand:
        return "asked to leave"
    return counter.why or "the dealer ended the match"


class _Counter(SeatObserver):
    """Looks at the limits after every hand."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.hands, self.chips, self.why = 0, 0, ""

    def hand_over(self, hand: ObservedHand) -> None:
        """Count it."""
        self.hands += 1
        self.chips += hand.payoffs[hand.seat]
        self.why = self.limits.reached(self.hands, self.chips)
