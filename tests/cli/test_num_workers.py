"""--num-workers and --threads: absurdly many are refused by every verb, in one sentence and before any work is done."""

from pathlib import Path

import pytest

from tests.cli.runs import Run

ABSURD = 100_000
BASELINES = ("random", "always-call")


@pytest.mark.parametrize(
    "arguments",
    [
        ("train", "--game", "kuhn", "--iters", 10, "--logdir", "out"),
        ("match", *BASELINES),
        ("eval", "--policy", "POLICY", "--opponents", "random"),
        ("lbr", "always-call"),
        ("play", "--policy", "POLICY"),
        ("play", "--policy", "POLICY", "--no-search"),
        ("dry-run", "--policy", "POLICY"),
        ("autoplay", "--policy", "POLICY", "--i-understand-the-tos"),
        ("serve", "--policy", "POLICY"),
        ("buckets", "build", "--out", "buckets.pkl"),
    ],
)
def test_absurdly_many_workers(
    run: Run, policy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[object, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    before = set(tmp_path.rglob("*"))
    named = [policy if argument == "POLICY" else argument for argument in arguments]
    result = run(*named, "--num-workers", ABSURD)
    assert result.status == 2, result.err
    assert result.err.count("\n") == 1
    assert "error: 100,000 workers are too many for" in result.err
    assert "or for 0, which is every core" in result.err
    assert set(tmp_path.rglob("*")) == before


def test_a_search_named_with_its_settings(run: Run, policy: Path) -> None:
    result = run("match", f"search+num_workers={ABSURD}:{policy}", policy)
    assert (result.status, result.err.count("\n")) == (2, 1)
    assert "100,000 workers are too many" in result.err
