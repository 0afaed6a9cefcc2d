"""Files of pages: saved, downloaded, opened again by the page and the command line; tables; hostile uploads."""

import csv
import io
import json
import pickle
import threading
from pathlib import Path

import pytest

from holdem.realtime.subgame.files import load_solution
from holdem.web.solve import uploads
from holdem.web.solve.rooms import SolveRooms
from tests.hostile import seal
from tests.realtime.spots import RIVER, TURN
from tests.waiting import PATIENCE_SECONDS, wait_for
from tests.web.pages import Served, jam_or_fold_table, served
from tests.web.solve.conftest import MOST_BYTES
from tests.web.solve.solve_pages import SolvePageScript, fetch, sentence_of, solve_page


def upload(server: Served, content: bytes) -> str:
    status, answer = fetch(f"{server.address}/data/solve/upload", content)
    assert status == 200, answer
    return str(json.loads(answer)["upload"])


def saved(server: Served, page: SolvePageScript) -> bytes:
    file = page.ask("save")
    status, content = fetch(server.address + file["address"])
    assert (status, len(content)) == (200, file["bytes"])
    return content


def test_saved_downloaded_and_opened_again(server: Served, page: SolvePageScript, tmp_path: Path) -> None:
    stopped = page.solve({**TURN, "id": "../x y"}, target=2.0)
    node = page.ask("node", path="check")
    assert page.ask("save")["name"] == "_x_y.solve"
    content = saved(server, page)
    (tmp_path / "spot.solve").write_bytes(content)
    loaded = load_solution(tmp_path / "spot.solve")  # as `holdem solve spot.solve` does
    assert list(loaded.expected_values) == pytest.approx(stopped["ev"], abs=1e-3)
    token = upload(server, content)
    with solve_page(server.address) as other:
        opened = other.ask("open", upload=token)
        assert opened["type"] == "opened"
        assert opened["spot"] == {**TURN, "id": "../x y"}
        assert opened["iterations"] == stopped["iterations"]
        there = other.until("stopped")
        for key in ("iterations", "exploitability", "ev"):
            assert there[key] == pytest.approx(stopped[key], abs=1e-4)
        again = other.ask("node", path="check")
        assert {**again, "request": 0} == {**node, "request": 0}
        other.say("go_on", target=0.5)
        assert other.until("stopped")["iterations"] > stopped["iterations"]
        refused = other.ask("open", upload=token)
        assert "not here any more" in refused["text"]  # it can be taken once


def test_two_files_at_once_do_not_take_each_others_place(server: Served, page: SolvePageScript) -> None:
    """The second comes while the process that reads the first is only being started."""
    contents = []
    for spot in (RIVER, TURN):
        page.solve(spot, target=2.0)
        contents.append(saved(server, page))
    tokens = [upload(server, content) for content in contents]
    with solve_page(server.address) as other:
        numbers = [other.say("open", upload=token) for token in tokens]
        opened = [other.until("opened") for _ in tokens]
        assert [one["request"] for one in opened] == numbers
        assert [one["spot"]["id"] for one in opened] == [RIVER["id"], TURN["id"]]


def test_saving_again_and_again_while_files_are_taken(server: Served, page: SolvePageScript) -> None:
    """Somebody clicks on everything. Each download is a whole file, or a sentence that it has gone."""
    page.solve(RIVER, target=5.0)
    asked: list[tuple[str, dict[str, str]]] = [("save", {}), ("csv", {"path": "check"}), ("csv", {"path": ""})]
    addresses = {kind: server.address + page.ask(kind, **more)["address"] for kind, more in asked}
    over = threading.Event()
    answers: list[tuple[str, int, bytes]] = []

    def take(address: str) -> None:
        while not over.is_set():
            answers.append((address, *fetch(address)))
        answers.append((address, *fetch(address)))  # once at least, and what is there at the end

    readers = [threading.Thread(target=take, args=(address,)) for address in addresses.values()]
    for reader in readers:
        reader.start()
    try:
        for _ in range(30):
            for kind, more in asked:
                page.ask(kind, **more)
    finally:
        over.set()
        for reader in readers:
            reader.join(PATIENCE_SECONDS)
    assert {status for _, status, _ in answers} <= {200, 404}
    for address in addresses.values():
        lengths = {len(content) for name, status, content in answers if name == address and status == 200}
        assert lengths and 0 not in lengths


def test_a_node_as_a_table(server: Served, page: SolvePageScript) -> None:
    page.solve(RIVER, target=1.0)
    file = page.ask("csv", path="check")
    assert file["name"] == "small_river_Check.csv"
    status, content = fetch(server.address + file["address"])
    assert status == 200
    rows = list(csv.DictReader(io.StringIO(content.decode())))
    node = page.ask("node", path="check")
    hands = {one["cards"]: one for hands in node["hands"].values() for one in hands}
    assert [row["hand"] for row in rows] == list(hands)
    words = [action["words"] for action in node["actions"]]
    assert list(rows[0]) == [
        "path",
        "hand",
        "weight",
        "equity",
        "ev",
        *(f"{w} {x}" for w in words for x in ("frequency", "ev")),
    ]
    for row in rows:
        hand = hands[row["hand"]]
        assert row["path"] == "Check"
        assert float(row["weight"]) == hand["weight"]
        assert [float(row[f"{name} frequency"]) for name in words] == hand["shares"]
    assert "choose a decision" in page.ask("csv", path="check, check")["text"]


