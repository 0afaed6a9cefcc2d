"""YAML and keyword arguments into a checked configuration, with errors a person can act on."""

import difflib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ValidationError

from holdem.errors import ConfigError

Model = TypeVar("Model", bound=BaseModel)


def read_yaml(path: Path) -> dict[str, Any]:
    """The mapping in a YAML file; anything else is refused."""
    try:
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ConfigError(f"{path} does not exist; check the path") from None
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} cannot be read: {error}") from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f" at line {mark.line + 1}" if mark else ""
        raise ConfigError(f"{path} is not valid YAML{where}: {getattr(error, 'problem', error)}") from None
    if content is None:
        return {}
    if not isinstance(content, dict):
        raise ConfigError(f"{path} must hold `key: value` lines, not a {type(content).__name__}")
    return content


def check_config(model: type[Model], values: Mapping[str, Any], source: str = "") -> Model:
    """Build `model` from `values`, or raise a ConfigError about the first thing that is wrong."""
    try:
        return model.model_validate(dict(values))
    except ValidationError as error:
        prefix = f"{source}: " if source else ""
        raise ConfigError(prefix + sentence_of(model, error)) from None


def sentence_of(model: type[BaseModel], error: ValidationError) -> str:
    """One sentence about the first thing that a validation found wrong."""
    problem = error.errors()[0]
    path = ".".join(str(part) for part in problem["loc"])
    if problem["type"] == "extra_forbidden":
        key = str(problem["loc"][-1])
        nearest = difflib.get_close_matches(key, _keys(model), n=1, cutoff=0.4)
        hint = f"; did you mean {nearest[0]}?" if nearest else f"; known keys: {', '.join(_keys(model))}"
        return f"unknown key {path!r}{hint}"
    cause = problem.get("ctx", {}).get("error")
    if isinstance(cause, ConfigError):
        return _inside(path, str(cause))
    message = problem["msg"].removeprefix("Value error, ").rstrip(".")
    if not path:
        return message
    value = repr(problem["input"])
    return f"{path} is {value if len(value) <= 60 else value[:57] + '...'}: {message[0].lower() + message[1:]}"


def _inside(path: str, sentence: str) -> str:
    """A sentence about a configuration inside another, with the way to it."""
    if not path:
        return sentence
    unknown = "unknown key '"
    if sentence.startswith(unknown):
        return f"{unknown}{path}.{sentence.removeprefix(unknown)}"
    return f"{path}.{sentence}"


def _keys(model: type[BaseModel]) -> list[str]:
    """All keys of a model and of the models inside it."""
    keys: list[str] = []
    for name, field in model.model_fields.items():
        keys.append(name)
        parts = [field.annotation, *getattr(field.annotation, "__args__", ())]
        for part in parts:
            if isinstance(part, type) and issubclass(part, BaseModel):
                keys.extend(_keys(part))
    return keys
