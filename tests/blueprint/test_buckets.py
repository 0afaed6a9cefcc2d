"""Where the tables of a policy's card abstraction are found."""

import os
import shutil
from dataclasses import replace
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from holdem.abstraction.betting.row_layout import layout_rows
from holdem.abstraction.betting.tree import build_tree
from holdem.abstraction.bucketing import HandBucketing
from holdem.blueprint import buckets as policy_buckets
from holdem.blueprint.buckets import PolicyBuckets, matching_bucketing, prepare_tables
from holdem.blueprint.source import policy_of_checkpoint
from holdem.evaluation.compare import open_contenders
from holdem.mccfr.instances.merge import merge_runs
from holdem.mccfr.run.start import RunOptions, train
from holdem.policy.policy import AveragePolicy, BucketReference, PolicyInfo
from holdem.types import MCCFRConfig
from holdem.util.processes import PipedProcess
from tests.built_buckets import small_buckets
from tests.evaluation.blueprints import holdem_config
from tests.evaluation.tables import random_strategy
from tests.manifest_only import nearly_built, save_travelled


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A card abstraction of the user's own: no preset has it."""
    monkeypatch.setattr(policy_buckets, "default_path", lambda preset: tmp_path / "nothing.pkl")
    built = small_buckets()
    (tmp_path / "own").mkdir()
    for file in built.parent.iterdir():
        os.link(file, tmp_path / "own" / file.name)
    return tmp_path / "own" / built.name


def saved_policy(folder: Path, origin: Path) -> AveragePolicy:
    bucketing = HandBucketing.load(origin)
    tree, counts = build_tree(holdem_config(2)), bucketing.buckets_per_street
    sums = random_strategy(tree, counts, layout_rows(tree, counts), 1)
    info = PolicyInfo(tree.config, counts, 1, BucketReference.of("buckets.pkl", bucketing))
    folder.mkdir()
    bucketing.save_manifest(folder / "buckets.pkl")
    AveragePolicy.from_strategy_sums(info, sums, tree).save(folder)
    return AveragePolicy.load(folder)


def test_tables_are_found_where_training_read_them(own: Path, tmp_path: Path) -> None:
    policy = saved_policy(tmp_path / "run", own)
    found = matching_bucketing(policy)
    assert found is not None
    assert found.path == own
    assert len(found.tables) == 3


def test_an_origin_that_no_file_can_be_called_is_passed_over(own: Path, tmp_path: Path) -> None:
    policy = saved_policy(tmp_path / "run", own)
    assert policy.info.bucketing is not None
    elsewhere = replace(policy.info.bucketing, origin=f"/{'a' * 5_000}")
    found = matching_bucketing(replace(policy, info=replace(policy.info, bucketing=elsewhere)))
    assert found is not None and found.path == policy.bucketing_path


def test_a_damaged_file_of_another_abstraction_is_passed_over(
    own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    policy, damaged = saved_policy(tmp_path / "run", own), tmp_path / "damaged.pkl"
    damaged.write_bytes(own.read_bytes()[:-100])
    monkeypatch.setattr(policy_buckets, "default_path", lambda preset: damaged)
    found = matching_bucketing(policy)
    assert found is not None and found.path == own


def test_without_them_the_manifest_beside_the_policy_is_enough(own: Path, tmp_path: Path) -> None:
    policy = saved_policy(tmp_path / "run", own)
    hole, board = (0, 17), (4, 9, 50)
    expected = HandBucketing.load(own).bucket(hole, board)
    next(own.parent.glob("*.turn.*.npy")).unlink()  # cleared away in part
    whole = policy.info.bucketing
    assert whole is not None
    for reference in (whole, replace(whole, origin=None)):
        found = matching_bucketing(replace(policy, info=replace(policy.info, bucketing=reference)))
        assert found is not None
        assert not found.tables
        assert found.bucket(hole, board) == expected


def test_policies_made_of_checkpoints_know_the_tables_of_their_runs(own: Path, tmp_path: Path) -> None:
    runs = [tmp_path / "first", tmp_path / "second"]
    for seed, run in enumerate(runs):
        config, options = MCCFRConfig(num_iterations=50, seed=seed), RunOptions(run, tensorboard=False)
        train(config, holdem_config(2), HandBucketing.load(own), options)
    (runs[0] / "avg_policy.json").unlink()  # as a run that was killed: the other one says where the tables are
    merge_runs(runs, tmp_path / "merged")
    merged = AveragePolicy.load(tmp_path / "merged")
    for policy in (merged, policy_of_checkpoint(runs[1]), open_contenders(runs[1])[0].policy):
        found = matching_bucketing(policy)
        assert found is not None
        assert (found.path, len(found.tables)) == (own, 3)
    left = matching_bucketing(policy_of_checkpoint(runs[0]))
    assert left is not None and not left.tables


def prepare_in_worker(connection: Connection, run: str) -> None:
    """Tells whether the buckets of a run had tables after `prepare_tables`."""
    policy = AveragePolicy.load(run)
    buckets = PolicyBuckets(policy, HandBucketing.load(f"{run}/buckets.pkl", tables=False))
    prepare_tables(buckets)
    connection.send(not buckets.lacks_tables)


def test_a_worker_takes_tables_and_builds_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOLDEM_CACHE", str(tmp_path / "cache"))
    run = save_travelled(tmp_path / "run")
    path = nearly_built(HandBucketing.load(run / "buckets.pkl", tables=False))
    assert not prepared_in_worker(run)
    assert not path.exists()  # one step was left to do
    for file in small_buckets().parent.iterdir():
        shutil.copy(file, path.with_name(file.name))
    path.with_name(small_buckets().name).rename(path)
    assert prepared_in_worker(run)


def prepared_in_worker(run: Path) -> bool:
    worker = PipedProcess(prepare_in_worker, (str(run),), "worker")
    had = bool(worker.connection.recv())
    worker.wait(60.0)
    return had
