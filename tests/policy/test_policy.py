"""The average policy: rounding, the pair of files, and every way in which it can be damaged."""

import hashlib
import json
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdem.abstraction.betting.tree import NodeKind, count_tree
from holdem.errors import ArtifactError
from holdem.game.presets import load_preset
from holdem.policy.kernels.quantise import quantise_rows
from holdem.policy.policy import (
    SCALE,
    AveragePolicy,
    BucketReference,
    PolicyInfo,
    most_nodes,
    reference_quantised_row,
    save_table,
    untrained_by_street,
)
from holdem.util import manifests
from tests.evaluation.tables import Toy, random_strategy, toy

LEDUC = toy("leduc")


def leduc_policy(seed: int = 0) -> AveragePolicy:
    strategy = random_strategy(LEDUC.tree, LEDUC.buckets, LEDUC.layout, seed)
    info = PolicyInfo(LEDUC.tree.config, LEDUC.buckets, 1000, None, {"training": {"seed": seed}})
    return AveragePolicy.from_strategy_sums(info, strategy, LEDUC.tree)


@given(st.lists(st.one_of(st.just(0), st.integers(0, 2**31 - 1)), min_size=1, max_size=8))
def test_rows_add_up_and_zeros_stay(sums: list[int]) -> None:
    out = np.empty(len(sums), dtype=np.uint16)
    quantise_rows(np.array(sums, dtype=np.int32), np.array([len(sums)], dtype=np.int8), SCALE, out)
    assert out.tolist() == reference_quantised_row(sums)
    assert out.sum() == (SCALE if any(sums) else 0)
    for value, share in zip(sums, out.tolist(), strict=True):
        # Largest remainder moves a share by less than one step.
        assert share == 0 if value == 0 else abs(share / SCALE - value / sum(sums)) < 1 / SCALE


