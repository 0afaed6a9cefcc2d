"""Two runs at one line: the same run is no distance away, a changed one differs by what was changed."""

import json
from pathlib import Path

import numpy as np
import pytest

from holdem.blueprint.line_view import LineView
from holdem.web.run_folder import RunFolder
from holdem.web.strategy.compare import MatchedPair, show_comparison
from holdem.web.strategy.data import find_place, strategy_at
from tests.cli.runs import save_toy
from tests.table.policies import save_jam_or_fold
from tests.web.strategy.runs import FLOP, JAM, RIVER, save_changed, save_jam_without, save_random

CHANGED = [0.25, 0.75]
"""Check and bet 3bb, with every hand."""


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    folder = tmp_path_factory.mktemp("runs")
    save_random(folder / "one")
    save_random(folder / "same")
    save_changed(folder / "changed", FLOP, CHANGED)
    save_random(folder / "sizes", preflop="2.5x, 3x, a")
    save_jam_or_fold(folder / "jam")
    save_jam_without(folder / "untrained", "AA", "72o")
    save_toy(folder / "leduc", "leduc")
    return RunFolder(folder)


@pytest.mark.parametrize("line", ["", "SB raise 3bb", FLOP, RIVER])
@pytest.mark.parametrize("reach", [True, False])
def test_the_same_run_is_no_distance_away(runs: RunFolder, line: str, reach: bool) -> None:
    found = show_comparison(runs, "one", "same", line, reach)
    assert found["why_not"] == ""
    assert found["remark"] == ""
    assert found["difference"]["distance"] == 0.0
    assert found["difference"]["most"] == []
    assert all(cell["distance"] == 0.0 and not any(cell["changes"]) for cell in found["difference"]["classes"].values())
    assert found["here"] == {**found["there"], "solve": found["here"]["solve"]}


def test_what_was_changed_is_what_differs(runs: RunFolder) -> None:
    found = show_comparison(runs, "one", "changed", FLOP)["difference"]
    view = find_place(runs.policy("one"), FLOP).view
    held = view.possible
    weights = view.weights[held] / view.weights[held].sum()  # the way here is the same in both
    # Two actions: the distance of two rows is what the first probability differs by.
    moved = np.abs(view.probabilities[held, 0] - CHANGED[0])
    assert found["distance"] == pytest.approx(float(weights @ moved), abs=1e-4)
    assert found["changes"] == pytest.approx((np.array(CHANGED) - view.frequencies()).tolist(), abs=1e-3)
    shares = view.class_probabilities()
    assert found["classes"]["AA"]["changes"] == pytest.approx((np.array(CHANGED) - shares[168]).tolist(), abs=1e-3)
    assert found["classes"]["AA"]["bolder"] == pytest.approx(CHANGED[1] - shares[168, 1], abs=1e-3)
    # Only this decision was changed, so the turn is the same but for how hands get there.
    later = show_comparison(runs, "one", "changed", f"{FLOP} BB check, SB check | 5h")
    assert later["difference"]["distance"] == 0.0
    assert later["here"]["players"] != later["there"]["players"]


def test_the_list_is_by_weight_times_distance(runs: RunFolder) -> None:
    found = show_comparison(runs, "one", "changed", FLOP)["difference"]
    mass = {name: cell["weight"] * cell["distance"] for name, cell in found["classes"].items()}
    listed = [mass[name] for name in found["most"]]
    assert len(listed) == 15
    assert listed == sorted(listed, reverse=True)
    assert listed[0] == max(mass.values())
    assert sum(mass.values()) == pytest.approx(found["distance"], abs=1e-3)


def test_every_hand_alike(runs: RunFolder) -> None:
    found = show_comparison(runs, "one", "changed", FLOP, reach=False)["difference"]
    view = find_place(runs.policy("one"), FLOP).view
    moved = np.abs(view.probabilities[view.possible, 0] - CHANGED[0])
    assert found["distance"] == pytest.approx(float(moved.mean()), abs=1e-4)


def test_a_size_that_only_one_has(runs: RunFolder) -> None:
    found = show_comparison(runs, "one", "sizes", "")
    assert {part["action"]: part["only"] for part in found["difference"]["actions"]} == {
        "fold": "", "call": "", "raise 3bb": "", "raise 20bb all-in": "", "raise 2.5bb": "there",
    }  # fmt: skip
    for cell in found["difference"]["classes"].values():
        assert sum(cell["changes"]) == pytest.approx(0.0, abs=1e-3)
        assert cell["changes"][4] >= 0.0
    back = show_comparison(runs, "sizes", "one", "SB raise 2.5bb")
    assert back["there"]["replaced"] == ["'SB raise 2.5bb' is not in the tree; taken as raise 3bb"]
    assert back["difference"]["distance"] > 0.0


@pytest.mark.parametrize("names", [("jam", "untrained"), ("untrained", "jam")])
def test_hands_that_training_never_met_are_left_out(runs: RunFolder, names: tuple[str, str]) -> None:
    """All other rows are the same, and so is the betting before, so that nothing else can differ."""
    found = show_comparison(runs, *names, JAM)
    difference, classes = found["difference"], found["here"]["classes"]
    assert set(difference["unvisited"]) == {"AA", "72o"}
    assert not {"AA", "72o"} & set(difference["classes"])
    left_out = sum(classes[name]["weight"] for name in ("AA", "72o"))
    assert difference["left_out"] == pytest.approx(left_out, abs=1e-6)
    assert difference["distance"] == pytest.approx(0.0, abs=1e-3)  # rows are kept in thousandths or finer
    assert show_comparison(runs, "jam", "jam", JAM)["difference"]["left_out"] == 0.0


@pytest.mark.parametrize(
    ("names", "line", "words"),
    [
        (("one", "leduc"), "", "only grids of hold'em"),
        (("one", "jam"), FLOP, "jam has no such place"),
        (("one", "same"), "SB fold", "the hand is over"),
        (("leduc", "one"), "", "only grids of hold'em"),
    ],
)
def test_what_cannot_be_compared_is_a_sentence(runs: RunFolder, names: tuple[str, str], line: str, words: str) -> None:
    found = show_comparison(runs, *names, line)
    assert words in found["why_not"]
    assert found["difference"] is None
    assert found["here"] == strategy_at(runs.policy(names[0]), line, name=names[0])
    json.dumps(found, allow_nan=False)


def test_weights_are_of_both_runs(tmp_path: Path, runs: RunFolder) -> None:
    """Half by one policy and half by the other; a run that never comes here leaves it to the other."""
    one, other = (find_place(runs.policy(name), FLOP).view for name in ("one", "sizes"))
    weights = MatchedPair(one, other).weights()
    assert weights.sum() == pytest.approx(1.0)
    np.testing.assert_allclose(weights, (one.weights / one.weights.sum() + other.weights / other.weights.sum()) / 2)
    never = LineView(one.summary, one.board, one.probabilities, one.visited, reach=0 * one.reach, position=one.position)
    np.testing.assert_allclose(MatchedPair(one, never).weights(), one.weights / one.weights.sum())
    assert MatchedPair(never, never).weights().max() == pytest.approx(1 / 1176)
