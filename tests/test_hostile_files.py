"""Every kind of file that we read, damaged at random or forged with a right checksum: refused in a sentence, or right.

A checksum is recomputed after every change, so that what lies behind it is reached. "Right" means that what comes out
can be used: a table has the length of its tree, a bucket is one of the buckets.
"""

import hashlib
import json
import os
import pickle
import random
import subprocess
import sys
import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from holdem.abstraction.betting.tree import build_tree
from holdem.abstraction.bucketing import Grouping, HandBucketing, content_hash
from holdem.blueprint.leaf_values import LeafValues
from holdem.blueprint.leaf_values.compute import compute_leaf_values
from holdem.errors import ArtifactError
from holdem.mccfr.run.checkpoint import CheckpointInfo, Clock, read_table, save_checkpoint
from holdem.policy.fingerprint import fingerprint
from holdem.policy.policy import AveragePolicy, PolicyInfo
from holdem.realtime import solve_subgame
from holdem.realtime.subgame.files import load_solution, save_solution
from holdem.types import BucketConfig, GameConfig, MCCFRConfig
from holdem.util.artifacts import write_pickle
from tests.evaluation.tables import random_strategy, toy
from tests.hostile import (
    changed_value,
    content_of,
    damaged,
    forged_object,
    forged_state,
    nothing_is_called,
    opened,
    seal,
)
from tests.realtime.spots import RIVER

MEMORY = 64 << 20
"""More than any of these small files needs, kernels and trees included."""


@dataclass(frozen=True)
class Kind:
    """A kind of file: how it is made in a folder, how it is read and used, and how it is hurt."""

    make: Callable[[Path], Path]
    use: Callable[[Path], None]
    hurt: Callable[[Path, random.Random], None]


# Checkpoints


def make_checkpoint(folder: Path) -> Path:
    game = toy("leduc")
    print_of = fingerprint(game.tree.config, game.buckets, "lossless", MCCFRConfig().model_dump(mode="json"))
    plain = game.tree.config.model_dump(mode="json")
    table = np.arange(2 * game.layout.entries, dtype=np.int32).reshape(-1, 2)
    info = CheckpointInfo(10, 3, 0, plain, list(game.buckets), print_of)
    save_checkpoint(folder / "checkpoint_10.pkl", info, table, Clock(1.5, 7))
    return folder / "checkpoint_10.pkl"


def use_checkpoint(path: Path) -> None:
    info, table = read_table(path)
    tree = build_tree(GameConfig.model_validate(info.game))
    assert table.shape == (tree.counts.entries(info.buckets_per_street), 2)


# Buckets


def make_buckets(folder: Path) -> Path:
    config = BucketConfig()
    rng = np.random.default_rng(0)
    flop = Grouping("intervals", starts=np.arange(4) * 5, step=3)
    turn = Grouping("medians", centroids=rng.integers(0, 200, (5, 32)).astype(np.uint8))
    groups = (np.arange(1326) % 8).astype(np.uint8)
    river = Grouping("medians", centroids=rng.integers(0, 200, (6, 32)).astype(np.uint8), groups=groups)
    digests = ["0" * 64, "1" * 64, "2" * 64]
    report = {"flop": {"share": np.ones(4, np.float32), "examples": np.zeros((4, 3), np.int64), "explained": 0.5}}
    content = {
        "config": config.model_dump(),
        "groupings": [grouping.to_plain() for grouping in (flop, turn, river)],
        "content_hash": content_hash(config, (flop, turn, river), digests),
        "table_files": [f"buckets.{street}.npy" for street in ("flop", "turn", "river")],
        "table_digests": digests,
        "report": report,
    }
    write_pickle(folder / "buckets.pkl", "holdem card abstraction", 1, content)
    return folder / "buckets.pkl"


