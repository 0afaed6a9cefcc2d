"""Discounted counterfactual regret minimisation of a subgame, in vector form over all hands.

One call of `visit` walks all betting lines of one board for one traverser: the opponent's reach goes down the tree as
rows over hands, terminals are evaluated, cards are dealt (each board of the next street is visited in turn), and
values come back up, where the traverser's regrets and average strategies are updated.

Regrets are discounted on every update and late strategies weigh more in the average (Brown & Sandholm 2019, "Solving
imperfect-information games via discounted regret minimization"); the average counts each iteration's strategy without
its reach, as the best open solver does.

Both tables are float32, or int16 in half the memory: averages as parts of 32,767, regrets as parts of the largest one
of their node (`scales`). A strategy needs only proportions, so reading one is the same for both.
"""

import numpy as np
import numpy.typing as npt

from holdem.realtime.subgame.kernels.arrays import DealArrays, MemoryMap, Storage, SubgameArrays
from holdem.realtime.subgame.kernels.lanes import WIDTH, largest8, load8, max8, pick8, spread8, store8
from holdem.realtime.subgame.kernels.terminals import evaluate_all_ins, evaluate_lanes
from holdem.util.arrays import Float32, Int32, Int64
from holdem.util.jit import inline_kernel, kernel

UPDATE, BEST, MEAN = 0, 1, 2
"""What the traverser does on the way back: learn, take the best action, or play its average strategy."""

LARGEST_SHORT = np.float32(32767.0)
_TINY = np.float32(1e-30)
"""Taken from every regret, so that halving one over and over never ends in slow denormal numbers."""


@inline_kernel
def _block_start(tree: SubgameArrays, memory: MemoryMap, level: int, board: int) -> int:
    return memory.storage_start[level] + (board - memory.board_start[level]) * tree.block[level]


@kernel
def descend(
    tree: SubgameArrays, memory: MemoryMap, level: int, board: int, p: int, source: Float32, work: Float32
) -> None:
    """Reach of p's opponent at every node of a board; `source` (regrets or averages) gives his strategy."""
    opponent = 1 - p
    hands = np.int64(tree.player_hands[opponent])
    block = _block_start(tree, memory, level, board)
    reach_at = memory.reach_at[level]
    zero, one = spread8(np.float32(0.0)), spread8(np.float32(1.0))
    rows = tree.row[p]
    # Parents come first, so one pass from the root on fills every row before it is read.
    for node in range(tree.node_start[level], tree.node_start[level + 1]):
        if tree.player[node] != opponent:  # at p's own nodes the children share the row of their parent
            continue
        actions = tree.num_actions[node]
        start = block + tree.storage[node]
        row = reach_at + rows[node] * hands
        first = np.int64(tree.first_child[node])
        uniform = spread8(np.float32(1.0) / np.float32(actions))
        for i in range(0, hands, WIDTH):
            # Sum what is positive; a hand without anything positive plays all actions alike.
            total = max8(load8(source, start + i), zero)
            for a in range(1, actions):
                total = total + max8(load8(source, start + a * hands + i), zero)
            reach = load8(work, row + i)
            scale = pick8(total, one / total, zero) * reach
            flat = pick8(total, zero, uniform) * reach
            # Each action takes its share of the reach down to its child.
            for a in range(actions):
                share = max8(load8(source, start + a * hands + i), zero) * scale + flat
                store8(work, reach_at + rows[first + a] * hands + i, share)


