"""The control block of a parallel run: the pieces of the current step, and what each worker reports, in shared memory.

Words of 8 bytes: a header, the bounds and the states of the pieces, then for each worker its heartbeat and its
statistics, each on cache lines of their own. Workers write nothing but states and their own lines.
"""

import numpy as np
import numpy.typing as npt

from holdem.mccfr.kernels import control as kernels
from holdem.mccfr.kernels.external import NUM_COUNTERS
from holdem.mccfr.sampling.sampler import Statistics
from holdem.mccfr.workers.step_plan import MOST_PIECES
from holdem.util.shared_memory import SharedMemory

LINE = 16
"""Words that two processes do not share: two cache lines, because processors fetch them in pairs."""
_CURSOR, _COUNT, _HEADER_WORDS = 0, LINE, 2 * LINE
_BOUNDS = _HEADER_WORDS
_STATES = _BOUNDS + MOST_PIECES + LINE
_WORKERS = _STATES + MOST_PIECES
_HEARTBEAT, _COUNTERS, _UTILITIES = 0, LINE, 2 * LINE
WORDS_PER_WORKER = 4 * LINE
_MOST_PLAYERS = LINE


def block_bytes(workers: int) -> int:
    """Size of the control block."""
    return 8 * (_WORKERS + workers * WORDS_PER_WORKER)


def heartbeat_word(worker: int) -> int:
    """Which word of the block a worker's heartbeat is: what can be written before anything else is imported."""
    return _WORKERS + worker * WORDS_PER_WORKER + _HEARTBEAT


class ControlBlock:
    """A view of the control block in this process."""

    def __init__(self, memory: SharedMemory, workers: int) -> None:
        words: npt.NDArray[np.int64] = memory.array(np.int64, (block_bytes(workers) // 8,))
        self.workers = workers
        self.header = words[:_HEADER_WORDS]
        self.bounds = words[_BOUNDS : _BOUNDS + MOST_PIECES + 1]
        self.states = words[_STATES : _STATES + MOST_PIECES]
        self._lines = words[_WORKERS:].reshape(workers, WORDS_PER_WORKER)

    # Steps: the parent publishes, workers claim

    @property
    def pieces(self) -> int:
        """Pieces of the current step."""
        return int(self.header[_COUNT])

    def publish(self, pieces: int) -> None:
        """Open a step of so many pieces, whose `bounds` are written; nobody is at work."""
        kernels.publish(self.header, _CURSOR, _COUNT, self.states, pieces)

    def claim(self, worker: int) -> tuple[int, int, int] | None:
        """A piece for a worker: its number and its iterations [first, last); None when all are taken."""
        piece = kernels.claim(self.header, _CURSOR, _COUNT, self.states, worker)
        return None if piece < 0 else (piece, int(self.bounds[piece]), int(self.bounds[piece + 1]))

    def finish(self, piece: int, worker: int) -> None:
        """All iterations of a piece are done."""
        kernels.finish(self.states, piece, worker)

    def release(self, worker: int) -> int:
        """Free what a worker held that is gone; returns how many pieces."""
        return kernels.release(self.states, self.pieces, worker)

    def withdraw(self) -> None:
        """Nobody shall take another piece."""
        kernels.withdraw(self.states, self.pieces)

    def done(self) -> npt.NDArray[np.bool_]:
        """(pieces,): which are done."""
        return self.states[: self.pieces] < 0

    def any_free(self) -> bool:
        """Whether a piece waits for a worker."""
        return bool((self.states[: self.pieces] == kernels.FREE).any())

    def done_by_worker(self) -> npt.NDArray[np.int64]:
        """(workers,): iterations of the step that each has done."""
        pieces = self.pieces
        states, lengths = self.states[:pieces], np.diff(self.bounds[: pieces + 1])
        done = states < 0
        counts = np.bincount(-1 - states[done], weights=lengths[done], minlength=self.workers)
        return counts[: self.workers].astype(np.int64)

    def warm_up(self) -> None:
        """Compile (or load) what steps need, on arrays that are thrown away."""
        header, states = np.zeros_like(self.header), np.zeros(1, dtype=np.int64)
        kernels.publish(header, _CURSOR, _COUNT, states, 1)
        kernels.finish(states, kernels.claim(header, _CURSOR, _COUNT, states, 0), 0)
        kernels.release(states, 1, 0)
        kernels.withdraw(states, 1)

    # Workers

    def heartbeats(self) -> npt.NDArray[np.int64]:
        """(workers,): grows while a worker is alive and at work."""
        return self._lines[:, _HEARTBEAT].copy()

    def beat(self, worker: int) -> None:
        """A sign of life."""
        self._lines[worker, _HEARTBEAT] += 1

    def statistics_of(self, worker: int, num_players: int, unit: int) -> Statistics:
        """Statistics that live in the block: the worker's kernels add to them, the parent reads them."""
        line = self._lines[worker]
        utilities = line[_UTILITIES : _UTILITIES + 2 * num_players].view(np.float64).reshape(num_players, 2)
        return Statistics(unit, line[_COUNTERS : _COUNTERS + NUM_COUNTERS], utilities)

    def total_statistics(self, num_players: int, unit: int, iterations: int) -> Statistics:
        """The sum over all workers, also over those that were replaced."""
        total = Statistics.empty(num_players, unit)
        for worker in range(self.workers):
            one = self.statistics_of(worker, num_players, unit)
            total.counters += one.counters
            total.utilities += one.utilities
        total.iterations = iterations
        return total
