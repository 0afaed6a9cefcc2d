"""The trained runs under `runs/`: which is the newest, and which one a name means."""

import difflib
from dataclasses import dataclass
from pathlib import Path

from holdem.errors import ArtifactMissing, HoldemError
from holdem.policy.files import MANIFEST_NAME, POLICY
from holdem.types import GameConfig
from holdem.util.configs import check_config

RUNS = Path("runs")
TRAIN_COMMAND = "holdem train --time-budget 60 --num-workers 0"


@dataclass(frozen=True)
class TrainedRun:
    """A folder with an average policy, and what its manifest says."""

    path: Path
    game: GameConfig
    iterations: int
    changed: float
    """Seconds since 1970."""

    def __str__(self) -> str:
        return f"{self.path} ({self.game.name}, {self.iterations:,} iterations)"


def trained_runs(folder: Path = RUNS) -> list[TrainedRun]:
    """Runs of hold'em with a policy, the newest first; what cannot be read is left out."""
    found = [_trained(manifest) for manifest in folder.glob(f"*/{MANIFEST_NAME}")]
    return sorted(filter(None, found), key=lambda run: (-run.changed, run.path))


def _trained(manifest: Path) -> TrainedRun | None:
    try:
        content = POLICY.read(manifest)
        game = check_config(GameConfig, content["game"])
        run = TrainedRun(manifest.parent, game, int(content["iterations"]), manifest.stat().st_mtime)
    except (HoldemError, OSError, KeyError, TypeError, ValueError):
        return None
    return run if game.variant == "holdem" else None


def named_run(typed: Path, folder: Path = RUNS) -> Path:
    """The run that a user means: a path that is there, or the name of a run; else an error with the nearest name."""
    found = find_run(typed, folder)
    if found is None:
        raise ArtifactMissing(f"{typed} does not exist; {_hint(typed, folder)}")
    return found


def find_run(typed: Path, folder: Path = RUNS) -> Path | None:
    """As `named_run`; None where there is no such run."""
    if typed.exists():
        return typed
    named = folder / typed
    return named if len(typed.parts) == 1 and named.exists() else None


def nearest_run(typed: Path, folder: Path = RUNS) -> str | None:
    """The run whose name is most like what was typed."""
    sought = typed.parent if typed.name == MANIFEST_NAME else typed
    known = {Path(run).name: run for run in _known(folder)}
    nearest = difflib.get_close_matches(sought.name, known, n=1, cutoff=0.6)
    return known[nearest[0]] if nearest else None


def _known(folder: Path) -> list[str]:
    return [str(manifest.parent) for manifest in sorted(folder.glob(f"*/{MANIFEST_NAME}"))]


def _hint(typed: Path, folder: Path) -> str:
    nearest, known = nearest_run(typed, folder), _known(folder)
    if nearest is not None:
        return f"did you mean {nearest}?"
    if known:
        return f"trained runs: {', '.join(known[:8])}" + (" and others" if len(known) > 8 else "")
    return f"train a blueprint with: {TRAIN_COMMAND}"
