"""Words for people: one is singular, commands survive a shell."""

import shlex
import sys

import pytest

from holdem.util.words import counted, duration, shell_command


def test_one_is_singular() -> None:
    assert [counted(number, "hand") for number in (0, 1, 2, 2000)] == ["0 hands", "1 hand", "2 hands", "2,000 hands"]
    assert counted(2, "entry", "entries") == "2 entries"


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.00009, "0.09 ms"), (0.0573, "57 ms"), (0.9, "900 ms"), (2.14, "2.1 s"), (6000, "6,000.0 s")],
)
def test_no_time_is_nothing(seconds: float, words: str) -> None:
    assert duration(seconds) == words


@pytest.mark.skipif(sys.platform == "win32", reason="the words of a POSIX shell")
def test_a_shell_reads_the_same_words() -> None:
    words = ["holdem", "show", "runs/my run", "it's", "a|b"]
    assert shlex.split(shell_command(*words)) == words
