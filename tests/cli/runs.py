"""Run directories with hand-made policies, and the command line in this process."""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from holdem.abstraction.betting.row_layout import layout_rows
from holdem.abstraction.betting.tree import build_tree
from holdem.cli.main import main
from holdem.policy.policy import AveragePolicy, BucketReference, PolicyInfo
from tests.earlier_games import earlier_game
from tests.evaluation.tables import random_strategy, toy

BUCKETS = (169, 4, 4, 4)
UNVISITED_CLASS = 0
"""32s at the root: the hand-made training never came by."""


@dataclass(frozen=True)
class Result:
    status: int
    out: str
    err: str


Run = Callable[..., Result]


def make_runner(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """`holdem` with these arguments: exit status and both outputs."""

    def run(*arguments: object) -> Result:
        monkeypatch.setattr(sys, "argv", ["holdem", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            main()
        captured = capsys.readouterr()
        return Result(int(ended.value.code or 0), captured.out, captured.err)

    return run


def save_toy(folder: Path, name: str, seed: int = 1, **changes: object) -> Path:
    """A run directory with a random policy of a toy game."""
    game = toy(name, **changes)
    strategy = random_strategy(game.tree, game.buckets, game.layout, seed)
    AveragePolicy.from_strategy_sums(PolicyInfo(game.tree.config, game.buckets, 10), strategy, game.tree).save(folder)
    return folder


def save_heads_up(folder: Path) -> Path:
    """Heads-up hold'em with four buckets a street after the flop: bucket b of every row takes its action b."""
    tree = build_tree(earlier_game("headsup_100bb"))
    layout = layout_rows(tree, BUCKETS)
    sums = np.zeros(layout.entries)
    for node in np.flatnonzero(tree.player >= 0).tolist():
        actions = int(tree.num_actions[node])
        for bucket in range(BUCKETS[tree.street[node]]):
            sums[layout.row_start(node, bucket) + bucket % actions] = 3.0
    start = layout.row_start(0, 168)  # AA calls one time in four and raises three bets otherwise
    sums[start : start + 5] = (0, 1, 0, 3, 0)
    sums[layout.row_start(0, UNVISITED_CLASS) :][:5] = 0
    info = PolicyInfo(tree.config, BUCKETS, 10, BucketReference("buckets.pkl", "abc"))
    AveragePolicy.from_strategy_sums(info, sums, tree).save(folder)
    return folder
