"""Periodic discounting of regrets and strategy sums (Brown & Sandholm 2019, "Discounted CFR").

A discount happens every `interval` iterations; the k-th one scales a regret by k^alpha / (k^alpha + 1) and a
strategy sum by (k / (k + 1))^beta. With alpha = beta = 1, period k weighs k: Linear CFR.

Nobody walks the table for it: what is added in period k is multiplied by w_k = 1 / (d_1 ... d_{k-1}) instead, which is
the same up to a scale that regret matching does not see. To keep numbers small, w_k is written as m * 2^h with m in
[1, 2): increments are multiplied by m, and the table is halved whenever h grows. Iterations count from 0, and
iteration t belongs to period k = t // interval + 1; halvings that are due at t happen just before it.

With three or more players nothing is proven, trees are large and early strategies poor: there the sums of period k
weigh k^(beta + LEAN), so that three quarters of the weight is in the last quarter of a run.

The proof of convergence weighs the average as it weighs the regrets: alpha = beta = 1, or no discounting. An average
that leans further to the end than the regrets do (alpha = 1.5, whose weights level off, with beta = 2) stalls on Leduc,
and alpha = 0 remembers only a few periods.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from holdem.types import MCCFRConfig

LEAN = 3.0
"""Added to beta with three or more players."""


def regret_factor(k: int, alpha: float) -> float:
    """Factor of the k-th discount of regrets (k counts from 1)."""
    power: float = float(k) ** alpha
    return power / (power + 1.0)


def strategy_factor(k: int, beta: float) -> float:
    """Factor of the k-th discount of strategy sums (k counts from 1)."""
    factor: float = (k / (k + 1.0)) ** beta
    return factor


def period(iteration: int, interval: int) -> int:
    """Which period an iteration belongs to, from 1; without discounting (interval 0) all are in the first."""
    return iteration // interval + 1 if interval else 1


@dataclass(frozen=True)
class Weight:
    """The weight mantissa * 2^halvings, with the mantissa in [1, 2)."""

    mantissa: float = 1.0
    halvings: int = 0

    def times(self, factor: float) -> "Weight":
        """This weight multiplied by a factor of at least 1."""
        mantissa, halvings = self.mantissa * factor, self.halvings
        while mantissa >= 2.0:
            mantissa, halvings = mantissa / 2.0, halvings + 1
        return Weight(mantissa, halvings)


def strategy_weight(k: int, beta: float) -> Weight:
    """Weight of what is added to strategy sums in period k: k^beta, in closed form."""
    weight, rest = Weight(), beta
    while rest >= 1.0:  # whole powers exactly: k itself may be larger than a mantissa
        weight, rest = weight.times(float(k)), rest - 1.0
    return weight.times(float(k) ** rest)


class RegretWeights:
    """Weights of what is added to regrets: w_k is the product of 1 + j^-alpha over the periods j before k.

    The product is always taken from j = 1 upwards and remembered, so that period k has the same weight, to the last
    bit, wherever a run was interrupted.
    """

    def __init__(self, alpha: float) -> None:
        self.alpha = alpha
        self._k, self._before, self._weight = 1, Weight(), Weight()

    def at(self, k: int) -> Weight:
        """The weight of period k."""
        if self.alpha == 1.0:
            return Weight().times(float(k))
        if k == self._k - 1:  # a change of period asks for both sides of it
            return self._before
        if k < self._k:
            self._k, self._before, self._weight = 1, Weight(), Weight()
        while self._k < k:
            self._before, self._weight = self._weight, self._weight.times(1.0 + float(self._k) ** -self.alpha)
            self._k += 1
        return self._weight


@dataclass(frozen=True)
class Stretch:
    """Iterations [first, last) that share their weights, and the halvings due just before the first of them."""

    first: int
    last: int
    regret_weight: float
    strategy_weight: float
    regret_halvings: int
    strategy_halvings: int


class DiscountSchedule:
    """Weights and halvings of every iteration, from the three numbers of a configuration."""

    def __init__(self, interval: int, alpha: float, beta: float) -> None:
        self.interval, self.alpha, self.beta = interval, alpha, beta
        self._regrets = RegretWeights(alpha)

    @classmethod
    def of(cls, config: MCCFRConfig, players: int) -> "DiscountSchedule":
        """The schedule of a training configuration in a game with so many players."""
        beta = config.strategy_discount_beta + (LEAN if players > 2 else 0.0)
        return cls(config.discount_interval, config.regret_discount_alpha, beta)

    def weights(self, iteration: int) -> tuple[Weight, Weight]:
        """The weights of regrets and of strategy sums at an iteration."""
        k = period(iteration, self.interval)
        return self._regrets.at(k), strategy_weight(k, self.beta)

    def halvings_at(self, iteration: int) -> tuple[int, int]:
        """How often regrets and strategy sums are halved just before this iteration: (0, 0) inside a period."""
        if iteration == 0 or not self.interval or iteration % self.interval:
            return 0, 0
        old_regret, old_strategy = self.weights(iteration - 1)
        regret, strategy = self.weights(iteration)
        return regret.halvings - old_regret.halvings, strategy.halvings - old_strategy.halvings

    def stretches(self, first: int, last: int) -> Iterator[Stretch]:
        """[first, last) cut where weights change."""
        while first < last:
            stop = min(last, period(first, self.interval) * self.interval) if self.interval else last
            halvings = self.halvings_at(first)
            regret, strategy = self.weights(first)
            yield Stretch(first, stop, regret.mantissa, strategy.mantissa, *halvings)
            first = stop
