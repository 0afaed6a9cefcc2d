"""Build the evaluator's lookup tables: `python -m holdem.cards.kernels.evaluator_tables` writes them beside itself.

The strength of a hand without a flush depends only on how many cards of each rank it has. Each rank gets a
number (`RANK_KEYS`) such that the sum over a hand's cards names that multiset of ranks: no two multisets of five,
six or seven cards share a sum. The sums, below 2**23, are sparse; row displacement (Tarjan & Yao 1979) packs
them into a table that fits the second-level cache: the high bits pick a row's shift, the low bits a column.

Strengths count the 7,462 classes of five-card hands from 1 (7-high) to 7,462 (royal flush).
The tables are small enough to ship, and a test builds them again and compares.
"""

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import numpy as np
import numpy.typing as npt

from holdem.util.jit import kernel

RANK_KEYS = (0, 1, 5, 22, 98, 453, 2031, 8698, 22854, 83661, 262349, 636345, 1479181)
SUM_BITS = 23
COLUMN_BITS = 10
TABLE_PATH = Path(__file__).with_name("evaluator_tables.npz")

Score = tuple[int, ...]


def rank_multisets(num_cards: int, ranks: int = 13) -> Iterator[tuple[int, ...]]:
    """All ways to hold `num_cards` cards as counts per rank, low rank first, at most four of each."""
    if ranks == 0:
        if num_cards == 0:
            yield ()
        return
    for top_count in range(min(4, num_cards) + 1):
        for rest in rank_multisets(num_cards - top_count, ranks - 1):
            yield (*rest, top_count)


def straight_top(rank_mask: int) -> int:
    """Highest card of the best straight in a set of ranks; 3 for the wheel, −1 for none."""
    for top in range(12, 3, -1):
        if (rank_mask >> (top - 4)) & 0b11111 == 0b11111:
            return top
    return 3 if rank_mask & 0b1000000001111 == 0b1000000001111 else -1


def rank_score(counts: tuple[int, ...]) -> Score:
    """Best five-card hand without regard to suits, as a tuple that sorts by strength."""
    by_count = {n: [r for r in range(12, -1, -1) if counts[r] >= n] for n in (1, 2, 3, 4)}

    def kickers(number: int, *used: int) -> Score:
        return tuple([r for r in by_count[1] if r not in used][:number])

    if by_count[4]:
        quad = by_count[4][0]
        return (7, quad, *kickers(1, quad))
    if by_count[3] and len(by_count[2]) >= 2:
        trip = by_count[3][0]
        return (6, trip, next(r for r in by_count[2] if r != trip))
    top = straight_top(sum(1 << r for r in by_count[1]))
    if top >= 0:
        return (4, top)
    if by_count[3]:
        return (3, by_count[3][0], *kickers(2, by_count[3][0]))
    if len(by_count[2]) >= 2:
        high, low = by_count[2][:2]
        return (2, high, low, *kickers(1, high, low))
    if by_count[2]:
        return (1, by_count[2][0], *kickers(3, by_count[2][0]))
    return (0, *kickers(5))


def flush_score(rank_mask: int) -> Score:
    """Best flush or straight flush in five or more cards of one suit."""
    top = straight_top(rank_mask)
    if top >= 0:
        return (8, top)
    return (5, *[r for r in range(12, -1, -1) if rank_mask >> r & 1][:5])


def strength_numbers() -> dict[Score, int]:
    """Every five-card score with its place, 1 (worst) to 7,462 (best)."""
    scores = {rank_score(counts) for counts in rank_multisets(5)}
    scores |= {flush_score(sum(1 << r for r in ranks)) for ranks in combinations(range(13), 5)}
    return {score: number for number, score in enumerate(sorted(scores), start=1)}


def sum_key(counts: tuple[int, ...]) -> int:
    """Place of a rank multiset before packing: its sum, in a region of its own for each hand size."""
    total = sum(count * key for count, key in zip(counts, RANK_KEYS, strict=True))
    return total + ((7 - sum(counts)) << SUM_BITS)


@kernel
def _first_fit(
    columns: npt.NDArray[np.int64], starts: npt.NDArray[np.int64], order: npt.NDArray[np.int64]
) -> npt.NDArray[np.int32]:
    """Shift the rows, fullest first, to the first place where they hit no cell that is taken."""
    taken = np.zeros(8 * len(columns), dtype=np.uint8)
    shifts = np.zeros(len(starts) - 1, dtype=np.int32)
    first_free = 0
    for row in order:
        mine = columns[starts[row] : starts[row + 1]]
        shift = first_free - mine[0]
        fits = False
        while not fits:
            fits = True
            for column in mine:
                if taken[shift + column]:
                    fits = False
                    shift += 1
                    break
        for column in mine:
            taken[shift + column] = 1
        shifts[row] = shift
        while taken[first_free]:
            first_free += 1
    return shifts


def displace_rows(keys: npt.NDArray[np.int64]) -> npt.NDArray[np.int32]:
    """A shift per row so that `shift[key >> COLUMN_BITS] + column` is different for every key."""
    ordered = np.sort(keys)
    starts = np.searchsorted(ordered >> COLUMN_BITS, np.arange((3 << (SUM_BITS - COLUMN_BITS)) + 1))
    sizes = np.diff(starts)
    order = np.argsort(-sizes, kind="stable")
    columns = ordered & ((1 << COLUMN_BITS) - 1)
    return _first_fit(columns, starts, order[sizes[order] > 0])


def build_tables() -> dict[str, npt.NDArray[np.generic]]:
    """`row_shift` (rows,) int32, `strength` (cells,) uint16 and `flush_strength` (8192,) uint16 by rank mask."""
    numbers = strength_numbers()
    hands = [counts for num_cards in (5, 6, 7) for counts in rank_multisets(num_cards)]
    keys = np.array([sum_key(counts) for counts in hands], dtype=np.int64)
    row_shift = displace_rows(keys)
    cells = row_shift[keys >> COLUMN_BITS] + (keys & ((1 << COLUMN_BITS) - 1))
    strength = np.zeros(int(cells.max()) + 1, dtype=np.uint16)
    strength[cells] = [numbers[rank_score(counts)] for counts in hands]
    flush_strength = np.zeros(1 << 13, dtype=np.uint16)
    for mask in range(1 << 13):
        if 5 <= mask.bit_count() <= 7:
            flush_strength[mask] = numbers[flush_score(mask)]
    return {"row_shift": row_shift, "strength": strength, "flush_strength": flush_strength}


if __name__ == "__main__":
    np.savez_compressed(TABLE_PATH, **build_tables())
    print(f"wrote {TABLE_PATH.name}, {TABLE_PATH.stat().st_size:,} bytes")
