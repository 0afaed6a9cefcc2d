"""The betting tree of a subgame as flat arrays, street by street, the way the kernels read it.

All lines of one street are one *forest*, solved together on each board of that street. When `player` p traverses,
the opponent's reach is kept as rows: an action of the opponent makes a new row, an action of p keeps the row of its
parent. The rows that end at a terminal are *lanes* and come first, in the order showdowns, then folds, so that they
can be turned from rows into columns eight by eight.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from holdem.realtime.subgame.kernels.arrays import SubgameArrays
from holdem.realtime.subgame.kernels.lanes import WIDTH
from holdem.realtime.subgame.tree import Node, SubgameNodeKind


@dataclass(frozen=True)
class FlatTree:
    """The arrays, and the nodes behind them in the same order."""

    arrays: SubgameArrays
    nodes: list[Node]

    @property
    def levels(self) -> int:
        """Streets of the subgame."""
        return len(self.arrays.roots)

    @property
    def reads_reach_late(self) -> bool:
        """Whether the last level has all-ins, which read the reach after its lanes were evaluated."""
        return bool(self.arrays.all_in_start[-2] < self.arrays.all_in_start[-1])


def padded(count: int) -> int:
    """The next multiple of the vector width."""
    return -(-count // WIDTH) * WIDTH


def goes_on(tree: FlatTree, node: int) -> list[bool]:
    """Of each action of a decision whether somebody decides something after it."""
    first, count = int(tree.arrays.first_child[node]), len(tree.nodes[node].moves)
    return [
        child.kind in (SubgameNodeKind.DECISION, SubgameNodeKind.DEAL) for child in tree.nodes[first : first + count]
    ]


def flatten(root: Node, pot: int, num_hands: Sequence[int]) -> FlatTree:
    """Lay a tree out for so many hands of either player."""
    nodes: list[Node] = []
    first_child: list[int] = []
    node_start, roots = [0], []
    deals: list[Node] = []
    deal_start, deal_nodes = [0], []
    level_roots = [root]
    while level_roots:
        roots.append(len(level_roots))
        queue = list(level_roots)
        start = node_start[-1]
        taken = 0
        while taken < len(queue):
            node = queue[taken]
            first_child.append(start + len(queue))
            if node.kind == SubgameNodeKind.DECISION:
                queue.extend(node.children)
            taken += 1
        nodes.extend(queue)
        deals = [node for node in queue if node.kind == SubgameNodeKind.DEAL]
        deal_nodes += [start + i for i, node in enumerate(queue) if node.kind == SubgameNodeKind.DEAL]
        deal_start.append(len(deal_nodes))
        node_start.append(len(nodes))
        level_roots = [node.children[0] for node in deals]
    hands = [padded(count) for count in num_hands]
    places = _NodePlaces(nodes, first_child, node_start, roots, pot, hands)
    all_ins = [i for i, node in enumerate(nodes) if node.kind == SubgameNodeKind.ALL_IN]
    arrays = SubgameArrays(
        player=np.array(
            [node.player if node.kind == SubgameNodeKind.DECISION else -1 for node in nodes], dtype=np.int8
        ),
        num_actions=np.array([len(node.moves) for node in nodes], dtype=np.int32),
        first_child=np.array(first_child, dtype=np.int32),
        storage=places.storage,
        row=places.row,
        value_row=places.value_row,
        payoff=places.payoff,
        node_start=np.array(node_start, dtype=np.int32),
        roots=np.array(roots, dtype=np.int32),
        deal_start=np.array(deal_start, dtype=np.int32),
        deals=np.array(deal_nodes, dtype=np.int32),
        all_in_start=np.searchsorted(all_ins, node_start).astype(np.int32),
        all_ins=np.array(all_ins, dtype=np.int32),
        sizes=places.sizes,
        block=places.block,
        player_hands=np.array(hands, dtype=np.int32),
    )
    return FlatTree(arrays, nodes)


class _NodePlaces:
    """Rows, lanes, payoffs and storage of every node."""

    def __init__(
        self, nodes: list[Node], first_child: list[int], node_start: list[int], roots: list[int], pot: int,
        hands: list[int],
    ) -> None:  # fmt: skip
        count, levels = len(nodes), len(roots)
        self.nodes, self.first_child, self.pot, self.hands = nodes, first_child, pot, hands
        self.storage = np.zeros(count, dtype=np.int64)
        self.row = np.zeros((2, count), dtype=np.int32)
        self.value_row = np.zeros((2, count), dtype=np.int32)
        self.payoff = np.ones((2, count), dtype=np.float32)
        self.sizes = np.zeros((2, levels, 4), dtype=np.int32)
        self.block = np.zeros(levels, dtype=np.int64)
        for level in range(levels):
            members = range(node_start[level], node_start[level + 1])
            self._store(level, members)
            for traverser in (0, 1):
                self._rows(level, members, traverser, roots[level])

    def _store(self, level: int, members: range) -> None:
        place = 0
        for i in members:
            if self.nodes[i].kind == SubgameNodeKind.DECISION:
                self.storage[i] = place
                place += len(self.nodes[i].moves) * self.hands[self.nodes[i].player]
        self.block[level] = place

    def _rows(self, level: int, members: range, traverser: int, roots: int) -> None:
        """Number the reach rows of a level (lanes first) and the value rows (lanes' columns first)."""
        names: dict[int, int] = {}
        fresh = roots
        for position, i in enumerate(members):
            if position < roots:
                names[i] = position
            node = self.nodes[i]
            for k in range(len(node.moves)):
                names[self.first_child[i] + k] = names[i] if node.player == traverser else fresh
                fresh += node.player != traverser
        showdowns = [i for i in members if self.nodes[i].kind == SubgameNodeKind.SHOWDOWN]
        folds = [i for i in members if self.nodes[i].kind == SubgameNodeKind.FOLD]
        lanes = list(dict.fromkeys([names[i] for i in showdowns]))
        num_showdowns = len(lanes)
        lanes = list(dict.fromkeys(lanes + [names[i] for i in folds]))
        others = sorted(set(range(fresh)) - set(lanes))
        numbers = {name: place for place, name in enumerate([*lanes, *others])}
        width = padded(num_showdowns) + padded(len(lanes))
        for i in members:
            self.row[traverser, i] = numbers[names[i]]
        for i in showdowns:
            self.value_row[traverser, i] = numbers[names[i]]
            self.payoff[traverser, i] = self.pot / 2 + self.nodes[i].chips_in[0]
        for i in folds:
            folder = self.nodes[i].player
            amount = self.pot / 2 + self.nodes[i].chips_in[folder]
            self.value_row[traverser, i] = padded(num_showdowns) + numbers[names[i]]
            self.payoff[traverser, i] = -amount if folder == traverser else amount
        inner = [i for i in members if self.nodes[i].kind not in (SubgameNodeKind.SHOWDOWN, SubgameNodeKind.FOLD)]
        for place, i in enumerate(inner):
            self.value_row[traverser, i] = width + place
            if self.nodes[i].kind == SubgameNodeKind.ALL_IN:
                self.payoff[traverser, i] = self.pot / 2 + self.nodes[i].chips_in[0]
        rows = max(fresh, padded(len(lanes)))
        self.sizes[traverser, level] = (rows, num_showdowns, len(lanes), width + len(inner))
