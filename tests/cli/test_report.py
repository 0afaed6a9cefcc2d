"""`holdem report`: the page of a run, with and without results; refusals."""

import json
from pathlib import Path

import pytest

from tests.cli.runs import Run, save_toy
from tests.evaluation.litmus_policies import make_policy, sensible, short_tree


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_policy(short_tree(2), sensible).save(tmp_path_factory.mktemp("run")).parent


def test_a_page_with_results(trained: Path, run: Run, tmp_path: Path) -> None:
    results = tmp_path / "results.json"
    found = {"hands": 1000, "bb_per_100": 12.5, "ci95": [1.5, 23.5], "method": "duplicate deals"}
    results.write_text(json.dumps({"opponents": {"random": found}}))
    result = run("report", trained, "--results", results, "--out", tmp_path / "page")
    assert result.status == 0, result.err
    assert result.out == f"wrote {tmp_path / 'page' / 'report.html'}\n"
    page = (tmp_path / "page" / "report.html").read_text(encoding="utf-8")
    assert "+1.5 to +23.5" in page
    assert "Litmus checks" in page
    assert f"holdem report {trained} --results {results}" in page


def test_refusals_are_one_sentence(trained: Path, run: Run, tmp_path: Path) -> None:
    missing = run("report", trained, "--results", tmp_path / "none.json")
    assert missing.status == 2
    assert "holdem eval" in missing.err
    broken = tmp_path / "broken.json"
    broken.write_text("{")
    assert "cannot be read as JSON" in run("report", trained, "--results", broken).err
    other = tmp_path / "other.json"
    other.write_text("[1]")
    assert "does not hold the results" in run("report", trained, "--results", other).err
    for content in (
        {},
        {"agents": [{"agent": "random"}]},  # a match
        {"opponents": {"random": 3}},
        {"opponents": {"random": {"hands": 2, "bb_per_100": 1.0, "ci95": [1.0]}}},
        {"lbr": {"won": 3}},
        {"lbr_snapshots": [1]},
        {"litmus": {"checks": 7}},
        {"commands": 3},
    ):
        other.write_text(json.dumps(content))
        refused = run("report", trained, "--results", other, "--out", tmp_path / "page")
        assert refused.status == 2, content
        assert "does not hold the results" in refused.err
    assert "does not exist" in run("report", tmp_path / "nothing").err
    toy = run("report", save_toy(tmp_path / "toy", "leduc"), "--lbr-hands", 100, "--out", tmp_path / "page")
    assert toy.status == 2
    assert "leave it out" in toy.err
    assert not (tmp_path / "page").exists()
