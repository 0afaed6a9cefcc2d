"""How bucket pairs of one street lead to those of the next, and who wins the showdown, counted over many deals.

Toy games list all their deals, so the counts are exact; hold'em samples. Every hand counts twice, once with its seats
swapped: cards know no positions. The counts are sparse matrices, since a pair of hands leads to few others.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from threading import Lock

import numpy as np
import numpy.typing as npt

from holdem.abstraction.bucketing import HandBucketing
from holdem.abstraction.buckets.cached_tables import with_tables
from holdem.blueprint.buckets import checked_bucketing, tabled_bucketing
from holdem.blueprint.kernels import leaf_values as kernels
from holdem.errors import ArtifactError, ConfigError
from holdem.game.toy_games import deal_count, toy_game
from holdem.mccfr.dealers import HoldemDealer, bucket_tables, list_dealer
from holdem.policy.hands import is_lossless
from holdem.policy.policy import AveragePolicy
from holdem.util.arrays import Float32, Int64
from holdem.util.parallel import run_chunks
from holdem.util.rng import derived_seed

CHUNK = 500_000
PATHS = 4_000_000
"""Hands that are kept whole, to follow them through the last three streets."""
LISTED_DEALS_LIMIT = 2_000_000

Deal = Callable[[int, int], tuple[Int64, Int64]]
"""The buckets (hands, 2 × streets) and strengths (hands, 2) of the deals from a number up to another."""


@dataclass(frozen=True)
class Transitions:
    """One step from a street to the next: a sparse matrix, pairs × pairs of the next street.

    starts: (pairs + 1,) int64; places: (entries,) int32; weights, signs: (entries,) float32 hands, and those won minus
    those lost at a showdown; both divided by the hands of the row, so that a row of weights adds up to 1 or is empty
    """

    starts: Int64
    places: npt.NDArray[np.int32]
    weights: Float32
    signs: Float32

    @property
    def empty(self) -> npt.NDArray[np.bool_]:
        """(pairs,) which pairs were never dealt."""
        return np.asarray(self.starts[1:] == self.starts[:-1])


@dataclass(frozen=True)
class Paths:
    """Some hands through the last three streets: (hands, 3) int32 pairs, (hands,) int8 who wins; none in other games.

    Each deal is there twice, the second time with its seats swapped.
    """

    pairs: npt.NDArray[np.int32]
    signs: npt.NDArray[np.int8]

    @cached_property
    def hands(self) -> npt.NDArray[np.float64]:
        """How many there are by pair of the first of the three streets, as far as the largest pair."""
        return np.bincount(self.pairs[:, 0]).astype(np.float64)

    @classmethod
    def of(cls, buckets: Int64, strengths: Int64, sizes: tuple[int, ...]) -> "Paths":
        """The paths of deals with these buckets (hands, 2 × streets) and strengths (hands, 2)."""
        columns = []
        for seats in ((0, 1), (1, 0)):
            last = range(len(sizes) - 3, len(sizes))
            columns.append(
                np.stack([buckets[:, 2 * s + seats[0]] * sizes[s] + buckets[:, 2 * s + seats[1]] for s in last], axis=1)
            )
        signs = np.sign(strengths[:, 0] - strengths[:, 1])
        return cls(np.concatenate(columns).astype(np.int32), np.concatenate([signs, -signs]).astype(np.int8))


@dataclass(frozen=True)
class CardCounts:
    """What was counted: the step out of each street, (buckets, buckets) equity and hands of each street."""

    steps: tuple[Transitions, ...]
    equity: tuple[Float32, ...]
    hands: tuple[Int64, ...]
    paths: Paths | None
    deals: int


class StepCounter:
    """Sorted keys of one step with their counts; batches are merged when they outgrow what is there."""

    def __init__(self) -> None:
        self.keys, self.counts = np.empty(0, np.int64), np.empty(0, np.int64)
        self._waiting: list[tuple[Int64, Int64]] = []

    def add(self, keys: Int64, counts: Int64) -> None:
        self._waiting.append((keys, counts))
        if sum(len(keys) for keys, _ in self._waiting) > len(self.keys):
            self.settle()

    def settle(self) -> None:
        """Merge everything that waits."""
        while self._waiting:
            self._waiting.sort(key=lambda batch: -len(batch[0]))
            first = self._waiting.pop()
            second = self._waiting.pop() if self._waiting else (self.keys, self.counts)
            merged = _merged(*first, *second)
            if second[0] is self.keys:
                self.keys, self.counts = merged
            else:
                self._waiting.append(merged)

    def matrix(self, pairs: int, next_pairs: int) -> Transitions:
        """The counts as rows of shares."""
        self.settle()
        starts = np.zeros(pairs + 1, dtype=np.int64)
        places = np.empty(len(self.keys), dtype=np.int32)
        weights, signs = np.empty(len(places), np.float32), np.empty(len(places), np.float32)
        count = kernels.sparse_rows(self.keys, self.counts, next_pairs, starts, places, weights, signs)
        hands = np.add.reduceat(np.append(weights[:count], 0.0), np.minimum(starts[:-1], count), dtype=np.float64)
        shares = np.repeat(1.0 / np.where(starts[1:] > starts[:-1], hands, 1.0), np.diff(starts))
        return Transitions(
            starts,
            places[:count].copy(),
            (weights[:count] * shares).astype(np.float32),
            (signs[:count] * shares).astype(np.float32),
        )


def _merged(keys_1: Int64, counts_1: Int64, keys_2: Int64, counts_2: Int64) -> tuple[Int64, Int64]:
    keys, counts = np.empty((2, len(keys_1) + len(keys_2)), dtype=np.int64)
    length = kernels.merge_counts(keys_1, counts_1, keys_2, counts_2, keys, counts)
    return keys[:length].copy(), counts[:length].copy()


class Counting:
    """Counts the steps between all streets of a game."""

    def __init__(self, sizes: tuple[int, ...]) -> None:
        self.sizes = np.array(sizes, dtype=np.int64)
        self.steps = [StepCounter() for _ in sizes[1:]]
        self.wins = [np.zeros(size**2, dtype=np.int64) for size in sizes]
        self.hands = [np.zeros(size**2, dtype=np.int64) for size in sizes]
        self.paths: dict[int, Paths] = {}
        self.deals = 0

    def batch(self, buckets: Int64, strengths: Int64) -> list[tuple[Int64, ...]]:
        """Wins and hands by pair of each street, sorted keys and counts of each step: threads may run it."""
        found: list[tuple[Int64, ...]] = []
        for street, size in enumerate(self.sizes.tolist()):
            wins, hands = np.zeros((2, size**2), dtype=np.int64)
            kernels.count_showdowns(buckets, strengths, street, size, wins, hands)
            keyed: tuple[Int64, ...] = ()
            if street + 1 < len(self.sizes):
                keys, counts = np.empty((2, 2 * len(buckets)), dtype=np.int64)
                kernels.transition_keys(buckets, strengths, street, self.sizes, keys)
                keys.sort()
                length = kernels.compress(keys, counts)
                keyed = (keys[:length].copy(), counts[:length].copy())
            found.append((*keyed, wins, hands))
        return found

    def add(self, found: list[tuple[Int64, ...]], deals: int) -> None:
        """Take in what `batch` counted."""
        for street, (*keyed, wins, hands) in enumerate(found):
            self.wins[street] += wins
            self.hands[street] += hands
            if keyed:
                self.steps[street].add(*keyed)
        self.deals += deals

    def result(self) -> CardCounts:
        """Everything that was counted, as shares."""
        sizes = self.sizes.tolist()
        equity = [
            (wins / np.maximum(hands, 1)).astype(np.float32).reshape(size, size)
            for wins, hands, size in zip(self.wins, self.hands, sizes, strict=True)
        ]
        hands = [counts.reshape(size, size) for counts, size in zip(self.hands, sizes, strict=True)]
        steps = [step.matrix(sizes[street] ** 2, sizes[street + 1] ** 2) for street, step in enumerate(self.steps)]
        paths = None
        if self.paths:
            kept = [self.paths[start] for start in sorted(self.paths)]
            paths = Paths(np.concatenate([part.pairs for part in kept]), np.concatenate([part.signs for part in kept]))
        return CardCounts(tuple(steps), tuple(equity), tuple(hands), paths, self.deals)


def count_cards(
    policy: AveragePolicy,
    bucketing: HandBucketing | None,
    deals: int,
    seed: int = 0,
    threads: int = 0,
    seconds: float | None = None,
    progress: Callable[[int], None] | None = None,
) -> CardCounts:
    """Count `deals` hands of hold'em, or fewer if `seconds` run out; toy games count each of their deals once."""
    counting = Counting(policy.info.buckets_per_street)
    if is_lossless(policy):
        buckets, strengths = _listed_deals(policy)
        counting.add(counting.batch(buckets, strengths), len(buckets))
        return counting.result()
    deal, lock = _holdem_deals(policy, bucketing, seed), Lock()
    end = None if seconds is None else time.monotonic() + seconds

    def work(start: int, stop: int) -> None:
        if end is not None and time.monotonic() >= end and counting.deals:
            return
        dealt = deal(start, stop)
        found = counting.batch(*dealt)
        paths = Paths.of(*dealt, policy.info.buckets_per_street) if start < PATHS and len(counting.sizes) > 2 else None
        with lock:
            counting.add(found, stop - start)
            if paths is not None:
                counting.paths[start] = paths

    run_chunks(work, deals, CHUNK, threads, progress)
    return counting.result()


