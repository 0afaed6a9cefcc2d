"""What a turn that was solved with groups is worth in the real game: every hand plays as its group does."""

import numpy as np

from holdem.errors import ConfigError
from holdem.realtime.subgame.solver import SubgameSolver
from holdem.realtime.subgame.workspace import Workspace, as_probabilities

TURN_CARDS = 4


def exact_exploitability(solver: SubgameSolver) -> float | None:
    """Of the average strategies of a turn, in chips, by an exact best response with all hands on all rivers.

    None for a flop, whose rivers have no strategies but the drawn ones, and where memory does not allow it.
    """
    if len(solver.spot.board) != TURN_CARDS:
        return None
    exact = SubgameSolver(solver.spot, symmetric=False)
    try:
        exact.allocate()
    except ConfigError:
        return None
    arrays = exact.tree.arrays
    decisions = np.flatnonzero(arrays.num_actions)
    for node in decisions[decisions < arrays.node_start[1]].tolist():
        exact.set_average(node, solver.average_strategy(node))
    for node in decisions[decisions >= arrays.node_start[1]].tolist():
        _play_as_groups(exact, solver.workspace, node)
    return exact.exploitability()


def _play_as_groups(exact: SubgameSolver, grouped: Workspace, node: int) -> None:
    """At a decision of the river, after every card."""
    assert grouped.grouped is not None
    groups, player = grouped.grouped.groups, int(exact.tree.arrays.player[node])
    count = groups.ends.shape[2]
    places = groups.places[player, 0, : len(exact.hands[player])]
    for card in range(groups.ends.shape[1]):
        own = np.minimum(places[:, card] - card * (count + 1), count - 1)  # blocked hands may play anything
        strategy = as_probabilities(grouped.group_averages(node, card))[own]
        exact.set_average(node, strategy, 1, exact.boards.level_start[1] + card)
