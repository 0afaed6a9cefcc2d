"""The worker without its process: limits of files, and what a page hears when something fails after it was promised."""

import multiprocessing
import os
import pickle
import queue
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from holdem.realtime import solve_subgame
from holdem.realtime.subgame.files import load_solution, save_solution
from holdem.realtime.subgame.solver import SubgameSolver
from holdem.realtime.subgame.spot import INFORMATION
from holdem.util.files.tables import write_tables
from holdem.web.solve import estimate
from holdem.web.solve.messages import GoOnAsked, OpenAsked, PageMessage, Plain, SaveAsked, StartAsked, StopAsked
from holdem.web.solve.worker import MOST_WAITING, SolveWorker, WorkerPlace, _listen
from tests.realtime.spots import RIVER, TURN
from tests.web.solve.conftest import MOST_BYTES


class HeardWorker(SolveWorker):
    """Answers at once, and keeps what it says, but for the wait for a compiler."""

    def __init__(self, folder: Path, most_bytes: int = MOST_BYTES) -> None:
        self.said: list[Plain] = []
        place = WorkerPlace(most_bytes, 1, folder, "/data/solve/token")
        super().__init__(queue.SimpleQueue(), self._say, place)

    def _say(self, message: Plain) -> None:
        if message["type"] != "told":
            self.said.append(message)

    def ask(self, message: PageMessage) -> list[Plain]:
        """All that is said in answer."""
        self.said.clear()
        self.answer(message)
        return list(self.said)

    def start(self, **spot: Any) -> list[Plain]:
        return self.ask(StartAsked(type="start", request=1, spot={**RIVER, **spot}, target=1.0))

    def open(self, path: Path) -> list[Plain]:
        return self.ask(OpenAsked(type="open", request=2, upload=path.name))


@pytest.fixture
def worker(tmp_path: Path) -> HeardWorker:
    return HeardWorker(tmp_path)


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    path = tmp_path / "turn.uploaded"
    save_solution(solve_subgame(TURN, max_iterations=20), path)
    return path


def write_with(path: Path, name: str, number: float) -> None:
    """The file again, with one number of a table replaced."""
    content = pickle.loads(path.read_bytes())
    storage = load_solution(path).solver.workspace.storage
    tables = {table: getattr(storage, table) for table in ("regrets", "averages", "scales")}
    tables[name][len(tables[name]) // 2] = number
    kept = {key: content[key] for key in ("spot", "iterations", "compressed", "schedule", "result")}
    write_tables(path, "subgame solve", 1, kept, tables)


def write_with_spot(path: Path, **changes: Any) -> None:
    """The file again, with some fields of its spot replaced; what is there several times is stored once."""
    content = pickle.loads(path.read_bytes())
    content["spot"] |= changes
    storage = load_solution(path).solver.workspace.storage
    tables = {table: getattr(storage, table) for table in ("regrets", "averages", "scales")}
    kept = {key: content[key] for key in ("spot", "iterations", "compressed", "schedule", "result")}
    write_tables(path, "subgame solve", 1, kept, tables)


def test_a_refusal_says_whether_there_is_a_solve(worker: HeardWorker) -> None:
    (refused,) = worker.start(pot=0)
    assert (refused["type"], refused["solved"]) == ("refused", False)
    assert worker.start()[-1]["type"] == "stopped"
    (refused,) = worker.start(pot=0)
    assert (refused["type"], refused["solved"]) == ("refused", True)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"board": "Ks Ks 7h"}, "Ks"),
        ({"pot": 0}, "pot is 0"),
        ({"range_oop": "A9z"}, "A9z"),
        ({"bet_sizes": {"turn": {"bet": "half"}}}, "half"),
        ({"locks": [3]}, "lock"),
        ({"nonsense": 1}, "nonsense"),
    ],
)
def test_a_spot_that_is_wrong(worker: HeardWorker, change: Plain, words: str) -> None:
    (refused,) = worker.start(**change)
    assert (refused["type"], refused["solved"]) == ("refused", False)
    assert words in refused["text"]


def test_a_start_that_is_stopped_before_it_begins_leaves_the_solve_that_is_there(worker: HeardWorker) -> None:
    worker.start()
    before = worker.solve
    worker.inbox.put(StopAsked(type="stop", request=8))
    cancelled, refused = worker.start(pot=70)
    assert (cancelled["type"], cancelled["request"]) == ("cancelled", 8)
    assert (refused["type"], refused["solved"]) == ("refused", True)
    assert "cancelled" in refused["text"]
    assert worker.solve is before


@pytest.mark.parametrize("change", [{"pot": 150}, {"bet_sizes": {"river": {"bet": "75%"}}}])
def test_a_lock_of_other_sizes_is_told_with_the_estimate(worker: HeardWorker, change: Plain) -> None:
    spot = {**RIVER, "locks": [{"node": "bet 50", "strategy": {"Fold": 1}}]}
    assert estimate.estimate(spot, "exact", None, MOST_BYTES).why_not == ""
    told = estimate.estimate({**spot, **change}, "exact", None, MOST_BYTES).why_not
    assert "a lock does not fit the spot" in told and "remove the lock" in told
    (refused,) = worker.start(**{**spot, **change})
    assert refused["text"] == told


def test_a_start_that_fails_when_its_room_was_made_says_that_the_old_solve_is_gone(
    worker: HeardWorker, monkeypatch: pytest.MonkeyPatch
) -> None:
    worker.start()

    def full(_: SubgameSolver) -> None:
        raise MemoryError

    monkeypatch.setattr(SubgameSolver, "allocate", full)
    (refused,) = worker.start()
    assert (refused["request"], refused["solved"]) == (1, False)
    assert "fit into memory" in refused["text"]
    (refused,) = worker.ask(SaveAsked(type="save", request=3))
    assert (refused["type"], refused["solved"]) == ("refused", False)


