"""State messages as hands of our rules, and our actions as the protocol's.

The player who sees the messages sits at a seat that does not change from hand to hand, and the others sit clockwise
from there; the button moves. At the dealer's tables only an unequal stack among three or more seats can lead to a
betting that our rules do not have; such a hand is refused here, and the client then checks or folds.
"""

from dataclasses import replace

from holdem.cards.cards import Cards
from holdem.errors import HoldemError
from holdem.game.actions import Action, ActionKind, LegalActions
from holdem.game.agent import Observation, observe
from holdem.game.hand import Hand
from holdem.table.acpc.protocol import MatchState, StateError
from holdem.table.acpc.rules import CALL, FOLD, AcpcAction, AcpcBetting
from holdem.types import GameConfig


def hand_of(state: MatchState, config: GameConfig, seat: int = 0) -> Hand:
    """The hand of a state message under our rules; `config` is the game's, `seat` where its player sits."""
    count = config.num_players
    button = (seat - state.position - 1) % count
    pairs: list[Cards | None] = [None] * count
    pairs[seat] = state.hole_cards[state.position]
    stacks = [config.starting_stacks[(place - button - 1) % count] for place in range(count)]
    try:
        hand = Hand(config, pairs, state.board, button=button, stacks=stacks, show_all=True)
        for actions in state.betting.actions:
            for action in actions:
                hand.act(_our_action(hand, action))
        while (shows := hand.showdown_seat) is not None and state.betting.finished:
            hand.show(shows, state.hole_cards[hand.position(shows)])
    except HoldemError as error:
        raise StateError(f"our rules do not have this state: {error}", state.position, state.betting) from None
    _check_turn(hand, state)
    return hand


def _our_action(hand: Hand, action: AcpcAction) -> Action:
    if action.letter == "f":
        return Action.fold()
    if action.letter == "c":
        return Action.check_or_call()
    return Action.raise_to(action.size - _earlier_chips(hand))


def _earlier_chips(hand: Hand) -> int:
    """What the seat to act put in on earlier streets."""
    seat = hand.actor
    if seat is None:
        raise HoldemError("an action comes when nobody is to act")
    return hand.contributions[seat] - hand.street_bets[seat]


def _check_turn(hand: Hand, state: MatchState) -> None:
    ours = None if hand.actor is None else hand.position(hand.actor)
    theirs = None if state.betting.finished else state.betting.current_player
    if ours != theirs or hand.is_over != state.betting.finished:
        reason = f"player {theirs} is to act there and {ours} under our rules"
        raise StateError(f"our rules do not have this state: {reason}", state.position, state.betting)


def observation_of(hand: Hand, betting: AcpcBetting, deal: int, decision: int) -> Observation:
    """What the player to act sees, with no raise where the dealer would not take one."""
    observation = observe(hand, deal, decision)
    if observation.legal.can_raise and betting.raise_limits() is None:
        legal = LegalActions(observation.legal.can_fold, observation.legal.call_amount, None, None)
        return replace(observation, legal=legal)
    return observation


def acpc_action(action: Action, hand: Hand) -> AcpcAction:
    """Our action in the protocol's words: a raise is a total over the whole hand there."""
    if action.kind is ActionKind.FOLD:
        return FOLD
    if action.kind is ActionKind.CHECK_OR_CALL:
        return CALL
    return AcpcAction("r", action.amount + _earlier_chips(hand))


def safe_answer(betting: AcpcBetting | None) -> AcpcAction:
    """A check where it is known to be free; otherwise `f`, which dealers take as a check where it is."""
    return CALL if betting is not None and not betting.can_fold() else FOLD
