"""Every history of three-player Kuhn: the mean without luck is the exact one, whatever is guessed."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pytest

from holdem.abstraction.betting.payoffs import payoffs
from holdem.abstraction.betting.tree import NodeKind
from holdem.evaluation.aivat.many.luck import Luck
from holdem.evaluation.response.exact import expected_values
from holdem.game.toy_games import Deal, bucket_of, deals
from tests.evaluation.tables import Toy, random_strategy, toy

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True)
class History:
    probability: float
    won: FloatArray
    estimate: FloatArray


class Histories:
    """All histories of a game between random strategies; `known`: whose actions are corrected for.

    Guesses are any numbers of a deal and a node, so they look at everybody's cards.
    """

    def __init__(self, game: Toy, known: tuple[int, ...]) -> None:
        self.game, self.known = game, known
        self.strategy = random_strategy(game.tree, game.buckets, game.layout, 1)

    def walk(self) -> Iterator[History]:
        listed = list(deals(self.game.game))
        guesses = np.random.default_rng(2).normal(scale=5.0, size=(len(listed), len(self.game.tree.kind), 3))
        dealt = guesses[:, 0].mean(axis=0)
        for number, deal in enumerate(listed):
            luck = Luck(3)
            luck.deal(dealt, guesses[number, 0])
            yield from self._from(0, deal, guesses[number], deal.probability, luck)

    def _from(self, node: int, deal: Deal, guesses: FloatArray, probability: float, luck: Luck) -> Iterator[History]:
        tree = self.game.tree
        if tree.kind[node] != NodeKind.DECISION:
            won = np.array(payoffs(tree, node, [self.game.game.strength(hole, deal.board) for hole in deal.holes]))
            yield History(probability, won, won - luck.parts.sum(axis=0))
            return
        position, children = int(tree.player[node]), list(tree.children(node))
        row = self.game.layout.row_start(node, bucket_of(self.game.game, deal.holes[position], ()))
        chances = self.strategy[row : row + len(children)]
        for choice, child in enumerate(children):
            after = Luck(3)
            after.parts = luck.parts.copy()
            if position in self.known:
                after.act(0, choice, chances, guesses[children])
            yield from self._from(child, deal, guesses, probability * chances[choice], after)


@pytest.mark.parametrize("known", [(0, 1, 2), (1,), ()])
def test_the_mean_is_exact_for_any_guesses(known: tuple[int, ...]) -> None:
    game = toy("kuhn", num_players=3)
    histories = Histories(game, known)
    ended = list(histories.walk())
    probability = np.array([history.probability for history in ended])
    exact = expected_values(game.game, game.tree, game.layout, histories.strategy)
    assert probability.sum() == pytest.approx(1.0)
    assert probability @ np.array([history.won for history in ended]) == pytest.approx(exact, abs=1e-12)
    assert probability @ np.array([history.estimate for history in ended]) == pytest.approx(exact, abs=1e-9)
