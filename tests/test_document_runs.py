"""The commands of the README and of the tutorial run: each line of their shell blocks, in order, as real processes.

They run in a folder that looks as the documents promise: the files of a checkout, and a blueprint in `runs/blueprint`,
trained for a second. What takes long is made short by the tables below, and by nothing else:

- SHORT replaces the value of a flag; ADDED gives a verb flags that its line does not have.
- `holdem play` gets what a person types; `holdem serve` is asked for its page and then ended by Ctrl+C.
- A line with one of PLACEHOLDERS, or of a verb of NOT_RUN, is only checked (`tests/test_document_flags.py`), and so are
  targets of make (`tests/test_documents.py`).
- SLOW commands run where tests marked slow do.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

from tests.built_buckets import small_buckets
from tests.document_commands import CHECKOUT, ShownCommand, commands_in_blocks

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(sys.platform == "win32", reason="a server is ended by a signal of POSIX"),
]

RUN_DOCUMENTS = ("README.md", "docs/tutorial.md")
FOLDERS = ("assets/spots", "assets/table_profiles", "configs", "examples")
PATIENCE_SECONDS = 300

SHORT = {
    "--time-budget": "1",
    "--iters": "20000",
    "--hands": "8",
    "--max-hands": "1",
    "--lbr-hands": "2",
    "--deals": "10",
    "--num-workers": "1",
    "--num-instances": "1",
    "--threads": "1",
}
ADDED = {
    "autoplay": {"--max-hands": "1"},
    "dry-run": {"--max-hands": "1"},
    "eval": {"--hands": "8", "--lbr-hands": "2", "--num-workers": "1"},
    "lbr": {"--hands": "8"},
    "leaf-values": {"--seconds": "2"},
    "match": {"--hands": "8"},
    "play": {"--hands": "1"},
    "serve": {"--port": "0", "--no-open": ""},
}
TYPED = {"play": "w\nc\nf\nq\n"}
PLACEHOLDERS = re.compile(r"RUN|FILE(?:\..*)?|SPOT|OTHER|OPPONENT|ADDRESS|MODULE|N|<.*>|.*…")
NOT_RUN = {
    "acpc": "needs a dealer; tests/table/acpc has one",
    "buckets": "builds for a minute; tests/abstraction does",
    "dealer": "waits for players; tests/table/acpc has some",
}
SLOW = {"leaf-values", "--compile"}
"""Verbs and flags of commands that take a minute and more however little they are asked for."""
GOOD_STATUS = {"doctor": (0, 1), "litmus": (0, 1)}
"""Exit statuses that are no failure where not only 0 is: a small machine, or a second of training, may fail a check."""


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what the documents promise."""
    folder = tmp_path_factory.mktemp("checkout")
    for name in FOLDERS:
        shutil.copytree(CHECKOUT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    result = run(folder, ["train", "--time-budget", "1", "--buckets", str(small_buckets())])
    assert result.returncode == 0, result.stderr
    return folder


@pytest.mark.parametrize("name", RUN_DOCUMENTS)
def test_every_command_runs(checkout: Path, name: str) -> None:
    shown = [command for command in commands_to_run(CHECKOUT / name) if not SLOW & set(command.words)]
    assert shown, f"{name} shows no command"
    failed = [trouble for command in shown if (trouble := failure(checkout, command)) is not None]
    assert not failed, "\n\n".join(failed)


@pytest.mark.slow
@pytest.mark.parametrize("name", RUN_DOCUMENTS)
def test_slow_commands_run(checkout: Path, name: str) -> None:
    shown = [command for command in commands_to_run(CHECKOUT / name) if SLOW & set(command.words)]
    failed = [trouble for command in shown if (trouble := failure(checkout, command)) is not None]
    assert not failed, "\n\n".join(failed)


def commands_to_run(document: Path) -> list[ShownCommand]:
    """The commands of a document's blocks that are whole and may run here."""
    return [
        command
        for command in commands_in_blocks(document)
        if command.words[0] not in NOT_RUN and not any(PLACEHOLDERS.fullmatch(word) for word in command.words)
    ]


def failure(folder: Path, command: ShownCommand) -> str | None:
    """What went wrong with a command; None if nothing did."""
    words = shortened(command.words)
    result = ask_and_interrupt(folder, words) if words[0] == "serve" else run(folder, words, TYPED.get(words[0], ""))
    if result.returncode in GOOD_STATUS.get(words[0], (0,)):
        return None
    return f"{command.document}: {command.text}\n  run as {words}\n  status {result.returncode}\n{result.stderr[-800:]}"


def shortened(words: Sequence[str]) -> list[str]:
    """The words of a command with the replacements of the tables."""
    short = [SHORT.get(before, word) for before, word in zip(["", *words], words, strict=False)]
    added = dict(ADDED.get(words[0], {}))
    if words[0] == "train" and not {"--buckets", "--game", "--resume-from"} & set(words):
        added["--buckets"] = str(small_buckets())
    return [*short, *(part for flag, value in added.items() if flag not in short for part in (flag, value) if part)]


def run(folder: Path, words: Sequence[str], typed: str = "") -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "holdem.cli.main", *words],
        cwd=folder,
        env=os.environ | {"PYTHONIOENCODING": "utf-8"},
        input=typed,
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE_SECONDS,
        check=False,
    )


def ask_and_interrupt(folder: Path, words: Sequence[str]) -> "subprocess.CompletedProcess[str]":
    """A server that is asked for its page, and then ended as a person ends it."""
    process = subprocess.Popen(
        [sys.executable, "-u", "-m", "holdem.cli.main", *words],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
    guard = threading.Timer(PATIENCE_SECONDS, process.kill)
    guard.start()
    try:
        assert process.stdout is not None
        first = process.stdout.readline()
        link = re.search(r"http://\S+?(?=;|\s)", first)
        if link is not None:
            with urlopen(link.group(0)) as page:
                assert b"<html" in page.read()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate()
    finally:
        guard.cancel()
        process.kill()
    status = 0 if process.returncode in (0, 130) and link is not None else process.returncode or 1
    return subprocess.CompletedProcess(list(words), status, first + out, err)


def test_the_tables_make_a_command_short() -> None:
    assert shortened(("match", "search:runs/blueprint", "random", "--hands", "200")) == [
        "match",
        "search:runs/blueprint",
        "random",
        "--hands",
        "8",
    ]
    assert shortened(("dry-run",)) == ["dry-run", "--max-hands", "1"]
    assert shortened(("train", "--game", "leduc", "--iters", "1000000")) == [
        "train", "--game", "leduc", "--iters", "20000",
    ]  # fmt: skip


def test_the_program_of_the_readme() -> None:
    """Theory knows the answer: ip bets the pot with all aces and half as many bluffs, oop calls half of the time."""
    [program] = re.findall(r"```python\n(.*?)```", (CHECKOUT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    names: dict[str, Any] = {}
    exec(program, names)
    solution = names["solution"]
    assert solution.expected_values == pytest.approx((10.0, 90.0), abs=0.1)
    assert solution.node("check, bet 100").frequencies["Call"] == pytest.approx(0.5, abs=0.05)
