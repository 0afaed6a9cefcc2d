"""The exact best response to an agent that plays a turn and the rivers after it, whatever it does between them.

An agent that solves every decision anew has no strategy that could be read off one solve: what it plays is composed of
all its answers. So it is asked at every public state that the turn can lead to. The opponent takes actions of a fixed
menu, knows the agent's answers everywhere, and chooses the best action for each hand: what it wins is exact.

This is a judge of the solver, so it shares nothing with it: the rules of the table say what follows an action,
phevaluator says who wins, and the rest is plain NumPy. A river may be dealt from a part of the deck. Then nobody holds
one of these cards, so that each is as likely as the others for every pair of hands.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from phevaluator import evaluate_cards

from holdem.cards.cards import HOLE_CARDS, NUM_CARDS
from holdem.game import records as rec
from holdem.game.actions import Action
from holdem.game.agent import PublicState, public_state
from holdem.game.hand import Hand
from holdem.util.arrays import Float64, Int64

AGENT, OPPONENT = 0, 1
BEFORE_RIVER = 4
ALL_RIVERS = NUM_CARDS - BEFORE_RIVER
MOST_RIVERS = 24
"""Of a part of the deck: the cards that are left must be enough for two ranges."""
ALL_IN = math.inf
LEAST_SHARE = 1e-5
"""An action that the agent takes with less of its range than this is not followed: it counts as giving the pot up."""
Ask = Callable[[PublicState], tuple[Sequence[Action], Float64]]
"""The actions of the agent at a state, and (1326, actions) their probabilities."""


@dataclass(frozen=True)
class Sizes:
    """Bets and raises in shares of the pot (after a call), by how many bets stand on the street; then none."""

    by_number: tuple[tuple[float, ...], ...]

    def actions(self, hand: Hand) -> list[Action]:
        """Fold or check, call, and the legal bets of the menu, ascending."""
        legal = hand.legal_actions()
        actions = [Action.check_or_call()]
        if legal.call_amount:
            actions.insert(0, Action.fold())
        number = bets_on_street(hand)
        if legal.min_raise_to is None or legal.max_raise_to is None or number >= len(self.by_number):
            return actions
        level = max(hand.street_bets)
        totals = set()
        for share in self.by_number[number]:
            wished = level + math.floor(share * (hand.pot + legal.call_amount) + 0.5) if share < ALL_IN else ALL_IN
            totals.add(int(min(max(wished, legal.min_raise_to), legal.max_raise_to)))
        return actions + [Action.raise_to(total) for total in sorted(totals)]


OPPONENT_SIZES = Sizes(((0.5, 1.0, ALL_IN), (1.0,)))
"""Three bets and one raise; who raises a raise is answered by a call or a fold."""


def bets_on_street(hand: Hand) -> int:
    """Bets and raises of the current street so far."""
    count = 0
    for record in hand.records:
        if isinstance(record, rec.BoardDealt):
            count = 0
        elif isinstance(record, rec.Bet | rec.Raise):
            count += 1
    return count


@dataclass(frozen=True)
class CompositeSpot:
    """A turn (or river) at which two ranges meet; `hand` has no cards known but the board.

    weights: (2, 1326) of the agent and of the opponent; rivers: the cards that may come, none at a river
    """

    hand: Hand
    seat: int
    """The agent's."""
    weights: Float64
    rivers: tuple[int, ...]

    def __post_init__(self) -> None:
        if self.rivers and len(self.rivers) < ALL_RIVERS:
            held = np.isin(HOLE_CARDS, self.rivers).any(axis=1)
            assert not self.weights[:, held].any(), "rivers from a part of the deck must be in nobody's hand"

    @cached_property
    def hands(self) -> tuple[Int64, Int64]:
        """Hole pairs of the agent and of the opponent."""
        return np.flatnonzero(self.weights[AGENT]), np.flatnonzero(self.weights[OPPONENT])

    @cached_property
    def reach(self) -> tuple[Float64, Float64]:
        """Weights of `hands`."""
        return self.weights[AGENT][self.hands[AGENT]], self.weights[OPPONENT][self.hands[OPPONENT]]

    @cached_property
    def meeting(self) -> Float64:
        """(agent's hands, opponent's hands): 1 where they share no card."""
        mine, theirs = HOLE_CARDS[self.hands[AGENT]], HOLE_CARDS[self.hands[OPPONENT]]
        shared = (mine[:, None, :, None] == theirs[None, :, None, :]).any(axis=(2, 3))
        return np.asarray(~shared, dtype=np.float64)

    @cached_property
    def deals(self) -> float:
        """The weight of all pairs of hands."""
        return float(self.reach[AGENT] @ self.meeting @ self.reach[OPPONENT])

    @property
    def river_count(self) -> int:
        """Rivers that a pair of hands leaves."""
        return len(self.rivers) if len(self.rivers) < ALL_RIVERS else ALL_RIVERS - 4

    def alive(self, player: int, river: int) -> Float64:
        """1 for the hands of a player that do not hold the river."""
        return np.asarray(~(HOLE_CARDS[self.hands[player]] == river).any(axis=1), dtype=np.float64)

    @cached_property
    def winning(self) -> dict[int, Float64]:
        """By river: +1 where the agent's hand wins, −1 where it loses, 0 for ties and pairs that cannot meet."""
        return {river: self._winning((*self.hand.board, river)) for river in self.rivers}

    @cached_property
    def winning_here(self) -> Float64:
        """The same for the board as it is: at a river, or over all rivers if both are all-in before."""
        if not self.rivers:
            return self._winning(self.hand.board)
        return np.asarray(sum(self.winning.values()) / self.river_count)

    def _winning(self, board: Sequence[int]) -> Float64:
        ranks = []
        for hands in self.hands:
            pairs = HOLE_CARDS[hands].tolist()
            ranks.append(np.array([0 if {*pair} & {*board} else _rank((*pair, *board)) for pair in pairs]))
        mine, theirs = ranks[0][:, None], ranks[1][None, :]
        signs = np.sign(theirs - mine)  # phevaluator: smaller is better
        return np.asarray(self.meeting * signs * (mine > 0) * (theirs > 0), dtype=np.float64)

    def value(self, counterfactual: Float64) -> float:
        """Chips that the opponent wins on average, beyond half of the pot, from values of its hands."""
        return float(self.reach[OPPONENT] @ counterfactual) / self.deals


