"""`holdem replay` as a user types it."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from holdem.cli.replay import command
from holdem.errors import ArtifactError, ConfigError
from holdem.game import Game, GameConfig
from holdem.table.history.hand_history import HandHistory
from tests.game.test_phh import RAKED


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two hands: a called all-in before the flop that aces win, and a fold."""
    path = tmp_path_factory.mktemp("replay") / "hands.phhs"
    game = Game(GameConfig(name="small", stacks=(1_000,)))
    shown = game.new_hand(hole_cards=["AhAd", "KhKd"], board="2c7d9h3sJc", button=1)
    shown.bet_or_raise_to(1_000)
    shown.check_or_call()
    folded = game.new_hand(hole_cards=["QsQc", None], button=0)
    folded.fold()
    with HandHistory.open(path) as file:
        file.append(shown, players=["Ann", "Bea"], hero_seat=0)
        file.append(folded, players=["Ann", "Bea"], hero_seat=0)
    return path


def test_you_do_not_raises(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Hands of `holdem play` call the person `you`."""
    hand = Game(GameConfig(name="small", stacks=(1_000,))).new_hand(hole_cards=["AhAd", None], button=0)
    hand.bet_or_raise_to(300)
    hand.fold()
    with HandHistory.open(tmp_path / "hands.phhs") as file:
        file.append(hand, players=["you", "bot"], hero_seat=0)
    command(tmp_path / "hands.phhs")
    out = capsys.readouterr().out
    for line in ("you post blind 50", "bot posts blind 100", "you raise to 300", "bot folds", "you take back 200"):
        assert f"  {line}\n" in out
    assert "you win 200" in out


def test_all_hands_at_once_in_a_pipe(history: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command(history)
    out = capsys.readouterr().out
    assert "Hand 1 of 2  small, blinds 50/100" in out
    for line in ("Bea raises to 1000 all-in", "Ann calls 900 all-in", "flop 2♣ 7♦ 9♥  pot 2,000", "Ann shows A♥ A♦"):
        assert line in out
    assert "pot of 2,000: Ann wins 2,000" in out
    assert "result: Ann +1,000, Bea -1,000" in out
    assert "result: Ann -50, Bea +50" in out
    assert "?? ??" in out


def test_one_hand_as_json(history: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command(history, hand=2, as_json=True)
    hand = json.loads(capsys.readouterr().out)
    assert (hand["hand"], hand["players"], hand["won"]) == (2, ["Ann", "Bea"], [-50, 50])
    assert hand["hole_cards"] == ["QsQc", None]
    assert hand["records"][-1] == "main pot of 100: seat 1 100"


def test_mistakes_are_one_sentence(history: Path) -> None:
    with pytest.raises(ConfigError, match="has 2 hands; --hand 3 is not one of them"):
        command(history, hand=3)
    with pytest.raises(ArtifactError, match="cannot be read"):
        command(history.with_name("missing.phhs"))


def test_hands_that_cannot_be_read_are_left_out_and_said(
    history: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, content = tmp_path / "mixed.phhs", history.read_text(encoding="utf-8")
    file.write_text(content.replace("[2]\nvariant = 'NT'", "[2]\nvariant = 'PO'") + content, encoding="utf-8")
    command(file)
    printed = capsys.readouterr()
    assert [f"Hand {number} of 4" in printed.out for number in range(1, 5)] == [True, False, True, True]
    assert printed.err.startswith(
        f"left out: 1 hand that cannot be read; the first: hand 2 of {file}: PHH variant 'PO'"
    )
    command(file, hand=4)
    printed = capsys.readouterr()
    assert "Hand 4 of 4" in printed.out and not printed.err
    with pytest.raises(ArtifactError, match=r"hand 2 of .*PO"):
        command(file, hand=2)
    file.write_text(content.replace("'NT'", "'PO'"), encoding="utf-8")
    with pytest.raises(ArtifactError, match=r"hand 1 of .*PO"):
        command(file)
    file.write_text("# nothing\n", encoding="utf-8")
    with pytest.raises(ArtifactError, match="there is no hand in"):
        command(file)


def test_what_a_room_took_is_not_in_the_result(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "raked.phh"
    file.write_text(f"{RAKED}winnings = [0, 18.50, 0]\n", encoding="utf-8")
    command(file)
    assert "result: seat 0 -50, seat 1 +900, seat 2 -950" in capsys.readouterr().out
    command(file, as_json=True)
    assert json.loads(capsys.readouterr().out)["won"] == [-50, 900, -950]


@pytest.mark.skipif(os.name == "nt", reason="needs a pseudo-terminal")
def test_a_terminal_waits_for_enter(history: Path) -> None:
    main, other = pty.openpty()
    line = [sys.executable, "-m", "holdem.cli.replay", str(history)]
    with subprocess.Popen(line, stdin=other, stdout=other, stderr=other, close_fds=True) as process:
        os.close(other)
        seen = b""
        while b"Enter for the next hand" not in seen:
            seen += os.read(main, 4096)
        assert b"Hand 2" not in seen
        os.write(main, b"\n")
        while b"Bea +50" not in seen:
            seen += os.read(main, 4096)
        assert process.wait(timeout=30) == 0
    os.close(main)
