"""What `--help` prints: plain pages with headings, made for reading and copying at eighty columns.

Typer's own pages cut names of flags short in narrow windows and wrap examples. Here a flag is always whole, its help
beside it or below it, and each example is one line that can be copied.
"""

import os
import shutil
import sys
from collections.abc import Iterable, Sequence
from enum import Enum
from textwrap import wrap
from typing import Any, ClassVar

import typer
from typer.core import TyperCommand, TyperGroup

from holdem.cli.option_groups import group_options

NARROWEST, WIDEST = 40, 100
LONGEST_NAME = 30
"""Names up to here have their help beside them, longer ones below."""
VALUE_WORDS = {"int": "N", "float": "X", "path": "PATH", "file": "PATH", "str": "TEXT", "text": "TEXT"}
"""By what the name of a type has in it, in Typer's words and in Click's."""
UNITS = {"seconds": "SECONDS", "_ms": "MS"}
"""By how the name of a parameter ends."""
SHORT = 20
NO_BREAK = "\N{NO-BREAK SPACE}"
EXAMPLES = "Examples:"

Row = tuple[str, str]


class PageCommand(TyperCommand):
    """A verb with such a page."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Called by the parser, whose formatter only carries the text."""
        formatter.write(command_page(self, ctx))


class PageGroup(TyperGroup):
    """Verbs under one name; `headings` puts them in groups."""

    headings: ClassVar[dict[str, str]] = {}
    """Verb → heading; one that is not here stands under `Verbs`."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Called by the parser."""
        formatter.write(group_page(self, ctx))


def command_page(command: Any, context: Any) -> str:
    """Usage, what it does, examples, arguments, options."""
    width = page_width()
    arguments = [p for p in command.params if p.param_type_name == "argument"]
    options = [p for p in command.get_params(context) if p.param_type_name == "option" and not p.hidden]
    usage = " ".join([f"Usage: {context.command_path}", *map(_in_usage, arguments), "[OPTIONS]"])
    groups = {"Arguments": [(_argument_name(p), _help_of(p)) for p in arguments]}
    groups |= {heading: [(_names(p), _help_of(p)) for p in group] for heading, group in group_options(options).items()}
    column = _column([name for rows in groups.values() for name, _ in rows], width)
    return _page(usage, command.help or "", groups, column, width)


def group_page(group: Any, context: Any) -> str:
    """Usage, and the verbs with a line each."""
    width = page_width()
    groups: dict[str, list[Row]] = {}
    for verb in group.list_commands(context):
        line = " ".join(first_sentence(group.commands[verb].help or ""))
        groups.setdefault(group.headings.get(verb, "Verbs"), []).append((verb, line))
    groups["Options"] = [(_names(option), _help_of(option)) for option in group.get_params(context)]
    usage = f"Usage: {context.command_path} VERB [ARGUMENTS] [OPTIONS]"
    page = _page(usage, group.help or "", groups, _column(group.commands, width), width)
    return "\n".join([page, _paragraphs(group.epilog or "", width)])


def page_width() -> int:
    """Columns of the window, or of `COLUMNS`; not too wide for reading."""
    return max(NARROWEST, min(shutil.get_terminal_size().columns, WIDEST))


def first_sentence(text: str) -> list[str]:
    """The words of a docstring's first paragraph."""
    return text.split("\n\n", 1)[0].split()


def examples_in(text: str) -> list[str]:
    """The lines under `Examples:`, each a command."""
    return [line.strip() for line in text.partition(EXAMPLES)[2].splitlines() if line.strip()]


def _page(usage: str, text: str, groups: dict[str, list[Row]], column: int, width: int) -> str:
    prose, _, _ = text.partition(EXAMPLES)
    parts = [*wrap(usage, width, subsequent_indent="    ", break_on_hyphens=False), "", _paragraphs(prose, width)]
    if examples := examples_in(text):
        parts += [_bold(EXAMPLES), *(f"  {example}" for example in examples), ""]
    for heading, rows in groups.items():
        if rows:
            parts += [_bold(f"{heading}:"), *_table(rows, column, width), ""]
    return "\n".join(parts)


def _paragraphs(text: str, width: int) -> str:
    """Paragraphs of running text, a blank line after each."""
    lines = (line for part in text.split("\n\n") if part.strip() for line in (*_wrapped(part, width), ""))
    return "\n".join(lines)


def _column(names: Iterable[str], width: int) -> int:
    """Where help begins: beside the longest name that is not too long."""
    most = min(LONGEST_NAME, width // 3 + 2)
    return 4 + max(len("--help"), *(len(name) for name in names if len(name) + 4 <= most))


def _table(rows: Sequence[Row], column: int, width: int) -> Iterable[str]:
    for name, text in rows:
        first, *more = _wrapped(text, width - column) or [""]
        if len(name) + 4 <= column:
            yield f"  {_bold(name)}{' ' * (column - 2 - len(name))}{first}".rstrip()
        else:
            yield f"  {_bold(name)}"
            yield f"{' ' * column}{first}"
        yield from (f"{' ' * column}{line}" for line in more)


def _wrapped(text: str, width: int) -> list[str]:
    lines = wrap(text, width, break_long_words=False, break_on_hyphens=False)
    return [line.replace(NO_BREAK, " ") for line in lines]


def _bold(text: str) -> str:
    plain = not sys.stdout.isatty() or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return text if plain else typer.style(text, bold=True)


def _names(option: Any) -> str:
    """`--iters, --num-iterations N`, `--search / --no-search`."""
    names = ", ".join(option.opts)
    if option.secondary_opts:
        names += f" / {', '.join(option.secondary_opts)}"
    return names if option.is_flag else f"{names} {_value_word(option)}"


def _argument_name(argument: Any) -> str:
    return f"{argument.metavar or argument.name.upper()}{'' if argument.nargs == 1 else '...'}"


def _in_usage(argument: Any) -> str:
    name = _argument_name(argument)
    return name if argument.required else f"[{name}]"


def _value_word(option: Any) -> str:
    """What stands for the value of an option."""
    if option.metavar:
        return str(option.metavar)
    described = getattr(option, "type_descriptor", None)  # newer versions of Typer; older ones have Click's types
    choices = getattr(described or option.type, "choices", None)
    if choices:
        return "|".join(str(choice.value if isinstance(choice, Enum) else choice) for choice in choices)
    for ending, word in UNITS.items():
        if option.name.endswith(ending):
            return word
    kind = str(described.annotation if described else option.type).lower()
    return next((word for part, word in VALUE_WORDS.items() if part in kind), "VALUE")


def _help_of(parameter: Any) -> str:
    """The help, with the default where the text does not have it already."""
    text = parameter.help or ""
    if parameter.param_type_name == "option" and parameter.required:
        return f"{text} (required)"
    default = _default_word(parameter)
    return text if not default or "default" in text else f"{text} ({default})"


def _default_word(parameter: Any) -> str:
    if isinstance(parameter.show_default, str):
        return _together(f"default {parameter.show_default}")
    default = parameter.default
    if default is None or default == "" or callable(default) or not parameter.show_default:
        return ""
    if getattr(parameter, "is_flag", False):
        names = parameter.opts if default else parameter.secondary_opts
        return _together(f"default {names[0]}") if parameter.secondary_opts else ""
    if isinstance(default, float):
        default = f"{default:.10g}"
    return _together(f"default {default.value if isinstance(default, Enum) else default}")


def _together(words: str) -> str:
    """Words that stay on one line if they are short."""
    return words.replace(" ", NO_BREAK) if len(words) <= SHORT else words
