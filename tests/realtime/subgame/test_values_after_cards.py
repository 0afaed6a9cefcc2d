"""What hands get after each card: three ways to solve, each against the values that it says itself at the root."""

from typing import Any

import numpy as np
import pytest

from holdem.realtime.subgame.groups.street import Grouping
from holdem.realtime.subgame.kernels.traversal import BEST
from holdem.realtime.subgame.solver import SubgameSolver
from holdem.realtime.subgame.tree import SubgameNodeKind
from tests.realtime.spots import TURN, spot

NO_BETS: dict[str, Any] = {
    "board": "Ks 9d 4h",
    "pot": 60,
    "effective_stack": 200,
    "range_oop": "AA, QJs, 98s:0.5, 76s, 55",
    "range_ip": "AK, QTs, JTs, 88:0.7, 33",
    "bet_sizes": {"turn": {"bet": "75%", "raise": "a"}, "river": {"bet": "75%", "raise": "a"}},
}
"""A flop that is checked through: one closing line, whose value is that of the root."""


@pytest.mark.parametrize("grouping", [None, Grouping(8, rivers=1), Grouping(8, 6)])
@pytest.mark.parametrize("player", [0, 1])
def test_the_mean_over_cards_is_the_value_of_the_line(grouping: Grouping | None, player: int) -> None:
    solver = SubgameSolver(spot(NO_BETS), grouping=grouping)
    solver.solve(max_iterations=30)
    values = solver.values_after_cards(player)
    at_root = solver.root_values(player, BEST)[solver.hands[player]]
    # 52 cards less the flop and both hands; a card that a hand holds is worth nothing to it.
    assert values.shape[0] == 49 and values.shape[2] == 1
    assert values[:, :, 0].sum(axis=0) / 45 == pytest.approx(at_root, rel=1e-4, abs=1e-3 * np.abs(at_root).max())


def test_groups_promise_about_what_exact_rivers_do() -> None:
    content = {**TURN, "bet_sizes": {"turn": {"bet": "75%", "raise": "a"}, "river": {"bet": "75%", "raise": "a"}}}
    exact, grouped = SubgameSolver(spot(content)), SubgameSolver(spot(content), grouping=Grouping(64))
    for solver in (exact, grouped):
        solver.solve(max_iterations=200)
    first, second = exact.values_after_cards(1), grouped.values_after_cards(1)
    assert first.shape == second.shape
    closing = [node for node in exact.tree.nodes if node.kind == SubgameNodeKind.DEAL]
    assert len(closing) == first.shape[2]
    # Both are near an equilibrium: values are unique there, each hand's within what either can still be exploited for.
    weights = exact.spot.ranges[1][exact.hands[1]]
    means = [np.einsum("chl,h->l", values, weights) for values in (first, second)]
    scale = 44 * exact.spot.pot * weights.sum() * exact.spot.ranges[0].sum()
    assert means[0] / scale == pytest.approx(means[1] / scale, abs=0.03)
