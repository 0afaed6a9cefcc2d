"""AIVAT at the table for three to six players: real hands of real agents, after they are over.

The hand is played again from its records. At each decision of an agent that opens its strategy (a `RangeAgent`) its
chances with the cards that it held are asked for, and what it might have done instead is tried out; the others are
taken as they come. Where betting goes on, the guess is what blueprints would win from the similar nodes of their tree
with these very cards, in shares of the real pot: that shapes the guesses, not the mean.
"""

from collections.abc import Sequence

import numpy as np

from holdem.blueprint.buckets import PolicyBuckets
from holdem.blueprint.walk import HistoryWalk
from holdem.cards.cards import hole_index
from holdem.errors import ArtifactError, ConfigError
from holdem.evaluation.aivat.many.deal_values import DealValues
from holdem.evaluation.aivat.many.expected_match import ExpectedMatch
from holdem.evaluation.aivat.many.luck import PARTS, Luck
from holdem.evaluation.aivat.strategies import strategy_of
from holdem.evaluation.aivat.table import action_of, check_deck
from holdem.evaluation.match.piece_workers import Work
from holdem.game.actions import Action
from holdem.game.agent import Agent, RangeAgent, public_state
from holdem.game.hand import Hand
from holdem.game.pots import side_pots
from holdem.game.records import BettingRecord, PotAwarded
from holdem.mccfr.training_game import needs_buckets
from holdem.policy.fingerprint import fingerprint
from holdem.policy.policy import AveragePolicy
from holdem.types import GameConfig
from holdem.util.arrays import Float64

LAST_STREET = 3


class ManyPlayerAivat:
    """Takes luck out of finished hands; a `match.PartedCorrection`.

    Guesses come from the blueprints among the agents, as far as they share the tree of the first one, which stands in
    for everybody else.
    """

    parts = PARTS

    def __init__(self, agents: Sequence[Agent]) -> None:
        models = _models(agents)
        if not models:
            raise ConfigError("AIVAT needs the values of a blueprint, and none plays here; use --no-aivat")
        self._numbers = {number: place for place, (number, _) in enumerate(models)}
        self.agents = tuple(agents)
        policy = models[0][1].policy
        self.walk = HistoryWalk(policy.tree)
        self.values = DealValues([model.policy for _, model in models], [model for _, model in models])
        unknown = sorted({agent.name for agent in agents if not isinstance(agent, RangeAgent)})
        self.name = "aivat" + (f" (but for the actions of {', '.join(unknown)}, not known)" if unknown else "")

    def compiled(self, config: GameConfig, agents: Sequence[Agent], seed: int) -> Work | None:
        """The match without the rules engine, if all are blueprints of this game."""
        if not ExpectedMatch.fits(config, agents):
            return None
        return ExpectedMatch(config, agents, seed).play_corrected

    def corrected(self, hand: Hand, agents: Sequence[Agent]) -> list[float]:
        """Chips of each seat with all luck taken out that is known."""
        luck = self.luck(hand, agents).sum(axis=0)
        return [float(won - part) for won, part in zip(hand.payoffs, luck, strict=True)]

    def luck(self, hand: Hand, agents: Sequence[Agent]) -> Float64:
        """(parts, seats) chips that a hand brought beyond the mean; it is over, agents by seat."""
        if hand.num_seats != self.values.players:
            raise ConfigError(f"this AIVAT is for {self.values.players} players, and the hand has {hand.num_seats}")
        holes = [hand.hole_cards[hand.seat_at(position)] for position in range(hand.num_seats)]
        dealt = [hole for hole in holes if hole is not None]
        if len(dealt) < hand.num_seats or len(hand.known_board) < hand.config.board_cards[-1]:
            raise ConfigError("AIVAT with three and more players needs all cards of the deal, the board included")
        self.values.deal(dealt, hand.known_board)
        replayed = _ReplayedHand(self.values, self.walk, hand, agents, self._policies(hand, agents))
        return replayed.luck()[:, [hand.position(seat) for seat in range(hand.num_seats)]]

    def _policies(self, hand: Hand, agents: Sequence[Agent]) -> tuple[int, ...]:
        """The number of the policy that stands for each position."""
        return tuple(self._numbers.get(id(agents[hand.seat_at(p)]), 0) for p in range(hand.num_seats))


