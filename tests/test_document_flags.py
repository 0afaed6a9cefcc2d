"""Every command that a document shows has verbs and flags that the command line knows, and values behind its flags."""

from functools import cache
from pathlib import Path
from typing import Any

import pytest
import typer

from holdem.cli.main import load_verb, make_holdem
from holdem.cli.verbs import VERBS
from tests.document_commands import DOCUMENTS, ShownCommand, commands_in_blocks, commands_in_text

OMISSIONS = ("…", "...")


@cache
def the_command_line() -> Any:
    command: Any = typer.main.get_command(make_holdem())
    command.commands = {verb: load_verb(verb) for verb in VERBS}
    return command


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_verbs_and_flags_exist(document: Path) -> None:
    """Running text may name a flag without its value; a block is there to be copied."""
    troubles = [(command, trouble_with(command)) for command in commands_in_blocks(document)]
    troubles += [(command, trouble_with(command, values=False)) for command in commands_in_text(document)]
    wrong = [f"{command.text}: {trouble}" for command, trouble in troubles if trouble is not None]
    assert not wrong, "\n".join(wrong)


def trouble_with(shown: ShownCommand, values: bool = True) -> str | None:
    """What the parser would not understand; None if it would. values: whether flags must have theirs."""
    command, words = the_command_line(), [word for word in shown.words if word not in OMISSIONS]
    while words and hasattr(command, "commands") and not words[0].startswith("-"):
        if words[0] not in command.commands:
            return f"there is no verb {words[0]!r}"
        command = command.commands[words.pop(0)]
    known = {name: option for option in command.params for name in (*option.opts, *option.secondary_opts)}
    for place, word in enumerate(words):
        flag = word.partition("=")[0]
        if not flag.startswith("--") or flag == "--help":
            continue
        if flag not in known:
            return f"there is no flag {flag}"
        following = words[place + 1 : place + 2]
        if values and "=" not in word and not known[flag].is_flag and (not following or following[0].startswith("--")):
            return f"{flag} has no value"
    return None


@pytest.mark.parametrize(
    ("line", "trouble"),
    [
        ("trian --iters 5", "there is no verb 'trian'"),
        ("train --iterz 5", "there is no flag --iterz"),
        ("train --iters --seed 5", "--iters has no value"),
        ("buckets bild", "there is no verb 'bild'"),
        ("buckets build --preset mid", None),
        ("train --no-tensorboard --iters=5 …", None),
    ],
)
def test_what_is_wrong_is_found(line: str, trouble: str | None) -> None:
    assert trouble_with(ShownCommand("", line, tuple(line.split()))) == trouble
