"""`--out` and the like: a place that cannot be written to is refused before anything is computed.

The functions are callbacks of Typer options, so they run while the command line is read.
"""

import os
from pathlib import Path
from typing import Any

from holdem.errors import ConfigError, RunFailed
from holdem.util.artifacts import write_json
from holdem.util.extras import require


def writable_file(path: Path | None) -> Path | None:
    """A file that is there or can be made; files are replaced, so a device or a pipe would be lost."""
    if path is None:
        return None
    if path.is_dir():
        raise ConfigError(f"{path} is a folder; name a file in it: {path / 'results.json'}")
    if path.exists() and not path.is_file():
        raise ConfigError(f"{path} is not a plain file, and it would be replaced by one; name another place")
    _check_folder(path.parent)
    return path


def picture_file(path: Path | None) -> Path | None:
    """A file for a picture, which needs matplotlib."""
    if path is not None:
        require("matplotlib", "drawing a picture")
    return writable_file(path)


def page_folder(path: Path | None) -> Path | None:
    """A folder for a page with pictures, which needs matplotlib."""
    if path is not None:
        require("matplotlib", "a report")
    return writable_folder(path)


def writable_folder(path: Path | None) -> Path | None:
    """A folder that is there or can be made."""
    if path is not None:
        _check_folder(path)
    return path


def write_figures(path: Path, figures: dict[str, Any]) -> None:
    """Write what was measured; a disk that has filled up meanwhile is one sentence, after hours perhaps."""
    try:
        write_json(path, figures)
    except OSError as error:
        raise RunFailed(
            f"{path} cannot be written ({error.strerror or error}); make room, or name another file"
        ) from None


def _check_folder(folder: Path) -> None:
    nearest = next(place for place in (folder, *folder.absolute().parents) if place.exists())
    if not nearest.is_dir():
        raise ConfigError(f"{nearest} is a file, and a folder is needed there; name another place")
    if not os.access(nearest, os.W_OK | os.X_OK):
        raise ConfigError(f"nothing can be written into {nearest}; name another place")
