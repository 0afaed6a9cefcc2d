"""The betting tree of a game as flat arrays, and its size before anything is allocated.

A node is a public betting situation: cards are not in it, and there are no chance nodes (when a betting
round closes, the child is the first decision of the next street; if at most one player can still act, it is
a showdown with the rest of the board dealt out). Positions count in the order of play after the flop.

    counts = count_tree(config)      # nodes, decisions, actions: nothing of tree size is allocated
    counts.table_bytes((169, 50, 50, 50))
    tree = build_tree(config)
    tree.describe(node)              # "BTN raise 3bb, BB call | BB check"
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property, lru_cache
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from holdem.abstraction.betting.reference_tree import BettingState, defenders, first_state, limpers, minimum_bet
from holdem.abstraction.betting.sizes import compile_menus
from holdem.abstraction.kernels import tree as kernels
from holdem.errors import ConfigError
from holdem.game.actions import Action, ActionKind
from holdem.types import GameConfig
from holdem.util.words import counted

NODE_LIMIT = 200_000_000
ENTRY_BYTES = 8
"""An int32 regret and an int32 strategy sum."""


class ActionCode(IntEnum):
    """What leads to a node. A call with nothing to call is a check; a raise of nothing is a bet."""

    FOLD = kernels.FOLD
    CALL = kernels.CALL
    RAISE = kernels.RAISE


_KINDS = {
    ActionCode.FOLD: ActionKind.FOLD,
    ActionCode.CALL: ActionKind.CHECK_OR_CALL,
    ActionCode.RAISE: ActionKind.RAISE_TO,
}


class NodeKind(IntEnum):
    """A decision, or one of the two ways in which a hand ends."""

    DECISION = kernels.DECISION
    FOLD_WIN = kernels.FOLD_WIN
    SHOWDOWN = kernels.SHOWDOWN


@dataclass(frozen=True)
class TreeCounts:
    """How big a tree is.

    decisions: (streets, players) int64, decision nodes by street and position
    actions: (streets, players) int64, the sum of their numbers of actions
    closings: (streets,) int64, nodes where the betting of a street closes and play goes on
    """

    nodes: int
    fold_wins: int
    showdowns: int
    decisions: npt.NDArray[np.int64]
    actions: npt.NDArray[np.int64]
    closings: npt.NDArray[np.int64]

    @property
    def decision_nodes(self) -> int:
        """All nodes where somebody acts."""
        return int(self.decisions.sum())

    @property
    def tree_bytes(self) -> int:
        """Memory of a `BettingTree` of this size."""
        return self.nodes * bytes_per_node(self.decisions.shape[1])

    def rows(self, buckets: Sequence[int]) -> int:
        """Infosets with this number of buckets per street."""
        return int(self.decisions.sum(axis=1) @ check_buckets(buckets, len(self.closings)))

    def entries(self, buckets: Sequence[int]) -> int:
        """Pairs of infoset and action: the length of a regret table."""
        return int(self.actions.sum(axis=1) @ check_buckets(buckets, len(self.closings)))

    def table_bytes(self, buckets: Sequence[int], entry_bytes: int = ENTRY_BYTES) -> int:
        """Memory of the regrets and strategy sums."""
        return self.entries(buckets) * entry_bytes


def check_buckets(buckets: Sequence[int], num_streets: int) -> npt.NDArray[np.int64]:
    """Buckets per street as an array, or a ConfigError if they do not fit the game's streets."""
    if len(buckets) != num_streets or min(buckets) < 1:
        raise ConfigError(
            f"buckets {list(buckets)} do not fit; give a positive number for each of {counted(num_streets, 'street')}"
        )
    return np.array(buckets, dtype=np.int64)


