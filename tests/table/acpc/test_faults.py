"""What a client survives: pieces of lines, packets of lines, garbage, silence, and the other side's death."""

import io
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from holdem.errors import RunFailed
from holdem.game.actions import Action
from holdem.game.agent import Agent, Observation
from holdem.game.hand import Hand
from holdem.table.acpc.client import DealerLost, play_match
from holdem.table.acpc.dealer import MatchDealer
from holdem.table.acpc.game_definition import standard_game
from holdem.table.acpc.lines import LineSocket, connect
from holdem.table.acpc.protocol import MAX_LINE_BYTES
from holdem.table.history.hand_history import read_history
from tests.table.acpc_tools import CallingAgent, RandomAgent, ScriptedDealer
from tests.waiting import PATIENCE_SECONDS

GAME = standard_game(2)
HAND = [
    "MATCHSTATE:0:30::9s8h|",
    "MATCHSTATE:0:30:c:9s8h|",
    "MATCHSTATE:0:30:cc/:9s8h|/8c8d5c",
    "MATCHSTATE:0:30:cc/cr300:9s8h|/8c8d5c",
    "MATCHSTATE:0:30:cc/cr300c/:9s8h|/8c8d5c/6s",
    "MATCHSTATE:0:30:cc/cr300c/cr20000:9s8h|/8c8d5c/6s",
    "MATCHSTATE:0:30:cc/cr300c/cr20000c/:9s8h|9c6h/8c8d5c/6s/2d",
]
"""A hand of player 0, who is to act in four of these states and wins 20,000 at the end."""
ANSWERS = [f"{HAND[place]}:c" for place in (1, 2, 3, 4, 5)]


def script_of(*blocks: bytes, pause: float = 0.0) -> ScriptedDealer:
    def script(connection: socket.socket) -> None:
        for block in blocks:
            connection.sendall(block)
            time.sleep(pause)

    return ScriptedDealer(script)


def whole_hand() -> bytes:
    return "".join(f"{line}\r\n" for line in HAND).encode()


@pytest.mark.parametrize("size", [1, 7, 10_000])
def test_lines_in_pieces_and_many_in_a_packet(size: int) -> None:
    text = b"# comment\r\n; a command\r\n\r\n" + whole_hand()
    dealer = script_of(*(text[start : start + size] for start in range(0, len(text), size)))
    result = play_match("127.0.0.1", dealer.port, CallingAgent(), GAME)
    assert (result.hands, result.chips, result.finished) == (1, 20_000, True)
    assert dealer.answers() == ["VERSION:2.0.0", *ANSWERS]


def test_garbage_between_states_is_counted_and_answered_safely(caplog: pytest.LogCaptureFixture) -> None:
    garbage = [b"\x00\xff\xfe", b"MATCHSTATE:0:30:r1:9s8h|", b"MATCHSTATE:0:30:c:9s9s|", b"x" * (3 * MAX_LINE_BYTES)]
    dealer = script_of(b"\r\n".join(garbage) + b"\r\n" + whole_hand())
    result = play_match("127.0.0.1", dealer.port, CallingAgent(), GAME)
    assert result.hands == 1
    assert result.unreadable_states == 6  # the long line comes in three pieces of the longest that is read
    answers = dealer.answers()
    assert answers[:3] == ["VERSION:2.0.0", "MATCHSTATE:0:30:r1:9s8h|:f", "MATCHSTATE:0:30:c:9s9s|:c"]
    assert answers[3:] == ANSWERS
    assert "MATCHSTATE:0:30:r1:9s8h|" in caplog.text
    assert r"\x00\\xff\\xfe" in caplog.text


def test_a_dealer_that_vanishes_in_a_hand() -> None:
    half = "".join(f"{line}\r\n" for line in HAND[:4]).encode()
    dealer = script_of(whole_hand() + half.replace(b":30:", b":31:"))
    with pytest.raises(DealerLost, match="went away in the middle of a hand, after 1 whole hands") as caught:
        play_match("127.0.0.1", dealer.port, CallingAgent(), GAME)
    assert (caught.value.result.hands, caught.value.result.chips) == (1, 20_000)


