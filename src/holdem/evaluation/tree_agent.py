"""A blueprint at a table where everybody plays the same betting tree: every action has its node, nothing is translated.

That is the case between instances of one run, and why they can be compared without a word about bet sizes in between.
"""

from functools import lru_cache

from holdem.abstraction.betting_tree import ActionCode
from holdem.abstraction.bucketing import HandBucketing
from holdem.cards.cards import Cards, hole_index
from holdem.cards.ranges import CLASS_OF_HOLE, NUM_CLASSES
from holdem.errors import IllegalAction
from holdem.game.actions import Action, ActionKind
from holdem.game.agent import Observation
from holdem.game.records import Bet, Call, Check, Fold, Raise, Record
from holdem.game.toy_games import bucket_of, toy_game
from holdem.mccfr.policy import AveragePolicy
from holdem.mccfr.policy_hands import bucketing_of, is_lossless


class Hands:
    """Buckets of hands; asked again for the same hand it remembers, so that agents who share it look up once."""

    def __init__(self, policy: AveragePolicy, bucketing: HandBucketing | None = None) -> None:
        self.policy, self.bucketing = policy, bucketing
        self.bucket = lru_cache(maxsize=1 << 18)(self._bucket)

    def _bucket(self, hole: Cards, board: Cards) -> int:
        if is_lossless(self.policy):
            return bucket_of(toy_game(self.policy.config), hole, board)
        if not board and self.policy.info.buckets_per_street[0] == NUM_CLASSES:
            return int(CLASS_OF_HOLE[hole_index(*hole)])
        return (self.bucketing or bucketing_of(self.policy)).bucket(hole, board)


class TreeAgent:
    """Plays a policy in its own tree."""

    def __init__(self, name: str, policy: AveragePolicy, hands: Hands) -> None:
        self._name, self.policy, self.hands = name, policy, hands

    @property
    def name(self) -> str:
        """What reports call it."""
        return self._name

    def act(self, observation: Observation) -> Action:
        """Draw an action with the policy's probabilities."""
        tree = self.policy.tree
        node = self.node_after(observation.history)
        bucket = self.hands.bucket(tuple(sorted(observation.hole_cards)), observation.board)
        probabilities = self.policy.probabilities(node, bucket)
        choice = int(observation.random().choice(len(probabilities), p=probabilities))
        action = tree.action_into(tree.children(node)[choice])
        least = observation.legal.min_raise_to
        if action.kind is ActionKind.RAISE_TO and least is not None and action.amount < least:
            return Action.raise_to(least)  # all that the others can call; the rules give the rest back
        return action

    def node_after(self, history: tuple[Record, ...]) -> int:
        """The node that the actions so far lead to."""
        node = 0
        for record in history:
            action = _action_of(record)
            if action is not None:
                node = self._child(node, action)
        return node

    def _child(self, node: int, action: Action) -> int:
        tree = self.policy.tree
        child = tree.find_child(node, action)
        if child is not None:
            return child
        raises = [found for found in tree.children(node) if tree.action[found] == ActionCode.RAISE]
        if action.kind is not ActionKind.RAISE_TO or not raises:
            raise IllegalAction(f"{action} is not in the tree after {tree.describe(node)!r}; {self.name} cannot go on")
        return min(raises, key=lambda found: abs(int(tree.amount[found]) - action.amount))


def _action_of(record: Record) -> Action | None:
    if isinstance(record, Fold):
        return Action.fold()
    if isinstance(record, Check | Call):
        return Action.check_or_call()
    if isinstance(record, Bet | Raise):
        return Action.raise_to(record.amount)
    return None
