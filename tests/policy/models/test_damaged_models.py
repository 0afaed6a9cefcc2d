"""Every file of a model, damaged at random or forged with right checksums: refused in a sentence, or the same content.

Checksums are made right again after a change, in the manifest too, so that what lies behind them is reached. A table
that comes out all the same has rows that every kernel takes: they add up to 60,000, or were never trained. What a
forged card abstraction can do is tried in `tests/test_hostile_files.py`.
"""

import hashlib
import json
import lzma
import os
import random
import shutil
import struct
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from holdem.errors import ArtifactError
from holdem.game.presets import load_preset
from holdem.policy.models import unpack
from holdem.policy.models.manifest import read_model
from holdem.policy.policy import AveragePolicy
from tests.hostile import changed_value, damaged, nothing_is_called
from tests.policy.models.made import short_game, small_model
from tests.test_hostile_files import MEMORY, bounded_memory

__all__ = ["bounded_memory"]

Hurt = Callable[[Path, random.Random], None]


def sealed(folder: Path, content: Any) -> None:
    """A manifest with its right checksum."""
    if isinstance(content, dict):
        content.pop("checksum", None)
        text = json.dumps(content, sort_keys=True, separators=(",", ":"))
        content["checksum"] = hashlib.sha256(text.encode()).hexdigest()
    (folder / "model.json").write_text(json.dumps(content))


def stored(folder: Path) -> Any:
    return json.loads((folder / "model.json").read_text())


def any_bytes(name: str) -> Hurt:
    def hurt(folder: Path, rng: random.Random) -> None:
        path = folder / name
        path.write_bytes(damaged(path.read_bytes(), rng, opcodes=False))

    return hurt


def values(folder: Path, rng: random.Random) -> None:
    sealed(folder, changed_value(stored(folder), rng))


def packed_bytes(folder: Path, rng: random.Random) -> None:
    """Bytes of the compressed file, whose size and digest then fit."""
    any_bytes("policy.xz")(folder, rng)
    _fit(folder, (folder / "policy.xz").read_bytes())


def unpacked_bytes(folder: Path, rng: random.Random) -> None:
    """Bytes of what was compressed, compressed again."""
    plain = damaged(lzma.decompress((folder / "policy.xz").read_bytes()), rng, opcodes=False)
    _fit(folder, lzma.compress(plain, preset=0))


def _fit(folder: Path, packed: bytes) -> None:
    content = stored(folder)
    (folder / "policy.xz").write_bytes(packed)
    content["policy"] |= {"bytes": len(packed), "sha256": hashlib.sha256(packed).hexdigest()}
    sealed(folder, content)


WAYS: dict[str, Hurt] = {
    "manifest": any_bytes("model.json"),
    "policy": any_bytes("policy.xz"),
    "buckets": any_bytes("buckets.pkl"),
    "values": values,
    "forged policy": packed_bytes,
    "forged content": unpacked_bytes,
}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_model(tmp_path_factory.mktemp("whole"), config=short_game(stack=300))


def used(folder: Path) -> None:
    """Open a model as a player would, with a look at every row."""
    policy = AveragePolicy.load(unpack(read_model(folder)))
    for node in np.flatnonzero(policy.tree.num_actions).tolist():
        sums = policy.table[policy.places(node)].sum(axis=1)
        assert ((sums == 60_000) | (sums <= 1)).all(), "neither learnt, nor guessed, nor unknown"


def fuzz(whole: Path, folder: Path, hurt: Hurt, cases: range) -> int:
    """Hurt a model in so many ways; returns how often it was refused."""
    refused = 0
    for seed in cases:
        shutil.rmtree(folder, ignore_errors=True)
        shutil.rmtree(os.environ["HOLDEM_CACHE"], ignore_errors=True)  # what is unpacked and whole is not made again
        shutil.copytree(whole, folder)
        hurt(folder, random.Random(seed))
        with nothing_is_called():
            try:
                used(folder)
            except ArtifactError as error:
                assert "\n" not in str(error), seed
                assert "; " in str(error), seed
                assert len(str(error)) < 2000, seed
                refused += 1
    return refused


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, whole: Path) -> Path:
    monkeypatch.setenv("HOLDEM_CACHE", str(tmp_path / "cache"))
    used(whole)
    shutil.rmtree(tmp_path / "cache")
    return tmp_path / "headsup"


