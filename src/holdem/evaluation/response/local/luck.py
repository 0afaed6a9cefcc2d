"""How lucky local best response was in a hand: what the cards and the opponent's draws gave it beyond their mean.

The opponent's range is known, so at each of its actions, and at each card, the mean of any guess about the rest of the
hand is known too. What was guessed after it, minus the mean of the guesses before it, has the mean 0 whatever the
guess, so any multiple of it may be taken off the result (as AIVAT does: Burch et al. 2018). The guess here is the value
of checking to the end; its mean over the next card is its value before that card, so cards need no sum over boards.

How much luck to take off is fitted to the deals, each half of them with what the other half says, so that the mean
stays exactly what it is.
"""

import numpy as np

from holdem.cards.cards import Cards
from holdem.evaluation.response.local.response import LocalBestResponse
from holdem.game.actions import Action, ActionKind
from holdem.game.hand import Hand
from holdem.util.arrays import Float64

LEAST_DEALS = 20
"""Deals to fit three numbers to."""


def hole_luck(response: LocalBestResponse, hand: Hand) -> float:
    """Of LBR's own cards: the guess is a showdown for a big blind; over all deals its mean is 0."""
    return response.showdown_value(hand.config.big_blind, ())


def board_luck(response: LocalBestResponse, hand: Hand, before: Cards) -> float:
    """Of the cards that were just dealt: the guess is a showdown for what both have put in."""
    stake = min(hand.contributions)
    return response.showdown_value(stake, hand.board) - response.showdown_value(stake, before)


def action_luck(
    response: LocalBestResponse, hand: Hand, actions: list[Action], probabilities: Float64, choice: int
) -> float:
    """Of the opponent's action: `choice` among `actions`, (1326, actions) probabilities, before it is done."""
    chosen = response.belief(hand.board)[:, None] * probabilities
    masses = chosen.sum(axis=0)
    possible = masses > 1e-12 * masses.sum()  # the rest is rounding
    shares = response.chances(hand.board) @ chosen / np.where(possible, masses, 1.0)
    guesses = np.array([_guess(response.seat, hand, *pair) for pair in zip(actions, shares.tolist(), strict=True)])
    mean = float(masses[possible] @ guesses[possible] / masses.sum())
    return float(guesses[choice]) - mean


def _guess(seat: int, hand: Hand, action: Action, share: float) -> float:
    """What LBR wins if the opponent does this with a range against which LBR's share of the pot is `share`."""
    mine, theirs = hand.contributions[seat], hand.contributions[1 - seat]
    if action.kind is ActionKind.FOLD:
        return float(theirs)
    if action.kind is ActionKind.CHECK_OR_CALL:
        return min(mine, theirs + hand.legal_actions().call_amount) * (2.0 * share - 1.0)
    raised = theirs + action.amount - hand.street_bets[1 - seat]
    return max(-float(mine), min(raised, mine + hand.stacks[seat]) * (2.0 * share - 1.0))


def without_luck(results: Float64, luck: Float64) -> Float64:
    """(deals,) results less the multiples of the columns of `luck` (deals, columns) that make them vary least.

    Too few deals to fit anything to are left as they are.
    """
    steady = results.copy()
    for half in (0, 1):
        others = slice(1 - half, None, 2)
        if len(results[others]) >= LEAST_DEALS:
            centred = luck[others] - luck[others].mean(axis=0)
            multiples = np.linalg.lstsq(centred, results[others] - results[others].mean(), rcond=None)[0]
            steady[half::2] -= luck[half::2] @ multiples
    return steady