@dataclass(frozen=True)
class BettingTree:
    """One entry per node; node 0 is the root. The children of a node are consecutive, and the descendants of
    each child are one block: those of `node` are `first_child[node]` up to, not including, `end[node]`.

    player: (nodes,) int8, the position that acts, -1 at terminals
    street: (nodes,) int8, at terminals the street on which betting ended
    kind: (nodes,) int8, a `NodeKind`
    num_actions: (nodes,) int8, 0 at terminals
    first_child, end, parent: (nodes,) int32; the parent of the root is -1
    action: (nodes,) int8, the `ActionCode` that leads here, -1 at the root
    amount: (nodes,) int32, the actor's chips on that street after it (antes not counted), 0 at the root
    folded: (nodes,) uint8, bit p is set if position p has folded
    chips_in: (nodes, players) int32, put in since the start of the hand, antes included
    """

    config: GameConfig
    player: npt.NDArray[np.int8]
    street: npt.NDArray[np.int8]
    kind: npt.NDArray[np.int8]
    num_actions: npt.NDArray[np.int8]
    first_child: npt.NDArray[np.int32]
    end: npt.NDArray[np.int32]
    parent: npt.NDArray[np.int32]
    action: npt.NDArray[np.int8]
    amount: npt.NDArray[np.int32]
    folded: npt.NDArray[np.uint8]
    chips_in: npt.NDArray[np.int32]
    counts: TreeCounts = field(repr=False)

    @property
    def num_nodes(self) -> int:
        """Nodes of all kinds."""
        return len(self.player)

    @property
    def num_players(self) -> int:
        """Positions at the table."""
        return int(self.chips_in.shape[1])

    @cached_property
    def decisions_of(self) -> dict[tuple[int, int], npt.NDArray[np.int64]]:
        """The decision nodes of each (street, position) that has some."""
        found = {}
        for street, position in np.ndindex(self.config.num_streets, self.num_players):
            nodes = np.flatnonzero((self.street == street) & (self.player == position))
            if len(nodes):
                found[street, position] = nodes
        return found

    def children(self, node: int) -> range:
        """The nodes that the actions of `node` lead to, in the order of its actions."""
        first = int(self.first_child[node])
        return range(first, first + int(self.num_actions[node]))

    def descendants(self, node: int) -> range:
        """Everything below `node`."""
        return range(int(self.first_child[node]), int(self.end[node]))

    def path(self, node: int) -> list[int]:
        """The nodes from the root to `node`, both included."""
        nodes = [int(node)]
        while nodes[-1] != 0:
            nodes.append(int(self.parent[nodes[-1]]))
        return nodes[::-1]

    def action_into(self, node: int) -> Action:
        """The action that leads to a node, as the rules engine takes it."""
        kind = _KINDS[ActionCode(int(self.action[node]))]
        return Action(kind, int(self.amount[node]) if kind is ActionKind.RAISE_TO else 0)

    def find_child(self, node: int, action: Action) -> int | None:
        """The child that an action leads to, or None if the tree does not have it."""
        for child in self.children(node):
            if self.action_into(child) == action:
                return child
        return None

    def describe(self, node: int) -> str:
        """The betting that leads to a node, streets apart: `BTN raise 3bb, BB call | BB check`."""
        path = self.path(node)
        text = ""
        for before, after in pairwise(path):
            if before:
                text += " | " if self.street[before] > self.street[self.parent[before]] else ", "
            text += f"{position_names(self.config)[self.player[before]]} {self.describe_action(after)}"
        return text

    def describe_action(self, node: int) -> str:
        """The action that leads to a node: `fold`, `check`, `call`, `bet 1.5bb`, `raise 9bb all-in`."""
        before, action = int(self.parent[node]), int(self.action[node])
        if action == ActionCode.FOLD:
            return "fold"
        player = int(self.player[before])
        after, previous = self.chips_in[node, player], self.chips_in[before]
        if action == ActionCode.CALL:
            return "check" if after == previous[player] else "call"
        verb = "raise" if self._was_bet(before) else "bet"
        big_blind = self.config.big_blind
        chips = int(self.amount[node])
        size = f"{chips / big_blind:g}bb" if big_blind else str(chips)
        return f"{verb} {size}" + (" all-in" if after == self.config.starting_stacks[player] else "")

    def _was_bet(self, node: int) -> bool:
        """Whether there is a bet on the street of a decision node; before the flop the big blind is one."""
        if self.street[node] == 0 and self.config.big_blind > 0:
            return True
        while node and self.street[self.parent[node]] == self.street[node]:
            if self.action[node] == ActionCode.RAISE:
                return True
            node = int(self.parent[node])
        return False


def position_names(config: GameConfig) -> tuple[str, ...]:
    """Poker's names of the positions (`SB`, `BB`, `UTG`, ... `BTN`); without blinds `P0`, `P1`, ..."""
    return config.position_names


def bytes_per_node(num_players: int) -> int:
    """Memory of one node of a `BettingTree`."""
    arrays = _node_arrays(1, num_players)
    return sum(int(array.nbytes) for array in arrays)


def count_tree(config: GameConfig, node_limit: int = NODE_LIMIT, root: BettingState | None = None) -> TreeCounts:
    """Count a tree without building it; a ConfigError if it has more than `node_limit` nodes."""
    return _counted(config, node_limit) if root is None else _count_below(config, node_limit, root)


def _count_below(config: GameConfig, node_limit: int, root: BettingState) -> TreeCounts:
    return _walk(config, _node_arrays(0, config.num_players), node_limit, root)


@lru_cache(maxsize=16)
def _counted(config: GameConfig, node_limit: int) -> TreeCounts:
    """Large trees take seconds to count, and a run asks for its own several times before it starts."""
    counts = _count_below(config, node_limit, first_state(config))
    for array in (counts.decisions, counts.actions, counts.closings):
        array.setflags(write=False)
    return counts


def build_tree(config: GameConfig, node_limit: int = NODE_LIMIT, root: BettingState | None = None) -> BettingTree:
    """Build the tree of a game, or of what can follow `root`; a ConfigError if it has more than `node_limit` nodes."""
    counts = count_tree(config, node_limit, root)
    nodes = _node_arrays(counts.nodes, config.num_players)
    _walk(config, nodes, node_limit, root or first_state(config))
    for array in nodes:
        array.setflags(write=False)
    return BettingTree(
        config=config,
        player=nodes.player,
        street=nodes.street,
        kind=nodes.terminal,
        num_actions=nodes.num_actions,
        first_child=nodes.first_child,
        end=nodes.end,
        parent=nodes.parent,
        action=nodes.action,
        amount=nodes.amount,
        folded=nodes.folded,
        chips_in=nodes.chips_in,
        counts=counts,
    )


