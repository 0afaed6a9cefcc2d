"""Ranges of a place: weights by hand, equities beside `holdem equity`, made hands that add up."""

import json

import numpy as np
import pytest

from holdem.cards.cards import hole_cards, hole_index, parse_cards
from holdem.cards.equity import equity
from holdem.cards.ranges import CLASS_NAMES, CLASS_OF_HOLE, Range
from holdem.errors import ConfigError
from holdem.web.run_folder import RunFolder
from holdem.web.strategy.data import find_place, show_strategy
from holdem.web.strategy.ranges import mean_of, show_ranges
from tests.cli.runs import make_runner, save_toy
from tests.web.strategy.runs import FLOP, RIVER, save_random


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    folder = tmp_path_factory.mktemp("runs")
    save_random(folder / "one")
    save_toy(folder / "leduc", "leduc")
    return RunFolder(folder)


def test_weights_are_the_product_along_the_line(runs: RunFolder) -> None:
    """Before the flop a class has one row: the button's raise, the big blind's call, times the blockers."""
    policy = runs.policy("one").policy
    place = show_strategy(runs, "one", FLOP)
    raises = policy.rows(0)[0]  # fold, call, raise 3bb, all-in
    to_raise = policy.tree.children(0)[2]
    calls = policy.rows(to_raise)[0]
    assert place["position"] == "BB"
    for name in ("AA", "KK", "T9s", "72o"):
        number = CLASS_NAMES.index(name)
        assert place["classes"][name]["reach"] == pytest.approx(calls[number, 1], abs=1e-9)
        assert place["players"][1]["classes"][name] == pytest.approx(raises[number, 2], abs=1e-5)
    assert [player["position"] for player in place["players"]] == ["BB", "SB"]
    assert place["weighed"] is True
    # The share of one hand in the range: its own call times all raises of the button that it leaves possible.
    view = find_place(runs.policy("one"), FLOP).view
    button = np.where(view.possible, raises[CLASS_OF_HOLE, 2], 0.0)
    for text in ("AhAd", "Th9h"):
        hand = parse_cards(text)
        number = hole_index(*hand)
        beside = sum(weight for other, weight in enumerate(button) if not set(hand) & set(hole_cards(other)))
        assert view.weights[number] == pytest.approx(beside * calls[CLASS_OF_HOLE[number], 1], rel=1e-9)


@pytest.mark.parametrize("reach", [True, False])
def test_the_terminal_says_the_same(
    runs: RunFolder, reach: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run = make_runner(monkeypatch, capsys)
    told = json.loads(run("show", runs.folder / "one", FLOP, "--json", "--reach" if reach else "--no-reach").out)
    place = show_strategy(runs, "one", FLOP, reach)
    assert told["frequencies"] == pytest.approx(place["frequencies"], rel=1e-9)
    assert told["classes"].keys() == place["classes"].keys()
    for name, cell in told["classes"].items():
        assert cell["probabilities"] == pytest.approx(place["classes"][name]["probabilities"], rel=1e-9)
        assert cell.get("reach") == place["classes"][name].get("reach")


def test_every_hand_alike_leaves_the_reach_out(runs: RunFolder) -> None:
    plain, weighed = show_strategy(runs, "one", FLOP, reach=False), show_strategy(runs, "one", FLOP)
    assert plain["weighed"] is False
    assert plain["frequencies"] != weighed["frequencies"]
    assert plain["players"] == weighed["players"]
    assert show_strategy(runs, "one", "")["weighed"] is False


@pytest.mark.parametrize("line", ["SB raise 3bb", FLOP, RIVER])
def test_equities_are_those_of_the_two_ranges(runs: RunFolder, line: str) -> None:
    view = find_place(runs.policy("one"), line).view
    acting, other = show_ranges(runs, "one", line)["players"]
    first, second = (Range(view.reach[p] / view.reach[p].max()) for p in (view.position, 1 - view.position))
    if view.board:
        expected = equity(first, second, view.board)
        assert acting["equity"] == pytest.approx(expected.equity, abs=1e-5)
    else:
        sampled = equity(first, second, samples=1_000_000, seed=1)
        assert abs(acting["equity"] - sampled.equity) < 4.5 * sampled.standard_error
    assert acting["equity"] + other["equity"] == pytest.approx(1.0, abs=2e-5)


@pytest.mark.parametrize(("line", "draws"), [(FLOP, True), (RIVER, False)])
def test_made_hands_add_up(runs: RunFolder, line: str, draws: bool) -> None:
    place = show_strategy(runs, "one", line)
    acting, other = show_ranges(runs, "one", line)["players"]
    for player in (acting, other):
        assert sum(part["share"] for part in player["made"]) == pytest.approx(1.0, abs=1e-3)
        mean = sum(part["share"] * part["equity"] for part in player["made"])
        assert mean == pytest.approx(player["equity"], abs=1e-3)
        assert bool(player["draws"]) is draws
    frequencies = list(place["frequencies"].values())
    for at, share in enumerate(frequencies):
        assert sum(part["share"] * part["shares"][at] for part in acting["made"]) == pytest.approx(share, abs=1e-3)
    assert other["made"][0]["shares"] is None


def test_small_games_have_no_ranges(runs: RunFolder) -> None:
    with pytest.raises(ConfigError, match="has no ranges of hole pairs"):
        show_ranges(runs, "leduc", "")


def test_a_mean_of_nothing_is_none() -> None:
    assert mean_of(np.array([np.nan, 1.0]), np.array([1.0, 0.0])) is None
    assert mean_of(np.array([np.nan, 1.0]), np.array([1.0, 0.5])) == 1.0


def test_a_spot_to_solve_is_from_the_flop_on(runs: RunFolder) -> None:
    assert show_strategy(runs, "one", "")["solve"] is None
    address = show_strategy(runs, "one", FLOP)["solve"]
    assert address == "/solve?policy=one&line=SB+raise+3bb%2C+BB+call+%7C+Ks7d2c"