@dataclass
class ComposedResponse:
    """Walks everything that can follow the root of a spot, with all hands at once."""

    spot: CompositeSpot
    ask: Ask
    sizes: Sizes = OPPONENT_SIZES
    asked: int = 0
    given_up: float = field(default=0.0)
    """Chips by which actions that were not followed can have changed the value, at most."""

    def value(self) -> float:
        """Chips that the best response of the opponent wins on average, beyond half of the pot."""
        return self.spot.value(self._visit(self.spot.hand, self.spot.reach[AGENT], None, 1.0))

    def _visit(self, hand: Hand, reach: Float64, river: int | None, chance: float) -> Float64:
        """(opponent's hands,) values times the agent's reach at a decision."""
        if hand.actor != self.spot.seat:
            choices = [self._after(hand, action, reach, river, chance) for action in self.sizes.actions(hand)]
            return np.asarray(np.max(choices, axis=0))
        actions, policy = self.ask(public_state(hand))
        self.asked += 1
        own = policy[self.spot.hands[AGENT]]
        values = np.zeros(len(self.spot.hands[OPPONENT]))
        for place, action in enumerate(actions):
            taken = reach * own[:, place]
            share = float(taken.sum() / self.spot.reach[AGENT].sum())
            if share >= LEAST_SHARE:
                values += self._after(hand, action, taken, river, chance)
            elif share > 0.0:
                values += hand.contributions[self.spot.seat] * self._met(taken, river)
                self.given_up += chance * share * 2 * max(hand.starting_stacks)
        return values

    def _after(self, hand: Hand, action: Action, reach: Float64, river: int | None, chance: float) -> Float64:
        """Values after an action."""
        actor, after = hand.actor, hand.copy()
        assert actor is not None
        after.act(action)
        if after.is_over:  # the actor folded, and loses what it had put in
            sign = 1.0 if actor == self.spot.seat else -1.0
            return sign * hand.contributions[actor] * self._met(reach, river)
        if after.actor is not None:
            return self._visit(after, reach, river, chance)
        return self._closed(after, reach, river, chance)

    def _closed(self, hand: Hand, reach: Float64, river: int | None, chance: float) -> Float64:
        """The end of a betting round: a showdown, or the next card."""
        spot = self.spot
        if not hand.awaited_board_cards:
            signs = spot.winning_here if river is None else spot.winning[river]
            return -hand.contributions[spot.seat] * (reach @ signs)
        values = np.zeros(len(spot.hands[OPPONENT]))
        for card in spot.rivers:
            dealt = hand.copy()
            dealt.deal_board((card,))
            after = self._visit(dealt, reach * spot.alive(AGENT, card), card, chance / spot.river_count)
            values += after * spot.alive(OPPONENT, card)
        return np.asarray(values / spot.river_count)

    def _met(self, reach: Float64, river: int | None) -> Float64:
        """(opponent's hands,) the agent's reach that each can meet."""
        met = reach @ self.spot.meeting
        return np.asarray(met if river is None else met * self.spot.alive(OPPONENT, river))


def _rank(cards: Sequence[int]) -> int:
    return int(evaluate_cards(*("23456789TJQKA"[card // 4] + "cdhs"[card % 4] for card in cards)))