@kernel
def ascend(
    tree: SubgameArrays, memory: MemoryMap, level: int, board: int, p: int, mode: int, factors: Float32,
    storage: Storage, work: Float32,
) -> None:  # fmt: skip
    """Values of p at every node of a board from those of its ends; in UPDATE mode p's tables learn from them.

    factors: (3,) what positive and negative regrets are multiplied with, and the share of this strategy in the average
    """
    hands = np.int64(tree.player_hands[p])
    block = _block_start(tree, memory, level, board)
    values_at = memory.values_at[level]
    rows, payoffs = tree.value_row[p], tree.payoff[p]
    level_nodes = tree.node_start[level + 1] - tree.node_start[level]
    scales_at = memory.scale_start[level] + (board - memory.board_start[level]) * level_nodes - tree.node_start[level]
    spare = memory.shared_at[3]
    # From the last node back to the root: children have their values before their parent adds them up.
    for node in range(tree.node_start[level + 1] - 1, tree.node_start[level] - 1, -1):
        actions = tree.num_actions[node]
        if actions == 0:
            continue
        first = np.int64(tree.first_child[node])
        target = values_at + rows[node] * hands
        start = block + tree.storage[node]
        # The opponent's choice is in the reach already; p's own choice depends on the mode.
        if tree.player[node] != p:
            _add_values(work, target, values_at, hands, rows, payoffs, first, actions)
        elif mode == MEAN:
            averages = storage.averages
            _mean_values(work, target, values_at, hands, rows, payoffs, first, actions, averages, start)
        elif mode == BEST:
            _best_values(work, target, values_at, hands, rows, payoffs, first, actions, storage, start)
        else:
            _learn(
                work, target, values_at, hands, rows, payoffs, first, actions, factors, storage, start,
                scales_at + node, spare,
            )  # fmt: skip


@inline_kernel
def _add_values(
    work: Float32, target: int, values_at: int, hands: int, rows: Int32, payoffs: Float32, first: int, actions: int
) -> None:
    """The sum over the children: nodes `first`, `first + 1`, ..., whose rows and payoffs are given."""
    for i in range(0, hands, WIDTH):
        total = load8(work, values_at + rows[first] * hands + i) * spread8(payoffs[first])
        for a in range(1, actions):
            total = total + load8(work, values_at + rows[first + a] * hands + i) * spread8(payoffs[first + a])
        store8(work, target + i, total)


@inline_kernel
def _best_values(
    work: Float32, target: int, values_at: int, hands: int, rows: Int32, payoffs: Float32, first: int,
    actions: int, storage: Storage, start: int,
) -> None:  # fmt: skip
    """The best action of every hand; a hand whose strategy is locked plays it."""
    zero, one = spread8(np.float32(0.0)), spread8(np.float32(1.0))
    for i in range(0, hands, WIDTH):
        best = load8(work, values_at + rows[first] * hands + i) * spread8(payoffs[first])
        for a in range(1, actions):
            best = max8(best, load8(work, values_at + rows[first + a] * hands + i) * spread8(payoffs[first + a]))
        # Locked hands have no choice: the value of their given strategy replaces the best one.
        if len(storage.locked) > 0:
            total, value = zero, zero
            for a in range(actions):
                share = load8(storage.averages, start + a * hands + i)
                total = total + share
                action = load8(work, values_at + rows[first + a] * hands + i) * spread8(payoffs[first + a])
                value = value + share * action
            best = pick8(load8(storage.locked, start + i), value * (one / total), best)
        store8(work, target + i, best)


@inline_kernel
def _mean_values(
    work: Float32, target: int, values_at: int, hands: int, rows: Int32, payoffs: Float32, first: int,
    actions: int, source: Float32, start: int,
) -> None:  # fmt: skip
    """Values under the strategy that `source` holds."""
    zero, one = spread8(np.float32(0.0)), spread8(np.float32(1.0))
    uniform = spread8(np.float32(1.0) / np.float32(actions))
    for i in range(0, hands, WIDTH):
        total, value, plain = zero, zero, zero
        for a in range(actions):
            share = max8(load8(source, start + a * hands + i), zero)
            action = load8(work, values_at + rows[first + a] * hands + i) * spread8(payoffs[first + a])
            total = total + share
            value = value + share * action
            plain = plain + action
        store8(work, target + i, pick8(total, value * (one / total), plain * uniform))


