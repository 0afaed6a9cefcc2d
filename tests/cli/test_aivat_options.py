"""`--aivat` of `holdem match` and `holdem eval`: where it cannot help it is refused in one sentence."""

from pathlib import Path

import pytest

from tests.cli.runs import Run, make_runner, save_toy


@pytest.fixture
def holdem(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    return make_runner(monkeypatch, capsys)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_toy(tmp_path_factory.mktemp("aivat"), "short_rank", ranks="KA", stacks=(300,))


def test_refusals_are_one_sentence(holdem: Run, run: Path) -> None:
    for arguments, words in [
        (("match", "random", "pot-odds", "--aivat"), "strategy is known"),
        (("match", "always-call", "random", "--aivat"), "none plays here"),
        (("match", "random", "random", "random", "--aivat"), "two players"),
        (("match", run, "random", "--aivat"), "52 cards"),
        (("eval", "--policy", run, "--opponents", "random", "--aivat", "--num-workers", 1), "52 cards"),
    ]:
        result = holdem(*arguments, "--hands", 10)
        assert result.status == 2
        assert words in result.err and result.err.count("\n") == 1
