"""`holdem export`: what OpenSpiel loads, and hold'em rows as JSON and CSV."""

import csv
import io
import json
from pathlib import Path

import numpy as np
import pyspiel
import pytest
from open_spiel.python import policy as openspiel_policy
from open_spiel.python.algorithms import exploitability as openspiel_exploitability

from holdem.abstraction.betting.toy_infosets import toy_infosets
from holdem.evaluation.response.exact import BestResponse
from tests.cli.runs import BUCKETS, Run, save_heads_up, save_toy
from tests.evaluation.tables import FloatArray, Toy, toy


@pytest.fixture(scope="module")
def heads_up(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_heads_up(tmp_path_factory.mktemp("heads_up"))


def table_of(game: Toy, strategy: dict[str, dict[str, float]]) -> FloatArray:
    """An exported file back as one of our tables."""
    table = np.full(game.layout.entries, np.nan)
    for infoset in toy_infosets(game.game, game.tree):
        row = strategy[infoset.information_state]
        start = game.layout.row_start(infoset.node, infoset.bucket)
        table[start : start + len(row)] = [row[str(number)] for number in infoset.action_numbers]
    return table


@pytest.mark.parametrize(
    ("name", "players", "openspiel_name"),
    [("kuhn", 2, "kuhn_poker"), ("kuhn", 3, "kuhn_poker(players=3)"), ("leduc", 2, "leduc_poker")],
)
def test_openspiel_finds_the_same_exploitability(
    tmp_path: Path, run: Run, name: str, players: int, openspiel_name: str
) -> None:
    save_toy(tmp_path, name, num_players=players)
    out = tmp_path / "policy.json"
    result = run("export", tmp_path, "--format", "json", "--out", out)
    assert result.status == 0, result.err
    content = json.loads(out.read_text())
    assert list(content) == ["strategy"]
    spiel = pyspiel.load_game(openspiel_name)
    tabular = openspiel_policy.TabularPolicy(spiel)
    assert set(content["strategy"]) == set(tabular.state_lookup)
    for state, row in content["strategy"].items():
        tabular.policy_for_key(state)[:] = 0.0
        for action, probability in row.items():
            tabular.policy_for_key(state)[int(action)] = probability
    game = toy(name, num_players=players)
    ours = BestResponse(game.game, game.tree, game.layout).responses(table_of(game, content["strategy"]))
    # The project promises 1e-6; both compute from the same file, so only rounding is left.
    assert ours.nash_conv == pytest.approx(openspiel_exploitability.nash_conv(spiel, tabular), abs=1e-9)
    if players == 2:
        expected = openspiel_exploitability.exploitability(spiel, tabular)
        assert ours.exploitability == pytest.approx(expected, abs=1e-9)


def test_toy_games_as_csv(tmp_path: Path, run: Run) -> None:
    save_toy(tmp_path, "kuhn")
    as_json = json.loads(run("export", tmp_path).out)["strategy"]
    lines = list(csv.DictReader(io.StringIO(run("export", tmp_path, "--format", "csv").out)))
    assert len(lines) == 24
    for line in lines:
        assert float(line["probability"]) == as_json[line["information_state"]][line["action"]]


def test_holdem_rows(heads_up: Path, run: Run) -> None:
    content = json.loads(run("export", heads_up, "--street", "preflop").out)
    assert (content["game"], content["iterations"]) == ("headsup_100bb", 10)
    first = content["rows"][0]
    assert first == {
        "line": "", "street": "preflop", "position": "SB", "bucket": 0, "hand": "32s", "visited": False,
        "actions": {"fold": 0.5, "call": 0.5, "raise 2bb": 0.0, "raise 3bb": 0.0, "raise 100bb all-in": 0.0},
    }  # fmt: skip
    aces = content["rows"][168]
    assert (aces["hand"], aces["visited"]) == ("AA", True)
    assert list(aces["actions"].values()) == [0.0, 0.25, 0.0, 0.75, 0.0]
    assert {row["street"] for row in content["rows"]} == {"preflop"}
    for row in content["rows"]:
        assert sum(row["actions"].values()) == pytest.approx(1.0, abs=1e-12)


def test_filters_and_counts(heads_up: Path, run: Run, tmp_path: Path) -> None:
    out = tmp_path / "rows.csv"
    result = run("export", heads_up, "--format", "csv", "--street", "flop", "--max-rows", 50, "--out", out)
    assert result.out == f"wrote 50 rows to {out}\n"
    lines = list(csv.DictReader(out.read_text().splitlines()))
    rows = {(line["line"], line["bucket"]) for line in lines}
    assert len(rows) == 50
    assert {line["street"] for line in lines} == {"flop"}
    assert all(line["hand"] == "" and int(line["bucket"]) < BUCKETS[1] for line in lines)


def test_mistakes_are_one_sentence(tmp_path: Path, run: Run) -> None:
    save_toy(tmp_path, "kuhn")
    for arguments, said in [
        ((tmp_path / "nowhere",), "nowhere does not exist"),
        ((tmp_path, "--street", "river"), "kuhn has no river"),
        ((tmp_path, "--format", "xml"), "--format"),
        ((tmp_path, "--max-rows", 0), "--max-rows"),
    ]:
        result = run("export", *arguments)
        assert (result.status, result.out) == (2, "")
        assert said in result.err
        assert len(result.err.strip().splitlines()) == 1


def test_an_interrupted_export_leaves_no_file(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    save_toy(tmp_path, "kuhn")

    def interrupt(*arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("holdem.cli.export.write_json", interrupt)
    before = sorted(tmp_path.iterdir())
    assert run("export", tmp_path, "--out", tmp_path / "out.json").status == 130
    assert sorted(tmp_path.iterdir()) == before
