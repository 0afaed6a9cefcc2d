"""Agents of people's own, by a name that says where their class is: `python:package.module:Class`.

The module is imported from the working directory or the environment, as `python -m` would. A constructor that has a
parameter `config` is given the game; everything else in it needs a default. What comes out is an `Agent`, or a
`RangeAgent` if it has a `range_policy`. Whatever goes wrong in it is one sentence that names it, its file and its line.

Such a name runs code: a command line and a profile may have one, and what a web page sends never gets here.
"""

import difflib
import hashlib
import importlib
import inspect
import sys
import traceback
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from holdem.errors import AgentFailed, ConfigError, IllegalAction
from holdem.game.actions import Action
from holdem.game.agent import Agent, Observation, PublicState, RangeAgent, checked_rows
from holdem.types import GameConfig
from holdem.util.logs import LOGGER

PYTHON = "python:"
PROCESS = "process:"
EXAMPLE = "python:my_agent:Tight"
_THEIRS = (Exception, SystemExit)
"""What code of others may raise and we put into a sentence; Ctrl+C is not among it."""


def runs_code(spec: str) -> bool:
    """Whether the name of an agent starts code of somebody's own: each seat then has one of its own."""
    return spec.startswith((PYTHON, PROCESS))


class ImportedAgent:
    """An `Agent` of somebody's own, whose mistakes are sentences."""

    def __init__(self, spec: str, agent: Agent, file: str | None) -> None:
        self.spec, self._agent, self.file = spec, agent, file
        self.name = agent.name

    def act(self, observation: Observation) -> Action:
        """The agent's action, if it is a legal one."""
        try:
            action = self._agent.act(observation)
        except _THEIRS as error:
            raise AgentFailed(f"{self.spec} failed at a decision: {_told(error, self.file)}") from None
        if not isinstance(action, Action):
            raise AgentFailed(f"{self.spec} answered {_short(action)}; act must return an Action, as Action.fold()")
        if not observation.legal.allows(action):
            raise AgentFailed(f"{self.spec} answered {action}, and legal are: {observation.legal}")
        return action

    def identity(self) -> dict[str, str]:
        """Which code it is, as far as one file can tell; not what that imports."""
        source = Path(self.file).read_bytes() if self.file else b""
        return {"python": self.spec, "source": hashlib.sha256(source).hexdigest()}

    def close(self) -> None:
        """Let the agent close what it has, if it knows how."""
        try:
            if callable(close := getattr(self._agent, "close", None)):
                close()
        except _THEIRS as error:
            LOGGER.warning("%s failed at its close: %s", self.spec, _told(error, self.file))


class ImportedRangeAgent(ImportedAgent):
    """A `RangeAgent` of somebody's own: what it tells is checked, since figures rest on it."""

    def range_policy(self, public_state: PublicState) -> tuple[list[Action], npt.NDArray[np.float64]]:
        """Its legal actions, and (1326, actions) their probabilities for each hole pair; rows sum to 1."""
        try:
            actions, rows = cast(RangeAgent, self._agent).range_policy(public_state)
            actions = list(actions)
        except _THEIRS as error:
            raise AgentFailed(f"{self.spec} failed in range_policy: {_told(error, self.file)}") from None
        if not actions:
            raise AgentFailed(f"{self.spec}: range_policy lists no action; it must list those that some hand takes")
        try:
            table = checked_rows(self.spec, rows, len(actions), public_state.board)
        except IllegalAction as error:
            raise AgentFailed(str(error)) from None
        except (TypeError, ValueError):
            raise AgentFailed(f"{self.spec}: range_policy told {_short(rows)}, which is no table of numbers") from None
        for action, used in zip(actions, table.max(axis=0) > 0.0, strict=True):
            if not isinstance(action, Action):
                raise AgentFailed(f"{self.spec}: range_policy lists {_short(action)}, which is no Action")
            if used and not public_state.legal.allows(action):
                raise AgentFailed(f"{self.spec}: range_policy takes {action}, and legal are: {public_state.legal}")
        return actions, table


def open_imported(spec: str, config: GameConfig | None) -> ImportedAgent:
    """The agent of a name `python:module:Class`, made for a game; a ConfigError with the way out if it cannot be."""
    module_name, class_name = _parts(spec)
    module = _imported(spec, module_name)
    file = getattr(module, "__file__", None)
    agent = _made(spec, _found(spec, module, class_name), config, file)
    try:
        missing = [] if isinstance(getattr(agent, "name", None), str) else ["a name, which is a text"]
        missing += [] if callable(getattr(agent, "act", None)) else ["a method act(observation)"]
        kind = ImportedRangeAgent if callable(getattr(agent, "range_policy", None)) else ImportedAgent
    except _THEIRS as error:
        raise ConfigError(f"{spec} cannot be asked what it is: {_told(error, file)}") from None
    if missing:
        raise ConfigError(
            f"{spec} is no Agent: it lacks {' and '.join(missing)}; see the docstring of holdem.game.agent"
        )
    return kind(spec, agent, file)


