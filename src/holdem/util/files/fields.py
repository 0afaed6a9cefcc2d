"""Checks the types of what a file holds, field by field of a dataclass, before anything uses it.

A checksum says that a file was not damaged, not that whoever wrote it meant well. Types are strict: `"5"` and `True`
are no whole numbers.
"""

from collections.abc import Mapping
from dataclasses import MISSING, fields
from functools import lru_cache
from math import isfinite
from typing import Annotated, Any, TypeVar, get_type_hints

import numpy as np
from pydantic import BeforeValidator, ConfigDict, Field, TypeAdapter, ValidationError

Record = TypeVar("Record")


class FieldError(ValueError):
    """What is wrong with a field, in a few words that follow the name of the file."""


def checked_fields(kind: type[Record], content: Any) -> Record:
    """The dataclass `kind` from a mapping of its fields, each of its type; other keys are left alone."""
    if not isinstance(content, Mapping):
        raise FieldError(f"has {type(content).__name__} in place of fields by name")
    values = {}
    adapters: dict[str, TypeAdapter[Any]] = _adapters(kind)  # type: ignore[arg-type]
    for name, adapter in adapters.items():
        if name in content:
            values[name] = _checked(name, adapter, content[name])
        elif name in _required(kind):  # type: ignore[arg-type]
            raise FieldError(f"has no {name!r}")
    return kind(**values)


def checked_value(name: str, kind: Any, value: Any) -> Any:
    """A value of a type such as `list[int]`, or a FieldError about the field of this name."""
    return _checked(name, _adapter(kind), value)


def plain_json(value: Any) -> Any:
    """The same value as JSON has it: tuples are lists, NumPy's scalars are numbers; all else is refused, NaN too."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, dict):
        return {str(key): plain_json(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [plain_json(part) for part in value]
    if isinstance(value, float) and not isfinite(value):
        raise ValueError(f"{value} is no number that JSON has")
    if value is None or type(value) in (str, int, float, bool):
        return value
    raise ValueError(f"{type(value).__name__} is no plain value")


JsonObject = Annotated[dict[str, Any], BeforeValidator(plain_json)]
Count = Annotated[int, Field(ge=0, lt=2**63)]
"""A whole number that fits 64 bits."""

_STRICT = ConfigDict(strict=True, allow_inf_nan=False)


def _checked(name: str, adapter: TypeAdapter[Any], value: Any) -> Any:
    try:
        return adapter.validate_python(value)
    except RecursionError:
        raise FieldError(f"has a {name!r} that is nested too deep") from None
    except ValidationError as error:
        problem = error.errors(include_url=False)[0]
        place = ".".join(str(part)[:40] for part in (name, *problem["loc"]))
        said = problem["msg"].removeprefix("Value error, ")
        raise FieldError(f"has a wrong {place!r} ({said[0].lower() + said[1:]})") from None


@lru_cache(maxsize=64)
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind, config=_STRICT)


@lru_cache(maxsize=64)
def _adapters(kind: Any) -> dict[str, TypeAdapter[Any]]:
    hints = get_type_hints(kind, include_extras=True)
    return {field.name: _adapter(hints[field.name]) for field in fields(kind)}


@lru_cache(maxsize=64)
def _required(kind: Any) -> frozenset[str]:
    return frozenset(field.name for field in fields(kind) if field.default is MISSING)
