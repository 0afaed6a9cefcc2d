"""`holdem play` with a script for a person: every letter, looking back, and ways to leave."""

import re
import signal
import time
from pathlib import Path

import pytest
from rich.console import Console

from holdem.cli.play_person import Terminal
from holdem.cli.play_screen import PlayScreen
from holdem.errors import IllegalAction
from holdem.game import Action, Game, Observation, observe
from holdem.table.history.hand_history import read_history
from holdem.table.person.input import Request, parse_input, sizes
from holdem.table.session.leave_signals import LeaveSignals
from tests.cli.runs import Run
from tests.cli.table_processes import start


def type_in(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    script = iter(lines)

    def answer(prompt: str = "") -> str:
        try:
            return next(script)
        except StopIteration:
            raise EOFError from None

    monkeypatch.setattr("builtins.input", answer)


def facing_a_raise() -> Observation:
    """The button made it 300; the pot is 400 and a call costs 200."""
    hand = Game.from_preset("headsup_100bb").new_hand(1)
    hand.act(Action.raise_to(300))
    return observe(hand)


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("f", Action.fold()),
        ("fold", Action.fold()),
        ("c", Action.check_or_call()),
        (" CALL ", Action.check_or_call()),
        ("r 900", Action.raise_to(900)),
        ("r900", None),
        ("raise to 900", Action.raise_to(900)),
        ("900", Action.raise_to(900)),
        ("r 9bb", Action.raise_to(900)),
        ("r 50%", Action.raise_to(600)),  # 300 and half of the 600 that a call makes
        ("h", Action.raise_to(600)),
        ("p", Action.raise_to(900)),
        ("a", Action.raise_to(10_000)),
        ("?", Request.HELP),
        ("w", Request.ADVICE),
        ("q", Request.LEAVE),
        ("r 499", None),
        ("r 10001", None),
        ("r", None),
        ("", None),
        ("hello", None),
    ],
)
def test_what_letters_mean(text: str, meaning: Action | Request | None) -> None:
    if meaning is None:
        with pytest.raises(IllegalAction):
            parse_input(text, facing_a_raise())
    else:
        assert parse_input(text, facing_a_raise()) == meaning


def test_no_fold_where_a_check_is_free_and_no_raise_where_none_is_allowed() -> None:
    hand = Game.from_preset("headsup_100bb").new_hand(1)
    hand.check_or_call()
    with pytest.raises(IllegalAction, match="c checks"):
        parse_input("f", observe(hand))
    hand.act(Action.raise_to(10_000))
    assert sizes(observe(hand)).all_in is None
    with pytest.raises(IllegalAction, match="no raise is possible"):
        parse_input("a", observe(hand))


def test_a_session_with_looking_back_and_its_history(
    run: Run, policy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    history = tmp_path / "hands.phhs"
    type_in(monkeypatch, "?", "nonsense", "w", "c", "c", "c", "c", "w", "", "f", "q")
    result = run("play", "--policy", policy, "--opponent", "always-call", "--seed", 3, "--history", history)
    assert result.status == 0, result.err
    assert "you are dealt" in result.out
    assert "'nonsense' is not a move" in result.out
    assert "what the bot would do in your place" in result.out  # the help
    assert len(re.findall("you: check", result.out)) == 4, "looking back shows what the person did"
    assert "2 hands" in result.out
    stored = read_history(history)
    assert [one.hand.is_over for one in stored] == [True, True]
    assert stored[1].hand.payoffs[0] == -50  # the button folded its small blind
    assert {one.players for one in stored} == {("you", "bot")}
    assert f"holdem review {history}" in result.out.replace("\n", "")


def test_the_end_of_input_folds_the_hand_and_keeps_it(
    run: Run, policy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    history = tmp_path / "hands.phhs"
    type_in(monkeypatch, "r 300")
    result = run("play", "--policy", policy, "--opponent", "always-call", "--seed", 3, "--history", history)
    assert result.status == 0
    [stored] = read_history(history)
    assert stored.hand.is_over


def test_a_limit_of_hands(run: Run, policy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    type_in(monkeypatch, *["f", "c", "c", "c", "c", ""] * 30)
    history = tmp_path / "hands.phhs"
    result = run("play", "--policy", policy, "--opponent", "always-call", "--hands", 2, "--history", history)
    assert result.status == 0
    assert len(read_history(history)) == 2


def test_without_a_blueprint_it_says_how_to_make_one_or_plays_a_baseline(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    type_in(monkeypatch, "w", "q")
    refused = run("play")
    assert refused.status == 2
    assert "holdem train" in refused.err
    assert "--opponent tight-aggressive" in refused.err
    played = run("play", "--opponent", "always-call", "--seed", 1)
    assert played.status == 0
    assert "there is no blueprint to ask" in played.out
    assert list((tmp_path / "runs" / "play" / "hands").glob("play_*.phhs"))


def test_an_opponent_that_does_not_exist(run: Run, policy: Path) -> None:
    result = run("play", "--policy", policy, "--opponent", "always-cal")
    assert result.status == 2
    assert "did you mean always-call?" in result.err


def test_ctrl_c_before_the_prompt_is_not_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    type_in(monkeypatch, "never asked for")
    with LeaveSignals(at_once=True) as leave:
        signal.raise_signal(signal.SIGINT)  # while the cards are shown, say, and nobody waits for a line
        assert Terminal(PlayScreen(Console(quiet=True)), leave).read() is None
    assert leave.exit_status == 130


def test_ctrl_c_at_the_prompt_leaves_and_keeps_the_hand(policy: Path, tmp_path: Path) -> None:
    history = tmp_path / "hands.phhs"
    person = start("play", "--policy", policy, "--opponent", "always-call", "--seed", 3, "--history", history)
    person.wait_until(lambda lines: any("? help" in line for line in lines))
    time.sleep(0.3)  # the prompt comes right behind that line
    person.send(signal.SIGINT)
    assert person.end() == 130, person.err
    [stored] = read_history(history)
    assert stored.hand.is_over
    assert "1 hand" in person.out