def _walk(config: GameConfig, nodes: kernels.NodeArrays, node_limit: int, root: BettingState) -> TreeCounts:
    rules = _rules(config)
    shape = (config.num_streets, config.num_players)
    decisions, actions = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
    terminals, closings = np.zeros(len(NodeKind), np.int64), np.zeros(config.num_streets, np.int64)
    frames = _frames(config, rules, root)
    count = kernels.walk_tree(rules, frames, node_limit, nodes, decisions, actions, terminals, closings)
    if count > node_limit:
        raise ConfigError(
            f"the betting tree of {config.name} has more than {node_limit:,} nodes; cheapest ways to shrink: "
            + "; ".join(_ways_to_shrink(config))
        )
    fold_wins, showdowns = int(terminals[NodeKind.FOLD_WIN]), int(terminals[NodeKind.SHOWDOWN])
    return TreeCounts(count, fold_wins, showdowns, decisions, actions, closings)


def _ways_to_shrink(config: GameConfig) -> list[str]:
    """What to change first, by how little it costs in play."""
    betting = config.betting
    ways = []
    if config.num_players > 3 and max(betting.players_by_raises) > 3:
        ways.append("max_flop_players: 3")
    if config.num_players > 2 and betting.multiway_sizes is None:
        ways.append("multiway_sizes with one size per street")
    if config.num_players > 2 and betting.limps:
        ways.append("limps: false")
    if betting.merge_threshold < 0.1:
        ways.append("merge_threshold: 0.1")
    if max(betting.max_raises) > 2:
        ways.append(f"lower max_raises (now {list(betting.max_raises)})")
    ways.append("fewer bet sizes, on the river first")
    return ways


def _rules(config: GameConfig) -> kernels.Rules:
    betting, menus = config.betting, compile_menus(config)
    return kernels.Rules(
        stacks=np.array(config.starting_stacks, dtype=np.int64),
        max_raises=np.array(betting.max_raises, dtype=np.int64),
        min_bet=minimum_bet(config),
        limpers=sum(1 << position for position in limpers(config)),
        max_flop_players=np.array(betting.players_by_raises, dtype=np.int64),
        defenders=sum(1 << position for position in defenders(config)),
        invested_may_call=betting.invested_may_call,
        multiway_from=betting.multiway_from,
        crowd_from=betting.crowd_from if betting.crowd_sizes is not None else kernels.MAX_PLAYERS + 1,
        all_in_reopens=config.all_in_reopens,
        merge_threshold=betting.merge_threshold,
        all_in_threshold=betting.all_in_threshold,
        kinds=menus.kinds,
        values=menus.values,
        caps=menus.caps,
    )


def _frames(config: GameConfig, rules: kernels.Rules, state: BettingState) -> npt.NDArray[np.int64]:
    """Scratch for the walk with the root in its first row, deep enough for the longest line of betting."""
    rounds = sum(cap + 1 for cap in config.betting.max_raises[: config.num_streets])
    longest_line = rounds * config.num_players
    frames = np.zeros((longest_line * (rules.kinds.shape[3] + 1) + 2, kernels.FRAME_SIZE), dtype=np.int64)
    root = frames[0]
    root[kernels.PARENT] = root[kernels.ACTION] = -1
    root[kernels.PLAYER], root[kernels.TERMINAL] = state.player, state.terminal
    root[kernels.STREET] = state.street
    root[kernels.LEVEL], root[kernels.STREET_BASE] = state.level, state.street_base
    root[kernels.MIN_RAISE], root[kernels.RAISES] = state.min_raise, state.raises
    root[kernels.FOLDED] = sum(1 << position for position in state.folded)
    root[kernels.PENDING] = sum(1 << position for position in state.pending)
    root[kernels.ENTERED] = state.entered
    root[kernels.CHIPS_IN : kernels.CHIPS_IN + config.num_players] = state.chips_in
    root[kernels.ACTED_AT : kernels.ACTED_AT + config.num_players] = state.acted_at
    return frames


def _node_arrays(count: int, num_players: int) -> kernels.NodeArrays:
    return kernels.NodeArrays(
        player=np.zeros(count, np.int8),
        street=np.zeros(count, np.int8),
        terminal=np.zeros(count, np.int8),
        num_actions=np.zeros(count, np.int8),
        first_child=np.zeros(count, np.int32),
        end=np.zeros(count, np.int32),
        parent=np.zeros(count, np.int32),
        action=np.zeros(count, np.int8),
        amount=np.zeros(count, np.int32),
        folded=np.zeros(count, np.uint8),
        chips_in=np.zeros((count, num_players), np.int32),
    )
