"""Rows are a numbering: every (node, bucket, action) has its own entry, and no entry is left over."""

import numpy as np
import pytest

from holdem.abstraction.betting.row_layout import layout_rows, row_blocks
from holdem.abstraction.betting.tree import build_tree
from holdem.errors import ConfigError
from holdem.types import BettingConfig, GameConfig, StreetMenus

SIZES = StreetMenus(preflop=("3x, a",), flop=("50%, a",), turn=("100%",), river=("a",))


@pytest.mark.parametrize("players", [2, 3])
def test_rows_are_a_bijection(players: int) -> None:
    betting = BettingConfig(sizes=SIZES, max_raises=(2, 1, 1, 1))
    tree = build_tree(GameConfig(num_players=players, stacks=(1500,), betting=betting))
    buckets = (5, 4, 3, 2)
    layout = layout_rows(tree, buckets)
    assert layout.entries == tree.counts.entries(buckets)
    taken = np.zeros(layout.entries, dtype=np.int64)
    for node in range(tree.num_nodes):
        if tree.num_actions[node] == 0:
            assert layout.offset[node] == -1
            assert layout.stride[node] == 0
            continue
        for bucket in range(buckets[tree.street[node]]):
            start = layout.row_start(node, bucket)
            taken[start : start + int(tree.num_actions[node])] += 1
    assert (taken == 1).all()


def test_rows_of_one_bucket_lie_together() -> None:
    tree = build_tree(GameConfig(betting=BettingConfig(sizes=SIZES)))
    layout = layout_rows(tree, (169, 50, 50, 50))
    flop = np.flatnonzero((tree.street == 1) & (tree.player == 0))
    width = tree.num_actions[flop].sum()
    starts = layout.offset[flop] + 7 * layout.stride[flop]
    assert starts.max() + tree.num_actions[flop[-1]] - starts.min() == width


@pytest.mark.parametrize("buckets", [(169, 50, 50), (169, 0, 50, 50)])
def test_buckets_must_fit_the_streets(buckets: tuple[int, ...]) -> None:
    tree = build_tree(GameConfig(betting=BettingConfig(sizes=SIZES)))
    with pytest.raises(ConfigError, match="a positive number for each of 4"):
        layout_rows(tree, buckets)


@pytest.mark.parametrize("most", [1, 100, 10**9])
def test_blocks_and_their_pieces_are_the_table_in_turn(most: int) -> None:
    """Each piece is whole buckets, so that it can be walked row by row from its start."""
    tree = build_tree(GameConfig(stacks=(1500,), betting=BettingConfig(sizes=SIZES, max_raises=(2, 1, 1, 1))))
    buckets = (5, 4, 3, 2)
    layout, end = layout_rows(tree, buckets), 0
    for block in row_blocks(tree, buckets):
        rows = [layout.row_start(int(node), 0) for node in block.nodes]
        assert rows == (block.start + np.cumsum(block.widths) - block.widths).tolist()
        for start, stop in block.pieces(most):
            assert start == end and (stop - start) % block.width == 0
            assert stop - start <= max(most, block.width)
            end = stop
        assert end == block.end
    assert end == layout.entries
