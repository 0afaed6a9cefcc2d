"""Compiled walk over a betting tree: counts its nodes, and writes them into arrays when asked to.

The walk is depth-first with an explicit stack of frames. A frame is one row of int64: everything about a
node that its children need. Taking a node off the stack numbers all its children at once, so siblings are
consecutive, and then the children's own descendants follow in turn, so each child's are one block. Amounts
are totals of a position since the start of the hand. `reference_tree.py` says the same in plain Python.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from holdem.util.arrays import Float64, Int64
from holdem.util.jit import inline_kernel, kernel

FOLD, CALL, RAISE = 0, 1, 2
DECISION, FOLD_WIN, SHOWDOWN = 0, 1, 2
POT, TIMES, CHIPS_TOTAL, GEOMETRIC = 1, 2, 3, 4  # SizeKind of bet_sizes.py; anything later is all-in
PLAIN, MULTIWAY, CROWD, LIMPED, OPENS = 0, 1, 2, 3, 4  # tables of compiled menus; OPENS + position
MAX_PLAYERS = 6

# Columns of a frame; CHIPS_IN and ACTED_AT take one column per position.
NODE, PARENT, ACTION, AMOUNT, PLAYER, STREET, TERMINAL = 0, 1, 2, 3, 4, 5, 6
LEVEL, STREET_BASE, MIN_RAISE, RAISES, FOLDED, PENDING, ENTERED = 7, 8, 9, 10, 11, 12, 13
CHIPS_IN = 14
ACTED_AT = CHIPS_IN + MAX_PLAYERS
"""The level at which a position last acted on this street, -1 before its turn."""
FRAME_SIZE = ACTED_AT + MAX_PLAYERS


class Rules(NamedTuple):
    """What the walk needs to know of a game; menus as compiled, limpers and defenders a bit per position.

    stacks: (players,); max_raises: (streets,); max_flop_players: by the number of raises, the last one goes on
    """

    stacks: Int64
    max_raises: Int64
    min_bet: int
    limpers: int
    max_flop_players: Int64
    defenders: int
    invested_may_call: int
    multiway_from: int
    crowd_from: int
    all_in_reopens: bool
    merge_threshold: float
    all_in_threshold: float
    kinds: npt.NDArray[np.int8]
    values: Float64
    caps: Float64


class NodeArrays(NamedTuple):
    """One entry per node, as in `BettingTree`; arrays of length 0 when the walk only counts."""

    player: npt.NDArray[np.int8]
    street: npt.NDArray[np.int8]
    terminal: npt.NDArray[np.int8]
    num_actions: npt.NDArray[np.int8]
    first_child: npt.NDArray[np.int32]
    end: npt.NDArray[np.int32]
    parent: npt.NDArray[np.int32]
    action: npt.NDArray[np.int8]
    amount: npt.NDArray[np.int32]
    folded: npt.NDArray[np.uint8]
    chips_in: npt.NDArray[np.int32]


@inline_kernel
def _wanted_total(
    kind: int, value: float, cap: float, level: int, base: int, pot: int, effective: int, streets_left: int
) -> int:
    """The total that a size asks for, before the legal minimum and the stack have their say."""
    if kind == POT:
        return level + int(np.floor(value * pot / 100.0 + 0.5))
    if kind == TIMES:
        return base + int(np.floor(value * (level - base) + 0.5))
    if kind == CHIPS_TOTAL:
        return base + int(value)
    if kind == GEOMETRIC:
        streets = value if value > 0.0 else float(streets_left)
        percent = 0.0
        if pot > 0:
            percent = 50.0 * (((pot + 2.0 * (effective - level)) / pot) ** (1.0 / streets) - 1.0)
        return level + int(np.floor(min(percent, cap) * pot / 100.0 + 0.5))
    return effective


@inline_kernel
def _insert(totals: Int64, count: int, total: int) -> int:
    """Put `total` into the ascending list `totals[:count]` unless it is there; the new count."""
    place = count
    while place > 0 and totals[place - 1] > total:
        place -= 1
    if place > 0 and totals[place - 1] == total:
        return count
    for i in range(count, place, -1):
        totals[i] = totals[i - 1]
    totals[place] = total
    return count + 1


@inline_kernel
def _effective_total(rules: Rules, frame: Int64, player: int) -> int:
    """The largest total that some opponent still in could have put in at the end."""
    largest = 0
    for other in range(rules.stacks.shape[0]):
        if other != player and not (frame[FOLDED] >> other) & 1:
            largest = max(largest, rules.stacks[other])
    return largest


@inline_kernel
def _is_limped(rules: Rules, frame: Int64) -> bool:
    """Whether somebody has acted and is still in: before the first raise, by a call or a check."""
    limped = False
    for position in range(rules.stacks.shape[0]):
        limped = limped or frame[ACTED_AT + position] >= 0
    return limped


@inline_kernel
def _menu_table(rules: Rules, frame: Int64) -> int:
    """Which table of the compiled menus serves: by players on later streets, by position for the first raise."""
    if frame[STREET] > 0:
        if frame[ENTERED] >= rules.crowd_from:
            return CROWD
        return MULTIWAY if frame[ENTERED] >= rules.multiway_from else PLAIN
    if frame[RAISES] > 0:
        return PLAIN
    if _is_limped(rules, frame):
        return LIMPED
    return OPENS + frame[PLAYER]


@inline_kernel
def _raise_totals(rules: Rules, frame: Int64, matchable: int, totals: Int64) -> int:
    """Write the totals to which the player may raise into `totals`, ascending; how many there are."""
    player, street, raises = frame[PLAYER], frame[STREET], frame[RAISES]
    level, base = frame[LEVEL], frame[STREET_BASE]
    chips = frame[CHIPS_IN + player]
    effective = min(rules.stacks[player], matchable)
    if effective <= level or raises >= rules.max_raises[street]:
        return 0
    acted_at = frame[ACTED_AT + player]
    if acted_at >= 0 and level - acted_at < frame[MIN_RAISE] and not rules.all_in_reopens:
        return 0
    pot = level - chips
    for position in range(rules.stacks.shape[0]):
        pot += frame[CHIPS_IN + position]
    minimum = level + frame[MIN_RAISE]
    all_in_from = chips + rules.all_in_threshold * (effective - chips)
    table = _menu_table(rules, frame)
    number = min(raises, rules.kinds.shape[2] - 1)
    count = 0
    for i in range(rules.kinds.shape[3]):
        kind = rules.kinds[table, street, number, i]
        if kind == 0 or (kind == TIMES and level == base):
            continue
        value, cap = rules.values[table, street, number, i], rules.caps[table, street, number, i]
        streets_left = rules.kinds.shape[1] - street
        total = max(_wanted_total(kind, value, cap, level, base, pot, effective, streets_left), minimum)
        count = _insert(totals, count, effective if total >= all_in_from else total)
    return _merge_close(totals, count, rules.merge_threshold * pot, effective)


@inline_kernel
def _merge_close(totals: Int64, count: int, distance: float, all_in: int) -> int:
    """Drop sizes closer than `distance` to the next smaller one kept, but never the all-in."""
    kept = 0
    for i in range(count):
        total = totals[i]
        if kept > 0 and total - totals[kept - 1] < distance:
            if total < all_in:
                continue
            kept -= 1
        totals[kept] = total
        kept += 1
    return kept


@inline_kernel
def _may_call(rules: Rules, frame: Int64, player: int, facing: bool, num_raises: int) -> bool:
    """Whether checking or calling is in the tree: always, but for limps and crowded flops; all-in calls always."""
    if not facing or frame[STREET] > 0 or frame[LEVEL] >= rules.stacks[player]:
        return True
    may_limp = (rules.limpers >> player) & 1 or (rules.limpers and _is_limped(rules, frame))
    if frame[RAISES] == 0 and num_raises > 0 and not may_limp:
        return False
    if frame[RAISES] <= rules.invested_may_call and frame[ACTED_AT + player] >= 0:
        return True
    if frame[RAISES] <= 1 and (rules.defenders >> player) & 1:
        return True
    others = 0
    for other in range(rules.stacks.shape[0]):
        if other == player or (frame[FOLDED] >> other) & 1:
            continue
        chips = frame[CHIPS_IN + other]
        if chips >= frame[LEVEL] or chips == rules.stacks[other]:
            others += 1
    return others < rules.max_flop_players[min(frame[RAISES], rules.max_flop_players.shape[0] - 1)]


@inline_kernel
def _able_mask(rules: Rules, frame: Int64) -> int:
    """Positions that have neither folded nor put in everything, as bits."""
    mask = 0
    for position in range(rules.stacks.shape[0]):
        if not (frame[FOLDED] >> position) & 1 and frame[CHIPS_IN + position] < rules.stacks[position]:
            mask |= 1 << position
    return mask


@inline_kernel
def _act(rules: Rules, frame: Int64, action: int, total: int) -> None:
    """Carry out the action of the frame's player, and leave who must still act in PENDING."""
    player = frame[PLAYER]
    frame[ACTION] = action
    if action == FOLD:
        frame[FOLDED] |= 1 << player
        frame[PENDING] &= ~(1 << player)
    else:
        frame[CHIPS_IN + player] = total
        if action == RAISE:
            # An all-in below a full raise leaves the size of the next full raise as it was.
            frame[MIN_RAISE] = max(frame[MIN_RAISE], total - frame[LEVEL])
            frame[LEVEL] = total
            frame[RAISES] += 1
            frame[PENDING] = _able_mask(rules, frame)
        frame[PENDING] &= ~(1 << player)
        frame[ACTED_AT + player] = frame[LEVEL]
    frame[AMOUNT] = max(0, frame[CHIPS_IN + player] - frame[STREET_BASE])


