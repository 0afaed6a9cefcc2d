"""Flags of a verb that are written elsewhere: in the fields of a configuration, or in a dataclass of options.

A setting has one name, one help text and one check, all in its field. Its flag is the name with hyphens and, if the
field has a shorter spelling, that one too. A flag only says whether its text is a number: the configuration checks the
value, so that a flag and a line of a YAML file are refused in the same words.
"""

import inspect
from collections.abc import Callable
from functools import wraps
from types import NoneType
from typing import Any, get_args

import typer
from pydantic import BaseModel
from pydantic.fields import FieldInfo

Maker = Callable[..., Any]


def spellings(config: type[BaseModel], key: str) -> list[str]:
    """The flags of a key, the one that people type first."""
    extra = config.model_fields[key].json_schema_extra
    short = [str(extra["flag"])] if isinstance(extra, dict) else []
    return [*short, f"--{key.replace('_', '-')}"]


def help_of(config: type[BaseModel], key: str) -> str | None:
    """What the help says about a key."""
    return config.model_fields[key].description


def given_settings(config: type[BaseModel]) -> Maker:
    """Makes the dictionary of the settings that were given, of one flag for each key."""

    def make(**values: Any) -> dict[str, Any]:
        return {key: value for key, value in values.items() if value is not None}

    parameters = [_parameter(config, key, field) for key, field in config.model_fields.items()]
    make.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return make


def _parameter(config: type[BaseModel], key: str, field: FieldInfo) -> inspect.Parameter:
    kind = _plain_type(field.annotation)
    names = spellings(config, key)
    if kind is bool:
        names = [f"{name}/{negated(name)}" for name in names]
    shown = False if field.default is None else _as_flag(field.default, names[0])
    option = typer.Option(None, *names, help=field.description, show_default=shown)
    return inspect.Parameter(key, inspect.Parameter.KEYWORD_ONLY, default=option, annotation=kind | None)


def _as_flag(default: Any, names: str) -> str:
    """A default as a person would type it: `0.6`, or of `--x/--no-x` the one that holds."""
    if isinstance(default, bool):
        return names.split("/")[not default]
    return f"{default:.10g}" if isinstance(default, float) else str(default)


def _plain_type(annotation: Any) -> Any:
    """What a flag's text is read as: the type of an optional value, or that of the choices of a literal."""
    first, *_ = [part for part in get_args(annotation) if part is not NoneType] or [annotation]
    return first if isinstance(first, type) else type(first)


def negated(flag: str) -> str:
    """The flag that switches a setting off."""
    return flag.replace("--", "--no-", 1)


def takes(**makers: Maker) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """For a command with keyword parameters of these names: in place of each, the command line has the parameters of
    its maker, and the command gets what the maker makes of them.
    """

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        own = inspect.signature(command)
        groups = {name: [*inspect.signature(maker).parameters.values()] for name, maker in makers.items()}

        @wraps(command)
        def run(**values: Any) -> None:
            made = {
                name: makers[name](**{part.name: values.pop(part.name) for part in parts})
                for name, parts in groups.items()
            }
            command(**values, **made)

        shown = [part for name, one in own.parameters.items() for part in groups.get(name, [one])]
        shown = [part.replace(kind=inspect.Parameter.KEYWORD_ONLY) for part in shown]
        run.__signature__ = own.replace(parameters=shown)  # type: ignore[attr-defined]
        return run

    return decorate
