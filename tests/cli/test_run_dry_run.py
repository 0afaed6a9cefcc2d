"""`holdem dry-run`: the seeds' flags, JSON lines, Ctrl+C and kill -9 in real processes."""

import json
import signal
import socket
import sys
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from holdem.evaluation.baselines import open_baseline
from holdem.table.acpc.client import play_match
from holdem.table.acpc.dealer import MatchDealer
from holdem.table.acpc.game_definition import standard_game
from holdem.table.history.hand_history import read_history
from tests.cli.runs import Run
from tests.cli.table_processes import save_profile, start
from tests.table.policies import save_jam_or_fold

QUICK = ("--no-search", "--no-ev")
SLOW = '{"pace_seconds": 0.3, "opponents": ["always-call"], "watched_player": "always-call", "hero_seat": 1, "seed": 1}'


def test_json_lines_tell_advice_hands_and_a_summary(run: Run, policy: Path, tmp_path: Path) -> None:
    history = tmp_path / "hands.phhs"
    flags = ["--time-budget-ms", 80, "--min-iters", 100, "--num-workers", 1, "--no-search"]
    result = run("dry-run", "--policy", policy, *flags, "--max-hands", 5, "--seed", 3, "--history", history, "--json")
    assert result.status == 0, result.err
    events = [json.loads(line) for line in result.out.splitlines()]
    hands = [event for event in events if event["event"] == "hand"]
    advice = [event for event in events if event["event"] == "recommendation"]
    assert [event["hand"] for event in hands] == [1, 2, 3, 4, 5]
    assert advice
    for event in advice:
        assert sum(action["frequency"] for action in event["actions"]) == pytest.approx(1.0, abs=1e-5)
        assert event["method"] in ("blueprint", "fallback")
    assert events[-1]["event"] == "summary"
    assert events[-1]["hands"] == 5
    assert events[-1]["won"] == sum(event["won"] for event in hands)
    stored = read_history(history)
    assert [one.hand.payoffs[0] for one in stored] == [event["won"] for event in hands]


def test_hands_do_not_depend_on_the_policy_that_watches(run: Run, tmp_path: Path) -> None:
    """Two different policies watch the same seed: what they would do differs, what happens does not."""
    told = []
    for name in ("first", "second"):
        policy = save_jam_or_fold(tmp_path / name, seed=len(name))
        history = tmp_path / f"{name}.phhs"
        result = run(
            "dry-run", "--policy", policy, "--no-search", "--no-ev", "--max-hands", 20, "--seed", 3, "--history",
            history, "--json",
        )  # fmt: skip
        assert result.status == 0, result.err
        told.append((result.out, [one.hand.records for one in read_history(history)]))
    assert told[0][0] != told[1][0]
    assert told[0][1] == told[1][1]


def test_a_pipe_gets_plain_lines_and_the_default_history_lies_beside_the_policy(run: Run, policy: Path) -> None:
    result = run("dry-run", "--policy", policy, "--no-search", "--max-hands", 2, "--seed", 3)
    assert result.status == 0
    assert "hand 2: " in result.out
    assert "worth: " in result.out
    [history] = (policy.parent / "hands").glob("dry_run_*.phhs")
    assert len(read_history(history)) == 2
    assert str(history) in result.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--policy", "nowhere/avg_policy.json"], "does not exist"),
        (["--profile", "nowhere.json"], "does not exist"),
        (["--time-budget-ms", "0"], "time-budget-ms"),
    ],
)
def test_mistakes_are_one_sentence(run: Run, policy: Path, arguments: list[str], words: str) -> None:
    result = run("dry-run", "--policy", policy, *arguments)
    assert result.status == 2
    assert words in result.err
    assert result.err.count("\n") == 1


def test_an_agent_that_does_not_exist_is_refused_before_anything_is_opened(
    run: Run, policy: Path, tmp_path: Path
) -> None:
    profile = save_profile(tmp_path, '{"name": "mine", "opponents": ["tight-agressive"]}')
    result = run("dry-run", "--policy", policy, "--profile", profile)
    assert result.status == 2
    assert "mine: 'tight-agressive' is neither" in result.err
    assert "did you mean tight-aggressive?" in result.err


@pytest.mark.long
def test_ctrl_c_in_a_hand_ends_with_it_and_keeps_it(policy: Path, tmp_path: Path) -> None:
    profile, history = save_profile(tmp_path, SLOW), tmp_path / "hands.phhs"
    watcher = start("run_dry_run", "--profile", profile, "--policy", policy, *QUICK, "--history", history, "--json")
    watcher.wait_until(lambda lines: any('"recommendation"' in line for line in lines))
    watcher.send(signal.SIGINT)
    assert watcher.end() == 130, watcher.err
    events = [json.loads(line) for line in watcher.lines]
    assert events[-1]["ended_by"] == "asked to leave"
    [stored] = read_history(history)
    assert stored.hand.is_over


@pytest.mark.slow  # autoplay's, in the same loop, is in the suite
def test_kill_9_in_a_hand_leaves_the_hands_before_it(policy: Path, tmp_path: Path) -> None:
    profile, history = save_profile(tmp_path, SLOW.replace("0.3", "0.05")), tmp_path / "hands.phhs"
    watcher = start("run_dry_run", "--profile", profile, "--policy", policy, *QUICK, "--history", history, "--json")
    watcher.wait_until(lambda lines: '"recommendation"' in lines[-1] and len(lines) > 8 if lines else False)
    watcher.send(signal.SIGKILL)
    assert watcher.end() == -signal.SIGKILL
    told = [event["won"] for event in map(json.loads, watcher.lines) if event["event"] == "hand"]
    kept = [one.hand.payoffs[1] for one in read_history(history)]
    assert kept[: len(told)] == told
    assert told


def test_a_dealer_is_watched_through_a_proxy(run: Run, policy: Path, tmp_path: Path) -> None:
    definition = standard_game(2)
    dealer = MatchDealer(definition, 12, seed=2)
    ports = dealer.listen()
    free = socket.socket()
    free.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    free.bind(("127.0.0.1", 0))
    listen_port = free.getsockname()[1]
    if sys.platform != "linux":  # there the port stays ours until the proxy listens, elsewhere it could not listen then
        free.close()

    def play(port: int) -> None:
        play_match("127.0.0.1", port, open_baseline("always-call"), definition, connect_seconds=60.0)

    works: list[Callable[[], object]] = [dealer.run, partial(play, ports[1]), partial(play, listen_port)]
    threads = [threading.Thread(target=work, daemon=True) for work in works]
    for thread in threads:
        thread.start()
    acpc = {"port": ports[0], "listen_port": listen_port}
    profile, history = save_profile(tmp_path, json.dumps({"table": "acpc", "acpc": acpc})), tmp_path / "hands.phhs"
    result = run("dry-run", "--policy", policy, "--profile", profile, *QUICK, "--history", history, "--json")
    assert result.status == 0, result.err
    free.close()
    for thread in threads:
        thread.join(timeout=30)
    events = [json.loads(line) for line in result.out.splitlines()]
    assert events[-1]["hands"] == dealer.hands_played == len(read_history(history)) == 12
    assert sum(event["event"] == "recommendation" for event in events) >= 12
    # Everybody checked and called, whatever was recommended; a split pot leaves half a chip at most.
    assert abs(events[-1]["won"] - dealer.score().chips[0]) <= 0.5 * 12
    assert dealer.corrected == [0, 0]
