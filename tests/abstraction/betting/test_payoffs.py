"""Who wins what at a terminal: hand-made side pots, conservation, and the kernel against its twin."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdem.abstraction.betting.payoffs import payoffs, reference_payoffs
from holdem.abstraction.betting.tree import build_tree
from holdem.abstraction.kernels.payoffs import payoffs_into
from holdem.types import BettingConfig, GameConfig, StreetMenus


def kernel_payoffs(chips_in: list[int], folded: set[int], strengths: list[int]) -> list[float]:
    out = np.empty(len(chips_in))
    mask = sum(1 << position for position in folded)
    payoffs_into(np.array(chips_in, np.int32), mask, np.array(strengths, np.int64), out)
    return [float(value) for value in out]


@pytest.mark.parametrize(
    ("chips_in", "folded", "strengths", "expected"),
    [
        ([100, 100], set(), [2, 1], [100, -100]),
        ([100, 100], set(), [1, 1], [0, 0]),
        ([100, 300], set(), [1, 2], [-100, 100]),  # 200 come back
        ([100, 300], {0}, [0, 0], [-100, 100]),
        ([50, 100, 25], {0, 2}, [0, 0, 0], [-50, 75, -25]),
        ([100, 300, 300], set(), [3, 2, 1], [200, 100, -300]),  # main pot of 300, side pot of 400
        ([100, 300, 300], set(), [3, 2, 2], [200, -100, -100]),
        ([100, 100, 100], set(), [1, 1, 1], [0, 0, 0]),
        ([50, 100, 100], {0}, [9, 1, 1], [-50, 25, 25]),
        ([100, 200, 400, 400], {3}, [3, 2, 1, 9], [300, 100, 0, -400]),
    ],
)
def test_side_pots(chips_in: list[int], folded: set[int], strengths: list[int], expected: list[float]) -> None:
    assert kernel_payoffs(chips_in, folded, strengths) == expected
    assert reference_payoffs(chips_in, folded, strengths) == expected


@st.composite
def terminals(draw: st.DrawFn) -> tuple[list[int], set[int], list[int]]:
    players = draw(st.integers(2, 6))
    amount = st.sampled_from([0, 10, 50, 100, 101, 700, 10_000])
    chips = [draw(amount) for _ in range(players)]
    strengths = [draw(st.integers(0, 3)) for _ in range(players)]
    # Whoever put in the most has not folded: nobody folds to himself.
    leader = chips.index(max(chips))
    folded = draw(st.sets(st.integers(0, players - 1), max_size=players - 1)) - {leader}
    return chips, folded, strengths


@given(terminals())
def test_the_kernel_agrees_with_its_twin(terminal: tuple[list[int], set[int], list[int]]) -> None:
    chips, folded, strengths = terminal
    ours = kernel_payoffs(chips, folded, strengths)
    # Sums of a few shares of integers below 2^20: rounding stays far below 1e-9.
    assert ours == pytest.approx(reference_payoffs(chips, folded, strengths), abs=1e-9)
    assert sum(ours) == pytest.approx(0.0, abs=1e-9)
    assert all(value >= -put_in for value, put_in in zip(ours, chips, strict=True))


def test_payoffs_of_a_node() -> None:
    betting = BettingConfig(sizes=StreetMenus(preflop=("a",)), limps=False)
    tree = build_tree(GameConfig(stacks=(1000,), betting=betting))
    named = {tree.describe(node): node for node in range(tree.num_nodes)}
    assert payoffs(tree, named["SB fold"], [0, 0]).tolist() == [50, -50]
    assert payoffs(tree, named["SB raise 10bb all-in, BB call"], [1, 2]).tolist() == [-1000, 1000]
    with pytest.raises(ValueError, match="is a decision"):
        payoffs(tree, 0, [0, 0])
