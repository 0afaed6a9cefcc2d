"""Processes of pages: they end with the page, with the server and with nobody's help; what they leave is nothing."""

import json
import os
import signal
import sys
import tempfile
from pathlib import Path

import psutil
import pytest
from websockets.sync.client import connect

from holdem.web.solve import rooms
from holdem.web.solve.estimator import Estimator
from holdem.web.solve.messages import EstimateAsked
from holdem.web.solve.page import MOST_UNANSWERED
from holdem.web.solve.page_socket import MOST_ESTIMATES
from tests.realtime.spots import RIVER
from tests.waiting import PATIENCE_SECONDS, wait_for
from tests.web.pages import Served
from tests.web.solve import beginning
from tests.web.solve.solve_pages import SolvePageScript, solve_page
from tests.web.solve.test_solving import WIDE_TURN
from tests.web.test_serve_command import end_quickly, serving

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="these signals are those of POSIX")


def workers(parent: int) -> list[psutil.Process]:
    """Solving and estimating processes of a server; the tracker of multiprocessing's resources is not one."""
    children = psutil.Process(parent).children(recursive=True)
    return [child for child in children if "spawn_main" in " ".join(child.cmdline())]


def wait_until_gone(process: psutil.Process) -> None:
    """By looking: a wait would take the child's last word away from its parent, which may be this process."""
    wait_for(lambda: not _is_alive(process))


def _is_alive(process: psutil.Process) -> bool:
    """An orphan that nobody buries does nothing any more."""
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def pid_of(server: Served) -> int:
    (page,) = server.solves._solving
    return page.pid


def wait_for_places(server: Served, count: int) -> None:
    wait_for(lambda: server.solves.solving == count)


def test_a_closed_page_ends_its_process_and_its_files(server: Served) -> None:
    with solve_page(server.address) as page:
        assert page.ask("start", spot=WIDE_TURN, target=0.0)["type"] == "started"
        page.until("progress")
        process = psutil.Process(pid_of(server))
        assert process.is_running()
    wait_until_gone(process)
    wait_for_places(server, 0)
    wait_for(lambda: not any(server.solves.folder.iterdir()))


def test_a_killed_process_is_a_sentence_and_the_page_starts_again(server: Served, page: SolvePageScript) -> None:
    assert page.ask("start", spot=WIDE_TURN, target=0.0)["type"] == "started"
    os.kill(pid_of(server), signal.SIGKILL)
    while (message := page.next())["type"] == "progress":
        pass
    assert message["type"] == "ended"
    assert "SIGKILL" in message["text"] and "start it again" in message["text"]
    assert page.solve(RIVER, target=0.5)["by"] == "target"


@pytest.mark.long
def test_one_page_too_many_is_refused_until_another_is_closed(server: Served) -> None:
    with solve_page(server.address) as late:
        with solve_page(server.address) as one, solve_page(server.address) as two:
            one.solve(RIVER, target=0.5)
            two.solve(RIVER, target=0.5)
            with solve_page(server.address) as seen:
                assert seen.welcome["solves"] == {"most": 2, "running": 2}
            refused = late.ask("start", spot=RIVER)
            assert refused["type"] == "refused"
            assert "all 2 places for solves are taken" in refused["text"]
            assert late.ask("estimate", spot=RIVER)["fits"]  # whoever cannot solve may plan
        wait_for_places(server, 0)
        assert late.solve(RIVER, target=0.5)["by"] == "target"


def test_what_is_refused_takes_no_place(server: Served) -> None:
    with solve_page(server.address) as one, solve_page(server.address) as two, solve_page(server.address) as three:
        for page in (one, two):
            assert "not here any more" in page.ask("open", upload="x" * 22)["text"]
        assert server.solves.solving == 0
        assert three.solve(RIVER, target=0.5)["by"] == "target"


def test_a_refused_first_start_gives_its_place_back(server: Served) -> None:
    """Two forgotten pages with wrong locks keep nobody out."""
    wrong = {**RIVER, "locks": [{"node": "bet 45", "strategy": {"Fold": 1}}]}
    with solve_page(server.address) as one:
        refused = one.ask("start", spot=wrong)
        assert (refused["type"], refused["solved"]) == ("refused", False)
        assert server.solves.solving == 0
        assert one.solve(RIVER, target=0.5)["by"] == "target", "the page can go on"
        assert one.ask("start", spot=wrong)["solved"] is True
        assert server.solves.solving == 1


def test_what_waits_behind_a_refused_start_is_answered(server: Served, page: SolvePageScript) -> None:
    first = page.say("start", spot={**RIVER, "pot": 0})
    nodes = [page.say("node") for _ in range(3)]
    second = page.say("start", spot=RIVER, target=0.5)
    answers = {}
    while second not in answers:
        message = page.next()
        if message["type"] != "told":  # that the solver is starting, or compiling
            answers[message["request"]] = message["type"]
    assert answers == {first: "refused", **dict.fromkeys(nodes, "refused"), second: "started"}
    assert page.until("stopped")["by"] == "target"


def test_a_worker_that_has_many_questions_gets_no_more_of_them(server: Served, page: SolvePageScript) -> None:
    """A key that is held asks faster than a large node is answered, and must not cost the solve."""
    page.solve(RIVER, target=0.5)
    process = psutil.Process(pid_of(server))
    process.suspend()
    (asked,) = server.solves._solving
    numbers = []
    for _ in range(MOST_UNANSWERED):
        numbers.append(page.say("node"))
        wait_for(lambda: len(asked._waiting) == len(numbers))
    refused = page.ask("node")
    assert refused["type"] == "refused"
    assert "too many questions at once" in refused["text"]
    stop = page.say("stop")
    process.resume()
    answers = [page.next() for _ in range(MOST_UNANSWERED + 1)]
    assert [one["request"] for one in answers] == [*numbers, stop]
    assert {one["type"] for one in answers} == {"node", "stopped"}
    assert page.ask("node")["type"] == "node"


