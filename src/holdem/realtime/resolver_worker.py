"""A resident process that solves for a parent: whole sampled solves, or its share of the river cards of a vector solve.

It lives as long as the parent wants it, so that nothing has to be imported or compiled during a decision, and it ends
by itself when the pipe to the parent is closed. Large arrays are in memory that both share; the pipe carries the rest.
"""

import logging
import pickle
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

import numpy as np
import numpy.typing as npt

from holdem.errors import HoldemError
from holdem.mccfr.shared_table import SharedMemory
from holdem.realtime import _kernels_subgame as kernels
from holdem.realtime.solve_request import SolveRequest
from holdem.realtime.street_resolver import StreetResolver
from holdem.realtime.street_solution import Options, StreetSolution
from holdem.realtime.traversal import NEVER
from holdem.realtime.vector_search import VectorSearch

LOGGER = logging.getLogger(__name__)

READY, FAILED, SOLVED, BUILT, DONE = b"r", b"f", b"s", b"b", b"d"
"""First byte of a message to the parent."""
Float32 = npt.NDArray[np.float32]
OpenResolver = Callable[[], StreetResolver]
"""A function of an importable module, with its arguments: what a worker solves with."""


@dataclass(frozen=True)
class Share:
    """Which of the cards after the root street a worker visits, and where the tables are in the shared memory."""

    worker: int
    workers: int


def table_views(memory: SharedMemory, search: VectorSearch, workers: int) -> tuple[Float32, Float32, list[Float32]]:
    """Regrets, averages, and the work arrays of the parent and of each worker, in the shared memory."""
    entries, floats = search.table_sizes
    places = [entries, entries, *[floats] * (workers + 1)]
    starts = [4 * sum(places[:i]) for i in range(len(places) + 1)]
    if starts[-1] > memory.size:
        raise HoldemError(
            f"the tree needs {starts[-1] / 1e6:.0f} MB of shared memory, and there are {memory.size / 1e6:.0f}"
        )
    arrays = [memory.array(np.float32, (size,), start) for size, start in zip(places, starts, strict=False)]
    return arrays[0], arrays[1], arrays[2:]


def pack(solution: StreetSolution, memory: SharedMemory, start: int, room: int) -> bytes:
    """Write the arrays of a solution into the shared memory, and return the rest of it."""
    arrays = [policy for _, policy in solution.decisions.values()] + [solution.action_values]
    if sum(array.nbytes for array in arrays) > room:
        raise HoldemError("the answer is larger than the shared memory of a worker")
    for array in arrays:
        memory.array(np.float32, array.shape, start)[:] = array
        start += array.nbytes
    shapes = [(line, actions) for line, (actions, _) in solution.decisions.items()]
    return pickle.dumps((solution.line, shapes, solution.iterations, solution.note, solution.timing))


def unpack(message: bytes, memory: SharedMemory, start: int) -> StreetSolution:
    """The solution that `pack` wrote."""
    line, shapes, iterations, note, timing = pickle.loads(message)
    decisions: dict[Any, Options] = {}
    for key, actions in shapes:
        shape = (1326, len(actions))
        decisions[key] = actions, memory.array(np.float32, shape, start).copy()
        start += 4 * shape[0] * shape[1]
    values = memory.array(np.float32, (1326, len(decisions[line][0])), start).copy()
    return StreetSolution(line, decisions, values, iterations, note, timing)


class Worker:
    """What a worker does with each kind of message."""

    def __init__(self, connection: Connection, memory: SharedMemory, index: int, workers: int, region: int) -> None:
        self.connection, self.memory, self.index, self.workers = connection, memory, index, workers
        self.region = region
        self._search: VectorSearch | None = None
        self._tables: tuple[Float32, Float32, list[Float32]] | None = None

    def serve(self, open_resolver: OpenResolver, warm_up: Callable[[StreetResolver], None]) -> None:
        """Open what is needed, and answer until the parent closes the pipe."""
        self.resolver = open_resolver()
        warm_up(self.resolver)
        self.connection.send_bytes(READY)
        while True:
            kind, content = pickle.loads(self.connection.recv_bytes())
            try:
                self.connection.send_bytes(getattr(self, f"_{kind}")(content))
            except HoldemError as error:
                self.connection.send_bytes(FAILED + str(error).encode())

    def _sampled(self, request: SolveRequest) -> bytes:
        solution = self.resolver.solve(request)
        return SOLVED + pack(solution, self.memory, self.index * self.region, self.region)

    def _vector(self, request: SolveRequest) -> bytes:
        search = self.resolver.build(request)
        assert isinstance(search, VectorSearch)
        search.allocate()
        self._search, self._tables = search, table_views(self.memory, search, self.workers)
        return BUILT

    def _deal(self, content: tuple[int, int, bytes]) -> bytes:
        assert self._search is not None and self._tables is not None
        run_share(self._search, self._tables, Share(self.index, self.workers), *content)
        return DONE


def run_share(
    search: VectorSearch,
    tables: tuple[Float32, Float32, list[Float32]],
    share: Share,
    player: int,
    mode: int,
    factors: bytes,
) -> None:
    """Visit a worker's boards of the street after the root once, into its own work array."""
    solver, (regrets, averages, work) = search.solver, tables
    first, last = (int(number) for number in solver.deals.arrays.children[:2])
    storage = solver.storage._replace(regrets=regrets, averages=averages)
    kernels.run(
        solver.tree.arrays, solver.deals.arrays, solver.plan, 1, first + share.worker, last, share.workers,
        np.array([player], dtype=np.int64), mode, np.frombuffer(factors, dtype=np.float32)[None, :].copy(), storage,
        solver.weights, work[0], work[1 + share.worker], NEVER,
    )  # fmt: skip


def main(
    connection: Connection,
    memory: SharedMemory,
    index: int,
    workers: int,
    region: int,
    open_resolver: OpenResolver,
    warm_up: Callable[[StreetResolver], None],
) -> None:
    """The life of a worker process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C reaches the whole group; the parent decides what it means
    try:
        Worker(connection, memory, index, workers, region).serve(open_resolver, warm_up)
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return  # the parent is gone, or wants us to be
    except HoldemError as error:
        connection.send_bytes(FAILED + str(error).encode())
        time.sleep(0.1)  # let the parent read it before the pipe closes
