"""`holdem best-response`: exact figures of small games, and mistakes in one sentence."""

import json
from pathlib import Path

import pytest

from holdem.evaluation.response.exact import exploitability
from holdem.policy.policy import AveragePolicy
from tests.cli.runs import Run, make_runner, save_heads_up, save_toy
from tests.evaluation.tables import toy


@pytest.fixture
def holdem(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    return make_runner(monkeypatch, capsys)


def test_exact_on_leduc(holdem: Run, tmp_path: Path) -> None:
    run = save_toy(tmp_path / "leduc", "leduc")
    game = toy("leduc")
    exact = exploitability(game.game, game.tree, game.layout, AveragePolicy.load(run).strategy())
    result = holdem("best-response", run, "--json", "--out", tmp_path / "figures.json")
    figures = json.loads(result.out)
    assert json.loads((tmp_path / "figures.json").read_text()) == figures
    assert figures["exploitability"] == pytest.approx(exact, abs=1e-12)
    assert (figures["method"], figures["unit"], figures["game"]) == ("exact best response", "chips/hand", "leduc")
    gains = [value["best_response"] - value["own_strategy"] for value in figures["positions"].values()]
    assert sum(gains) / 2 == pytest.approx(exact, abs=1e-12)
    said = holdem("best-response", run).out
    assert f"exploitability of {run}: {exact:.5f} chips/hand" in said
    assert "leduc, exact" in said


@pytest.mark.long
def test_exact_on_a_short_deck_with_three_streets(holdem: Run, tmp_path: Path) -> None:
    """More streets than the exact evaluator knows: every board is in the sample."""
    betting = {"sizes": {"preflop": "a", "flop": "a"}, "max_raises": [1, 1, 0, 0]}
    run = save_toy(tmp_path, "short_rank", ranks="TJ", board_cards=(0, 3, 4), betting=betting)
    figures = json.loads(holdem("best-response", run, "--flops", 56, "--turns", 5, "--json").out)
    assert figures["method"] == "exact best response"
    assert figures["exploitability"] > 0
    sampled = json.loads(holdem("best-response", run, "--flops", 30, "--turns", 3, "--seed", 4, "--json").out)
    assert "biased upwards" in sampled["method"]
    assert sampled["samples"] == {"flops": 30, "turns": 3, "rivers": 4, "seed": 4}
    low, high = sampled["ci95_over_flops"]
    assert low < sampled["exploitability"] < high
    said = holdem("best-response", run, "--flops", 30, "--turns", 3).out
    assert "30 flops × 3 turns" in said
    assert "so this is too high" in said


def test_mistakes(holdem: Run, tmp_path: Path) -> None:
    run = save_heads_up(tmp_path)
    result = holdem("best-response", run, "--turns", 1)
    assert result.status == 2
    assert "give at least 3 of each" in result.err
    result = holdem("best-response", tmp_path / "nothing")
    assert result.status == 2
    assert len(result.err.strip().splitlines()) == 1


def test_a_learned_answer_wins_at_most_what_the_exact_one_does(holdem: Run, tmp_path: Path) -> None:
    run = save_toy(tmp_path / "leduc", "leduc")
    exact = json.loads(holdem("best-response", run, "--json").out)["exploitability"]
    figures = json.loads(holdem("best-response", run, "--learned", "--iterations", 200_000, "--json").out)
    assert "lower bound" in figures["method"]
    low, high = figures["ci95"]
    assert low < figures["exploitability"] < high
    assert 0.9 * exact < figures["exploitability"] < exact + (high - low)
    said = holdem("best-response", run, "--learned", "--iterations", 20_000).out
    assert "chips/hand, by a learned answer" in said
    assert "20,000 hands learned from" in said


def test_one_seat_of_three_learns_an_answer(holdem: Run, tmp_path: Path) -> None:
    run = save_toy(tmp_path / "kuhn3", "kuhn", num_players=3)
    exact = json.loads(holdem("best-response", run, "--json").out)["positions"]
    learned = ("best-response", run, "--learned", "--iterations", 200_000)
    figures = json.loads(holdem(*learned, "--json").out)
    assert list(figures["positions"]) == list(exact) == ["P0", "P1", "P2"]
    for name, value in figures["positions"].items():
        assert value["learned_response"] == pytest.approx(exact[name]["best_response"], abs=0.05)
        assert value["own_strategy"] == pytest.approx(exact[name]["own_strategy"], abs=0.05)
    alone = json.loads(holdem(*learned, "--seat", "p1", "--json").out)
    assert alone["exploitability"] is None
    assert alone["positions"] == {"P1": figures["positions"]["P1"]}
    said = holdem(*learned, "--seat", "P1").out
    assert "P1: the answer wins" in said
    assert "P0" not in said
    refused = holdem(*learned, "--seat", "BTN")
    assert refused.status == 2
    assert "choose one of P0, P1, P2" in refused.err
    refused = holdem("best-response", run, "--seat", "P1")
    assert refused.status == 2
    assert "together with --learned" in refused.err
