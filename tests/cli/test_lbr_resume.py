"""`holdem lbr --out` after Ctrl+C and after a kill: the same command goes on, and ends with the same figures."""

import json
import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

from tests.waiting import PATIENCE_SECONDS, wait_for

pytestmark = [pytest.mark.long, pytest.mark.skipif(os.name == "nt", reason="signals")]

SLOW = """
    import os, time
    import numpy as np
    from holdem.cards.ranges import CLASS_OF_HOLE
    from holdem.game import Action

    class Slow:
        name = "slow"
        def act(self, observation):
            raise NotImplementedError
        def range_policy(self, public_state):
            time.sleep(float(os.environ.get("PAUSE", "0")))
            actions = [Action.check_or_call()] + [Action.fold()] * public_state.legal.can_fold
            stays = 0.2 + 0.7 * CLASS_OF_HOLE / 168
            return actions, np.stack([stays, 1.0 - stays], axis=1) if len(actions) == 2 else np.ones((1326, 1))
"""
"""Plays better hands more often, and as slowly as the test wants."""
HANDS = 300


def start(folder: Path, pause: float, *arguments: str) -> "subprocess.Popen[str]":
    words = ["lbr", "python:slow:Slow", "--actions", "eight", "--hands", str(HANDS), "--out", "lbr.json", *arguments]
    environment = {**os.environ, "PAUSE": str(pause)}
    command = [sys.executable, "-m", "holdem.cli.main", *words]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, cwd=folder, env=environment, stdout=pipe, stderr=pipe, text=True, encoding="utf-8")


def whole(folder: Path, *arguments: str) -> tuple[dict[str, Any], str]:
    """The figures of a run to its end, without its pace, and what it said."""
    process = start(folder, 0.0, *arguments)
    _, said = process.communicate(timeout=PATIENCE_SECONDS)
    assert process.returncode == 0, said
    figures: dict[str, Any] = json.loads((folder / "lbr.json").read_text())
    assert not (folder / "lbr.deals.json").exists(), "nothing is left to go on with"
    del figures["hands_per_second"]
    return figures, said


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "slow.py").write_text(textwrap.dedent(SLOW), encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGKILL, -9)])
def test_the_same_command_ends_with_the_same_figures(folder: Path, number: signal.Signals, status: int) -> None:
    expected, said = whole(folder)
    assert "going on" not in said
    assert expected["complete"] and expected["hands"] == HANDS
    (folder / "lbr.json").unlink()
    cut = start(folder, 0.02)
    wait_for((folder / "lbr.deals.json").exists)
    cut.send_signal(number)
    _, said = cut.communicate(timeout=PATIENCE_SECONDS)
    assert cut.returncode == status
    if number == signal.SIGINT:
        early = json.loads((folder / "lbr.json").read_text())
        assert not early["complete"] and 0 < early["hands"] < HANDS
        assert "the deals so far are in lbr.deals.json; the same command goes on from there" in said
    kept = json.loads((folder / "lbr.deals.json").read_text())
    count = 2 * len(kept["deals"]["c,c,eight,eight"])
    assert 0 < count < HANDS
    figures, said = whole(folder, "--num-workers", "2")
    assert f"going on from {count} hands in lbr.deals.json" in said
    assert figures == expected


def test_deals_of_other_settings_are_not_gone_on_from(folder: Path) -> None:
    cut = start(folder, 0.02)
    wait_for((folder / "lbr.deals.json").exists)
    cut.kill()
    cut.communicate()
    kept = (folder / "lbr.deals.json").read_bytes()
    for arguments, said in (
        (("--seed", "1"), "seed: was 0, is 1"),
        (("--streets", "all"), 'actions: was "c,c,eight,eight", is "eight,eight,eight,eight"'),
        (("--game", "headsup_200bb"), "(game."),
    ):
        process = start(folder, 0.0, *arguments)
        _, error = process.communicate(timeout=PATIENCE_SECONDS)
        assert process.returncode == 2
        assert said in error and error.strip().endswith("name another --out, or delete it")
        assert len(error.strip().splitlines()) == 1
    (folder / "slow.py").write_text(textwrap.dedent(SLOW).replace("0.7", "0.6"), encoding="utf-8")
    process = start(folder, 0.0)
    _, error = process.communicate(timeout=PATIENCE_SECONDS)
    assert "opponent.source: was" in error, "the agent is another one"
    assert (folder / "lbr.deals.json").read_bytes() == kept
