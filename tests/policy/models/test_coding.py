"""Rows as bytes and back, beside a dozen plain lines that round one row."""

import io
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from holdem.policy.models.coding import UNTRAINED, BlockShape, CodingError, decode, encode, rounded

SCALE = 60_000
DIVISORS = [levels for levels in range(1, 241) if SCALE % levels == 0]


def plain_rounding(row: list[int], levels: int) -> list[int]:
    """Largest remainder with exact fractions."""
    if not any(row):
        return row
    shares = [Fraction(value * levels, sum(row)) for value in row]
    steps = [int(share) for share in shares]
    by_fraction = sorted(range(len(row)), key=lambda action: steps[action] - shares[action])
    for action in by_fraction[: levels - sum(steps)]:
        steps[action] += 1
    return steps


@some.composite
def row_of_the_scale(draw: some.DrawFn) -> list[int]:
    cuts = draw(some.lists(some.integers(0, SCALE), max_size=8))
    edges = [0, *sorted(cuts), SCALE]
    return draw(some.sampled_from(([after - before for before, after in pairwise(edges)], [0] * 4)))


@given(row_of_the_scale(), some.sampled_from(DIVISORS))
def test_a_row_is_rounded_as_by_hand(row: list[int], levels: int) -> None:
    steps = rounded(np.array(row, np.uint16).reshape(1, -1, 1), levels).reshape(-1).tolist()
    assert steps == plain_rounding(row, levels)
    assert sum(steps) == (levels if any(row) else 0)


def coded_and_decoded(rows: np.ndarray[tuple[int, int, int], np.dtype[np.uint16]], levels: int) -> list[list[int]]:
    """Rows of nodes, actions and buckets as a block and back."""
    nodes, actions, buckets = rows.shape
    table = rows.transpose(2, 0, 1).reshape(-1)
    shape = BlockShape(np.full(nodes, actions, np.uint8), buckets, levels)
    out = io.BytesIO(b"".join(encode(table, shape)))
    parts = [decode(out.read(len(columns) * max(1, actions - 1) * buckets), actions, buckets, levels)
             for actions, columns in shape.groups()]  # fmt: skip
    assert not out.read()
    return [list(map(int, row)) for row in np.concatenate(parts).transpose(0, 2, 1).reshape(-1, actions)]


@given(some.integers(1, 9), some.integers(1, 4), some.integers(1, 5), some.sampled_from(DIVISORS), some.integers(0, 99))
def test_what_comes_back_adds_up_and_is_near(actions: int, nodes: int, buckets: int, levels: int, seed: int) -> None:
    generator = np.random.default_rng(seed)
    rows = generator.multinomial(SCALE, generator.dirichlet(np.full(actions, 0.3)), (nodes, buckets)).astype(np.uint16)
    rows[generator.random((nodes, buckets)) < 0.2] = 0
    before = [list(map(int, row)) for row in rows.reshape(-1, actions)]
    after = coded_and_decoded(rows.transpose(0, 2, 1), levels)
    for old, new in zip(before, after, strict=True):
        assert sum(new) == sum(old)
        # Largest remainder moves a share by less than one step.
        assert all(abs(x - y) < SCALE // levels for x, y in zip(old, new, strict=True))


def test_shares_of_people_are_kept_exactly() -> None:
    """Halves, thirds, quarters, fifths and sixths have 240 steps, so nothing is lost."""
    rows = [
        [30_000, 30_000, 0],
        [20_000, 20_000, 20_000],
        [45_000, 0, 15_000],
        [12_000, 48_000, 0],
        [10_000, 0, 50_000],
    ]
    table = np.array(rows, np.uint16)[:, :, None]
    assert coded_and_decoded(table, 240) == rows


@pytest.mark.parametrize(
    "coded",
    [
        bytes([61]),  # more than 60 levels
        bytes([252]),
        bytes([UNTRAINED, 1]),  # never trained, and yet something
        bytes([254, 1]),
        bytes([40, 40]),
    ],
)
def test_bytes_that_are_no_row_are_refused(coded: bytes) -> None:
    with pytest.raises(CodingError, match="60 levels"):
        decode(coded, len(coded) + 1, 1, 60)


def test_guesses_come_back_and_are_no_steps() -> None:
    rows = [[1, 0, 0], [0, 1, 0], [0, 0, 0], [30_000, 30_000, 0]]
    assert coded_and_decoded(np.array(rows, np.uint16)[:, :, None], 2) == rows
    assert coded_and_decoded(np.array([row[:2] for row in rows], np.uint16)[:, :, None], 2) == [row[:2] for row in rows]


def test_a_guess_of_an_action_that_is_not_there_is_refused() -> None:
    assert decode(bytes([254]), 1, 1, 60).reshape(-1).tolist() == [1]
    with pytest.raises(CodingError, match="not there"):
        decode(bytes([253]), 1, 1, 60)


def test_a_row_of_one_action_has_all_or_nothing() -> None:
    assert decode(bytes([60, UNTRAINED]), 1, 1, 60).reshape(-1).tolist() == [SCALE, 0]
    with pytest.raises(CodingError, match="fewer"):
        decode(bytes([59]), 1, 1, 60)
