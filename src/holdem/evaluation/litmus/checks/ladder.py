"""`ladder`: an action gets no rarer (or, `falling`, no more frequent) as hands get better.

    - name: Open-raising grows with the hand
      kind: ladder
      lines: [""]
      rungs: 8                   # so many groups of hands by equity, or a list of ranges from worst to best
      action: raise
      slack: 0.15                # how far a better rung may fall behind any worse one
      rise: 0.3                  # how far the best rung must be ahead of the worst

A rung is the mean over its hands, so that one noisy row says little: with `n` rows of standard deviation `s` a rung
is uncertain by s/√n, the difference of two by s·√(2/n), and `slack` should be about twice that.
"""

from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from holdem.evaluation.litmus.check import (
    ActionName,
    Findings,
    Lines,
    LitmusCheck,
    Share,
    is_trained,
    judge_lines,
    percent,
)
from holdem.evaluation.litmus.spots import MOSTLY, LitmusSpot, PolicySpots
from holdem.util.arrays import Bools, Float64


class Ladder(LitmusCheck):
    """Hands in groups from worst to best, and how often each group does something."""

    kind: Literal["ladder"]
    lines: Lines
    rungs: Annotated[int, Field(ge=2)] | Annotated[tuple[str, ...], Field(min_length=2)] = 8
    against: str = "random"
    """The range that equity is measured against where `rungs` is a number."""
    action: ActionName
    direction: Literal["rising", "falling"] = "rising"
    slack: Share
    rise: Share = Field(gt=0.0)
    cause: str = "too little training, or a game whose bet sizes make strong hands slow-play here"

    def judge(self, spots: PolicySpots) -> Findings:
        return judge_lines(spots, self.lines, Findings(), self._judge_at)

    def _judge_at(self, spot: LitmusSpot, findings: Findings) -> None:
        frequency = spot.frequency(self.action)
        if not is_trained(spot, frequency, findings, enough=MOSTLY):
            return
        groups = [
            (name, float(frequency[hands & ~np.isnan(frequency)].mean()))
            for name, hands in self._groups(spot)
            if (hands & ~np.isnan(frequency)).any()
        ]
        if len(groups) < 2:
            findings.left_out.append(f"fewer than two rungs were ever visited after {spot.line!r}")
            return
        where = spot.where
        sign = 1.0 if self.direction == "rising" else -1.0
        self._largest_step_back(groups, sign, where, findings)
        (low_name, low), (high_name, high) = groups[0], groups[-1]
        what = (
            f"{self.action} with {low_name} {percent(low)}, with {high_name} {percent(high)}: "
            f"the difference should be at least {percent(self.rise)}"
        )
        findings.compare(sign * (high - low), self.rise, False, where, what)

    def _largest_step_back(self, groups: list[tuple[str, float]], sign: float, where: str, findings: Findings) -> None:
        """The rung that is furthest behind a worse one."""
        step, worse, better = max(
            (sign * (groups[i][1] - groups[j][1]), i, j) for j in range(len(groups)) for i in range(j)
        )
        verb = "rarer" if self.direction == "rising" else "more frequent"
        what = (
            f"{self.action} is {verb} with {groups[better][0]} ({percent(groups[better][1])}) than with the worse "
            f"{groups[worse][0]} ({percent(groups[worse][1])}), by more than {percent(self.slack)}"
        )
        findings.compare(step, self.slack, True, where, what)

    def _groups(self, spot: LitmusSpot) -> list[tuple[str, Bools]]:
        if not isinstance(self.rungs, int):
            return [(text, spot.hands(text)) for text in self.rungs]
        equities = spot.equities(self.against)
        return [
            (f"equity {percent(low)} to {percent(high)}", hands)
            for low, high, hands in equal_groups(equities, self.rungs)
        ]


def equal_groups(values: Float64, count: int) -> list[tuple[float, float, Bools]]:
    """Hands in `count` groups of about the same size by value, lowest first: lowest and highest value, and the hands.

    Hands of one value stay together, so that a class of hands is never torn apart.
    """
    known = np.sort(values[~np.isnan(values)])
    edges = [known[len(known) * i // count] for i in range(1, count)]
    number = np.searchsorted(edges, np.nan_to_num(values, nan=-1.0), side="right")
    groups = []
    for group in range(count):
        hands = (number == group) & ~np.isnan(values)
        if hands.any():
            groups.append((float(values[hands].min()), float(values[hands].max()), hands))
    return groups
