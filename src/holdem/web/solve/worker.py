"""The process that solves for one page: build → estimate → allocate → solve in slices → ask.

A thread reads the pipe, so that messages are heard while kernels are compiled and iterations run; when the pipe ends,
the page or the server is gone, and so is this process. Messages to the page are JSON and are passed on as they are.
"""

import gc
import os
import queue
import signal
import threading
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path

from holdem.cards import Range, parse_cards
from holdem.cards.equity import equities_of_ranges
from holdem.errors import ConfigError, HoldemError
from holdem.realtime.solve import warm_up
from holdem.realtime.subgame.files import load_solution
from holdem.realtime.subgame.nodes.lock import apply_locks
from holdem.realtime.subgame.solver import SubgameSolver
from holdem.realtime.subgame.spot import Spot
from holdem.util.compiling import PATIENCE_SECONDS, to_compile
from holdem.util.jit import cache_folder
from holdem.util.logs import LOGGER
from holdem.web.solve.answers import save_csv, save_solve
from holdem.web.solve.estimate import GROUPS, bytes_of, check_locks_of, check_spot, checked_solver, estimate, too_large
from holdem.web.solve.messages import (
    CsvAsked,
    EstimateAsked,
    GoOnAsked,
    HandsKind,
    NextSpotAsked,
    NodeAsked,
    OpenAsked,
    PageMessage,
    Plain,
    SaveAsked,
    StartAsked,
    StopAsked,
    as_text,
    read_checked,
    refusal,
)
from holdem.web.solve.next_spot import next_spot
from holdem.web.solve.node_data import node_data
from holdem.web.solve.sliced_solve import SlicedSolve

NOTHING_YET = "nothing is solved yet; start a solve or open a file"
NICENESS = 5
"""A solve takes what the tables of people who play leave."""
IDLE_SECONDS = 0.5
"""A page that has asked nothing for so long looks at what it has; the next question comes first all the same."""
MOST_WAITING = 64
"""Messages; a page that has asked so often and waits for no answer is no person's."""
RUNNING = "the solve is running; stop it first"
CANCELLED = "the start was cancelled; nothing was solved"


@dataclass(frozen=True)
class WorkerPlace:
    """What a worker may take and where it writes; `folder` and `address` are of its page alone."""

    most_bytes: int
    threads: int
    folder: Path
    address: str


