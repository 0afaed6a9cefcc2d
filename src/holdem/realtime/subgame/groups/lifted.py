"""What a turn that was solved with groups is worth in the real game: every hand plays as its group does."""

from collections.abc import Callable

import numpy as np

from holdem.errors import ConfigError
from holdem.realtime.subgame.nodes.lock import apply_locks
from holdem.realtime.subgame.solver import SubgameSolver
from holdem.realtime.subgame.workspace import Workspace, as_probabilities

TURN_CARDS = 4


def exact_bytes(solver: SubgameSolver) -> int:
    """What `exact_exploitability` takes beside the solve, from above; 0 where there is none."""
    if solver.grouping is None or len(solver.spot.board) != TURN_CARDS:
        return 0
    return _exact_solver(solver).estimate().total_bytes


def exact_exploitability(
    solver: SubgameSolver, memory_limit_bytes: int | None = None, stop: Callable[[], bool] = lambda: False
) -> float | None:
    """Of the average strategies of a turn, in chips, by an exact best response with all hands on all rivers;
    it keeps to the locks.

    None for a flop, whose rivers have no strategies but the drawn ones, where memory does not allow it, and when
    `stop`, which is asked at every node, says so.
    """
    if len(solver.spot.board) != TURN_CARDS:
        return None
    exact = _exact_solver(solver)
    try:
        exact.allocate(memory_limit_bytes)
    except (ConfigError, MemoryError):
        return None
    apply_locks(exact)
    arrays = exact.tree.arrays
    decisions = np.flatnonzero(arrays.num_actions)
    for node in decisions[decisions < arrays.node_start[1]].tolist():
        exact.set_average(node, solver.average_strategy(node))
    for node in decisions[decisions >= arrays.node_start[1]].tolist():
        if stop():
            return None
        _play_as_groups(exact, solver.workspace, node)
    return None if stop() else exact.exploitability()


def _exact_solver(solver: SubgameSolver) -> SubgameSolver:
    return SubgameSolver(solver.spot, symmetric=False)


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