@inline_kernel
def _learn(
    work: Float32, target: int, values_at: int, hands: int, rows: Int32, payoffs: Float32, first: int,
    actions: int, factors: Float32, storage: Storage, start: int, scale_at: int, spare: int,
) -> None:  # fmt: skip
    """Values under the current strategy, which goes into the average, and what each action is worth beyond them into
    the regrets."""
    regrets, averages, scales, locked = storage.regrets, storage.averages, storage.scales, storage.locked
    compressed = len(scales) > 0
    zero, one = spread8(np.float32(0.0)), spread8(np.float32(1.0))
    uniform = spread8(np.float32(1.0) / np.float32(actions))
    positive, negative, weight = spread8(factors[0]), spread8(factors[1]), spread8(factors[2])
    unit = spread8(LARGEST_SHORT if compressed else np.float32(1.0))
    scale_before = spread8(scales[scale_at] if compressed else np.float32(1.0))
    tiny = spread8(_TINY)
    largest = zero
    for i in range(0, hands, WIDTH):
        # The value of the node: actions weighted by regret matching, or alike where no regret is positive.
        total, value, plain = zero, zero, zero
        for a in range(actions):
            share = max8(load8(regrets, start + a * hands + i), zero)
            action = load8(work, values_at + rows[first + a] * hands + i) * spread8(payoffs[first + a])
            total = total + share
            value = value + share * action
            plain = plain + action
        scale = pick8(total, one / total, zero)
        flat = pick8(total, zero, uniform)
        value = value * scale + plain * flat
        store8(work, target + i, value)
        value = value + tiny
        # Move the average towards this strategy, discount the regrets and add what each action gained.
        for a in range(actions):
            place = start + a * hands + i
            before, average = load8(regrets, place), load8(averages, place)
            share = (max8(before, zero) * scale + flat) * unit
            mixed = average + (share - average) * weight
            action = load8(work, values_at + rows[first + a] * hands + i) * spread8(payoffs[first + a])
            regret = before * scale_before
            regret = regret * pick8(before, positive, negative) + (action - value)
            # A locked hand keeps both as they are.
            if len(locked) > 0:
                kept = load8(locked, place)
                mixed, regret = pick8(kept, average, mixed), pick8(kept, before * scale_before, regret)
            store8(averages, place, mixed)
            if compressed:
                store8(work, spare + a * hands + i, regret)
                largest = max8(largest, max8(regret, zero - regret))
            else:
                store8(regrets, place, regret)
    # 16-bit regrets are parts of the node's largest one, which is known only now.
    if compressed:
        most = largest8(largest)
        scales[scale_at] = most / LARGEST_SHORT
        inverse = spread8(LARGEST_SHORT / most if most > 0.0 else np.float32(0.0))
        for i in range(0, actions * hands, WIDTH):
            store8(regrets, start + i, load8(work, spare + i) * inverse)


@kernel
def visit(
    tree: SubgameArrays, deals: DealArrays, memory: MemoryMap, level: int, board: int, p: int, mode: int,
    factors: Float32, storage: Storage, work: Float32, halt: npt.NDArray[np.uint8],
) -> None:  # fmt: skip
    """One traversal of a board and all that is dealt after it; the opponent's reach at the roots is in `work`.

    A loop in place of recursion, which Numba's cache cannot restore: at most three streets are open at once. When
    another thread sets `halt: (1,)`, the traversal ends before the next board; what was learnt so far is valid, and
    the values at the root are not.
    """
    boards, following, last = np.zeros(3, np.int64), np.zeros(3, np.int64), np.zeros(3, np.int64)
    top = level
    boards[top] = board
    entering = True
    while True:
        # Down: reach and ends of a board that was just entered, and which boards follow it.
        if entering:
            if halt[0]:
                return
            board = boards[level]
            descend(tree, memory, level, board, p, storage.regrets if mode == UPDATE else storage.averages, work)
            evaluate_lanes(tree, deals, memory, level, board, p, work)
            evaluate_all_ins(tree, deals, memory, level, board, p, work)
            following[level] = last[level] = 0
            if tree.deal_start[level] < tree.deal_start[level + 1]:
                clear_deals(tree, memory, level, p, work)
                following[level], last[level] = deals.children[board], deals.children[board + 1]
        # Deeper: enter the next board of the street below, if one is left.
        if following[level] < last[level]:
            hand_down(tree, memory, level, p, work, work)
            boards[level + 1] = following[level]
            following[level] += 1
            level += 1
            entering = True
            continue
        # Up: all boards below are done, so values go to the root of this board and on to its parent's deals.
        ascend(tree, memory, level, boards[level], p, mode, factors, storage, work)
        if level == top:
            break
        level -= 1
        hand_back(tree, deals, memory, level, boards[level + 1], p, work)
        entering = False


