"""`holdem leaf-values`: writes beside the policy, says what it will take, refuses in one sentence."""

import json
from pathlib import Path

from holdem.blueprint.leaf_values import LeafValues
from tests.cli.runs import Run, save_heads_up, save_toy


def test_computes_and_writes(run: Run, tmp_path: Path) -> None:
    save_toy(tmp_path, "leduc")
    result = run("leaf-values", tmp_path)
    assert result.status == 0
    assert "leaves by the street that closes: 5 preflop" in result.out
    assert "120 deals" in result.out and str(tmp_path / "leaf_values.json") in result.out
    assert LeafValues.open(tmp_path).layout.num_leaves == 5


def test_json(run: Run, tmp_path: Path) -> None:
    save_toy(tmp_path, "leduc")
    result = run("leaf-values", tmp_path, "--json")
    content = json.loads(result.out)
    assert content["deals"] == 120 and len(content["standard_error_of_pot"]) == 1


def test_refusals_are_one_sentence(run: Run, tmp_path: Path) -> None:
    for arguments, words in [
        ((tmp_path / "nothing",), "does not exist"),
        ((save_toy(tmp_path / "kuhn", "kuhn"),), "no leaves"),
        ((save_toy(tmp_path / "three", "kuhn", num_players=3),), "AIVAT with three to six players needs none"),
        ((save_heads_up(tmp_path / "headsup"),), "buckets.pkl is missing"),
    ]:
        result = run("leaf-values", *arguments)
        assert result.status == 2
        assert words in result.err and result.err.count("\n") == 1
        assert not list(tmp_path.rglob("leaf_values*"))