def _listed_deals(policy: AveragePolicy) -> tuple[Int64, Int64]:
    game = toy_game(policy.config)
    count = deal_count(game)
    if count > LISTED_DEALS_LIMIT:
        raise ConfigError(
            f"{policy.config.name} has {count:,} deals, more than leaf values list ({LISTED_DEALS_LIMIT:,}); "
            "use fewer ranks"
        )
    dealer = list_dealer(game, np.ones(2 * policy.config.num_streets, dtype=np.int64))
    return dealer.deal_rows, dealer.deal_strengths


def _holdem_deals(policy: AveragePolicy, bucketing: HandBucketing | None, seed: int) -> Deal:
    config, streets = policy.config, policy.config.num_streets
    bucketing = tabled_bucketing(policy) if bucketing is None else with_tables(checked_bucketing(policy, bucketing))
    if bucketing is None:
        raise ArtifactError(
            f"{policy.path or 'this policy'} was trained without a card abstraction, and leaf values need one; "
            "name the right file with --buckets FILE"
        )
    tables = bucket_tables(bucketing.tables, streets)
    strides = np.ones(2 * streets, dtype=np.int64)
    deal_seed = derived_seed(seed, "leaf values") >> 1  # the kernel takes signed numbers

    def deal(start: int, stop: int) -> tuple[Int64, Int64]:
        buckets = np.empty((stop - start, 2 * streets), dtype=np.int64)
        strengths = np.empty((stop - start, 2), dtype=np.int64)
        dealer = HoldemDealer(config.board_cards, streets, strides, tables)  # one for each call: it keeps state
        dealer.deal(deal_seed, start, buckets, strengths)
        return buckets, strengths

    return deal