class _ReplayedHand:
    """Walks through one finished hand and adds up its luck, by position."""

    def __init__(
        self, values: DealValues, walk: HistoryWalk, finished: Hand, agents: Sequence[Agent], policies: tuple[int, ...]
    ) -> None:
        self.values, self.walk, self.finished, self.agents, self.policies = values, walk, finished, agents, policies

    def luck(self) -> Float64:
        """(parts, players) what this hand brought beyond the mean."""
        finished = self.finished
        hand = Hand(
            finished.config,
            finished.hole_cards,
            finished.known_board,
            button=finished.button,
            stacks=finished.starting_stacks,
        )
        luck = Luck(hand.num_seats)
        for record in finished.records:
            if isinstance(record, BettingRecord):
                street, action = hand.street, action_of(record)
                self._decide(hand, luck, self.agents[record.seat], action)
                luck.deal(*self._dealing(hand, street))
        return luck.parts

    def _decide(self, hand: Hand, luck: Luck, agent: Agent, action: Action) -> None:
        """Count an action, and do it."""
        before, seat = hand.copy(), hand.actor
        assert seat is not None
        held = hand.hole_cards[seat]
        hand.act(action)
        if not isinstance(agent, RangeAgent) or held is None:
            return
        actions, table = strategy_of(agent, public_state(before), action, held)
        chances = table[hole_index(*held)]
        possible = np.flatnonzero(chances).tolist()
        if len(possible) < 2:
            return
        guesses = np.zeros((len(actions), hand.num_seats))
        for place in possible:
            after = hand
            if actions[place] != action:
                after = before.copy()
                after.act(actions[place])
            guesses[place] = self._guess(after, before.street)
        luck.act(before.street, actions.index(action), chances, guesses)

    def _guess(self, hand: Hand, street: int) -> Float64:
        """(players,) chips won by the end, after an action on `street`; cards that it brings are still to come."""
        before, after = self._dealing(hand, street)
        return self._with_cards(hand) + before - after

    def _with_cards(self, hand: Hand) -> Float64:
        """(players,) the guess with the cards that have come; once the hand is over, what it brought."""
        if hand.is_over:
            return np.array([hand.payoffs[hand.seat_at(p)] for p in range(hand.num_seats)], dtype=np.float64)
        paid = np.array(_by_position(hand, hand.contributions), dtype=np.float64)
        nodes = self.walk.node_probabilities(public_state(hand))
        if not nodes:
            return self._shared(hand, hand.street) - paid
        tree, won = self.values.tree, np.zeros(hand.num_seats)
        for node, share in nodes:
            chips = tree.chips_in[node]
            won += share / float(chips.sum()) * (self.values.at(node, self.policies) + chips)
        return won * hand.pot - paid

    def _dealing(self, hand: Hand, street: int) -> tuple[Float64, Float64]:
        """(players,) of all pots before and after the cards that an action on `street` brought; equal if it did not."""
        last = LAST_STREET if hand.is_over and hand.live.count(True) > 1 else hand.street
        if last == street:
            nothing = np.zeros(hand.num_seats)
            return nothing, nothing
        return self._shared(hand, street), self._shared(hand, last)

    def _shared(self, hand: Hand, street: int) -> Float64:
        """(players,) what everybody has of the pots by the all-in shares of a street."""
        total = np.zeros(hand.num_seats)
        for pot in side_pots(_chips_in(hand), hand.live):
            contenders = sum(1 << hand.position(seat) for seat in pot.seats)
            total += pot.amount * self.values.shares[street, contenders]
        return total


def _chips_in(hand: Hand) -> list[int]:
    """Chips put in by seat, also after they have been awarded; what nobody called has gone back."""
    chips = [start - now for start, now in zip(hand.starting_stacks, hand.stacks, strict=True)]
    for record in hand.records:
        if isinstance(record, PotAwarded):
            for seat, share in zip(record.winners, record.shares, strict=True):
                chips[seat] += share
    return chips


def _by_position(hand: Hand, by_seat: Sequence[int]) -> list[int]:
    return [by_seat[hand.seat_at(position)] for position in range(hand.num_seats)]


def _models(agents: Sequence[Agent]) -> list[tuple[int, PolicyBuckets]]:
    """The blueprints among the agents that share the tree of the first one, by the id of their agent."""
    models: dict[int, PolicyBuckets] = {}
    first: AveragePolicy | None = None
    for agent in agents:
        policy = getattr(agent, "policy", None)
        if id(agent) in models or not isinstance(policy, AveragePolicy):
            continue
        if first is None:
            check_deck(policy)
            first = policy
        if fingerprint(policy.config, (), None) == fingerprint(first.config, (), None):
            models[id(agent)] = _buckets_of(agent, policy)
    return list(models.items())


def _buckets_of(agent: Agent, policy: AveragePolicy) -> PolicyBuckets:
    buckets = getattr(agent, "buckets", None)
    buckets = buckets if isinstance(buckets, PolicyBuckets) else PolicyBuckets(policy)
    if needs_buckets(policy.config) and buckets.open_tables() is None:
        raise ArtifactError(
            f"{policy.path or 'this policy'} was trained without a card abstraction, and AIVAT needs one; "
            "use --no-aivat"
        )
    return buckets
