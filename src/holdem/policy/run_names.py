"""Names of runs: what a user means by one, and which is most like a wrong one."""

import difflib
from pathlib import Path
from typing import TYPE_CHECKING

from holdem.errors import ArtifactMissing, ConfigError
from holdem.policy.file_names import MANIFEST_NAME, MODEL_MANIFEST_NAME, has_no_run
from holdem.util.files.regular import is_there

if TYPE_CHECKING:
    from holdem.policy.models import ShippedModel

__all__ = [
    "MANIFEST_NAME",
    "NO_NAME",
    "RUNS",
    "TRAIN_COMMAND",
    "TRAIN_SECONDS",
    "find_run",
    "named_model",
    "named_run",
    "nearest_run",
]

RUNS = Path("runs")
MODELS = "models"
NO_NAME = "no run was named"
"""What is said of an empty name, which as a path would be the working directory."""
TRAIN_SECONDS = 60
TRAIN_COMMAND = f"holdem train --time-budget {TRAIN_SECONDS} --num-workers 0"


def named_run(typed: Path, folder: Path = RUNS) -> Path:
    """The run that a user means: a path that is there, the name of a run, or a model, which is unpacked.

    Anything else is an error with the nearest name.
    """
    found = find_run(typed, folder)
    if found is None:
        raise ArtifactMissing(f"{typed} does not exist; {_hint(typed, folder)}")
    return found


def find_run(typed: Path, folder: Path = RUNS) -> Path | None:
    """As `named_run`; None where there is no such run."""
    model = named_model(typed, folder)
    if model is None:
        return _there(typed, folder)
    from holdem.policy.models import unpack

    return unpack(model)


def named_model(typed: Path, folder: Path = RUNS) -> "ShippedModel | None":
    """The model that a user means: by `models/NAME`, or by the folder under `runs/` where its hands are kept.

    None for anything else, and where a path that is there wins. A folder that holds a model is that model.
    """
    path = _there(typed, folder)
    if path is not None and is_there(path / MODEL_MANIFEST_NAME) and not is_there(path / MANIFEST_NAME):
        return _model_at(path)
    sought = typed if path is None else Path(MODELS) / path.name
    if sought.parts[:1] != (MODELS,) or (path is not None and not _gives_way(path, typed, folder)):
        return None
    from holdem.policy.models import find_model  # only for whoever names one: Tab asks this module too

    return find_model(sought)


def _model_at(folder: Path) -> "ShippedModel":
    from holdem.policy.models.catalogue import model_folders
    from holdem.policy.models.manifest import read_model

    for found in model_folders().values():
        if found.resolve() == folder.resolve():
            return read_model(found)
    raise ConfigError(
        f"{folder} holds a model, which is played where models lie: name its parent folder in HOLDEM_MODELS, or put it "
        f"into assets/models/, and name it {MODELS}/{folder.resolve().name}"
    )


def _there(typed: Path, folder: Path) -> Path | None:
    """What was typed as a path, else as the name of a run."""
    if is_there(typed):
        return typed
    named = folder / typed
    return named if len(typed.parts) == 1 and is_there(named) else None


def _gives_way(path: Path, typed: Path, folder: Path) -> bool:
    """Whether a path that is there is no run, so that the model of its name is meant."""
    return _has_only_hands(path, folder) or (typed.parts[:1] == (MODELS,) and has_no_run(path))


def _has_only_hands(path: Path, folder: Path) -> bool:
    """Whether a folder under `runs/` holds nothing of a run, as after hands with a model."""
    return path.absolute().parent == folder.absolute() and has_no_run(path)


def nearest_run(typed: Path, folder: Path = RUNS) -> str | None:
    """The run or model whose name is most like what was typed."""
    from holdem.policy.models.catalogue import model_names

    sought = typed.parent if typed.name == MANIFEST_NAME else typed
    runs = {path.name: str(path) for path in sorted(folder.glob("*/")) if not _has_only_hands(path, folder)}
    models = {Path(name).name: name for name in model_names()}
    known = runs | models if sought.parts[:1] == (MODELS,) else models | runs
    nearest = difflib.get_close_matches(sought.name, known, n=1, cutoff=0.6)
    return known[nearest[0]] if nearest else None


def _known(folder: Path) -> list[str]:
    return [str(manifest.parent) for manifest in sorted(folder.glob(f"*/{MANIFEST_NAME}"))]


def _hint(typed: Path, folder: Path) -> str:
    from holdem.policy.models.catalogue import model_names

    nearest, known = nearest_run(typed, folder), _known(folder)
    if nearest is not None:
        return f"did you mean {nearest}?"
    if typed.parts[:1] == (MODELS,) and model_names():
        return f"models: {', '.join(model_names())}"
    if known:
        return f"trained runs: {', '.join(known[:8])}" + (" and others" if len(known) > 8 else "")
    return f"train a blueprint with: {TRAIN_COMMAND}"
