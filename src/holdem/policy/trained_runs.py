"""What lies under `runs/`, the newest first: what a verb works with where nobody names a run."""

from dataclasses import dataclass
from pathlib import Path

from holdem.errors import ArtifactError, ArtifactMissing, HoldemError
from holdem.policy.file_names import has_no_run
from holdem.policy.files import POLICY
from holdem.policy.run_names import MANIFEST_NAME, RUNS
from holdem.types import GameConfig
from holdem.util.artifacts import plain_word
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


@dataclass(frozen=True)
class OtherRun:
    """A folder of a run that cannot be played, and why: its policy cannot be read, or is not there yet."""

    path: Path
    changed: float
    error: ArtifactError


@dataclass(frozen=True)
class Runs:
    """The runs of a folder, each list the newest first.

    trained: of hold'em, with a policy; of_toys: of other games; unreadable: with a policy that is damaged or newer than
    this program; unfinished: without a policy
    """

    trained: list[TrainedRun]
    of_toys: list[TrainedRun]
    unreadable: list[OtherRun]
    unfinished: list[OtherRun]


def find_runs(folder: Path = RUNS) -> Runs:
    """Everything in a folder of runs; folders without anything of a run, as after hands with a model, are none."""
    found = [_read(path) for path in folder.glob("*/") if not has_no_run(path)]
    found.sort(key=lambda run: (-run.changed, run.path))
    trained = [run for run in found if isinstance(run, TrainedRun)]
    others = [run for run in found if isinstance(run, OtherRun)]
    return Runs(
        trained=[run for run in trained if run.game.variant == "holdem"],
        of_toys=[run for run in trained if run.game.variant != "holdem"],
        unreadable=[run for run in others if not isinstance(run.error, ArtifactMissing)],
        unfinished=[run for run in others if isinstance(run.error, ArtifactMissing)],
    )


def _read(run: Path) -> TrainedRun | OtherRun:
    manifest = run / MANIFEST_NAME
    try:
        content = POLICY.read(manifest)
        game = check_config(GameConfig, content["game"])
        return TrainedRun(run, game, int(content["iterations"]), _changed(manifest))
    except ArtifactMissing as error:
        return OtherRun(run, _changed(run), error)
    except ArtifactError as error:
        return OtherRun(run, _changed(manifest), error)
    except (HoldemError, OSError, ArithmeticError, KeyError, TypeError, ValueError) as error:
        what = f"does not describe a policy of this version ({plain_word(error, 300)})"
        return OtherRun(run, _changed(manifest), POLICY.refuser(manifest)(manifest, what))


def _changed(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:  # it has just gone
        return 0.0
