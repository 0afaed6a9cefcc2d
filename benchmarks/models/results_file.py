"""The file of a model's results: what is there already, and what a step adds to it."""

import datetime
from pathlib import Path
from typing import Any

from benchmarks.models.steps import PARTS, Entries, Json, Step
from holdem.errors import ArtifactError, ConfigError
from holdem.evaluation.response.local.published import PUBLISHED
from holdem.util.artifacts import write_json
from holdem.util.files.regular import read_json

IDENTITY = ("opponent", "setting", "search")
"""What tells the entries of a list from each other."""


class ResultsFile:
    """Results of one policy, written after every step; `digest` says which policy."""

    def __init__(self, path: Path, digest: str, machine: str, command: str) -> None:
        self.path = path
        self.content = _read(path)
        measured = self.content.setdefault("measured", {})
        if measured.get("policy", digest) != digest:
            raise ConfigError(f"{path} has results of another policy; name another --out")
        commands = dict.fromkeys([*measured.get("commands", []), command])
        self._measured = {"machine": machine, "policy": digest, "commands": list(commands)}

    def has(self, step: Step) -> bool:
        """Whether there is nothing left to do for a step: it has all entries, over as many hands as were asked for."""
        found = self.content.get(step.key)
        if isinstance(found, list):
            same = [entry for entry in found if step.same.items() <= entry.items() and entry["hands"] >= step.hands]
            return len(same) >= (len(PUBLISHED) if step.key == "lbr" else 1)
        return found is not None

    def add(self, step: Step, entries: Entries) -> None:
        """Keep what a step found, in place of what there was."""
        if step.key == "litmus":
            self.content["litmus"] = entries[0]
        else:
            kept = {_identity(entry): entry for entry in [*self.content.get(step.key, []), *entries]}
            self.content[step.key] = list(kept.values())
        self.content["measured"] = {"date": datetime.date.today().isoformat(), **self._measured}
        write_json(self.path, self._ordered())

    def _ordered(self) -> Json:
        known = [key for key in (*PARTS, "measured") if key in self.content]
        return {key: self.content[key] for key in (*known, *self.content)}


def _identity(entry: Json) -> tuple[Any, ...]:
    return tuple(entry.get(name) for name in IDENTITY)


def _read(path: Path) -> Json:
    if not path.exists():
        return {}
    try:
        content = read_json(path)
    except (OSError, ValueError) as error:
        raise ArtifactError(f"{path} cannot be read ({error}); remove it or name another --out") from None
    if not isinstance(content, dict) or not isinstance(content.get("measured"), dict):
        raise ArtifactError(f"{path} holds no results of a model; name another --out")
    return content
