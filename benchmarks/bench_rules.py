"""A complete random six-seat hand: our rules engine beside pokerkit, with the same policy on both sides."""

import random
import warnings

from pokerkit import Automation, Mode, NoLimitTexasHoldem

from benchmarks.measurement import Measurement, best_seconds
from holdem.game import Game, GameConfig

HANDS = 200
SEATS = 6


def run() -> list[Measurement]:
    """Milliseconds a hand, dealing and showdown included."""
    warnings.simplefilter("ignore")
    ours = best_seconds(_our_hands) / HANDS * 1e3
    theirs = best_seconds(_pokerkit_hands) / HANDS * 1e3
    return [Measurement("random six-seat hand", ours, "ms", "pokerkit", theirs, target="≤ 0.1×")]


def _choose(rng: random.Random, least: int | None, most: int | None, call: int | None) -> int | None:
    """Raise to the returned amount; 0 is a check or a call, None a fold."""
    draw = rng.random()
    if least is not None and most is not None and draw < 0.2:
        return min(most, least + rng.randrange(300))
    return None if call and draw < 0.4 else 0


def _our_hands() -> None:
    game = Game(GameConfig(num_players=SEATS))
    rng = random.Random(1)
    for seed in range(HANDS):
        hand = game.new_hand(seed)
        while hand.actor is not None:
            legal = hand.legal_actions()
            choice = _choose(rng, legal.min_raise_to, legal.max_raise_to, legal.call_amount)
            if choice:
                hand.bet_or_raise_to(choice)
            elif choice is None:
                hand.fold()
            else:
                hand.check_or_call()


def _pokerkit_hands() -> None:
    automations = tuple(Automation)
    rng = random.Random(1)
    for _ in range(HANDS):
        state = NoLimitTexasHoldem.create_state(
            automations, True, 0, (50, 100), 100, 10_000, SEATS, mode=Mode.TOURNAMENT
        )
        while state.status:
            least = state.min_completion_betting_or_raising_to_amount
            most = state.max_completion_betting_or_raising_to_amount
            choice = _choose(rng, least, most, state.checking_or_calling_amount)
            if choice:
                state.complete_bet_or_raise_to(choice)
            elif choice is None:
                state.fold()
            else:
                state.check_or_call()