def main(connection: Connection, place: WorkerPlace) -> None:
    """The life of a worker process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C reaches the whole group; the parent decides what it means
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    inbox: queue.SimpleQueue[PageMessage] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(connection, inbox), name="page", daemon=True).start()
    SolveWorker(inbox, lambda message: connection.send_bytes(as_text(message).encode()), place).serve()


def _listen(connection: Connection, inbox: "queue.SimpleQueue[PageMessage]") -> None:
    try:
        while inbox.qsize() < MOST_WAITING:
            inbox.put(read_checked(connection.recv_bytes().decode()))
    finally:  # the page or the server is gone, or asks without end
        os._exit(1)


class SolveWorker:
    """Answers messages one after the other; `inbox` is looked into while a solve runs."""

    def __init__(
        self, inbox: "queue.SimpleQueue[PageMessage]", send: Callable[[Plain], None], place: WorkerPlace
    ) -> None:
        self.inbox, self.send, self.place = inbox, send, place
        self.solve: SlicedSolve | None = None

    def serve(self) -> None:
        """Until the process is ended."""
        while True:
            self.answer(self._next())

    def _next(self) -> PageMessage:
        """The next message; while none comes, the exploitability with exact hands is measured and told."""
        if self.solve is not None and self.solve.owes_exact:
            try:
                return self.inbox.get(timeout=IDLE_SECONDS)
            except queue.Empty:
                self._tell_exact(self.solve)
        return self.inbox.get()

    def _tell_exact(self, solve: SlicedSolve) -> None:
        try:
            percent = solve.measure_exact(lambda: not self.inbox.empty())
        except Exception:  # the solve itself is well
            LOGGER.exception("the exploitability with exact hands failed")
            return
        if percent is not None:
            self.send({"type": "exact", "iterations": solve.solver.iterations, "exploitability": percent})

    def answer(self, message: PageMessage) -> None:
        """One message; whatever goes wrong is one sentence."""
        try:
            self._answer(message)
        except (BrokenPipeError, ConnectionResetError):
            os._exit(1)
        except Exception as error:
            solved = None if isinstance(message, EstimateAsked) else self.solve is not None
            self.send(refusal(message.request, _sentence(error), solved))

    def _answer(self, message: PageMessage) -> None:
        match message:
            case EstimateAsked():
                self._estimate(message)
            case StartAsked():
                self._start(message)
            case OpenAsked():
                self._open(message)
            case GoOnAsked():
                solve = self._solved()
                self.send({"type": "started", "request": message.request, **_sizes(solve.solver)})
                self._run(solve, message)
            case StopAsked():
                self.send({**self._solved().stopped_message(), "request": message.request})
            case NodeAsked():
                data = node_data(self._solved().solution, message.path)
                self.send({"type": "node", "request": message.request, **data})
            case NextSpotAsked():
                spot = next_spot(self._solved().solution, message.path)
                self.send({"type": "next_spot", "request": message.request, "spot": spot})
            case SaveAsked():
                self._file(message, save_solve(self._solved().solution, self.place.folder), "solve")
            case CsvAsked():
                self._file(message, save_csv(self._solved().solution, message.path, self.place.folder), "csv")

    def _solved(self) -> SlicedSolve:
        if self.solve is None:
            raise ConfigError(NOTHING_YET)
        return self.solve

    def _estimate(self, message: EstimateAsked) -> None:
        found = estimate(message.spot, message.hands, message.target, self.place.most_bytes, self.place.threads)
        self.send({**found.to_plain(), "request": message.request})

    def _start(self, message: StartAsked) -> None:
        spot = Spot.from_plain(message.spot)
        solver = checked_solver(spot, message.hands, self.place.threads)
        self._check_size(solver, message.hands)
        check_locks_of(solver)
        self._check_cancelled()
        self._warm_up(message.hands)
        self._check_cancelled()
        self._forget()
        solver.allocate()
        apply_locks(solver)
        self.solve = SlicedSolve(solver, self.place.most_bytes)
        self.send({"type": "started", "request": message.request, **_sizes(solver)})
        self._run(self.solve, message)

    def _check_cancelled(self) -> None:
        """Give a start up that the page has stopped meanwhile, before what was solved until now is forgotten."""
        if stops := self._stops():
            for number in stops:
                self.send({"type": "cancelled", "request": number})
            raise ConfigError(CANCELLED)

    def _open(self, message: OpenAsked) -> None:
        path = self.place.folder / message.upload  # the server has put it there under a name of its own
        try:
            self._warm_up("exact")
            solution = load_solution(
                path, self.place.threads, self.place.most_bytes, check_spot=check_spot, before_tables=self._make_room
            )
        except HoldemError as error:
            raise ConfigError(str(error).replace(str(path), "the file")) from None
        finally:
            path.unlink(missing_ok=True)
        before = solution.result
        solve = SlicedSolve(solution.solver, self.place.most_bytes, before.seconds, before.stopped_by)
        stopped = solve.stopped_message()  # which only a solve has that can be asked and gone on with
        self.solve = solve
        opened: Plain = {"type": "opened", "request": message.request, "spot": solution.spot.question()}
        self.send({**opened, "iterations": solution.solver.iterations, **_sizes(solution.solver)})
        self.send(stopped)

    def _make_room(self, solver: SubgameSolver) -> None:
        self._check_size(solver, "exact")
        self._forget()

    def _check_size(self, solver: SubgameSolver, hands: HandsKind) -> None:
        if why_not := too_large(bytes_of(solver), hands, self.place.most_bytes):
            raise ConfigError(why_not)

    def _forget(self) -> None:
        """The tables of the last solve go before the next ones come, of which all is known to be well."""
        self.solve = None
        gc.collect()

    def _warm_up(self, hands: HandsKind) -> None:
        """Compile or load the kernels; a page that has to wait for the compiler is told."""
        missing: dict[str, float] = {}
        for job in ("solve" if hands == "exact" else "solve groups", "equity"):
            missing |= to_compile(job, cache_folder())
        seconds = sum(missing.values())
        if seconds > PATIENCE_SECONDS:
            words = f"compiling for this machine, once for each version: about {seconds:.0f} s"
            self.send({"type": "told", "text": words})
        warm_up(groups=None if hands == "exact" else GROUPS, threads=self.place.threads)
        river = parse_cards("2c2d2h3c4d")
        equities_of_ranges(Range.parse("AA").weights, Range.parse("KK").weights, river)  # nodes are asked next

    def _run(self, solve: SlicedSolve, message: StartAsked | GoOnAsked) -> None:
        """Solve, and answer what comes meanwhile: a stop, or that this has to wait."""
        stops: list[int] = []

        def interrupted() -> bool:
            stops.extend(self._stops())
            return bool(stops)

        try:
            solve.run(message.target, message.seconds, interrupted, self.send)
            stopped = solve.stopped_message()
        except (BrokenPipeError, ConnectionResetError):
            raise
        except Exception as error:  # the page was told that it has begun, so it is told that it has ended
            self._forget()
            self.send({"type": "ended", "text": f"the solve has ended: {_sentence(error)}"})
            return
        for answered in [{"request": number} for number in stops] or [{}]:
            self.send({**stopped, **answered})

    def _stops(self) -> list[int]:
        """Numbers of the stops that have come meanwhile; whatever else has come has to wait."""
        stops: list[int] = []
        while not self.inbox.empty():
            other = self.inbox.get()
            if isinstance(other, StopAsked):
                stops.append(other.request)
                continue
            if isinstance(other, OpenAsked):
                (self.place.folder / other.upload).unlink(missing_ok=True)  # nobody will read it
            self.send(refusal(other.request, RUNNING))
        return stops

    def _file(self, message: SaveAsked | CsvAsked, path: Path, kind: str) -> None:
        address = f"{self.place.address}/{kind}"
        size = path.stat().st_size
        self.send(
            {"type": "file", "request": message.request, "address": address, "name": path.name, "bytes": size}
        )  # fmt: skip


def _sentence(error: Exception) -> str:
    """What a page is told of it; what is no sentence for users goes to the log."""
    if isinstance(error, HoldemError):
        return str(error)
    if isinstance(error, MemoryError):
        return "it does not fit into memory; give fewer bet sizes or smaller ranges"
    LOGGER.error("a solve of a page failed", exc_info=error)
    return "the solve failed at this; the log of the server says why"


def _sizes(solver: SubgameSolver) -> Plain:
    return {"bytes": bytes_of(solver), "hands": list(solver.estimate().hands)}
