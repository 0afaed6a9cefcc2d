"""Positions side by side in a report: the grids are the strategy, the bars are what litmus measured."""

from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from holdem.cards.ranges import CLASS_NAMES
from holdem.errors import ArtifactError
from holdem.evaluation.litmus.litmus import run_litmus
from holdem.evaluation.litmus.spots import PolicySpots
from holdem.evaluation.report.bands import BandPanel, BandRow, band_chart, panels_of
from holdem.evaluation.report.positions import KINDS, kinds_by_class, positions_section
from holdem.evaluation.report.ranges import classes_svg
from holdem.evaluation.report.report import write_report
from holdem.evaluation.report.results import read_results
from holdem.util.artifacts import write_json
from tests.evaluation.litmus_charts import CHART, Habit, chart_policy, preflop_tree
from tests.evaluation.litmus_policies import equity_buckets, heads_up_tree, make_policy, sensible
from tests.evaluation.report.test_report import read


def test_a_page_shows_opens_and_defences_by_position(tmp_path: Path) -> None:
    policy = chart_policy(preflop_tree(4), {"first in CO": Habit(0.10, 0.10)})
    litmus = run_litmus(policy, bucketing=equity_buckets(2)).to_plain()
    policy.save(tmp_path)
    page = write_report(tmp_path / "out", tmp_path, {"litmus": litmus})
    text = read(page)
    assert "Before the flop, by position" in text
    spots = PolicySpots(policy)
    for position in ("CO", "BTN", "SB"):
        opened = spots.at(f"folds to {position}").frequency("play").mean()
        defended = spots.at(f"folds to {position}, any raise, folds to BB").frequency("play").mean()
        assert f"{position} plays {100 * opened:.1f} %" in text
        assert f"against {position}: {100 * defended:.1f} %" in text
    assert "Raise first in: as many hands as common charts" in text
    content = page.read_text(encoding="utf-8")
    assert content.count('<div class="smalls"') == 2
    assert "var(--bad)" in content.split("<figure", 1)[1], "the open of CO is drawn as too small"
    assert "never visited in training" not in text.split("Preflop ranges")[0]


def test_two_players_have_no_such_section() -> None:
    assert positions_section(make_policy(heads_up_tree(), sensible), None) == ""


def test_kinds_of_actions_add_up_to_the_strategy() -> None:
    tree = preflop_tree(3)
    spots = PolicySpots(chart_policy(tree, {"BB against BTN": Habit(0.5, 0.1, all_in=0.03)}))
    rows, known = kinds_by_class(spots.at("folds to BTN, any raise, folds to BB"))
    assert rows.shape == (169, len(KINDS))
    assert rows.sum(axis=1).tolist() == pytest.approx([1.0] * 169)
    assert known.tolist() == [1.0] * 169
    by_name = {name: dict(zip(KINDS, row.tolist(), strict=True)) for name, row in zip(CLASS_NAMES, rows, strict=True)}
    assert by_name["AA"] == {"raise": 0.0, "all-in": 1.0, "call": 0.0, "fold": 0.0}
    assert by_name["72o"]["fold"] == 1.0


def test_what_training_never_visited_is_grey_and_not_a_figure() -> None:
    tree = preflop_tree(3)
    policy = chart_policy(tree, unvisited=lambda node: node == 0)
    section = positions_section(policy, None)
    assert "BTN plays ?" in section
    assert "never visited in training" in section


def test_small_grids_name_pairs_only() -> None:
    rows = np.tile([0.25, 0.0, 0.25, 0.5], (169, 1))
    picture = ElementTree.fromstring(classes_svg(tuple(KINDS), tuple(KINDS.values()), rows, np.ones(169), names=False))
    assert len(picture) == 169
    written = [part.text for cell in picture for part in cell if part.tag == "text"]
    assert sorted(map(str, written)) == sorted(2 * rank for rank in "23456789TJQKA")


def test_bars_are_what_litmus_found() -> None:
    litmus = run_litmus(chart_policy(preflop_tree(6)), bucketing=equity_buckets(2)).to_plain()
    panels = {panel.title: panel for panel in panels_of(litmus)}
    opens = panels["Raise first in: as many hands as common charts"]
    assert [row.name for row in opens.rows] == ["UTG", "HJ", "CO", "BTN"]
    assert [row.share for row in opens.rows] == pytest.approx(
        [CHART[f"first in {row.name}"].raised for row in opens.rows], abs=12 / 1326
    )
    assert all(row.passed for panel in panels.values() for row in panel.rows)
    assert panels_of(None) == []
    assert panels_of({"checks": [{"name": "of an older file"}]}) == []


def test_the_chart_of_bands_marks_what_is_outside() -> None:
    inside, outside = BandRow("UTG", 0.16, 0.15, 0.19, True), BandRow("BTN", 0.2, 0.4, 0.5, False)
    unknown = BandRow("SB", None, 0.4, 0.8, False)
    fine = band_chart([BandPanel("opens & more", (inside, unknown), 0.03)])
    assert ElementTree.fromstring(fine).tag == "svg"
    assert "16.0 %" in fine
    assert "not trained" in fine
    assert "var(--accent)" in fine
    assert "var(--bad)" not in fine
    bad = band_chart([BandPanel("opens", (inside,), 0.03), BandPanel("late", (outside,), 0.0)])
    assert "var(--bad)" in bad


def test_figures_that_are_no_shares_are_refused(tmp_path: Path) -> None:
    figure = {"position": "UTG", "found": 17, "low": 0.15, "high": 0.19}
    litmus = {"counts": {"passed": 1, "failed": 0}, "checks": [{"name": "x", "figures": [figure]}]}
    write_json(tmp_path / "results.json", {"litmus": litmus})
    with pytest.raises(ArtifactError, match="does not hold the results of an evaluation"):
        read_results(tmp_path / "results.json", tmp_path)
