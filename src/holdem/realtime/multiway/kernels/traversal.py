"""Compiled sampled linear CFR for a street with two to six players, all hands of the traverser at once.

An iteration deals the board out once, and then each player traverses: the hands of the others are drawn from their
ranges, and the values of all 1,326 hands of the traverser follow in one walk, because everything else is fixed. At the
traverser's nodes all actions are tried, at the others' one is drawn. Hands that share a card with what was drawn learn
nothing in that walk; the draws that are left are the right ones for each hand up to a factor, which regret matching
does not see. Regrets and averages of iteration t weigh t.

Where the street ends with play going on, the players choose one of four continuations of the blueprint each (as is, or
with fold, call or raise five times as likely), and one deal is played out with them in the blueprint's tree. Chips put
in there count in proportion to the real pot.

Floating-point arrays have the hand as their last axis, so that loops over hands are vector instructions.
"""

import numpy as np

from holdem.realtime.multiway.kernels.arrays import (
    CONTINUATIONS,
    DECISION,
    HANDS,
    LEAF,
    MAX_ACTIONS,
    MAX_LEVELS,
    Blueprint,
    SampledDeal,
    Tables,
    Tree,
)
from holdem.realtime.multiway.kernels.playout import play_out, showdown
from holdem.util.arrays import Float32, Int64, UInt64
from holdem.util.jit import kernel
from holdem.util.kernels.random_numbers import next_unit, split_mix


@kernel
def _copy(source: Float32, target: Float32) -> None:
    """One row of hands to another."""
    for h in range(HANDS):
        target[h] = source[h]


@kernel
def _match_regrets(regrets: Float32, first: int, count: int, shares: Float32) -> None:
    """Strategy of all hands at a node into `shares: (count, 1326)`."""
    total = np.zeros(HANDS, np.float32)
    # Sum the positive regrets of each hand.
    for a in range(count):
        row, share = regrets[first + a], shares[a]
        for h in range(HANDS):
            positive = max(row[h], np.float32(0.0))
            share[h] = positive
            total[h] += positive
    # Divide by the sum; without positive regrets all actions are alike.
    even = np.float32(1.0 / count)
    for a in range(count):
        share = shares[a]
        for h in range(HANDS):
            share[h] = share[h] / total[h] if total[h] > 0.0 else even


@kernel
def _draw_action(rows: Float32, first: int, count: int, hand: int, draw: float, chances: Float32) -> int:
    """An action of one hand by its strategy, which is written into `chances`."""
    total = np.float32(0.0)
    for a in range(count):
        chances[a] = max(rows[first + a, hand], np.float32(0.0))
        total += chances[a]
    for a in range(count):
        chances[a] = chances[a] / total if total > 0.0 else np.float32(1.0 / count)
    for a in range(count - 1):
        draw -= chances[a]
        if draw < 0.0:
            return a
    return count - 1


@kernel
def _showdown_values(tree: Tree, deal: SampledDeal, node: int, traverser: int, values: Float32) -> None:
    """What a showdown at a node is worth to each hand of the traverser."""
    by_level = np.empty(MAX_LEVELS, np.float32)
    showdown(tree.chips_in[node], tree.folded[node], traverser, deal, by_level)
    for h in range(HANDS):
        values[h] = by_level[deal.level[h]] * deal.valid[h]


@kernel
def _leaf(
    tree: Tree,
    bp: Blueprint,
    tables: Tables,
    deal: SampledDeal,
    state: UInt64,
    node: int,
    depth: int,
    traverser: int,
    weight: float,
    streets_left: int,
    chooses: Int64,
) -> None:
    """Values where the street ends: continuations are chosen, and the hand is played out."""
    players = tree.chips_in.shape[1]
    values = tables.values[depth]
    # The blueprint does not have this line: the board is dealt out without bets.
    if tree.continued[node] < 0:
        _showdown_values(tree, deal, node, traverser, values)
        return
    # The others draw a continuation each, by their own regrets at this leaf; the searcher has no choice.
    choices = np.zeros(6, np.int64)
    chances = np.empty(CONTINUATIONS, np.float32)
    for player in range(players):
        if deal.holes[player] >= 0 and chooses[player] and not (tree.folded[node] >> player) & 1:
            first = tree.entry[node] + player * CONTINUATIONS
            choices[player] = _draw_action(
                tables.regrets, first, CONTINUATIONS, deal.holes[player], next_unit(state), chances
            )
    # One seed for all playouts below, so that the traverser compares continuations on the same luck.
    seed = state[0] ^ split_mix(state[1])
    next_unit(state)
    if not chooses[traverser]:
        play_out(tree, bp, node, traverser, deal, streets_left, choices, seed, values)
        return
    # The traverser tries every continuation and learns which would have been best.
    shares = tables.shares[depth]
    first = tree.entry[node] + traverser * CONTINUATIONS
    _match_regrets(tables.regrets, first, CONTINUATIONS, shares)
    options = np.empty((CONTINUATIONS, HANDS), np.float32)
    for c in range(CONTINUATIONS):
        choices[traverser] = c
        play_out(tree, bp, node, traverser, deal, streets_left, choices, seed, options[c])
    _settle(tables.regrets, first, CONTINUATIONS, shares, options, values, weight)


