"""Agents and scripted ends of a connection for the ACPC tests."""

import socket
import threading
from collections.abc import Callable

from holdem.game.actions import Action
from holdem.game.agent import Observation
from holdem.table.acpc.client import ClientResult, play_match
from holdem.table.acpc.dealer import MatchDealer
from holdem.table.acpc.game_definition import GameDefinition


class RandomAgent:
    """Folds, calls and raises at random; raises end hands soon enough."""

    def __init__(self, name: str = "random") -> None:
        self.name = name
        self.decisions = 0

    def act(self, observation: Observation) -> Action:
        self.decisions += 1
        random, legal = observation.random(), observation.legal
        draw = random.random()
        if legal.min_raise_to is not None and legal.max_raise_to is not None and draw < 0.3:
            most = min(legal.max_raise_to, 4 * legal.min_raise_to)
            return Action.raise_to(int(random.integers(legal.min_raise_to, most, endpoint=True)))
        return Action.fold() if legal.can_fold and draw > 0.85 else Action.check_or_call()


class CallingAgent:
    """Checks and calls."""

    name = "caller"

    def act(self, observation: Observation) -> Action:
        return Action.check_or_call()


def play_with(dealer: MatchDealer, game: GameDefinition, agents: list[RandomAgent]) -> list[ClientResult]:
    """Every agent plays one seat of a dealer over TCP; their results by seat."""
    ports = dealer.listen()
    results: list[ClientResult | None] = [None] * len(agents)

    def play(seat: int) -> None:
        results[seat] = play_match("127.0.0.1", ports[seat], agents[seat], game, seed=seat)

    threads = [threading.Thread(target=play, args=(seat,)) for seat in range(len(agents))]
    for thread in threads:
        thread.start()
    dealer.run()
    for thread in threads:
        thread.join(timeout=30)
    return [result for result in results if result is not None]


class ScriptedDealer:
    """Accepts one player and does to it what a function says, in a thread."""

    def __init__(self, script: Callable[[socket.socket], None]) -> None:
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self.listener.getsockname()[1]
        self.received = b""
        self._script = script
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        connection, _ = self.listener.accept()
        with connection:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._script(connection)
            connection.shutdown(socket.SHUT_WR)
            connection.settimeout(10)
            while block := connection.recv(65_536):
                self.received += block

    def answers(self) -> list[str]:
        """All lines that the player sent, once it is gone."""
        self._thread.join(timeout=20)
        self.listener.close()
        return self.received.decode().splitlines()
