"""The trained runs under `runs/`, the newest first: what a verb works with where nobody names a run."""

from dataclasses import dataclass
from pathlib import Path

from holdem.errors import HoldemError
from holdem.policy.files import POLICY
from holdem.policy.run_names import MANIFEST_NAME, RUNS
from holdem.types import GameConfig
from holdem.util.configs import check_config


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
    except (HoldemError, OSError, ArithmeticError, KeyError, TypeError, ValueError):
        return None
    return run if game.variant == "holdem" else None