def use_buckets(path: Path) -> None:
    buckets = HandBucketing.load(path, tables=False)
    for board in ((0, 5, 10), (0, 5, 10, 15), (0, 5, 10, 15, 20)):
        assert 0 <= buckets.bucket((50, 51), board) < buckets.buckets_per_street[len(board) - 2]


# Solves


def make_solve(folder: Path) -> Path:
    spot = {**RIVER, "range_oop": "AA, KQs", "range_ip": "AKs, QQ", "bet_sizes": {"river": {"bet": "50%"}}}
    save_solution(solve_subgame(spot, max_iterations=3), folder / "spot.solve")
    return folder / "spot.solve"


def use_solve(path: Path) -> None:
    assert load_solution(path).to_plain()


# Policies and leaf values


def make_policy(folder: Path) -> Path:
    game = toy("leduc")
    strategy = random_strategy(game.tree, game.buckets, game.layout, 1)
    AveragePolicy.from_strategy_sums(PolicyInfo(game.tree.config, game.buckets, 10), strategy, game.tree).save(folder)
    return folder / "avg_policy.json"


def use_policy(path: Path) -> None:
    policy = AveragePolicy.load(path)
    assert len(policy.table) == policy.tree.counts.entries(policy.info.buckets_per_street)


def make_leaf_values(folder: Path) -> Path:
    return compute_leaf_values(AveragePolicy.load(make_policy(folder))).save(folder)


def use_leaf_values(path: Path) -> None:
    values = LeafValues.open(path.parent)
    assert np.isfinite(values.values(int(values.layout.leaves[0][2]))).all()


# Damage

ARRAYS = [np.arange(4), np.zeros((2, 2), np.uint8), np.full(1326, 255, np.uint8), np.float32(1), (1, 2), b"x"]


def hurt_pickle(path: Path, rng: random.Random) -> None:
    """Bytes of the pickle, or values of what it holds."""
    if rng.random() < 0.5:
        path.write_bytes(seal(damaged(opened(path.read_bytes()), rng)))
        return
    content = changed_value(content_of(path), rng, ARRAYS)
    if isinstance(content, dict) and "table_digests" in content:
        content["content_hash"] = _hash_of(content)
    path.write_bytes(seal(pickle.dumps(content, protocol=5)))


def _hash_of(content: dict[str, Any]) -> str:
    """The content hash that fits a changed manifest, as whoever forges one would compute it."""
    try:
        groupings = [Grouping(**plain) for plain in content["groupings"]]
        return content_hash(BucketConfig.model_validate(content["config"]), groupings, content["table_digests"])
    except Exception:
        return "nothing that fits"


def hurt_pair(manifest: Path, rng: random.Random) -> None:
    """Bytes or values of a manifest, or its array with a manifest that says the right digest."""
    content = json.loads(manifest.read_text())
    described = content.get("probabilities") or content["values"]
    array = manifest.with_name(described["file"])
    chance = rng.random()
    if chance < 0.2:
        manifest.write_bytes(damaged(manifest.read_bytes(), rng, opcodes=False))
        return
    if chance < 0.5:
        hurt = damaged(array.read_bytes(), rng, opcodes=False)
        array.unlink()
        array.write_bytes(hurt)
        described["sha256"] = hashlib.sha256(hurt[128:]).hexdigest()
    else:
        content = changed_value(content, rng)
    if isinstance(content, dict):
        content.pop("checksum", None)
        text = json.dumps(content, sort_keys=True, separators=(",", ":"))
        content["checksum"] = hashlib.sha256(text.encode()).hexdigest()
    manifest.write_text(json.dumps(content))


KINDS = {
    "checkpoint": Kind(make_checkpoint, use_checkpoint, hurt_pickle),
    "buckets": Kind(make_buckets, use_buckets, hurt_pickle),
    "solve": Kind(make_solve, use_solve, hurt_pickle),
    "policy": Kind(make_policy, use_policy, hurt_pair),
    "leaf values": Kind(make_leaf_values, use_leaf_values, hurt_pair),
}


