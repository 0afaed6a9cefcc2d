"""Kept deals: bit for bit what was played, without gaps; other files, forged and damaged ones are refused."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from holdem.errors import ArtifactError, ConfigError, HoldemError, RunFailed
from holdem.evaluation.response.local import kept_deals
from holdem.evaluation.response.local.kept_deals import KEPT, KeptDeals
from holdem.util.arrays import Float64

FINGERPRINT = {"opponent": {"policy": "abc"}, "seed": 1}
SETTINGS = ("fc,fc,fc,fc", "c,c,fcpa,fcpa")
FIRST, SECOND = SETTINGS


def pieces(count: int) -> Float64:
    """Numbers whose decimals do not end, and a few that are hard to print."""
    chips = np.random.default_rng(count).normal(scale=1e4, size=(count, 2, 5))
    chips[0, 0, :3] = (5e-324, -0.0, 1 / 3)
    return chips


def keep(path: Path | None, **changes: Any) -> KeptDeals:
    return KeptDeals(path, FINGERPRINT | changes, SETTINGS)


def write(path: Path) -> Float64:
    chips = pieces(5)
    with keep(path) as kept:
        kept.add(FIRST, 0, chips)
        kept.save()
    return chips


def test_what_comes_back_is_what_was_kept(tmp_path: Path) -> None:
    chips = write(tmp_path / "lbr.json")
    with keep(tmp_path / "lbr.json") as kept:
        assert kept.chips(FIRST).tobytes() == chips.tobytes()
        assert kept.chips(SECOND).shape == (0, 2, 5)
        kept.add(FIRST, 5, pieces(2))
        assert len(kept.chips(FIRST)) == 7
    assert [path.name for path in tmp_path.iterdir()] == ["lbr.json"], "neither locks nor halves stay"


def test_pieces_that_come_early_wait_for_those_before_them(tmp_path: Path) -> None:
    chips = pieces(9)
    with keep(tmp_path / "lbr.json") as kept:
        kept.add(FIRST, 6, chips[6:])
        kept.add(FIRST, 0, chips[:4])
        kept.save()
        assert len(kept.chips(FIRST)) == 4
        kept.add(FIRST, 4, chips[4:6])
        assert np.array_equal(kept.chips(FIRST), chips)
    with keep(tmp_path / "lbr.json") as kept:
        assert np.array_equal(kept.chips(FIRST), chips[:4])


def test_without_a_file_there_is_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with keep(None) as kept:
        kept.add(SECOND, 0, pieces(3))
        kept.save({})
        assert len(kept.chips(SECOND)) == 3
    assert not list(tmp_path.iterdir())


def test_it_is_saved_while_it_grows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_deals, "SAVE_SECONDS", -1.0)
    with keep(tmp_path / "lbr.json") as kept:
        kept.add(FIRST, 0, pieces(3))
        assert len(json.loads((tmp_path / "lbr.json").read_text())["deals"][FIRST]) == 3


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"seed": 2}, r"deals of something else \(seed: was 1, is 2\); name another --out"),
        ({"opponent": {"policy": "abd"}}, 'opponent.policy: was "abc", is "abd"'),
        ({"rules": 2}, "rules: was 1, is 2"),
    ],
)
def test_deals_of_something_else_are_refused(tmp_path: Path, changes: dict[str, Any], said: str) -> None:
    write(tmp_path / "lbr.json")
    before = (tmp_path / "lbr.json").read_bytes()
    with pytest.raises(ConfigError, match=said), keep(tmp_path / "lbr.json", **changes):
        pass
    assert (tmp_path / "lbr.json").read_bytes() == before


def test_two_at_once_are_refused(tmp_path: Path) -> None:
    with keep(tmp_path / "lbr.json"), pytest.raises(ConfigError, match="is being written by process"):
        keep(tmp_path / "lbr.json").__enter__()


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("deals", {"c,c,c,c": []}),
        ("deals", {FIRST: [[1.0] * 9]}),
        ("deals", {FIRST: [["1"] * 10]}),
        ("deals", {FIRST: [[1e300] * 10]}),
        ("deals", {FIRST: [[float("nan")] * 10]}),
        ("deals", [1]),
        ("fingerprint", None),
    ],
)
def test_a_forged_file_with_the_right_checksum_is_refused(tmp_path: Path, field: str, value: object) -> None:
    content = {"fingerprint": {"rules": 1, **FINGERPRINT}, "deals": {}} | {field: value}
    (tmp_path / "lbr.json").write_text(json.dumps(KEPT.sealed(content)))
    with pytest.raises(ArtifactError, match="name another --out, or delete it") as refused, keep(tmp_path / "lbr.json"):
        pass
    assert len(str(refused.value).splitlines()) == 1


@pytest.mark.parametrize("damage", [lambda text: text[:-40], lambda text: text.replace("0", "1", 1), lambda text: "{}"])
def test_a_damaged_file_is_refused(tmp_path: Path, damage: Any) -> None:
    path = tmp_path / "lbr.json"
    write(path)
    path.write_text(damage(path.read_text()))
    with pytest.raises(HoldemError, match="name another --out, or delete it"), keep(path):
        pass
    assert [path.name for path in tmp_path.iterdir()] == ["lbr.json"]


def test_a_full_disk_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "lbr.json")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with keep(tmp_path / "lbr.json") as kept:
        monkeypatch.setattr("os.fsync", full)
        kept.add(FIRST, 5, pieces(1))
        with pytest.raises(RunFailed, match="No space left on device"):
            kept.save()
    monkeypatch.undo()
    with keep(tmp_path / "lbr.json") as kept:
        assert len(kept.chips(FIRST)) == 5
