"""AIVAT: unbiased on Leduc over every history, with far less variance; hold'em's cards against listing them all."""

import copy
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

import numpy as np
import numpy.typing as npt
import pytest

from holdem.abstraction.betting.payoffs import payoffs
from holdem.abstraction.betting.tree import NodeKind
from holdem.blueprint.leaf_values.compute import compute_leaf_values
from holdem.cards.cards import Cards
from holdem.evaluation.aivat.points import Folded, Point, Showdown, StillBetting
from holdem.evaluation.aivat.values import BlueprintValues
from holdem.evaluation.aivat.walk import Aivat, AivatHand
from holdem.evaluation.response.exact import BestResponse
from holdem.game.toy_games import bucket_of
from holdem.policy.policy import AveragePolicy, PolicyInfo
from tests.evaluation.tables import Toy, random_strategy, toy
from tests.evaluation.toy_cards import ToyCards

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Ended:
    """A way in which a hand of Leduc can go: how likely it is, what position 0 wins, and what AIVAT makes of it."""

    probability: float
    won: float
    estimate: float


class LeducHistories:
    """Every hand of Leduc between two strategies in one table (a node belongs to one player only)."""

    def __init__(self, known: tuple[bool, bool], guess_seed: int = 3) -> None:
        self.toy, self.known = leduc(), known
        self.strategy = random_strategy(self.toy.tree, self.toy.buckets, self.toy.layout, 7)
        self.cards = ToyCards(self.toy.game)
        self.aivat = Aivat(self.cards, guesses(guess_seed))
        self._hands: dict[tuple[int, Cards, tuple[int | None, ...]], AivatHand] = {}

    def exact(self) -> float:
        """What position 0 wins, by the exact evaluator that OpenSpiel has checked."""
        evaluator = BestResponse(self.toy.game, self.toy.tree, self.toy.layout)
        return float(evaluator.expected_values(self.strategy)[0])

    def walk(self) -> Iterator[Ended]:
        """Over what AIVAT sees: the holes of unknown players and what is public."""
        for first, second in combinations(range(6), 2):
            for holes in ((first, second), (second, first)):
                hand = self.aivat.hand(self.seen(holes), self.point(0))
                yield from self._from(0, hand, holes, (), 1 / 30)

    def seen(self, holes: tuple[int, int]) -> tuple[int | None, ...]:
        return tuple(None if known else hole for known, hole in zip(self.known, holes, strict=True))

    def point(self, node: int) -> Point:
        tree = self.toy.tree
        if tree.kind[node] == NodeKind.FOLD_WIN:
            return Folded(float(payoffs(tree, node, (1, 0))[0]))
        if tree.kind[node] == NodeKind.SHOWDOWN:
            return Showdown(float(payoffs(tree, node, (1, 0))[0]))
        return StillBetting(((node, 1.0),), float(tree.chips_in[node].sum()), float(tree.chips_in[node, 0]))

    def _from(self, node: int, hand: AivatHand, holes: tuple[int, int], board: Cards, chance: float) -> Iterator[Ended]:
        tree, game = self.toy.tree, self.toy.game
        if tree.kind[node] == NodeKind.FOLD_WIN:
            yield Ended(chance, float(payoffs(tree, node, (1, 0))[0]), hand.result)
        elif tree.kind[node] == NodeKind.SHOWDOWN:
            strengths = [game.strength((hole,), board) for hole in holes]
            yield Ended(chance, float(payoffs(tree, node, strengths)[0]), hand.result)
        elif tree.street[node] == 1 and not board:
            for card in set(range(6)) - set(holes):
                key = (node, (card,), self.seen(holes))
                if key not in self._hands:
                    self._hands[key] = copy.copy(hand)
                    self._hands[key].deal((card,))
                yield from self._from(node, self._hands[key], holes, (card,), chance / 4)
        else:
            yield from self._actions(node, hand, holes, board, chance)

    def _actions(
        self, node: int, hand: AivatHand, holes: tuple[int, int], board: Cards, chance: float
    ) -> Iterator[Ended]:
        tree = self.toy.tree
        player, children = int(tree.player[node]), tree.children(node)
        table = self.probabilities(node, board)
        points = [self.point(child) for child in children]
        for action, child in enumerate(children):
            if table[holes[player], action]:
                key = (child, board, self.seen(holes))
                if key not in self._hands:
                    self._hands[key] = copy.copy(hand)
                    self._hands[key].ranges = list(hand.ranges)
                    self._hands[key].act(player, action, points, table if self.known[player] else None)
                chance_here = chance * table[holes[player], action]
                yield from self._from(child, self._hands[key], holes, board, chance_here)

    def probabilities(self, node: int, board: Cards) -> FloatArray:
        """(holes, actions); uniform for a hole that the board rules out."""
        actions = int(self.toy.tree.num_actions[node])
        table = np.full((6, actions), 1.0 / actions)
        for hole in set(range(6)) - set(board):
            start = self.toy.layout.row_start(node, bucket_of(self.toy.game, (hole,), board))
            table[hole] = self.strategy[start : start + actions]
        return table


