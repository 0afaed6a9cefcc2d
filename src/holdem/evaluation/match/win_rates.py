"""What a match says: chips per hand as bb/100 and mbb/hand, with 95 % intervals.

The unit of chance is the deal: the hands of one deal share their cards, so they are summed first, and intervals are
over deals. The mean of many independent deals is close to normal, hence 1.96 standard errors; of a few, as after an
early Ctrl+C, the scatter is hardly known either, hence Student's t.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

_NORMAL = 1.959964
_FEW = (math.inf, math.inf, 12.706, 4.303, 3.182, 2.776, 2.571)
"""Student's t by the number of values: one is no information about scatter."""


def confidence(count: int) -> float:
    """Standard errors to each side of a 95 % interval over so many values (Abramowitz and Stegun 26.7.5)."""
    if count < len(_FEW):
        return _FEW[count]
    z, freedom = _NORMAL, count - 1
    first = (z**3 + z) / 4.0
    second = (5.0 * z**5 + 16.0 * z**3 + 3.0 * z) / 96.0
    return z + first / freedom + second / freedom**2


def half_interval(values: npt.NDArray[np.float64]) -> float:
    """Half of the 95 % interval of the mean of independent values; infinite for a single one."""
    count = len(values)
    return confidence(count) * float(values.std(ddof=1)) / math.sqrt(count) if count > 1 else math.inf


@dataclass(frozen=True)
class WinRate:
    """Big blinds won a hand, on average over `hands` hands, with the standard error (infinite for a single deal)."""

    big_blinds: float
    standard_error: float
    hands: int
    deals: int

    @classmethod
    def of_deals(cls, chips: npt.NDArray[np.float64], hands_per_deal: int, big_blind: int) -> "WinRate":
        """From the chips won over all hands of each deal."""
        count = len(chips)
        per_hand = chips / (hands_per_deal * max(big_blind, 1))
        error = float(per_hand.std(ddof=1)) / math.sqrt(count) if count > 1 else math.inf
        return cls(float(per_hand.mean()) if count else 0.0, error, count * hands_per_deal, count)

    @property
    def bb_per_100(self) -> float:
        """Big blinds a hundred hands."""
        return 100.0 * self.big_blinds

    @property
    def mbb_per_hand(self) -> float:
        """Thousandths of a big blind a hand."""
        return 1000.0 * self.big_blinds

    @property
    def interval_bb_per_100(self) -> float:
        """Half of the 95 % interval, in bb/100."""
        return 100.0 * confidence(self.deals) * self.standard_error

    @property
    def ci95(self) -> list[float]:
        """Both ends of the 95 % interval, in bb/100."""
        return [self.bb_per_100 - self.interval_bb_per_100, self.bb_per_100 + self.interval_bb_per_100]

    @property
    def verdict(self) -> str:
        """Whether the interval is on one side of zero."""
        low, high = self.ci95
        return "wins" if low > 0 else "loses" if high < 0 else "undecided"

    def hands_for(self, interval_bb_per_100: float) -> int | None:
        """Hands that would give this half interval, if the luck stays as it was; None if nothing is known of luck."""
        if not 0.0 < self.standard_error < math.inf:
            return None
        return max(1, math.ceil(self.hands * (100.0 * _NORMAL * self.standard_error / interval_bb_per_100) ** 2))

    def to_plain(self) -> dict[str, Any]:
        """As JSON; null where a single deal gives no interval."""
        known = math.isfinite(self.standard_error)
        low, high = self.ci95
        return {
            "hands": self.hands,
            "bb_per_100": self.bb_per_100,
            "ci95": [low, high] if known else None,
            "mbb_per_hand": self.mbb_per_hand,
            "mbb_ci95": [10.0 * low, 10.0 * high] if known else None,
        }
