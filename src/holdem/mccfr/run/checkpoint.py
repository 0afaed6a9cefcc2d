"""Checkpoints: a table and its iteration in one checked file, from which training goes on byte for byte.

`checkpoint_<iteration>.pkl` holds the fingerprint of what shaped the table, the game, the seed, the iteration and the
table. What the wall clock says (seconds of training, nodes visited) is beside it in `checkpoint_<iteration>.json`, so
that the same iterations always make the same file.
"""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt
from pydantic import Field

from holdem.abstraction.betting.tree import count_tree
from holdem.errors import ArtifactError, ConfigError
from holdem.mccfr.run.directory import FINAL_NAME, checkpoints_in
from holdem.policy.fingerprint import Fingerprint, check_stored, differences
from holdem.types import GameConfig
from holdem.util.artifacts import plain_word, write_json
from holdem.util.configs import check_config
from holdem.util.files.fields import Count, FieldError, JsonObject, checked_fields
from holdem.util.files.regular import read_json
from holdem.util.files.tables import read_tables, write_tables

KIND = "holdem checkpoint"
FORMAT_VERSION = 2
"""1 had no chunks without their blocks of zeros; both are read."""
WAY_OUT = "resume from another checkpoint of the run, or start anew without --resume-from"

Buckets = Annotated[int, Field(ge=1, lt=2**31)]


@dataclass(frozen=True)
class Clock:
    """What training has cost so far; kept beside the checkpoint, not in it."""

    seconds: float = 0.0
    nodes: Count = 0


@dataclass(frozen=True)
class CheckpointInfo:
    """Everything about a checkpoint except its table."""

    iteration: Count
    seed: Count
    stream_start: Count
    game: JsonObject
    buckets_per_street: list[Buckets]
    fingerprint: JsonObject


def save_checkpoint(path: Path, info: CheckpointInfo, table: npt.NDArray[Any], clock: Clock) -> None:
    """Write the clock and then the checkpoint, each in one step."""
    write_json(path.with_suffix(".json"), {"iteration": info.iteration, **asdict(clock)})
    write_tables(path, KIND, FORMAT_VERSION, asdict(info), {"table": table.reshape(-1)})


def read_info(path: Path) -> CheckpointInfo:
    """Read and check a checkpoint, leaving its table on disk."""
    return _info(path, read_tables(path, KIND, FORMAT_VERSION, WAY_OUT))


def read_clock(path: Path) -> Clock:
    """What the wall clock said; zero where the file beside the checkpoint is missing or damaged."""
    try:
        return checked_fields(Clock, read_json(path.with_suffix(".json")))
    except (OSError, ValueError):
        return Clock()


def restore_table(path: Path, table: npt.NDArray[Any], expected: Fingerprint) -> CheckpointInfo:
    """Fill a zeroed table from a checkpoint whose fingerprint is the expected one, or say what differs."""

    def destinations(content: dict[str, Any]) -> dict[str, npt.NDArray[Any]]:
        check_fingerprint(path, _info(path, content).fingerprint, expected)
        flat = table.reshape(-1)
        _check_length(path, content, len(flat))
        return {"table": flat}

    return _info(path, read_tables(path, KIND, FORMAT_VERSION, WAY_OUT, destinations))


def check_fingerprint(path: Path, found: Fingerprint, expected: Fingerprint) -> None:
    """Refuse a checkpoint of another game, other buckets or other training settings."""
    different = differences(found, expected)
    if different:
        raise ArtifactError(
            f"{path} was made with other settings ({'; '.join(different)}); "
            "use the same settings, or start anew without --resume-from"
        )


def read_table(path: Path) -> tuple[CheckpointInfo, npt.NDArray[Any]]:
    """A checkpoint with its table, (entries, 2)."""
    info = read_info(path)
    table = zeroed_table(path, info)
    restore_table(path, table, info.fingerprint)
    return info, table


def zeroed_table(path: Path, info: CheckpointInfo) -> npt.NDArray[Any]:
    """(entries, 2) zeros for the table of a checkpoint, as many as its game and its buckets need."""
    dtype = np.float64 if info.fingerprint["training"]["sampling"] == "outcome" else np.int32
    try:
        entries = count_tree(GameConfig.model_validate(info.game)).entries(info.buckets_per_street)
        return np.zeros((entries, 2), dtype=dtype)
    except (ConfigError, MemoryError, ValueError) as error:
        raise ArtifactError(f"{path} cannot be opened here ({plain_word(error, 300)}); {WAY_OUT}") from None


def newest_valid(
    source: Path, way_out: str = "name another with --resume-from"
) -> tuple[Path, CheckpointInfo, list[str]]:
    """The whole checkpoint with the most iterations of a run directory (or the file itself), and warnings."""
    if not source.is_dir():
        return source, read_info(source), []
    finals = [path for place in (source, source / "checkpoints") if (path := place / FINAL_NAME).exists()]
    warnings: list[str] = []
    valid = [
        found for group in (finals, checkpoints_in(source)) if (found := _first_valid(group, warnings)) is not None
    ]
    if not valid:
        trouble = f" ({warnings[0]})" if warnings else ""
        raise ArtifactError(f"{source} holds no checkpoint{' that is whole' if warnings else ''}{trouble}; {way_out}")
    path, info = max(valid, key=lambda found: found[1].iteration)
    return path, info, warnings


def _first_valid(paths: list[Path], warnings: list[str]) -> tuple[Path, CheckpointInfo] | None:
    for path in paths:
        try:
            return path, read_info(path)
        except ArtifactError as error:
            warnings.append(str(error))
    return None


def _info(path: Path, content: dict[str, Any]) -> CheckpointInfo:
    """The description in a checkpoint, every field checked."""
    try:
        info = checked_fields(CheckpointInfo, content)
        check_stored(info.fingerprint)
        check_config(GameConfig, info.game, "holds no game")
    except (FieldError, ConfigError) as error:
        raise ArtifactError(f"{path} {plain_word(error, 300)}; {WAY_OUT}") from None
    return info


def _check_length(path: Path, content: dict[str, Any], expected: int) -> None:
    lengths = content["lengths"]
    if list(lengths) != ["table"] or lengths["table"] != expected:
        found = ", ".join(f"{name[:20]!r} {length:,}" for name, length in lengths.items())
        raise ArtifactError(f"{path} has tables of other lengths ({found}) than {expected:,}; {WAY_OUT}")
