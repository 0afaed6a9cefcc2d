"""Compiled outcome-sampling MCCFR (Lanctot et al. 2009) over packed nodes.

A traversal follows one line of play. Its player draws from a mixture of its strategy and a uniform choice, everybody
else from their strategies, so that only the traverser's draws need importance weights. With two players the opponent's
strategy is added to its sums where it is met, divided by the probability that the traverser's draws led there; with
more players each player's sums are collected along a path of their own, as in `kernels.external`. The increments can
be billions of chips, so the table is (entries, 2) float64.

The plain twin that tests compare it with is `tests/mccfr/reference_sampler.py`.
"""

import numpy as np

from holdem.mccfr.kernels.external import (
    CONSIDERED,
    DECISIONS,
    TERMINALS,
    many_player_payoff,
    number_below,
    stream_start,
    unit_of,
)
from holdem.mccfr.kernels.node_records import ACTIONS_SHIFT, CHILD_MASK, OFFERS_FOLD, PLAYER_SHIFT
from holdem.mccfr.kernels.table import add_in_place, read
from holdem.util.arrays import Float64, Int32, Int64
from holdem.util.jit import kernel
from holdem.util.kernels.random_numbers import advance, split_mix

# Columns of a step: a decision of the traverser on the line; ints and floats are in two arrays.
_ROW, _ACTIONS, _CHOICE, STEP_INTS = 0, 1, 2, 3
_PROBABILITY, _SAMPLED, _REACHED, STEP_FLOATS = 0, 1, 2, 3


@kernel
def match_regrets(table: Float64, row: int, actions: int, strategy: Float64) -> None:
    """The current strategy of a row into `strategy`: positive regrets in proportion, uniform if there are none."""
    total = 0.0
    for a in range(actions):
        total += max(read(table, 2 * (row + a)), 0.0)
    for a in range(actions):
        strategy[a] = max(read(table, 2 * (row + a)), 0.0) / total if total > 0.0 else 1.0 / actions


@kernel
def _draw(strategy: Float64, actions: int, epsilon: float, unit: float) -> int:
    """The action that a number in [0, 1) picks from the mixture of the strategy and the uniform choice."""
    below = 0.0
    for a in range(actions - 1):
        below += epsilon / actions + (1.0 - epsilon) * strategy[a]
        if unit < below:
            return a
    return actions - 1


@kernel
def _average_along_path(
    player: int,
    records: Int64,
    rows: Int64,
    deal: int,
    table: Float64,
    strategy: Float64,
    strategy_weight: float,
    first: np.uint64,
    second: np.uint64,
    shared: object,
) -> tuple[int, np.uint64, np.uint64]:
    """As in `kernels.external`, for a floating-point table."""
    node, decisions = 0, 0
    while records[4 * node] >= 0:
        head = records[4 * node]
        actions = (head >> ACTIONS_SHIFT) & 255
        bits = first + second
        first, second = advance(first, second)
        decisions += 1
        if (head >> PLAYER_SHIFT) & 255 != player:
            node = (head & CHILD_MASK) + number_below(bits, actions)
            continue
        row = records[4 * node + 1] + rows[deal, records[4 * node + 2]]
        match_regrets(table, row, actions, strategy)
        for a in range(actions):
            add_in_place(table, 2 * (row + a) + 1, strategy_weight * strategy[a], shared)
        choice = _draw(strategy, actions, 0.0, unit_of(bits))
        if choice == 0 and head & OFFERS_FOLD:
            break
        node = (head & CHILD_MASK) + choice
    return decisions, first, second


