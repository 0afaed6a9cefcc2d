"""What each position wins or loses at a terminal of a betting tree.

Chips that no opponent matched come back, each side pot goes to the best hand among those who paid for it, and
equal hands split exactly: odd chips are the business of the rules engine, not of a strategy.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from holdem.abstraction.betting.tree import BettingTree, NodeKind
from holdem.abstraction.kernels.payoffs import payoffs_into


def payoffs(tree: BettingTree, node: int, strengths: Sequence[int] | npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    """Chips won minus chips put in at a terminal, one per position; a larger strength is the better hand."""
    if tree.kind[node] == NodeKind.DECISION:
        raise ValueError(f"node {node} is a decision, and only terminals have payoffs")
    out = np.empty(tree.num_players)
    payoffs_into(tree.chips_in[node], int(tree.folded[node]), np.asarray(strengths, dtype=np.int64), out)
    return out


def reference_payoffs(chips_in: Sequence[int], folded: set[int], strengths: Sequence[int]) -> list[float]:
    """The kernel in plain Python: a pot for each total of a contender, for the best who reach it."""
    result = [-float(chips) for chips in chips_in]
    contenders = [p for p in range(len(chips_in)) if p not in folded]
    totals = sorted({chips_in[p] for p in contenders})
    for i, total in enumerate(totals):
        low = totals[i - 1] if i else 0
        high = total if i + 1 < len(totals) else max(chips_in)
        pot = sum(min(chips, high) - min(chips, low) for chips in chips_in)
        eligible = [p for p in contenders if chips_in[p] >= total]
        best = max(strengths[p] for p in eligible)
        winners = [p for p in eligible if strengths[p] == best]
        for winner in winners:
            result[winner] += pot / len(winners)
    return result