def test_a_dealer_that_hangs_up_at_once() -> None:
    dealer = script_of()
    with pytest.raises(DealerLost, match="before the first hand"):
        play_match("127.0.0.1", dealer.port, CallingAgent(), GAME)


def test_a_slow_dealer_is_waited_for_and_a_silent_one_is_not() -> None:
    lines = [f"{line}\r\n".encode() for line in HAND]
    slow = script_of(*lines, pause=0.15)
    assert play_match("127.0.0.1", slow.port, CallingAgent(), GAME, silence_seconds=60).hands == 1
    told = threading.Event()

    def stop_talking(connection: socket.socket) -> None:
        connection.sendall(lines[0] + lines[1])
        told.wait(10)

    silent = ScriptedDealer(stop_talking)
    with pytest.raises(DealerLost, match=r"was silent for 0\.3 s, after 0 whole hands"):
        play_match("127.0.0.1", silent.port, CallingAgent(), GAME, silence_seconds=0.3)
    told.set()


def taken_port() -> socket.socket:
    """A port that is nobody else's and where nobody listens yet."""
    server = socket.socket()
    server.bind(("127.0.0.1", 0))
    return server


def test_nobody_listens() -> None:
    with taken_port() as server:
        port = server.getsockname()[1]
        with pytest.raises(RunFailed, match=r"no dealer answers at 127\.0\.0\.1:\d+ .* start one with `holdem dealer`"):
            play_match("127.0.0.1", port, CallingAgent(), GAME, connect_seconds=0.2)
    with pytest.raises(RunFailed, match="no dealer answers at no-such-host"):
        play_match("no-such-host.invalid", 1, CallingAgent(), GAME, connect_seconds=0.2)


def test_a_dealer_that_is_starting_is_waited_for() -> None:
    with taken_port() as server:
        threading.Timer(0.4, server.listen).start()
        connect("127.0.0.1", server.getsockname()[1], seconds=60).close()


def test_an_agent_that_fails_checks_or_folds(caplog: pytest.LogCaptureFixture) -> None:
    class Broken:
        name = "broken"

        def act(self, observation: Observation) -> Action:
            if observation.street == 0:
                raise ZeroDivisionError("oh")
            return Action.raise_to(1)

    dealer = script_of(whole_hand())
    result = play_match("127.0.0.1", dealer.port, Broken(), GAME)
    assert result.faults == 5
    letters = [answer.rsplit(":", 1)[1] for answer in dealer.answers()[1:]]
    assert letters == ["c", "c", "f", "c", "f"]
    assert "broken failed with ZeroDivisionError: oh; answered c to MATCHSTATE:0:30:c:9s8h|" in caplog.text


def test_an_interrupt_while_thinking_is_answered_with_a_fold() -> None:
    class Interrupted:
        name = "interrupted"

        def act(self, observation: Observation) -> Action:
            if observation.legal.call_amount:
                raise KeyboardInterrupt
            return Action.check_or_call()

    dealer = script_of(whole_hand())
    with pytest.raises(KeyboardInterrupt):
        play_match("127.0.0.1", dealer.port, Interrupted(), GAME)
    assert dealer.answers() == ["VERSION:2.0.0", ANSWERS[0], ANSWERS[1], f"{HAND[3]}:f"]


def test_a_hand_without_end_is_counted() -> None:
    dealer = script_of(f"{HAND[0]}\r\n{HAND[1]}\r\n".replace(":30:", ":29:").encode() + whole_hand() + whole_hand())
    result = play_match("127.0.0.1", dealer.port, CallingAgent(), GAME)
    assert (result.hands, result.unfinished_hands) == (1, 1)  # and a hand told twice counts once


def test_a_read_that_times_out_keeps_what_came() -> None:
    left, right = socket.socketpair(socket.AF_INET) if os.name == "nt" else socket.socketpair()
    with right:
        lines = LineSocket.__new__(LineSocket)
        lines._connection, lines._buffer, lines._ended = left, bytearray(), False
        right.sendall(b"half ")
        with pytest.raises(TimeoutError):
            lines.read_line(0.05)
        right.sendall(b"line\r\nnext")
        assert lines.read_line(1.0) == "half line"
        right.shutdown(socket.SHUT_WR)
        assert lines.read_line(1.0) is None
        lines.close()


# Real processes


