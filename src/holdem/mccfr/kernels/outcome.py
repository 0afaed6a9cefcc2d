"""Compiled outcome-sampling MCCFR (Lanctot et al. 2009) over packed nodes.

A traversal follows one line of play. Its player draws from a mixture of its strategy and a uniform choice, everybody
else from their strategies, so that only the traverser's draws need importance weights. The others' strategies are added
to their sums where they are met, divided by the probability that the traverser's draws led there. The increments can be
billions of chips, so the table is (entries, 2) float64.

The plain twin that tests compare it with is `tests/mccfr/reference_sampler.py`.
"""

import numpy as np

from holdem.mccfr.kernels.external import (
    CONSIDERED,
    DECISIONS,
    TERMINALS,
    one_pot_payoff,
    side_pot_payoff,
    stream_start,
    stronger_and_equal,
    unit_of,
)
from holdem.mccfr.kernels.node_records import (
    ACTIONS_MASK,
    OFFERS_FOLD,
    PLAYER_MASK,
    PLAYER_SHIFT,
    SLOT_MASK,
    SLOT_SHIFT,
    Settlement,
)
from holdem.mccfr.kernels.table import add_in_place, read
from holdem.util.arrays import Float64, Int32, Int64
from holdem.util.jit import kernel
from holdem.util.kernels.random_numbers import advance, split_mix

# Columns of a step: a decision of the traverser on the line; ints and floats are in two arrays.
_ROW, _ACTIONS, _CHOICE, STEP_INTS = 0, 1, 2, 3
_PROBABILITY, _SAMPLED, _REACHED, STEP_FLOATS = 0, 1, 2, 3
_SIDE_POTS_TAG = -1 - int(Settlement.SIDE_POTS)


@kernel
def match_regrets(table: Float64, row: int, actions: int, strategy: Float64) -> None:
    """The current strategy of a row into `strategy`: positive regrets in proportion, uniform if there are none.

    Each regret is read once: others may write to the row meanwhile.
    """
    total = 0.0
    for a in range(actions):
        strategy[a] = max(read(table, 2 * (row + a)), 0.0)
        total += strategy[a]
    for a in range(actions):
        strategy[a] = strategy[a] / total if total > 0.0 else 1.0 / actions


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
def run_outcome(
    seed: int,
    first_iteration: int,
    records: Int32,
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
            # Down one line of play; `sampled` is the probability that the traverser's draws led here.
            node, steps, sampled, folded = 0, 0, 1.0, False
            value = 0.0
            while records[4 * node] >= 0:
                first, head = np.int64(records[4 * node]), np.int64(records[4 * node + 1])
                actions = head & ACTIONS_MASK
                row = records[4 * node + 2] + rows[deal, (head >> SLOT_SHIFT) & SLOT_MASK]
                match_regrets(table, row, actions, strategy)
                counters[DECISIONS] += 1
                uniform = unit_of(random_0 + random_1)
                random_0, random_1 = advance(random_0, random_1)
                # Somebody else decides by its strategy, which needs no weight; its sums are added to.
                if (head >> PLAYER_SHIFT) & PLAYER_MASK != player:
                    for a in range(actions):
                        add_in_place(table, 2 * (row + a) + 1, strategy_weight * strategy[a] / sampled, shared)
                    node = first + _draw(strategy, actions, 0.0, uniform)
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
                node = first + choice
            # The value of the line: for two players one of three columns of the terminal's record.
            if not folded:
                counters[TERMINALS] += 1
                if players == 2:
                    better = strengths[deal, player] > strengths[deal, 1 - player]
                    equal = strengths[deal, 0] == strengths[deal, 1]
                    outcome = 2 if equal else 1 if better == (player == 0) else 3
                    value = float(records[4 * node + outcome]) * (1.0 if player == 0 else -1.0)
                elif records[4 * node] != _SIDE_POTS_TAG:
                    value = one_pot_payoff(
                        records, node, *stronger_and_equal(strengths, deal * players, players, player)
                    )
                else:
                    folded_bits = records[4 * node + 2]
                    value = side_pot_payoff(chips_in, unit, node, player, folded_bits, strengths[deal], payoffs)
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
