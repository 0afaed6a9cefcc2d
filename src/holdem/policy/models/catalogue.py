"""The models that are there, found by manifest alone: those of the package, and of `assets/models` where one works."""

from pathlib import Path

from holdem.errors import ArtifactError
from holdem.policy.file_names import MANIFEST_NAME, MODEL_NAME
from holdem.policy.models.manifest import MODEL, ShippedModel, read_model
from holdem.util.files.regular import is_there
from holdem.util.shipped import models_folder

FOLDER = Path("assets/models")
PREFIX = "models"
_USUAL = {2: {"headsup": 100, "headsup_200bb": 200}, 3: {"threemax": 100}, 6: {"sixmax": 100}}
"""By the number of seats: names, each with its stacks in big blinds; the first where nobody says how deep."""
_FIRST = tuple(name for names in _USUAL.values() for name in names)


def model_folders() -> dict[str, Path]:
    """Folders with a manifest by their names, the usual ones first; one of the working directory wins."""
    found = {path.parent.name: path.parent for folder in (models_folder(), FOLDER) for path in _manifests(folder)}
    return dict(sorted(found.items(), key=lambda item: (_place(item[0]), item[0])))


def _manifests(folder: Path) -> list[Path]:
    """Of folders that are called as a model can be; other names could be anything, and are printed nowhere."""
    return [path for path in folder.glob(f"*/{MODEL.name}") if MODEL_NAME.fullmatch(path.parent.name)]


def _place(name: str) -> int:
    return _FIRST.index(name) if name in _FIRST else len(_FIRST)


def model_names() -> list[str]:
    """What can be typed for a model: `models/headsup`, and so on."""
    return [f"{PREFIX}/{name}" for name in model_folders()]


def shipped_models() -> list[ShippedModel]:
    """All models that can be read, the usual ones first."""
    return [model for model in _read_all() if isinstance(model, ShippedModel)]


def unreadable_models() -> list[ArtifactError]:
    """Why the others cannot be read: each a sentence with the way out."""
    return [error for error in _read_all() if isinstance(error, ArtifactError)]


def _read_all() -> list[ShippedModel | ArtifactError]:
    return [_read(folder) for folder in model_folders().values()]


def _read(folder: Path) -> ShippedModel | ArtifactError:
    try:
        return read_model(folder)
    except ArtifactError as error:
        return error


def find_model(typed: Path) -> ShippedModel | None:
    """The model that `models/NAME` means, or its policy `models/NAME/avg_policy.json`; None if there is none.

    An ArtifactError if it is there and damaged.
    """
    parts = typed.parts[:-1] if typed.name == MANIFEST_NAME else typed.parts
    if len(parts) != 2 or parts[0] != PREFIX:
        return None
    folder = model_folders().get(parts[1])
    return read_model(folder) if folder is not None and is_there(folder) else None


def model_for(num_players: int, stack_blinds: float | None = None) -> ShippedModel | None:
    """The model to play with at a table of so many seats, trained for stacks near these; None if there is none.

    An ArtifactError if the usual one is there and damaged, newer or of other seats: another game in its place would
    surprise.
    """
    folders, usual = model_folders(), _USUAL.get(num_players, {})
    there = [name for name in usual if name in folders]
    if there:
        name = min(there, key=lambda name: _distance(usual[name], stack_blinds))
        if not _seats(read_model(folders[name]), num_players):
            what = f"is no model of hold'em for {num_players} seats, as models/{name} usually is"
            raise ArtifactError(f"{folders[name] / MODEL.name} {what}; pack it under another name")
    fitting = [model for model in shipped_models() if _seats(model, num_players)]
    return min(fitting, key=lambda model: _distance(model.stack_blinds, stack_blinds), default=None)


def _seats(model: ShippedModel, num_players: int) -> bool:
    return model.game.variant == "holdem" and model.game.num_players == num_players


def _distance(trained: float, wanted: float | None) -> float:
    return 0.0 if wanted is None else abs(trained - wanted)
