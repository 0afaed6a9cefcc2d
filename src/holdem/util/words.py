"""Words for people: numbers with their nouns, lengths of time, and commands that work when they are pasted."""

import os
import shlex
import subprocess


def counted(number: int, noun: str, plural: str = "") -> str:
    """`1 hand`, `2,000 hands`."""
    return f"{number:,} {noun if number == 1 else plural or f'{noun}s'}"


def duration(seconds: float) -> str:
    """`0.3 ms`, `57 ms`, `2.1 s`."""
    milliseconds = 1000.0 * seconds
    if milliseconds >= 1000.0:
        return f"{seconds:,.1f} s"
    return f"{milliseconds:.0f} ms" if milliseconds >= 1.0 else f"{milliseconds:.1g} ms"


def shell_command(*arguments: object) -> str:
    """Arguments as a person types them in a shell of this system."""
    words = [str(argument) for argument in arguments]
    return subprocess.list2cmdline(words) if os.name == "nt" else shlex.join(words)