@inline_kernel
def _next_pending(pending: int, player: int, num_players: int) -> int:
    """The first pending position at or after `player`, around the table."""
    while not (pending >> player) & 1:
        player = player + 1 if player + 1 < num_players else 0
    return player


@inline_kernel
def _count_bits(mask: int) -> int:
    bits = 0
    while mask:
        mask &= mask - 1
        bits += 1
    return bits


@kernel
def settle(rules: Rules, frame: Int64) -> None:
    """Find whose turn it is from PENDING, starting at PLAYER; open the next street or end the hand."""
    num_players = rules.stacks.shape[0]
    able = _able_mask(rules, frame)
    live = ((1 << num_players) - 1) & ~frame[FOLDED]
    if live & (live - 1) == 0:
        frame[TERMINAL] = FOLD_WIN
        frame[PLAYER] = -1
        return
    lonely = able & (able - 1) == 0
    if lonely and frame[PENDING]:
        # The only one with chips left is asked only if there is something for him to call.
        player = _next_pending(frame[PENDING], 0, num_players)
        if frame[CHIPS_IN + player] >= min(frame[LEVEL], _effective_total(rules, frame, player)):
            frame[PENDING] = 0
    if frame[PENDING]:
        frame[PLAYER] = _next_pending(frame[PENDING], frame[PLAYER], num_players)
        return
    if lonely or frame[STREET] + 1 >= rules.kinds.shape[1]:
        frame[TERMINAL] = SHOWDOWN
        frame[PLAYER] = -1
        return
    frame[STREET] += 1
    frame[STREET_BASE] = frame[LEVEL]
    frame[MIN_RAISE] = rules.min_bet
    frame[RAISES] = 0
    frame[PENDING] = able
    frame[ENTERED] = _count_bits(live)
    for position in range(num_players):
        frame[ACTED_AT + position] = -1
    frame[PLAYER] = _next_pending(able, 0, num_players)


