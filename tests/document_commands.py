"""The commands that documents show: lines of shell blocks, and code in running text that begins with `holdem`."""

import re
import shlex
from dataclasses import dataclass
from pathlib import Path

from holdem.cli.verbs import VERBS

CHECKOUT = Path(__file__).parents[1]
DOCUMENTS = sorted([*CHECKOUT.glob("*.md"), *(CHECKOUT / "docs").glob("*.md")])
SHELLS = ("", "sh", "bash", "shell", "console")
"""What follows the opening of a block of commands; other languages, and `text` for output, are no commands."""

BLOCK = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"(?<!`)`(holdem [^`]+)`(?!`)")
RUN_MODULE = re.compile(r"^(?:\S*/)?python3? -m holdem\.cli\.(\w+)\b")
ENDS_A_COMMAND = ("|", ">", ">>", "<", "&&", "||", ";", "&")
OTHER_MODULES = {"build_buckets": ("buckets", "build"), "main": ()}
"""Modules that are no verb by themselves."""


@dataclass(frozen=True)
class ShownCommand:
    """One command; words: the verb and what follows it, without the program's name."""

    document: str
    text: str
    words: tuple[str, ...]


def commands_in_blocks(document: Path) -> list[ShownCommand]:
    """The commands of this project in the shell blocks of a document, in order."""
    text = document.read_text(encoding="utf-8")
    blocks = [block for language, block in BLOCK.findall(text) if language in SHELLS]
    lines = [line.strip() for block in blocks for line in block.replace("\\\n", " ").splitlines()]
    return [command for line in lines if (command := _command(document.name, line)) is not None]


def commands_in_text(document: Path) -> list[ShownCommand]:
    """Code in running text that begins with `holdem`."""
    text = BLOCK.sub("", document.read_text(encoding="utf-8"))
    shown = [" ".join(code.split()) for code in CODE.findall(text)]
    return [command for line in shown if (command := _command(document.name, line)) is not None]


def _command(document: str, line: str) -> ShownCommand | None:
    line = re.sub(r"^(?:\S*/)?holdem\b", "holdem", line)
    module = RUN_MODULE.match(line)
    if not line.startswith("holdem ") and module is None:
        return None
    words = shlex.split(line, comments=True)
    end = next((place for place, word in enumerate(words) if word in ENDS_A_COMMAND), len(words))
    if module is None:
        return ShownCommand(document, line, tuple(words[1:end]))
    return ShownCommand(document, line, (*_verb_of(module.group(1)), *words[3:end]))


def _verb_of(module: str) -> tuple[str, ...]:
    verbs = {entry.module: (verb,) for verb, entry in VERBS.items()}
    assert module in verbs or module in OTHER_MODULES, f"there is no holdem.cli.{module}"
    return verbs.get(module) or OTHER_MODULES[module]
