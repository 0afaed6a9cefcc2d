"""How much all iterations of a run weigh together: what brings tables of different runs to one scale.

A table adds up increments times weights (`discount`), halved now and then. Divided by the total weight, in the units
that the table has now, it is a mean over iterations, and means of different runs can be compared and averaged.
"""

from holdem.mccfr.schedules.discount import DiscountSchedule


def total_weights(schedule: DiscountSchedule, iterations: int) -> tuple[float, float]:
    """Total weights of regrets and of strategy sums after so many iterations, in the units of the table then."""
    regret_total = strategy_total = 0.0
    for stretch in schedule.stretches(0, iterations):
        count = stretch.last - stretch.first
        regret_total = regret_total * 0.5**stretch.regret_halvings + count * stretch.regret_weight
        strategy_total = strategy_total * 0.5**stretch.strategy_halvings + count * stretch.strategy_weight
    return regret_total, strategy_total


def halvings_after(schedule: DiscountSchedule, iterations: int) -> tuple[int, int]:
    """How often regrets and strategy sums were halved in a table with so many iterations."""
    regret, strategy = schedule.weights(max(iterations - 1, 0))
    return regret.halvings, strategy.halvings
