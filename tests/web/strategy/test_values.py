"""What actions are worth, as the page gets it: in big blinds, with errors, and only what can be defended."""

import json
import threading

import numpy as np
import pytest

from holdem.blueprint.class_worth import ClassWorth
from holdem.errors import ConfigError
from holdem.web.run_folder import RunFolder
from holdem.web.strategy import values
from holdem.web.strategy.data import show_strategy
from holdem.web.strategy.values import MOST_AT_ONCE, clearly_given_up, show_values
from tests.cli.runs import save_toy
from tests.table.policies import save_jam_or_fold
from tests.web.strategy.runs import FLOP, JAM, RIVER, save_jam_without, save_random


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    folder = tmp_path_factory.mktemp("runs")
    save_random(folder / "one")
    save_jam_or_fold(folder / "jam")
    save_jam_without(folder / "untrained", "AA", "72o")
    save_toy(folder / "leduc", "leduc")
    return RunFolder(folder)


@pytest.mark.parametrize(("name", "line"), [("one", RIVER), ("jam", ""), ("jam", "SB raise 10bb all-in")])
def test_figures_of_a_place(runs: RunFolder, name: str, line: str) -> None:
    found, place = show_values(runs, name, line), show_strategy(runs, name, line)
    assert found["words"].startswith("exact")
    assert (found["unit"], found["error"]) == ("bb", 0.0)
    assert found["actions"] == place["actions"]
    total = given_up = 0.0
    for name, worth in found["classes"].items():
        shares = list(place["classes"][name]["probabilities"].values())
        for action, share, ev in zip(place["actions"], shares, worth["evs"], strict=True):
            assert ev == 0.0 if action == "fold" else share < 0.05 or ev is not None
        if None not in worth["evs"] and place["hands"] is None:
            assert worth["ev"] == pytest.approx(
                sum(s * ev for s, ev in zip(shares, worth["evs"], strict=True)), abs=1e-3
            )
        if None not in worth["evs"]:
            lost = max(worth["evs"]) - worth["ev"]
            shown = worth["given_up"]
            # Nothing below 0.005 big blinds is said; figures are rounded to four digits.
            assert lost < 0.0052 if shown is None else shown == pytest.approx(lost, abs=2e-4)
        total += place["classes"][name]["weight"] * worth["ev"]
        given_up += place["classes"][name]["weight"] * (worth["given_up"] or 0.0)
    assert found["ev"] == pytest.approx(total, abs=1e-3)
    assert found["given_up"] == pytest.approx(given_up, abs=1e-3)
    assert given_up > 0.0, "a random policy is no equilibrium"
    json.dumps(found, allow_nan=False)


def test_what_may_be_chance_is_not_said() -> None:
    """Half of 6 and half of 4, each with an error: 1 is given up, and said where that is more than two errors."""
    evs, taken, defended = (np.tile(row, (169, 1)) for row in ([6.0, 4.0], [0.5, 0.5], [True, True]))
    for error, shown in ((0.3, 1.0), (0.4, np.nan)):  # of the difference: 0.42 and 0.57
        worth = ClassWorth(evs, np.full_like(evs, error), np.full(169, 5.0), np.full(169, error), "words")
        np.testing.assert_allclose(clearly_given_up(worth, defended, taken), shown)


def test_the_two_players_win_the_blinds_between_them(runs: RunFolder) -> None:
    """Counted from what both have behind at the start: 1.5 blinds lie in the middle, and nothing else comes in."""
    small = show_values(runs, "jam", "")["ev"]
    jam = show_strategy(runs, "jam", "")["frequencies"]["raise 10bb all-in"]
    big = show_values(runs, "jam", "SB raise 10bb all-in")["ev"]
    # Where the small blind folds, the big blind has the pot.
    assert small + (1.0 - jam) * 1.5 + jam * big == pytest.approx(1.5, abs=1e-3)


def test_a_class_that_training_never_met_has_no_figure_and_is_not_in_the_total(runs: RunFolder) -> None:
    found, place = show_values(runs, "untrained", JAM), show_strategy(runs, "untrained", JAM)
    trained, weights = show_values(runs, "jam", JAM), {}
    for name, worth in found["classes"].items():
        weights[name] = place["classes"][name]["weight"]
        if place["classes"][name]["visited"]:
            assert worth == trained["classes"][name]
        else:
            assert (name in ("AA", "72o"), worth["ev"], worth["error"]) == (True, None, None)
    left_out = weights.pop("AA") + weights.pop("72o")
    assert found["left_out"] == pytest.approx(left_out, abs=1e-6)
    rest = sum(weight * trained["classes"][name]["ev"] for name, weight in weights.items())
    assert found["ev"] == pytest.approx(rest / (1.0 - left_out), abs=1e-3)
    assert trained["left_out"] == 0.0


@pytest.mark.parametrize(
    ("name", "line", "words"),
    [
        ("one", FLOP, "the bucket tables of the policy were not found"),
        ("leduc", "", "has no ranges of hole pairs"),
        ("one", "SB fold", "the hand is over"),
        ("nobody", "", "there is no policy called"),
    ],
)
def test_refusals_are_sentences(runs: RunFolder, name: str, line: str, words: str) -> None:
    with pytest.raises(Exception, match=words):
        show_values(runs, name, line)


def test_only_some_at_once(runs: RunFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(values, "_PLACES", threading.BoundedSemaphore(MOST_AT_ONCE))
    for _ in range(MOST_AT_ONCE):
        values._PLACES.acquire()
    with pytest.raises(ConfigError, match="try again in some seconds"):
        show_values(runs, "jam", "")
    values._PLACES.release()
    assert show_values(runs, "jam", "")["classes"]
    assert show_values(runs, "jam", "")["classes"], "the place is free again"
