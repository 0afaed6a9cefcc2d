"""The decisions that led to a public state: what everybody saw before each action, and the action.

Beliefs need them: what a seat's action says about its cards is what its strategy was at the state before the action.
"""

from holdem.errors import HoldemError
from holdem.game import records as rec
from holdem.game.actions import Action
from holdem.game.agent import PublicState, public_state
from holdem.game.hand import Hand

PastDecision = tuple[PublicState, Action]
_ACTIONS = (rec.Fold, rec.Check, rec.Call, rec.Bet, rec.Raise)


def action_of(record: rec.Record) -> Action | None:
    """The action that a record tells, None if it is something else."""
    match record:
        case rec.Fold():
            return Action.fold()
        case rec.Check() | rec.Call():
            return Action.check_or_call()
        case rec.Bet(amount=amount) | rec.Raise(amount=amount):
            return Action.raise_to(amount)
    return None


def beginning(state: PublicState) -> rec.HandStarted:
    """The first record of the hand, or one sentence if the history is not there."""
    started = state.history[0] if state.history else None
    if not isinstance(started, rec.HandStarted):
        raise HoldemError("a public state without its history cannot be searched; give all records of the hand")
    return started


def past_decisions(state: PublicState) -> list[PastDecision]:
    """Every decision before `state`, in order; the hand is replayed by the rules."""
    started = beginning(state)
    hand = Hand(started.config, None, state.board, button=started.button, stacks=started.stacks)
    decisions: list[PastDecision] = []
    for record in state.history:
        action = action_of(record)
        if action is not None:
            decisions.append((public_state(hand), action))
            hand.act(action, recorded=True)
    return decisions


def own_actions_after_flop(state: PublicState) -> int:
    """How often the seat to act has acted since the flop was dealt."""
    dealt, count = False, 0
    for record in state.history:
        dealt = dealt or isinstance(record, rec.BoardDealt)
        if dealt and isinstance(record, _ACTIONS):
            count += record.seat == state.seat
    return count


def line_of(state: PublicState) -> tuple[object, ...]:
    """What names a public state: all rules, button, stacks, board and all actions. Equal lines are equal states."""
    return state.config, *_played(state)


def seed_text(state: PublicState) -> str:
    """A public state for random streams: plain values alone, so that a new field of the rules changes no draws."""
    return str((state.config.name, state.config.num_players, *_played(state)))


def _played(state: PublicState) -> tuple[object, ...]:
    actions = tuple(action for record in state.history if (action := action_of(record)) is not None)
    return state.button, beginning(state).stacks, state.board, actions