def holdem(*arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", f"holdem.cli.{arguments[0]}", *arguments[1:]]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def started_dealer(*arguments: str) -> tuple[subprocess.Popen[str], list[str]]:
    dealer = holdem("dealer", *arguments)
    assert dealer.stdout is not None
    return dealer, dealer.stdout.readline().split()


def wait_for_hands(path: Path, count: int) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < deadline:
        if path.exists() and path.read_text().count("# end of hand") >= count:
            return
        time.sleep(0.02)
    raise AssertionError(f"{path} has no {count} hands")


def test_a_match_of_real_processes(tmp_path: Path) -> None:
    log = tmp_path / "match.log"
    dealer, ports = started_dealer("--hands", "30", "--log", str(log), "--names", "Alice,Bob")
    player = holdem("acpc", "127.0.0.1", ports[0], "--agent", "always-call", "--json")
    result = play_match("127.0.0.1", int(ports[1]), RandomAgent(), GAME)
    text, player_error = player.communicate(timeout=PATIENCE_SECONDS)
    out, error = dealer.communicate(timeout=PATIENCE_SECONDS)
    assert dealer.returncode == 0, error
    score = re.fullmatch(r"SCORE:(-?[\d.]+)\|(-?[\d.]+):Alice\|Bob\n", out)
    assert score is not None
    assert log.read_text().splitlines()[-1] == out.strip()
    assert (result.hands, result.chips) == (30, float(score[2]))
    told = json.loads(text)
    assert (told["hands"], told["chips"]) == (30, float(score[1])), player_error


@pytest.mark.skipif(os.name == "nt", reason="SIGKILL is POSIX")
def test_the_dealer_is_killed_in_a_hand(tmp_path: Path) -> None:
    dealer, ports = started_dealer("--hands", "1000000")
    other = threading.Thread(target=_play_until_lost, args=(int(ports[1]), RandomAgent()))
    other.start()

    class Assassin(CallingAgent):
        def act(self, observation: Observation) -> Action:
            if len(played) == 5 and observation.street == 1:
                dealer.send_signal(signal.SIGKILL)
                dealer.wait()
            return super().act(observation)

    played: list[Hand] = []
    with pytest.raises(DealerLost, match="after 5 whole hands") as caught:
        play_match("127.0.0.1", int(ports[0]), Assassin(), GAME, on_hand=lambda hand, chips: played.append(hand))
    other.join(timeout=30)
    dealer.communicate()
    assert caught.value.result.hands == 5
    assert caught.value.result.chips == sum(hand.payoffs[0] for hand in played)


def _play_until_lost(port: int, agent: Agent) -> None:
    try:
        play_match("127.0.0.1", port, agent, GAME)
    except DealerLost:
        return


@pytest.mark.skipif(os.name == "nt", reason="SIGKILL is POSIX")
def test_a_player_is_killed_in_a_hand(tmp_path: Path) -> None:
    """The dealer says who left; its log and the victim's history hold whole hands."""
    history, log = tmp_path / "hands.phhs", io.StringIO()
    dealer = MatchDealer(GAME, 1_000_000, names=("Alice", "Bob"), log=log)
    ports = dealer.listen()
    victim = holdem("acpc", "127.0.0.1", str(ports[0]), "--agent", "always-call", "--history", str(history))
    # The other one never folds, so that no hand ends without the victim, and its history is one hand behind at most.
    other = threading.Thread(target=_play_until_lost, args=(ports[1], CallingAgent()))
    other.start()

    def kill_soon() -> None:
        wait_for_hands(history, 5)
        victim.send_signal(signal.SIGKILL)

    killer = threading.Thread(target=kill_soon)
    killer.start()
    with pytest.raises(RunFailed, match=r"seat 1 \(Alice\) left the match in hand \d+; start it again"):
        dealer.run()
    for thread in (other, killer):
        thread.join(timeout=30)
    victim.communicate()
    lines = log.getvalue().splitlines()
    assert all(line.count(":") == 5 for line in lines if line.startswith("STATE:"))
    assert lines[-1].startswith("STATE:")
    logged = sum(line.startswith("STATE:") for line in lines)
    assert logged == dealer.hands_played or logged == dealer.hands_played + 1
    assert logged - 1 <= len(read_history(history)) <= logged