def fuzz(kind: Kind, folder: Path, cases: range) -> int:
    """Hurt a file in so many ways; returns how often it was refused."""
    path = kind.make(folder)
    kind.use(path)
    whole = {file: file.read_bytes() for file in folder.iterdir()}
    refused = 0
    for seed in cases:
        kind.hurt(path, random.Random(seed))
        with nothing_is_called():
            try:
                kind.use(path)
            except ArtifactError as error:
                assert "\n" not in str(error), seed
                assert "; " in str(error), seed
                assert len(str(error)) < 2000, seed
                refused += 1
        for file, content in whole.items():
            file.unlink(missing_ok=True)
            file.write_bytes(content)
    return refused


@pytest.fixture
def bounded_memory() -> Iterator[None]:
    tracemalloc.start()
    yield
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < MEMORY


@pytest.mark.parametrize("kind", KINDS)
def test_random_damage(kind: str, tmp_path: Path, bounded_memory: None) -> None:
    assert 50 < fuzz(KINDS[kind], tmp_path, range(100)) <= 100


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_much_random_damage(kind: str, tmp_path: Path, bounded_memory: None) -> None:
    assert 1_000 < fuzz(KINDS[kind], tmp_path, range(1000, 3_000)) <= 2_000


# What a user would meet


def holdem(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "holdem.cli.main", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


@pytest.mark.parametrize("forge", [forged_object, forged_state])
def test_a_forged_checkpoint_is_refused(tmp_path: Path, forge: Callable[[str], bytes]) -> None:
    path = tmp_path / "checkpoint_10.pkl"
    path.write_bytes(forge("holdem checkpoint"))
    result = holdem("train", "--game", "leduc", "--iters", 10, "--logdir", tmp_path / "run", "--resume-from", path)
    assert result.returncode == 2, result
    assert "refused" in result.stderr
    assert "Traceback" not in result.stderr
    assert not (tmp_path / "run").exists()


def test_forged_buckets_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "buckets.pkl"
    path.write_bytes(forged_object("holdem card abstraction"))
    result = holdem("buckets", "show", path, "--no-png")
    assert result.returncode == 2, result
    assert "refused" in result.stderr
    assert "Traceback" not in result.stderr


def test_groups_beyond_the_rows_of_a_kernel_are_refused(tmp_path: Path) -> None:
    """The kernel counts opponents in 32 places and does not look: group 255 would be written beyond them."""
    path = make_buckets(tmp_path)
    content = content_of(path)
    content["groupings"][2]["groups"] = np.full(1326, 255, np.uint8)
    content["content_hash"] = _hash_of(content)
    path.write_bytes(seal(pickle.dumps(content, protocol=5)))
    with pytest.raises(ArtifactError, match=r"river\.groups.*build it with"):
        HandBucketing.load(path, tables=False)


@pytest.mark.parametrize("name", ["../x.npy", "/etc/passwd", "C:\\x.npy"])
def test_a_manifest_that_names_a_file_elsewhere(tmp_path: Path, name: str) -> None:
    path = make_policy(tmp_path)
    content = json.loads(path.read_text())
    content["probabilities"]["file"] = name
    del content["checksum"]
    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    path.write_text(json.dumps({**content, "checksum": hashlib.sha256(text.encode()).hexdigest()}))
    with pytest.raises(ArtifactError, match="not the name of a file beside it"):
        AveragePolicy.load(path)


@pytest.mark.skipif(os.name != "posix", reason="pipes in a folder")
@pytest.mark.parametrize("kind", KINDS)
def test_a_pipe_in_the_place_of_a_file(kind: str, tmp_path: Path) -> None:
    path = KINDS[kind].make(tmp_path)
    path.unlink()
    os.mkfifo(path)  # nobody writes to it: opening it the usual way would wait for ever
    with pytest.raises(ArtifactError, match="; "):
        KINDS[kind].use(path)
