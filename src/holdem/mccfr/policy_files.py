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
from typing import Any

import numpy as np
import numpy.typing as npt
from pydantic import ValidationError

from holdem.abstraction.bucketing import HandBucketing
from holdem.errors import ArtifactError
from holdem.mccfr.fingerprint import Fingerprint
from holdem.types import GameConfig
from holdem.util.artifacts import array_digest, atomic_write, verify_digest, write_json
from holdem.util.regular_files import read_json

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
        reference = content["bucketing"]
        info = PolicyInfo(
            config=GameConfig.model_validate(content["game"]),
            buckets_per_street=tuple(content["buckets_per_street"]),
            iterations=content["iterations"],
            bucketing=None if reference is None else BucketReference(**reference),
            fingerprint=content["fingerprint"],
        )
        described = content["probabilities"]
        array = path.with_name(described["file"])
        expected = (tuple(described["shape"]), described["dtype"], described["scale"], described["sha256"])
    except (KeyError, TypeError, ValidationError) as error:
        raise _refusal(path, path, f"does not describe a policy of this version ({_first_line(error)})") from None
    return info, _open_array(path, array, *expected), path


def _origin_in(run: Path, content_hash: str) -> str | None:
    """The origin of these buckets by the policy of a run directory; None if it has none, or another one."""
    try:
        reference = _read_manifest(run / MANIFEST_NAME).get("bucketing") or {}
    except ArtifactError:
        return None
    return reference.get("origin") if reference.get("content_hash") == content_hash else None


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
    if not isinstance(version, int) or not 1 <= version <= FORMAT_VERSION:
        raise ArtifactError(
            f"{path} has format version {version}, and this program knows up to {FORMAT_VERSION}; "
            "update holdem, or train the policy again"
        )
    if content.pop("checksum", None) != _checksum(content):
        raise _refusal(path, path, "does not match its own checksum: it was altered or damaged")
    return content


def _open_array(manifest: Path, path: Path, shape: tuple[int, ...], dtype: str, scale: int, digest: str) -> Table:
    try:
        table: Table = np.load(path, mmap_mode="r", allow_pickle=False)
        if (table.shape, table.dtype.name, SCALE) != (shape, dtype, scale):
            raise _refusal(manifest, path, f"has {table.shape} {table.dtype.name}, not {shape} {dtype} of {scale}")
        if not verify_digest(path, digest, array_digest):
            raise _refusal(manifest, path, "does not match its checksum: it was altered or damaged")
    except FileNotFoundError:
        raise _ArrayMissing(str(_refusal(manifest, path, "is missing"))) from None
    except (OSError, ValueError, EOFError):
        raise _refusal(manifest, path, "cannot be read: it was cut off or altered") from None
    return table


def _refusal(manifest: Path, path: Path, what: str) -> ArtifactError:
    """One sentence with the way out: a run writes its policy again from its newest checkpoint."""
    return ArtifactError(f"{path} {what}; write it again with: holdem train --resume-from {manifest.parent}")


def _checksum(content: dict[str, Any]) -> str:
    """Digest of a manifest without its checksum, independent of spaces and the order of keys."""
    return hashlib.sha256(json.dumps(content, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def _first_line(error: Exception) -> str:
    return f"{type(error).__name__}: {str(error).splitlines()[0]}"
