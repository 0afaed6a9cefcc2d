"""`docs/agents.md`: its examples are those of `examples/`, and every command in it works when pasted."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from holdem.game import load_preset
from holdem.table.profiles.open_table import check_profile
from holdem.table.profiles.profiles import load_profile

CHECKOUT = Path(__file__).parents[1]
PAGE = (CHECKOUT / "docs" / "agents.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


def test_the_examples_are_the_files() -> None:
    for text, name in zip(blocks("python"), ("my_agent", "acpc_caller"), strict=True):
        assert text == (CHECKOUT / "examples" / f"{name}.py").read_text(encoding="utf-8")


@pytest.mark.long
@pytest.mark.skipif(os.name == "nt", reason="the commands are those of a POSIX shell")
def test_every_command_works_in_a_folder_with_the_examples(tmp_path: Path) -> None:
    """Tight wins from whoever calls everything, and a program that calls is the same player as `always-call`."""
    for text, name in zip(blocks("python"), ("my_agent", "acpc_caller"), strict=True):
        (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
    said = [line for block in blocks("sh") for line in _outputs(block, tmp_path)]
    rates = [re.findall(r"python:my_agent:Tight +│ +([+-][\d.]+ ± [\d.]+)", out) for out in said]
    assert len(said) == 6
    assert rates[0] == rates[4], "the program is our caller"
    assert float(rates[0][0].split()[0]) > 50.0
    workers = json.loads(said[2])["agents"][0]
    assert f"{workers['bb_per_100']:+.1f}" == rates[0][0].split()[0]
    assert json.loads((tmp_path / "lbr.json").read_text())["complete"]
    assert "1 hand, " in said[5]


def _outputs(block: str, folder: Path) -> list[str]:
    """What the lines of a block print, `holdem` and `python` being those of this test."""
    (folder / "bin").mkdir(exist_ok=True)
    for name, words in (("holdem", "-m holdem.cli.main"), ("python", "")):
        script = folder / "bin" / name
        script.write_text(f'#!/bin/sh\nexec "{sys.executable}" {words} "$@"\n', encoding="utf-8")
        script.chmod(0o755)
    environment = os.environ | {"PATH": f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}"}
    found = []
    for line in block.splitlines():
        done = subprocess.run(
            line, shell=True, cwd=folder, env=environment, input="c\nc\nc\nc\nc\nc\n", capture_output=True, text=True,
            encoding="utf-8", timeout=300,
        )  # fmt: skip
        assert done.returncode == 0, f"{line}: {done.stderr}"
        found.append(done.stdout)
    return found


def test_the_profile_of_the_page_seats_both(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (text,) = blocks("json")
    (tmp_path / "table.json").write_text(text, encoding="utf-8")
    monkeypatch.setattr(sys, "path", [str(CHECKOUT / "examples"), *sys.path])
    monkeypatch.chdir(CHECKOUT / "examples")
    profile = load_profile(tmp_path / "table.json")
    assert profile.opponents == ("python:my_agent:Tight",)
    check_profile(profile, load_preset("headsup_100bb"))
