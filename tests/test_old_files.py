"""Files that version 0.1 wrote in November 2026, before the modules moved to their rooms: they still open.

`files_of_0.1` holds a Leduc run of 2,000 iterations (seed 3), the bucket manifest of the preset `small`, and a river
that was solved for 60 iterations, with the figures that were printed then.
"""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from holdem.abstraction.bucketing import HandBucketing
from holdem.cards import parse_cards
from holdem.mccfr.run.start import load_run
from holdem.mccfr.solver import MCCFRSolver
from holdem.mccfr.training_game import TrainingGame
from holdem.policy.policy import AveragePolicy
from holdem.realtime.subgame.files import load_solution
from holdem.types import MCCFRConfig

FILES = Path(__file__).parent / "data" / "files_of_0.1"


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return Path(shutil.copytree(FILES / "leduc_run", tmp_path / "leduc_run"))


def test_a_checkpoint_is_the_table_that_its_seed_gives(run: Path) -> None:
    solver = MCCFRSolver(MCCFRConfig(seed=3), TrainingGame.from_preset("leduc"))
    assert load_run(run, solver.tracker) == 2_000
    straight = MCCFRSolver(MCCFRConfig(seed=3), TrainingGame.from_preset("leduc"))
    straight.run(2_000)
    assert np.array_equal(solver.tracker.table, straight.tracker.table)


def test_a_policy_says_what_its_table_says(run: Path) -> None:
    policy = AveragePolicy.load(run / "avg_policy.json")
    assert (policy.config.name, policy.info.iterations) == ("leduc", 2_000)
    solver = MCCFRSolver(MCCFRConfig(seed=3), TrainingGame.from_preset("leduc"))
    load_run(run, solver.tracker)
    for node, bucket in ((0, 0), (0, 5)):
        expected = solver.tracker.average_strategy(node, bucket)
        # Probabilities are stored in 65,535 parts.
        assert policy.probabilities(node, bucket) == pytest.approx(expected, abs=1 / 65_535)


def test_a_bucket_manifest_opens() -> None:
    bucketing = HandBucketing.load(FILES / "buckets.pkl", tables=False)
    assert tuple(bucketing.buckets_per_street) == (169, 50, 50, 50)
    flop = bucketing.bucket(parse_cards("AhKd"), parse_cards("Qs7d2c"))
    assert flop == bucketing.bucket(parse_cards("AdKh"), parse_cards("Qs7h2c")), "suits renamed"


def test_a_solve_answers_as_it_did() -> None:
    figures = json.loads((FILES / "river_figures.json").read_text())
    now = load_solution(FILES / "river.solve").to_plain()
    for key in ("ev_oop", "ev_ip", "exploitability_percent_of_pot"):
        assert now[key] == pytest.approx(figures[key], abs=1e-4)
    assert now["root_frequencies"] == pytest.approx(figures["root_frequencies"], abs=1e-6)


def test_the_command_resumes_it(run: Path) -> None:
    arguments = ["--resume-from", str(run), "--logdir", str(run), "--iters", "4000", "--no-tensorboard"]
    subprocess.run([sys.executable, "-m", "holdem.cli.train_blueprint", *arguments], check=True)
    assert AveragePolicy.load(run / "avg_policy.json").info.iterations == 4_000
