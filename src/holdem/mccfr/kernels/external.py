"""Compiled external-sampling MCCFR (Lanctot et al. 2009) over packed nodes.

A traversal tries every action of its player and draws one for everybody else. The strategies of the others are added to
their sums where a traversal meets them. With two players that happens as often as the opponent's own play gets there;
with more it also depends on how the rest play, all but the traverser.

A visit reads each regret of a row once and takes strategy and total from what it read: another process may write to the
row between two reads, and a strategy from one reading over the total of another can add up to thousands.

The table is (entries, 2) int32; `node_records` describes the nodes, `kernels.deal` the rows and strengths of a deal.
Most of a visit is waiting for memory, so the order of work is made for it: all actions of a decision are followed
through the others' draws first, and the rows of the decisions that they lead to are asked for before any of these is
opened. The hot loop is one function that calls nothing with an array in hand, because a call would count references.

The plain twin that tests compare it with is `tests/mccfr/reference_sampler.py`.
"""

import numpy as np

from holdem.abstraction.kernels.payoffs import payoffs_into
from holdem.mccfr.kernels.node_records import (
    ACTIONS_MASK,
    LAST_STREET,
    OFFERS_FOLD,
    PLAYER_MASK,
    PLAYER_SHIFT,
    SLOT_MASK,
    SLOT_SHIFT,
    Settlement,
)
from holdem.mccfr.kernels.table import HIGHEST_ENTRY, add_in_place, halve_row, positive_part, prefetch, read, write
from holdem.util.arrays import Float64, Int32, Int64
from holdem.util.jit import inline_kernel, kernel
from holdem.util.kernels.random_numbers import advance, split_mix

# Columns of a frame: a decision of the traverser whose actions are being tried.
_ROW, _ACTIONS, _ACTION, _SKIPPED, FRAME_SIZE = 0, 1, 2, 3, 4
# Counters: decisions and terminals visited, actions of the traverser that were considered, those that were skipped.
DECISIONS, TERMINALS, CONSIDERED, PRUNED, NUM_COUNTERS = 0, 1, 2, 3, 4
# Most rows have three actions; a row whose last sum is in the next cache line is asked for with both lines.
_ROW_END = 5
_FOLD_WIN_TAG, _SIDE_POTS_TAG = -1 - int(Settlement.FOLD_WIN), -1 - int(Settlement.SIDE_POTS)


@inline_kernel
def stream_start(seed: int, iteration: int) -> np.uint64:
    """First half of the random state of an iteration's traversals; the second is `split_mix` of it."""
    return split_mix(split_mix(np.uint64(seed)) ^ np.uint64(2 * iteration + 1))


