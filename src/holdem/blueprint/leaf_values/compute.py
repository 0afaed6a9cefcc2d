"""Leaf values of a policy from the last street back to the first.

Within a street nothing is sampled: the betting of a street ends in terminals and in leaves of the next one, each
reached with probabilities that are a product of one number per player and bucket, so the value of the street's first
decision is a few small matrix products. Only the cards are counted (`transitions`): a table of leaf values is the
matrix of transitions times the values of all bucket pairs of the next street.

From the turn to the river nothing else is assumed. From the flop on, a pair of turn buckets would be taken to lead to
the river in the same way whatever the flop was, and hands get too close to each other: `paths` puts that right.
"""

import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from holdem.abstraction.bucketing import HandBucketing
from holdem.blueprint.kernels import leaf_values as kernels
from holdem.blueprint.leaf_values.continuations import PAIRS
from holdem.blueprint.leaf_values.paths import forgotten_value
from holdem.blueprint.leaf_values.start_values import start_values
from holdem.blueprint.leaf_values.tables import EQUITY_SCALE, Layout, LeafValues
from holdem.blueprint.leaf_values.transitions import CardCounts, Transitions, count_cards
from holdem.errors import ConfigError
from holdem.policy.policy import AveragePolicy
from holdem.util.arrays import Float32
from holdem.util.parallel import run_chunks

DEALS = 20_000_000
LEAVES_PER_BLOCK = 9
"""Leaves whose tables are summed in one go: with seven tables each, 63 numbers a row, four cache lines."""

LARGEST = 32_767
Progress = Callable[[int], None]


def _no_progress(label: str, total: int) -> AbstractContextManager[Progress]:
    return nullcontext(lambda count: None)


def compute_leaf_values(
    policy: AveragePolicy,
    bucketing: HandBucketing | None = None,
    *,
    deals: int = DEALS,
    seconds: float | None = None,
    seed: int = 0,
    threads: int = 0,
    progress: Callable[[str, int], AbstractContextManager[Progress]] = _no_progress,
) -> LeafValues:
    """The leaf values of a policy in memory; `progress` is opened with a name and a total (a `ProgressBar`, say)."""
    check_game(policy)
    begun = time.monotonic()
    with progress("deals", deals) as dealt:
        cards = count_cards(policy, bucketing, deals, seed, threads, seconds, dealt)
    with progress("leaves", Layout.of(policy.tree, policy.info.buckets_per_street).num_leaves) as done:
        values = Computation(policy, cards, threads, done).run()
    values.report.update(deals=cards.deals, seed=seed, seconds=round(time.monotonic() - begun, 1))
    return values


def check_game(policy: AveragePolicy) -> None:
    """Refuse a game without leaves, or with more than two players."""
    if policy.config.num_players != 2:
        raise ConfigError(
            f"leaf values are for two players, and {policy.config.name} has {policy.config.num_players}; "
            "AIVAT with three to six players needs none"
        )
    if not Layout.of(policy.tree, policy.info.buckets_per_street).num_leaves:
        raise ConfigError(f"{policy.config.name} has no betting after its first street, so it has no leaves to value")


