"""How much luck a match takes off: fitted, but without a say in its own mean."""

import numpy as np
import pytest

from holdem.evaluation.match.fitted_luck import LEAST_DEALS, without_luck
from holdem.evaluation.match.win_rates import half_interval


def test_what_luck_explains_goes_and_what_it_does_not_stays() -> None:
    """Chips are 0.5 of one part and none of the other: with any guesses the right multiples are found."""
    luck = np.random.default_rng(1).normal(size=(400, 2, 3))
    chips = 2.0 + 0.5 * luck[:, 0]
    assert without_luck(chips, luck) == pytest.approx(2.0)


def test_few_deals_take_all_luck_off() -> None:
    luck = np.random.default_rng(1).normal(size=(2 * LEAST_DEALS - 2, 2, 3))
    chips = luck.sum(axis=1)
    assert without_luck(chips, luck) == pytest.approx(0.0)
    assert without_luck(3.0 * chips, luck) == pytest.approx(2.0 * chips)


def test_chips_still_add_up_and_the_mean_stays() -> None:
    """Poor luck, 2,000 matches of 60 deals: the mean of all is the true one, 1.5, within four standard errors, and 95 %
    of their intervals have it in them, within four standard errors of such a share (0.5 %)."""
    generator = np.random.default_rng(2)
    means, inside = [], []
    for _ in range(2_000):
        luck = generator.normal(size=(60, 1, 2)) ** 3
        luck[:, :, 1] = -luck[:, :, 0]
        noise = generator.normal(size=60)
        chips = np.stack([1.5 + 0.2 * luck[:, 0, 0] + noise, -1.5 - 0.2 * luck[:, 0, 0] - noise], axis=1)
        steady = without_luck(chips, luck)
        assert steady.sum(axis=1) == pytest.approx(0.0, abs=1e-9)
        means.append(steady[:, 0].mean())
        inside.append(abs(means[-1] - 1.5) < half_interval(steady[:, 0]))
    assert np.mean(means) == pytest.approx(1.5, abs=4.0 * np.std(means) / np.sqrt(len(means)))
    assert np.mean(inside) == pytest.approx(0.95, abs=0.02)
