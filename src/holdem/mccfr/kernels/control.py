"""Compiled claims on the pieces of a step, one atomic instruction each, so that a kill at any moment loses nothing.

states: (pieces,) int64 in shared memory. A piece is FREE, held by worker w (w + 1), done by worker w (-1 - w), or
WITHDRAWN. A worker takes a piece by comparing and exchanging FREE, so that the memory itself says who holds what.
"""

from holdem.util.arrays import Int64
from holdem.util.jit import kernel
from holdem.util.kernels.atomic import compare_exchange, exchange, fetch_add

FREE = 0
WITHDRAWN = 1 << 40


@kernel
def cut_pieces(first: int, last: int, sizes: Int64, least: int, workers: int, bounds: Int64) -> int:
    """Cut [first, last) into pieces of the sizes in turn, smaller towards the end; returns how many.

    bounds: (most pieces + 1,), filled with where pieces begin and, behind them, where the last one ends
    """
    position, pieces = first, 0
    bounds[0] = first
    while position < last and pieces < bounds.shape[0] - 1:
        most = max(least, (last - position) // (2 * workers))
        position += min(sizes[pieces % sizes.shape[0]], most, last - position)
        pieces += 1
        bounds[pieces] = position
    return pieces


@kernel
def claim(header: Int64, cursor: int, count: int, states: Int64, worker: int) -> int:
    """Take a free piece: its number, or -1 when none is free.

    header[cursor]: where to look next, moved by everybody; header[count]: pieces of the step. Behind the last piece a
    worker looks through all of them once more: those of a worker that failed are free again.
    """
    pieces = fetch_add(header, count, 0)
    while True:
        piece = fetch_add(header, cursor, 1)
        if piece >= pieces:
            break
        if compare_exchange(states, piece, FREE, worker + 1) == FREE:
            return piece
    for piece in range(pieces):
        if states[piece] == FREE and compare_exchange(states, piece, FREE, worker + 1) == FREE:
            return piece
    return -1


@kernel
def finish(states: Int64, piece: int, worker: int) -> None:
    """A piece is done, and all that it added to the table is there for whoever sees this."""
    exchange(states, piece, -1 - worker)


@kernel
def release(states: Int64, pieces: int, worker: int) -> int:
    """Free what a worker that is gone still held; returns how many pieces."""
    freed = 0
    for piece in range(pieces):
        freed += compare_exchange(states, piece, worker + 1, FREE) == worker + 1
    return freed


@kernel
def withdraw(states: Int64, pieces: int) -> None:
    """Nobody shall take another piece of this step."""
    for piece in range(pieces):
        compare_exchange(states, piece, FREE, WITHDRAWN)


@kernel
def publish(header: Int64, cursor: int, count: int, states: Int64, pieces: int) -> None:
    """Open a step of so many pieces whose bounds are written; nobody is at work."""
    for piece in range(pieces):
        exchange(states, piece, FREE)
    exchange(header, cursor, 0)
    exchange(header, count, pieces)
