"""Exact exploitability of heads-up games that are over before the flop, such as jam or fold with ten big blinds.

Every hand up to suits has its own bucket, an all-in is worth its exact equity, and card removal counts: how likely two
classes meet is the number of pairs of hands that share no card. So the result is that of the real game, not a sample.
"""

import numpy as np

from holdem.abstraction.betting.payoffs import payoffs
from holdem.abstraction.betting.row_layout import RowLayout
from holdem.abstraction.betting.tree import BettingTree, NodeKind
from holdem.blueprint.tree_values import TreeValues
from holdem.cards.preflop_equity import BOARDS_PER_PAIR, preflop_equities
from holdem.cards.ranges import NUM_CLASSES
from holdem.errors import ConfigError
from holdem.util.arrays import Float64


class JamOrFold(TreeValues):
    """Exact values of strategies of a heads-up game without decisions after the flop, 169 buckets before it."""

    def __init__(self, tree: BettingTree, layout: RowLayout) -> None:
        config = tree.config
        plain = config.has_whole_deck and config.num_streets == 4
        if tree.num_players != 2 or not plain or tree.street.max() > 0:
            raise ConfigError(
                f"{config.name} is not a heads-up hold'em game that ends before the flop; "
                "exact jam-or-fold values know games such as jam_or_fold_10bb"
            )
        super().__init__(tree, layout, (NUM_CLASSES, 1, 1, 1), _ClassMatrices(tree))

    def exploitability_mbb(self, strategy: Float64) -> float:
        """Exploitability in thousandths of a big blind per hand."""
        return 1000.0 * self.exploitability(strategy) / self.tree.config.big_blind


def exploitability_mbb(tree: BettingTree, layout: RowLayout, strategy: Float64) -> float:
    """Exploitability of a strategy in thousandths of a big blind per hand; many strategies: keep a `JamOrFold`."""
    return JamOrFold(tree, layout).exploitability_mbb(strategy)


class _ClassMatrices:
    """Terminals between classes: `meet` is how likely two classes meet, `edge` times a stake what one wins."""

    def __init__(self, tree: BettingTree) -> None:
        table = preflop_equities()
        pairs = float(table.combinations.sum())
        self.meet: Float64 = table.combinations / pairs
        self.edge: Float64 = (table.wins - table.wins.T) / (pairs * BOARDS_PER_PAIR)
        self.terminals = [
            (node, tree.kind[node] == NodeKind.SHOWDOWN, payoffs(tree, node, [1, 0]))
            for node in np.flatnonzero(tree.kind != NodeKind.DECISION).tolist()
        ]

    def values(self, position: int, reaches: list[dict[int, Float64]]) -> dict[int, Float64]:
        values = {}
        for node, showdown, won in self.terminals:
            reach = reaches[1 - position][node]
            values[node] = (self.edge @ reach) * won[0] if showdown else (self.meet @ reach) * won[position]
        return values