@kernel
def run_outcome(
    seed: int,
    first_iteration: int,
    records: Int64,
    chips_in: Int32,
    unit: int,
    rows: Int64,
    strengths: Int64,
    table: Float64,
    step_ints: Int64,
    step_floats: Float64,
    strategy: Float64,
    payoffs: Float64,
    regret_weight: float,
    strategy_weight: float,
    epsilon: float,
    counters: Int64,
    utilities: Float64,
    shared: object,
) -> None:
    """One iteration for each line of `rows`, from `first_iteration` on; in each, one line of play for every player.

    step_ints: (depth, STEP_INTS), step_floats: (depth, STEP_FLOATS), strategy: (actions,), payoffs: (players,): working
    memory; the rest as in `run_external`
    """
    players = strengths.shape[1]
    for deal in range(rows.shape[0]):
        random_0 = stream_start(seed, first_iteration + deal)
        random_1 = split_mix(random_0)
        for player in range(players):
            if players > 2:
                met, random_0, random_1 = _average_along_path(
                    player, records, rows, deal, table, strategy, strategy_weight, random_0, random_1, shared
                )
                counters[DECISIONS] += met
            # Down one line of play; `sampled` is the probability that the traverser's draws led here.
            node, steps, sampled, folded = 0, 0, 1.0, False
            value = 0.0
            while records[4 * node] >= 0:
                head = records[4 * node]
                actions = (head >> ACTIONS_SHIFT) & 255
                row = records[4 * node + 1] + rows[deal, records[4 * node + 2]]
                match_regrets(table, row, actions, strategy)
                counters[DECISIONS] += 1
                uniform = unit_of(random_0 + random_1)
                random_0, random_1 = advance(random_0, random_1)
                # Somebody else decides by its strategy, which needs no weight; with two players its sums are added to.
                if (head >> PLAYER_SHIFT) & 255 != player:
                    if players == 2:
                        for a in range(actions):
                            weight = strategy_weight * strategy[a] / sampled
                            add_in_place(table, 2 * (row + a) + 1, weight, shared)
                    node = (head & CHILD_MASK) + _draw(strategy, actions, 0.0, uniform)
                    continue
                # The traverser explores: what it drew and how likely that was is kept for the way back.
                choice = _draw(strategy, actions, epsilon, uniform)
                probability = epsilon / actions + (1.0 - epsilon) * strategy[choice]
                step_ints[steps, _ROW], step_ints[steps, _ACTIONS] = row, actions
                step_ints[steps, _CHOICE] = choice
                step_floats[steps, _PROBABILITY], step_floats[steps, _SAMPLED] = strategy[choice], probability
                step_floats[steps, _REACHED] = sampled
                steps += 1
                sampled *= probability
                counters[CONSIDERED] += actions
                # Whatever the others do afterwards, a fold costs what was put in.
                if choice == 0 and head & OFFERS_FOLD:
                    value, folded = float(records[4 * node + 3]), True
                    break
                node = (head & CHILD_MASK) + choice
            # The value of the line: for two players one of three columns of the terminal's record.
            if not folded:
                counters[TERMINALS] += 1
                if players == 2:
                    better = strengths[deal, player] > strengths[deal, 1 - player]
                    equal = strengths[deal, 0] == strengths[deal, 1]
                    outcome = 2 if equal else 1 if better == (player == 0) else 3
                    value = float(records[4 * node + outcome]) * (1.0 if player == 0 else -1.0)
                else:
                    value = many_player_payoff(records, chips_in, unit, node, player, strengths[deal], payoffs)
            # Back up the line: `value` becomes the estimate of what each decision was worth.
            for step in range(steps - 1, -1, -1):
                row, actions = step_ints[step, _ROW], step_ints[step, _ACTIONS]
                of_choice = value / step_floats[step, _SAMPLED]
                value = of_choice * step_floats[step, _PROBABILITY]
                scale = regret_weight / step_floats[step, _REACHED]
                for a in range(actions):
                    estimate = of_choice if a == step_ints[step, _CHOICE] else 0.0
                    add_in_place(table, 2 * (row + a), scale * (estimate - value), shared)
            utilities[player, 0] += value
            utilities[player, 1] += value * value
