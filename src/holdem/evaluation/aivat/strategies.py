"""What an agent says that it does with every hole at one decision, made fit for AIVAT or refused.

AIVAT keeps the mean only if these are the probabilities that the action was drawn with. Agents may come from outside,
so what can be checked is checked: each row is a distribution, every action that it takes is legal, and the hole that
the agent really held takes the action that was really taken. One action may be listed several times, as where several
sizes end at the smallest raise: its probability is their sum.
"""

import numpy as np
import numpy.typing as npt

from holdem.cards.cards import HOLE_CARDS, NUM_HOLE_PAIRS, Cards, format_cards, hole_index
from holdem.errors import IllegalAction
from holdem.game.actions import Action
from holdem.game.agent import PublicState, RangeAgent
from holdem.util.arrays import Float64

ROW_ERROR = 1e-4
"""How far a row may be from 1: single precision is within a hundredth of it. Rows are then scaled to 1."""


def strategy_of(
    agent: RangeAgent, state: PublicState, taken: Action, held: Cards | None
) -> tuple[list[Action], Float64]:
    """The actions that some hole takes, and (1326, actions) their probabilities, zero for holes that cannot be held.

    `held`: the hole cards of the agent if they are known; with them it took `taken`.
    """
    listed, rows = agent.range_policy(state)
    table = _checked_rows(agent.name, rows, len(listed), state.board)
    actions = list(dict.fromkeys(listed))
    merged = np.zeros((NUM_HOLE_PAIRS, len(actions)))
    for place, action in enumerate(listed):
        merged[:, actions.index(action)] += table[:, place]
    used = np.flatnonzero(merged.any(axis=0)).tolist()
    actions, merged = [actions[place] for place in used], merged[:, used]
    for action in actions:
        if not state.legal.allows(action):
            raise IllegalAction(f"agent {agent.name}: its range_policy takes {action}, and legal are {state.legal}")
    if taken not in actions:
        raise IllegalAction(f"agent {agent.name}: {taken} is not among the actions of its own strategy")
    if held is not None and not merged[hole_index(*held), actions.index(taken)] > 0.0:
        raise IllegalAction(
            f"agent {agent.name} took {taken} with {format_cards(held)}, which its range_policy never does; "
            "act must draw from range_policy"
        )
    return actions, merged


def _checked_rows(name: str, rows: npt.ArrayLike, actions: int, board: Cards) -> Float64:
    """(1326, actions) that add up to 1 for every hole that the board allows, and zeros for the others."""
    table = np.array(rows, dtype=np.float64)
    if table.shape != (NUM_HOLE_PAIRS, actions):
        raise IllegalAction(
            f"agent {name}: range_policy gave a table of shape {table.shape} for {actions} actions; "
            f"it must be ({NUM_HOLE_PAIRS}, {actions})"
        )
    possible = ~np.isin(HOLE_CARDS, list(board)).any(axis=1)
    table[~possible] = 0.0
    sums = table.sum(axis=1)
    wrong = possible & ~((np.abs(sums - 1.0) <= ROW_ERROR) & (table.min(axis=1) >= 0.0))
    if wrong.any():
        hole = int(np.flatnonzero(wrong)[0])
        shares = ", ".join(f"{share:g}" for share in table[hole])
        raise IllegalAction(
            f"agent {name}: range_policy gives {shares} with {format_cards(tuple(HOLE_CARDS[hole].tolist()))}; "
            "the probabilities of a hole must add up to 1"
        )
    return np.asarray(table / np.where(possible, sums, 1.0)[:, None])
