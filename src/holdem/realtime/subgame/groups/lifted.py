"""What a turn that was solved with groups is worth in the real game: every hand plays as its group does."""

import numpy as np

from holdem.errors import ConfigError
from holdem.realtime.subgame.solver import SubgameSolver
from holdem.util.arrays import Float32

TURN_CARDS = 4


def exact_exploitability(solver: SubgameSolver) -> float | None:
    """Of the average strategies of a turn, in chips, by an exact best response with all hands on all rivers.

    None for a flop, whose rivers have no strategies but the drawn ones, and where memory does not allow it.
    """
    street = solver.workspace.grouped
    if len(solver.spot.board) != TURN_CARDS:
        return None
    exact = SubgameSolver(solver.spot, symmetric=False)
    try:
        exact.allocate()
    except ConfigError:
        return None
    arrays = exact.tree.arrays
    for node in range(int(arrays.node_start[0]), int(arrays.node_start[1])):
        if arrays.num_actions[node]:
            exact.set_average(node, solver.average_strategy(node))
    first = exact.boards.level_start[1]
    for node in range(int(arrays.node_start[1]), int(arrays.node_start[-1]) if street is not None else 0):
        if not arrays.num_actions[node] or street is None:
            continue
        player = int(arrays.player[node])
        count = street.groups.ends.shape[2]
        places = street.groups.places[player, 0, : len(exact.hands[player])]
        for card in range(street.groups.ends.shape[1]):
            rows = _group_strategies(solver, node, card)
            groups = np.minimum(places[:, card] - card * (count + 1), count - 1)  # blocked hands may play anything
            exact.set_average(node, rows[groups], 1, first + card)
    return exact.exploitability()


def _group_strategies(solver: SubgameSolver, node: int, card: int) -> Float32:
    """(groups, actions) average strategies at a node of the river, after a card."""
    street = solver.workspace.grouped
    assert street is not None
    arrays, memory = street.tree.arrays, street.memory
    actions, width = int(arrays.num_actions[node]), int(arrays.player_hands[arrays.player[node]])
    start = int(memory.storage_start[1]) + card * int(arrays.block[1]) + int(arrays.storage[node])
    table = solver.workspace.storage.averages[start : start + actions * width].reshape(actions, width).T
    total = table.sum(axis=1, keepdims=True)
    shares = np.where(total > 0.0, table / np.where(total > 0.0, total, 1.0), 1.0 / actions)
    return shares[: street.groups.ends.shape[2]].astype(np.float32)
