"""Ranges of a place: weights by hand, equities beside `holdem equity`, made hands that add up."""

import json

import numpy as np
import pytest
from phevaluator import evaluate_cards

from holdem.cards.cards import format_card, hole_cards, hole_index, parse_cards
from holdem.cards.equity import equity
from holdem.cards.ranges import CLASS_NAMES, CLASS_OF_HOLE, Range
from holdem.errors import ConfigError
from holdem.web.run_folder import RunFolder
from holdem.web.strategy.data import find_place, show_strategy
from holdem.web.strategy.ranges import mean_of, show_ranges
from tests.cli.runs import make_runner, save_toy
from tests.web.strategy.runs import FLOP, RIVER, save_random, save_three

THREE_RIVER = f"BTN raise 3bb, SB fold, BB call | {RIVER.partition(' | ')[2].replace('SB', 'BTN')}"


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    folder = tmp_path_factory.mktemp("runs")
    save_random(folder / "one")
    save_three(folder / "three")
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


def test_what_a_third_player_folded_is_missing_from_the_deck_of_both(runs: RunFolder) -> None:
    """Beside every pair of hands every hand that was folded, judged by phevaluator.

    Ours takes it for independent that a folded hand misses the one and the other hand of a pair. So pairs weigh more or
    less by a share that is known here, and equities are off by half of its mean at most.
    """
    view = find_place(runs.policy("three"), THREE_RIVER).view
    hands = np.flatnonzero(view.possible)
    cards = np.array([hole_cards(int(hand)) for hand in hands])
    apart = ~(cards[:, None, :, None] == cards[None, :, None, :]).any(axis=(2, 3))
    folded, first, second = view.reach[:, hands]
    beside_both = (apart * folded[:, None]).T.astype(np.float64) @ apart
    pairs = first[:, None] * second * apart * beside_both
    strengths = np.array([-evaluate_cards(*map(format_card, (*view.board, *pair))) for pair in cards])
    wins = (strengths[:, None] > strengths) + 0.5 * (strengths[:, None] == strengths)
    beside_each = apart @ folded
    off = beside_each[:, None] * beside_each / beside_both
    bound = np.average(np.abs(off / np.average(off, weights=pairs) - 1.0), weights=pairs) / 2
    assert bound < 0.001
    players = show_ranges(runs, "three", THREE_RIVER)["players"]
    assert [player["position"] for player in players] == ["BB", "BTN"]
    expected = np.average(wins, weights=pairs)
    assert [player["equity"] for player in players] == pytest.approx([expected, 1.0 - expected], abs=bound + 1e-5)
    assert sum(player["equity"] for player in players) == pytest.approx(1.0, abs=2e-5)
    parts = players[0]["made"]
    assert sum(part["share"] * part["equity"] for part in parts) == pytest.approx(expected, abs=bound + 1e-3)


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
