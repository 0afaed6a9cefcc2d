"""A dry run at an ACPC dealer: a proxy between another agent and the dealer, with an observer beside the agent's seat.

The protocol has no observers, so we sit in the wire. Bytes pass as they came, at once, in both directions, whatever the
observer does; the observer gets a copy of what the dealer says to the seat. Nothing here makes an answer: whatever
reaches the dealer was sent by the agent.
"""

import queue
import socket
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from holdem.errors import RunFailed
from holdem.table.acpc.client import OnHand
from holdem.table.acpc.game_definition import GameDefinition
from holdem.table.acpc.protocol import MAX_LINE_BYTES
from holdem.table.acpc.seat_view import HandOver, SeatView
from holdem.table.history.observed_hand import SeatObserver

_BLOCK = 65_536


@dataclass(frozen=True)
class WatchResult:
    """What was seen of a match from beside one seat."""

    hands: int
    chips: float
    """Of the watched agent, as the dealer counts them."""
    unreadable_states: int
    unfinished_hands: int
    finished: bool
    """Whether the connection ended between two hands."""


class Proxy:
    """Listens for one agent, connects it to a dealer, and lets observers follow its seat."""

    def __init__(
        self,
        dealer_host: str,
        dealer_port: int,
        game: GameDefinition,
        *,
        listen_host: str = "127.0.0.1",
        listen_port: int = 0,
        observers: Sequence[SeatObserver] = (),
        on_hand: OnHand | None = None,
        should_stop: Callable[[], bool] | None = None,
        max_hands: int | None = None,
        seat: int = 0,
        name: str = "watched",
        seed: int = 0,
        start_seconds: float = 600.0,
        connect_seconds: float = 10.0,
    ) -> None:
        """`listen_port` 0 is any free one, see `port`; the agent sits at `seat` in every hand that observers see."""
        self._dealer = (dealer_host, dealer_port)
        self._view = SeatView(game, seat, name, seed, observers)
        self._on_hand, self._should_stop, self._max_hands = on_hand, should_stop, max_hands
        self._start_seconds, self._connect_seconds = start_seconds, connect_seconds
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        try:
            self._listener = socket.create_server((listen_host, listen_port), backlog=1)
        except OSError as error:
            reason = error.strerror or str(error)
            raise RunFailed(f"cannot listen on {listen_host}:{listen_port} ({reason}); choose another port") from None

    @property
    def port(self) -> int:
        """Where the agent should connect."""
        port: int = self._listener.getsockname()[1]
        return port

    def close(self) -> None:
        """Stop listening."""
        self._listener.close()

    def run(self) -> WatchResult:
        """Wait for the agent, connect to the dealer, and follow the match to its end.

        After `max_hands`, or when `should_stop()` is true at the end of a hand, the watching ends and so does the
        connection. RunFailed if the agent does not come or the dealer does not answer.
        """
        self._listener.settimeout(self._start_seconds)
        try:
            agent, _ = self._listener.accept()
        except TimeoutError:
            raise RunFailed(
                f"no agent connected to port {self.port} within {self._start_seconds:g} s; start it with this port"
            ) from None
        finally:
            self.close()
        dealer = self._connect(agent)
        pumps = [
            threading.Thread(target=self._pump, args=(dealer, agent, True), daemon=True),
            threading.Thread(target=self._pump, args=(agent, dealer, False), daemon=True),
        ]
        for pump in pumps:
            pump.start()
        try:
            return self._watch()
        finally:
            for connection in (agent, dealer):
                with suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)
            for pump in pumps:
                pump.join(timeout=5.0)
            agent.close()
            dealer.close()

    def _connect(self, agent: socket.socket) -> socket.socket:
        deadline = time.monotonic() + self._connect_seconds
        while True:
            try:
                dealer = socket.create_connection(self._dealer, timeout=max(0.05, deadline - time.monotonic()))
                break
            except OSError as error:
                if time.monotonic() + 0.1 >= deadline:
                    agent.close()
                    host, port = self._dealer
                    reason = error.strerror or str(error)
                    raise RunFailed(f"no dealer answers at {host}:{port} ({reason}); start it first") from None
            time.sleep(0.1)
        for connection in (agent, dealer):
            connection.settimeout(None)
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return dealer

    def _pump(self, source: socket.socket, target: socket.socket, copy: bool) -> None:
        """Pass bytes on until one side closes; with `copy`, whole lines go to the observer as well."""
        rest = b""
        with suppress(OSError):
            while block := source.recv(_BLOCK):
                target.sendall(block)
                if copy:
                    *lines, rest = (rest + block).split(b"\n")
                    rest = rest[-MAX_LINE_BYTES:]
                    for line in lines:
                        self._lines.put(line.decode("ascii", errors="backslashreplace").rstrip("\r"))
        with suppress(OSError):
            target.shutdown(socket.SHUT_WR)
        if copy:
            self._lines.put(None)

    def _watch(self) -> WatchResult:
        view = self._view
        while (line := self._lines.get()) is not None:
            event = view.read(line)
            if isinstance(event, HandOver):
                if self._on_hand is not None:
                    self._on_hand(event.hand, event.chips)
                enough = self._max_hands is not None and view.hands >= self._max_hands
                if enough or (self._should_stop is not None and self._should_stop()):
                    break
        return WatchResult(view.hands, view.chips, view.unreadable, view.unfinished, not view.in_hand)
