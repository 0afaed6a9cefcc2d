"""Writes docs/settings.md: every setting with its flag, values and default, taken from the classes that check them.

    python -m docs.make_settings

A setting is described by its `description`, by the string below its field, or by both; one without either is an error.
`tests/test_settings_page.py` holds the page to what this writes.
"""

import ast
import dataclasses
import inspect
import textwrap
import typing
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BeforeValidator
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from holdem.cli.flags import negated, spellings
from holdem.cli.main import load_verb
from holdem.cli.train_instances import InstanceFlags
from holdem.table.profiles.profiles import AcpcDealer, TableProfile
from holdem.types import (
    BettingConfig,
    BucketConfig,
    BucketCounts,
    BucketFeatures,
    Config,
    GameConfig,
    MCCFRConfig,
    PositionMenus,
    SearchConfig,
    StreetMenus,
)

PAGE = Path(__file__).parent / "settings.md"
INTRODUCTION = """# Settings

Every setting, taken from the classes that check it: `python -m docs.make_settings`, which `make docs` runs, writes this
page. A file may leave out any of them; a mistyped one is answered with the nearest that exists, and a value out of its
bounds with both. *none* means that nothing is set.
"""
ENVIRONMENT = """## Environment

| variable | what it does |
|---|---|
| `HOLDEM_CACHE` | the folder of compiled code (`holdem doctor` names it) and of what else can be made again |
| `NUMBA_CACHE_DIR` | the folder of compiled code alone |

Checks in poker terms have a YAML file of their own: [litmus.md](litmus.md). A spot to solve is JSON:
[solver.md](solver.md).
"""
PLAIN_WORDS = {int: "whole number", float: "number", str: "text", bool: "true or false"}
BOUNDS = {"ge": "≥", "gt": ">", "le": "≤", "lt": "<"}


@dataclasses.dataclass(frozen=True)
class Section:
    """Some classes under one heading; `verb` is the one whose flags a setting may have."""

    title: str
    about: str
    classes: tuple[type[Config], ...]
    verb: str | None = None


SECTIONS = (
    Section(
        "Training",
        "Keys of `holdem train --config FILE.yaml`, flags of `holdem train`, and arguments of "
        "`holdem.types.MCCFRConfig` in Python. A flag wins over the file. [training.md](training.md) explains them.",
        (MCCFRConfig,),
        "train",
    ),
    Section(
        "Search at the table",
        "Flags of `holdem play`, `serve`, `dry-run` and `autoplay`, and arguments of `holdem.types.SearchConfig` in "
        "Python; [search.md](search.md).",
        (SearchConfig,),
        "dry-run",
    ),
    Section(
        "Games",
        "Keys of a game in YAML: `holdem train --game-config FILE.yaml`, as in `configs/games/`; "
        "[betting_trees.md](betting_trees.md) has the language of bet sizes.",
        (GameConfig, BettingConfig, StreetMenus, PositionMenus),
    ),
    Section(
        "Card abstraction",
        "Keys of `holdem buckets build --config FILE.yaml`; [buckets.md](buckets.md), and "
        "`assets/abstraction/buckets_config.yaml` to copy.",
        (BucketConfig, BucketCounts, BucketFeatures),
    ),
    Section(
        "Tables",
        "Keys of a profile in JSON: `holdem dry-run --profile FILE.json`, as in `assets/table_profiles/`; "
        "[tables.md](tables.md).",
        (TableProfile, AcpcDealer),
    ),
)


def page() -> str:
    """The whole page."""
    first, *others = (_section(section) for section in SECTIONS)
    return "\n".join([INTRODUCTION, first, _instances(), *others, ENVIRONMENT])


def _section(section: Section) -> str:
    flags = _flags_of_verb(section.verb) if section.verb else frozenset()
    parts = [f"## {section.title}\n\n{section.about}\n"]
    for config in section.classes:
        if len(section.classes) > 1:
            parts.append(f"### {config.__name__}\n\n{_first_sentence(config)}\n")
        parts.append(_table(config, flags))
    return "\n".join(parts)


def _instances() -> str:
    """Flags of several solvers at once: they have no key in a file."""
    rows = ["| flag | value | what it does |", "|---|---|---|"]
    for name, hint in typing.get_type_hints(InstanceFlags, include_extras=True).items():
        kind, option = get_args(hint)
        rows.append(f"| `--{name.replace('_', '-')}` | {_kind(kind)} | {_cell(option.help)} |")
    about = "Flags of `holdem train` alone, for several solvers at once: [cluster.md](cluster.md)."
    return f"## Instances\n\n{about}\n\n" + "\n".join(rows) + "\n"


