"""The two files of an average policy: a readable manifest, and the array that it names with its checksum.

The array is named after its content and written first, then the manifest replaces its predecessor in one step, then
the old array goes: a crash at any moment leaves a pair that fits.
"""

import hashlib
import json
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
import numpy.typing as npt
from pydantic import Field

from holdem.abstraction.bucketing import HandBucketing
from holdem.errors import ArtifactError, ConfigError
from holdem.policy.fingerprint import Fingerprint
from holdem.types import GameConfig
from holdem.util.artifacts import array_digest, atomic_write, plain_word, verify_digest, write_json
from holdem.util.configs import check_config
from holdem.util.files.fields import Count, FieldError, JsonObject, checked_fields
from holdem.util.files.npy import map_array, named_beside
from holdem.util.files.regular import read_json

KIND = "holdem average policy"
FORMAT_VERSION = 1
MANIFEST_NAME = "avg_policy.json"
SCALE = 60_000
LAYOUT = "bucket-major by street and position: entry = offset[node] + bucket * stride[node] + action"

Table = npt.NDArray[np.uint16]


@dataclass(frozen=True)
class BucketReference:
    """The card abstraction that a policy was trained with: its manifest's name beside the policy, and its hash.

    origin: the file that training read, whose tables make lookups instant while it is still there
    """

    file: str
    content_hash: str
    origin: str | None = None

    @classmethod
    def of(cls, file: str, bucketing: HandBucketing) -> "BucketReference":
        """For a policy that was trained with `bucketing`."""
        origin = None if bucketing.path is None else str(bucketing.path.resolve())
        return cls(file, bucketing.content_hash, origin)

    @classmethod
    def of_runs(cls, file: str, content_hash: str, runs: Iterable[Path]) -> "BucketReference":
        """For a policy made of checkpoints of run directories; the first policy there that has an origin names it."""
        origins = (_origin_in(run, content_hash) for run in runs)
        return cls(file, content_hash, next(filter(None, origins), None))


@dataclass(frozen=True)
class PolicyInfo:
    """Everything about a policy except its numbers; `bucketing` is None where every hand is its own bucket."""

    config: GameConfig
    buckets_per_street: tuple[int, ...]
    iterations: int
    bucketing: BucketReference | None = None
    fingerprint: Fingerprint = field(default_factory=dict)


@dataclass(frozen=True)
class _StoredPolicy:
    """The fields of a manifest beside its kind, version and checksum."""

    game: JsonObject
    buckets_per_street: list[Annotated[int, Field(ge=1, lt=2**31)]]
    bucketing: JsonObject | None
    iterations: Count
    probabilities: JsonObject
    fingerprint: JsonObject


@dataclass(frozen=True)
class _StoredArray:
    """The array of a manifest."""

    file: str
    sha256: str
    dtype: Literal["uint16"]
    shape: Annotated[list[Count], Field(min_length=1, max_length=1)]
    scale: Literal[60_000]


def write_pair(folder: Path, info: PolicyInfo, length: int, pieces: Iterable[Table]) -> Path:
    """Write the array in pieces and then the manifest, whose path is returned."""
    manifest = folder / MANIFEST_NAME
    unnamed = folder / f".{manifest.stem}.npy"
    digest = hashlib.sha256()
    with atomic_write(unnamed) as file:
        np.lib.format.write_array_header_1_0(file, {"descr": "<u2", "fortran_order": False, "shape": (length,)})
        for piece in pieces:
            numbers = np.ascontiguousarray(piece, dtype="<u2").data.cast("B")
            digest.update(numbers)
            file.write(numbers)
    array = folder / f"{manifest.stem}.{digest.hexdigest()[:12]}.npy"
    unnamed.replace(array)
    content = {
        "kind": KIND,
        "format_version": FORMAT_VERSION,
        "game": info.config.model_dump(mode="json"),
        "buckets_per_street": list(info.buckets_per_street),
        "bucketing": None if info.bucketing is None else asdict(info.bucketing),
        "iterations": info.iterations,
        "layout": LAYOUT,
        "probabilities": {
            "file": array.name,
            "sha256": digest.hexdigest(),
            "dtype": "uint16",
            "shape": [length],
            "scale": SCALE,
        },
        "fingerprint": info.fingerprint,
    }
    write_json(manifest, {**content, "checksum": _checksum(content)})
    for old in folder.glob(f"{manifest.stem}.*.npy"):
        if old != array:
            with suppress(OSError):  # somebody has it open where open files cannot be removed: the next save retries
                old.unlink()
    return manifest


