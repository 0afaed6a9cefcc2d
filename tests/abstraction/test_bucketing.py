"""A whole abstraction, built by the command, killed on the way, resumed, and asked in every way there is."""

import os
import pickle
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdem.abstraction.bucketing import FORMAT_VERSION, KIND, Grouping, HandBucketing
from holdem.abstraction.kernels.distance import BLOCK
from holdem.cards import INDEX_SIZES, hand_index, hole_index, parse_cards
from holdem.cards.ranges import CLASS_OF_HOLE
from holdem.errors import ArtifactError, CardError, WrongKind
from holdem.util.artifacts import read_pickle, write_pickle
from tests.built_buckets import build_command, small_buckets

DOCUMENT = Path(__file__).parents[2] / "docs" / "buckets.md"


@pytest.fixture(scope="module")
def built() -> Path:
    return small_buckets()


@pytest.fixture(scope="module")
def buckets(built: Path) -> HandBucketing:
    return HandBucketing.load(built)


@pytest.fixture
def copy(built: Path, tmp_path: Path) -> Iterator[Path]:
    """The files again, linked so that a test may damage them after breaking the link."""
    for file in built.parent.iterdir():
        os.link(file, tmp_path / file.name)
    yield tmp_path / built.name


def test_the_documented_hash(buckets: HandBucketing) -> None:
    # Same settings and seed give the same buckets on every machine: the document was written on another one.
    assert buckets.content_hash in DOCUMENT.read_text(encoding="utf-8")


def test_every_hand_of_every_street_has_a_bucket(buckets: HandBucketing) -> None:
    assert buckets.buckets_per_street == (169, 50, 50, 50)
    for table, board in zip(buckets.tables, (3, 4, 5), strict=True):
        assert table.shape == (INDEX_SIZES[board],)
        assert np.array_equal(np.unique(table), np.arange(50))


hands = st.sampled_from((0, 3, 4, 5)).flatmap(
    lambda board: st.lists(st.integers(0, 51), min_size=2 + board, max_size=2 + board, unique=True)
)


@settings(max_examples=150)
@given(cards=hands, suits=st.permutations(range(4)), order=st.randoms(use_true_random=False))
def test_tables_and_centroids_agree_under_any_suits_and_order(
    buckets: HandBucketing, cards: list[int], suits: list[int], order: object
) -> None:
    hole, board = tuple(cards[:2]), tuple(cards[2:])
    bucket = buckets.bucket(hole, board)
    renamed = [4 * (card >> 2) + suits[card & 3] for card in cards]
    other_board = sorted(renamed[2:], key=lambda _: order.random())  # type: ignore[attr-defined]
    assert buckets.bucket(renamed[1::-1], other_board) == bucket
    assert buckets.compute_bucket(tuple(renamed[:2]), tuple(other_board)) == bucket


def test_the_manifest_alone_is_enough(built: Path, buckets: HandBucketing, tmp_path: Path) -> None:
    alone = tmp_path / "manifest.pkl"
    buckets.save_manifest(alone)
    assert alone.stat().st_size < 100_000
    travelled = HandBucketing.load(alone, tables=False)
    assert travelled.content_hash == buckets.content_hash
    rng = np.random.default_rng(0)
    for board in (3, 4, 5):
        for _ in range(20):
            cards = rng.permutation(52)[: 2 + board].tolist()
            assert travelled.bucket(cards[:2], cards[2:]) == buckets.bucket(cards[:2], cards[2:])


def test_all_holes_at_once(buckets: HandBucketing) -> None:
    board = (50, 22, 1, 33)
    at_once = buckets.buckets_of_holes(board)
    index = 0
    for high in range(52):
        for low in range(high):
            blocked = low in board or high in board
            assert at_once[index] == (-1 if blocked else buckets.bucket((low, high), board))
            index += 1
    assert buckets.buckets_of_holes()[0] == hand_index((0, 1))


@pytest.mark.parametrize("text", ["Ks7d2c", "9h9d9c", "AhKhQh", "Ks7d2c5h", "AhKhQh2h", "Ks7d2c5h6h", "AhKhQhJhTh"])
def test_all_holes_at_once_without_tables(buckets: HandBucketing, text: str) -> None:
    board = tuple(parse_cards(text))
    computed = replace(buckets, tables=()).buckets_of_holes(board)
    assert np.array_equal(computed, buckets.buckets_of_holes(board))
    for hole in ((0, 30), (44, 50), (13, 14)):
        if not set(hole) & set(board):
            assert computed[hole_index(*hole)] == buckets.compute_bucket(hole, board)


def test_all_holes_at_once_against_clusters_of_opponents(buckets: HandBucketing) -> None:
    generator = np.random.default_rng(3)
    clusters = (CLASS_OF_HOLE % 8).astype(np.uint8)
    centroids = np.zeros((20, BLOCK), dtype=np.uint8)
    centroids[:, :8] = generator.integers(0, 255, (20, 8))
    river = Grouping("medians", centroids=centroids, groups=clusters)
    other = replace(buckets, groupings=(*buckets.groupings[:2], river), tables=())
    board = tuple(parse_cards("Ks7d2c5h6h"))
    computed = other.buckets_of_holes(board)
    for hole in ((1, 30), (44, 50), (12, 13), (2, 3), (8, 9)):
        assert computed[hole_index(*hole)] == other.compute_bucket(hole, board)


