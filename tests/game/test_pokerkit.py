"""20,000 random hands, two to six seats, agree with pokerkit at every decision: see `pokerkit_oracle`."""

import random

import pytest

from tests.game.pokerkit_oracle import Comparison

HANDS_PER_BLOCK = 500


@pytest.mark.parametrize("block", range(40))
@pytest.mark.filterwarnings("ignore")
def test_random_hands_agree_with_pokerkit(block: int) -> None:
    compare_block(block)


@pytest.mark.slow
@pytest.mark.parametrize("block", range(40, 440))
@pytest.mark.filterwarnings("ignore")
def test_200_000_more_hands_agree_with_pokerkit(block: int) -> None:
    compare_block(block)


def compare_block(block: int) -> None:
    for number in range(HANDS_PER_BLOCK):
        seed = block * HANDS_PER_BLOCK + number
        try:
            Comparison(random.Random(seed)).play()
        except AssertionError as error:
            raise AssertionError(f"hand {seed} differs from pokerkit") from error


@pytest.mark.filterwarnings("ignore")
def test_the_decisions_where_rules_part_are_few() -> None:
    comparisons = [Comparison(random.Random(seed)) for seed in range(200)]
    for comparison in comparisons:
        comparison.play()
    assert 0 < sum(comparison.rules_apart for comparison in comparisons) < 20
