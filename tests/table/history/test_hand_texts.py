"""Hands of a file one by one: the same as all at once, whatever else is in the file."""

import re
import time
from pathlib import Path

import pytest

from holdem.errors import ArtifactError, ConfigError
from holdem.game.phh import to_phhs
from holdem.table.history import hand_texts
from holdem.table.history.hand_history import HandHistory, parse_history, read_history
from holdem.table.history.hand_texts import HandTexts
from tests.game.test_phh import RAKED
from tests.table.history.test_hand_history import random_hand


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("hands") / "hands.phhs"
    with HandHistory.open(path) as history:
        for seed in range(8):
            hand = random_hand(seed, seats=2 + seed % 5)
            history.append(hand, players=[f"player {seat}" for seat in range(hand.num_seats)], hero_seat=1)
    return path


def test_hands_one_by_one_are_those_of_the_whole_file(path: Path) -> None:
    stored = read_history(path)
    texts = HandTexts.split(path.read_bytes(), "hands")
    assert len(texts) == len(stored)
    for number, one in enumerate(stored, 1):
        again = texts.hand(number)
        assert again.hand.records == one.hand.records
        assert (again.name, again.players, again.hero) == (one.name, one.players, one.hero)
    assert texts.players == tuple(f"player {seat}" for seat in range(6))
    assert parse_history(path.read_text(encoding="utf-8"), "x")[3].hand.records == stored[3].hand.records


def test_a_mark_of_windows_editors_is_no_content(path: Path) -> None:
    content = path.read_bytes()
    assert HandTexts.split(b"\xef\xbb\xbf" + content, "hands") == HandTexts.split(content, "hands")


def test_a_list_over_several_lines_begins_no_hand(path: Path) -> None:
    content, lines = path.read_bytes(), b"_seen = [\n[1, 2]\n]\n"
    parted = content.replace(b"[3]\nvariant", b"[3]\n" + lines + b"variant")
    texts = HandTexts.split(parted, "hands")
    assert len(texts) == 8
    assert texts.hand(3).fields["_seen"] == [[1, 2]]


def test_a_torn_last_hand_is_left_out(path: Path) -> None:
    content = path.read_bytes()
    assert len(HandTexts.split(content + b"[9]\nvariant = 'NT'\nant", "hands")) == 8


def test_a_hand_that_is_broken_hides_only_itself(path: Path) -> None:
    content = path.read_bytes().replace(b"[3]\nvariant = 'NT'", b"[3]\nvariant = 'PO'")
    texts = HandTexts.split(content, "hands")
    with pytest.raises(ArtifactError, match=r"hand 3 of hands: .*PO"):
        texts.hand(3)
    assert texts.hand(4).hand.is_over


def test_files_behind_each_other_have_all_their_hands(path: Path) -> None:
    content = path.read_bytes()
    others = to_phhs([random_hand(20)]).encode()
    for both, count in ((content + content, 16), (content + others, 9), (content + others + content, 17)):
        texts = HandTexts.split(both, "hands")
        assert len(texts) == count
        assert all(texts.hand(number).hand.is_over for number in range(1, count + 1))


def test_a_rake_is_told_in_the_chips_of_the_file() -> None:
    """In dollars, of a file with cents in another hand."""
    raked = RAKED.replace("0.50", "1").replace("6.50", "6") + "finishing_stacks = [99, 109, 91]\n"
    texts = HandTexts.split(f"[1]{raked}[2]{RAKED}winnings = [0, 18.50, 0]\n".encode(), "hands")
    assert [texts.hand(number).payoffs for number in (1, 2)] == [(-100, 900, -900), (-50, 900, -950)]


