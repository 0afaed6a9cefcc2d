"""Leaf values: exact on Leduc, where every deal can be listed; identities of continuations; files."""

import json
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdem.abstraction.betting.payoffs import payoffs
from holdem.abstraction.betting.tree import ActionCode, NodeKind
from holdem.blueprint.kernels import leaf_values as kernels
from holdem.blueprint.leaf_values import PAIRS, Continuation, LeafValues
from holdem.blueprint.leaf_values.compute import _fill_empty, compute_leaf_values
from holdem.blueprint.leaf_values.continuations import biased
from holdem.blueprint.leaf_values.paths import _follow, shrunk
from holdem.blueprint.leaf_values.transitions import Counting, Paths, count_cards
from holdem.errors import ArtifactError, ConfigError
from holdem.game.toy_games import bucket_of, deals
from holdem.policy.policy import AveragePolicy, PolicyInfo
from tests.evaluation.made_up_buckets import BUCKETS, made_up_buckets, short_stacked
from tests.evaluation.tables import Toy, random_strategy, toy

FAVOURED = {
    Continuation.FOLD: ActionCode.FOLD,
    Continuation.CALL: ActionCode.CALL,
    Continuation.RAISE: ActionCode.RAISE,
}

Ints = npt.NDArray[np.int64]


def leduc_policy(seed: int = 1) -> tuple[Toy, AveragePolicy]:
    game = toy("leduc")
    strategy = random_strategy(game.tree, game.buckets, game.layout, seed)
    return game, AveragePolicy.from_strategy_sums(PolicyInfo(game.tree.config, game.buckets, 10), strategy, game.tree)


def continued(policy: AveragePolicy, node: int, bucket: int, way: Continuation) -> list[float]:
    """The definition of a continuation, one row at a time."""
    row = policy.probabilities(node, bucket).tolist()
    codes = [policy.tree.action[child] for child in policy.tree.children(node)]
    weights = [p * 5 if way in FAVOURED and code == FAVOURED[way] else p for p, code in zip(row, codes, strict=True)]
    return [weight / sum(weights) for weight in weights]


def values_of_deal(
    policy: AveragePolicy, node: int, buckets: Sequence[Sequence[int]], strengths: Sequence[int]
) -> npt.NDArray[np.float64]:
    """(4, 4) what position 0 wins from a node on when all cards are known, for every pair of continuations."""
    tree = policy.tree
    if tree.kind[node] != NodeKind.DECISION:
        return np.full((4, 4), payoffs(tree, node, strengths)[0])
    player = int(tree.player[node])
    bucket = buckets[tree.street[node]][player]
    rows = np.array([continued(policy, node, bucket, way) for way in Continuation])
    rows = rows[:, None] if player == 0 else rows[None]
    total = np.zeros((4, 4))
    for action, child in enumerate(tree.children(node)):
        total += rows[:, :, action] * values_of_deal(policy, child, buckets, strengths)
    return total


def test_leduc_values_are_those_of_all_deals() -> None:
    """Every table of three leaves against the mean over all 120 deals, one deal at a time."""
    game, policy = leduc_policy()
    values = compute_leaf_values(policy)
    leaves = values.layout.leaves[0].tolist()
    assert len(leaves) == 5 and values.report["deals"] == 120
    for leaf in leaves[::2]:
        by_pair = defaultdict(list)
        for deal in deals(game.game):
            buckets = [[bucket_of(game.game, hole, board) for hole in deal.holes] for board in ((), deal.board)]
            strengths = [game.game.strength(hole, deal.board) for hole in deal.holes]
            by_pair[buckets[0][0], buckets[0][1]].append(values_of_deal(policy, leaf, buckets, strengths))
        # Half a step of the 16-bit scale, and the rounding of 32-bit sums of a few dozen numbers below 13.
        tolerance = 0.51 * values.scale[leaf] + 1e-5
        for first, second in PAIRS:
            table = values.values(leaf, first, second)
            for (b0, b1), won in by_pair.items():
                assert table[b0, b1] == pytest.approx(np.mean(won, axis=0)[first, second], abs=tolerance)


def test_equities_are_those_of_all_deals() -> None:
    """A king against a jack wins unless the board pairs the jack: Leduc's board is one of four other cards."""
    _, policy = leduc_policy()
    equity = compute_leaf_values(policy).equity(0)
    king, jack = 5, 0
    assert equity[king, jack] == pytest.approx(3 / 4 - 1 / 4, abs=1e-4)
    assert equity[4, 5] == 0.0
    assert np.array_equal(equity, -equity.T)


def test_choices_share_the_table_of_the_blueprint() -> None:
    _, policy = leduc_policy(2)
    values = compute_leaf_values(policy)
    leaf = int(values.layout.leaves[0][0])
    first, second = values.choices(leaf, 0), values.choices(leaf, 1)
    assert np.array_equal(first[Continuation.AS_IS], second[Continuation.AS_IS])
    assert np.array_equal(second[Continuation.RAISE], values.values(leaf, second=Continuation.RAISE))
    assert not np.array_equal(first[Continuation.CALL], second[Continuation.CALL])


