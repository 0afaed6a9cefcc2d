"""Words for the Tab key: runs, agents, hand histories and games, found without importing what verbs need.

A shell asks at each press of the key, so an answer has a fraction of a second. Where nothing fits, shells offer files.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from holdem.errors import ConfigError
from holdem.policy.file_names import MODEL_MANIFEST_NAME, MODEL_NAME
from holdem.policy.run_names import MANIFEST_NAME, RUNS
from holdem.util.shipped import CONFIGS, FOLDERS, GAMES, PROFILES, SPOTS, ShippedFolder, models_folder

BASELINES = (
    "always-call", "always-raise", "fold-to-any-bet", "loose-aggressive", "pot-odds", "random", "tight-aggressive"
)  # fmt: skip
"""As in `holdem.evaluation.baselines`; a test holds them equal."""


@dataclass(frozen=True)
class Completion:
    """One word, as the parser's own completions are."""

    value: str
    help: str | None = None
    type: str = "plain"


def complete_value(argument: str, words: Sequence[str], incomplete: str) -> list[Completion] | None:
    """Completions of a value that follows `words` of a verb; None if only the verb itself can tell.

    `argument` is what the verb's arguments name.
    """
    last = words[-1] if words else ""
    if last.startswith("--"):
        if last not in _OPTIONS:
            return None
        found = _OPTIONS[last](incomplete)
    else:
        found = _ARGUMENTS[argument](incomplete) if argument else ()
    return [Completion(word) for word in found if word.startswith(incomplete)]


def runs(incomplete: str) -> Iterable[str]:
    """Whatever has a policy: runs, and the shipped models."""
    return chain(own_runs(incomplete), models())


def models() -> list[str]:
    """As `holdem.policy.models.catalogue` finds them, without its imports; a test holds them equal."""
    folders = [Path("assets/models")]
    with suppress(ConfigError):  # the verb says what is wrong with HOLDEM_MODELS
        folders.append(models_folder())
    found = (path for folder in folders for path in folder.glob(f"*/{MODEL_MANIFEST_NAME}"))
    return sorted({f"models/{path.parent.name}" for path in found if MODEL_NAME.fullmatch(path.parent.name)})


def own_runs(incomplete: str) -> Iterable[str]:
    """Runs by their folder; inside of one, its policy."""
    for folder in sorted(path for path in RUNS.glob("*") if path.is_dir()):
        inside = incomplete.startswith(f"{folder.as_posix()}/")
        if not inside:
            yield folder.as_posix()
        elif (folder / MANIFEST_NAME).exists():
            yield (folder / MANIFEST_NAME).as_posix()


def agents(incomplete: str) -> Iterable[str]:
    """Baselines and runs, with search or without; what comes before the last comma of a list stays."""
    before, comma, last = incomplete.rpartition(",")
    head, colon, name = last.rpartition(":") if last.startswith("search") else ("", "", last)
    words = runs(name) if colon else chain(BASELINES, runs(last), ("search:",))
    return (f"{before}{comma}{head}{colon}{word}" for word in words)


def hand_histories(incomplete: str) -> Iterable[str]:
    """What `play` and others have written."""
    return sorted(path.as_posix() for pattern in ("*.phhs", "runs/*/hands/*.phhs") for path in Path().glob(pattern))


def checkpoints(incomplete: str) -> Iterable[str]:
    """Of all runs."""
    return sorted(path.as_posix() for path in RUNS.glob("*/checkpoint_*.pkl"))


def spots(incomplete: str) -> Iterable[str]:
    """The ids of the shipped spots."""
    for path in SPOTS.files():
        content = json.loads(path.read_text(encoding="utf-8"))
        yield from (spot["id"] for spot in content.get("spots", [content]) if "id" in spot)


def _names(*folders: ShippedFolder) -> Callable[[str], Iterable[str]]:
    """Shipped files by their names."""
    return lambda incomplete: [name for folder in folders for name in folder.names()]


def _words(*words: str) -> Callable[[str], Iterable[str]]:
    return lambda incomplete: words


_ARGUMENTS: dict[str, Callable[[str], Iterable[str]]] = {
    "run": runs,
    "training": own_runs,
    "agent": agents,
    "hands": hand_histories,
    "shipped": _names(*FOLDERS),
}
_OPTIONS: dict[str, Callable[[str], Iterable[str]]] = {
    "--policy": runs,
    "--resume-from": own_runs,
    "--logdir": own_runs,
    "--checkpoint": checkpoints,
    "--agent": agents,
    "--opponent": agents,
    "--opponents": agents,
    "--game": _names(GAMES),
    "--config": _names(CONFIGS),
    "--profile": _names(PROFILES),
    "--spot": spots,
    "--log-level": _words("debug", "info", "warning", "error"),
    "--sampling": _words("external", "outcome"),
}


def complete_with(command: Any, context: Any, argument: str, incomplete: str) -> Any:
    """Completions by the verb itself: names of options, choices, and arguments after a flag."""
    words = list(context.args)
    if incomplete.startswith("-"):
        asked = command.make_context(context.info_name, words, parent=context.parent, resilient_parsing=True)
        return command.shell_complete(asked, incomplete)
    option = next((part for part in command.params if words and words[-1] in (*part.opts, *part.secondary_opts)), None)
    if option is None or option.is_flag:
        return complete_value(argument, [], incomplete)
    return option.shell_complete(context, incomplete)
