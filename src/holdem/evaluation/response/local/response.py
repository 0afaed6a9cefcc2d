"""Local best response: how much a strategy loses at least to somebody who knows it and looks one bet ahead.

Lisý and Bowling 2017, "Equilibrium Approximation Quality of Current No-Limit Poker Bots". The opponent's range is known
exactly, by Bayes over the strategy that it plays. At each of its own decisions LBR compares what it may do:

    fold        what it has put in is lost
    call        its chance at showdown against the range, if everybody checks from here on
    bet         the part of the range that folds gives up what it has put in; the rest is as a called bet

and takes the best. What a strategy loses to it, it loses to some strategy, so the figure is a lower bound on its
exploitability in the real game: every hand is played under the real rules, and bets that are not in the blueprint's
tree are part of the game. It may be negative, and then proves nothing.

Values are chips against the start of the hand.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from holdem.cards.cards import HOLE_MASKS, NUM_HOLE_PAIRS, Cards, hole_index
from holdem.cards.preflop_equity import preflop_equities
from holdem.cards.ranges import CLASS_OF_HOLE
from holdem.evaluation.kernels.local import showdown_chances
from holdem.evaluation.response.local.actions import ALWAYS_CALL, Menus, raises_of
from holdem.game.actions import Action, ActionKind
from holdem.game.agent import RangeAgent, public_state
from holdem.game.hand import Hand
from holdem.util.arrays import Float64

ROUNDING_CHIPS = 1e-6
"""A bet whose most possible value is this close to the best one is asked about: sums of chips are not exact."""


def without_cards(weights: Float64, cards: Sequence[int]) -> Float64:
    """The same weights, and 0 where a hole pair has one of these cards."""
    mask = sum(1 << card for card in cards)
    return np.where(HOLE_MASKS & mask, 0.0, weights)


def hand_chances(hole: Cards, board: Cards) -> Float64:
    """(1326,): how often `hole` wins, ties counted half, against each hole pair over all boards that may come.

    Exact from the flop on. Before it, a pair counts as its class of the 169, which is exact against every range that
    treats suits alike.
    """
    chances = np.empty(NUM_HOLE_PAIRS)
    if board:
        showdown_chances(np.array(hole, dtype=np.uint8), np.array(board, dtype=np.uint8), chances)
        return chances
    row = preflop_equities().equity[CLASS_OF_HOLE[hole_index(*hole)]]
    return without_cards(row[CLASS_OF_HOLE], hole)


@dataclass(frozen=True)
class Option:
    """Something that LBR may do, and what it takes it to be worth, in chips against the start of the hand."""

    action: Action
    value: float


class LocalBestResponse:
    """One hand of LBR at `seat` against `opponent`, whose range it follows."""

    def __init__(self, opponent: RangeAgent, menus: Menus, seat: int, hole: Cards) -> None:
        self.opponent, self.menus, self.seat, self.hole = opponent, menus, seat, hole
        self.weights = without_cards(np.ones(NUM_HOLE_PAIRS), hole)
        """(1326,): how likely the opponent plays as it did with each hand, up to a factor."""
        self._chances: dict[Cards, Float64] = {}

    def saw(self, probabilities: Float64) -> None:
        """The opponent acted: `probabilities` (1326,) of that action with each hand."""
        weights = self.weights * probabilities
        self.weights = weights / weights.max()

    def belief(self, board: Cards) -> Float64:
        """(1326,): the opponent's range given the cards that LBR sees, up to a factor."""
        return without_cards(self.weights, board)

    def chances(self, board: Cards) -> Float64:
        """(1326,): LBR's share of the pot against each hand if no more is bet."""
        chances = self._chances.get(board)
        if chances is None:
            chances = self._chances[board] = hand_chances(self.hole, board)
        return chances

    def equity(self, belief: Float64, board: Cards) -> float:
        """LBR's share of the pot against a range if no more is bet."""
        return float(belief @ self.chances(board) / belief.sum())

    def showdown_value(self, stake: int, board: Cards) -> float:
        """What a showdown for `stake` chips each is worth once the betting is over with this board on the table."""
        return stake * (2.0 * self.equity(self.belief(board), board) - 1.0)

    def choose(self, hand: Hand) -> Action:
        """The action with the largest value; a fold or a call rather than a bet that is worth the same."""
        if self.menus[hand.street] == ALWAYS_CALL:
            return Action.check_or_call()
        return self.best_option(hand).action

    def best_option(self, hand: Hand) -> Option:
        """The best of `options`, the first of equals, without asking about bets that cannot be it.

        Asking costs a solve where the opponent searches. Bets come in the order of what they are worth at most, so the
        first that cannot be the best ends it, and no order asks less.
        """
        options = self._sure_options(hand)
        belief = self.belief(hand.board)
        raises = raises_of(self.menus[hand.street], hand)
        bounds = self._most_values(hand, raises, belief)
        bets: list[Option] = []
        for place in np.argsort(-bounds, kind="stable").tolist():
            best = max(option.value for option in (*options, *bets))
            if bounds[place] + ROUNDING_CHIPS < best:
                break
            bets.append(Option(raises[place], self._bet_value(hand, raises[place], belief)))
        options += sorted(bets, key=lambda option: option.action.amount)
        return max(options, key=lambda option: option.value)

    def options(self, hand: Hand) -> list[Option]:
        """Everything that the menu of the street allows, with its value."""
        belief = self.belief(hand.board)
        raises = raises_of(self.menus[hand.street], hand)
        return self._sure_options(hand) + [Option(bet, self._bet_value(hand, bet, belief)) for bet in raises]

    def _sure_options(self, hand: Hand) -> list[Option]:
        """A fold, where there is something to fold to, and a call: nobody has to be asked about them."""
        mine, theirs = hand.contributions[self.seat], hand.contributions[1 - self.seat]
        legal = hand.legal_actions()
        called = min(mine + legal.call_amount, theirs)
        options = [Option(Action.fold(), -float(mine))] if legal.can_fold else []
        return [*options, Option(Action.check_or_call(), self.showdown_value(called, hand.board))]

    def _most_values(self, hand: Hand, bets: list[Action], belief: Float64) -> Float64:
        """(bets,): what each is worth if the opponent folds just the hands with which it had better call."""
        theirs = hand.contributions[1 - self.seat]
        edges = 2.0 * self.chances(hand.board) - 1.0
        mean = belief / belief.sum()
        return np.array([mean @ np.maximum(theirs, self._stake(hand, bet) * edges) for bet in bets])

    def _stake(self, hand: Hand, bet: Action) -> int:
        """Chips of each at showdown if a bet is called."""
        mine, theirs = hand.contributions[self.seat], hand.contributions[1 - self.seat]
        return min(mine + bet.amount - hand.street_bets[self.seat], theirs + hand.stacks[1 - self.seat])

    def _bet_value(self, hand: Hand, action: Action, belief: Float64) -> float:
        tried = hand.copy()
        tried.act(action)
        folds = fold_probabilities(self.opponent, tried)
        folding = float(belief @ folds / belief.sum())
        theirs = hand.contributions[1 - self.seat]
        calling = belief * (1.0 - folds)
        if calling.sum() <= 1e-12 * belief.sum():  # what is left is rounding
            return float(theirs)
        edge = 2.0 * self.equity(calling, hand.board) - 1.0
        return folding * theirs + (1.0 - folding) * self._stake(hand, action) * edge


def fold_probabilities(opponent: RangeAgent, hand: Hand) -> Float64:
    """(1326,): how often the opponent, who is to act, folds each hand."""
    actions, probabilities = opponent.range_policy(public_state(hand))
    folds = np.zeros(NUM_HOLE_PAIRS)
    for action, column in zip(actions, probabilities.T, strict=True):
        if action.kind is ActionKind.FOLD:
            folds += column
    return folds
