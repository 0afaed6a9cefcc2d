"""Manifest and array: named and sealed as an outsider would compute it, and refused whatever is wrong with them."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from holdem.blueprint.leaf_values.files import LEAF_VALUES
from holdem.errors import ArtifactError
from holdem.policy.files import POLICY
from holdem.util.manifests import ArrayMissing, ManifestKind, open_array

NUMBERS = ManifestKind(
    "test numbers", "a list of numbers", 2, "numbers.json", "count again in {folder}", "count first in {folder}"
)
TABLE = np.arange(1000, dtype=np.uint16)


def seal(content: dict[str, Any]) -> dict[str, Any]:
    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return {**content, "checksum": hashlib.sha256(text.encode()).hexdigest()}


@pytest.fixture
def manifest(tmp_path: Path) -> Path:
    array, digest = NUMBERS.write_array(tmp_path, "<u2", 1000, [TABLE[:300], TABLE[300:]])
    return NUMBERS.write(tmp_path, {"file": array.name, "sha256": digest}, array)


def test_the_files_are_what_they_say(manifest: Path) -> None:
    digest = hashlib.sha256(TABLE.astype("<u2").tobytes()).hexdigest()
    content = json.loads(manifest.read_text())
    content.pop("checksum")
    assert content == {
        "kind": "test numbers",
        "format_version": 2,
        "file": f"numbers.{digest[:12]}.npy",
        "sha256": digest,
    }
    assert json.loads(manifest.read_text()) == seal(content)
    assert np.array_equal(np.load(manifest.with_name(content["file"])), TABLE)
    assert NUMBERS.read(manifest) == content


def test_a_new_pair_takes_the_place_of_the_old_one(manifest: Path) -> None:
    array, digest = NUMBERS.write_array(manifest.parent, "<u2", 2, [TABLE[:2]])
    assert len(list(manifest.parent.glob("*.npy"))) == 2, "the old one stays until the manifest is there"
    NUMBERS.write(manifest.parent, {"file": array.name, "sha256": digest}, array)
    assert sorted(manifest.parent.iterdir()) == sorted([manifest, array])


def edited(**changes: object) -> Callable[[Path], object]:
    def edit(path: Path) -> None:
        content = {**json.loads(path.read_text()), **changes}
        content.pop("checksum")
        path.write_text(json.dumps(seal(content)))

    return edit


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda path: path.unlink(), "is missing; count first in"),
        (lambda path: path.write_text(path.read_text()[:-9]), "is not JSON: it was cut off or altered; count again in"),
        (lambda path: path.write_text(path.read_text().replace("2", "1", 1)), "does not match its own checksum"),
        (lambda path: path.write_text("[]"), "is not a list of numbers; count again in"),
        (edited(kind="other numbers"), "is not a list of numbers; count again in"),
        (edited(format_version=3), "has format version 3, and this program knows up to 2; update holdem, or count"),
        (edited(format_version=0), "has format version 0"),
        (edited(format_version=True), "has format version True"),
        (edited(format_version="2"), "has format version 2"),
    ],
)
def test_a_manifest_that_is_wrong_is_refused(damage: Callable[[Path], object], said: str, manifest: Path) -> None:
    damage(manifest)
    with pytest.raises(ArtifactError) as refused:
        NUMBERS.read(manifest)
    assert said in str(refused.value)
    assert str(manifest.parent) in str(refused.value)


@pytest.mark.parametrize("kind", [POLICY, LEAF_VALUES])
def test_a_version_is_a_whole_number(kind: ManifestKind, tmp_path: Path) -> None:
    path = tmp_path / kind.name
    path.write_text(json.dumps(seal({"kind": kind.kind, "format_version": True})))
    with pytest.raises(ArtifactError, match="has format version True"):
        kind.read(path)


def test_an_array_that_is_wrong_is_refused(manifest: Path) -> None:
    stored = NUMBERS.read(manifest)
    path, refuse = manifest.with_name(stored["file"]), NUMBERS.refuser(manifest)
    assert np.array_equal(open_array(path, 1000, ("uint16",), stored["sha256"], refuse), TABLE)
    with pytest.raises(ArtifactError, match=r"has \(1000,\) uint16, not \(999,\) uint8 or int16; count again"):
        open_array(path, 999, ("uint8", "int16"), stored["sha256"], refuse)
    whole = path.read_bytes()
    path.write_bytes(whole[:-1] + b"\xff")
    with pytest.raises(ArtifactError, match="does not match its checksum"):
        open_array(path, 1000, ("uint16",), stored["sha256"], refuse)
    path.write_bytes(whole[:-2])
    with pytest.raises(ArtifactError, match="cut off"):
        open_array(path, 1000, ("uint16",), stored["sha256"], refuse)
    path.unlink()
    with pytest.raises(ArrayMissing, match="is missing; count again"):
        open_array(path, 1000, ("uint16",), stored["sha256"], refuse)
