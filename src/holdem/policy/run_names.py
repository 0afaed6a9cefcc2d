"""Names of runs: what a user means by one, and which is most like a wrong one."""

import difflib
from pathlib import Path

from holdem.errors import ArtifactMissing
from holdem.util.files.regular import is_there

RUNS = Path("runs")
MANIFEST_NAME = "avg_policy.json"
TRAIN_SECONDS = 60
TRAIN_COMMAND = f"holdem train --time-budget {TRAIN_SECONDS} --num-workers 0"


def named_run(typed: Path, folder: Path = RUNS) -> Path:
    """The run that a user means: a path that is there, or the name of a run; else an error with the nearest name."""
    found = find_run(typed, folder)
    if found is None:
        raise ArtifactMissing(f"{typed} does not exist; {_hint(typed, folder)}")
    return found


def find_run(typed: Path, folder: Path = RUNS) -> Path | None:
    """As `named_run`; None where there is no such run."""
    if is_there(typed):
        return typed
    named = folder / typed
    return named if len(typed.parts) == 1 and is_there(named) else None


def nearest_run(typed: Path, folder: Path = RUNS) -> str | None:
    """The run whose name is most like what was typed."""
    sought = typed.parent if typed.name == MANIFEST_NAME else typed
    names = [path.name for path in sorted(folder.glob("*/"))]
    nearest = difflib.get_close_matches(sought.name, names, n=1, cutoff=0.6)
    return str(folder / nearest[0]) if nearest else None


def _known(folder: Path) -> list[str]:
    return [str(manifest.parent) for manifest in sorted(folder.glob(f"*/{MANIFEST_NAME}"))]


def _hint(typed: Path, folder: Path) -> str:
    nearest, known = nearest_run(typed, folder), _known(folder)
    if nearest is not None:
        return f"did you mean {nearest}?"
    if known:
        return f"trained runs: {', '.join(known[:8])}" + (" and others" if len(known) > 8 else "")
    return f"train a blueprint with: {TRAIN_COMMAND}"
