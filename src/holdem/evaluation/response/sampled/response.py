"""Best response to a strategy of heads-up hold'em, within its betting tree, on sampled boards with exact cards.

The responder plays every one of the 1,326 hands by itself and knows the opponent's strategy. It may bet only as the
tree allows; in the real game somebody could win more. Flops are sampled, below each some turns, below each of these
some rivers; all-ins before the river count every runout exactly. The responder knows which boards are in the sample:
where it chooses, it chooses what is best on just these, so the figure is **too high**, the less so the more boards
there are. With every board in the sample it is exact, as it is on a short deck.

    evaluator = SampledBestResponse.of_policy(policy)
    evaluator.result(evaluator.flop_values(Samples(flops=12, turns=4, rivers=4)))
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
import numpy.typing as npt

from holdem.abstraction.betting.row_layout import RowLayout
from holdem.abstraction.betting.tree import BettingTree, NodeKind
from holdem.blueprint.buckets import PolicyBuckets, prepare_tables
from holdem.cards.cards import NUM_HOLE_PAIRS, Cards
from holdem.cards.ranges import CLASS_OF_HOLE, NUM_CLASSES
from holdem.errors import ConfigError
from holdem.evaluation.kernels.lanes import LANES
from holdem.evaluation.kernels.sampled import BoardArrays, Scratch, evaluate_root
from holdem.evaluation.match.win_rates import half_interval
from holdem.evaluation.response.sampled.boards import BucketsOfHoles, board_arrays, hole_pairs
from holdem.evaluation.response.sampled.first_street import FirstStreet, Values
from holdem.evaluation.response.sampled.street_lists import street_lists, tree_arrays
from holdem.game.deal import deck_of
from holdem.policy.policy import AveragePolicy
from holdem.util.arrays import Float64
from holdem.util.parallel import run_chunks
from holdem.util.rng import stream

LEAST_SAMPLES = 3
"""A hand holds two cards, so one of three sampled ones is always left to it."""


@dataclass(frozen=True)
class Samples:
    """How many flops, turns below each flop and rivers below each turn; as many as there are, if that is fewer."""

    flops: int = 12
    turns: int = 4
    rivers: int = 4

    def __post_init__(self) -> None:
        if min(self.flops, self.turns, self.rivers) < LEAST_SAMPLES:
            raise ConfigError(
                f"{self.flops} flops, {self.turns} turns, {self.rivers} rivers are too few: with less than "
                f"{LEAST_SAMPLES} a hand may hold every sampled card; give at least {LEAST_SAMPLES} of each"
            )


@dataclass(frozen=True)
class FlopValues:
    """What was computed on the sampled flops.

    flops: those that were done; values: (flops, positions, 2, roots, 1326) best response and own strategy, where the
    flop's betting begins, 0 for hands that a flop does not leave; nodes: visited, all boards together;
    all_later_cards: whether every turn and river was in the sample.
    """

    flops: list[Cards]
    values: Float64
    nodes: int
    all_later_cards: bool


@dataclass(frozen=True)
class SampledResult:
    """Chips a hand.

    positions: of the big blind and of the button; interval: half of a 95 % interval over flops, which knows nothing of
    the bias; with_half_the_flops: the exploitability that half as many give; exact: no board is missing
    """

    positions: tuple[Values, Values]
    exploitability: float
    interval: float
    with_half_the_flops: float | None
    flops: int
    exact: bool


class SampledBestResponse:
    """Best responses to one strategy."""

    def __init__(
        self,
        tree: BettingTree,
        layout: RowLayout,
        buckets_per_street: Sequence[int],
        table: npt.NDArray[Any],
        buckets_of_holes: BucketsOfHoles,
    ) -> None:
        config = tree.config
        if config.variant != "holdem" or tree.num_players != 2:
            raise ConfigError(f"{config.name} is not heads-up hold'em; best response on sampled boards knows no other")
        self.tree, self.config = tree, config
        self.deck = deck_of(config.ranks)
        self.buckets_of_holes = buckets_of_holes
        self.lists = street_lists(tree)
        self.arrays = tree_arrays(tree, layout, buckets_per_street, table)
        classes = CLASS_OF_HOLE if buckets_per_street[0] == NUM_CLASSES and len(self.deck) == 52 else None
        self.first = FirstStreet(self.arrays, self.lists, config, self.deck, buckets_of_holes(()), classes)
        self.all_ins = [
            bool(((tree.kind == NodeKind.SHOWDOWN) & (tree.street == street)).any())
            for street in range(config.num_streets)
        ]

    @classmethod
    def of_policy(cls, policy: AveragePolicy) -> "SampledBestResponse":
        """For the strategy of a run."""
        buckets = PolicyBuckets(policy)
        prepare_tables(buckets)
        return cls(policy.tree, policy.layout, policy.info.buckets_per_street, policy.table, buckets.of_holes)

    @property
    def num_flops(self) -> int:
        """Different flops; 0 where nobody bets after the flop."""
        return comb(len(self.deck), self.config.board_cards[1]) if len(self.first.closings) else 0

    def draw_flops(self, count: int, seed: int) -> list[Cards]:
        """Different flops in random order, so that any first part of them is a sample too."""
        if not self.num_flops:
            return []
        every = list(combinations(self.deck, self.config.board_cards[1]))
        return [every[place] for place in stream(seed, "flops").permutation(len(every))[:count].tolist()]

    def flop_values(
        self,
        samples: Samples,
        seed: int = 0,
        threads: int = 0,
        progress: Callable[[int], None] | None = None,
        stopped: Callable[[], bool] = lambda: False,
    ) -> FlopValues:
        """Both positions' values on every sampled flop; a flop that a stop left unfinished is not in the result."""
        flops = self.draw_flops(samples.flops, seed)
        roots = self.first.closings
        reaches = [self.first.reach(1 - position) for position in (0, 1)]
        values = np.zeros((len(flops), 2, 2, len(roots), NUM_HOLE_PAIRS))
        visited = np.full(len(flops), -1, dtype=np.int64)

        def work(start: int, stop: int) -> None:
            for number in range(start, stop):
                if not stopped():
                    generator = stream(seed, "boards", *flops[number])
                    counts = (samples.turns, samples.rivers)
                    visited[number] = self.one_flop(flops[number], counts, generator, reaches, values[number], stopped)

        run_chunks(work, len(flops), 1, threads, progress)
        done = np.flatnonzero(visited >= 0)
        left = len(self.deck) - self.config.board_cards[1] if flops else 0
        later = (samples.turns, samples.rivers)[: max(0, self.config.num_streets - 2)]
        every = all(count >= left - street for street, count in enumerate(later))
        return FlopValues([flops[number] for number in done], values[done], int(visited[done].sum()), every)

    def one_flop(
        self,
        flop: Cards,
        samples: tuple[int, int],
        generator: np.random.Generator,
        reaches: list[Float64],
        values: Float64,
        stopped: Callable[[], bool] = lambda: False,
    ) -> int:
        """Fill values (positions, 2, roots, 1326) of one flop; returns the nodes visited, −1 if a stop came between."""
        sizes = self.config.board_cards[1:]
        boards = board_arrays(self.deck, sizes, flop, samples, generator, self.buckets_of_holes, self.all_ins[1:])
        scratch = self._scratch(boards)
        holes = hole_pairs(self.deck, flop)
        order = holes if boards.children[0] >= 0 else _order_of(boards)
        visited = 0
        for position in (0, 1):
            for place, root in enumerate(self.first.closings.tolist()):
                if stopped():
                    return -1
                scratch.reach[1, 0, : len(order)] = reaches[position][place, order]
                visited += evaluate_root(self.lists, self.arrays, boards, scratch, root, position)
                values[position, 0, place, order] = scratch.best[1, 0, : len(order)]
                values[position, 1, place, order] = scratch.expected[1, 0, : len(order)]
        return visited

    def _scratch(self, boards: BoardArrays) -> Scratch:
        longest = int(np.diff(self.lists.start).max())
        shape = (self.config.num_streets, longest, boards.low.shape[1])
        reach, best, expected = (np.zeros(shape, np.float32) for _ in range(3))
        return Scratch(
            reach,
            best,
            expected,
            row=np.zeros(shape[:2], np.int32),
            frame=np.zeros((shape[0], 4), np.int64),
            packed=np.zeros((2, shape[2], LANES), np.float32),
            by_card=np.zeros((53, LANES), np.float32),
        )

    def result(self, done: FlopValues) -> SampledResult:
        """The figures of the flops that were done."""
        if not self.first.covered_by(done.flops):
            raise ConfigError(f"{len(done.flops)} flops leave some hands without any; sample more of them")
        positions = self._combine(done.flops, done.values)
        gains = sum(position.by_flop[0] - position.by_flop[1] for position in positions) / 2.0
        return SampledResult(
            positions=positions,
            exploitability=_exploitability(positions),
            interval=0.0 if len(done.flops) == self.num_flops else half_interval(np.asarray(gains)),
            with_half_the_flops=self._with_half(done),
            flops=len(done.flops),
            exact=len(done.flops) == self.num_flops and done.all_later_cards,
        )

    def _combine(self, flops: list[Cards], values: Float64) -> tuple[Values, Values]:
        first, second = (self.first.combine(position, flops, values[:, position]) for position in (0, 1))
        return first, second

    def _with_half(self, done: FlopValues) -> float | None:
        """The exploitability that half of the flops give, the mean of both halves: what more flops take away."""
        middle = len(done.flops) // 2
        if middle < LEAST_SAMPLES:
            return None
        halves = [slice(0, middle), slice(middle, None)]
        if not all(self.first.covered_by(done.flops[half]) for half in halves):
            return None
        return float(np.mean([_exploitability(self._combine(done.flops[h], done.values[h])) for h in halves]))


def _exploitability(positions: tuple[Values, Values]) -> float:
    return sum(position.best - position.expected for position in positions) / 2.0


def _order_of(boards: BoardArrays) -> npt.NDArray[np.int64]:
    """Hole pairs in the order of the first board, where that is the last street."""
    high = boards.high[0, : boards.hands[0]].astype(np.int64)
    order: npt.NDArray[np.int64] = high * (high - 1) // 2 + boards.low[0, : boards.hands[0]]
    return order
