"""Hand histories: what was appended is there again, in pokerkit too, whenever the writer dies."""

import os
import random
import signal
import subprocess
import sys
import time
import warnings
from pathlib import Path

import pytest
from pokerkit import HandHistory as PokerkitHistory

from holdem.errors import ArtifactError
from holdem.game import Game, GameConfig
from holdem.game.hand import Hand
from holdem.game.phh import to_phh, to_phhs
from holdem.table.acpc.conversion import hand_of
from holdem.table.acpc.game_definition import standard_game
from holdem.table.acpc.protocol import parse_state
from holdem.table.history.hand_history import HEADER, HandHistory, parse_history, read_history
from holdem.table.history.observed_hand import ObservedHand, seen_by


def random_hand(seed: int, seats: int = 3) -> Hand:
    rng = random.Random(seed)
    game = Game(GameConfig(num_players=seats, stacks=(rng.randint(300, 9_000),) * seats))
    hand = game.new_hand(seed, button=seed % seats)
    while hand.actor is not None:
        legal = hand.legal_actions()
        if legal.min_raise_to is not None and legal.max_raise_to is not None and rng.random() < 0.3:
            hand.bet_or_raise_to(rng.choice([legal.min_raise_to, legal.max_raise_to]))
        elif legal.can_fold and rng.random() < 0.3:
            hand.fold()
        else:
            hand.check_or_call()
    return hand


def pokerkit_stacks(path: Path) -> list[list[int]]:
    """Final stacks of every hand of a file, by position, as pokerkit plays them."""
    with path.open("rb") as file, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return [list(map(int, list(history)[-1].stacks)) for history in PokerkitHistory.load_all(file)]


def by_position(hand: Hand) -> list[int]:
    return [hand.stacks[hand.seat_at(position)] for position in range(hand.num_seats)]


def test_hands_come_back_and_pokerkit_agrees(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "hands.phhs"
    hands = [random_hand(seed, seats=2 + seed % 5) for seed in range(12)]
    with HandHistory.open(path) as history:
        assert [history.append(hand) for hand in hands] == list(range(1, 13))
    stored = read_history(path)
    assert [one.hand.records for one in stored] == [hand.records for hand in hands]
    assert [one.name for one in stored] == [str(number) for number in range(1, 13)]
    assert pokerkit_stacks(path) == [by_position(hand) for hand in hands]


def test_watched_hands_have_no_cards_that_the_seat_did_not_see(tmp_path: Path) -> None:
    path = tmp_path / "hands.phhs"
    hands = [random_hand(seed) for seed in range(30)]
    names = ("me", 'O\'Neil "the rock"', "Ζήνων")
    with HandHistory.open(path) as history:
        for number, hand in enumerate(hands):
            history.append(ObservedHand(number, 0, names, seen_by(hand.records, 0), hand.payoffs))
    text = path.read_text(encoding="utf-8")
    assert "????" in text
    for stored, hand in zip(read_history(path), hands, strict=True):
        assert stored.players == names
        assert stored.hero == 0
        assert stored.hand.payoffs == hand.payoffs
        assert stored.hand.hole_cards[0] == hand.hole_cards[0]
    # pokerkit needs the winner's cards: it can play the hands in which somebody showed them, or nobody had to.
    assert len(pokerkit_stacks(path)) == len(hands)


@pytest.mark.parametrize("seat", ["true", "false", "3", "-1", "1.0", "'1'"])
def test_a_seat_that_is_none_saw_no_hand(seat: str) -> None:
    (stored,) = parse_history(f"{to_phh(random_hand(1))}_hero_seat = {seat}\n", "x")
    assert stored.hero is None


def test_acpc_hands(tmp_path: Path) -> None:
    path = tmp_path / "acpc.phhs"
    game = standard_game(2)
    line = "MATCHSTATE:1:31:r300r900c/r1800r3600r9000c/r20000c/:KsJs|JdTc/6dJc9c/Kh/Qc"
    with HandHistory.open(path) as history:
        history.append(hand_of(parse_state(line, game), game.config()), hero_seat=0, extra={"match": "x", "ms": [1, 2]})
    (stored,) = read_history(path)
    assert stored.hand.payoffs == (20_000, -20_000)
    assert stored.fields["_match"] == "x"
    assert stored.fields["_ms"] == [1, 2]
    assert pokerkit_stacks(path) == [[0, 40_000]]


def test_files_are_gone_on_with_and_never_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "hands.phhs"
    for seed in range(3):
        before = path.read_bytes() if path.exists() else b""
        with HandHistory.open(path) as history:
            assert history.append(random_hand(seed)) == seed + 1
        assert path.read_bytes().startswith(before)
    assert len(read_history(path)) == 3


def test_one_writer_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "hands.phhs"
    with HandHistory.open(path) as history:
        with pytest.raises(ArtifactError, match="being written by another process"):
            HandHistory.open(path)
        history.append(random_hand(1))
    HandHistory.open(path).close()


BEGIN = """
import sys
from holdem.table.history.hand_history import HandHistory
print("ready", flush=True)
sys.stdin.readline()
with HandHistory.begin(sys.argv[1]) as history:
    print(history.path.name, flush=True)
    sys.stdin.readline()
"""


def test_processes_that_begin_a_file_at_once_get_one_each(tmp_path: Path) -> None:
    path, count = tmp_path / "hands.phhs", 4
    pipe, command = subprocess.PIPE, [sys.executable, "-c", BEGIN, str(path)]
    writers = [subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, bufsize=1) for _ in range(count)]
    answers: list[str] = []
    for _ in ("ready", "begun"):
        for writer in writers:
            assert writer.stdout is not None
            answers.append(writer.stdout.readline().strip())
        for writer in writers:
            assert writer.stdin is not None
            writer.stdin.write("\n")
    for writer in writers:
        writer.communicate()
    assert [writer.returncode for writer in writers] == [0] * count
    assert sorted(answers[count:]) == ["hands.phhs", *(f"hands_{number}.phhs" for number in range(2, count + 1))]