def test_common_shares_are_exact() -> None:
    for count in (1, 2, 3, 4, 5, 6, 8):
        out = np.empty(count, dtype=np.uint16)
        quantise_rows(np.ones(count), np.array([count], dtype=np.int8), SCALE, out)
        assert (out == SCALE // count).all()


def test_a_saved_policy_is_the_same(tmp_path: Path) -> None:
    saved = leduc_policy()
    saved.save(tmp_path)
    for path in (tmp_path, tmp_path / "avg_policy.json", str(tmp_path)):
        loaded = AveragePolicy.load(path)
        assert loaded.info == saved.info
        assert np.array_equal(loaded.table, saved.table)
    strategy = random_strategy(LEDUC.tree, LEDUC.buckets, LEDUC.layout, 0)
    assert np.abs(loaded.strategy() - strategy).max() < 1 / SCALE
    node = int(np.flatnonzero((LEDUC.tree.street == 1) & (LEDUC.tree.kind == NodeKind.DECISION))[0])
    start = LEDUC.layout.row_start(node, 7)
    row = loaded.probabilities(node, 7)
    assert row == pytest.approx(strategy[start : start + len(row)], abs=1 / SCALE)
    assert row.sum() == pytest.approx(1.0, abs=1e-15)
    probabilities, visited = loaded.rows(node)
    assert np.array_equal(probabilities[7], row)
    assert visited.all()


def table_of(sums: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """A table of training with these strategy sums, and regrets that would say something else."""
    return np.stack([np.where(sums > 0, -5, -1).astype(sums.dtype), sums], axis=1)


def test_rows_with_regrets_and_no_average_are_regret_matched(tmp_path: Path) -> None:
    """Sums first, then positive regrets in proportion, then nothing; and the last are counted by street."""
    table = np.zeros((LEDUC.layout.entries, 2), dtype=np.int32)
    rows = [LEDUC.layout.row_start(0, bucket) for bucket in range(4)]
    table[rows[0] : rows[0] + 2] = [[90, 1], [10, 3]]
    table[rows[1] : rows[1] + 2] = [[30, 0], [10, 0]]
    table[rows[2] : rows[2] + 2] = [[-30, 0], [10, 0]]
    table[rows[3] : rows[3] + 2] = [[-30, 0], [-10, 0]]
    info = PolicyInfo(LEDUC.tree.config, LEDUC.buckets, 1)
    save_table(tmp_path, info, table)
    policy = AveragePolicy.load(tmp_path)
    assert [policy.probabilities(0, bucket).tolist() for bucket in range(3)] == [[0.25, 0.75], [0.75, 0.25], [0.0, 1.0]]
    assert not policy.visited(0, 3)
    assert np.array_equal(AveragePolicy.from_table(info, table.astype(np.float64)).table, policy.table)
    decisions = LEDUC.tree.counts.decisions.sum(axis=1)
    infosets = [int(count) * buckets for count, buckets in zip(decisions, LEDUC.buckets, strict=True)]
    assert untrained_by_street(LEDUC.tree, LEDUC.buckets, table) == [infosets[0] - 3, infosets[1]]


def test_never_visited_rows_do_not_raise_and_tell(tmp_path: Path) -> None:
    sums = np.zeros(LEDUC.layout.entries, dtype=np.int32)
    sums[LEDUC.layout.row_start(0, 3)] = 7
    info = PolicyInfo(LEDUC.tree.config, LEDUC.buckets, 1)
    save_table(tmp_path, info, table_of(sums))
    policy = AveragePolicy.load(tmp_path)
    assert policy.visited(0, 3)
    assert policy.probabilities(0, 3).tolist() == [1.0, 0.0]
    assert not policy.visited(0, 2)
    assert policy.probabilities(0, 2).tolist() == [1.0, 0.0]  # a check, and no bet
    assert policy.rows(0)[1].tolist() == [False, False, False, True, False, False]
    with pytest.raises(ValueError, match="no row"):
        policy.probabilities(0, 6)
    with pytest.raises(ValueError, match="no row"):
        policy.probabilities(LEDUC.tree.num_nodes - 1, 0)


def test_pieces_and_whole_are_the_same_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    strategy = random_strategy(LEDUC.tree, LEDUC.buckets, LEDUC.layout, 3)
    info = PolicyInfo(LEDUC.tree.config, LEDUC.buckets, 1, BucketReference("buckets.pkl", "abc"))
    whole = AveragePolicy.from_strategy_sums(info, strategy, LEDUC.tree).save(tmp_path / "whole")
    monkeypatch.setattr("holdem.policy.policy._ENTRIES_PER_CHUNK", 50)
    pieces = save_table(tmp_path / "pieces", info, table_of(strategy))
    assert whole.read_bytes() == pieces.read_bytes()
    assert AveragePolicy.load(pieces).bucketing_path == tmp_path / "pieces" / "buckets.pkl"


def test_the_new_pair_replaces_the_old_one(tmp_path: Path) -> None:
    leduc_policy(0).save(tmp_path)
    leduc_policy(1).save(tmp_path)
    leduc_policy(1).save(tmp_path)
    assert len(list(tmp_path.iterdir())) == 2
    assert np.array_equal(AveragePolicy.load(tmp_path).table, leduc_policy(1).table)


@pytest.mark.parametrize("step", ["write_array_header_1_0", "replace", "write_json"])
def test_a_crash_leaves_the_old_pair(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    leduc_policy(0).save(tmp_path)

    def crash(*arguments: object) -> None:
        raise OSError("no space left on device")

    targets = {"write_array_header_1_0": np.lib.format, "replace": Path, "write_json": manifests}
    with monkeypatch.context() as patch:
        patch.setattr(targets[step], step, crash)
        with pytest.raises(OSError, match="no space"):
            leduc_policy(1).save(tmp_path)
    assert np.array_equal(AveragePolicy.load(tmp_path).table, leduc_policy(0).table)
    leduc_policy(1).save(tmp_path)
    assert len(list(tmp_path.iterdir())) == 2, "what the crash left behind is gone"


def array_of(folder: Path) -> Path:
    return next(folder.glob("avg_policy.*.npy"))


def edit(folder: Path, **changes: object) -> None:
    path = folder / "avg_policy.json"
    content = {**json.loads(path.read_text()), **changes}
    content.pop("checksum")
    checksum = hashlib.sha256(json.dumps(content, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
    path.write_text(json.dumps({**content, "checksum": checksum}))


def flip_a_number(folder: Path) -> None:
    content = bytearray(array_of(folder).read_bytes())
    content[-1] ^= 1
    array_of(folder).write_bytes(content)


DAMAGES: dict[str, tuple[Callable[[Path], object], str]] = {
    "no manifest": (lambda f: (f / "avg_policy.json").unlink(), "is missing"),
    "no array": (lambda f: array_of(f).unlink(), "is missing"),
    "half an array": (lambda f: array_of(f).write_bytes(array_of(f).read_bytes()[:200]), "cut off"),
    "empty array": (lambda f: array_of(f).write_bytes(b""), "cut off"),
    "altered array": (flip_a_number, "checksum"),
    "half a manifest": (
        lambda f: (f / "avg_policy.json").write_text((f / "avg_policy.json").read_text()[:99]),
        "not JSON",
    ),
    "altered manifest": (
        lambda f: (f / "avg_policy.json").write_text((f / "avg_policy.json").read_text().replace("1000", "2000")),
        "own checksum",
    ),
    "newer": (lambda f: edit(f, format_version=9), "update holdem"),
    "another kind": (lambda f: edit(f, kind="recipe"), "not an average policy"),
    "another array": (
        lambda f: edit(
            f, probabilities={"file": array_of(f).name, "shape": [5], "dtype": "uint16", "scale": SCALE, "sha256": "0"}
        ),
        "not (5,)",
    ),
    "without its game": (lambda f: edit(f, game={"variant": "bridge"}), "does not describe"),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_damage_is_refused_in_one_sentence(tmp_path: Path, damage: str) -> None:
    leduc_policy().save(tmp_path)
    AveragePolicy.load(tmp_path)
    hurt, said = DAMAGES[damage]
    hurt(tmp_path)
    with pytest.raises(ArtifactError, match="; ") as refusal:
        AveragePolicy.load(tmp_path)
    assert said in str(refusal.value)
    assert "\n" not in str(refusal.value)
    assert "holdem" in str(refusal.value)


def test_a_tree_that_has_changed_is_refused(tmp_path: Path) -> None:
    leduc_policy().save(tmp_path)
    edit(tmp_path, buckets_per_street=[6, 31])
    with pytest.raises(ArtifactError, match="train it again"):
        _ = AveragePolicy.load(tmp_path).tree


def test_a_tree_that_is_larger_than_the_table_is_not_built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A small file can name a game of a hundred million nodes; those that are counted are bounded by the entries."""
    leduc_policy().save(tmp_path)
    sizes = ", ".join(f"{size}%" for size in range(10, 200, 10))
    deep = {"sizes": {"preflop": sizes, "flop": sizes, "turn": sizes, "river": sizes}, "max_raises": 4}
    edit(tmp_path, game={"name": "huge", "betting": deep}, buckets_per_street=[169, 1, 1, 1])
    monkeypatch.setattr("holdem.policy.policy.build_tree", None)
    with pytest.raises(ArtifactError, match="has more; train it again"):
        _ = AveragePolicy.load(tmp_path).tree


@pytest.mark.parametrize(
    ("game", "buckets"), [("kuhn", (3,)), ("leduc", (6, 30)), ("headsup_100bb", (169, 200, 100, 50))]
)
def test_what_a_table_says_of_its_tree_is_true(game: str, buckets: tuple[int, ...]) -> None:
    """No tree has more nodes, and one with as many buckets on every street has just as many."""
    counts = count_tree(load_preset(game))
    assert counts.nodes <= most_nodes(counts.entries(buckets), buckets) < counts.entries(buckets)
    even = (7,) * len(buckets)
    assert counts.nodes == most_nodes(counts.entries(even), even)


def test_wrong_sums_are_refused(tmp_path: Path) -> None:
    info = PolicyInfo(LEDUC.tree.config, LEDUC.buckets, 1)
    with pytest.raises(ValueError, match="shape"):
        save_table(tmp_path, info, np.ones((3, 2)))
    with pytest.raises(ValueError, match="shape"):
        AveragePolicy.from_strategy_sums(info, np.ones(3))
    with pytest.raises(ValueError, match="at least zero"):
        AveragePolicy.from_strategy_sums(info, np.full(LEDUC.layout.entries, -1.0))
    assert list(tmp_path.iterdir()) == []


def test_a_reader_beside_a_writer_always_finds_a_pair(tmp_path: Path) -> None:
    """A process saves in a loop while this one loads: no load may fail or mix two policies."""
    leduc_policy(0).save(tmp_path)
    writer = subprocess.Popen([
        sys.executable, "-c",
        "import sys; from pathlib import Path; from tests.policy.test_policy import leduc_policy\n"
        "policies = [leduc_policy(seed) for seed in range(2)]\n"
        "print('ready', flush=True)\n"
        "for i in range(300): policies[i % 2].save(sys.argv[1])",
        str(tmp_path),
    ], stdout=subprocess.PIPE, text=True)  # fmt: skip
    tables = [leduc_policy(seed).table for seed in range(2)]
    assert writer.stdout is not None
    writer.stdout.readline()
    loads = 0
    while writer.poll() is None:
        table = AveragePolicy.load(tmp_path).table
        assert any(np.array_equal(table, known) for known in tables)
        loads += 1
    assert writer.returncode == 0
    assert loads > 10


def test_a_large_policy_is_mapped_not_read(tmp_path: Path) -> None:
    big: Toy = toy("short_rank")
    save_table(tmp_path, PolicyInfo(big.tree.config, big.buckets, 1), np.ones((big.layout.entries, 2)), big.tree)
    assert big.layout.entries > 10_000_000
    tracemalloc.start()
    try:
        table = AveragePolicy.load(tmp_path).table
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()
    assert isinstance(table, np.memmap)
