"""What a model plays where training never came by and somebody has bet: a call if the bucket's chance pays for it.

Such a row adds up to `GUESS`, not to the scale. Kernels read a row by what it adds up to, so everybody plays the guess,
and nobody takes it for something that was learnt.
"""

from collections.abc import Iterator

import numpy as np

from holdem.abstraction.betting.row_layout import RowBlock, row_blocks
from holdem.abstraction.bucketing import HandBucketing
from holdem.cards.preflop_equity import class_equities
from holdem.policy.files import GUESS
from holdem.policy.policy import AveragePolicy
from holdem.types import STREET_NAMES
from holdem.util.arrays import Float64, UInt16

CALL_MARGIN = 0.1
"""A call needs so much more chance than its price says: whoever bets seldom has a random hand."""
FOLD_AND_CALL = 2
"""Actions that are no raise where there is a bet; the fold comes first."""


def blocks_with_guesses(policy: AveragePolicy, bucketing: HandBucketing) -> Iterator[tuple[RowBlock, UInt16]]:
    """The blocks of a policy's table, copied, with a guess in every row of zeros that faces a bet."""
    tree = policy.tree
    for block in row_blocks(tree, policy.info.buckets_per_street):
        table = np.array(policy.table[block.start : block.end])
        chances = bucket_chances(bucketing, block.street, block.buckets)
        if chances is not None and block.width:
            chips = tree.chips_in[block.nodes].astype(np.int64)
            pot, price = chips.sum(axis=1), chips.max(axis=1) - chips[:, block.position]
            needed = price / np.maximum(pot + price, 1) + CALL_MARGIN
            live = [(tree.folded[block.nodes] >> position) & 1 == 0 for position in range(tree.num_players)]
            others = np.sum(live, axis=0) - 1
            bet = (policy.num_passive[block.nodes] == FOLD_AND_CALL) & (price > 0)
            starts = np.cumsum(block.widths, dtype=np.int64) - block.widths
            for row, chance in zip(table.reshape(block.buckets, block.width), chances, strict=True):
                unknown = bet & (np.add.reduceat(row, starts, dtype=np.int64) == 0)
                calls = chance ** others[unknown] >= needed[unknown]
                row[starts[unknown] + calls] = GUESS
        yield block, table


def bucket_chances(bucketing: HandBucketing, street: int, buckets: int) -> Float64 | None:
    """(buckets,) mean chance of each bucket of a street against one random hand; None where nobody says."""
    if street == 0:
        return class_equities() if buckets == len(class_equities()) else None
    means = bucketing.report.get(STREET_NAMES[street], {}).get("equity_mean")
    fits = isinstance(means, np.ndarray) and means.shape == (buckets,)
    return means.astype(np.float64) if fits else None
