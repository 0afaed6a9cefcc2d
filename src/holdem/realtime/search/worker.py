"""A resident process that solves sampled requests for a parent.

It lives as long as the parent wants it, so that nothing has to be imported or compiled during a decision, and it ends
by itself when the pipe to the parent is closed. Large arrays are in memory that both share; the pipe carries the rest.
"""

import logging
import pickle
import signal
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

import numpy as np
import numpy.typing as npt

from holdem.errors import HoldemError
from holdem.realtime.search.request import SolveRequest
from holdem.realtime.search.street_resolver import StreetResolver
from holdem.realtime.search.street_solution import Options, StreetSolution
from holdem.util.shared_memory import SharedMemory

LOGGER = logging.getLogger(__name__)

READY, FAILED, SOLVED = b"r", b"f", b"s"
"""First byte of a message to the parent."""
HEADER_BYTES = 64
"""Of a worker's region of the shared memory, before its arrays: the count that shows that a solve goes on."""
OpenResolver = Callable[[], StreetResolver]
"""A function of an importable module, with its arguments: what a worker solves with."""


def progress_of(memory: SharedMemory, start: int) -> npt.NDArray[np.int64]:
    """(1,) a number that changes every few milliseconds while the worker of this region iterates."""
    return memory.array(np.int64, (1,), start)


def pack(solution: StreetSolution, memory: SharedMemory, start: int, room: int) -> bytes:
    """Write the arrays of a solution into the shared memory, and return the rest of it."""
    arrays = [policy for _, policy in solution.decisions.values()] + [solution.action_values]
    if HEADER_BYTES + sum(array.nbytes for array in arrays) > room:
        raise HoldemError("the answer is larger than the shared memory of a worker")
    start += HEADER_BYTES
    for array in arrays:
        memory.array(np.float32, array.shape, start)[:] = array
        start += array.nbytes
    shapes = [(line, actions) for line, (actions, _) in solution.decisions.items()]
    return pickle.dumps((solution.line, shapes, solution.iterations, solution.note, solution.timing, solution.ends))


def unpack(message: bytes, memory: SharedMemory, start: int) -> StreetSolution:
    """The solution that `pack` wrote."""
    line, shapes, iterations, note, timing, ends = pickle.loads(message)
    start += HEADER_BYTES
    decisions: dict[Any, Options] = {}
    for key, actions in shapes:
        shape = (1326, len(actions))
        decisions[key] = actions, memory.array(np.float32, shape, start).copy()
        start += 4 * shape[0] * shape[1]
    values = memory.array(np.float32, (1326, len(decisions[line][0])), start).copy()
    return StreetSolution(line, decisions, values, iterations, note, timing, ends=ends)


class Worker:
    """Answers one request after the other. Its region of the shared memory begins with a count of iterations."""

    def __init__(self, connection: Connection, memory: SharedMemory, start: int, room: int) -> None:
        self.connection, self.memory, self.start, self.room = connection, memory, start, room
        self._progress = progress_of(memory, start)

    def serve(self, open_resolver: OpenResolver, warm_up: Callable[[StreetResolver], None]) -> None:
        """Open what is needed, and answer until the parent closes the pipe."""
        resolver = open_resolver()
        warm_up(resolver)
        resolver.heard = self._tell
        self.connection.send_bytes(READY)
        while True:
            request: SolveRequest = pickle.loads(self.connection.recv_bytes())
            try:
                answer = SOLVED + pack(resolver.solve(request), self.memory, self.start, self.room)
            except HoldemError as error:
                answer = FAILED + str(error).encode()
            self.connection.send_bytes(answer)

    def _tell(self, iterations: int) -> None:
        self._progress[0] += 1


def main(
    connection: Connection,
    memory: SharedMemory,
    start: int,
    room: int,
    open_resolver: OpenResolver,
    warm_up: Callable[[StreetResolver], None],
) -> None:
    """The life of a worker process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C reaches the whole group; the parent decides what it means
    try:
        Worker(connection, memory, start, room).serve(open_resolver, warm_up)
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return  # the parent has ended or closed the pipe
    except HoldemError as error:
        connection.send_bytes(FAILED + str(error).encode())
        time.sleep(0.1)  # let the parent read it before the pipe closes