def _parts(spec: str) -> tuple[str, str]:
    module, colon, name = spec.removeprefix(PYTHON).partition(":")
    if module.endswith(".py") or "/" in module or "\\" in module:
        raise ConfigError(
            f"{spec!r} names a file, and a module is meant; write it with dots and without .py, as {EXAMPLE}"
        )
    if not (colon and name.isidentifier() and all(part.isidentifier() for part in module.split("."))):
        raise ConfigError(
            f"{spec!r} does not say which class of which module; write {PYTHON}module:Class, as {EXAMPLE}"
        )
    return module, name


def _imported(spec: str, name: str) -> ModuleType:
    here = str(Path.cwd())
    if here not in sys.path[:1]:
        sys.path.insert(0, here)  # it stays: what an agent imports at its first decision must be found too
    importlib.invalidate_caches()
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is not None and (name == error.name or name.startswith(f"{error.name}.")):
            raise ConfigError(_no_module(spec, name)) from None
        raise ConfigError(f"{spec} cannot be imported: {_told(error)}; install it, or remove the import") from None
    except SyntaxError as error:
        where = f"{Path(error.filename).name if error.filename else name}, line {error.lineno}"
        raise ConfigError(f"{spec} cannot be imported: {where}: {error.msg}") from None
    except _THEIRS as error:
        raise ConfigError(f"{spec} cannot be imported: {_told(error)}") from None


def _no_module(spec: str, name: str) -> str:
    near = difflib.get_close_matches(name, [path.stem for path in Path.cwd().glob("*.py")], n=1, cutoff=0.6)
    hint = f"did you mean {near[0]}? " if near else ""
    return (
        f"{spec} cannot be imported: there is no module {name} in {Path.cwd()} nor among the installed packages; "
        f"{hint}go to the folder that has {name.split('.')[0]}.py, or install the package"
    )


def _found(spec: str, module: ModuleType, name: str) -> Any:
    found = getattr(module, name, None)
    if callable(found):
        return found
    known = [word for word, thing in vars(module).items() if inspect.isclass(thing) and hasattr(thing, "act")]
    if found is not None:
        raise ConfigError(f"{spec} is a {type(found).__name__} and not a class; name the class, as {EXAMPLE}")
    words = f"agents there: {', '.join(known)}" if known else "it has no class with a method act"
    file = Path(getattr(module, "__file__", None) or "a module of Python itself")
    other = "" if file.is_relative_to(Path.cwd()) else f"; it is {file}: if yours is meant, give it another name"
    raise ConfigError(f"{module.__name__} has no class {name}; {words}{other}")


def _made(spec: str, make: Any, config: GameConfig | None, file: str | None) -> Agent:
    parameters: dict[str, inspect.Parameter] = {}
    with suppress(TypeError, ValueError):  # some classes that are not written in Python tell nothing
        parameters = dict(inspect.signature(make).parameters)
    fixed = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    needed = [name for name, one in parameters.items() if one.default is one.empty and one.kind not in fixed]
    if others := [name for name in needed if name != "config"]:
        raise ConfigError(
            f"{spec} cannot be made: its constructor needs {', '.join(others)}; it is called with nothing, or with "
            "config=GAME if it has that parameter, so all others must have defaults"
        )
    if "config" in needed and config is None:
        raise ConfigError(f"{spec} wants to know its game; name one with --game")
    try:
        return cast(Agent, make(config=config) if "config" in parameters else make())
    except _THEIRS as error:
        raise ConfigError(f"{spec} cannot be made: {_told(error, file)}") from None


def _told(error: BaseException, file: str | None = None) -> str:
    """`my_agent.py, line 12: KeyError: 'x'`: the last line in that file, or the last one outside of this package."""
    own = str(Path(__file__).parents[1])
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if not frame.filename.startswith("<")]
    theirs = [frame for frame in frames if frame.filename == file]
    theirs = theirs or [frame for frame in frames if not frame.filename.startswith((own, importlib.__file__))]
    where = f"{Path(theirs[-1].filename).name}, line {theirs[-1].lineno}: " if theirs else ""
    return f"{where}{type(error).__name__}: {' '.join(str(error).split())}".rstrip(": ")


def _short(thing: object) -> str:
    return " ".join(repr(thing).split())[:80]
