"""The compiled mean over all lines of play against exact values of three-player Kuhn, and its cards and pots."""

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdem.abstraction.kernels.payoffs import payoffs_into
from holdem.cards import evaluate
from holdem.evaluation.kernels import expected as kernels
from holdem.evaluation.kernels.match import MAX_SEATS
from holdem.evaluation.match.blueprint_match import readable, walked_tree
from holdem.evaluation.response.exact import expected_values
from holdem.game.toy_games import bucket_of, deals
from holdem.mccfr.dealers import slot_strides
from holdem.mccfr.training_game import TrainingGame
from holdem.policy.policy import AveragePolicy, PolicyInfo
from tests.evaluation.blueprints import holdem_config, scrambled_bucketing
from tests.evaluation.tables import random_strategy, toy

FloatArray = npt.NDArray[np.float64]


def shares_of(strengths: npt.NDArray[np.int64]) -> FloatArray:
    """(1, 8, 3): who wins each pot is known, since there is no board."""
    shares = np.zeros((1, 8, 3))
    for group in range(1, 8):
        contenders = [p for p in range(3) if group >> p & 1]
        winners = [p for p in contenders if strengths[p] == max(strengths[q] for q in contenders)]
        shares[0, group, winners] = 1.0 / len(winners)
    return shares


class KuhnWalk:
    """The mean over all lines of one deal of three-player Kuhn."""

    def __init__(self) -> None:
        self.game = toy("kuhn", num_players=3)
        strategy = random_strategy(self.game.tree, self.game.buckets, self.game.layout, 4)
        info = PolicyInfo(self.game.tree.config, self.game.buckets, 1)
        self.policy = AveragePolicy.from_strategy_sums(info, strategy, self.game.tree)
        self.exact = expected_values(self.game.game, self.game.tree, self.game.layout, self.policy.strategy())
        self.strides = slot_strides(self.game.tree, self.game.layout)
        self.deals = list(deals(self.game.game))

    def mean(self, threshold: float, seed: int = 0) -> FloatArray:
        """(deals, 3)"""
        tables = tuple(readable(self.policy.table) for _ in range(MAX_SEATS))
        offsets = tuple(self.policy.layout.offset for _ in range(MAX_SEATS))
        won = np.zeros((len(self.deals), 3))
        paid, closed = np.zeros(3), np.zeros((1, 2, 8))
        for number, deal in enumerate(self.deals):
            rows = self.strides * np.array([bucket_of(self.game.game, hole, ()) for hole in deal.holes])
            strengths = np.array([self.game.game.strength(hole, ()) for hole in deal.holes])
            kernels.walk_lines(
                walked_tree(self.policy),
                tables,
                offsets,
                np.zeros(3, dtype=np.int64),
                np.zeros(MAX_SEATS, dtype=np.int64),
                rows[None],
                0,
                threshold,
                seed,
                number,
                np.zeros(100, dtype=np.int64),
                np.zeros(100),
                paid,
                closed,
            )
            kernels.settle(paid, closed, shares_of(strengths), won[number])
        return won


def test_the_mean_over_all_deals_is_exact() -> None:
    walk = KuhnWalk()
    assert walk.mean(0.0).mean(axis=0) == pytest.approx(walk.exact, abs=1e-9)


def test_lines_that_are_drawn_keep_the_mean() -> None:
    """Below the threshold one action stands for all; over many seeds the mean is that of all lines."""
    walk = KuhnWalk()
    whole = walk.mean(0.0)
    drawn = np.array([walk.mean(0.2, seed) for seed in range(400)])
    error = drawn.std(axis=0) / 20.0
    assert (np.abs(drawn.mean(axis=0) - whole) <= 4.5 * error + 1e-9).all()
    assert error.max() > 0.0


@given(
    st.lists(st.integers(0, 300), min_size=2, max_size=6),
    st.integers(0, 63),
    st.lists(st.integers(1, 4), min_size=6, max_size=6),
)
def test_pots_and_shares_are_the_payoffs(chips: list[int], folded: int, ranks: list[int]) -> None:
    """Any chips, folds and ties: pots times the shares of their winners, less what was paid."""
    players = len(chips)
    folded &= (1 << players) - 1
    if folded == (1 << players) - 1 or players == 2:
        return
    strengths, put_in = np.array(ranks[:players]), np.array(chips, dtype=np.int32)
    pots, expected = np.zeros(1 << players), np.zeros(players)
    kernels.add_pots(put_in, folded, 1.0, pots)
    payoffs_into(put_in, folded, strengths, expected)
    won = -put_in.astype(np.float64)
    for group in np.flatnonzero(pots).tolist():
        contenders = [p for p in range(players) if group >> p & 1]
        winners = [p for p in contenders if strengths[p] == max(strengths[q] for q in contenders)]
        won[winners] += pots[group] / len(winners)
    assert won == pytest.approx(expected)


@pytest.mark.long
@pytest.mark.parametrize("players", [3, 6])
def test_cards_are_those_of_the_dealer(players: int) -> None:
    """Strengths of the dealer are those of the cards that are told, deal by deal."""
    game = TrainingGame.from_config(holdem_config(players), scrambled_bucketing())
    rows, strengths = np.zeros((50, game.num_slots), dtype=np.int64), np.zeros((50, players), dtype=np.int64)
    game.dealer.deal(7, 1_000, rows, strengths)
    holes, boards = np.zeros((50, players, 2), dtype=np.uint8), np.zeros((50, 5), dtype=np.uint8)
    kernels.deal_cards(7, 1_000, np.zeros(2, dtype=np.uint64), holes, boards)
    told = [
        [evaluate((*hole, *board)) for hole in pairs]
        for pairs, board in zip(holes.tolist(), boards.tolist(), strict=True)
    ]
    assert np.array_equal(told, strengths)