def test_files_are_of_their_page_alone(server: Served) -> None:
    with solve_page(server.address) as page:
        page.solve(RIVER, target=1.0)
        address = server.address + page.ask("save")["address"]
        assert fetch(address)[0] == 200
        assert fetch(address.replace("/solve/", "/solve/x"))[0] == 404
        assert fetch(f"{address}x")[0] == 404
        assert fetch(address.removesuffix("solve") + "csv")[0] == 404
        assert fetch(f"{server.address}/data/solve/../solve")[0] == 404
    for _ in range(500):
        if fetch(address)[0] == 404:
            break
    assert fetch(address)[0] == 404


def _with_code(marker: Path) -> bytes:
    """A whole file whose pickle would leave a mark if anybody ran it."""

    class Runs:
        def __reduce__(self) -> tuple[object, tuple[str]]:
            return exec, (f"import pathlib; pathlib.Path({str(marker)!r}).touch()",)

    return seal(pickle.dumps(Runs()))


def test_hostile_uploads(server: Served, page: SolvePageScript, tmp_path: Path) -> None:
    page.solve(RIVER, target=1.0)
    content = saved(server, page)
    for bad in (b"", b"{}", content[:-1], content[: len(content) // 2], b"x" * 1000):
        status, answer = fetch(f"{server.address}/data/solve/upload", bad)
        assert status == 400
        assert "no whole saved solve" in sentence_of(answer)
    damaged = bytearray(content)
    damaged[200] ^= 1
    foreign = seal(pickle.dumps({"kind": "subgame solve", "version": 1}))
    plain = pickle.loads(content[:-40])
    locks = [{"node": "bet 51", "strategy": {"Fold": 1}}]
    locked, other_tree = (
        seal(pickle.dumps({**plain, "spot": {**plain["spot"], **change}}, protocol=5))
        for change in ({"locks": locks}, {"effective_stack": 50})
    )
    for bad in (
        bytes(damaged),
        _with_code(tmp_path / "mark"),
        seal(b"\x80\x04."),
        seal(b""),
        foreign,
        locked,
        other_tree,
    ):
        refused = page.ask("open", upload=upload(server, bad))
        assert refused["type"] == "refused"
        assert "\n" not in refused["text"]
        assert str(server.solves.folder) not in refused["text"]
    assert not (tmp_path / "mark").exists()
    assert saved(server, page) == content, "the solve that is there stays"
    assert page.solve(RIVER, target=1.0)["by"] == "target"


def test_uploads_are_bounded(server: Served, page: SolvePageScript, monkeypatch: pytest.MonkeyPatch) -> None:
    page.solve(RIVER, target=1.0)
    content = saved(server, page)
    tokens = [upload(server, content) for _ in range(uploads.MOST_KEPT + 1)]
    assert len(list(server.solves.folder.glob("*.uploaded"))) == uploads.MOST_KEPT
    assert "not here any more" in page.ask("open", upload=tokens[0])["text"]
    monkeypatch.setattr(server.solves.uploads, "most_bytes", len(content) - 1)
    status, answer = fetch(f"{server.address}/data/solve/upload", content)
    assert status == 400
    assert "larger than" in sentence_of(answer)
    assert len(list(server.solves.folder.glob("*.uploaded"))) == uploads.MOST_KEPT
    for name in ("..", "../../etc/passwd", "/etc/passwd", "", "x" * 64):
        assert "not here any more" in page.ask("open", upload=name)["text"]


def test_uploads_go_when_nobody_opens_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """At a server of its own: older files would stay for their ten minutes where the new ones go one by one."""
    with served(jam_or_fold_table(tmp_path), tmp_path, solves=SolveRooms(2, MOST_BYTES)) as server:
        with solve_page(server.address) as page:
            page.solve(RIVER, target=1.0)
            content = saved(server, page)
        monkeypatch.setattr(uploads, "OLDEST_SECONDS", 0.2)
        tokens = [upload(server, content) for _ in range(uploads.MOST_KEPT)]
        wait_for(lambda: not list(server.solves.folder.glob("*.uploaded")))
        with solve_page(server.address) as page:
            assert "not here any more" in page.ask("open", upload=tokens[0])["text"]


def test_a_file_of_a_spot_that_is_too_large_is_refused(server: Served, page: SolvePageScript, tmp_path: Path) -> None:
    page.solve(RIVER, target=1.0)
    content = saved(server, page)
    plain = pickle.loads(content[:-40])
    plain["spot"] |= {
        "board": "Ks Qd 7h", "range_oop": "random", "range_ip": "random", "effective_stack": 2000,
        "bet_sizes": {"flop": {"bet": "50%"}, "turn": {"bet": "50%"}, "river": {"bet": "50%"}},
    }  # fmt: skip
    refused = page.ask("open", upload=upload(server, seal(pickle.dumps(plain, protocol=5))))
    assert refused["type"] == "refused"
    assert f"{MOST_BYTES / 1e6:,.0f} MB" in refused["text"]
