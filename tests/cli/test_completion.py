"""The Tab key, asked as shells ask: real processes that must not wait for compiled code."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from holdem.cli.completion import BASELINES
from holdem.evaluation.baselines import BASELINES as KNOWN_BASELINES


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A working directory with two runs."""
    for name in ("blueprint", "three"):
        (tmp_path / "runs" / name / "hands").mkdir(parents=True)
        (tmp_path / "runs" / name / "avg_policy.json").touch()
    (tmp_path / "runs/blueprint/checkpoint_final.pkl").touch()
    (tmp_path / "runs/three/hands/play_1.phhs").touch()
    return tmp_path


def ask(folder: Path, *words: str, shell: str = "bash") -> tuple[list[str], str]:
    """The completions of the last word, and what was imported."""
    line = " ".join(words)
    asked = {
        "bash": {"COMP_WORDS": line, "COMP_CWORD": str(len(words) - 1)},
        "zsh": {"_TYPER_COMPLETE_ARGS": line},
        "fish": {"_TYPER_COMPLETE_ARGS": line, "_TYPER_COMPLETE_FISH_ACTION": "get-args"},
    }
    environment = {**os.environ, **asked[shell], "_HOLDEM_COMPLETE": f"complete_{shell}"}
    call = [sys.executable, "-X", "importtime", "-m", "holdem.cli.main"]
    result = subprocess.run(call, capture_output=True, text=True, check=True, cwd=folder, env=environment)
    return result.stdout.split("\n")[:-1] if result.stdout.strip() else [], result.stderr


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("m",), ["monitor", "merge", "match", "models"]),
        (("show", ""), ["runs/blueprint", "runs/three"]),
        (("show", "runs/b"), ["runs/blueprint"]),
        (("show", "runs/blueprint/"), ["runs/blueprint/avg_policy.json"]),
        (("play", "--policy", "runs/t"), ["runs/three"]),
        (("eval", "--checkpoint", ""), ["runs/blueprint/checkpoint_final.pkl"]),
        (("match", "runs/three", "tight"), ["tight-aggressive"]),
        (("match", "search", ":", "runs/t"), ["runs/three"]),
        (("match", "search:runs/t"), ["search:runs/three"]),
        (("eval", "--opponents", "always-call,tig"), ["always-call,tight-aggressive"]),
        (("review", ""), ["runs/three/hands/play_1.phhs"]),
        (("train", "--sampling", ""), ["external", "outcome"]),
        (("train", "--game", "k"), ["kuhn"]),
        (("train", "--config", "para"), ["parallel_training"]),
        (("solve", "--spot", "PR1"), ["PR1"]),
        (("files", "home"), ["home_game"]),
        (("doctor", ""), []),
    ],
)
def test_values_come_without_compiled_code(words: tuple[str, ...], expected: list[str], folder: Path) -> None:
    found, imported = ask(folder, "holdem", *words)
    assert sorted(found) == sorted(expected)
    assert "numba" not in imported


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("show", "--p"), ["--png"]),
        (("export", "--format", ""), ["json", "csv"]),
        (("show", "--json", "runs/b"), ["runs/blueprint"]),
        (("buckets", ""), ["build", "show", "of"]),
        (("buckets", "of", "--bu"), ["--buckets"]),
    ],
)
def test_what_only_the_verb_knows_is_asked_of_it(words: tuple[str, ...], expected: list[str], folder: Path) -> None:
    assert sorted(ask(folder, "holdem", *words)[0]) == sorted(expected)


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells(shell: str, folder: Path) -> None:
    assert "runs/blueprint" in "\n".join(ask(folder, "holdem", "show", "r", shell=shell)[0])


def test_the_baselines_are_the_known_ones() -> None:
    assert list(BASELINES) == sorted(KNOWN_BASELINES)


def test_help_waits_for_no_compiled_code(tmp_path: Path) -> None:
    call = [sys.executable, "-X", "importtime", "-m", "holdem.cli.main", "--help"]
    result = subprocess.run(call, capture_output=True, text=True, check=True, cwd=tmp_path)
    assert "--install-completion" in result.stdout
    assert not {"numba", "numpy", "pydantic"} & {line.split()[-1] for line in result.stderr.splitlines()}
