"""Streams are found by seed, name and counters, and by nothing else."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from holdem.util.rng import derived_seed, stream

keys = st.tuples(st.integers(0, 2**64), st.sampled_from(["deal", "action"]), st.integers(0, 99), st.integers(0, 99))


@given(keys)
def test_the_same_key_gives_the_same_numbers(key: tuple[int, str, int, int]) -> None:
    assert np.array_equal(stream(*key).random(4), stream(*key).random(4))


@given(keys, keys)
def test_other_keys_give_other_numbers(one: tuple[int, str, int, int], other: tuple[int, str, int, int]) -> None:
    assert (one == other) == (stream(*one).random() == stream(*other).random())


def test_counters_do_not_run_together() -> None:
    assert stream(1, "action", 1, 23).random() != stream(1, "action", 12, 3).random()
    assert stream(1, "action").random() != stream(1, "action", 0).random()


def test_numbers_stay_the_same_between_versions() -> None:
    """A saved match must be reproducible, so these draws may not change."""
    assert stream(7, "deal").integers(0, 52, 5).tolist() == [29, 8, 11, 10, 14]
    assert stream(7, "action", 3, 0).integers(0, 52, 5).tolist() == [39, 9, 35, 48, 36]


def test_a_derived_seed_is_another_seed() -> None:
    seeds = {derived_seed(7, "instance", number) for number in range(100)}
    assert len(seeds | {7}) == 101
    assert all(0 <= seed < 2**64 for seed in seeds)
    assert derived_seed(7, "instance", 3) == derived_seed(7, "instance", 3) != derived_seed(8, "instance", 3)
