"""Files of hands: those of the server by name, those that pages bring, and hostile ones, which hide themselves."""

import os
import random
import socket
import sys
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from holdem.errors import ArtifactError, HoldemError
from holdem.table.history import hand_texts
from holdem.table.history.hand_texts import ReadingTime
from holdem.web.review import brought_files, history_files
from holdem.web.review.brought_files import BroughtFiles
from tests.game.test_phh import RAKED
from tests.waiting import PATIENCE_SECONDS
from tests.web.pages import Served, jam_or_fold_table, served
from tests.web.review.visits import JAMS, bring, get, write_jams

LIMIT_SECONDS = 20.0
"""Of computing, for a request; what is refused is refused in far less."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("web")
    with served(jam_or_fold_table(folder), folder) as running:
        write_jams(running.runs / "jam" / "hands" / "play_1.phhs")
        yield running


@pytest.fixture(scope="module")
def text(server: Served) -> str:
    return (server.runs / "jam" / "hands" / "play_1.phhs").read_text(encoding="utf-8")


def test_the_list_has_the_files_of_runs_and_the_servers_own_newest_first(server: Served) -> None:
    folder = server.runs / "jam" / "hands"
    write_jams(folder / "old.phhs")
    os.utime(folder / "old.phhs", (1e9, 1e9))
    (folder / "notes.txt").write_text("no hands", encoding="utf-8")
    status, listed = get(server, "histories")
    assert status == 200
    rows = {row["name"]: row for row in listed["histories"]}
    assert set(rows) >= {"jam/hands/play_1.phhs", "jam/hands/old.phhs", listed["session"]}
    assert rows["jam/hands/old.phhs"]["hands"] == len(JAMS)
    assert rows["jam/hands/old.phhs"]["changed"] == "2001-09-09T01:46:40+00:00"
    assert rows[listed["session"]]["hands"] == 0
    assert [row["changed"] for row in listed["histories"]] == sorted(
        (r["changed"] for r in rows.values()), reverse=True
    )
    assert not any("notes" in name or str(server.runs) in name for name in rows)
    (folder / "old.phhs").unlink()


def test_the_servers_own_file_has_one_name_wherever_it_lies(tmp_path: Path) -> None:
    plan = jam_or_fold_table(tmp_path)
    with served(plan, tmp_path / "runs" / "jam" / "hands", runs=tmp_path / "runs") as running:
        _, listed = get(running, "histories")
        name = "jam/hands/hands.phhs"
        assert [row["name"] for row in listed["histories"]] == [name] == [listed["session"]]
        with running.page() as page:
            assert page.until("welcome")["history"] == name
            page.play_hand()
        assert get(running, "hands", file=name)[1]["count"] == 1
    with served(plan, tmp_path) as another:  # links to hands live on after a restart
        assert get(another, "hands", file=name)[1]["count"] == 1


@pytest.mark.skipif(sys.platform == "win32", reason="no such files there")
def test_bad_files_hide_only_themselves(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = server.runs / "jam" / "hands"
    os.mkfifo(folder / "pipe.phhs")
    (folder / "folder.phhs").mkdir()
    (folder / "binary.phhs").write_bytes(b"\xff\xfe\x00" * 100)
    (folder / "prose.phhs").write_text("dear reader", encoding="utf-8")
    (folder / "gone.phhs").symlink_to(folder / "nowhere")
    (folder / "loop.phhs").symlink_to(folder / "loop.phhs")
    (folder / "large.phhs").write_bytes(b"# more\n" * 100)
    monkeypatch.setattr(history_files, "LARGEST_FILE", 600)
    write_jams(folder / "play_2.phhs").write_bytes(b"# two hands\n[1]\n[2]\n")
    _, listed = get(server, "histories")
    names = [row["name"] for row in listed["histories"]]
    assert sorted(names) == sorted(["jam/hands/play_1.phhs", "jam/hands/play_2.phhs", listed["session"]])
    for name in ("pipe", "folder", "binary", "prose", "gone", "loop", "large"):
        status, refused = get(server, "hands", file=f"jam/hands/{name}.phhs")
        assert (status, list(refused)) == (400, ["error"])
    for path in folder.iterdir():
        if path.name != "play_1.phhs":
            path.rmdir() if path.is_dir() and not path.is_symlink() else path.unlink()


def test_of_a_long_history_of_a_table_the_newest_hands_are_read(
    server: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_jams(server.runs / "jam" / "hands" / "long.phhs")
    file, count = "jam/hands/long.phhs", len(JAMS)
    everything = [get(server, "hand", file=file, hand=str(number))[1] for number in range(1, count + 1)]
    monkeypatch.setattr(history_files, "LARGEST_FILE", path.stat().st_size - 200)
    os.utime(path, (2e9, 2e9))
    _, listed = get(server, "hands", file=file, first="0")
    assert listed["count"] == count
    assert "too far back" in listed["hands"][0]["error"]
    assert get(server, "hand", file=file, hand=str(count))[1] == everything[-1]
    path.unlink()


@pytest.mark.parametrize(
    "name", ["/etc/passwd", "../jam/hands/play_1.phhs", "jam", "", "brought:", "brought:x", "runs/jam", "x" * 900, "\0"]
)
def test_names_that_are_in_no_list_are_refused(server: Served, name: str) -> None:
    for path, query in (("hands", {}), ("hand", {"hand": 1})):
        status, refused = get(server, path, file=name, **query)
        assert (status, list(refused)) == (400, ["error"])


@pytest.mark.parametrize(
    ("path", "query"),
    [
        ("hands", {}),
        ("hands", {"file": "x" * 2_000}),
        ("hands", {"file": "x", "first": "-1"}),
        ("hands", {"file": "x", "first": "1e3"}),
        ("hands", {"file": "x", "first": "9" * 5_000}),
        ("hand", {"file": "x"}),
        ("hand", {"file": "x", "hand": "-1"}),
        ("hand", {"file": "x", "hand": "None"}),
        ("hand", {"file": "x", "hand": "1", "player": "p" * 300}),
    ],
)
def test_wrong_types_are_refused_with_a_sentence(server: Served, path: str, query: dict[str, str]) -> None:
    status, refused = get(server, path, **query)
    assert (status, list(refused)) == (422, ["error"])


def test_a_file_that_is_brought_is_opened_by_its_token_alone(server: Served, text: str) -> None:
    before = sorted(path.name for path in server.runs.rglob("*"))
    status, brought = bring(server, text.encode(), "mine.phhs")
    assert status == 200
    _, hands = get(server, "hands", file=brought["file"])
    assert (hands["count"], hands["name"], hands["players"]) == (len(JAMS), "mine.phhs", ["bot", "you"])
    assert [row["won"] for row in hands["hands"]] == [-1_000, -100, 1_000, -1_000, -100]
    _, listed = get(server, "histories")
    assert not any("mine" in row["name"] for row in listed["histories"])
    assert sorted(path.name for path in server.runs.rglob("*")) == before


def test_a_single_hand_and_windows_lines_are_read_too(server: Served, text: str) -> None:
    one = text.split("[1]\n")[1].split("# end of hand 1")[0]
    for content in (one, one.replace("\n", "\r\n")):
        status, brought = bring(server, content.encode(), "one.PHH")
        assert status == 200
        assert get(server, "hands", file=brought["file"])[1]["count"] == 1


def test_the_page_is_told_what_a_chip_is_in_the_file(server: Served, text: str) -> None:
    for content, unit in ((text, 1), (RAKED, 100)):
        _, brought = bring(server, content.encode(), "mine.phhs")
        assert get(server, "hands", file=brought["file"])[1]["unit"] == unit


def test_what_is_not_phh_is_refused_with_a_sentence(server: Served, text: str) -> None:
    for content, name in (
        (text.encode(), "hands.txt"),
        (text.encode(), "hands.phhs.exe"),
        (text.encode(), "two\nlines.phhs"),
        (b"", "empty.phhs"),
        (b"# nothing\n", "comment.phhs"),
        (b"\xff\xfe", "binary.phhs"),
        (b"import os\nos.system('x')\n", "code.phhs"),
        (b"[1]\nvariant = 'PO'\n", "omaha.phhs"),
    ):
        status, refused = bring(server, content, name)
        assert (status, list(refused)) == (400, ["error"]), name
        assert "\n" not in str(refused["error"])


def test_a_page_of_another_site_brings_nothing(server: Served, text: str) -> None:
    assert bring(server, text.encode(), Origin="http://evil.example")[0] == 403
    assert bring(server, text.encode(), Origin="null")[0] == 403
    assert bring(server, text.encode(), Origin=server.address)[0] == 200


def test_files_that_are_too_large_are_not_read_to_their_end(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(brought_files, "LARGEST", 50_000)
    status, refused = bring(server, b"#" * 50_001)
    assert status == 400
    assert "larger than 50,000 bytes" in str(refused["error"])


def test_a_page_that_goes_while_it_brings_a_file_leaves_nothing_behind(
    server: Served, text: str, caplog: pytest.LogCaptureFixture
) -> None:
    host = server.address.removeprefix("http://")
    name, port = host.split(":")
    for _ in range(2 * brought_files.MOST_AT_ONCE):
        with socket.create_connection((name, int(port)), timeout=PATIENCE_SECONDS) as raw:
            head = f"POST /data/histories?name=a.phhs HTTP/1.1\r\nHost: {host}\r\nContent-Length: 100000\r\n\r\n"
            raw.sendall(head.encode() + b"#" * 1_000)
    deadline = time.monotonic() + PATIENCE_SECONDS
    while (status := bring(server, text.encode())[0]) != 200 and time.monotonic() < deadline:
        time.sleep(0.05)
    assert status == 200
    assert not [record for record in caplog.records if record.levelname == "ERROR"]


def test_files_are_bounded_in_number_and_bytes(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    files = BroughtFiles()
    content = text.encode()
    monkeypatch.setattr(brought_files, "MOST_FILES", 3)
    tokens = [files.keep("a.phhs", content) for _ in range(5)]
    assert [token in files._files for token in tokens] == [False, False, True, True, True]
    monkeypatch.setattr(brought_files, "MOST_BYTES", 2 * len(content))
    last = files.keep("a.phhs", content)
    assert list(files._files) == [tokens[-1], last]


def test_a_file_goes_by_itself(tmp_path: Path, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    files = BroughtFiles()
    monkeypatch.setattr("holdem.web.review.routes.BroughtFiles", lambda: files)
    monkeypatch.setattr(brought_files, "KEPT_SECONDS", 0.5)
    with served(jam_or_fold_table(tmp_path), tmp_path) as server:
        forgotten, forget = list[str](), files._forget

        def remembered(token: str) -> None:
            forgotten.append(token)
            forget(token)

        monkeypatch.setattr(files, "_forget", remembered)
        _, brought = bring(server, text.encode())
        deadline = time.monotonic() + PATIENCE_SECONDS
        while files._files and time.monotonic() < deadline:
            time.sleep(0.05)
        assert not files._files
        assert forgotten == [brought["file"]]
        status, refused = get(server, "hands", file=brought["file"])
        assert status == 400
        assert "bring it again" in str(refused["error"])


HOSTILE = {
    "lists in lists": "a = " + "[" * 15_000,
    "tables in tables": "a = " + "{a=" * 5_000,
    "dotted": ".".join("a" * 7_000) + " = 1",
    "dotted strings": ".".join(["'a'"] * 3_000) + " = 1",
    "dotted quotation marks": ".".join(['"\\""'] * 3_000) + " = 1",
    "blank lines": "_a = 1" + "\n" * 15_000,
    "dotted in a table": "a = {" + ".".join("a" * 7_000) + " = 1}",
    "a dotted section": "[" + ".".join("a" * 7_000) + "]",
    "digits": "min_bet = " + "9" * 15_000,
    "hexadecimal": "min_bet = 0x" + "f" * 15_000,
    "infinite": "min_bet = inf",
    "not a number": "min_bet = nan",
    "an exponent": "min_bet = 1e999999999",
    "stacks": "starting_stacks = [1e400, 1e400]",
    "no stacks": "starting_stacks = []",
    "many seats": "starting_stacks = [" + "1000, " * 2_000 + "]",
    "deals": "actions = [" + "'d db 2c', " * 1_400 + "]",
    "actions": "actions = [" + "'p1 cc', " * 1_400 + "]",
    "spaces": "actions = ['d " + " " * 15_000 + "']",
    "numbers as names": "players = [1, 2]",
    "long names": f"players = ['{'x' * 7_000}', '{'y' * 7_000}']",
    "a name of markup": "players = ['<script>alert(1)</script>', '\\\\u202e']",
    "no seat": "_hero_seat = 99",
    "a seat of another kind": "_hero_seat = true",
    "dates": "year = -5\nmonth = 1979-05-27\nday = 'x'",
    "a table": "players = {a = 1}",
    "board": "_board_cards = [0, 1, 2, 3]",
    "ranks": "_ranks = 'AAAA'",
}


@pytest.mark.parametrize("field", HOSTILE)
def test_a_hostile_field_costs_little_and_hides_only_its_hand(server: Served, text: str, field: str) -> None:
    name = HOSTILE[field].split("=")[0].strip()
    first, second = (text.split(f"[{number}]\n")[1].split("# end")[0] for number in (1, 2))
    kept = "".join(line + "\n" for line in first.splitlines() if not line.startswith(f"{name} ="))
    start = time.process_time()
    status, brought = bring(server, f"[1]\n{kept}{HOSTILE[field]}\n[2]\n{second}".encode())
    assert status == 200, brought
    _, hands = get(server, "hands", file=brought["file"])
    whole = [row for row in hands["hands"] if "error" not in row]
    assert whole[-1]["won"] == -100
    for row in hands["hands"]:
        status, hand = get(server, "hand", file=brought["file"], hand=row["number"])
        assert (status == 200) == (row in whole), hand
    assert time.process_time() - start < LIMIT_SECONDS


def test_a_page_of_hands_that_takes_too_long_is_given_up(
    server: Served, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, brought = bring(server, text.encode())
    monkeypatch.setattr(hand_texts, "READING_SECONDS", -1.0)
    status, refused = get(server, "hands", file=brought["file"])
    assert status == 400
    assert "too long" in str(refused["error"])


SEVEN = """variant = 'NT'
antes = [0, 0, 0, 0, 0, 0, 0]
blinds_or_straddles = [1, 2, 0, 0, 0, 0, 0]
min_bet = 2
starting_stacks = [200, 200, 200, 200, 200, 200, 200]
actions = []
"""


def test_a_file_may_begin_with_hands_that_cannot_be_read(text: str) -> None:
    """A tournament of one table, from its first hands on."""
    one = text.split("[1]\n")[1].split("[2]")[0]
    hands = [SEVEN] * 120
    with pytest.raises(HoldemError, match=r"hand 1 of sng\.phhs: the hand has 7 players"):
        BroughtFiles().keep("sng.phhs", _numbered(hands))
    files = BroughtFiles()
    texts = files.open(files.keep("sng.phhs", _numbered([*hands, one])))
    assert texts.hand(121).hand.num_seats == 2


def test_a_file_whose_hands_take_long_is_refused_with_what_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    """The time is over at the second hand; what is wrong with the first one says more."""
    looks = count()
    monkeypatch.setattr(ReadingTime, "check", lambda left: _out_of_time() if next(looks) else None)
    with pytest.raises(HoldemError, match="the hand has 7 players"):
        BroughtFiles().keep("sng.phhs", _numbered([SEVEN] * 3))


def _out_of_time() -> None:
    raise ArtifactError("too long")


def _numbered(hands: list[str]) -> bytes:
    return "".join(f"[{number}]\n{hand}" for number, hand in enumerate(hands, 1)).encode()


def test_a_file_whose_first_hands_take_too_long_is_not_taken_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """None of these is one."""
    monkeypatch.setattr(hand_texts, "READING_SECONDS", -1.0)
    with pytest.raises(HoldemError, match="take too long to read"):
        BroughtFiles().keep("slow.phhs", b"[1]\nvariant = 'NT'\n[2]\nvariant = 'NT'\n")


def test_damaged_files_never_fail_the_server(server: Served, text: str) -> None:
    rng = random.Random(5)
    pieces = [b"[", b"]", b"'", b'"', b"=", b"\n", b"\0", b"9" * 30, b"p3", b"cbr", b"-1", b"\xff", b"????", b"[1]\n"]
    answers = set()
    for _ in range(300):
        content = bytearray(text.encode())
        for _ in range(rng.randint(1, 4)):
            at = rng.randrange(len(content))
            content[at : at + rng.choice([0, 1, 2, 10, 200])] = rng.choice(pieces)
        status, brought = bring(server, bytes(content))
        assert status in (200, 400), brought
        answers.add(status)
        if status == 200:
            status, hands = get(server, "hands", file=brought["file"])
            assert status == 200
            row = rng.choice(hands["hands"])
            assert get(server, "hand", file=brought["file"], hand=row["number"])[0] == (400 if "error" in row else 200)
    assert answers == {200, 400}
