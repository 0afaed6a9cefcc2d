"""Kuhn and Leduc poker through the solver's own kernels, against their published values."""

import numpy as np
import numpy.typing as npt
import pytest

from holdem.abstraction.betting.sizes import parse_menu
from holdem.realtime import solve_subgame
from holdem.realtime.subgame.deals import showdown_tables
from holdem.realtime.subgame.flat_tree import flatten
from holdem.realtime.subgame.kernels import traversal as kernels
from holdem.realtime.subgame.kernels.arrays import DealArrays, Storage
from holdem.realtime.subgame.kernels.traversal import BEST, MEAN, UPDATE
from holdem.realtime.subgame.plan import plan_memory
from holdem.realtime.subgame.schedules import Schedule
from holdem.realtime.subgame.traversal import NEVER
from holdem.realtime.subgame.tree import Root, StreetSizes, TreeBuilder


def test_kuhn_is_a_river_spot() -> None:
    """Three hands of different strength that only block themselves, a pot of 2 and a bet of 1: Kuhn poker.

    Its value is −1/18 for the first player; the second player's equilibrium is unique (Kuhn 1950).
    """
    hands = "KcKd, QcQd, JcJd"
    spot = {"board": "Ah 9c 4d 7s 2h", "pot": 2, "effective_stack": 1, "range_oop": hands, "range_ip": hands,
            "bet_sizes": {"river": {"bet": "a"}}}  # fmt: skip
    solution = solve_subgame(spot, max_iterations=8000)  # a third of the bound: processors round differently
    assert solution.exploitability < 1e-4
    assert solution.expected_values[0] == pytest.approx(1 - 1 / 18, abs=2e-4)
    checked, bet = solution.node("check"), solution.node("all-in")
    assert [checked.strategy[i, 1] for i in range(3)] == pytest.approx([1, 0, 1 / 3], abs=0.01)  # K, Q, J
    assert [bet.strategy[i, 1] for i in range(3)] == pytest.approx([1, 1 / 3, 0], abs=0.01)


def leduc_deals() -> DealArrays:
    """Six cards 0..5, rank = card // 2. A hand is one of them, with a second card of its own that blocks nothing."""
    strengths = np.zeros((7, 6), dtype=np.int16)
    for public in range(6):
        for card in range(6):
            pair = 10 if card // 2 == public // 2 else 0
            strengths[1 + public, card] = -1 if card == public else pair + card // 2
    order, free, ends, groups = showdown_tables([strengths, strengths], 1)
    cards = np.zeros((2, 8, 2), dtype=np.int32)
    cards[:, :6] = [[card, card + 6] for card in range(6)]
    same = np.full((2, 8), -1, dtype=np.int32)
    same[:, :6] = np.arange(6)
    return DealArrays(
        cards=cards,
        same=same,
        order=order,
        free=free,
        ends=ends,
        groups=groups,
        children=np.array([1, 7, 7, 7, 7, 7, 7, 7], dtype=np.int32),
        image_start=np.arange(8, dtype=np.int32),
        images=np.zeros(7, dtype=np.int32),
        renamed=np.tile(np.arange(8, dtype=np.int16), (2, 1, 1)),
        wins=np.zeros((0, 8, 8), dtype=np.int16),
        wins_of=np.full(7, -1, dtype=np.int32),
        all_in_chance=np.ones(2, dtype=np.float32),
        deal_probability=np.array([1 / 4, 1], dtype=np.float32),
    )


def test_leduc_through_the_same_kernels() -> None:
    """Antes of 1, bets of 2 then 4, two raises a street; the value is −0.0856 for the first player."""

    def sizes(player: int, street: int) -> StreetSizes:
        bet = 2 if street == 2 else 4
        return StreetSizes(parse_menu(f"{bet}c"), (parse_menu(f"{2 * bet}c"), ()))

    tree = flatten(TreeBuilder(Root(2, 2, 1000), sizes).build(), 2, (6, 6))
    planned = plan_memory(tree, [1, 6], compressed=False)
    memory, deals = planned.places, leduc_deals()
    empty = np.zeros(0, dtype=np.float32)
    storage = Storage(np.zeros(planned.entries, np.float32), np.zeros(planned.entries, np.float32), empty, empty)
    work = np.zeros(planned.work_floats, dtype=np.float32)
    weights = np.zeros((2, 8), dtype=np.float32)
    weights[:, :6] = 1.0

    def run(players: list[int], mode: int, factors: npt.NDArray[np.float32]) -> None:
        kernels.run(
            tree.arrays,
            deals,
            memory,
            0,
            0,
            1,
            1,
            np.array(players),
            mode,
            factors,
            storage,
            weights,
            work,
            work,
            NEVER,
        )

    def value(player: int, mode: int) -> float:
        run([player], mode, np.zeros((1, 3), dtype=np.float32))
        start = int(memory.values_at[0]) + int(tree.arrays.value_row[player, 0]) * 8
        return float(work[start : start + 6].sum()) / 30  # ordered pairs of different cards

    run([0, 1], UPDATE, Schedule().factors(0, 3000))
    exploitability = (value(0, BEST) + value(1, BEST)) / 2
    assert 0 <= exploitability < 1e-3
    assert value(0, MEAN) == pytest.approx(-0.0856064, abs=2 * exploitability + 1e-4)
    assert value(1, MEAN) == pytest.approx(0.0856064, abs=2 * exploitability + 1e-4)