@dataclass
class Computation:
    """Fills the tables street by street, the last leaves first."""

    policy: AveragePolicy
    cards: CardCounts
    threads: int = 0
    done: Progress | None = None
    table: npt.NDArray[np.int16] = field(init=False)
    scale: dict[int, float] = field(init=False)

    def __post_init__(self) -> None:
        self.layout = Layout.of(self.policy.tree, self.policy.info.buckets_per_street)
        self.table = np.zeros(self.layout.entries, dtype=np.int16)
        self.scale = dict.fromkeys(self.layout.offset, 0.0)

    def run(self) -> LeafValues:
        """All tables, and in the report the standard error of each street's."""
        report: dict[str, object] = {"pairs": [[first.name.lower(), second.name.lower()] for first, second in PAIRS]}
        values = LeafValues(self.policy, self.table, self.scale, report)
        for street, equity in enumerate(self.cards.equity):
            start = self.layout.equity_offset[street]
            self.table[start : start + equity.size] = np.rint(equity.reshape(-1) / np.float32(EQUITY_SCALE))
        errors = []
        for street in reversed(range(len(self.layout.leaves))):
            errors.append(self._street(street, values))
        report["standard_error_of_pot"] = [round(error, 5) for error in reversed(errors)]
        report["pairs_never_dealt"] = [int(step.empty.sum()) for step in self.cards.steps]
        return values

    def _street(self, street: int, values: LeafValues) -> float:
        """The tables of all leaves after a street; their standard error as a share of the pot."""
        leaves = self.layout.leaves[street].tolist()
        squares: list[float] = []

        def work(start: int, stop: int) -> None:
            squares.append(self.value_leaves(street, leaves[start:stop], values))

        run_chunks(work, len(leaves), LEAVES_PER_BLOCK, self.threads, self.done)
        return float(np.sqrt(np.mean(squares))) if squares else 0.0

    def value_leaves(self, street: int, leaves: list[int], values: LeafValues) -> float:
        """Tables of some leaves of a street; the mean squared standard error over them, in pots."""
        step, size = self.cards.steps[street], self.layout.buckets[street]
        starts = [start_values(values, leaf, self.cards.equity[street + 1]) for leaf in leaves]
        fixed = np.concatenate([start.fixed for start in starts])
        at_stake = np.concatenate([start.at_stake for start in starts]) if starts[0].at_stake is not None else None
        averages = _averages(step, fixed, at_stake)
        errors = _squared_errors(step, fixed, at_stake, averages, self.cards.hands[street].reshape(-1))
        if step.empty.any():
            _fill_empty(averages.reshape(size, size, -1), ~step.empty.reshape(size, size))
        for place, leaf in enumerate(leaves):
            tables = averages[:, place * len(PAIRS) : (place + 1) * len(PAIRS)].T
            if self.cards.paths is not None and street == len(self.layout.buckets) - 3:
                forgotten, errors[place] = forgotten_value(values, leaf, tables[0], self.cards)
                tables = tables + forgotten
            self._store(leaf, tables)
        return float(np.mean(errors / np.array([values.pot(leaf) for leaf in leaves]) ** 2))

    def _store(self, leaf: int, tables: Float32) -> None:
        largest = float(np.abs(tables).max())
        scale = largest / LARGEST if largest else 1.0
        start = self.layout.offset[leaf]
        self.table[start : start + tables.size] = np.rint(tables / np.float32(scale)).reshape(-1)
        self.scale[leaf] = scale


def _averages(step: Transitions, fixed: Float32, at_stake: Float32 | None) -> Float32:
    """(pairs, columns) averages over what follows each pair of a street."""
    out = np.zeros((len(step.starts) - 1, len(fixed)), dtype=np.float32)
    kernels.add_rows(step.starts, step.places, step.weights, np.ascontiguousarray(fixed.T), out)
    if at_stake is not None:
        kernels.add_rows(step.starts, step.places, step.signs, np.ascontiguousarray(at_stake.T), out)
    return out


def _squared_errors(
    step: Transitions, fixed: Float32, at_stake: Float32 | None, averages: Float32, hands: npt.NDArray[np.int64]
) -> npt.NDArray[np.float64]:
    """(leaves,) squared standard error of the as-is table of each leaf, in the mean over dealt hands.

    A tie counts as a win or a loss here, so that the error of a river value comes out a little too large.
    """
    as_is, blueprint = slice(0, None, len(PAIRS)), fixed[:: len(PAIRS)]
    if at_stake is None:
        squares = _averages(step, blueprint**2, None)
    else:
        stakes = at_stake[as_is]
        squares = _averages(step, blueprint**2 + stakes**2, 2.0 * blueprint * stakes)
    variance = np.maximum(squares - averages[:, as_is] ** 2, 0.0)
    return np.asarray(variance.sum(axis=0, dtype=np.float64) / hands.sum())


def _fill_empty(tables: Float32, dealt: npt.NDArray[np.bool_]) -> None:
    """Give pairs that were never dealt what their row and their column say: row mean + column mean − mean.

    tables: (buckets, buckets, columns), changed in place; dealt: (buckets, buckets)
    """
    counts = dealt[:, :, None].astype(np.float32)
    known = tables * counts
    mean = known.sum(axis=(0, 1)) / counts.sum()
    by_row = known.sum(axis=1) / np.maximum(counts.sum(axis=1), 1.0)
    by_row[~dealt.any(axis=1)] = mean
    by_column = known.sum(axis=0) / np.maximum(counts.sum(axis=0), 1.0)
    by_column[~dealt.any(axis=0)] = mean
    rows, columns = np.nonzero(~dealt)
    tables[rows, columns] = by_row[rows] + by_column[columns] - mean
