"""A player at an ACPC dealer: connects, answers every state in which it is to act, and counts chips as the dealer does.

result = play_match("localhost", 18791, agent, load_definition("holdem.nolimit.2p.reverse_blinds"))
"""

import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass

from holdem.errors import RunFailed
from holdem.game.agent import Agent, observe
from holdem.game.game import Game
from holdem.game.hand import Hand
from holdem.table.acpc.conversion import acpc_action, safe_answer
from holdem.table.acpc.game_definition import GameDefinition
from holdem.table.acpc.lines import LineSocket, connect
from holdem.table.acpc.protocol import VERSION
from holdem.table.acpc.rules import AcpcAction
from holdem.table.acpc.seat_view import HandOver, SeatView, Turn, Unreadable
from holdem.table.history.observed_hand import SeatObserver
from holdem.util.logs import LOGGER

OnHand = Callable[[Hand, float], None]


@dataclass(frozen=True)
class ClientResult:
    """How a match went for one player."""

    hands: int
    chips: float
    """Won or lost over all whole hands, as the dealer counts them."""
    unreadable_states: int
    """Messages that could not be understood; each was logged, and answered with a check or a fold where one was due."""
    faults: int
    """Times that the agent failed or gave an answer that the dealer refuses; each became a check or a fold."""
    unfinished_hands: int
    seconds: float
    slowest_decision_seconds: float
    finished: bool
    """Whether the dealer ended the match, and not the player."""


class DealerLost(RunFailed):
    """The dealer went away or fell silent in the middle of a hand; `result` counts the whole hands before it."""

    def __init__(self, message: str, result: ClientResult) -> None:
        super().__init__(message)
        self.result = result


def play_match(
    host: str,
    port: int,
    agent: Agent,
    game: GameDefinition,
    *,
    on_hand: OnHand | None = None,
    observers: Sequence[SeatObserver] = (),
    should_stop: Callable[[], bool] | None = None,
    max_hands: int | None = None,
    seat: int = 0,
    seed: int = 0,
    connect_seconds: float = 10.0,
    silence_seconds: float = 600.0,
    while_waiting: Callable[[], AbstractContextManager[None]] = nullcontext,
) -> ClientResult:
    """Play until the dealer ends the match, `max_hands` are over, or `should_stop()` is true at the end of a hand.

    `on_hand(hand, chips)` gets every finished hand: what this seat saw of it under our rules, and its chips as the
    dealer counts them. `observers` see the same as at our own table. The agent sits at `seat` in every hand, the
    others clockwise from it; `seed` keys its random streams. A KeyboardInterrupt inside the agent is answered with a
    check or a fold before it goes on its way; waiting for the dealer happens inside `while_waiting()`.
    RunFailed if no dealer answers; DealerLost if the dealer vanishes.
    """
    lines = connect(host, port, connect_seconds)
    view = SeatView(game, seat, agent.name, seed, observers)
    player = _Player(lines, view, agent, f"{host}:{port}", silence_seconds, while_waiting)
    try:
        lines.send_line(VERSION)
        return player.play(on_hand, should_stop, max_hands)
    except OSError as error:
        raise DealerLost(f"the dealer at {host}:{port} does not take our answers ({error})", player.result()) from None
    finally:
        lines.close()


def warm_up(agent: Agent, game: GameDefinition) -> None:
    """Let an agent compile and read its tables before anybody waits: it thinks through a hand that is checked down."""
    hand = Game(game.config()).new_hand(0)
    while hand.actor is not None:
        agent.act(observe(hand))
        hand.check_or_call()


class _Player:
    """One connection of one agent."""

    def __init__(
        self,
        lines: LineSocket,
        view: SeatView,
        agent: Agent,
        address: str,
        silence_seconds: float,
        while_waiting: Callable[[], AbstractContextManager[None]],
    ) -> None:
        self.lines, self.view, self.agent, self.address = lines, view, agent, address
        self.silence_seconds, self.while_waiting = silence_seconds, while_waiting
        self.faults = 0
        self.slowest = 0.0
        self.started = time.monotonic()

    def play(
        self, on_hand: OnHand | None, should_stop: Callable[[], bool] | None, max_hands: int | None
    ) -> ClientResult:
        while (line := self._next_line()) is not None:
            event = self.view.read(line)
            if isinstance(event, Turn):
                self.lines.send_line(f"{line}:{self._answer(event, line)}")
            elif isinstance(event, Unreadable) and event.answer is not None:
                self.lines.send_line(f"{line}:{event.answer}")
            elif isinstance(event, HandOver):
                if on_hand is not None:
                    on_hand(event.hand, event.chips)
                enough = max_hands is not None and self.view.hands >= max_hands
                if enough or (should_stop is not None and should_stop()):
                    return self.result(finished=False)
        if self.view.in_hand or not self.view.hands:
            where = "in the middle of a hand" if self.view.in_hand else "before the first hand"
            raise DealerLost(
                f"the dealer at {self.address} went away {where}, after {self.view.hands} whole hands; look at its log",
                self.result(),
            )
        return self.result(finished=True)

    def _next_line(self) -> str | None:
        try:
            with self.while_waiting():
                return self.lines.read_line(self.silence_seconds)
        except TimeoutError:
            raise DealerLost(
                f"the dealer at {self.address} was silent for {self.silence_seconds:g} s, after {self.view.hands} "
                "whole hands; if that is its pace, allow more time",
                self.result(),
            ) from None

    def _answer(self, turn: Turn, line: str) -> AcpcAction:
        """The agent's action in the dealer's words; a check or a fold if there is none that the dealer takes."""
        started = time.monotonic()
        betting = turn.state.betting
        try:
            action = acpc_action(self.agent.act(turn.observation), turn.hand)
            if betting.corrected(action) == action:
                return action
            reason = f"answered {action}, which the dealer does not take"
        except KeyboardInterrupt:
            self.lines.send_line(f"{line}:{safe_answer(betting)}")
            raise
        except Exception as error:  # whatever an agent does, the match goes on
            reason = f"failed with {type(error).__name__}: {error}"
        finally:
            self.slowest = max(self.slowest, time.monotonic() - started)
        self.faults += 1
        safe = safe_answer(betting)
        LOGGER.error("%s %s; answered %s to %s", self.agent.name, reason, safe, line)
        return safe

    def result(self, finished: bool = False) -> ClientResult:
        view = self.view
        seconds = time.monotonic() - self.started
        return ClientResult(
            view.hands, view.chips, view.unreadable, self.faults, view.unfinished, seconds, self.slowest, finished
        )
