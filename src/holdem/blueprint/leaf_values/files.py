"""The two files of leaf values, beside the policy that they were computed for: a manifest, and the array it names.

The manifest carries the digest of the policy's probabilities: after more training the tables are refused as stale.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from holdem.errors import ArtifactError
from holdem.policy.files import stored_digest
from holdem.policy.policy import AveragePolicy
from holdem.util.arrays import Int16
from holdem.util.artifacts import numbers_digest
from holdem.util.files.fields import JsonObject, checked_fields
from holdem.util.files.npy import named_beside
from holdem.util.manifests import ManifestKind, open_array

LEAF_VALUES = ManifestKind(
    kind="holdem leaf values",
    noun="a manifest of leaf values",
    version=1,
    name="leaf_values.json",
    way_out="compute the tables with: holdem leaf-values {folder}",
)


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
        return numbers_digest(policy.table)
    return stored_digest(policy.path)


def write_manifest(
    folder: Path, policy: AveragePolicy, table: Int16, scales: list[float], report: dict[str, Any]
) -> Path:
    """Write the array and then the manifest, whose path is returned; an older pair goes."""
    array, digest = LEAF_VALUES.write_array(folder, "<i2", len(table), [table])
    content = {
        "policy_sha256": policy_digest(policy),
        "values": {"file": array.name, "sha256": digest, "dtype": "int16", "shape": list(table.shape)},
        "report": report,
        "chips_per_unit": scales,
    }
    return LEAF_VALUES.write(folder, content, array)


def read_tables(policy: AveragePolicy, entries: int, leaves: int) -> tuple[Int16, list[float], dict[str, Any]]:
    """The mapped array, the scale of each leaf and the report of the tables beside a policy."""
    if policy.path is None:
        raise ArtifactError("this policy was never saved, so no leaf values lie beside it; save it and load it")
    manifest = policy.path.parent / LEAF_VALUES.name
    refuse = LEAF_VALUES.refuser(manifest)
    content = LEAF_VALUES.read(manifest)
    if content.get("policy_sha256") != policy_digest(policy):
        raise refuse(manifest, f"was computed for another policy than the one in {policy.path} now")
    try:
        stored = checked_fields(_StoredValues, content)
        described = checked_fields(_StoredArray, stored.values)
        array = named_beside(manifest, described.file)
    except ValueError as error:
        raise refuse(manifest, f"does not describe leaf values of this version ({error})") from None
    scales = stored.chips_per_unit
    if len(scales) != leaves:
        raise refuse(manifest, f"has {len(scales)} leaves, and the betting tree has {leaves}")
    return open_array(array, entries, ("int16",), described.sha256, refuse), scales, stored.report
