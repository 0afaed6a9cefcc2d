"""`holdem lbr --published`: four settings in one table, figures for machines, and deals that are gone on from."""

import json
import os
import signal
import threading
from pathlib import Path

import pytest

from tests.cli.runs import Run, make_runner

SETTINGS = ["fc,fc,fc,fc", "c,c,fcpa,fcpa", "c,c,wide,wide", "c,wide,fc,fc"]


@pytest.fixture
def holdem(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    return make_runner(monkeypatch, capsys)


def test_one_table_with_the_published_figures_beside(holdem: Run) -> None:
    """Always folding is in the published table too: 250, and 750 in the three settings with bets."""
    result = holdem("lbr", "fold-to-any-bet", "--published", "--hands", 120)
    assert result.status == 0, result.err
    rows = {line.split()[0]: " ".join(line.split()[1:]) for line in result.out.splitlines() if line[:2] in ("fc", "c,")}
    assert list(rows) == SETTINGS
    assert rows["fc,fc,fc,fc"] == "250 ± 0 120 522 ± 50 -428 ± 87 -424 ± 37"
    assert rows["c,c,wide,wide"] == "750 ± 0 120 3,763 ± 104 -775 ± 255 2,403 ± 87"
    assert "stacks of 100 big blinds" in result.out
    assert "supplement of DeepStack (Moravčík et al. 2017)" in result.out


def test_each_setting_is_what_it_is_alone(holdem: Run) -> None:
    together = json.loads(holdem("lbr", "always-call", "--published", "--hands", 20, "--seed", 4, "--json").out)
    assert [setting["actions"] for setting in together["settings"]] == SETTINGS
    assert together["complete"]
    for setting in together["settings"]:
        alone = json.loads(
            holdem("lbr", "always-call", "--actions", setting["actions"], "--hands", 20, "--seed", 4, "--json").out
        )
        assert setting["won"] == alone["won"]
        assert setting["published"]["DeepStack"]["big_blinds"] == 200


def test_the_same_command_goes_on_from_the_file(holdem: Run, tmp_path: Path) -> None:
    out = tmp_path / "new" / "lbr.json"
    shared = ("lbr", "always-call", "--published", "--json")
    holdem(*shared, "--hands", 10, "--out", out)
    more = holdem(*shared, "--hands", 24, "--out", out)
    assert "going on from 40 hands" in more.err
    assert more.out == holdem(*shared, "--hands", 24).out
    assert json.loads(out.read_text())["figures"] == json.loads(more.out)
    assert json.loads(holdem(*shared, "--hands", 10, "--out", out).out)["settings"][0]["hands"] == 10
    assert len(json.loads(out.read_text())["deals"][SETTINGS[3]]) == 12, "fewer hands take nothing away"


def test_a_file_of_other_settings_is_refused_in_one_sentence(holdem: Run, tmp_path: Path) -> None:
    shared = ("--published", "--hands", 4, "--out", tmp_path / "lbr.json")
    holdem("lbr", "always-call", *shared)
    for arguments in (("always-call", "--seed", 1), ("fold-to-any-bet",), ("always-call", "--game", "headsup_200bb")):
        result = holdem("lbr", *arguments, *shared)
        assert result.status == 2
        assert "has deals of something else" in result.err
        assert len(result.err.strip().splitlines()) == 1
    (tmp_path / "lbr.json").write_text('{"won": 3}')
    result = holdem("lbr", "always-call", *shared)
    assert result.status == 2
    assert "is not a file of deals that holdem lbr keeps; name another --out, or delete it" in result.err


def test_actions_of_its_own_are_refused(holdem: Run) -> None:
    result = holdem("lbr", "always-call", "--published", "--actions", "fc")
    assert result.status == 2
    assert "leave out --actions and --streets" in result.err


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_ctrl_c_keeps_and_prints_what_there_is(holdem: Run, tmp_path: Path) -> None:
    out = tmp_path / "lbr.json"
    threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT)).start()
    result = holdem("lbr", "always-call", "--published", "--hands", 10_000_000, "--out", out)
    assert result.status == 130
    assert "the same command goes on from there" in result.err
    kept = json.loads(out.read_text())
    assert 2 * len(kept["deals"][SETTINGS[0]]) == kept["figures"]["settings"][0]["hands"] > 0
    assert kept["figures"]["settings"][3]["hands"] == 0
    assert not kept["figures"]["complete"]
    assert [line.split()[1] for line in result.out.splitlines() if line.startswith("c,wide")] == ["–"]
