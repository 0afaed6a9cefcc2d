"""Instances on a real Ray cluster of several nodes on this machine: run, lose a node, finish, merge.

`make test-cluster` installs the extra and runs these; the suite leaves them out.
"""

import importlib
import re
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from holdem.mccfr.instances.merge import merge_runs
from holdem.mccfr.instances.progress import read_all_progress
from holdem.mccfr.run.checkpoint import read_info
from holdem.mccfr.training_game import TrainingGame
from holdem.policy.policy import AveragePolicy
from tests.mccfr.runs import LEDUC, run_training, table_of, train_command

pytestmark = pytest.mark.cluster

STORE_BYTES = 80_000_000
PATIENCE_SECONDS = 600.0
"""Twenty times what a quiet machine needs."""


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """A head and two more nodes with one processor each."""
    utilities: Any = importlib.import_module("ray.cluster_utils")
    head = {"num_cpus": 1, "include_dashboard": False, "object_store_memory": STORE_BYTES}
    made = utilities.Cluster(initialize_head=True, head_node_args=head)
    made.spare_nodes = [made.add_node(num_cpus=1, object_store_memory=STORE_BYTES) for _ in range(2)]
    yield made
    made.shutdown()


def start(cluster: Any, run: Path, *arguments: object) -> "subprocess.Popen[str]":
    command = train_command(*LEDUC, "--cluster", cluster.address, "--logdir", run, *arguments)
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def wait_for_checkpoints(run: Path, process: "subprocess.Popen[str]", instances: int) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while len({path.parent for path in run.glob("instance_*/checkpoint_*.pkl")}) < instances:
        assert process.poll() is None, process.communicate()[0]
        assert time.monotonic() < deadline, "no checkpoint arrived"
        time.sleep(0.05)


def test_merged_instances_on_all_nodes_end_with_one_table(cluster: Any, tmp_path: Path) -> None:
    """Without --num-instances there is one for each node; tables go through the object store."""
    arguments = ("--time-budget", 15, "--merge-interval", 2, "--snapshot-interval", 2)
    process = start(cluster, tmp_path, *arguments)
    output, _ = process.communicate(timeout=PATIENCE_SECONDS)
    assert process.returncode == 0, output
    assert "Starting 3 instances" in output
    assert output.count("Merged 3 tables") >= 2
    entries = TrainingGame.from_preset("leduc").layout.entries
    finals = [tmp_path / f"instance_{number}" / "checkpoint_final.pkl" for number in range(3)]
    first, *others = [table_of(path, entries) for path in finals]
    # Each is in the units of its own iteration: where those agree, so do the tables, to the last bit.
    for other, path in zip(others, finals[1:], strict=True):
        if read_info(path).iteration // 5000 == read_info(finals[0]).iteration // 5000:
            np.testing.assert_array_equal(first, other)
        ratio = other[other > 10**5] / first[other > 10**5]
        assert ratio.std() < 1e-3 * ratio.mean()


def test_a_node_dies_and_the_run_ends_with_all_iterations(cluster: Any, tmp_path: Path) -> None:
    run = tmp_path / "run"
    iterations = 24_000_000
    arguments = ("--iters", iterations, "--num-instances", 3, "--checkpoint-interval", 100_000)
    process = start(cluster, run, *arguments)
    wait_for_checkpoints(run, process, 3)
    cluster.remove_node(cluster.spare_nodes.pop(), allow_graceful=False)
    output, _ = process.communicate(timeout=PATIENCE_SECONDS)
    assert process.returncode == 0, output
    lost = re.search(r"WARNING: Instance (\d) was lost .* on another node from iteration ([\d,]+)", output)
    assert lost, output
    log = (run / f"instance_{lost[1]}" / f"instance_{lost[1]}.log").read_text()
    assert f"at iteration {lost[2]}" in log, "it went on from the checkpoint that had arrived"
    assert [progress.status for progress in read_all_progress(run)] == ["completed"] * 3
    summary = merge_runs([run], tmp_path / "merged")
    assert summary.iterations == iterations
    assert AveragePolicy.load(tmp_path / "merged").info.iterations == iterations


def test_an_unreachable_cluster_is_one_sentence(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))  # nobody else's, and nobody listens there
        port = free.getsockname()[1]
        result = run_training(*LEDUC, "--iters", 100, "--cluster", f"127.0.0.1:{port}", "--logdir", tmp_path / "run")
    assert result.returncode == 2
    assert len(result.stderr.strip().splitlines()) == 1
    assert f"the cluster 127.0.0.1:{port} cannot be reached" in result.stderr
    assert not (tmp_path / "run").exists()
