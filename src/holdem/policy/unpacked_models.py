"""Shipped models that were unpacked, where a run is expected: what they are called, and where to write beside them.

A model is unpacked into the user's cache, which may be cleared at any time, so nothing that somebody wants to keep is
written there, and people read its name and not that place.
"""

from pathlib import Path

from holdem.errors import ArtifactError
from holdem.policy.file_names import MANIFEST_NAME
from holdem.policy.models import ShippedModel, find_model
from holdem.policy.models.catalogue import PREFIX
from holdem.policy.models.unpacking import unpacked_folder
from holdem.policy.run_names import RUNS


def written_beside(policy: Path) -> Path:
    """The folder for hands and the like of a run or its avg_policy.json; `runs/<name>` for an unpacked model."""
    model = model_of(policy)
    return _folder(policy) if model is None else RUNS / model.name


def run_name(policy: Path) -> str:
    """What a run is called in results: its path, or `models/<name>`."""
    model = model_of(policy)
    return str(policy) if model is None else f"{PREFIX}/{model.name}"


def short_name(policy: Path) -> str:
    """The same without where it lies, for whoever has no business there."""
    model = model_of(policy)
    return _folder(policy).absolute().name if model is None else f"{PREFIX}/{model.name}"


def model_of(policy: Path) -> ShippedModel | None:
    """The shipped model that a folder of the user's cache was unpacked from; None for any other folder."""
    folder = _folder(policy)
    try:
        model = find_model(Path(PREFIX) / folder.name.rpartition("-")[0])
    except ArtifactError:
        return None
    return model if model is not None and unpacked_folder(model).resolve() == folder.resolve() else None


def _folder(policy: Path) -> Path:
    return policy.parent if policy.name == MANIFEST_NAME else policy