@inline_kernel
def _write_node(frame: Int64, nodes: NodeArrays) -> None:
    node = frame[NODE]
    nodes.player[node] = frame[PLAYER]
    nodes.street[node] = frame[STREET]
    nodes.terminal[node] = frame[TERMINAL]
    nodes.parent[node] = frame[PARENT]
    nodes.action[node] = frame[ACTION]
    nodes.amount[node] = frame[AMOUNT]
    nodes.folded[node] = frame[FOLDED]
    for position in range(nodes.chips_in.shape[1]):
        nodes.chips_in[node, position] = frame[CHIPS_IN + position]


@kernel
def walk_tree(
    rules: Rules,
    frames: Int64,
    limit: int,
    nodes: NodeArrays,
    decisions: Int64,
    actions: Int64,
    terminals: Int64,
    closings: Int64,
) -> int:
    """Walk the tree below `frames[0]`; the number of nodes, or more than `limit` if the walk gave up there.

    frames: (capacity, FRAME_SIZE) scratch, its first row the root
    decisions, actions: (streets, players), added to; terminals: (3,) by kind; closings: (streets,) betting
    rounds that end with play going on
    """
    building = nodes.player.shape[0] > 0
    capacity = rules.kinds.shape[3] + 2
    kinds_of, totals_of = np.empty(capacity, np.int64), np.empty(capacity, np.int64)
    totals = np.empty(capacity, np.int64)
    current = np.empty(FRAME_SIZE, np.int64)
    depth = 1
    num_nodes = 1
    while depth > 0:
        depth -= 1
        for i in range(FRAME_SIZE):
            current[i] = frames[depth, i]
        node, player, street = current[NODE], current[PLAYER], current[STREET]
        terminals[current[TERMINAL]] += 1
        if building:
            _write_node(current, nodes)
            nodes.first_child[node] = num_nodes
            nodes.end[node] = num_nodes
            nodes.num_actions[node] = 0
        if current[TERMINAL] != DECISION:
            continue
        matchable = _effective_total(rules, current, player)
        to_match = min(current[LEVEL], matchable, rules.stacks[player])
        facing = current[CHIPS_IN + player] < to_match
        num_raises = _raise_totals(rules, current, matchable, totals)
        count = 0
        if facing:
            kinds_of[0], totals_of[0] = FOLD, 0
            count = 1
        if _may_call(rules, current, player, facing, num_raises):
            kinds_of[count] = CALL
            totals_of[count] = max(to_match, current[CHIPS_IN + player])
            count += 1
        for i in range(num_raises):
            kinds_of[count], totals_of[count] = RAISE, totals[i]
            count += 1
        if building:
            nodes.num_actions[node] = count
        decisions[street, player] += 1
        actions[street, player] += count
        first_child = num_nodes
        num_nodes += count
        if num_nodes > limit:
            return num_nodes
        for i in range(count - 1, -1, -1):
            child = frames[depth]
            for j in range(FRAME_SIZE):
                child[j] = current[j]
            child[NODE] = first_child + i
            child[PARENT] = node
            _act(rules, child, kinds_of[i], totals_of[i])
            settle(rules, child)
            if child[STREET] > street:
                closings[street] += 1
            depth += 1
    if building:
        for node in range(num_nodes - 1, -1, -1):
            if nodes.num_actions[node] > 0:
                nodes.end[node] = nodes.end[nodes.first_child[node] + nodes.num_actions[node] - 1]
    return num_nodes
