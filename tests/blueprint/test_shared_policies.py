"""Agents of one policy share its arrays; a policy that changed is another one, and one that nobody uses is gone."""

import gc
import time
import weakref
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from holdem.blueprint.agent import BlueprintAgent
from holdem.errors import ArtifactError
from tests.table.policies import random_policy, save_jam_or_fold


def test_agents_share_everything_that_does_not_change(tmp_path: Path) -> None:
    manifest = save_jam_or_fold(tmp_path / "run")
    with ThreadPoolExecutor(8) as pool:  # also if all come at once
        agents = list(pool.map(BlueprintAgent.open, [manifest, tmp_path / "run"] * 8))
    first = agents[0]
    for agent in agents[1:]:
        assert agent is not first
        assert agent.walk is not first.walk  # it counts
        assert agent.policy is first.policy
        assert agent.policy.tree.chips_in is first.policy.tree.chips_in
        assert agent.policy.layout is first.policy.layout
        assert agent.buckets is first.buckets
    assert isinstance(first.policy.table, np.memmap)


def test_a_policy_that_was_saved_again_is_another_one(tmp_path: Path) -> None:
    save_jam_or_fold(tmp_path, seed=1)
    old = BlueprintAgent.open(tmp_path)
    save_jam_or_fold(tmp_path, seed=2)
    new = BlueprintAgent.open(tmp_path)
    assert new.policy is not old.policy
    assert (np.asarray(new.policy.table) == random_policy("jam_or_fold_10bb", 2).table).all()
    assert (np.asarray(old.policy.table) == random_policy("jam_or_fold_10bb", 1).table).all()


def test_a_policy_that_was_damaged_meanwhile_is_refused(tmp_path: Path) -> None:
    save_jam_or_fold(tmp_path)
    agent = BlueprintAgent.open(tmp_path)
    [array] = tmp_path.glob("avg_policy.*.npy")
    whole = array.read_bytes()
    array.unlink()
    time.sleep(0.01)
    array.write_bytes(whole[:-2] + b"\xff\xff")
    with pytest.raises(ArtifactError, match="checksum"):
        BlueprintAgent.open(tmp_path)
    del agent


def test_what_nobody_uses_is_let_go(tmp_path: Path) -> None:
    save_jam_or_fold(tmp_path)
    agents = [BlueprintAgent.open(tmp_path) for _ in range(3)]
    policy, buckets = weakref.ref(agents[0].policy), weakref.ref(agents[0].buckets)
    del agents[1:]
    gc.collect()
    assert policy() is not None
    agents.clear()
    gc.collect()
    assert policy() is None and buckets() is None
