"""`defence`: facing a bet, a range does not fold so often that betting any two cards shows a profit at once.

    - name: The big blind defends against a raise
      kind: defence
      lines: ["SB raise 2bb", "SB raise 3bb"]
      slack: 0.05

A bet of R chips into a pot of P that wins at once with a share f of hands earns f·P - (1 - f)·R before anything else
happens, so folding more than R / (R + P) is a gift. The figure is taken from the tree's chips, for spots where one
opponent has bet and nobody else is to act. Every hand counts as often as it comes to the spot by its own strategy.
"""

from typing import Literal

import numpy as np

from holdem.abstraction.betting.tree import ActionCode, BettingTree
from holdem.evaluation.litmus.check import Findings, Lines, LitmusCheck, Share, is_trained, judge_lines, percent
from holdem.evaluation.litmus.spots import LitmusSpot, NotInThisGame, PolicySpots


class Defence(LitmusCheck):
    """Folding as a whole range, measured against the price that the bettor got."""

    kind: Literal["defence"]
    lines: Lines
    slack: Share
    cause: str = "too little training of this line, or an opponent's range that never bluffs here"

    def judge(self, spots: PolicySpots) -> Findings:
        return judge_lines(spots, self.lines, Findings(), self._judge_at)

    def _judge_at(self, spot: LitmusSpot, findings: Findings) -> None:
        frequency = spot.frequency("fold")
        weights = np.where(np.isnan(frequency), 0.0, spot.own_reach)
        if not is_trained(spot, frequency, findings) or weights.sum() <= 0:
            return
        folds = float(np.nan_to_num(frequency) @ weights / weights.sum())
        price = float(spot.node_shares @ [break_even(spot.spots.tree, node) for node in spot.nodes])
        what = (
            f"the range folds {percent(folds)}; beyond {percent(price)} the bet earns with any two cards "
            f"(slack {percent(self.slack)})"
        )
        findings.compare(folds, min(price + self.slack, 1.0), True, spot.where, what)


def break_even(tree: BettingTree, node: int) -> float:
    """The share of folds at which the bet that leads to a node pays by itself: risk / (risk + pot)."""
    before = int(tree.parent[node])
    if node == 0 or tree.action[node] != ActionCode.RAISE:
        raise NotInThisGame(f"{tree.describe(node) or 'the start'!r} does not end with a bet; a defence is against one")
    others = tree.num_players - int(tree.folded[node]).bit_count()
    if others != 2:
        raise NotInThisGame(f"{others} players are in after {tree.describe(node)!r}; a defence is for two")
    bettor = int(tree.player[before])
    risk = int(tree.chips_in[node, bettor] - tree.chips_in[before, bettor])
    pot = int(tree.chips_in[before].sum())
    return risk / (risk + pot)
