"""`holdem litmus`: the list of checks, violations with status 1, JSON, and refusals."""

import json
from pathlib import Path

import pytest

from tests.cli.runs import Run, save_toy
from tests.evaluation.litmus_policies import make_policy, sensible, short_tree, uniform


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_policy(short_tree(2), sensible).save(tmp_path_factory.mktemp("good")).parent


@pytest.fixture(scope="module")
def bad(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_policy(short_tree(2), uniform).save(tmp_path_factory.mktemp("bad")).parent


def test_a_policy_that_makes_sense(good: Path, run: Run) -> None:
    result = run("litmus", good)
    assert result.status == 0, result.err
    lines = result.out.splitlines()
    assert lines[0] == "jam or fold, 2 players, 1,000 iterations"
    assert lines[1].startswith("✓ Aces are never folded before the flop  (12 hands; closest 0, limit 0.003)")
    assert any(line.startswith("– The nuts are never folded on the river") for line in lines)
    assert "nobody acts on the river" in result.out
    assert "✗" not in result.out


def test_violations_are_listed_and_the_status_is_1(bad: Path, run: Run) -> None:
    result = run("litmus", bad)
    assert result.status == 1
    assert "✗ Aces are never folded before the flop" in result.out
    assert "    where: BB, preflop" in result.out
    assert "AA: fold 50.0 % of the times it can, allowed 0.3 %" in result.out
    assert "    usual cause: too little training" in result.out


def test_json_says_the_same(bad: Path, run: Run, tmp_path: Path) -> None:
    result = run("litmus", bad, "--json", "--out", tmp_path / "litmus.json")
    assert result.status == 1
    content = json.loads(result.out)
    assert content == json.loads((tmp_path / "litmus.json").read_text(encoding="utf-8"))
    assert content["passed"] is False
    first = content["checks"][0]
    assert first["verdict"] == "failed"
    assert first["violations"][0]["found"] == pytest.approx(0.5, abs=1e-3)
    assert sum(content["counts"].values()) == len(content["checks"])


def test_your_own_checks(good: Path, bad: Path, run: Run, tmp_path: Path) -> None:
    mine = tmp_path / "mine.yaml"
    mine.write_text(
        "checks:\n- {name: No jam with 72o, kind: limit, lines: '', hands: 72o, action: all-in, at_most: 0.1}\n",
        encoding="utf-8",
    )
    assert run("litmus", good, "--checks", mine).status == 0
    refused = run("litmus", bad, "--checks", mine)
    assert refused.status == 1
    assert "72o: all-in 50.0 %, allowed at most 10.0 %" in refused.out


def test_refusals_are_one_sentence(good: Path, run: Run, tmp_path: Path) -> None:
    missing = run("litmus", good, "--checks", tmp_path / "none.yaml")
    assert missing.status == 2
    assert missing.err.count("\n") == 1
    mine = tmp_path / "mine.yaml"
    mine.write_text("checks: [{name: my fifth, kind: limit, lines: '', hands: ZZ, action: fold, at_most: 0.1}]")
    unknown = run("litmus", good, "--checks", mine)
    assert unknown.status == 2
    assert "check 'my fifth': 'ZZ' is not a hand or range" in unknown.err, "which of many checks"
    toy = run("litmus", save_toy(tmp_path / "kuhn", "kuhn"))
    assert toy.status == 2
    assert "hold'em hands" in toy.err
    nothing = run("litmus", tmp_path / "nothing")
    assert nothing.status == 2
    assert "does not exist" in nothing.err