@kernel
def clear_deals(tree: SubgameArrays, memory: MemoryMap, level: int, p: int, work: Float32) -> None:
    """Zero the values of the nodes after which cards come."""
    hands = np.int64(tree.player_hands[p])
    for k in range(tree.deal_start[level], tree.deal_start[level + 1]):
        values = memory.values_at[level] + tree.value_row[p, tree.deals[k]] * hands
        work[values : values + hands] = np.float32(0.0)


@kernel
def hand_down(tree: SubgameArrays, memory: MemoryMap, level: int, p: int, parent: Float32, work: Float32) -> None:
    """The opponent's reach at the deals of a level becomes that at the roots of the next."""
    hands = np.int64(tree.player_hands[1 - p])
    root = tree.node_start[level + 1]
    for k in range(tree.deal_start[level], tree.deal_start[level + 1]):
        source = memory.reach_at[level] + tree.row[p, tree.deals[k]] * hands
        target = memory.reach_at[level + 1] + tree.row[p, root] * hands
        for i in range(0, hands, WIDTH):
            store8(work, target + i, load8(parent, source + i))
        root += 1


@kernel
def hand_back(
    tree: SubgameArrays, deals: DealArrays, memory: MemoryMap, level: int, child: int, p: int, work: Float32
) -> None:
    """Add the values at the roots of one dealt board, for every card of its class, to the deals of `level`."""
    hands = np.int64(tree.player_hands[p])
    probability = deals.deal_probability[level]
    chance = spread8(probability)
    root = tree.node_start[level + 1]
    for k in range(tree.deal_start[level], tree.deal_start[level + 1]):
        source = memory.values_at[level + 1] + tree.value_row[p, root] * hands
        target = memory.values_at[level] + tree.value_row[p, tree.deals[k]] * hands
        # Every card of the class counts once; only other cards than the stored one rename the hands.
        for image in range(deals.image_start[child], deals.image_start[child + 1]):
            if deals.images[image] == 0:
                for i in range(0, hands, WIDTH):
                    store8(work, target + i, load8(work, target + i) + load8(work, source + i) * chance)
            else:
                renamed = deals.renamed[p, deals.images[image]]
                for h in range(hands):
                    work[target + renamed[h]] += work[source + h] * probability
        root += 1


@kernel
def set_root(tree: SubgameArrays, memory: MemoryMap, p: int, weights: Float32, work: Float32) -> None:
    """Write the opponent's range, `weights: (2, hands)`, as the reach at the root."""
    hands = np.int64(tree.player_hands[1 - p])
    start = memory.reach_at[0] + tree.row[p, 0] * hands
    for i in range(hands):  # a slice of an array into another compiles Numba's string formatting as well, for an error
        work[start + i] = weights[1 - p, i]


@kernel
def run(
    tree: SubgameArrays, deals: DealArrays, memory: MemoryMap, level: int, first: int, last: int, step: int,
    players: Int64, mode: int, factors: Float32, storage: Storage, weights: Float32, parent: Float32, work: Float32,
    halt: npt.NDArray[np.uint8],
) -> None:  # fmt: skip
    """Traverse boards `first`, `first + step`, ... of a level for each of `players`, once per row of factors.

    At level 0 (the one board 0) the range in `weights` is the reach at the root, so each row is a whole iteration with
    alternating updates. Below it, the reach comes from the root level of `parent` (another thread's work array, or
    this one), and the values of the boards are added up at the deals of the level above in `work`.
    """
    for t in range(factors.shape[0]):
        for p in players:
            if level > 0:
                clear_deals(tree, memory, level - 1, p, work)
            for board in range(first, last, step):
                if level == 0:
                    set_root(tree, memory, p, weights, work)
                else:
                    hand_down(tree, memory, level - 1, p, parent, work)
                visit(tree, deals, memory, level, board, p, mode, factors[t], storage, work, halt)
                if level > 0:
                    hand_back(tree, deals, memory, level - 1, board, p, work)
