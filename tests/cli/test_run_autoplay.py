"""`holdem autoplay`: refuses without consent, keeps its limits, leaves on signals, loses no hand."""

import json
import signal
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

from holdem.errors import RunFailed
from holdem.game import Action, Observation
from holdem.table.acpc.client import play_match
from holdem.table.acpc.dealer import MatchDealer
from holdem.table.acpc.game_definition import standard_game
from holdem.table.history.hand_history import read_history
from tests.cli.runs import Run
from tests.cli.table_processes import Process, save_profile, start

SLOW = '{"pace_seconds": 0.3, "opponents": ["always-call"], "hero_seat": 1, "seed": 1}'


def test_it_refuses_without_consent_and_writes_nothing(run: Run, policy: Path) -> None:
    result = run("autoplay", "--policy", policy, "--max-hands", 1)
    assert result.status == 2
    assert "--i-understand-the-tos" in result.err
    assert result.err.count("\n") == 1
    assert result.out == ""
    assert not (policy.parent / "hands").exists()


def test_it_plays_and_every_hand_is_kept(run: Run, policy: Path, tmp_path: Path) -> None:
    history = tmp_path / "hands.phhs"
    result = run(
        "autoplay", "--policy", policy, "--no-search", "--max-hands", 30, "--seed", 3, "--history", history, "--json",
        "--i-understand-the-tos",
    )  # fmt: skip
    assert result.status == 0, result.err
    events = [json.loads(line) for line in result.out.splitlines()]
    won = [event["won"] for event in events if event["event"] == "hand"]
    assert [one.hand.payoffs[0] for one in read_history(history)] == won
    assert len(won) == 30
    assert events[-1]["ended_by"] == "30 hands were played"
    assert {one.players[0] for one in read_history(history)} == {"holdem"}


def test_the_same_seed_plays_the_same_hands(run: Run, policy: Path, tmp_path: Path) -> None:
    told = []
    for name in ("a", "b"):
        history = tmp_path / f"{name}.phhs"
        flags = ["--no-search", "--max-hands", 20, "--seed", 8, "--history", history, "--i-understand-the-tos"]
        assert run("autoplay", "--policy", policy, *flags).status == 0
        told.append([one.hand.records for one in read_history(history)])
    assert told[0] == told[1]


def test_a_stop_loss_ends_the_session(run: Run, policy: Path, tmp_path: Path) -> None:
    result = run(
        "autoplay", "--policy", policy, "--no-search", "--stop-loss", 100, "--max-hands", 5000, "--seed", 3, "--json",
        "--history", tmp_path / "hands.phhs", "--i-understand-the-tos",
    )  # fmt: skip
    events = [json.loads(line) for line in result.out.splitlines()]
    totals = [event["total"] for event in events if event["event"] == "hand"]
    assert "stop-loss is 100" in events[-1]["ended_by"]
    assert totals[-1] <= -100
    assert all(total > -100 for total in totals[:-1])


def test_the_seat_count_of_the_profile_must_fit(run: Run, policy: Path, tmp_path: Path) -> None:
    profile = save_profile(tmp_path, '{"seats": 6}')
    result = run("autoplay", "--policy", policy, "--profile", profile, "--i-understand-the-tos")
    assert result.status == 2
    assert "6 seats and the policy was trained for 2" in result.err


def started(policy: Path, tmp_path: Path, profile: str = SLOW) -> tuple[Process, Path]:
    history = tmp_path / "hands.phhs"
    process = start(
        "run_autoplay", "--profile", save_profile(tmp_path, profile), "--policy", policy, "--no-search", "--history",
        history, "--json", "--i-understand-the-tos",
    )  # fmt: skip
    process.wait_until(lambda lines: any('"recommendation"' in line for line in lines))
    return process, history


def test_ctrl_c_leaves_at_the_end_of_the_hand(policy: Path, tmp_path: Path) -> None:
    bot, history = started(policy, tmp_path)
    bot.send(signal.SIGINT)
    assert bot.end() == 130, bot.err
    assert json.loads(bot.lines[-1])["ended_by"] == "asked to leave"
    assert all(one.hand.is_over for one in read_history(history))


def is_pending(pid: int, number: signal.Signals) -> bool:
    """Whether a signal was sent to a process and is not delivered yet."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    waiting = [int(line.split()[1], 16) for line in status.splitlines() if line.startswith(("SigPnd:", "ShdPnd:"))]
    return any(mask >> (number - 1) & 1 for mask in waiting)


def test_ctrl_c_twice_leaves_at_once_and_the_hand_is_kept(policy: Path, tmp_path: Path) -> None:
    bot, history = started(policy, tmp_path, SLOW.replace("0.3", "60"))  # a pause of a minute, which ends at once
    bot.send(signal.SIGINT)
    while sys.platform == "linux" and is_pending(bot.process.pid, signal.SIGINT):
        time.sleep(0.01)
    time.sleep(0.2)  # two signals at the same moment would be one
    bot.send(signal.SIGINT)
    assert bot.end() == 130, bot.err
    stored = read_history(history)
    assert stored
    assert all(one.hand.is_over for one in stored)


def test_kill_9_in_a_hand_leaves_a_history_that_goes_on(run: Run, policy: Path, tmp_path: Path) -> None:
    bot, history = started(policy, tmp_path, SLOW.replace("0.3", "0.05"))
    bot.wait_until(lambda lines: sum('"hand",' in line for line in lines) >= 2)
    bot.send(signal.SIGKILL)
    assert bot.end() == -signal.SIGKILL
    before = read_history(history)
    told = [event["won"] for event in map(json.loads, bot.lines) if event["event"] == "hand"]
    assert [one.hand.payoffs[1] for one in before][: len(told)] == told
    flags = ["--no-search", "--history", history, "--max-hands", 3, "--i-understand-the-tos"]
    assert run("autoplay", "--policy", policy, *flags).status == 0
    assert len(read_history(history)) == len(before) + 3


def test_a_dealer_that_vanishes_ends_the_session_with_what_there_was(run: Run, policy: Path, tmp_path: Path) -> None:
    definition = standard_game(2)
    dealer = MatchDealer(definition, 1000, seed=2)
    ports = dealer.listen()

    class Leaver:
        """Calls for a while and then is gone, which ends the dealer's match."""

        name = "leaver"
        turns = 0

        def act(self, observation: Observation) -> Action:
            self.turns += 1
            if self.turns > 25:
                raise KeyboardInterrupt
            return Action.check_or_call()

    def play() -> None:
        with suppress(RunFailed, KeyboardInterrupt):
            play_match("127.0.0.1", ports[1], Leaver(), definition)

    def deal() -> None:
        with suppress(RunFailed):
            dealer.run()

    threads = [threading.Thread(target=work, daemon=True) for work in (deal, play)]
    for thread in threads:
        thread.start()
    profile = save_profile(tmp_path, json.dumps({"table": "acpc", "acpc": {"port": ports[0]}}))
    history = tmp_path / "hands.phhs"
    flags = ["--policy", policy, "--profile", profile, "--no-search", "--history", history, "--i-understand-the-tos"]
    result = run("autoplay", *flags)
    assert result.status == 1
    assert "the dealer at 127.0.0.1" in result.err
    assert "the table was lost" in result.err
    stored = read_history(history)
    whole = [one for one in stored if one.hand.is_over]
    assert len(whole) == dealer.hands_played > 0
    assert len(stored) - len(whole) <= 1, "the hand that was cut off is kept as unfinished"
