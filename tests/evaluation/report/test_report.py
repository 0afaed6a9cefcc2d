"""The report: one page, nothing outside it, and the figures in it are those that were measured."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from holdem.blueprint.view import view_strategy
from holdem.cards.preflop_equity import class_index
from holdem.evaluation.litmus.litmus import run_litmus
from holdem.evaluation.report.charts import Bar, Point, compact, curve_chart, interval_chart
from holdem.evaluation.report.progress import duration
from holdem.evaluation.report.ranges import CELL, answer_nodes, grid_svg, opening_nodes
from holdem.evaluation.report.report import REPORT_NAME, write_report
from holdem.evaluation.report.training import exact_exploitability, snapshots_of, training_axis
from holdem.evaluation.response.jam_or_fold import exploitability_mbb
from holdem.mccfr.run.directory import RunDirectory
from holdem.policy.policy import AveragePolicy
from tests.cli.runs import save_toy
from tests.evaluation.litmus_policies import heads_up_tree, make_policy, sensible, short_tree, uniform

RESULTS: dict[str, Any] = {
    "opponents": {
        "random": {"hands": 20_000, "bb_per_100": 812.3, "ci95": [760.1, 864.5], "method": "duplicate deals"},
        "tight <b>": {"hands": 20_000, "bb_per_100": -3.0, "ci95": [-20.5, 14.5], "method": "duplicate deals"},
        "<script>x</script>": {"hands": 100, "bb_per_100": 3.0, "ci95": [1.0, 5.0], "method": "<i>"},
        "one deal": {"hands": 2, "bb_per_100": 50.0, "ci95": None, "method": "duplicate deals"},
    },
    "lbr": {
        "won": {"mbb_per_hand": 771.4, "ci95": [461.0, 1082.0]},
        "on_button": {"mbb_per_hand": 803.2, "ci95": [400.0, 1206.4]},
        "hands": 600,
        "menus": {"preflop": "c", "flop": "c", "turn": "fcpa", "river": "fcpa"},
    },
    "commands": ["holdem eval --policy RUN --out results.json"],
}
VOID = {"meta", "br", "hr"}


class Balanced(HTMLParser):
    """Every element is closed in order; collects what would be loaded from elsewhere, and the text."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.loaded: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open.append(tag)
        links = [value or "" for name, value in attrs if name in ("src", "href")]
        self.loaded += [link for link in links if not link.startswith("#")]

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def read(path: Path) -> str:
    """The text of a page, after checking that it is whole and self-contained."""
    content = path.read_text(encoding="utf-8")
    page = Balanced()
    page.feed(content)
    assert page.open == []
    assert page.loaded == [], "the page loads something from elsewhere"
    assert not re.search(r"https?://|url\((?!#)|@import", content)
    return page.text