@pytest.mark.parametrize("number", ["9" * 20, "9" * 12])
def test_a_folder_that_names_no_process_keeps_no_server_from_starting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: str
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    (tmp_path / f"{rooms.PREFIX}{number}_x").mkdir()
    rooms.SolveRooms(1).close()


def test_a_start_is_cancelled_while_the_worker_begins(
    server: Served, page: SolvePageScript, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("holdem.web.solve.page.main", beginning.main)
    number = page.say("start", spot=WIDE_TURN, target=0.0)
    assert page.next()["type"] == "told"  # its process starts now
    wait_for(lambda: pid_of(server) > 0)
    monkeypatch.undo()
    process = psutil.Process(pid_of(server))
    stop = page.say("stop")
    refused, cancelled = page.next(), page.next()
    assert (refused["type"], refused["request"], refused["solved"]) == ("refused", number, False)
    assert "cancelled" in refused["text"]
    assert (cancelled["type"], cancelled["request"]) == ("cancelled", stop)
    wait_until_gone(process)
    assert server.solves.solving == 0
    assert page.solve(RIVER, target=0.5)["by"] == "target"


@pytest.mark.long
def test_the_solve_that_was_left_for_longest_makes_room(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither one that runs nor one that was asked lately gives its place up."""
    with solve_page(server.address) as left, solve_page(server.address) as running, solve_page(server.address) as late:
        left.solve(RIVER, target=0.5)
        assert running.ask("start", spot=WIDE_TURN, target=0.0)["type"] == "started"
        monkeypatch.setattr(rooms, "LEAST_IDLE_SECONDS", PATIENCE_SECONDS)
        assert "all 2 places for solves are taken" in late.ask("start", spot=RIVER)["text"]
        monkeypatch.setattr(rooms, "LEAST_IDLE_SECONDS", 0.0)
        assert late.solve(RIVER, target=0.5)["by"] == "target"
        told = left.until("ended")
        assert "to make room" in told["text"] and "Start solves it again" in told["text"]
        assert "start a solve" in left.ask("node")["text"]
        assert running.ask("stop")["by"] == "stop"
        assert running.ask("node")["type"] == "node"
        assert server.solves.solving == 2


def test_an_estimate_survives_the_end_of_its_process(server: Served, page: SolvePageScript) -> None:
    assert page.ask("estimate", spot=RIVER)["fits"]
    before = psutil.Process(server.solves.estimator.pid)
    before.kill()
    wait_until_gone(before)
    assert page.ask("estimate", spot=RIVER)["fits"]
    assert server.solves.estimator.pid not in (0, before.pid)


def test_nothing_is_estimated_for_pages_that_are_closed(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten pages ask four times each behind a question that takes long, and are closed again."""
    asked: list[int] = []
    answer = Estimator._answer

    def counted(estimator: Estimator, message: EstimateAsked) -> str:
        asked.append(message.request)
        return answer(estimator, message)

    monkeypatch.setattr(Estimator, "_answer", counted)
    with solve_page(server.address) as last:
        with server.solves.estimator._lock:
            for _ in range(10):
                with solve_page(server.address) as page:
                    for _ in range(MOST_ESTIMATES):
                        page.say("estimate", spot=RIVER)
            wait_for(lambda: len(server.solves._pages) == 1)
        assert last.ask("estimate", spot=RIVER)["fits"]
        assert len(asked) == 1


@pytest.mark.long
@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGKILL, -9)])
def test_no_process_outlives_the_server(tmp_path: Path, number: signal.Signals, status: int) -> None:
    options = ("--most-solves", "1", "--solve-memory", "0.5")
    with (
        serving(tmp_path, *options) as (process, host),
        connect(f"ws://{host}/solve", max_size=None, open_timeout=PATIENCE_SECONDS) as socket,
    ):
        page = SolvePageScript(socket)
        assert page.welcome["solves"]["most"] == 1
        assert page.welcome["most_bytes"] == 500_000_000
        assert page.ask("estimate", spot=WIDE_TURN)["fits"]
        assert page.ask("start", spot=WIDE_TURN, target=0.0)["type"] == "started"
        page.until("progress")
        running = workers(process.pid)
        assert len(running) == 2
        process.send_signal(number)
        if number == signal.SIGINT:
            end_quickly(process)
        process.wait(PATIENCE_SECONDS)
        assert process.returncode == status
        for worker in running:
            wait_until_gone(worker)


@pytest.mark.long
def test_the_next_server_clears_what_a_killed_one_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    with serving(tmp_path) as (process, host):
        with connect(f"ws://{host}/solve", max_size=None, open_timeout=PATIENCE_SECONDS) as socket:
            SolvePageScript(socket)
        process.kill()
        process.wait(PATIENCE_SECONDS)
    (left,) = tmp_path.glob("holdem_solve_*")
    with serving(tmp_path) as (process, _):
        assert not left.exists()
        process.send_signal(signal.SIGINT)
        end_quickly(process)
    assert not list(tmp_path.glob("holdem_solve_*"))


def test_play_goes_on_while_a_page_solves(server: Served, page: SolvePageScript) -> None:
    """The server's loop waits for nothing: a hand is played while an estimate is built and a solve runs."""
    assert page.ask("start", spot=WIDE_TURN, target=0.0)["type"] == "started"
    page.say("estimate", spot=WIDE_TURN)
    with server.page() as table:
        assert table.play_hand()["type"] == "over"
    assert page.ask("stop")["by"] == "stop"
    assert json.dumps(page.ask("node"))
