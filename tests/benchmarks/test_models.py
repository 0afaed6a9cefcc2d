"""Measuring a run as a model: each step is kept as it finishes, and nothing is measured twice."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks.models.__main__ import main, shown
from benchmarks.models.measuring import Pace
from benchmarks.models.results_file import ResultsFile
from benchmarks.models.steps import HANDS, MANY_SEATS_HANDS, PARTS, Plan
from benchmarks.resumable import policy_digest
from docs.make_model_results import section
from holdem.abstraction.betting.tree import build_tree
from holdem.errors import ArtifactError, ConfigError
from holdem.evaluation.baselines import BASELINES
from holdem.evaluation.litmus.litmus import Verdict, run_litmus
from holdem.evaluation.response.local.published import PUBLISHED
from holdem.game.presets import load_preset
from holdem.policy.policy import AveragePolicy, PolicyInfo
from holdem.types import GameConfig
from tests.table.policies import ONE_BUCKET, save_jam_or_fold

FEW = ("--opponents", "random,always-call")
CHECKOUT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Heads-up, jam or fold: a policy that needs no buckets."""
    return save_jam_or_fold(tmp_path_factory.mktemp("models") / "run").parent


def save_three_seats(folder: Path) -> Path:
    """Three seats, jam or fold, with random rows."""
    game = load_preset("jam_or_fold_10bb").model_dump() | {"name": "three jam", "num_players": 3}
    tree = build_tree(GameConfig.model_validate(game | {"stacks": 1_000}))
    sums = np.random.default_rng(1).random(tree.counts.entries(ONE_BUCKET))
    AveragePolicy.from_strategy_sums(PolicyInfo(tree.config, ONE_BUCKET, 10), sums, tree).save(folder)
    return folder


def command(*arguments: object) -> list[str]:
    return [sys.executable, "-m", "benchmarks.models", "measure", *map(str, arguments), "--num-workers", "1"]


def environment() -> dict[str, str]:
    return os.environ | {"PYTHONPATH": os.pathsep.join([str(CHECKOUT), *sys.path])}


def measured(*arguments: object) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(command(*arguments), env=environment(), capture_output=True, encoding="utf-8", check=False)


def plan(run: Path, tmp_path: Path, **settings: Any) -> Plan:
    return Plan(run, tmp_path / "results.json", settings.get("hands", {}), {}, settings.get("seats", 2))


def results(tmp_path: Path, digest: str = "abc") -> ResultsFile:
    return ResultsFile(tmp_path / "results.json", digest, "a machine", "the command")


@pytest.mark.long
def test_a_run_is_measured_once_and_more_hands_are_measured_again(run: Path, tmp_path: Path) -> None:
    out = tmp_path / "results.json"
    asked = (
        run,
        "--out",
        out,
        "--parts",
        "baselines,lbr,matches",
        "--against",
        f"itself={run}",
        "--machine",
        "mine",
        *FEW,
    )
    first = measured(*asked, "--hands", 20, "--hands", "lbr=4", "--hands", "matches=100")
    assert first.returncode == 0, first.stderr
    assert "1 of 4, baselines: random, 20 hands" in first.stderr and "left, and lbr, matches" in first.stderr
    found = json.loads(out.read_text(encoding="utf-8"))
    assert [entry["opponent"] for entry in found["baselines"]] == ["random", "always-call"]
    assert all(entry["hands"] == 20 and entry["interval"] > 0 for entry in found["baselines"])
    assert [entry["setting"] for entry in found["lbr"]] == [setting.actions for setting in PUBLISHED]
    assert not any(entry["search"] for entry in found["lbr"])
    # A match against oneself is exactly zero, and so is its interval.
    zero = {"opponent": "itself", "bb_per_100": 0.0, "interval": 0.0, "hands": 100, "note": "10 iterations"}
    assert found["matches"] == [zero]
    assert found["measured"]["machine"] == "mine" and str(tmp_path) not in out.read_text(encoding="utf-8")

    again = measured(*asked, "--hands", 20, "--hands", "random=40", "--hands", "lbr=4", "--hands", "matches=100")
    assert again.returncode == 0 and "3 steps of 4" in again.stderr and "1 of 1, baselines: random" in again.stderr
    later = json.loads(out.read_text(encoding="utf-8"))
    assert [entry["hands"] for entry in later["baselines"]] == [40, 20]
    assert len(later["measured"]["commands"]) == 2 and later["lbr"] == found["lbr"]


@pytest.mark.long
def test_ctrl_c_keeps_what_is_finished(run: Path, tmp_path: Path) -> None:
    out = tmp_path / "results.json"
    arguments = (run, "--out", out, "--parts", "baselines", "--hands", 4, *FEW)
    endless = command(*arguments, "--hands", "always-call=1000000000")
    with subprocess.Popen(endless, env=environment(), stderr=subprocess.PIPE, encoding="utf-8") as process:
        assert process.stderr is not None
        for line in process.stderr:
            if line.startswith("2 of 2"):
                process.send_signal(signal.SIGINT)
                break
        rest = process.stderr.read()
    assert process.returncode == 130 and "the same command goes on" in rest
    assert [entry["opponent"] for entry in json.loads(out.read_text())["baselines"]] == ["random"]
    assert "1 step of 2" in measured(*arguments).stderr
    assert [entry["opponent"] for entry in json.loads(out.read_text())["baselines"]] == ["random", "always-call"]


