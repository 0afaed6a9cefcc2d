"""`order`: who does it is decided by equity, wherever the line between doing and not doing is drawn.

    - name: Calling a jam follows equity
      kind: order
      lines: ["SB all-in"]
      action: call
      at_least: 0.8

The figure is the chance that a hand drawn from those that take the action has more equity than one drawn from those
that do not (the area under the ROC curve; a tie counts half). A strategy that draws a line through the order of
equities has 1, one that does not look at its cards 0.5, one that does the opposite 0. If a share q of what is done is
noise, the figure is about 1 - q/2: `at_least: 0.8` allows four of ten calls to be random. All hands
count alike, so lines that hardly any hand comes to say little.
"""

from typing import Literal

import numpy as np

from holdem.evaluation.litmus.check import ActionName, Findings, Lines, LitmusCheck, Share, is_trained, judge_lines
from holdem.evaluation.litmus.spots import MOSTLY, LitmusSpot, PolicySpots
from holdem.util.arrays import Float64


class Order(LitmusCheck):
    """Better hands do it, worse hands do not; `falling`: the other way round."""

    kind: Literal["order"]
    lines: Lines
    action: ActionName
    direction: Literal["rising", "falling"] = "rising"
    against: str = "random"
    """The range that equity is measured against."""
    at_least: Share
    cause: str = "a line that training rarely visits, or a strategy that does not depend on the cards at all"

    def judge(self, spots: PolicySpots) -> Findings:
        return judge_lines(spots, self.lines, Findings(), self._judge_at)

    def _judge_at(self, spot: LitmusSpot, findings: Findings) -> None:
        frequency, equities = spot.frequency(self.action), spot.equities(self.against)
        if not is_trained(spot, frequency, findings, enough=MOSTLY):
            return
        judged = ~np.isnan(frequency) & ~np.isnan(equities)
        figure = chance_in_order(equities[judged], frequency[judged])
        if figure is None:
            done = frequency[judged].mean() > 0.5 if judged.any() else False
            findings.left_out.append(f"{'every' if done else 'no'} hand takes {self.action!r} there: no order to see")
            return
        figure = figure if self.direction == "rising" else 1.0 - figure
        more = "more" if self.direction == "rising" else "less"
        what = (
            f"a hand that would {self.action} has {more} equity than one that would not in {figure:.2f} of all pairs "
            f"(0.5 is blind, 1 is perfect), expected at least {self.at_least:.2f}"
        )
        findings.compare(figure, self.at_least, False, spot.where, what)


def chance_in_order(values: Float64, does: Float64) -> float | None:
    """How likely one who does it has the larger value than one who does not; None if nobody, or everybody, does."""
    doing, leaving = float(does.sum()), float((1.0 - does).sum())
    if doing < 1e-9 or leaving < 1e-9:
        return None
    _, place = np.unique(np.round(values, 9), return_inverse=True)
    by_place = np.bincount(place, weights=does)
    others = np.bincount(place, weights=1.0 - does)
    below = np.cumsum(others) - others
    return float(by_place @ (below + 0.5 * others) / (doing * leaving))
