"""What actions are worth by the blueprint: deals from the ranges that the betting left, everybody plays the blueprint.

The opponents' ranges come from Bayes' rule along the hand, the cards to come are dealt at random, and all seats play
their average policy to the end. That is an estimate with a standard error; on a heads-up river, where only the
opponent's hand is unknown, every one of them is tried and nothing is estimated. It is the worth in the blueprint's own
game: bets off the tree are translated, and chips are scaled to the real pot. Every action is tried on the same deals.

Training comes rarely to what follows an action that is hardly ever taken, so the replies there are those of a beginner,
and such an action may look like a gold mine. Its worth is not shown (`defended`), unless the action ends the betting.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from holdem.abstraction.bucketing import Table
from holdem.blueprint.agent import BlueprintAgent
from holdem.blueprint.class_worth import TAKEN
from holdem.cards.cards import HOLE_CARDS, hole_index
from holdem.cards.kernels.evaluator import evaluate_seven_card_hands
from holdem.cards.kernels.index import index_hands
from holdem.cards.ranges import CLASS_OF_HOLE, NUM_CLASSES
from holdem.game.actions import Action, ActionKind
from holdem.game.agent import Observation
from holdem.realtime.search.ranges import HARDLY_EVER_DONE, free_of
from holdem.table.advice.beliefs import ranges_by_position, shares_of
from holdem.table.advice.kernels.rollout import PolicyArrays, deal_from_ranges, worth_of_actions
from holdem.util.arrays import Float64, Int64, UInt64
from holdem.util.rng import stream
from holdem.util.words import counted

RIVER = 3
NO_TABLES = "the bucket tables of the policy were not found"

WALKED_NODES = 2_000
"""Subtrees up to this size are walked whole for every deal, larger ones by drawn lines."""
DRAWN_LINES = 8
"""Drawn lines are cheap: that many times more deals."""
TRIES_PER_DEAL = 50
SMALLEST_SHARE = 0.1
"""Readings of the betting that are less likely than this do not enter the estimate."""
HARDLY_TAKEN = TAKEN
"""An action with a smaller share has no worth to show: average policies are weighted by how often they are reached."""


class Deals(NamedTuple):
    """holes: (deals, players) hole pairs; boards: (deals, 5); chances: (deals,) weights of the deals."""

    holes: npt.NDArray[np.int16]
    boards: npt.NDArray[np.uint8]
    chances: Float64


@dataclass(frozen=True)
class Worth:
    """`samples`: (deals, actions) chips from the chips in front of the seat now, nan where an action was not tried.

    `weights`: (deals,) how likely each deal is, where all deals that are possible were tried; None for drawn ones.
    `ends`: of each action whether nothing is decided after it, so that at most cards tell what it is worth.
    `guessed`: whether the blueprint hardly ever does what others did here, so that their ranges are guesses.
    """

    samples: Float64
    weights: Float64 | None = None
    ends: tuple[bool, ...] = ()
    guessed: bool = False

    @property
    def exact(self) -> bool:
        """Whether nothing was drawn."""
        return self.weights is not None

    @property
    def evs(self) -> tuple[float, ...]:
        """The mean of each action."""
        return tuple(self._mean_and_error(column)[0] for column in self.samples.T)

    @property
    def errors(self) -> tuple[float, ...]:
        """The standard error of each mean."""
        return tuple(self._mean_and_error(column)[1] for column in self.samples.T)

    def defended(self, probabilities: Sequence[float]) -> tuple[float, ...]:
        """The worth of the actions that are played with these chances, NaN for those that it cannot be defended for."""
        known = zip(self.evs, probabilities, self.ends, strict=True)
        return tuple(ev if share >= HARDLY_TAKEN or ends else np.nan for ev, share, ends in known)

    def lost(self, taken: Sequence[float], instead: Sequence[float]) -> tuple[float, float]:
        """What one mixture of the actions loses to another on the same deals, and the standard error of that."""
        difference = np.asarray(instead) - np.asarray(taken)
        used = difference != 0.0
        return self._mean_and_error(self.samples[:, used] @ difference[used])

    def lost_to_best(self, taken: Sequence[float], shown: Sequence[int]) -> tuple[float, float]:
        """What a mixture loses to the best of the actions at these places, and the standard error of that.

        The best of some estimates is partly the luckiest. So each half of the deals says which one it is, and the other
        half what it gains; the mean of both may be a little below zero, as an estimate of nothing is. If the action
        taken is itself the best, the error is that of what it is ahead of the next one.
        """
        halves = [Worth(self.samples[start::2]) for start in (0, 1)]
        parts = [priced._lost_to(chosen, taken, shown) for chosen, priced in (halves, halves[::-1])]
        (first, first_error), (second, second_error) = parts
        return (first + second) / 2.0, float(np.hypot(first_error, second_error)) / 2.0

    def _lost_to(self, chosen: "Worth", taken: Sequence[float], shown: Sequence[int]) -> tuple[float, float]:
        """What a mixture loses on these deals to the action that is best on others."""
        best = chosen._best(shown)
        others = [place for place in shown if not (best[place] and taken[place] == 1.0)]
        if len(others) == len(shown) or not others:
            return self.lost(taken, best)
        return 0.0, self.lost(taken, chosen._best(others))[1]

    def _best(self, shown: Sequence[int]) -> list[float]:
        """All of the action that is worth most."""
        evs = self.evs
        best = max(shown, key=lambda place: evs[place])
        return [float(place == best) for place in range(len(evs))]

    @property
    def source(self) -> str:
        """How it was found, in words."""
        return (
            "blueprint against every hand"
            if self.exact
            else f"blueprint rollouts, {counted(len(self.samples), 'deal')}"
        )

    def _mean_and_error(self, values: Float64) -> tuple[float, float]:
        """Over the deals that were tried; nan where there are none, or only one that was drawn."""
        tried = ~np.isnan(values)
        if self.weights is not None:
            weight = self.weights[tried].sum()
            return (float(values[tried] @ self.weights[tried] / weight), 0.0) if weight else (np.nan, np.nan)
        if tried.sum() < 2:
            return np.nan, np.nan
        return float(values[tried].mean()), float(values[tried].std(ddof=1) / np.sqrt(tried.sum()))


class Rollouts:
    """Rollouts with one blueprint; the same observation gives the same estimate."""

    def __init__(self, blueprint: BlueprintAgent, deals: int = 1_000) -> None:
        self.blueprint, self.deals = blueprint, deals
        policy, tree = blueprint.policy, blueprint.policy.tree
        self._arrays = PolicyArrays(
            tree.player, tree.street, tree.kind, tree.num_actions, policy.num_passive, tree.first_child, tree.end,
            tree.folded, tree.chips_in, policy.layout.offset, policy.layout.stride, np.asarray(policy.table),
        )  # fmt: skip
        self._streets = int(tree.street[tree.num_actions > 0].max()) + 1

    @property
    def _tables(self) -> tuple[Table, ...]:
        """Those of the buckets as they are now: tables may be built while the blueprint plays."""
        bucketing = self.blueprint.buckets.bucketing
        return () if bucketing is None else bucketing.tables

    @property
    def lacks_tables(self) -> bool:
        """Whether bucket tables are all that is missing."""
        return self.why_not == NO_TABLES

    @property
    def why_not(self) -> str:
        """Why nothing can be estimated, empty if it can."""
        config, info = self.blueprint.policy.config, self.blueprint.policy.info
        if len(config.ranks) != 13 or config.board_cards[-1] != 5 or info.buckets_per_street[0] != NUM_CLASSES:
            return f"{config.name} is not played with 52 cards and 169 starting hands"
        if self._streets > 1 and not self._tables:
            return NO_TABLES
        return ""

    def worth(self, observation: Observation, actions: Sequence[Action]) -> Worth | None:
        """What each of `actions` is worth, None where the blueprint has no decision like it or no tables."""
        if self.why_not:
            return None
        state = observation.public()
        nodes = [(n, share) for n, share in self.blueprint.node_probabilities(state) if share >= SMALLEST_SHARE]
        if not nodes:
            return None
        ranges = ranges_by_position(self.blueprint, state)
        weights = ranges.weights
        source = stream(observation.deal, "rollout", observation.seat, observation.decision)
        random = np.frombuffer(source.bytes(16), np.uint64).copy()  # deals and lines draw from it one after the other
        walked = self._walked(*(node for node, _ in nodes))  # all readings alike, so that each has its share
        exact = state.street == RIVER and len(weights) == 2 and walked
        parts, chances = [], []
        for node, share in nodes:
            if exact:
                dealt = every_hand(observation, weights)
            else:
                most = self.deals if walked else DRAWN_LINES * self.deals
                deals = max(2, round(most * share / sum(share for _, share in nodes)))
                dealt = _draw(observation, weights, deals, random)
            parts.append(self._samples(node, observation, actions, dealt, random, walked))
            chances.append(share * dealt.chances)
        samples = np.concatenate(parts)
        if not len(samples):
            return None
        ends = tuple(all(self._ends_betting(node, observation, action) for node, _ in nodes) for action in actions)
        guessed = min(ranges.rarest.values(), default=1.0) < HARDLY_EVER_DONE
        return Worth(samples, np.concatenate(chances) if exact else None, ends, guessed)

    def _ends_betting(self, node: int, seen: Observation, action: Action) -> bool:
        """Whether it is a fold, or nobody decides anything after an action of a node."""
        if action == Action.fold():
            return True
        first, after = int(self._arrays.first_child[node]), self._arrays.num_actions
        shares = self._shares(node, self.blueprint.actions_at(node, seen), seen, action)
        return bool(shares) and all(after[first + place] == 0 for place, _ in shares)

    def _shares(self, node: int, here: Sequence[Action], seen: Observation, action: Action) -> list[tuple[int, float]]:
        """Which of a node's actions, which are these at the table, one of the table stands for, by place.

        Where the rules make several sizes one, the largest: it is the nearest to a least raise, and what is cut down to
        all the chips is an all-in.
        """
        if action.kind is ActionKind.RAISE_TO and action in here:
            first, chips = int(self._arrays.first_child[node]), self._arrays.chips_in
            same = [place for place, known in enumerate(here) if known == action]
            return [(max(same, key=lambda place: int(chips[first + place, seen.position])), 1.0)]
        return shares_of(action, here, seen)

    def _walked(self, *nodes: int) -> bool:
        """Whether the whole subtrees are walked for every deal."""
        return all(self._arrays.end[node] - self._arrays.first_child[node] <= WALKED_NODES for node in nodes)

    def _samples(
        self, node: int, seen: Observation, actions: Sequence[Action], dealt: Deals, random: UInt64, walked: bool
    ) -> Float64:
        """(deals, actions) chips; a size that the node does not have is priced between its neighbours."""
        dealt.holes[:, seen.position] = hole_index(*seen.hole_cards)
        buckets, strengths = self._look_up(dealt.holes, dealt.boards, seen.street)
        values = np.empty((len(dealt.holes), int(self._arrays.num_actions[node])))
        worth_of_actions(self._arrays, node, seen.position, buckets, strengths, walked, random, values)
        here = self.blueprint.actions_at(node, seen)
        chips = self._arrays.chips_in[node]
        scale = seen.pot / max(int(chips.sum()), 1)
        worth = np.full((len(values), len(actions)), np.nan)
        for column, action in enumerate(actions):
            shares = self._shares(node, here, seen, action)
            if shares:
                worth[:, column] = sum(share * values[:, place] for place, share in shares)
        return (worth + int(chips[seen.position])) * scale

    def _look_up(self, holes: npt.NDArray[np.int16], boards: npt.NDArray[np.uint8], street: int) -> tuple[Int64, Int64]:
        """(deals, players, streets) buckets from `street` on, and (deals, players) strengths."""
        deals, players = holes.shape
        hands = np.empty((deals, players, 7), np.uint8)
        hands[:, :, :2] = HOLE_CARDS[holes]
        hands[:, :, 2:] = boards[:, None, :]
        flat = hands.reshape(-1, 7)
        buckets = np.zeros((deals, players, max(self._streets, 1)), np.int64)
        if street == 0:
            buckets[:, :, 0] = CLASS_OF_HOLE[holes]
        indices = np.empty(len(flat), np.int64)
        for later in range(max(street, 1), self._streets):
            index_hands(np.ascontiguousarray(flat[:, : 4 + later]), indices)
            buckets[:, :, later] = self._tables[later - 1][indices].reshape(deals, players)
        strengths = np.empty(len(flat), np.int16)
        evaluate_seven_card_hands(flat, strengths)
        return buckets, strengths.reshape(deals, players).astype(np.int64)


def _draw(seen: Observation, weights: Float64, deals: int, random: UInt64) -> Deals:
    """Deals by their chance."""
    board = np.array(seen.board, dtype=np.uint8)
    known = sum(1 << card for card in (*seen.board, *seen.hole_cards))
    holes, boards = np.empty((deals, len(weights)), np.int16), np.empty((deals, 5), np.uint8)
    sums, tries = np.cumsum(weights, axis=1), deals * TRIES_PER_DEAL
    done = deal_from_ranges(random, sums, HOLE_CARDS, seen.position, known, board, tries, holes, boards)
    return Deals(holes[:done], boards[:done], np.ones(done))


def every_hand(seen: Observation, weights: Float64) -> Deals:
    """On a heads-up river: each hand that the opponent may hold, with its weight."""
    opponent = 1 - seen.position
    possible = np.flatnonzero((weights[opponent] > 0.0) & free_of((*seen.board, *seen.hole_cards)))
    holes = np.empty((len(possible), 2), np.int16)
    holes[:, opponent] = possible
    boards = np.tile(np.array(seen.board, np.uint8), (len(possible), 1))
    return Deals(holes, boards, weights[opponent, possible])
