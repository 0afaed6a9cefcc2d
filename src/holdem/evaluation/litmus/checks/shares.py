"""`shares`: how much of its range each position plays so, within bands that people know from charts.

    - name: Raising first in, by position
      kind: shares
      line: "folds to {position}"
      action: raise
      bands: {UTG: [0.15, 0.19], HJ: [0.18, 0.22], CO: [0.25, 0.30], BTN: [0.40, 0.50]}
      slack: 0.03                # beyond either end of a band
      stacks: [75, 150]          # big blinds; the charts are about such games, without antes and straddles

`{position}` in the line is each name of `bands` in turn; a position that the table does not have is skipped. Hands
count as often as they come to the spot by their own strategy. Where the line means several nodes, such as every size
of an open, each counts as often as the policy uses it. A position is not judged if training visited less than nine
tenths of its hands, or if the policy hardly ever comes there: then there is no range to speak of.

What is right against a raise depends on its price. A band may name sizes in big blinds, of the last raise before the
spot, `BTN: {2: [0.58, 0.80], 3: [0.34, 0.50]}`: between them it is interpolated, and of several raises it is the mean.
"""

from functools import partial
from typing import Annotated, Literal

import numpy as np
from pydantic import Field, model_validator

from holdem.abstraction.betting.tree import position_names
from holdem.evaluation.litmus.check import (
    ActionName,
    Findings,
    LitmusCheck,
    Share,
    ShareFigure,
    is_trained,
    judge_lines,
    percent,
    trained_share,
)
from holdem.evaluation.litmus.spots import LitmusSpot, NotInThisGame, PolicySpots
from holdem.types import GameConfig

PLACE = "{position}"
RARE = 1e-4
"""A spot that comes up less often than this, of all hands dealt, is not judged."""

SIZES_BEYOND = 1.1
"""Bands of sizes reach so far, as a factor, below the smallest and above the largest that they name."""

Band = tuple[Share, Share]
BandsOfSizes = Annotated[dict[Annotated[float, Field(gt=0.0)], Band], Field(min_length=1)]


class Shares(LitmusCheck):
    """A share of the range for each position, and the band that it should be in."""

    kind: Literal["shares"]
    line: str
    hands: str = "random"
    action: ActionName
    bands: Annotated[dict[str, Band | BandsOfSizes], Field(min_length=1)]
    slack: Share = 0.0
    stacks: tuple[float, float] | None = None
    cause: str = "too little training, or a betting tree whose sizes ask for another range"

    @model_validator(mode="after")
    def _bands_fit(self) -> "Shares":
        if PLACE not in self.line and len(self.bands) > 1:
            raise ValueError(
                f"the line {self.line!r} is the same for all bands; write {PLACE} where their names belong"
            )
        for position, bands in self.bands.items():
            for low, high in bands.values() if isinstance(bands, dict) else [bands]:
                if low > high:
                    raise ValueError(f"the band of {position} is from {low} to {high}; write the smaller share first")
        return self

    def judge(self, spots: PolicySpots) -> Findings:
        findings = Findings()
        reason = self._other_game(spots.policy.config)
        if reason:
            findings.left_out.append(reason)
            return findings
        names = position_names(spots.policy.config)
        for position in self.bands:
            if position in names:
                judge = partial(self._judge_at, position=position)
                judge_lines(spots, [self.line.replace(PLACE, position)], findings, judge)
        if not findings.figures and not findings.left_out:
            findings.left_out.append(f"none of its positions is at a table of {len(names)}")
        return findings

    def _other_game(self, config: GameConfig) -> str:
        """Why the bands say nothing about a game; empty if they do."""
        if self.stacks is None:
            return ""
        depths = [stack / config.big_blind for stack in config.starting_stacks] if config.big_blind else [0.0]
        low, high = self.stacks
        if min(depths) < low or max(depths) > high:
            return f"its bands are for stacks of {low:g} to {high:g} big blinds, not {min(depths):g} to {max(depths):g}"
        return "its bands are for games without antes and straddles" if config.ante or config.straddle else ""

    def _judge_at(self, spot: LitmusSpot, findings: Findings, position: str) -> None:
        band = band_at(self.bands[position], spot)
        hands, frequency = spot.hands(self.hands), spot.frequency(self.action)
        weights = np.where(hands, spot.own_reach, 0.0)
        known = weights[~np.isnan(frequency)].sum()
        trained = trained_share(spot, hands, hands & ~np.isnan(frequency))
        found = float(np.nan_to_num(frequency) @ weights / known) if known > 0.0 else None
        if spot.reached < RARE:
            findings.left_out.append(f"{position}: the policy hardly ever comes to {spot.line!r}")
            found = None
        elif not is_trained(spot, frequency, findings, hands):
            found = None
        findings.figures.append(ShareFigure(position, spot.line, found, *band, trained))
        if found is not None:
            self._compare(found, band, f"{position}, {spot.where}", findings)

    def _compare(self, found: float, band: Band, where: str, findings: Findings) -> None:
        low, high = band
        what = f"{self.action} {percent(found)}, wanted {percent(low)} to {percent(high)}"
        what += f" (slack {percent(self.slack)})" if self.slack else ""
        if low > 0.0:
            findings.compare(found, max(low - self.slack, 0.0), False, where, what)
        if high < 1.0:
            findings.compare(found, min(high + self.slack, 1.0), True, where, what)


def band_at(bands: Band | dict[float, Band], spot: LitmusSpot) -> Band:
    """The band that is wanted at a spot: each of its raises has the band of its size, as often as it is used."""
    if not isinstance(bands, dict):
        return bands
    known = sorted(bands)
    config = spot.spots.policy.config
    sizes = (spot.spots.tree.chips_in[list(spot.nodes)].max(axis=1) - config.ante) / config.big_blind
    mean = float(spot.node_shares @ sizes)
    if not known[0] / SIZES_BEYOND <= mean <= known[-1] * SIZES_BEYOND:
        raise NotInThisGame(f"its bands are for raises to {known[0]:g} to {known[-1]:g} big blinds, not to {mean:.3g}")
    low, high = (float(spot.node_shares @ np.interp(sizes, known, [bands[s][end] for s in known])) for end in (0, 1))
    return low, high