@inline_kernel
def unit_of(bits: np.uint64) -> float:
    """A number in [0, 1) from 53 of 64 random bits."""
    return np.float64(bits >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@inline_kernel
def number_below(bits: np.uint64, limit: int) -> int:
    """A number in 0 .. limit - 1 from 30 of 64 random bits, for limits up to 2**33: a row of positive regrets."""
    return (np.int64(bits >> np.uint64(34)) * limit) >> 30


@inline_kernel
def fraction_of(bits: np.uint64) -> float:
    """A number in [0, 1) from 32 bits that `number_below` does not use: a sum rounded with it is right on average."""
    return np.float64((bits >> np.uint64(2)) & np.uint64(0xFFFFFFFF)) * (1.0 / 4294967296.0)


@inline_kernel
def stronger_and_equal(strengths: Int64, first: int, players: int, player: int) -> tuple[int, int]:
    """Bits of the players whose hands beat the player's, and of those with an equal one, itself not among them.

    strengths: (iterations, players), those of the deal from the flat index `first` on
    """
    stronger, equal, own = 0, 0, read(strengths, first + player)
    for other in range(players):
        strength = read(strengths, first + other)
        stronger |= np.int64(strength > own) << other
        equal |= np.int64(strength == own) << other
    return stronger, equal & ~(1 << player)


@inline_kernel
def one_pot_payoff(records: Int32, node: int, stronger: int, equal: int) -> float:
    """What a player who is still in gets where one pot goes to the best hand or nobody else is left."""
    own = np.float64(read(records, 4 * node + 3))
    if read(records, 4 * node) == _FOLD_WIN_TAG:
        return np.float64(read(records, 4 * node + 1)) - own
    left = ~np.int64(read(records, 4 * node + 2))
    if stronger & left:
        return -own
    winners, tied = 1, equal & left
    while tied:
        tied &= tied - 1
        winners += 1
    return np.float64(read(records, 4 * node + 1)) / winners - own


@kernel
def side_pot_payoff(
    chips_in: Int32, unit: int, node: int, player: int, folded: int, strengths: Int64, payoffs: Float64
) -> float:
    """The same where those still in put in different amounts; strengths: (players,), payoffs: (players,) scratch."""
    payoffs_into(chips_in[node], folded, strengths, payoffs)
    return payoffs[player] * unit


@kernel
def run_external(
    seed: int,
    first_iteration: int,
    records: Int32,
    chips_in: Int32,
    unit: int,
    rows: Int64,
    strengths: Int64,
    table: Int32,
    frames: Int64,
    targets: Int64,
    values: Float64,
    probabilities: Float64,
    payoffs: Float64,
    regret_weight: float,
    strategy_weight: float,
    prune_probability: float,
    threshold: int,
    floor: int,
    first_learner: int,
    last_learner: int,
    counters: Int64,
    utilities: Float64,
    shared: object,
) -> None:
    """One iteration for each line of `rows`, from `first_iteration` on; in each, one traversal for every learner.

    records: (nodes * 4,); chips_in: (nodes, players); unit: table units in a chip
    rows: (iterations, slots); strengths: (iterations, players); table: (entries, 2)
    frames: (depth + 1, FRAME_SIZE), values, probabilities: (depth + 1, actions), targets: (depth + 2, actions),
        payoffs: (players,): working memory
    regret_weight, strategy_weight: multiply what is added; prune_probability: 0 switches pruning off
    first_learner, last_learner: the players whose regrets are learnt, as a rule all of them
    counters: (NUM_COUNTERS,); utilities: (players, 2), sums of the traversals' values and of their squares
    shared: None if this process alone writes to the table, 1 if others do too
    """
    players, slots, width = strengths.shape[1], rows.shape[1], values.shape[1]
    decisions, terminals, considered, pruned = 0, 0, 0, 0
    for deal in range(rows.shape[0]):
        # An iteration has its own random stream, so that it comes out the same whoever runs it. Who wins a showdown of
        # two is found once: `outcome` is its column in the record of a terminal.
        random_0 = stream_start(seed, first_iteration + deal)
        random_1 = split_mix(random_0)
        deal_rows = deal * slots
        strength_0, strength_1 = strengths[deal, 0], strengths[deal, 1]
        outcome = 2 if strength_0 == strength_1 else 1 if strength_0 > strength_1 else 3
        for player in range(first_learner, last_learner + 1):
            stronger, equal = stronger_and_equal(strengths, deal * players, players, player)
            # One draw decides whether a traversal prunes: the others look again at what it skips.
            pruning = False
            if prune_probability > 0.0:
                pruning = unit_of(random_0 + random_1) < prune_probability
                random_0, random_1 = advance(random_0, random_1)
            sign = 1.0 if player == 0 else -1.0
            # The root is treated as the only action of a decision above it.
            depth, line, row, child, actions, action, skipped = 0, 0, -1, 0, 1, 0, 0
            value = 0.0
            write(probabilities, 0, 1.0)
            while True:
                # Follow each action of the open decision through the draws of the others, to a terminal or to the
                # traverser's next decision, whose row and whose children's rows are asked for.
                while action < actions:
                    if (skipped >> action) & 1:
                        pruned += 1
                        write(values, line + action, 0.0)
                        write(targets, line + action, -1)
                        action += 1
                        continue
                    node = child + action
                    first, head = read(records, 4 * node), read(records, 4 * node + 1)
                    while first >= 0 and (head >> PLAYER_SHIFT) & PLAYER_MASK != player:
                        # Somebody else decides: add up the positive regrets, all actions alike if there are none. They
                        # are kept where the next open decision will put its targets.
                        decisions += 1
                        slot = (head >> SLOT_SHIFT) & SLOT_MASK
                        node_row = read(records, 4 * node + 2) + read(rows, deal_rows + slot)
                        end = node_row + (head & ACTIONS_MASK)
                        total, scratch = 0, line + width
                        for a in range(node_row, end):
                            positive = positive_part(read(table, 2 * a))
                            write(targets, scratch + a - node_row, positive)
                            total += positive
                        none_positive = np.int64(total == 0)
                        total += none_positive * (end - node_row)
                        # One draw gives the action and the fraction that rounds the strategy sums.
                        bits = random_0 + random_1
                        target, fraction = number_below(bits, total), fraction_of(bits)
                        random_0, random_1 = advance(random_0, random_1)
                        # Find the child of the draw without a branch, and add to the sums.
                        node, below, highest = np.int64(first), 0, 0
                        factor = strategy_weight / total
                        for a in range(node_row, end):
                            positive = read(targets, scratch + a - node_row) + none_positive
                            below += positive
                            node += np.int64(below <= target)
                            highest = max(highest, np.int64(read(table, 2 * a + 1)))
                            add_in_place(table, 2 * a + 1, np.int32(positive * factor + fraction), shared)
                        # A row that is nearly full is halved as a whole, which keeps its strategy.
                        if highest > HIGHEST_ENTRY:
                            halve_row(table, 2 * node_row + 1, 2 * end, shared)
                        first, head = read(records, 4 * node), read(records, 4 * node + 1)
                    if first >= 0:
                        # A decision of the traverser: it is opened later, when its memory has come.
                        write(targets, line + action, node)
                        slot = (head >> SLOT_SHIFT) & SLOT_MASK
                        node_row = read(records, 4 * node + 2) + read(rows, deal_rows + slot)
                        prefetch(table, 2 * node_row)
                        prefetch(table, 2 * node_row + _ROW_END)
                        for c in range(4 * first, 4 * (first + (head & ACTIONS_MASK)), 4):
                            if read(records, c) >= 0:
                                slot = (read(records, c + 1) >> SLOT_SHIFT) & SLOT_MASK
                                node_row = read(records, c + 2) + read(rows, deal_rows + slot)
                                prefetch(table, 2 * node_row)
                                prefetch(table, 2 * node_row + _ROW_END)
                    else:
                        # A terminal: its value is known at once.
                        terminals += 1
                        write(targets, line + action, -1)
                        if players == 2:
                            value = sign * np.float64(read(records, 4 * node + outcome))
                        elif first != _SIDE_POTS_TAG:
                            value = one_pot_payoff(records, node, stronger, equal)
                        else:
                            folded = read(records, 4 * node + 2)
                            value = side_pot_payoff(chips_in, unit, node, player, folded, strengths[deal], payoffs)
                        write(values, line + action, value)
                    action += 1
                # Go on with the next action that leads to a decision; when none is left, close this one.
                action = 0
                while True:
                    while action < actions and read(targets, line + action) < 0:
                        action += 1
                    if action < actions:
                        break
                    # Every action has its value: the decision's is their mean under the current strategy.
                    value = 0.0
                    for a in range(actions):
                        value += read(probabilities, line + a) * read(values, line + a)
                    if depth == 0:
                        break
                    # Regrets grow by what an action won beyond that and stop at the floor; skipped ones stay.
                    highest = 0
                    for a in range(actions):
                        if not (skipped >> a) & 1:
                            increment = np.int64(np.floor((read(values, line + a) - value) * regret_weight + 0.5))
                            regret = np.int64(read(table, 2 * (row + a)))
                            if regret + increment < floor:
                                increment = min(floor - regret, 0)
                            highest = max(highest, regret + increment)
                            add_in_place(table, 2 * (row + a), np.int32(increment), shared)
                    if highest > HIGHEST_ENTRY:
                        halve_row(table, 2 * row, 2 * (row + actions), shared)
                    # Back to the decision above, whose action led here: this is its value.
                    depth -= 1
                    line -= width
                    frame = depth * FRAME_SIZE
                    row, actions = read(frames, frame + _ROW), read(frames, frame + _ACTIONS)
                    action, skipped = read(frames, frame + _ACTION), read(frames, frame + _SKIPPED)
                    write(values, line + action, value)
                    action += 1
                if action >= actions:
                    break
                # Put the open decision aside and open the one that its action leads to.
                frame = depth * FRAME_SIZE
                write(frames, frame + _ROW, row)
                write(frames, frame + _ACTIONS, actions)
                write(frames, frame + _ACTION, action)
                write(frames, frame + _SKIPPED, skipped)
                node = read(targets, line + action)
                head = read(records, 4 * node + 1)
                row = read(records, 4 * node + 2) + read(rows, deal_rows + ((head >> SLOT_SHIFT) & SLOT_MASK))
                actions = np.int64(head & ACTIONS_MASK)
                child, action, skipped = np.int64(read(records, 4 * node)), 0, 0
                depth += 1
                line += width
                decisions += 1
                considered += actions
                # Regret matching: positive regrets in proportion, all actions alike if there are none.
                total = 0
                for a in range(actions):
                    positive = positive_part(read(table, 2 * (row + a)))
                    write(probabilities, line + a, np.float64(positive))
                    total += positive
                none_positive = np.int64(total == 0)
                factor = 1.0 / (total + none_positive * actions)
                for a in range(actions):
                    write(probabilities, line + a, (read(probabilities, line + a) + none_positive) * factor)
                # Skip hopeless actions; never on the last street, into a terminal, or where nothing is positive.
                if pruning and not none_positive and not head & LAST_STREET:
                    for a in range(actions):
                        if read(table, 2 * (row + a)) < threshold and read(records, 4 * (child + a)) >= 0:
                            skipped |= 1 << a
                if head & OFFERS_FOLD:
                    # Whatever the others do afterwards, a fold costs what was put in.
                    write(values, line, np.float64(read(records, 4 * node + 3)))
                    write(targets, line, -1)
                    skipped &= ~1
                    action = 1
            utilities[player, 0] += value
            utilities[player, 1] += value * value
    counters[DECISIONS] += decisions
    counters[TERMINALS] += terminals
    counters[CONSIDERED] += considered
    counters[PRUNED] += pruned
