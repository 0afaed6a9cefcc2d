"""A dealer for local matches: listens on one port for each seat, deals, tells every player every state, keeps score.

It deals the same cards for a seed, takes the same actions, corrects or refuses the others and writes the same log as
the competition's own `dealer` program: an illegal raise becomes the nearest legal one, any other illegal action a
call, and a player who leaves or takes too long ends the match.

A duplicate match plays its deals once for each rotation of the seats, all of them before any comes again, so that over
a deal everybody has held everybody's cards. Players are told of one long match: hands are numbered through.
"""

import socket
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TextIO

import numpy as np

from holdem.cards.cards import Cards
from holdem.errors import ConfigError, RunFailed
from holdem.evaluation.match.win_rates import WinRate
from holdem.table.acpc.deal import MatchDeck
from holdem.table.acpc.game_definition import GameDefinition
from holdem.table.acpc.lines import LineSocket
from holdem.table.acpc.protocol import VERSION, format_state_cards, is_comment, parse_action, visible_state
from holdem.table.acpc.rules import CALL, AcpcAction, AcpcBetting, hand_values
from holdem.util.logs import LOGGER

CHIP_DECIMALS = 6


@dataclass(frozen=True)
class TimeLimits:
    """How long players may take; the competition's defaults."""

    response_seconds: float = 600.0
    hand_seconds: float = 600.0
    average_hand_seconds: float = 7.0
    """Over the whole match."""
    start_seconds: float | None = None
    """To wait for all players to connect; None waits for ever."""


@dataclass(frozen=True)
class MatchScore:
    """Chips of each seat over a match; fractions come from split pots."""

    names: tuple[str, ...]
    chips: tuple[float, ...]
    hands: int

    def line(self) -> str:
        """`SCORE:150|-150:Alice|Bob`."""
        return f"SCORE:{'|'.join(map(format_chips, self.chips))}:{'|'.join(self.names)}"


def format_chips(chips: float) -> str:
    """At most six decimals, without zeros at the end."""
    text = f"{chips:.{CHIP_DECIMALS}f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


