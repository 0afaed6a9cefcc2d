"""A thousand hands over TCP: our dealer and a calling opponent in processes of their own, our agent in this one.

The agent is the blueprint of `make train` if it is there, else a baseline. Beside it stands the same match with an
agent that only calls, which is what the protocol itself costs.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.measurement import Measurement, best_seconds
from holdem.game.actions import Action
from holdem.game.agent import Agent, Observation
from holdem.game.hand import Hand
from holdem.realtime.search.specs import open_agent
from holdem.table.acpc.client import play_match
from holdem.table.acpc.conversion import hand_of
from holdem.table.acpc.game_definition import standard_game
from holdem.table.acpc.protocol import parse_state
from holdem.table.acpc.seat_view import SeatView
from holdem.table.history.hand_history import HandHistory

HANDS = 1_000
GAME = standard_game(2)
BLUEPRINT = Path("runs/blueprint")
STATE = "MATCHSTATE:1:31:r300r900c/r1800r3600r9000:|JdTc/6dJc9c"
LAST_STATE = "MATCHSTATE:1:31:r300r900c/r1800r3600r9000c/r20000c/:KsJs|JdTc/6dJc9c/Kh/Qc"


def run() -> list[Measurement]:
    """Seconds for the match, the slowest decisions, and what one message and one record cost."""
    spec = str(BLUEPRINT) if (BLUEPRINT / "avg_policy.json").exists() else "tight-aggressive"
    agent = _Timed(open_agent(spec, GAME.config()))
    _play(agent, 50)  # compile and fill caches
    agent.seconds.clear()
    seconds = _play(agent, HANDS)
    calling = _play(_Caller(), HANDS)
    slow = sorted(agent.seconds)[int(0.99 * len(agent.seconds))]
    return [
        Measurement(f"{HANDS:,} ACPC hands, {spec}", seconds, "s", "only calling", calling, target="≤ 30 s"),
        Measurement(f"99th percentile of its {len(agent.seconds):,} decisions", slow * 1e3, "ms", target="≤ 2 ms"),
        Measurement("one state message read as a decision", _message_seconds() * 1e6, "µs"),
        Measurement("one hand recorded and flushed to disk", _record_seconds() * 1e3, "ms"),
    ]


class _Timed:
    """An agent and how long each of its decisions took."""

    def __init__(self, agent: Agent) -> None:
        self.agent, self.name = agent, agent.name
        self.seconds: list[float] = []

    def act(self, observation: Observation) -> Action:
        start = time.perf_counter()
        action = self.agent.act(observation)
        self.seconds.append(time.perf_counter() - start)
        return action


class _Caller:
    name = "caller"

    def act(self, observation: Observation) -> Action:
        return Action.check_or_call()


def _play(agent: Agent, hands: int) -> float:
    """Seconds of a match, from the end of the first hand to the end of the last, for all of its hands."""
    command = [sys.executable, "-m", "holdem.cli.dealer", "--hands", str(hands)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as dealer:
        assert dealer.stdout is not None
        ours, theirs = dealer.stdout.readline().split()
        command = [sys.executable, "-m", "holdem.cli.acpc", "127.0.0.1", theirs, "--agent", "always-call"]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL):
            times: list[float] = []

            def note(hand: Hand, chips: float) -> None:
                times.append(time.perf_counter())

            result = play_match("127.0.0.1", int(ours), agent, GAME, on_hand=note)
    assert (result.hands, result.faults, result.unreadable_states) == (hands, 0, 0)
    return (times[-1] - times[0]) * hands / (hands - 1)


def _message_seconds() -> float:
    view = SeatView(GAME)
    return best_seconds(lambda: [view.read(STATE) for _ in range(200)]) / 200


def _record_seconds() -> float:
    hand = hand_of(parse_state(LAST_STATE, GAME), GAME.config())
    with tempfile.TemporaryDirectory() as folder, HandHistory.open(Path(folder) / "hands.phhs") as history:
        return best_seconds(lambda: [history.append(hand) for _ in range(50)]) / 50
