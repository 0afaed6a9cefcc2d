"""An opponent in another process: any program that speaks the ACPC protocol, at a table of ours.

The program is started as its author meant it, `COMMAND HOST PORT`, connects, and is told the state at each of its
turns; what it answers is done if the rules allow it. It sees its own cards and nothing else that is hidden.
"""

import shlex
import socket
import subprocess
import time
from contextlib import suppress

from holdem.errors import ConfigError, HoldemError, RunFailed
from holdem.game.actions import Action
from holdem.game.agent import Observation
from holdem.game.records import Bet, BoardDealt, Call, Check, Fold, HandStarted, Raise
from holdem.realtime.waiting import nobody_waits
from holdem.table.acpc.game_definition import definition_of
from holdem.table.acpc.lines import LineSocket
from holdem.table.acpc.protocol import VERSION, MatchState, is_comment, parse_action
from holdem.table.acpc.rules import CALL, FOLD, AcpcAction, AcpcBetting
from holdem.types import GameConfig

HOST = "127.0.0.1"
LOOK_SECONDS = 0.1


class ProcessAgent:
    """An `Agent` that asks another program."""

    def __init__(
        self, command: str, game: GameConfig, *, start_seconds: float = 60.0, answer_seconds: float = 60.0
    ) -> None:
        self.command, self.answer_seconds = command, answer_seconds
        self._definition = definition_of(game)
        self._hand = -1
        with socket.create_server((HOST, 0), backlog=1) as listener:
            words = [*shlex.split(command), HOST, str(listener.getsockname()[1])]
            try:
                # A session of its own: Ctrl+C at our terminal is for us, and we end the program when we leave.
                self.process = subprocess.Popen(
                    words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, start_new_session=True
                )
            except OSError as error:
                reason = error.strerror or type(error).__name__
                raise ConfigError(f"process:{command} cannot be started ({reason}); check the command") from None
            self._lines = self._accept(listener, start_seconds)

    @property
    def name(self) -> str:
        """What tables and histories call it."""
        return self.command

    def act(self, observation: Observation) -> Action:
        """The answer of the program; an error if it has ended, is silent or cannot be understood."""
        self._hand += observation.decision == 0
        message, earlier = self._state(observation)
        state = message.text()
        self._lines.send_line(state, self.answer_seconds)
        while True:
            try:
                line = self._read_line()
            except TimeoutError:
                raise RunFailed(f"{self.command} did not answer within {self.answer_seconds:g} s") from None
            if line is None:
                raise RunFailed(f"{self.command} has gone away")
            if not is_comment(line) and line.startswith(f"{state}:"):
                break
        found = parse_action(line.removeprefix(f"{state}:"))
        if found is None:
            raise HoldemError(f"{self.command} answered {line!r}, which is no action")
        if found.letter == "r":
            return Action.raise_to(found.size - earlier)
        return Action.fold() if found == FOLD else Action.check_or_call()

    def _read_line(self) -> str | None:
        """The next line, waited for in short pieces: whoever waits with us may go away."""
        deadline = time.monotonic() + self.answer_seconds
        while True:
            try:
                return self._lines.read_line(min(LOOK_SECONDS, self.answer_seconds))
            except TimeoutError:
                if nobody_waits():
                    raise RunFailed(f"nobody waits for {self.command} any more") from None
                if time.monotonic() >= deadline:
                    raise

    def close(self) -> None:
        """End the program."""
        self._lines.close()
        self.process.terminate()
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(timeout=5.0)
            return
        self.process.kill()
        self.process.wait()

    def _accept(self, listener: socket.socket, seconds: float) -> LineSocket:
        listener.settimeout(seconds)
        try:
            lines = LineSocket(listener.accept()[0])
            line = lines.read_line(seconds)
        except TimeoutError:
            line = None
        if line is None or not line.startswith(VERSION.rsplit(".", 1)[0]):
            self.process.kill()
            self.process.wait()
            what = "did not connect" if line is None else f"began with {line[:40]!r}, not {VERSION}"
            raise RunFailed(f"process:{self.command} {what}; it must be a player of the ACPC protocol")
        return lines

    def _state(self, seen: Observation) -> tuple[MatchState, int]:
        """The observation as a state message, and the chips that the seat put in on earlier streets."""
        count = seen.config.num_players
        started = next(record for record in seen.history if isinstance(record, HandStarted))
        by_position = tuple(started.stacks[(seen.button + 1 + position) % count] for position in range(count))
        if by_position != self._definition.stacks:
            raise HoldemError("the ACPC protocol has the same stacks in every hand; let them start anew at this table")
        betting, earlier = AcpcBetting(self._definition), 0
        for record in seen.history:
            match record:
                case BoardDealt():
                    earlier = betting.max_spent  # whoever can still bet has matched that
                case Fold():
                    betting.apply(FOLD)
                case Check() | Call():
                    betting.apply(CALL)
                case Bet(amount=amount) | Raise(amount=amount):
                    betting.apply(AcpcAction("r", amount + earlier))
        cards = tuple(seen.hole_cards if position == seen.position else () for position in range(count))
        return MatchState(seen.position, self._hand, betting, cards, seen.board), earlier