@lru_cache(maxsize=1)
def leduc() -> Toy:
    return toy("leduc")


@lru_cache(maxsize=2)
def guesses(seed: int) -> BlueprintValues:
    """Values of another strategy than the one that plays: any guess will do. Seed 7 is the strategy itself."""
    game = leduc()
    strategy = random_strategy(game.tree, game.buckets, game.layout, seed)
    info = PolicyInfo(game.tree.config, game.buckets, 10)
    return BlueprintValues(compute_leaf_values(AveragePolicy.from_strategy_sums(info, strategy, game.tree)))


@pytest.mark.parametrize("known", [(True, True), (True, False), (False, True)])
def test_leduc_is_unbiased_over_every_history(known: tuple[bool, bool]) -> None:
    """The sum over all histories of probability times estimate is the exact value: no sampling, no interval."""
    histories = LeducHistories(known)
    ended = list(histories.walk())
    probability = np.array([end.probability for end in ended])
    won, estimate = np.array([end.won for end in ended]), np.array([end.estimate for end in ended])
    assert probability.sum() == pytest.approx(1.0, abs=1e-12)
    assert probability @ won == pytest.approx(histories.exact(), abs=1e-12)
    # Sums of ten thousand products of 64-bit numbers below 100.
    assert probability @ estimate == pytest.approx(histories.exact(), abs=1e-10)
    variance = [float(probability @ (x - probability @ x) ** 2) for x in (won, estimate)]
    # With guesses of an unrelated random strategy; the published factors are for good ones.
    assert variance[1] < variance[0] / (3.0 if all(known) else 1.5)


def test_leduc_with_true_values_leaves_almost_no_variance() -> None:
    """Two known players who play the blueprint itself: what is left is the card removal that guesses leave out."""
    histories = LeducHistories((True, True), guess_seed=7)
    ended = list(histories.walk())
    probability, estimate = np.array([end.probability for end in ended]), np.array([end.estimate for end in ended])
    won = np.array([end.won for end in ended])
    mean = probability @ estimate
    assert mean == pytest.approx(histories.exact(), abs=1e-10)
    assert probability @ (estimate - mean) ** 2 < 0.05 * (probability @ (won - mean) ** 2)


def test_a_move_that_the_strategy_never_makes_is_noticed() -> None:
    histories = LeducHistories((True, True))
    hand = histories.aivat.hand([None, None], histories.point(0))
    points = [histories.point(child) for child in histories.toy.tree.children(0)]
    table = np.zeros((6, len(points)))
    table[:, 0] = 1.0
    with pytest.raises(ValueError, match="never takes"):
        hand.act(0, 1, points, table)


def test_two_unknown_players_are_refused() -> None:
    histories = LeducHistories((True, True))
    with pytest.raises(ValueError, match="at least one"):
        histories.aivat.hand([0, 1], histories.point(0))