def test_a_file_that_is_there_is_not_begun_again(tmp_path: Path) -> None:
    path, content, _ = whole_file(tmp_path, 1)
    with HandHistory.begin(path) as history:
        assert history.path == tmp_path / "hands_2.phhs"
        assert history.append(random_hand(1)) == 1
    assert path.read_bytes() == content


def whole_file(tmp_path: Path, hands: int) -> tuple[Path, bytes, list[int]]:
    """A file of some hands, its bytes, and where each hand ends."""
    path = tmp_path / "hands.phhs"
    ends = []
    with HandHistory.open(path) as history:
        for seed in range(hands):
            history.append(random_hand(seed))
            ends.append(path.stat().st_size)
    return path, path.read_bytes(), ends


def test_cut_anywhere_every_whole_hand_is_kept(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Cut after each byte of the last hand: the two before it are there, and the file goes on from them."""
    path, content, ends = whole_file(tmp_path, 3)
    torn = path.with_name("hands.phhs.torn")
    for size in [*range(ends[1], ends[2], 61), ends[2] - 2, ends[2] - 1]:
        path.write_bytes(content[:size])
        torn.unlink(missing_ok=True)
        caplog.clear()
        whole = 3 if b"# end of hand 3\n" in content[:size] else 2
        assert len(read_history(path)) == whole, size
        with HandHistory.open(path) as history:
            assert history.hands == whole
            history.append(random_hand(7))
        assert len(read_history(path)) == whole + 1
        assert len(pokerkit_stacks(path)) == whole + 1
        if whole == 2 and size > ends[1]:
            assert torn.read_bytes() == content[ends[1] : size] + b"\n"
            assert len(caplog.records) == 1
            assert "torn last hand" in caplog.text


def test_hands_from_elsewhere_behind_a_file_are_kept(tmp_path: Path) -> None:
    """`cat` put them there; whoever goes on with the file writes behind them, and what is torn then is found again."""
    path, content, _ = whole_file(tmp_path, 3)
    others = to_phhs([random_hand(4), random_hand(5)]).encode()
    for put in (b"", b"\n# of last week\n"):
        path.write_bytes(content + put + others.replace(b"[1]", b"[first]").replace(b"[2]", b"[second]").rstrip())
        assert [one.name for one in read_history(path)] == ["1", "2", "3", "first", "second"]
        with HandHistory.open(path) as history:
            assert history.append(random_hand(6)) == 4
        assert [one.hand.records for one in read_history(path)] == [
            random_hand(seed).records for seed in (0, 1, 2, 4, 5, 6)
        ]
        assert len(pokerkit_stacks(path)) == 6
        assert not path.with_name("hands.phhs.torn").exists()
    begun = path.read_bytes()
    path.write_bytes(begun + b"[5]\nvariant = 'NT'\nant")
    assert len(read_history(path)) == 6
    HandHistory.open(path).close()
    assert path.read_bytes() == begun


def test_two_files_behind_each_other_go_on(tmp_path: Path) -> None:
    """Their numbers begin again; the hand that is torn behind them has the number after the highest one."""
    path, content, ends = whole_file(tmp_path, 3)
    path.write_bytes(content + content[: ends[0]])
    with HandHistory.open(path) as history:
        assert history.append(random_hand(6)) == 4
    whole = path.read_bytes()
    for torn in (b"[", b"[5]", b"[5]\nvariant = 'NT'\nant"):
        path.write_bytes(whole + torn)
        HandHistory.open(path).close()
        assert path.read_bytes() == whole


@pytest.mark.parametrize("size", [0, 1, 50, len(HEADER) - 1, len(HEADER)])
def test_cut_in_the_header(tmp_path: Path, size: int) -> None:
    path = tmp_path / "hands.phhs"
    path.write_bytes(HEADER[:size])
    with HandHistory.open(path) as history:
        history.append(random_hand(1))
    assert len(read_history(path)) == 1


def test_a_full_disk_leaves_whole_hands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The real system call writes half of a hand and then finds no space."""
    path = tmp_path / "hands.phhs"
    write = os.write
    with HandHistory.open(path) as history:
        history.append(random_hand(1))
        before = path.read_bytes()
        calls: list[int] = []

        def half(descriptor: int, block: memoryview) -> int:
            if calls:
                raise OSError(28, "No space left on device")
            calls.append(1)
            return write(descriptor, block[: len(block) // 2])

        monkeypatch.setattr(os, "write", half)
        with pytest.raises(ArtifactError, match="No space left on device"):
            history.append(random_hand(2))
        assert path.read_bytes() == before
        monkeypatch.undo()
        assert history.append(random_hand(3)) == 2
    assert len(read_history(path)) == 2


WRITER = """
import os, sys
from holdem.game import Game, GameConfig
from holdem.game.phh import to_phh
from holdem.table.history.hand_history import HandHistory
hands = []
for seed in range(5):
    hand = Game(GameConfig(stacks=(1_000, 1_000))).new_hand(seed)
    while hand.actor is not None:
        hand.check_or_call()
    hands.append(hand)
to_phh(hands[0])  # imports what it needs before the forks
print("ready", flush=True)
for line in sys.stdin:
    child = os.fork()
    if child == 0:
        history = HandHistory.open(sys.argv[1])
        while True:
            os.write(1, b"%d\\n" % history.append(hands[history.hands % 5]))
    os.write(1, b"child %d\\n" % child)  # in one piece: the child writes into the same pipe
    os.waitpid(child, 0)
    os.write(1, b"gone\\n")
"""


@pytest.mark.skipif(os.name == "nt", reason="SIGKILL and fork are POSIX")
def test_killed_writers_lose_nothing_that_they_said_was_written(tmp_path: Path) -> None:
    """Six writers, each killed at another moment of its work."""
    path = tmp_path / "hands.phhs"
    arguments = [sys.executable, "-c", WRITER, str(path)]
    with subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdin is not None
        assert writer.stdout is not None
        assert writer.stdout.readline() == "ready\n"
        written = 0
        for count, delay in ((0, 0.0), (0, 0.003), (1, 0.0), (2, 0.0007), (3, 0.0011), (5, 0.0003)):
            writer.stdin.write("next\n")
            writer.stdin.flush()
            lines = iter(writer.stdout.readline, "gone\n")
            child, numbers = 0, [written]
            while not child or len(numbers) <= count:
                line = next(lines)
                if line.startswith("child"):
                    child = int(line.split()[1])
                else:
                    numbers.append(int(line))
            time.sleep(delay)
            os.kill(child, signal.SIGKILL)
            said = max([*numbers, *map(int, lines)])
            written = len(read_history(path)) if path.exists() else 0
            assert said <= written <= said + 1
        writer.stdin.close()
    assert written >= 11
    stored = read_history(path)
    boards = [one.hand.board for one in stored]
    assert len(set(boards)) == 5
    assert all(board == boards[place % 5] for place, board in enumerate(boards))
    assert len(pokerkit_stacks(path)) == written


def test_files_of_others(tmp_path: Path) -> None:
    """A .phhs that pokerkit wrote can be read and gone on with; a text that is no history is left alone."""
    path = tmp_path / "other.phhs"
    path.write_text(to_phhs([random_hand(1), random_hand(2)]).rstrip())
    with HandHistory.open(path) as history:
        assert history.append(random_hand(3)) == 3
    assert len(read_history(path)) == 3
    single = tmp_path / "one.phh"
    single.write_text(to_phh(random_hand(1)))
    assert read_history(single)[0].hand.records == random_hand(1).records
    assert read_history(single)[0].players == ("seat 0", "seat 1", "seat 2")
    notes = tmp_path / "notes.txt"
    notes.write_text("milk, eggs\n")
    with pytest.raises(ArtifactError, match=r"not a \.phhs file"):
        HandHistory.open(notes)
    assert notes.read_text() == "milk, eggs\n"
    with pytest.raises(ArtifactError, match="is not a hand history"):
        read_history(notes)
    with pytest.raises(ArtifactError, match="cannot be written"):
        HandHistory.open(tmp_path)