def _table(config: type[Config], flags: frozenset[str]) -> str:
    texts = _strings_below_fields(config)
    heads = ["key", *(["flag"] if flags else []), "value", "default", "what it does"]
    rows = [f"| {' | '.join(heads)} |", "|" + "---|" * len(heads)]
    for key, field in config.model_fields.items():
        cells = [f"`{key}`"]
        if flags:
            cells.append(_flag(config, key, field, flags))
        about = " ".join(text for text in (field.description, texts.get(key)) if text)
        if not about:
            raise SystemExit(f"{config.__name__}.{key} has no description; write one below the field")
        cells += [_value(field), _default(field), _cell(about)]
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows) + "\n"


def _flags_of_verb(verb: str) -> frozenset[str]:
    return frozenset(name for option in load_verb(verb).params for name in option.opts)


def _flag(config: type[Config], key: str, field: FieldInfo, flags: frozenset[str]) -> str:
    found = [name for name in spellings(config, key) if name in flags]
    if field.annotation is bool:
        found = [name for flag in found for name in (flag, negated(flag))]
    return ", ".join(f"`{name}`" for name in found) or "–"


def _first_sentence(config: type[Config]) -> str:
    return " ".join((inspect.getdoc(config) or "").split())


def _strings_below_fields(config: type[Config]) -> dict[str, str]:
    """Field → the string below it, which Python itself throws away."""
    (definition,) = ast.parse(textwrap.dedent(inspect.getsource(config))).body
    assert isinstance(definition, ast.ClassDef)
    found = {}
    for before, after in zip(definition.body, definition.body[1:], strict=False):
        if isinstance(before, ast.AnnAssign) and isinstance(before.target, ast.Name) and isinstance(after, ast.Expr):
            found[before.target.id] = ast.literal_eval(after.value)
    return found


def _value(field: FieldInfo) -> str:
    """The kind of a value and its bounds."""
    single = get_origin(field.annotation) is tuple and any(type(one) is BeforeValidator for one in field.metadata)
    return ("one, or a " if single else "") + ", ".join([_kind(field.annotation), *_bounds(field.metadata)])


def _kind(annotation: Any) -> str:
    if get_origin(annotation) is Annotated:
        kind, *metadata = get_args(annotation)
        inner = [item for one in metadata for item in getattr(one, "metadata", [])]
        return ", ".join([_kind(kind), *_bounds(inner)])
    if get_origin(annotation) in (Union, UnionType):
        return " or ".join(_kind(part) for part in get_args(annotation) if part is not NoneType)
    if get_origin(annotation) is Literal:
        return " or ".join(f"`{choice}`" for choice in get_args(annotation))
    if get_origin(annotation) is tuple:
        first, *rest = get_args(annotation)
        return f"list{'' if rest == [...] else f' of {len(rest) + 1}'}: {_kind(first)}"
    if isinstance(annotation, type) and issubclass(annotation, Config):
        return f"[{annotation.__name__}](#{annotation.__name__.lower()})"
    return PLAIN_WORDS[annotation]


def _bounds(metadata: list[Any]) -> list[str]:
    return [
        f"{sign} {_number(getattr(one, name))}"
        for one in metadata
        for name, sign in BOUNDS.items()
        if hasattr(one, name)
    ]


def _number(value: float) -> str:
    return "2⁶³" if value == 2**63 else f"{value:,}" if isinstance(value, int) else f"{value:,.10g}"


def _default(field: FieldInfo) -> str:
    value = field.default
    if value is PydanticUndefined:
        return "must be given"
    if value is None or value in ((), "", ("",)):
        return "none"
    if isinstance(value, Config):
        return "its defaults"
    return f"`{_plain(value)}`"


def _plain(value: Any) -> str:
    if isinstance(value, tuple):
        return _plain(value[0]) if len(value) == 1 else f"[{', '.join(map(_plain, value))}]"
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:.0f}" if isinstance(value, float) and value.is_integer() else str(value)


def _cell(text: str) -> str:
    """Text for a cell of a table: one line."""
    return " ".join(text.replace("|", "\\|").split())


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    print(f"wrote {PAGE}")
