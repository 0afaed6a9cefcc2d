"""Pages of help: every flag is whole in a narrow window, every example is one line that the parser takes."""

import shlex
from collections.abc import Iterator
from typing import Any

import pytest
import typer

from holdem.cli.help_pages import NO_BREAK, examples_in, first_sentence
from holdem.cli.main import load_verb, make_holdem
from holdem.cli.option_groups import HEADINGS
from holdem.cli.verbs import VERBS
from tests.cli.runs import Run


def all_pages() -> Iterator[tuple[list[str], Any]]:
    """Each verb with its command; verbs of verbs too."""
    for verb in VERBS:
        command = load_verb(verb)
        yield [verb], command
        for name, inner in getattr(command, "commands", {}).items():
            yield [verb, name], inner


PAGES = [pytest.param(words, command, id=" ".join(words)) for words, command in all_pages()]


@pytest.mark.parametrize("columns", [60, 80, 240])
@pytest.mark.parametrize(("words", "command"), PAGES)
def test_every_option_is_there_whole(
    words: list[str], command: Any, columns: int, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    result = run(*words, "--help")
    assert result.status == 0
    shown = set(result.out.replace(",", " ").split())
    for option in command.params:
        if option.param_type_name == "option":
            assert {*option.opts, *option.secondary_opts} <= shown
            assert not option.help or option.help.split()[0] in result.out
    assert not {"<bool>", "<int>", "<str>", "<path>"} & shown
    assert NO_BREAK not in result.out and "\x1b" not in result.out
    examples = {f"  {example}" for example in examples_in(command.help or "")}
    lines = result.out.splitlines()
    assert examples <= set(lines)
    assert all(len(line) <= columns for line in lines if line not in examples)


def test_every_verb_is_listed_with_the_first_sentence_of_its_page(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    lines = run("--help").out.splitlines()
    for verb, entry in VERBS.items():
        assert " ".join(first_sentence(load_verb(verb).help)) == entry.line
        assert any(line.split() == [verb, *entry.line.split()] for line in lines), "one line at eighty columns"
        assert f"{entry.heading}:" in lines


def test_every_name_under_a_heading_is_an_option() -> None:
    names = {option.name for _, command in all_pages() for option in command.params}
    assert {name for group in HEADINGS.values() for name in group.split()} <= names


@pytest.mark.parametrize(("words", "command"), PAGES)
def test_the_parser_takes_every_example(words: list[str], command: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    holdem: Any = typer.main.get_command(make_holdem())
    for example in examples_in(command.help or ""):
        first, *arguments = before_pipes(example)
        assert first == "holdem", example
        context = holdem.make_context("holdem", list(arguments))
        while hasattr(context.command, "resolve_command") and (left := [*context._protected_args, *context.args]):
            name, inner, arguments = context.command.resolve_command(context, left)
            context = inner.make_context(name, list(arguments), parent=context)


def before_pipes(example: str) -> list[str]:
    """The words of a command up to `|` or `>`."""
    lexer = shlex.shlex(example, posix=True, punctuation_chars="|>")
    lexer.whitespace_split = True
    words = list(lexer)
    ends = [place for place, word in enumerate(words) if word in ("|", ">")]
    return words[: ends[0]] if ends else words