def test_a_node_that_does_not_fit_does_not_cost_the_solve(worker: HeardWorker, monkeypatch: pytest.MonkeyPatch) -> None:
    worker.start()

    def full(*_: object) -> Path:
        raise MemoryError

    monkeypatch.setattr("holdem.web.solve.worker.save_solve", full)
    (refused,) = worker.ask(SaveAsked(type="save", request=3))
    assert (refused["type"], refused["solved"]) == ("refused", True)
    assert worker.ask(StopAsked(type="stop", request=4))[0]["type"] == "stopped"


@pytest.mark.parametrize("error", [MemoryError(), RuntimeError("a defect")])
def test_a_run_that_fails_ends_what_it_began(
    worker: HeardWorker, error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    worker.start()

    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(SubgameSolver, "solve", fail)
    started, ended = worker.ask(GoOnAsked(type="go_on", request=5))
    assert (started["type"], ended["type"]) == ("started", "ended")
    assert "a defect" not in ended["text"]
    monkeypatch.undo()
    assert worker.start()[-1]["type"] == "stopped", "the page can start again"


@pytest.mark.parametrize("table", ["regrets", "averages"])
@pytest.mark.parametrize("number", [np.nan, np.inf, -np.inf])
def test_a_file_whose_numbers_are_none_is_refused(worker: HeardWorker, saved: Path, table: str, number: float) -> None:
    write_with(saved, table, number)
    worker.start()
    (refused,) = worker.open(saved)
    assert (refused["type"], refused["solved"]) == ("refused", False)
    assert "the file holds numbers that no solve can have" in refused["text"]
    assert not saved.exists()


def test_a_file_is_opened_within_the_limits_of_a_start(
    tmp_path: Path, saved: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = saved.read_bytes()
    needed = estimate.bytes_of(load_solution(saved).solver)
    (refused,) = HeardWorker(tmp_path, needed - 1).open(saved)
    assert "a solve may take" in refused["text"]
    saved.write_bytes(content)
    monkeypatch.setattr(estimate, "MOST_NODES", 10)
    (refused,) = HeardWorker(tmp_path).open(saved)
    assert "a page solves up to 10" in refused["text"]
    monkeypatch.undo()
    saved.write_bytes(content)
    opened, stopped = HeardWorker(tmp_path, needed).open(saved)
    assert (opened["type"], stopped["type"]) == ("opened", "stopped")


@pytest.mark.parametrize("field", sorted(INFORMATION))
def test_what_a_file_says_besides_is_not_told(worker: HeardWorker, saved: Path, field: str) -> None:
    write_with_spot(saved, **{field: ["x" * 100_000] * 300})
    assert saved.stat().st_size < 200_000
    opened, _ = worker.open(saved)
    assert opened["spot"] == TURN


@pytest.mark.parametrize(
    "change",
    [
        {"locks": [{"node": "," * 10_000, "strategy": {"Check": 1}}] * 300},
        {"played": [" " * 10_000 + "Check"] * 300},
        {"id": "x" * 100_000},
        {"bet_sizes": {"turn": {"bet": "75%", "raise": ["a"] * 100_000}}},
    ],
)
def test_a_file_of_a_spot_with_long_texts_is_refused(worker: HeardWorker, saved: Path, change: Plain) -> None:
    """However small it is: what is there many times is stored once, and would be told many times."""
    write_with_spot(saved, **change)
    assert saved.stat().st_size < 500_000
    (refused,) = worker.open(saved)
    assert refused["type"] == "refused"
    assert "letters, and a page takes up to 65,536" in refused["text"]


def test_a_file_that_comes_while_a_solve_runs_is_not_kept(worker: HeardWorker, saved: Path) -> None:
    worker.inbox.put(OpenAsked(type="open", request=7, upload=saved.name))
    said = worker.start()
    assert [one["type"] for one in said if one.get("request") == 7] == ["refused"]
    assert not saved.exists()


def test_a_page_that_asks_without_end_ends_its_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    inbox: queue.SimpleQueue[PageMessage] = queue.SimpleQueue()
    ended: list[int] = []
    monkeypatch.setattr(os, "_exit", ended.append)
    page, worker = multiprocessing.Pipe()
    with page, worker:
        for number in range(2 * MOST_WAITING):
            page.send_bytes(StopAsked(type="stop", request=number).model_dump_json().encode())
        _listen(worker, inbox)
    assert (ended, inbox.qsize()) == ([1], MOST_WAITING)


def test_menus_are_bounded(worker: HeardWorker) -> None:
    menu = ", ".join(f"{size}c" for size in range(1, estimate.MOST_SIZES + 2))
    for menus in ({"bet": menu}, {"bet": "50%", "raise": ["60%", menu]}):
        (refused,) = worker.start(bet_sizes={"river": menus})
        assert f"a menu has {estimate.MOST_SIZES + 1} bet sizes" in refused["text"]
    widest = {"river": {"bet": menu.rpartition(",")[0]}}
    assert worker.start(bet_sizes=widest)[-1]["type"] == "stopped"


def test_an_exploitability_of_nothing_is_not_below_it(worker: HeardWorker, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rounding in 32 bits leaves about 1e-7 of the pot on either side."""
    worker.start()
    assert worker.solve is not None
    for chips in (-1e-5, -0.0):
        worker.solve._exploitability = chips
        assert str(worker.solve.stopped_message()["exploitability"]) == "0.0"