def test_refuses_pairs_and_nodes_that_are_not_stored() -> None:
    _, policy = leduc_policy()
    values = compute_leaf_values(policy)
    with pytest.raises(ValueError, match="no leaf"):
        values.values(0)
    with pytest.raises(ValueError, match="not stored"):
        values.values(int(values.layout.leaves[0][0]), Continuation.FOLD, Continuation.CALL)


@given(st.integers(1, 4), st.integers(0, 1000))
def test_biased_rows(actions: int, seed: int) -> None:
    """Rows sum to one; the odds of a favoured action against any other grow five times; none favoured: no change."""
    rng = np.random.default_rng(seed)
    rows = rng.dirichlet(np.ones(actions), size=3)
    codes = rng.integers(0, 3, size=actions).astype(np.int8)
    result = biased(rows, codes)
    assert np.allclose(result.sum(axis=2), 1.0)
    assert np.allclose(result[Continuation.AS_IS], rows)
    for way, code in FAVOURED.items():
        favoured = codes == code
        if favoured.all() or not favoured.any():
            assert np.allclose(result[way], rows)
        else:
            a, b = int(np.flatnonzero(favoured)[0]), int(np.flatnonzero(~favoured)[0])
            assert np.allclose(result[way][:, a] * rows[:, b], 5 * result[way][:, b] * rows[:, a])


def plain_steps(buckets: Ints, strengths: Ints, sizes: Sequence[int]) -> npt.NDArray[np.float64]:
    """(pairs, next pairs, 2) hands and wins minus losses of the first step: the kernels in a dozen lines."""
    counts = np.zeros((sizes[0] ** 2, sizes[1] ** 2, 2))
    for (a, b, c, d), (one, two) in zip(buckets[:, :4].tolist(), strengths.tolist(), strict=True):
        sign = (one > two) - (one < two)
        counts[a * sizes[0] + b, c * sizes[1] + d] += (1, sign)
        counts[b * sizes[0] + a, d * sizes[1] + c] += (1, -sign)
    return counts


@given(st.integers(0, 10_000))
def test_counted_steps_match_the_plain_ones(seed: int) -> None:
    rng = np.random.default_rng(seed)
    sizes = (2, 3)
    buckets = np.stack([rng.integers(0, size, 40) for size in (2, 2, 3, 3)], axis=1)
    strengths = rng.integers(0, 3, (40, 2))
    counting = Counting(sizes)
    for part in range(0, 40, 8):  # batches that have to be merged
        counting.add(counting.batch(buckets[part : part + 8], strengths[part : part + 8]), 8)
    result = counting.result()
    expected = plain_steps(buckets, strengths, sizes)
    hands = expected[:, :, 0].sum(axis=1)
    step = result.steps[0]
    assert np.array_equal(step.empty, hands == 0)
    assert np.array_equal(result.hands[0].reshape(-1), hands)
    for column, weights in enumerate((step.weights, step.signs)):
        dense = np.zeros((4, 9))
        dense[np.repeat(np.arange(4), np.diff(step.starts)), step.places] = weights
        assert np.allclose(dense, expected[:, :, column] / np.maximum(hands, 1)[:, None], atol=1e-6)
    values = rng.normal(size=(9, 5)).astype(np.float32)
    out = np.zeros((4, 5), dtype=np.float32)
    kernels.add_rows(step.starts, step.places, step.weights, values, out)
    assert np.allclose(out, expected[:, :, 0] / np.maximum(hands, 1)[:, None] @ values, atol=1e-5)


@given(st.integers(0, 1000))
def test_followed_hands_match_the_plain_sum(seed: int) -> None:
    rng = np.random.default_rng(seed)
    pairs, signs = rng.integers(0, 4, (30, 3)).astype(np.int32), rng.integers(-1, 2, 30).astype(np.int8)
    ends = rng.normal(size=(2, 4)).astype(np.float32)
    reach, fixed, at_stake = rng.normal(size=(3, 4, 5)).astype(np.float32)
    worth = [
        ends[0, second] + sign * ends[1, second] + reach[second] @ (fixed[last] + sign * at_stake[last])
        for (_, second, last), sign in zip(pairs.tolist(), signs.tolist(), strict=True)
    ]
    sums, squares = np.zeros((2, 4))
    kernels.add_paths(pairs, signs, ends, reach, fixed, at_stake, sums, squares)
    # 32-bit sums of half a dozen numbers of about one, thirty times.
    assert np.allclose(sums, np.bincount(pairs[:, 0], weights=worth, minlength=4), atol=1e-4)
    assert np.allclose(squares, np.bincount(pairs[:, 0], weights=np.square(worth), minlength=4), atol=1e-3)