class MatchDealer:
    """One match. `listen()` opens the ports, `run()` waits for the players and plays."""

    def __init__(
        self,
        game: GameDefinition,
        hands: int,
        seed: int = 0,
        names: Sequence[str] = (),
        *,
        title: str = "match",
        host: str = "127.0.0.1",
        ports: Sequence[int] = (),
        limits: TimeLimits | None = None,
        fixed_seats: bool = False,
        duplicate: bool = False,
        log: TextIO | None = None,
        transcript: Callable[[str], None] | None = None,
        on_hand: Callable[[int], None] | None = None,
    ) -> None:
        """`names` and `ports` by seat (port 0 is any free one); `log` gets a line a hand, `transcript` every message.

        Seats move on by one position every hand unless `fixed_seats`; `on_hand(number)` follows every hand. A
        `duplicate` match has at least `hands` hands, whole deals of one for each seat.
        """
        count = game.num_players
        self.rotations = count if duplicate else 1
        """How often each deal is played."""
        self.deals = -(-hands // self.rotations)
        self.game, self.hands, self.seed, self.title = game, self.deals * self.rotations, seed, title
        self.names = tuple(names) or tuple(f"player{seat + 1}" for seat in range(count))
        self.limits = limits or TimeLimits()
        self.fixed_seats, self.log, self.transcript, self.on_hand = fixed_seats, log, transcript, on_hand
        self.chips = [0.0] * count
        """Won or lost so far, by seat."""
        self.hands_played = 0
        self._chips_of_hands: list[list[float]] = []
        """By hand, by seat."""
        self.seconds = 0.0
        """Since every player had connected."""
        self.corrected = [0] * count
        """Actions that were not legal, by seat."""
        self._host, self._wanted_ports = host, tuple(ports) or (0,) * count
        for what, given in (("names", self.names), ("ports", self._wanted_ports)):
            if len(given) != count:
                raise ConfigError(f"{len(given)} {what} for {count} seats; give one per seat")
        if any(set("|:\r\n") & set(name) or not name for name in self.names):
            raise ConfigError("names of players must not be empty and have no | or : in them")
        self._listeners: list[socket.socket] = []
        self._players: list[LineSocket] = []
        self._used_in_hand = [0.0] * count
        self._used_in_match = [0.0] * count

    # Connecting

    def listen(self) -> tuple[int, ...]:
        """Open a port for each seat; the ports."""
        for port in self._wanted_ports:
            try:
                self._listeners.append(socket.create_server((self._host, port), backlog=1))
            except OSError as error:
                self.close()
                reason = error.strerror or str(error)
                raise RunFailed(f"cannot listen on {self._host}:{port} ({reason}); choose another port") from None
        return tuple(listener.getsockname()[1] for listener in self._listeners)

    def close(self) -> None:
        """Close every port and connection."""
        for listener in self._listeners:
            listener.close()
        for player in self._players:
            player.close()
        self._listeners, self._players = [], []

    def _accept_all(self) -> None:
        wait = self.limits.start_seconds
        deadline = None if wait is None else time.monotonic() + wait
        for seat, listener in enumerate(self._listeners):
            left = None if deadline is None else max(0.001, deadline - time.monotonic())
            listener.settimeout(left)
            try:
                connection, _ = listener.accept()
            except TimeoutError:
                raise RunFailed(f"seat {seat + 1} ({self.names[seat]}) did not connect within {wait:g} s") from None
            listener.close()
            self._players.append(LineSocket(connection))
        for seat, player in enumerate(self._players):
            self._check_version(seat, player, deadline)

    def _check_version(self, seat: int, player: LineSocket, deadline: float | None) -> None:
        left = None if deadline is None else max(0.001, deadline - time.monotonic())
        try:
            line = player.read_line(left) or ""
        except TimeoutError:
            line = ""
        if line.rsplit(".", 1)[0] != VERSION.rsplit(".", 1)[0]:
            raise RunFailed(f"seat {seat + 1} ({self.names[seat]}) began with {line[:40]!r}, which is not {VERSION}")

    # Playing

    def run(self) -> MatchScore:
        """Play the whole match; RunFailed if a player does not connect, leaves or takes too long."""
        if not self._listeners:
            self.listen()
        try:
            self._write_log(self.first_lines())
            self._accept_all()
            started = time.monotonic()
            for number in range(self.hands):
                if number % self.deals == 0:
                    deck = MatchDeck(self.game, self.seed)
                self._play_hand(number, *deck.deal())
                self.hands_played += 1
                self.seconds = time.monotonic() - started
                if self.on_hand is not None:
                    self.on_hand(number)
            self._write_log(self.score().line())
        finally:
            self.close()
        return self.score()

    def score(self) -> MatchScore:
        """The score after the hands played so far."""
        return MatchScore(self.names, tuple(self.chips), self.hands_played)

    def win_rates(self) -> list[WinRate]:
        """By seat, over the deals that were played as often as they should be."""
        whole = max(0, self.hands_played - (self.rotations - 1) * self.deals)
        hands = np.array(self._chips_of_hands[: self.hands_played]).reshape(-1, self.game.num_players)
        chips = np.zeros((whole, self.game.num_players))
        for first in range(0, self.hands, self.deals):
            chips += hands[first : first + whole]
        # Thirds of split pots do not add up to nothing in floating point; the score has six decimals too.
        chips = np.round(chips, CHIP_DECIMALS)
        return [WinRate.of_deals(chips[:, seat], self.rotations, self.game.big_blind) for seat in range(chips.shape[1])]

    def first_lines(self) -> str:
        """The comments at the head of a log."""
        limits = self.limits
        times = (limits.response_seconds, limits.hand_seconds, limits.average_hand_seconds)
        words = zip(("t_response", "t_hand", "t_per_hand"), times, strict=True)
        options = "".join(f"\n#--{word} {1000 * seconds:.0f}" for word, seconds in words)
        return f"# name/game/hands/seed {self.title} {self.game.name}.game {self.hands} {self.seed}{options}"

    def _play_hand(self, number: int, hole_cards: tuple[Cards, ...], board: Cards) -> None:
        betting = AcpcBetting(self.game)
        rotation, deal = divmod(number, self.deals)
        shift = rotation + (0 if self.fixed_seats else deal)
        count = self.game.num_players
        self._used_in_hand = [0.0] * count
        while not betting.finished:
            messages = self._tell(number, shift, betting, hole_cards, board)
            seat = (betting.current_player + shift) % count
            betting.apply(self._ask(seat, number, messages[seat], betting))
        values = hand_values(betting, hole_cards, board)
        won = [values[(seat - shift) % count] for seat in range(count)]
        self.chips = [before + chips for before, chips in zip(self.chips, won, strict=True)]
        self._chips_of_hands.append(won)
        cards = format_state_cards(betting, hole_cards, board)
        names = [self.names[(player + shift) % count] for player in range(count)]
        chips = "|".join(map(format_chips, values))
        self._write_log(f"STATE:{number}:{betting.betting()}:{cards}:{chips}:{'|'.join(names)}")
        self._tell(number, shift, betting, hole_cards, board)

    def _tell(
        self, number: int, shift: int, betting: AcpcBetting, hole_cards: tuple[Cards, ...], board: Cards
    ) -> list[str]:
        """Send every seat its view of the hand; the messages by seat."""
        count = self.game.num_players
        messages = []
        for seat, player in enumerate(self._players):
            state = visible_state((seat - shift) % count, number, betting, hole_cards, board)
            messages.append(state.text())
            try:
                player.send_line(messages[-1])
            except OSError:
                raise self._gone(seat, number) from None
            self._note("TO", seat, messages[-1])
        return messages

    def _ask(self, seat: int, number: int, message: str, betting: AcpcBetting) -> AcpcAction:
        """The legal action that a seat answers with, or that the dealer makes of its answer."""
        limits = self.limits
        left_in_match = limits.average_hand_seconds * self.hands - self._used_in_match[seat]
        left_in_hand = limits.hand_seconds - self._used_in_hand[seat]
        started = time.monotonic()
        deadline = started + min(limits.response_seconds, left_in_hand, left_in_match)
        while True:
            try:
                line = self._players[seat].read_line(max(0.001, deadline - time.monotonic()))
            except TimeoutError:
                raise RunFailed(f"seat {seat + 1} ({self.names[seat]}) ran out of time in hand {number}") from None
            if line is None:
                raise self._gone(seat, number)
            self._note("FROM", seat, line)
            if is_comment(line):
                continue
            if line == message or line.startswith(f"{message}:"):
                break
            LOGGER.warning("seat %d: ignoring a response to another state: %r", seat + 1, line)
        used = time.monotonic() - started
        self._used_in_hand[seat] += used
        self._used_in_match[seat] += used
        return self._legal(seat, line[len(message) + 1 :], betting)

    def _legal(self, seat: int, text: str, betting: AcpcBetting) -> AcpcAction:
        asked = parse_action(text)
        action = CALL if asked is None else betting.corrected(asked)
        if action != asked:
            self.corrected[seat] += 1
            LOGGER.warning("seat %d: %r is not legal, changed to %s", seat + 1, text[:40], action)
        return action

    def _gone(self, seat: int, number: int) -> RunFailed:
        return RunFailed(f"seat {seat + 1} ({self.names[seat]}) left the match in hand {number}; start it again")

    def _note(self, direction: str, seat: int, line: str) -> None:
        if self.transcript is not None:
            self.transcript(f"{direction} {seat + 1} at {time.time():.6f} {line}")

    def _write_log(self, text: str) -> None:
        if self.log is not None:
            with suppress(ValueError):  # closed by its owner
                self.log.write(f"{text}\n")
                self.log.flush()
