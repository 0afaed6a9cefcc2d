"""`limit`: named hands take an action at most, or at least, so often; every hand is judged by itself.

- name: Aces never fold to a jam
  kind: limit
  lines: ["SB all-in", "SB raise 3bb, BB all-in"]
  hands: AA                  # a range, or nuts, or worst: the best or the worst hand on the board of the line
  action: fold
  at_most: 0.01
"""

from typing import Literal

import numpy as np
from pydantic import model_validator

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
from holdem.evaluation.litmus.spots import LitmusSpot, PolicySpots, name_of_hands


class Limit(LitmusCheck):
    """Hands that must, or must not, do something at certain spots."""

    kind: Literal["limit"]
    lines: Lines
    hands: str
    action: ActionName
    at_most: Share | None = None
    at_least: Share | None = None
    cause: str = "too little training, or buckets so coarse that these hands share one with much weaker hands"

    @model_validator(mode="after")
    def _one_bound(self) -> "Limit":
        if (self.at_most is None) == (self.at_least is None):
            raise ValueError("a limit has either at_most or at_least, such as at_most: 0.01")
        return self

    def judge(self, spots: PolicySpots) -> Findings:
        return judge_lines(spots, self.lines, Findings(), self._judge_at)

    def _judge_at(self, spot: LitmusSpot, findings: Findings) -> None:
        chosen, frequency = spot.hands(self.hands), spot.frequency(self.action)
        if not is_trained(spot, frequency, findings, chosen, enough=0.0):
            return
        holes = np.flatnonzero(chosen & ~np.isnan(frequency))
        at_most = self.at_most is not None
        limit = self.at_most if self.at_most is not None else self.at_least
        assert limit is not None
        worst = float(frequency[holes].max() if at_most else frequency[holes].min())
        beyond = holes[frequency[holes] > limit] if at_most else holes[frequency[holes] < limit]
        names = name_of_hands(beyond if len(beyond) else holes, spot.board)
        bound = f"at {'most' if at_most else 'least'} {percent(limit)}"
        what = f"{names}: {self.action} {percent(worst)}, allowed {bound}"
        findings.compare(worst, limit, at_most, spot.where, what)