def test_paths_are_there_both_ways_round() -> None:
    """Two deals of a game with three streets of 2, 3 and 4 buckets."""
    buckets = np.array([[0, 1, 2, 1, 3, 0], [1, 1, 0, 2, 1, 2]])
    paths = Paths.of(buckets, np.array([[7, 5], [4, 4]]), (2, 3, 4))
    assert paths.pairs.tolist() == [[1, 7, 12], [3, 2, 6], [2, 5, 3], [3, 6, 9]]
    assert paths.signs.tolist() == [1, 0, -1, 0]
    assert paths.hands.tolist() == [0, 1, 1, 2]


def test_only_what_is_not_noise_is_added() -> None:
    """Without noise everything is, with nothing but noise nothing is, and as much of each gives a half."""
    hands, ones = np.full(4, 10.0), np.array([1.0, -1.0, 1.0, -1.0])
    assert shrunk(ones, np.full(4, 1e-9), hands)[0] == pytest.approx(ones, abs=1e-6)
    assert not shrunk(ones, np.full(4, 10.0), hands)[0].any()
    half, left = shrunk(np.sqrt(2.0) * ones, np.full(4, 10.0), hands)
    assert half == pytest.approx(ones / np.sqrt(2.0)) and left == pytest.approx(0.5)


def test_whole_hands_agree_with_the_tables() -> None:
    """Hold'em with five big blinds: mean values of hands dealt anew and followed through, against flop tables.

    What is left between both is noise: of the new hands, and what the tables say of their own.
    """
    values = short_stacked()
    policy, bucketing = values.policy, made_up_buckets()
    cards = count_cards(policy, bucketing, 200_000, seed=8, threads=1)
    assert cards.paths is not None
    for leaf in values.layout.leaves[1].tolist():
        sums, squares = _follow(values, leaf, cards, BUCKETS**2)
        means = sums / cards.paths.hands
        noise = (squares / cards.paths.hands - means**2) / cards.paths.hands
        difference = values.values(leaf).reshape(-1) - means
        own = (values.report["standard_error_of_pot"][1] * values.pot(leaf)) ** 2
        # A mean of 16 squares of standard normal numbers is above 3 once in a million times.
        assert np.mean(difference**2 / (noise + own)) < 3.0


def test_pairs_never_dealt_follow_their_row_and_column() -> None:
    """An additive table is restored exactly where one cell is missing from a row and a column of equal means."""
    table = np.array([[0.0, 1.0], [2.0, 99.0]], dtype=np.float32)[:, :, None]
    dealt = np.array([[True, True], [True, False]])
    _fill_empty(table, dealt)
    assert table[1, 1, 0] == pytest.approx(2.0 + 1.0 - 1.0)  # row mean 2, column mean 1, mean of all 1
    assert table[0, 1, 0] == 1.0


def test_saved_tables_are_the_same_and_stale_ones_are_refused(tmp_path: Path) -> None:
    _, policy = leduc_policy(1)
    policy.save(tmp_path)
    values = compute_leaf_values(AveragePolicy.load(tmp_path))
    values.save(tmp_path)
    opened = LeafValues.open(tmp_path)
    leaf = int(values.layout.leaves[0][2])
    assert np.array_equal(opened.values(leaf), values.values(leaf))
    assert opened.report == json.loads(json.dumps(values.report))
    leduc_policy(2)[1].save(tmp_path)
    with pytest.raises(ArtifactError, match=r"another policy .* holdem leaf-values"):
        LeafValues.open(tmp_path)


def test_damaged_files_are_refused(tmp_path: Path) -> None:
    _, policy = leduc_policy(1)
    policy.save(tmp_path)
    with pytest.raises(ArtifactError, match="is missing; compute the tables with"):
        LeafValues.open(tmp_path)
    compute_leaf_values(AveragePolicy.load(tmp_path)).save(tmp_path)
    array = next(tmp_path.glob("leaf_values.*.npy"))
    content = array.read_bytes()
    array.write_bytes(content[:-4])
    with pytest.raises(ArtifactError, match="cut off"):
        LeafValues.open(tmp_path)
    array.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    with pytest.raises(ArtifactError, match="checksum"):
        LeafValues.open(tmp_path)
    array.write_bytes(content)
    manifest = tmp_path / "leaf_values.json"
    manifest.write_text(manifest.read_text().replace('"chips_per_unit": [\n    0', '"chips_per_unit": [\n    1'))
    with pytest.raises(ArtifactError, match="own checksum"):
        LeafValues.open(tmp_path)


@pytest.mark.parametrize(("name", "changes"), [("kuhn", {"num_players": 3}), ("kuhn", {})])
def test_games_without_leaves_are_refused(name: str, changes: dict[str, object]) -> None:
    game = toy(name, **changes)
    strategy = random_strategy(game.tree, game.buckets, game.layout, 1)
    policy = AveragePolicy.from_strategy_sums(PolicyInfo(game.tree.config, game.buckets, 10), strategy, game.tree)
    with pytest.raises(ConfigError, match=r"two players|no leaves"):
        compute_leaf_values(policy)
