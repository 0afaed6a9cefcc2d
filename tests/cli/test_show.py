"""`holdem show`: the grid, one hand, a picture and JSON, with and without buckets."""

import json
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from holdem.cards.cards import HOLE_CARDS
from holdem.policy import hands as policy_hands
from tests.cli.runs import BUCKETS, Run, save_heads_up, save_toy


class SuitBuckets:
    """Stands in for a card abstraction: the bucket of a hand is the suit of its high card."""

    content_hash = "abc"
    buckets_per_street = BUCKETS

    def buckets_of_holes(self, board: tuple[int, ...]) -> npt.NDArray[np.int64]:
        blocked = np.isin(HOLE_CARDS, board).any(axis=1)
        return np.where(blocked, -1, HOLE_CARDS[:, 1] & 3).astype(np.int64)


@pytest.fixture(scope="module")
def heads_up(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_heads_up(tmp_path_factory.mktemp("heads_up"))


@pytest.fixture
def buckets(heads_up: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (heads_up / "buckets.pkl").touch()
    monkeypatch.setattr(policy_hands, "_load", lambda path: SuitBuckets())


def test_the_grid_before_the_flop_needs_no_buckets(heads_up: Path, run: Run) -> None:
    result = run("show", heads_up)
    assert result.status == 0, result.err
    lines = result.out.splitlines()
    assert lines[:2] == ["first to act", "SB to act before the flop, pot 1.5bb"]
    grid = lines[2:15]
    assert grid[0].startswith("AA s75 AKs")  # raises of 2bb, 3bb and 100bb are r, s and a
    assert grid[12].rstrip().endswith("22 s")
    assert "32s··" in grid[11]
    assert any(line.startswith(" s  raise 3bb ") for line in lines[15:])
    assert lines[-1] == "·· never visited in training (4 of 1326 hands): not raised"
    assert "blank" not in result.out


def test_the_grid_fits_sixty_columns(heads_up: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    lines = run("show", heads_up).out.splitlines()
    assert max(map(len, lines)) <= 60
    assert lines[2].split() == list("AKQJT98765432")
    assert lines[3].startswith("A s75 ") and lines[15].rstrip().endswith(" s")
    assert "··" in lines[14]


def test_one_hand(heads_up: Path, run: Run) -> None:
    assert run("show", heads_up, "--hand", "AhAd").out == (
        "AhAd: fold 0.0 %, call 25.0 %, raise 2bb 0.0 %, raise 3bb 75.0 %, raise 100bb all-in 0.0 %\n"
    )
    assert "never visited" in run("show", heads_up, "--hand", "3h2h").out
    content = json.loads(run("show", heads_up, "", "--hand", "AhAd", "--json").out)
    assert content["probabilities"]["raise 3bb"] == 0.75
    assert content["visited"] is True


@pytest.mark.usefixtures("buckets")
def test_after_the_flop(heads_up: Path, run: Run) -> None:
    line = "SB raise 3bb, BB call | Ks7d2c"
    result = run("show", heads_up, line)
    assert result.status == 0, result.err
    assert result.out.splitlines()[:2] == [line, "BB to act on the flop, pot 6bb"]
    # The high card of AhKd is a heart, suit 2, so bucket 2, which takes action 2.
    hand = run("show", heads_up, line, "--hand", "AhKd").out
    assert hand.startswith("AhKd: check 0.0 %, bet 3bb 0.0 %, bet 6bb 100.0 %")
    content = json.loads(run("show", heads_up, line, "--json", "--no-reach").out)
    assert content["board"] == "Ks7d2c"
    assert sum(cell["hands"] for cell in content["classes"].values()) == 49 * 48 // 2
    assert content["classes"]["KK"]["hands"] == 3
    # AKs without the king of spades: one hand of each other suit, hence actions 0, 1 and 2 a third each.
    assert list(content["classes"]["AKs"]["probabilities"].values()) == pytest.approx([1 / 3, 1 / 3, 1 / 3, 0.0])
    assert sum(content["frequencies"].values()) == pytest.approx(1.0)


@pytest.mark.usefixtures("buckets")
def test_hands_count_by_how_they_get_here(heads_up: Path, run: Run) -> None:
    """The class with number n takes action n modulo the number of actions, so only some classes call the raise."""
    line = "SB raise 3bb, BB call | Ks7d2c"
    content = json.loads(run("show", heads_up, line, "--json").out)
    reach = {name: found["reach"] for name, found in content["classes"].items()}
    after_raise = json.loads(run("show", heads_up, "SB raise 3bb", "--json").out)
    calls = [name for name, found in after_raise["classes"].items() if found["probabilities"]["call"] == 1.0]
    assert {name for name, share in reach.items() if share == 1.0} == set(calls) & set(reach)
    assert set(reach.values()) == {0.0, 1.0}
    held = sum(found["hands"] * found["reach"] for found in content["classes"].values())
    assert content["reach"] == pytest.approx(held / 1176)
    assert json.loads(run("show", heads_up, line, "--hand", "AhAd", "--json").out)["reach"] == reach["AA"]
    seldom = next(name for name, share in reach.items() if share == 0.0 and len(name) == 2)
    pair = f"{seldom[0]}h{seldom[1]}d"
    assert f"\n{pair} gets here 0.0 % of the time\n" in run("show", heads_up, line, "--hand", pair).out
    assert "gets here" not in run("show", heads_up, line, "--hand", pair, "--no-reach").out
    told = run("show", heads_up, line).out
    assert f"BB with {100 * content['reach']:.1f} % of them; --no-reach: all alike" in told
    assert "--no-reach" not in run("show", heads_up, line, "--no-reach").out


@pytest.mark.usefixtures("buckets")
def test_a_picture(heads_up: Path, run: Run, tmp_path: Path) -> None:
    from matplotlib.image import imread

    out = tmp_path / "flop.png"
    result = run("show", heads_up, "SB raise 3bb, BB call | Ks7d2c", "--png", out, "--no-reach")
    assert result.status == 0, result.err
    assert f"wrote {out}" in result.out
    pixels = imread(out)
    assert pixels.shape[0] > 800
    # Four actions, four fills: check green and the bet sizes; all are in the picture.
    colours = {tuple(np.rint(255 * pixel[:3]).astype(int)) for pixel in pixels.reshape(-1, pixels.shape[2])[::50]}
    for wanted in ("5fb36a", "f7d154", "f2b04a", "d63a6a"):
        assert tuple(bytes.fromhex(wanted)) in colours


def test_toy_games(tmp_path: Path, run: Run) -> None:
    save_toy(tmp_path / "kuhn", "kuhn")
    table = run("show", tmp_path / "kuhn", "P0 check").out
    assert "P1 to act" in table
    assert "2p" in table
    save_toy(tmp_path / "leduc", "leduc")
    content = json.loads(run("show", tmp_path / "leduc", "check, bet, call |", "--hand", 3, "--json").out)
    assert len(content["information_states"]) == 5
    assert all("[Private: 3]" in name for name in content["information_states"])
    betting = {"sizes": {"preflop": "a", "flop": "a"}, "max_raises": [1, 1, 0, 0]}
    save_toy(tmp_path / "short", "short_rank", ranks="TJ", betting=betting)
    content = json.loads(run("show", tmp_path / "short", "call, check | TsJsTd", "--json").out)
    assert set(content["classes"]) == {"JJ", "JTs", "JTo", "TT"}
    assert sum(cell["hands"] for cell in content["classes"].values()) == 10


def test_mistakes_are_one_sentence(heads_up: Path, run: Run, tmp_path: Path) -> None:
    save_toy(tmp_path, "kuhn")
    for arguments, said in [
        ((tmp_path / "nowhere",), "nowhere does not exist"),
        ((heads_up, "SB check"), "SB can fold, call, raise 2bb, raise 3bb or raise 100bb all-in"),
        ((heads_up, "SB fold"), "the hand is over"),
        ((heads_up, "SB call, BB check |"), "name its 3 cards"),
        ((heads_up, "", "--hand", "Ah"), "two cards"),
        ((tmp_path, "", "--png", "x.png"), "--png draws the 169 classes"),
        ((tmp_path, "", "--hand", "9"), "its cards are 0 to 2"),
    ]:
        result = run("show", *arguments)
        assert (result.status, result.out) == (2, ""), arguments
        assert said in result.err
        assert len(result.err.strip().splitlines()) == 1


@pytest.mark.usefixtures("buckets")
def test_wrong_or_missing_buckets(heads_up: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    line = "SB call, BB check | Ks7d2c"
    assert "cannot be held here" in run("show", heads_up, line, "--hand", "KsAd").err
    monkeypatch.setattr(SuitBuckets, "content_hash", "other")
    assert "is not the card abstraction" in run("show", heads_up, line).err
    (heads_up / "buckets.pkl").unlink()
    result = run("show", heads_up, line)
    assert result.status == 2
    assert "buckets.pkl is missing" in result.err
