"""What an agent says that it does with every hole at one decision, made fit for AIVAT or refused.

AIVAT keeps the mean only if these are the probabilities that the action was drawn with. Agents may come from outside,
so what can be checked is checked: each row is a distribution, every action that it takes is legal, and the hole that
the agent really held takes the action that was really taken. One action may be listed several times, as where several
sizes end at the smallest raise: its probability is their sum.
"""

import numpy as np

from holdem.cards.cards import NUM_HOLE_PAIRS, Cards, format_cards, hole_index
from holdem.errors import IllegalAction
from holdem.game.actions import Action
from holdem.game.agent import PublicState, RangeAgent, checked_rows
from holdem.util.arrays import Float64


def strategy_of(
    agent: RangeAgent, state: PublicState, taken: Action, held: Cards | None
) -> tuple[list[Action], Float64]:
    """The actions that some hole takes, and (1326, actions) their probabilities, zero for holes that cannot be held.

    `held`: the hole cards of the agent if they are known; with them it took `taken`.
    """
    listed, rows = agent.range_policy(state)
    table = checked_rows(agent.name, rows, len(listed), state.board)
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