def test_bounds(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    content = path.read_bytes()
    texts = HandTexts.split(content, "hands")
    for number in (0, 9, -1):
        with pytest.raises(ConfigError, match="has 8 hands"):
            texts.hand(number)
    monkeypatch.setattr(hand_texts, "LONGEST_HAND", 100)
    with pytest.raises(ArtifactError, match="no hand has more than 100"):
        texts.hand(1)
    monkeypatch.setattr(hand_texts, "MOST_HANDS", 7)
    with pytest.raises(ArtifactError, match="8 hands, and 7 can be read"):
        HandTexts.split(content, "hands")


@pytest.mark.parametrize("cut", [0, 1, 700])
def test_the_newest_hands_keep_their_numbers(path: Path, cut: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a file that is too large the end is read, and of too many hands the last ones."""
    whole, content = HandTexts.split(path.read_bytes(), "hands"), path.read_bytes()
    monkeypatch.setattr(hand_texts, "MOST_HANDS", 5)
    texts = HandTexts.newest(content[cut:] + b"[9]\nvariant = 'NT'\nant", "hands")
    assert (len(texts), texts.older) == (8, 3)
    for number in range(4, 9):
        assert texts.hand(number).hand.records == whole.hand(number).hand.records
    with pytest.raises(ConfigError, match="hand 3 is too far back"):
        texts.hand(3)
    with pytest.raises(ConfigError, match="has 8 hands"):
        texts.hand(9)
    with pytest.raises(ArtifactError, match="not numbered"):
        HandTexts.newest(b"variant", "hands")


@pytest.mark.parametrize("place", [2, 5])
def test_hands_with_and_without_decimals_have_the_same_chips(path: Path, place: int) -> None:
    """Dollars, and in one hand of the file cents: losses of all of them are added up and compared."""
    whole = HandTexts.split(path.read_bytes(), "hands")
    parts = re.split(r"(?m)^(?=\[\d+\]$)", path.read_text(encoding="utf-8"))
    parts[place] = re.sub(r"min_bet = (\d+)", r"min_bet = \1.00", parts[place])
    cents = HandTexts.split("".join(parts).encode(), "hands")
    assert (whole.unit, cents.unit) == (1, 100)
    for number in range(1, len(whole) + 1):
        before, after = whole.hand(number), cents.hand(number)
        assert after.hand.payoffs == tuple(100 * won for won in before.hand.payoffs)
        assert (after.name, after.players, after.hero) == (before.name, before.players, before.hero)


@pytest.mark.parametrize("part", ["a", '"\\""', "'b'", '"\\u0061"'])
def test_names_in_keys_of_many_parts_cost_no_time(part: str) -> None:
    """Each of these lines takes milliseconds to read, all of them minutes."""
    key = " . ".join([part] * (1_800 // (len(part) + 3)))
    content = "\n".join(f"players = [{{{key}={number}}}]" for number in range(hand_texts.MOST_HANDS)).encode()
    start = time.process_time()
    assert HandTexts.split(b"[1]\nplayers = ['Ann']\n" + content, "hands").players == ("Ann",)
    assert time.process_time() - start < 20


def test_names_that_take_too_long_to_read(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hand_texts, "READING_SECONDS", -1.0)
    with pytest.raises(ArtifactError, match="hands take too long to read"):
        HandTexts.split(path.read_bytes(), "hands")


@pytest.mark.parametrize("part", ["a", "'a'", '"a"', '"\\""', '"\\\\"', '"\\u0061"'])
@pytest.mark.parametrize("dot", [".", " . ", "\t."])
def test_a_key_of_many_parts_is_not_read(path: Path, part: str, dot: str) -> None:
    text = path.read_text(encoding="utf-8")
    for line in (f"{dot.join([part] * 25)} = 1", f"_a = {{ {dot.join([part] * 25)} = 1 }}"):
        texts = HandTexts.split(text.replace("[3]\n", f"[3]\n{line}\n").encode(), "hands")
        with pytest.raises(ArtifactError, match="hand 3 of hands is not a hand in PHH: it has a key of many parts"):
            texts.hand(3)
        assert texts.hand(4).hand.is_over


@pytest.mark.parametrize("text", ["a = " + "[" * 100_000, "a = " + "9" * 100_000, "[1]\nmin_bet = 1e99999999999"])
def test_toml_that_is_hostile_is_an_artifact_error(text: str) -> None:
    with pytest.raises(ArtifactError):
        parse_history(text, "x")
