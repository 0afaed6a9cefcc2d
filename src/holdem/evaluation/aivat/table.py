"""AIVAT at the table: real hands of real agents, after they are over.

The hand is played again from its records. At each decision of an agent that opens its strategy (a `RangeAgent`) it is
asked what it does with every hole; the others are taken as they come. Every betting situation is looked up in the
blueprint's tree, bets off the tree as that blueprint would translate them: that shapes the guesses, not the mean.
"""

from collections.abc import Sequence
from pathlib import Path

from holdem.abstraction.bucketing import HandBucketing
from holdem.blueprint.leaf_values import LeafValues
from holdem.blueprint.walk import HistoryWalk
from holdem.cards.cards import Cards, hole_index
from holdem.errors import ConfigError
from holdem.evaluation.aivat.holdem_cards import HoldemCards
from holdem.evaluation.aivat.points import Folded, Point, Showdown, StillBetting
from holdem.evaluation.aivat.strategies import strategy_of
from holdem.evaluation.aivat.values import BlueprintValues
from holdem.evaluation.aivat.walk import Aivat, AivatHand
from holdem.game.actions import Action
from holdem.game.agent import Agent, RangeAgent, public_state
from holdem.game.deal import deck_of
from holdem.game.hand import Hand
from holdem.game.records import Bet, BettingRecord, Fold, PotAwarded, Raise
from holdem.policy.hands import is_lossless
from holdem.policy.policy import AveragePolicy


class TableAivat:
    """Takes luck out of finished heads-up hands; a `match.Correction`."""

    name = "aivat"

    def __init__(self, leaf_values: LeafValues, bucketing: HandBucketing | None = None) -> None:
        policy = leaf_values.policy
        check_deck(policy)
        self.walk = HistoryWalk(policy.tree)
        self.aivat = Aivat(HoldemCards(policy, bucketing), BlueprintValues(leaf_values))

    @classmethod
    def open(cls, run_or_policy: Path | str | AveragePolicy) -> "TableAivat":
        """AIVAT with the values of a blueprint; an ArtifactError if it has no leaf values."""
        policy = run_or_policy if isinstance(run_or_policy, AveragePolicy) else AveragePolicy.load(run_or_policy)
        check_deck(policy)
        return cls(LeafValues.open(policy))

    def corrected(self, hand: Hand, agents: Sequence[Agent]) -> tuple[float, float]:
        """Chips of both seats with luck taken out; the hand is over, agents by seat."""
        if len(agents) != 2 or hand.num_seats != 2:
            raise ConfigError(f"AIVAT is for two players, and this hand has {hand.num_seats}; leave it out")
        won = self._replayed(hand, agents)
        seat = hand.seat_at(0)
        return (won, -won) if seat == 0 else (-won, won)

    def _replayed(self, finished: Hand, agents: Sequence[Agent]) -> float:
        """What position 0 won, without luck."""
        hand = Hand(
            finished.config,
            finished.hole_cards,
            _completed(finished),
            button=finished.button,
            stacks=finished.starting_stacks,
        )
        holes = [self._unknown_hole(hand, agents, hand.seat_at(position)) for position in range(2)]
        walk = self.aivat.hand(holes, self._point(hand))
        for record in finished.records:
            if isinstance(record, BettingRecord):
                self._decide(hand, walk, agents[record.seat], action_of(record))
                self._deal_boards(hand, walk)
        return walk.result

    @staticmethod
    def _unknown_hole(hand: Hand, agents: Sequence[Agent], seat: int) -> int | None:
        """The cards of a seat whose strategy is not known, None if it is."""
        if isinstance(agents[seat], RangeAgent):
            return None
        cards = hand.hole_cards[seat]
        if cards is None:
            raise ConfigError(f"the cards of seat {seat} and its strategy are not known, so AIVAT knows nothing of it")
        return hole_index(*cards)

    def _decide(self, hand: Hand, walk: AivatHand, agent: Agent, action: Action) -> None:
        """Tell the walk of an action, and do it."""
        actions, table = [action], None
        seat = hand.actor
        assert seat is not None
        if isinstance(agent, RangeAgent):
            actions, table = strategy_of(agent, public_state(hand), action, hand.hole_cards[seat])
        before = hand.copy()
        choice = actions.index(action)
        points = []
        for other in actions:
            after = hand if other == action else before.copy()
            after.act(other)
            points.append(self._point(after))
        walk.act(hand.position(seat), choice, points, table)

    def _point(self, hand: Hand) -> Point:
        """Where a hand stands. At a showdown both have put in the same, since what nobody called has come back."""
        first = hand.seat_at(0)
        if hand.actor is not None:
            nodes = tuple(self.walk.node_probabilities(public_state(hand)))
            return StillBetting(nodes, float(hand.pot), float(hand.contributions[first]))
        if hand.live.count(True) == 1:
            return Folded(float(hand.payoffs[first]))
        return Showdown(sum(record.amount for record in hand.records if isinstance(record, PotAwarded)) / 2)

    @staticmethod
    def _deal_boards(hand: Hand, walk: AivatHand) -> None:
        """Tell the walk of the boards that were dealt since its last one."""
        for size in hand.config.board_cards:
            if len(walk.board) < size <= len(hand.board):
                walk.deal(hand.board[:size])


def check_deck(policy: AveragePolicy) -> None:
    """Refuse a policy that does not play with 52 cards and four streets."""
    if policy.config.num_streets != 4 or len(policy.config.ranks) != 13 or is_lossless(policy):
        raise ConfigError(f"AIVAT at a table is for hold'em with 52 cards, not {policy.config.name}; use --no-aivat")


def _completed(hand: Hand) -> Cards:
    """The board as dealt, and behind it any cards, for moves that were not made; no guess looks at those."""
    used = {*hand.board, *(card for cards in hand.hole_cards if cards for card in cards)}
    rest = [card for card in deck_of(hand.config.ranks) if card not in used]
    return hand.board + tuple(rest[: hand.config.board_cards[-1] - len(hand.board)])


def action_of(record: BettingRecord) -> Action:
    """The action that a record tells of."""
    if isinstance(record, Fold):
        return Action.fold()
    if isinstance(record, Bet | Raise):
        return Action.raise_to(record.amount)
    return Action.check_or_call()