def read_pair(path: Path) -> tuple[PolicyInfo, Table, Path]:
    """The policy of a run directory or of a manifest, checked: its description, its mapped array, the manifest."""
    path = path if path.suffix == ".json" else path / MANIFEST_NAME
    while True:
        before = _identity(path)
        try:
            return _read_once(path)
        except _ArrayMissing:
            # A run that saves may have replaced the pair since its manifest was read: then the new one counts.
            if _identity(path) == before:
                raise


def stored_digest(path: Path) -> str:
    """The SHA-256 of the probabilities that a manifest names."""
    try:
        return checked_fields(_StoredArray, _read_manifest(path).get("probabilities")).sha256
    except FieldError as error:
        raise _refusal(path, path, f"does not describe a policy of this version ({error})") from None


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_ino, status.st_mtime_ns


class _ArrayMissing(ArtifactError):
    """The manifest is whole, and the array that it names is not there."""


def _read_once(path: Path) -> tuple[PolicyInfo, Table, Path]:
    content = _read_manifest(path)
    try:
        stored = checked_fields(_StoredPolicy, content)
        described = checked_fields(_StoredArray, stored.probabilities)
        array = named_beside(path, described.file)
        reference = None if stored.bucketing is None else checked_fields(BucketReference, stored.bucketing)
        if reference is not None:
            named_beside(path, reference.file)
        info = PolicyInfo(
            config=check_config(GameConfig, stored.game, "game"),
            buckets_per_street=tuple(stored.buckets_per_street),
            iterations=stored.iterations,
            bucketing=reference,
            fingerprint=stored.fingerprint,
        )
    except (ValueError, ConfigError) as error:
        raise _refusal(path, path, f"does not describe a policy of this version ({plain_word(error, 300)})") from None
    return info, _open_array(path, array, described), path


def _origin_in(run: Path, content_hash: str) -> str | None:
    """The origin of these buckets by the policy of a run directory; None if it has none, or another one."""
    try:
        reference = checked_fields(BucketReference, _read_manifest(run / MANIFEST_NAME).get("bucketing"))
    except (ArtifactError, FieldError):
        return None
    return reference.origin if reference.content_hash == content_hash else None


def _read_manifest(path: Path) -> dict[str, Any]:
    try:
        content = read_json(path)
    except FileNotFoundError:
        raise ArtifactError(
            f"{path} is missing; a run writes it when it ends, and holdem train --logdir {path.parent} makes one"
        ) from None
    except OSError as error:
        raise _refusal(path, path, f"cannot be read ({error.strerror or error})") from None
    except ValueError:
        raise _refusal(path, path, "is not JSON: it was cut off or altered") from None
    if not isinstance(content, dict) or content.get("kind") != KIND:
        raise _refusal(path, path, "is not an average policy")
    version = content.get("format_version")
    if type(version) is not int or not 1 <= version <= FORMAT_VERSION:
        raise ArtifactError(
            f"{path} has format version {plain_word(version)}, and this program knows up to {FORMAT_VERSION}; "
            "update holdem, or train the policy again"
        )
    if content.pop("checksum", None) != _checksum(content):
        raise _refusal(path, path, "does not match its own checksum: it was altered or damaged")
    return content


def _open_array(manifest: Path, path: Path, described: _StoredArray) -> Table:
    shape = tuple(described.shape)
    try:
        table: Table = map_array(path)
        if table.shape != shape or table.dtype != np.uint16:
            raise _refusal(manifest, path, f"has {table.shape} {table.dtype.name}, not {shape} uint16")
        if not verify_digest(path, described.sha256, array_digest):
            raise _refusal(manifest, path, "does not match its checksum: it was altered or damaged")
    except FileNotFoundError:
        raise _ArrayMissing(str(_refusal(manifest, path, "is missing"))) from None
    except (OSError, ValueError):
        raise _refusal(manifest, path, "cannot be read: it was cut off or altered") from None
    return table


def _refusal(manifest: Path, path: Path, what: str) -> ArtifactError:
    """One sentence with the way out: a run writes its policy again from its newest checkpoint."""
    return ArtifactError(f"{path} {what}; write it again with: holdem train --resume-from {manifest.parent}")


def _checksum(content: dict[str, Any]) -> str:
    """Digest of a manifest without its checksum, independent of spaces and the order of keys."""
    return hashlib.sha256(json.dumps(content, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