@pytest.mark.long
def test_three_seats_are_measured_in_both_directions(tmp_path: Path) -> None:
    run, out = save_three_seats(tmp_path / "three"), tmp_path / "results.json"
    result = measured(run, "--out", out, "--parts", "baselines,reverse,lbr", "--hands", 6, *FEW)
    assert result.returncode == 0, result.stderr
    assert "lbr is heads-up and is left out at 3 seats" in result.stderr
    found = json.loads(out.read_text(encoding="utf-8"))
    assert [len(found[part]) for part in ("baselines", "reverse")] == [2, 2] and "lbr" not in found
    written = section({"three": {"title": "Three seats", "results": found}})
    assert "### `models/three`: Three seats" in written
    for entry in found["reverse"]:
        mean = f"{entry['bb_per_100']:+,.1f} ± {entry['interval']:,.1f}".replace("-", "−")
        assert f"| {entry['opponent']} | {mean} | 6 |" in written


@pytest.mark.long
def test_checks_that_fail_are_named_and_a_verb_that_fails_ends_it(run: Path, tmp_path: Path) -> None:
    out = tmp_path / "results.json"
    (tmp_path / "results.lbr.json").write_text("[]")  # not deals of local best response, which refuses it
    result = measured(run, "--out", out, "--parts", "litmus,lbr")
    last = result.stderr.splitlines()[-1]
    assert result.returncode == 1 and "holdem lbr" in last and "what was finished is kept" in last
    report = run_litmus(AveragePolicy.load(run))
    failed = [found.check.name for found in report.results if found.verdict is Verdict.FAILED]
    assert failed  # its rows are random
    left_out = report.count(Verdict.LEFT_OUT)
    expected = {"passed": report.count(Verdict.PASSED), "checks": len(report.results) - left_out, "failed": failed}
    found = json.loads(out.read_text(encoding="utf-8"))
    assert found["litmus"] == expected and f"failed: {failed[0]}" in section({"jam": {"results": found}})


def test_hands_are_what_was_said_most_precisely(run: Path, tmp_path: Path) -> None:
    hands = {"": 10, "random": 20, "reverse": 30, "reverse:random": 40, "baselines_search": 50}
    asked = plan(run, tmp_path, hands=hands)
    assert [asked.hands_of("baselines", name) for name in ("pot-odds", "random")] == [10, 20]
    assert [asked.hands_of("reverse", name) for name in ("pot-odds", "random")] == [30, 40]
    assert asked.hands_of("baselines_search", "random") == 50 and asked.hands_of("lbr") == HANDS["lbr"]
    assert plan(run, tmp_path).hands_of("baselines", "random") == HANDS["baselines"]
    assert plan(run, tmp_path, seats=6).hands_of("reverse", "random") == MANY_SEATS_HANDS


def test_every_part_has_its_steps_and_a_step_is_done_with_enough_hands(run: Path, tmp_path: Path) -> None:
    asked = plan(run, tmp_path, hands={"lbr": 8})
    steps = asked.steps(tuple(part for part in PARTS if part != "matches"))
    assert len(steps) == 3 * len(BASELINES) + 3
    file, lbr = results(tmp_path), next(step for step in steps if step.part == "lbr")
    with_search = next(step for step in steps if step.part == "lbr_search")
    rows = [{"setting": s.actions, "search": False, "mbb_per_hand": 1.0, "interval": 2.0} for s in PUBLISHED]
    file.add(lbr, [row | {"hands": 8} for row in rows[:3]] + [rows[3] | {"hands": 6}])
    assert not results(tmp_path).has(lbr)  # one setting was interrupted
    file.add(lbr, [rows[3] | {"hands": 8}])
    assert results(tmp_path).has(lbr) and not results(tmp_path).has(with_search)
    assert len(results(tmp_path).content["lbr"]) == len(PUBLISHED)


def test_results_of_another_policy_and_other_files_are_refused(run: Path, tmp_path: Path) -> None:
    (litmus,) = plan(run, tmp_path).steps(("litmus",))
    results(tmp_path).add(litmus, [{"passed": 1, "checks": 1, "failed": []}])
    with pytest.raises(ConfigError, match="another policy"):
        results(tmp_path, policy_digest(str(run)))
    for content in ("{", "[]", '{"results": 1}'):
        (tmp_path / "results.json").write_text(content)
        with pytest.raises(ArtifactError, match="name another --out"):
            results(tmp_path)


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--parts", "litmos"], "there is no part 'litmos'"),
        (["--parts", "matches"], "--against"),
        (["--hands", "randon=4"], "there is no 'randon'"),
        (["--hands", "litmus=4"], "there is no 'litmus'"),
        (["--hands", "many"], "a whole number"),
        (["--opponents", "randon"], "did you mean random"),
        (["--against", "nowhere"], "does not exist"),
    ],
)
def test_mistakes_are_told_before_anything_is_measured(
    run: Path, tmp_path: Path, words: list[str], complaint: str
) -> None:
    out = tmp_path / "results.json"
    with pytest.raises((ConfigError, ArtifactError), match=complaint):
        main(["measure", str(run), "--out", str(out), *words])
    assert not out.exists()


def test_paths_are_told_without_where_they_lie(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    paths = (Path("runs/one"), tmp_path / "runs" / "one", tmp_path.parent / "elsewhere")
    assert [shown(path) for path in paths] == ["runs/one", "runs/one", "elsewhere"]


def test_the_rest_is_told_from_the_pace_of_each_part(run: Path, tmp_path: Path) -> None:
    steps = plan(run, tmp_path, hands={"": 100, "random": 300}).steps(("baselines", "litmus"))
    pace = Pace()
    assert pace.left(steps) == ""
    pace.add(steps[0], 30.0)
    # 300 hands took 30 s, so six times 100 take 60 s.
    assert pace.left(steps[1:]) == "; about 60 s left, and litmus"