@kernel
def _settle(
    regrets: Float32, first: int, count: int, shares: Float32, options: Float32, values: Float32, weight: float
) -> None:
    """Value of a node from its options, and the regrets of not having taken each."""
    for h in range(HANDS):
        values[h] = 0.0
    for a in range(count):
        share, option = shares[a], options[a]
        for h in range(HANDS):
            values[h] += share[h] * option[h]
    if weight > 0.0:
        scale = np.float32(weight)
        for a in range(count):
            row, option = regrets[first + a], options[a]
            for h in range(HANDS):
                row[h] += scale * (option[h] - values[h])


@kernel
def traverse(
    tree: Tree,
    bp: Blueprint,
    tables: Tables,
    deal: SampledDeal,
    state: UInt64,
    node: int,
    depth: int,
    traverser: int,
    weight: float,
    streets_left: int,
    chooses: Int64,
    target: int,
) -> None:
    """Values of all the traverser's hands at a node into `tables.values[depth]`; regrets grow by `weight`."""
    values = tables.values[depth]
    kind = tree.kind[node]
    # Ends: the traverser has folded, the street is over, or the hands are shown.
    if (tree.folded[node] >> traverser) & 1:
        lost = np.float32(tree.chips_in[node, traverser])
        for h in range(HANDS):
            values[h] = -lost * deal.valid[h]
        return
    if kind == LEAF:
        _leaf(tree, bp, tables, deal, state, node, depth, traverser, weight, streets_left, chooses)
        return
    if kind != DECISION:
        _showdown_values(tree, deal, node, traverser, values)
        return
    count = np.int64(tree.num_actions[node])
    child = np.int64(tree.first_child[node])
    locked = tree.locked_row[node]
    # The traverser's own decision: the strategy of all hands, locked or by regret matching.
    if tree.player[node] == traverser:
        shares = tables.shares[depth]
        if locked >= 0:
            for a in range(count):
                _copy(tables.locked[locked + a], shares[a])
        else:
            _match_regrets(tables.regrets, tree.entry[node], count, shares)
        # Try every action; the values below are overwritten by the next one, so they are copied.
        options = np.empty((count, HANDS), np.float32)
        for a in range(count):
            traverse(
                tree, bp, tables, deal, state, child + a, depth + 1, traverser, weight, streets_left, chooses, target
            )
            _copy(tables.values[depth + 1], options[a])
        # At the decision that was asked about, the values of actions are what the caller wants to see.
        if node == target:
            for a in range(count):
                for h in range(HANDS):
                    tables.action_values[a, h] += options[a, h] * weight
            for h in range(HANDS):
                tables.action_counts[h] += deal.valid[h] * weight
        # Regrets grow, except where the strategy is locked.
        learns = weight if locked < 0 else 0.0
        _settle(tables.regrets, tree.entry[node], count, shares, options, values, learns)
        return
    # Somebody else's decision: draw one action by the strategy of the hand that was dealt there.
    chances = np.empty(MAX_ACTIONS, np.float32)
    hand = deal.holes[tree.player[node]]
    rows, first = (tables.locked, locked) if locked >= 0 else (tables.regrets, tree.entry[node])
    action = _draw_action(rows, first, count, hand, next_unit(state), chances)
    ratio = 1.0
    played = np.int64(tree.on_line[node])
    # Half of the walks follow the line that was really played, because that is where the answer is needed;
    # the ratio of the true chance to the chance of this draw keeps the mean right.
    if played >= 0:
        if next_unit(state) < 0.5:
            action = played
        chance = np.float64(chances[action])
        ratio = chance / (0.5 * chance + (0.5 if action == played else 0.0))
        if ratio == 0.0:
            for h in range(HANDS):
                values[h] = 0.0
            return
    traverse(
        tree,
        bp,
        tables,
        deal,
        state,
        child + action,
        depth + 1,
        traverser,
        weight * ratio,
        streets_left,
        chooses,
        target,
    )
    # The value of the drawn child stands for the node.
    below, factor = tables.values[depth + 1], np.float32(ratio)
    for h in range(HANDS):
        values[h] = below[h] * factor


@kernel
def add_average(tree: Tree, tables: Tables, node: int, depth: int, row: int, player: int, weight: float) -> None:
    """Add a player's strategy, times its own reach in `tables.values[row]`, to the sums below a node."""
    if tree.kind[node] != DECISION:
        return
    count = np.int64(tree.num_actions[node])
    child = np.int64(tree.first_child[node])
    # Other players' decisions change nothing in the player's own reach: visit all children.
    if tree.player[node] != player:
        for a in range(count):
            add_average(tree, tables, child + a, depth, row, player, weight)
        return
    shares = tables.shares[depth]
    if tree.locked_row[node] >= 0:
        for a in range(count):
            _copy(tables.locked[tree.locked_row[node] + a], shares[a])
    else:
        _match_regrets(tables.regrets, tree.entry[node], count, shares)
    # Add the strategy by the player's own reach, and carry that reach down.
    reach, scale = tables.values[row], np.float32(weight)
    for a in range(count):
        sums, share, below = tables.sums[tree.entry[node] + a], shares[a], tables.values[row + 1]
        for h in range(HANDS):
            below[h] = reach[h] * share[h]
            sums[h] += scale * below[h]
        add_average(tree, tables, child + a, depth + 1, row + 1, player, weight)