@pytest.mark.parametrize("way", WAYS)
def test_random_damage(way: str, whole: Path, folder: Path, bounded_memory: None) -> None:
    assert 30 < fuzz(whole, folder, WAYS[way], range(60)) <= 60


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
def test_much_random_damage(way: str, whole: Path, folder: Path, bounded_memory: None) -> None:
    fuzz(whole, folder, WAYS[way], range(1_000, 2_000))


def test_a_table_that_the_manifest_does_not_promise(whole: Path, folder: Path) -> None:
    """All digests of the files are right; what comes out is another table."""
    shutil.copytree(whole, folder)
    plain = bytearray(lzma.decompress((folder / "policy.xz").read_bytes()))
    plain[-1] = 7 if plain[-1] != 7 else 8
    _fit(folder, lzma.compress(bytes(plain)))
    with pytest.raises(ArtifactError, match="does not unpack to what its manifest says"):
        used(folder)


def check_refused_in_bounds(folder: Path, why: str) -> None:
    tracemalloc.start()
    with pytest.raises(ArtifactError, match=why):
        used(folder)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < MEMORY


@pytest.mark.parametrize("more", [1, MEMORY])
def test_content_beyond_the_table_is_never_unpacked(more: int, whole: Path, folder: Path) -> None:
    shutil.copytree(whole, folder)
    plain = lzma.decompress((folder / "policy.xz").read_bytes()) + bytes(more)
    _fit(folder, lzma.compress(plain, preset=0))
    check_refused_in_bounds(folder, "holds more than it should")


def test_a_file_that_asks_for_much_memory_is_refused(whole: Path, folder: Path) -> None:
    shutil.copytree(whole, folder)
    plain = lzma.decompress((folder / "policy.xz").read_bytes())
    wants = [{"id": lzma.FILTER_LZMA2, "dict_size": 1 << 30}]
    _fit(folder, lzma.compress(plain, filters=wants))
    with pytest.raises(ArtifactError, match="cannot be unpacked"):
        used(folder)


def test_a_small_file_of_very_many_nodes_is_refused(whole: Path, folder: Path) -> None:
    """A few kilobytes, all digests right: what would be known of each node alone takes gigabytes."""
    shutil.copytree(whole, folder)
    content, nodes = stored(folder), 1 << 27
    content["buckets_per_street"] = [1, 1, 1, 1]
    content["policy"]["entries"] = nodes
    sealed(folder, content)
    _fit(folder, lzma.compress(struct.pack("<I", nodes) + bytes([1]) * MEMORY, preset=0))
    check_refused_in_bounds(folder, "134,217,728 entries, and the betting tree of its game has [0-9,]+;")


def test_a_small_file_that_asks_for_a_large_tree_is_refused(
    whole: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As many entries as the tree of that game has actions, in rows of 127: the tree took 1.6 GB and minutes."""
    monkeypatch.setattr("holdem.policy.models.unpacking.MOST_TREE_NODES", 1 << 20)  # counted in a second
    shutil.copytree(whole, folder)
    content, entries = stored(folder), 34_900_000
    content |= {"game": load_preset("sixmax_100bb_large").model_dump(mode="json"), "buckets_per_street": [1] * 4}
    content["policy"] |= {"entries": entries, "levels": [1] * 4}
    sealed(folder, content)
    nodes = entries // 127
    _fit(folder, lzma.compress(struct.pack("<I", nodes) + bytes([127]) * nodes, preset=0))
    check_refused_in_bounds(folder, "betting tree of its game has more than 1,048,576 nodes; ")


def test_other_rows_than_the_tree_has_are_refused(whole: Path, folder: Path) -> None:
    """As many entries as the table has, in rows that the first player does not have."""
    for first, why in ((struct.pack("<I", 3), "other rows"), (None, "other actions")):
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(whole, folder)
        plain = bytearray(lzma.decompress((folder / "policy.xz").read_bytes()))
        if first is None:
            plain[4] += 1
        else:
            plain[:4] = first
        _fit(folder, lzma.compress(bytes(plain), preset=0))
        check_refused_in_bounds(folder, f"{why} than the betting tree of its game")