@pytest.fixture(scope="module")
def jam_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of jam or fold with two snapshots: at first uniform, then better."""
    run = tmp_path_factory.mktemp("run")
    tree = short_tree(2)
    make_policy(tree, uniform).save(run / "snapshots" / "400")
    make_policy(tree, sensible).save(run)
    (run / "checkpoint_400.json").write_text(json.dumps({"iteration": 400, "seconds": 4.0, "nodes": 1}))
    (run / "summary.json").write_text(
        json.dumps({"iterations": 1000, "seconds": 10.0, "iterations_per_second": 100.0, "nodes_per_second": 2e6})
    )
    return run


def test_the_page_of_a_run(jam_run: Path, tmp_path: Path) -> None:
    path = write_report(tmp_path / "out", jam_run, RESULTS)
    assert path == tmp_path / "out" / REPORT_NAME
    text = read(path)
    for words in ("Win rates", "Exploitability against training time", "Preflop ranges", "Training speed", "+812.3"):
        assert words in text
    assert "+760.1 to +864.5" in text
    assert "tight <b>" in text, "names are escaped"
    assert "<script>x</script>" in text, "as text, also at the start of a cell"
    assert "2 of 4" in text, "two opponents are beaten with the whole interval above zero"
    assert "771mbb/hand lost to local best response" in text
    assert "461 to 1,082" in text
    assert "600 hands; LBR's actions: preflop c, flop c, turn fcpa, river fcpa" in text
    assert "holdem eval --policy RUN --out results.json" in text
    assert "100" in text


def test_exploitability_of_snapshots_is_the_exact_one(jam_run: Path, tmp_path: Path) -> None:
    snapshots = snapshots_of(jam_run)
    assert [(found.iterations, found.seconds) for found in snapshots] == [(400, 4.0), (1000, 10.0)]
    exact = exact_exploitability(snapshots)
    assert exact is not None
    values, unit = exact
    assert unit == "mbb/hand"
    tree = short_tree(2)
    for value, rule in zip(values, (uniform, sensible), strict=True):
        policy = make_policy(tree, rule)
        assert value == pytest.approx(exploitability_mbb(tree, policy.layout, policy.strategy()))
    assert f"{values[0]:.5g}" in read(write_report(tmp_path, jam_run, {}))


def test_seconds_of_a_snapshot_outlive_its_checkpoint(tmp_path: Path) -> None:
    make_policy(short_tree(2), uniform).save(tmp_path / "snapshots" / "1400")
    make_policy(short_tree(2), sensible).save(tmp_path)
    for iteration in (700, 1400, 2100):
        (tmp_path / f"checkpoint_{iteration}.pkl").touch()
        clock = {"iteration": iteration, "seconds": iteration + 620.0, "nodes": 1}
        (tmp_path / f"checkpoint_{iteration}.json").write_text(json.dumps(clock))
    RunDirectory(tmp_path).forget_old_checkpoints(keep=1)
    left = ["checkpoint_1400.json", "checkpoint_2100.json", "checkpoint_2100.pkl"]
    assert sorted(path.name for path in tmp_path.glob("checkpoint_*")) == left
    assert [(s.iterations, s.seconds) for s in snapshots_of(tmp_path)] == [(1000, None), (1400, 2020.0)]


def test_results_alone_make_a_page(tmp_path: Path) -> None:
    text = read(write_report(tmp_path, None, RESULTS))
    assert "Win rates" in text
    assert "Preflop ranges" not in text


def test_more_players_read_what_cannot_be_proved(tmp_path: Path) -> None:
    make_policy(short_tree(3), sensible).save(tmp_path)
    text = read(write_report(tmp_path / "out", tmp_path, {"opponents": RESULTS["opponents"]}))
    assert "With 3 players nothing of the kind can be proved" in text
    assert "xploitability" not in text, "nobody can measure it there"


def test_a_toy_game_has_no_grids(tmp_path: Path) -> None:
    text = read(write_report(tmp_path / "out", save_toy(tmp_path, "leduc"), {}))
    assert "chips/hand" in text
    assert "Preflop ranges" not in text


def test_litmus_violations_are_shown(jam_run: Path, tmp_path: Path) -> None:
    litmus = run_litmus(make_policy(short_tree(2), uniform)).to_plain()
    text = read(write_report(tmp_path, jam_run, {"litmus": litmus}))
    assert "AA: fold 50.0 % of the times it can" in text
    assert "usual cause" in text


def test_the_grid_is_the_strategy() -> None:
    view = view_strategy(make_policy(heads_up_tree(), sensible), 0)
    picture = ElementTree.fromstring(grid_svg(view))
    cells = list(picture)
    assert len(cells) == 169
    rows = view.class_probabilities()
    names = {cell[-1].text: cell for cell in cells}
    for number, name in ((class_index(name), name) for name in ("AA", "72o", "T9s")):
        widths = [float(part.attrib["width"]) for part in names[name] if part.tag == "rect"]
        expected = rows[number][rows[number] > 0] * (CELL - 1)
        assert widths == pytest.approx(expected.tolist(), abs=0.006)  # written with two digits


def test_which_ranges_are_shown() -> None:
    tree = short_tree(6)
    assert [int(tree.player[node]) for node in opening_nodes(tree)] == [2, 3, 4, 5, 0]
    assert [tree.describe(node).split(", ")[-1] for node in answer_nodes(tree)] == ["SB raise 10bb all-in"]
    assert len(answer_nodes(heads_up_tree())) == 3


def test_charts_are_svg_in_the_colours_of_the_page() -> None:
    for text in (
        interval_chart([Bar("a & b", 1.0, 0.5, 1.5), Bar("c", -2.0)], "bb/100"),
        curve_chart([Point(1, 2.0, 1.0, 3.0), Point(2, 1.0)], "minutes", "mbb/hand"),
        curve_chart([Point(1e5, 2.0), Point(1e6, 1.0), Point(1e7, 0.5)], "iterations", "chips", logarithmic=True),
    ):
        picture = ElementTree.fromstring(text)
        assert picture.tag == "svg"
        assert "var(--accent)" in text
        assert "#0a0b0c" not in text


def test_words_for_numbers() -> None:
    assert [compact(value) for value in (0.05, 600.0, 25_000.0, 2e6, 3e9)] == ["0.05", "600", "25k", "2M", "3G"]
    assert [duration(s) for s in (5.25, 60.013, 9000.0, 691_200.0)] == ["5.25 s", "1 min", "2.5 h", "8 days"]
    assert training_axis([(1, 30.0), (2, 60.0)]) == ([30.0, 60.0], "seconds of training")
    assert training_axis([(1, 3600.0), (2, 7200.0)]) == ([1.0, 2.0], "hours of training")
    assert training_axis([(10, None), (20, 7200.0)]) == ([10.0, 20.0], "iterations")


def test_a_policy_file_serves_as_well_as_its_run(jam_run: Path, tmp_path: Path) -> None:
    text = read(write_report(tmp_path, jam_run / "avg_policy.json", {}))
    assert "Training speed" in text
    assert AveragePolicy.load(jam_run).config.name in text
