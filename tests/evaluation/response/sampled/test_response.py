"""Best response on sampled boards: exact when no board is missing, too high when some are, and less so with more."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import combinations
from math import comb, inf

import numpy as np
import numpy.typing as npt
import pytest

from holdem.abstraction.betting.payoffs import payoffs
from holdem.abstraction.betting.row_layout import layout_rows
from holdem.abstraction.betting.tree import NodeKind, build_tree
from holdem.cards.cards import NUM_HOLE_PAIRS, Cards, hole_index
from holdem.cards.ranges import CLASS_OF_HOLE
from holdem.errors import ConfigError
from holdem.evaluation.kernels.sampled import fold_values, showdown_values
from holdem.evaluation.response.exact import BestResponse
from holdem.evaluation.response.jam_or_fold import JamOrFold
from holdem.evaluation.response.sampled.response import SampledBestResponse, Samples
from holdem.game.presets import load_preset
from holdem.game.toy_games import ToyGame, bucket_of
from tests.evaluation.blueprints import holdem_config
from tests.evaluation.tables import FloatArray, Toy, random_strategy, toy

EVERY = Samples(flops=100_000, turns=52, rivers=52)
TWO_STREETS = toy(
    "short_rank", ranks="TJ", betting={"sizes": {"preflop": "a", "flop": "a"}, "max_raises": [1, 1, 0, 0]}
)
THREE_STREETS = toy(
    "short_rank",
    ranks="TJ",
    board_cards=(0, 3, 4),
    betting={"sizes": {"preflop": "a", "flop": "a", "turn": "a"}, "max_raises": [1, 1, 1, 0]},
)


def evaluator_of(game: Toy, strategy: FloatArray) -> SampledBestResponse:
    return SampledBestResponse(game.tree, game.layout, game.buckets, strategy, lossless_buckets(game.game))


def lossless_buckets(game: ToyGame) -> Callable[[Cards], npt.NDArray[np.int64]]:
    @cache
    def buckets(board: Cards) -> npt.NDArray[np.int64]:
        numbers = np.full(NUM_HOLE_PAIRS, -1, dtype=np.int64)
        for hole in combinations([card for card in game.deck if card not in board], 2):
            numbers[hole_index(*hole)] = bucket_of(game, hole, board)
        return numbers

    return buckets


def test_with_every_flop_it_is_the_exact_best_response() -> None:
    exact = BestResponse(TWO_STREETS.game, TWO_STREETS.tree, TWO_STREETS.layout)
    for seed in range(3):
        strategy = random_strategy(TWO_STREETS.tree, TWO_STREETS.buckets, TWO_STREETS.layout, seed)
        sampled = evaluator_of(TWO_STREETS, strategy)
        result = sampled.result(sampled.flop_values(EVERY))
        responses = exact.responses(strategy)
        assert result.exact and result.interval == 0.0 and result.flops == comb(8, 3)
        # Single precision: sums of some hundred terms of at most 1,000 chips are good to a few 1e-5 of a chip.
        assert [values.best for values in result.positions] == pytest.approx(responses.best.tolist(), abs=1e-3)
        assert [values.expected for values in result.positions] == pytest.approx(responses.expected.tolist(), abs=1e-3)
        assert result.exploitability == pytest.approx(responses.exploitability, abs=1e-3)
        for values in result.positions:
            assert values.by_flop.mean(axis=1) == pytest.approx([values.best, values.expected], abs=1e-3)


def plain_values(
    game: Toy, strategy: FloatArray, position: int, node: int, board: Cards, reach: dict[Cards, float], best: bool
) -> dict[Cards, float]:
    """The plain twin: values of every hand by going through all boards, hands and opponents."""
    tree, cards = game.tree, game.game
    size = cards.config.board_cards[tree.street[node]]
    rest = [card for card in cards.deck if card not in board]
    if len(board) < size:  # the next street's cards: each is as likely for two hands that do not hold it
        total = dict.fromkeys(reach, 0.0)
        for more in combinations(rest, size - len(board)):
            left = {hole: chance for hole, chance in reach.items() if set(more).isdisjoint(hole)}
            values = plain_values(game, strategy, position, node, board + more, left, best)
            for hole, value in values.items():
                total[hole] += value / comb(len(rest) - 4, size - len(board))
        return total
    if tree.kind[node] != NodeKind.DECISION:
        return {hole: plain_terminal(game, position, node, board, hole, reach) for hole in reach}
    rows = {hole: game.layout.row_start(node, bucket_of(cards, hole, board)) for hole in reach}
    children = []
    for action, child in enumerate(tree.children(node)):
        after = reach
        if tree.player[node] != position:
            after = {hole: chance * strategy[rows[hole] + action] for hole, chance in reach.items()}
        children.append(plain_values(game, strategy, position, child, board, after, best))
    if tree.player[node] != position:
        return {hole: sum(child[hole] for child in children) for hole in reach}
    if best:
        return {hole: max(child[hole] for child in children) for hole in reach}
    return {hole: sum(strategy[rows[hole] + a] * child[hole] for a, child in enumerate(children)) for hole in reach}


def plain_terminal(game: Toy, position: int, node: int, board: Cards, hole: Cards, reach: dict[Cards, float]) -> float:
    cards = game.game
    others = {other: chance for other, chance in reach.items() if chance and set(other).isdisjoint(hole)}
    if game.tree.kind[node] == NodeKind.FOLD_WIN:
        return sum(others.values()) * float(payoffs(game.tree, node, [0, 0])[position])
    won = 0.0
    stake = float(payoffs(game.tree, node, [1, 0])[0])
    rest = [card for card in cards.deck if card not in {*board, *hole}]
    missing = cards.config.board_cards[-1] - len(board)
    for more in combinations(rest, missing):
        mine = cards.strength(hole, board + more)
        for other, chance in others.items():
            if set(more).isdisjoint(other):
                theirs = cards.strength(other, board + more)
                won += chance * ((mine > theirs) - (mine < theirs))
    return won * stake / comb(len(rest) - 2, missing)


def test_three_streets_are_those_of_the_plain_twin() -> None:
    """Every turn below every flop, all-ins on each street."""
    game = THREE_STREETS
    strategy = random_strategy(game.tree, game.buckets, game.layout, 7)
    sampled = evaluator_of(game, strategy)
    result = sampled.result(sampled.flop_values(EVERY))
    assert result.exact
    everyone: dict[Cards, float] = dict.fromkeys(combinations(game.game.deck, 2), 1.0)
    pairs = comb(8, 2) * comb(6, 2)
    for position, values in enumerate(result.positions):
        for best, value in ((True, values.best), (False, values.expected)):
            plain = plain_values(game, strategy, position, 0, (), everyone, best)
            assert value == pytest.approx(sum(plain.values()) / pairs, abs=1e-3)


def test_jam_or_fold_is_exact_without_a_flop() -> None:
    tree = build_tree(load_preset("jam_or_fold_10bb"))
    buckets = (169, 1, 1, 1)
    layout = layout_rows(tree, buckets)
    strategy = random_strategy(tree, buckets, layout, 3)
    sampled = SampledBestResponse(tree, layout, buckets, strategy, lambda board: CLASS_OF_HOLE.astype(np.int64))
    result = sampled.result(sampled.flop_values(Samples()))
    exact = JamOrFold(tree, layout).responses(strategy)
    assert result.exact and result.flops == 0
    # The strategy is kept in single precision: 1,000 chips are good to a few 1e-5.
    assert result.exploitability == pytest.approx(exact.exploitability, abs=1e-3)


def test_folding_everything_loses_750_on_any_boards() -> None:
    """Half of a big blind in one position, a whole one in the other, as local best response finds in the real game."""
    config = holdem_config(2)
    tree = build_tree(config)
    buckets = (169, 1, 1, 1)
    layout = layout_rows(tree, buckets)
    strategy = np.zeros(layout.entries)
    for node in np.flatnonzero(tree.kind == NodeKind.DECISION).tolist():
        for bucket in range(buckets[tree.street[node]]):
            strategy[layout.row_start(node, bucket)] = 1.0  # folds, and checks where there is nothing to fold to
    classes = CLASS_OF_HOLE.astype(np.int64)
    sampled = SampledBestResponse(
        tree, layout, buckets, strategy, lambda board: classes if not board else np.zeros_like(classes)
    )
    done = sampled.flop_values(Samples(flops=4, turns=3, rivers=3), seed=2)
    result = sampled.result(done)
    big_blind, button = result.positions
    assert (big_blind.best, button.best) == pytest.approx((50.0, 100.0), abs=1e-3)
    assert result.exploitability == pytest.approx(75.0, abs=1e-3)
    assert not result.exact
    stopped = sampled.result(replace(done, flops=done.flops[:1], values=done.values[:1]))
    assert stopped.interval == inf, "one flop says nothing about how much flops differ"


def test_missing_boards_make_it_too_high_and_more_boards_bring_it_down() -> None:
    strategy = random_strategy(TWO_STREETS.tree, TWO_STREETS.buckets, TWO_STREETS.layout, 5)
    sampled = evaluator_of(TWO_STREETS, strategy)
    exact = sampled.result(sampled.flop_values(EVERY)).exploitability
    means = []
    for flops in (20, 30, 42):
        results = [sampled.result(sampled.flop_values(Samples(flops, 3, 3), seed)) for seed in range(40)]
        means.append(np.mean([result.exploitability for result in results]))
        halves = [(result.with_half_the_flops, result.exploitability) for result in results]
        lower = [half - whole for half, whole in halves if half is not None]
        assert len(lower) > 5
        assert np.mean(lower) > 0, "half as many flops show which way it goes"
    assert means == sorted(means, reverse=True)
    assert means[-1] > exact
    with pytest.raises(ConfigError, match="leave some hands without any"):
        sampled.result(sampled.flop_values(Samples(3, 3, 3)))


def test_a_stop_leaves_whole_flops() -> None:
    strategy = random_strategy(TWO_STREETS.tree, TWO_STREETS.buckets, TWO_STREETS.layout, 5)
    sampled = evaluator_of(TWO_STREETS, strategy)
    heard: list[int] = []
    done = sampled.flop_values(EVERY, threads=1, progress=heard.append, stopped=lambda: len(heard) >= 25)
    assert 25 <= len(done.flops) < 56
    assert sampled.result(done).flops == len(done.flops)


def test_kernels_of_terminals_by_brute_force() -> None:
    generator = np.random.default_rng(3)
    holes = np.array(list(combinations(range(20), 2)))
    strength = np.sort(generator.integers(0, 40, len(holes))).astype(np.int32)
    holes = holes[generator.permutation(len(holes))]
    low, high = holes.astype(np.uint8).T.copy()
    reach = generator.random((len(holes), 8)).astype(np.float32)
    disjoint = np.array([[set(a).isdisjoint(b) for b in holes.tolist()] for a in holes.tolist()], dtype=float)
    won, by_card = np.empty_like(reach), np.empty((53, 8), dtype=np.float32)
    showdown_values(reach, low, high, strength, by_card, won)
    outcome = np.sign(strength[:, None] - strength[None, :]) * disjoint
    assert won == pytest.approx(outcome @ reach, abs=1e-3)
    met = reach.copy()
    fold_values(met, low, high, by_card)
    assert met == pytest.approx(disjoint @ reach, abs=1e-3)


def test_what_it_cannot_do_is_refused() -> None:
    with pytest.raises(ConfigError, match="at least 3 of each"):
        Samples(flops=10, turns=2, rivers=4)
    game = toy("leduc")
    with pytest.raises(ConfigError, match="not heads-up hold'em"):
        evaluator_of(game, np.zeros(game.layout.entries))


def test_a_stop_is_heard_within_a_flop_and_the_unfinished_one_is_dropped() -> None:
    strategy = random_strategy(THREE_STREETS.tree, THREE_STREETS.buckets, THREE_STREETS.layout, 5)
    sampled = evaluator_of(THREE_STREETS, strategy)
    samples, roots = Samples(flops=6, turns=3), 2 * len(sampled.first.closings)
    asked = 0

    def stopped() -> bool:
        nonlocal asked
        asked += 1
        return asked > 2 * (1 + roots) + 1 + roots - 1  # two flops and the third one but for its last root

    done = sampled.flop_values(samples, seed=3, threads=1, stopped=stopped)
    every = sampled.flop_values(samples, seed=3, threads=1)
    assert done.flops == every.flops[:2]
    assert np.array_equal(done.values, every.values[:2])
    assert 0 < done.nodes < every.nodes
