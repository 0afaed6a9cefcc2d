"""The two files of leaf values, beside the policy that they were computed for: a manifest, and the array it names.

As with policies, the array is named after its content and the manifest replaces its predecessor in one step. The
manifest carries the digest of the policy's probabilities: after more training the tables are refused as stale.
"""

import hashlib
import json
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt
from pydantic import Field

from holdem.errors import ArtifactError, ArtifactMissing
from holdem.policy.files import stored_digest
from holdem.policy.policy import AveragePolicy
from holdem.util.artifacts import array_digest, atomic_write, plain_word, verify_digest, write_json
from holdem.util.files.fields import JsonObject, checked_fields
from holdem.util.files.npy import map_array, named_beside
from holdem.util.files.regular import read_json

KIND = "holdem leaf values"
FORMAT_VERSION = 1
MANIFEST_NAME = "leaf_values.json"

Table = npt.NDArray[np.int16]


@dataclass(frozen=True)
class _StoredValues:
    """The fields of a manifest beside its kind, version, checksum and policy."""

    values: JsonObject
    report: JsonObject
    chips_per_unit: list[Annotated[float, Field(ge=0.0, le=1e9)]]


@dataclass(frozen=True)
class _StoredArray:
    file: str
    sha256: str


def policy_digest(policy: AveragePolicy) -> str:
    """SHA-256 of a policy's probabilities, from its checked manifest if it has one."""
    if policy.path is None:
        return hashlib.sha256(np.ascontiguousarray(policy.table).data.cast("B")).hexdigest()
    return stored_digest(policy.path)


def write_manifest(
    folder: Path, policy: AveragePolicy, table: Table, scales: list[float], report: dict[str, Any]
) -> Path:
    """Write the array and then the manifest, whose path is returned; an older pair goes."""
    digest = hashlib.sha256(np.ascontiguousarray(table).data.cast("B")).hexdigest()
    array, manifest = folder / f"leaf_values.{digest[:12]}.npy", folder / MANIFEST_NAME
    with atomic_write(array) as file:
        np.save(file, table)
    content = {
        "kind": KIND,
        "format_version": FORMAT_VERSION,
        "policy_sha256": policy_digest(policy),
        "values": {"file": array.name, "sha256": digest, "dtype": "int16", "shape": list(table.shape)},
        "report": report,
        "chips_per_unit": scales,
    }
    write_json(manifest, {**content, "checksum": _checksum(content)})
    for old in folder.glob("leaf_values.*.npy"):
        if old != array:
            with suppress(OSError):  # open elsewhere on a system that keeps open files: the next run retries
                old.unlink()
    return manifest


def read_tables(policy: AveragePolicy, entries: int, leaves: int) -> tuple[Table, list[float], dict[str, Any]]:
    """The mapped array, the scale of each leaf and the report of the tables beside a policy."""
    if policy.path is None:
        raise ArtifactError("this policy was never saved, so no leaf values lie beside it; save it and load it")
    run = policy.path.parent
    manifest = run / MANIFEST_NAME
    try:
        content = read_json(manifest)
    except FileNotFoundError:
        raise ArtifactMissing(_sentence(manifest, "is missing", run)) from None
    except (OSError, ValueError):
        raise _refusal(manifest, "cannot be read: it was cut off or altered", run) from None
    if not isinstance(content, dict) or content.get("kind") != KIND:
        raise _refusal(manifest, "does not describe leaf values", run)
    version = content.get("format_version")
    if version != FORMAT_VERSION:
        raise _refusal(manifest, f"has format version {plain_word(version)}, not {FORMAT_VERSION}", run)
    if content.pop("checksum", None) != _checksum(content):
        raise _refusal(manifest, "does not match its own checksum: it was altered or damaged", run)
    if content.get("policy_sha256") != policy_digest(policy):
        raise _refusal(manifest, f"was computed for another policy than the one in {policy.path} now", run)
    try:
        stored = checked_fields(_StoredValues, content)
        described = checked_fields(_StoredArray, stored.values)
        array = named_beside(manifest, described.file)
    except ValueError as error:
        raise _refusal(manifest, f"does not describe leaf values of this version ({error})", run) from None
    scales = stored.chips_per_unit
    if len(scales) != leaves:
        raise _refusal(manifest, f"has {len(scales)} leaves, and the betting tree has {leaves}", run)
    return _open_array(array, described.sha256, entries, run), scales, stored.report


def _open_array(path: Path, digest: str, entries: int, run: Path) -> Table:
    try:
        table: Table = map_array(path)
        if table.shape != (entries,) or table.dtype != np.int16:
            raise _refusal(path, f"has {table.shape} {table.dtype}, not ({entries},) int16", run)
        if not verify_digest(path, digest, array_digest):
            raise _refusal(path, "does not match its checksum: it was altered or damaged", run)
    except FileNotFoundError:
        raise ArtifactMissing(_sentence(path, "is missing", run)) from None
    except (OSError, ValueError):
        raise _refusal(path, "cannot be read: it was cut off or altered", run) from None
    return table


def _checksum(content: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def _refusal(path: Path, what: str, run: Path) -> ArtifactError:
    return ArtifactError(_sentence(path, what, run))


def _sentence(path: Path, what: str, run: Path) -> str:
    return f"{path} {what}; compute the tables with: holdem leaf-values {run}"
