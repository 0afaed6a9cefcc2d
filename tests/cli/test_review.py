"""`holdem review` on a file of hands that a random policy played."""

import json
from pathlib import Path

import pytest

from holdem.evaluation.baselines import open_baseline
from holdem.game import Game
from holdem.game.play import play_hand
from holdem.table.history.hand_history import HandHistory
from holdem.table.history.observed_hand import ObservedHand, seen_by
from tests.cli.runs import Run
from tests.table.policies import random_policy

HANDS = 20


@pytest.fixture
def hands(tmp_path: Path) -> Path:
    """Jam or fold against a random player, seen from seat 0."""
    game = Game(random_policy("jam_or_fold_10bb").config)
    path = tmp_path / "hands.phhs"
    with HandHistory.open(path) as history:
        for seed in range(HANDS):
            hand = play_hand(game, [open_baseline("random"), open_baseline("random")], seed, button=seed % 2)
            history.append(ObservedHand(seed, 0, ("you", "bot"), seen_by(hand.records, 0), hand.payoffs))
    return path


def test_json_adds_up(run: Run, policy: Path, hands: Path, tmp_path: Path) -> None:
    out = tmp_path / "review.json"
    result = run("review", hands, "--policy", policy, "--no-solver", "--deals", 100, "--json", "--out", out)
    assert result.status == 0, result.err
    content = json.loads(result.out)
    assert content == json.loads(out.read_text(encoding="utf-8"))
    decisions = content["decisions"]
    measured = [one for one in decisions if one["counted"]]
    assert content["lost"]["decisions"] == len(decisions) > HANDS / 2
    assert content["lost"]["measured"] == len(measured) > 0
    assert content["lost"]["chips"] == pytest.approx(sum(one["lost"] for one in measured), abs=0.02 * len(measured))
    for part in ("by_street", "by_position"):
        assert sum(one["decisions"] for one in content[part].values()) == len(decisions)
    assert all(one["lost"] >= -2.0 * (one["lost_error"] or 0.0) for one in measured)
    assert all(one["lost_error"] != 0.0 for one in measured), "an estimate is never sure"
    preflop = [one for one in decisions if one["bot"]["street"] == "preflop"]
    assert all(one["bot"]["ev_source"].startswith("blueprint rollouts") for one in preflop)
    # After the flop this policy knows nothing, and nothing is invented.
    assert all(one["lost"] is None or one["bot"]["street"] == "preflop" for one in decisions)


def test_from_the_flop_on_the_loss_is_by_one_solve_with_its_accuracy(run: Run, policy: Path, hands: Path) -> None:
    result = run(
        "review", hands, "--policy", policy, "--deals", 100, "--time-budget-ms", 100, "--min-iters", 30, "--json"
    )
    assert result.status == 0, result.err
    content = json.loads(result.out)
    later = [one for one in content["decisions"] if one["street"] != "preflop"]
    searched = [one for one in later if one["bot"]["method"] == "search"]
    solved = [one for one in searched if one["lost"] is not None]  # a raise has no price in a tree without raises
    assert content["solver"]
    assert solved
    for one in solved:
        assert one["bot"]["ev_source"] == "solved subgame"
        assert one["lost"] >= 0.0
        assert one["lost_error"] is one["lost_standard_error"] is None, "the accuracy is told once, for the decision"
        assert all(action["ev_error"] is None for action in one["bot"]["actions"])
        assert one["bot"]["accuracy_words"].startswith("solved to within")
        evs = {action["action"]: action["ev"] for action in one["bot"]["actions"]}
        assert evs[one["best"]] == max(evs.values())


def test_a_table_for_people(run: Run, policy: Path, hands: Path) -> None:
    result = run("review", hands, "--policy", policy, "--no-solver", "--deals", 100)
    assert result.status == 0, result.err
    assert "chips lost" in result.out
    assert "in all:" in result.out
    assert "blueprint rollouts" in result.out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--player", "Alice"], "nobody is called 'Alice' there; name one with --player: bot, you"),
        (["--hand", "99"], "has 20 hands"),
        (["--policy", "nowhere"], "does not exist"),
    ],
)
def test_mistakes_are_one_sentence(run: Run, policy: Path, hands: Path, arguments: list[str], words: str) -> None:
    result = run("review", hands, "--policy", policy, *arguments)
    assert result.status == 2
    assert words in result.err
    assert result.err.count("\n") == 1


def test_hands_that_cannot_be_read_are_left_out_and_said(run: Run, policy: Path, hands: Path) -> None:
    text = hands.read_text(encoding="utf-8")
    hands.write_text(text.replace("[2]\nvariant = 'NT'", "[2]\nvariant = 'PO'"), encoding="utf-8")
    result = run("review", hands, "--policy", policy, "--no-solver", "--deals", 20, "--json")
    assert result.status == 0, result.err
    assert f"left out: 1 hand that cannot be read; the first: hand 2 of {hands}: PHH variant 'PO'" in result.err
    content = json.loads(result.out)
    assert (content["left_out"], content["unreadable"]) == (0, 1)
    assert 2 not in {decision["hand"] for decision in content["decisions"]}
    refused = run("review", hands, "--policy", policy, "--hand", 2)
    assert refused.status == 2
    assert "hand 2 of" in refused.err and refused.err.count("\n") == 1


def test_hands_of_other_tables_are_left_out_and_said(run: Run, policy: Path, hands: Path, tmp_path: Path) -> None:
    """A policy of two players has nothing to say about a third; it answered them with a check or a fold before."""
    game = Game(random_policy("three players").config)
    with HandHistory.open(hands) as history:
        for seed in range(3):
            hand = play_hand(game, [open_baseline("random")] * 3, seed)
            history.append(ObservedHand(seed, 0, ("you", "bot", "other"), seen_by(hand.records, 0), hand.payoffs))
    result = run("review", hands, "--policy", policy, "--no-solver", "--deals", 20, "--json")
    assert result.status == 0, result.err
    assert "left out: 3 hands with another number of seats" in result.err
    content = json.loads(result.out)
    assert content["left_out"] == 3
    assert all(decision["hand"] <= HANDS for decision in content["decisions"])
    refused = run("review", hands, "--policy", policy, "--hand", HANDS + 1)
    assert refused.status == 2
    assert "no hand has 2 seats" in refused.err and refused.err.count("\n") == 1
