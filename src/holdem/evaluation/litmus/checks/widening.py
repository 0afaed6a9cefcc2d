"""`widening`: a range does something more and more often along a list of spots, such as opening towards the button.

    - name: Opening gets wider towards the button
      kind: widening
      players: 4-6
      lines: ["", "folds to CO", "folds to BTN"]
      action: raise
      slack: 0.05
      rise: 0.1

Spots that a table does not have are left out; two must remain.
"""

from itertools import pairwise
from typing import Literal

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
from holdem.evaluation.litmus.spots import LitmusSpot, PolicySpots


class Widening(LitmusCheck):
    """How often named hands do something, spot after spot."""

    kind: Literal["widening"]
    lines: Lines
    hands: str = "random"
    action: ActionName
    slack: Share
    rise: Share = Field(gt=0.0)
    cause: str = "too little training: early positions are visited as often as late ones, but their gains are smaller"

    def judge(self, spots: PolicySpots) -> Findings:
        shares: list[tuple[str, float]] = []

        def note(spot: LitmusSpot, findings: Findings) -> None:
            hands = spot.hands(self.hands)
            frequency = np.where(hands, spot.frequency(self.action), np.nan)
            if is_trained(spot, frequency, findings, hands):
                shares.append((spot.where, float(np.nanmean(frequency))))

        findings = judge_lines(spots, self.lines, Findings(), note)
        self._judge_shares(shares, findings)
        return findings

    def _judge_shares(self, shares: list[tuple[str, float]], findings: Findings) -> None:
        if len(shares) < 2:
            reason = "are trained" if findings.untrained else "are in this game"
            findings.left_out.append(f"fewer than two of its spots {reason}")
            return
        for (before, earlier), (where, later) in pairwise(shares):
            what = f"{self.action} {percent(later)}, and {percent(earlier)} before it at {before}"
            findings.compare(earlier - later, self.slack, True, where, what)
        (_, first), (where, last) = shares[0], shares[-1]
        what = f"{self.action} {percent(last)} here and {percent(first)} at the first spot: too little difference"
        findings.compare(last - first, self.rise, False, where, what)