def test_quality(buckets: HandBucketing) -> None:
    # The river's buckets are intervals of equity: at most 1/50 wide on average, variance kept above 99.9 %.
    assert buckets.report["river"]["variance_explained"] > 0.999
    for street in ("flop", "turn"):
        report = buckets.report[street]
        assert report["variance_explained"] > 0.99
        assert report["distance_explained"] > report["distance_explained_by_equity_buckets"] + 0.03
        assert report["share"].sum() == pytest.approx(1.0, abs=1e-5)


def test_loading_maps_and_does_not_read(built: Path) -> None:
    loaded = HandBucketing.load(built)
    assert all(isinstance(table, np.memmap) for table in loaded.tables)


def test_saving_what_was_loaded(buckets: HandBucketing, tmp_path: Path) -> None:
    buckets.save(tmp_path / "copy.pkl")
    again = HandBucketing.load(tmp_path / "copy.pkl")
    assert again.content_hash == buckets.content_hash
    assert np.array_equal(again.tables[1], buckets.tables[1])


def test_a_script_can_open_the_manifest(built: Path) -> None:
    with built.open("rb") as file:
        content = pickle.load(file)
    assert content["config"]["buckets"]["flop"] == 50


def refused(path: Path) -> str:
    with pytest.raises(ArtifactError) as caught:
        HandBucketing.load(path)
    message = str(caught.value)
    assert "holdem buckets build --preset small --out" in message
    assert "\n" not in message
    return message


def unlinked(path: Path) -> Path:
    """Break the hard link, so that damage stays here."""
    shutil.copy(path, path.with_suffix(".new"))
    path.with_suffix(".new").replace(path)
    return path


def test_missing_manifest(tmp_path: Path) -> None:
    assert "is missing" in refused(tmp_path / "none.pkl")


def test_truncated_manifest(copy: Path) -> None:
    unlinked(copy).write_bytes(copy.read_bytes()[:-100])
    assert "cut off" in refused(copy)


def test_altered_manifest(copy: Path) -> None:
    data = bytearray(copy.read_bytes())
    data[len(data) // 2] ^= 1
    unlinked(copy).write_bytes(data)
    assert "altered" in refused(copy)


def test_newer_manifest(copy: Path) -> None:
    write_pickle(unlinked(copy), KIND, FORMAT_VERSION + 1, {})
    assert f"format version {FORMAT_VERSION + 1}" in refused(copy)


def test_another_kind_of_pickle_is_not_to_be_built_over(copy: Path) -> None:
    write_pickle(unlinked(copy), "something else", 1, {})
    with pytest.raises(WrongKind, match=r"holds 'something else', not .*; name another file"):
        HandBucketing.load(copy)


@pytest.mark.parametrize("street", ["flop", "turn", "river"])
def test_missing_table(copy: Path, street: str) -> None:
    next(copy.parent.glob(f"*.{street}.*.npy")).unlink()
    assert "is missing" in refused(copy)


def test_truncated_table(copy: Path) -> None:
    table = unlinked(next(copy.parent.glob("*.turn.*.npy")))
    with table.open("r+b") as file:
        file.truncate(table.stat().st_size - 1000)
    refused(copy)


def test_altered_table(copy: Path) -> None:
    table = unlinked(next(copy.parent.glob("*.flop.*.npy")))
    with table.open("r+b") as file:
        file.seek(100_000)
        byte = file.read(1)
        file.seek(100_000)
        file.write(bytes([byte[0] ^ 1]))
    assert "altered" in refused(copy)


def test_second_run_over_the_first(built: Path) -> None:
    result = subprocess.run(build_command(built), capture_output=True, text=True, timeout=100, check=True)
    assert "already built" in result.stdout


@pytest.mark.parametrize(("hole", "board"), [((1, 2), (1, 5, 9)), ((1,), ()), ((1, 2), (3,)), ((1, 60), ())])
def test_bad_hands(buckets: HandBucketing, hole: tuple[int, ...], board: tuple[int, ...]) -> None:
    with pytest.raises(CardError):
        buckets.bucket(hole, board)


def test_a_figure_of_a_report_that_is_no_list_is_refused(built: Path, tmp_path: Path) -> None:
    content = read_pickle(built, KIND, FORMAT_VERSION, "build it again")
    content["report"]["flop"]["equity_mean"] = np.array(0.5)
    write_pickle(tmp_path / "buckets.pkl", KIND, FORMAT_VERSION, content)
    with pytest.raises(ArtifactError, match=r"report\.flop\.equity_mean"):
        HandBucketing.load(tmp_path / "buckets.pkl", tables=False)
