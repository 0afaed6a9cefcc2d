"""A street with three to six players, exact on a river of three and else sampled, answered as a `StreetSolution`."""

from collections.abc import Callable

import numpy as np

from holdem.abstraction.betting.tree import BettingTree, NodeKind
from holdem.game.actions import Action, ActionKind
from holdem.realtime.multiway.river import RiverSolver
from holdem.realtime.multiway.solver import Continuations, MultiwaySolver
from holdem.realtime.search.request import Depth, SolveRequest
from holdem.realtime.search.street_solution import Line, Options, StreetSolution, aligned, lines_to_keep
from holdem.realtime.search.street_tree import StreetTree, seats_by_position, street_actions, street_tree


class MultiwaySearch:
    """One request: build it, run it for a while, ask."""

    def __init__(self, request: SolveRequest, continuations: Continuations | None, seed: int = 0) -> None:
        self.request = request
        self.street: StreetTree = street_tree(request.state, request.menu)
        self._line = tuple(street_actions(request.state))
        seats = seats_by_position(request.state)
        self._nodes = dict(zip((self._line[:k] for k in range(len(self._line) + 1)), self.street.line, strict=True))
        locked = {
            self._nodes[line]: aligned(options, self._actions(self._nodes[line])).astype(np.float64)
            for line, options in request.locked.items()
        }
        ranges = request.ranges[seats]
        self.solver: RiverSolver | MultiwaySolver
        board = request.state.board
        if request.depth is Depth.THREE:
            self.solver = RiverSolver.build(self.street, ranges, board, locked)
        else:
            self.solver = MultiwaySolver.build(self.street, ranges, board, continuations, locked, seed)

    @property
    def tree(self) -> BettingTree:
        """The street."""
        return self.street.tree

    @property
    def size(self) -> int:
        """Nodes: what an iteration's cost grows with."""
        return self.tree.num_nodes

    def run(self, iterations: int, deadline: float | None = None, heard: Callable[[int], None] | None = None) -> int:
        """At most so many more iterations, until the deadline; how many there are now."""
        return self.solver.run(iterations, deadline, heard)

    def solution(self) -> StreetSolution:
        """The solution so far."""
        decisions: dict[Line, Options] = {}
        for line in lines_to_keep(self._line, self._actions_after):
            node = self._node(line)
            assert node is not None
            decisions[line] = self._actions(node), self.solver.policy(node).astype(np.float32)
        position = self.request.state.position
        before = int(self.tree.chips_in[self.street.decision, position])
        values = (self.solver.action_values() + before).astype(np.float32)
        note = f"{self.size} nodes, {self.request.menu}"
        return StreetSolution(self._line, decisions, values, self.solver.iterations, note, ends=self._ends())

    def _ends(self) -> tuple[bool, ...]:
        """Of each action of the decision whether it is a fold or nobody decides anything on the street after it."""
        children = self.tree.children(self.street.decision)
        folds = [self.tree.action_into(child).kind is ActionKind.FOLD for child in children]
        return tuple(
            fold or self.tree.kind[child] != NodeKind.DECISION for fold, child in zip(folds, children, strict=True)
        )

    def _actions(self, node: int) -> tuple[Action, ...]:
        """The actions of a node as the table has them: bets beyond a stack are all-in."""
        state, actions = self.request.state, []
        for child in self.tree.children(node):
            action = self.tree.action_into(child)
            if node == self.street.decision and action.kind is ActionKind.RAISE_TO:
                least, most = state.legal.min_raise_to, state.legal.max_raise_to
                if least is not None and most is not None:
                    action = Action.raise_to(min(max(action.amount, least), most))
            actions.append(action)
        return tuple(actions)

    def _actions_after(self, line: Line) -> tuple[Action, ...] | None:
        node = self._node(line)
        return None if node is None else self._actions(node)

    def _node(self, line: Line) -> int | None:
        """The decision after a line, None if the street is over there."""
        if line not in self._nodes:
            parent = self._node(line[:-1])
            assert parent is not None
            place = self._actions(parent).index(line[-1])
            self._nodes[line] = int(self.tree.first_child[parent]) + place
        node = self._nodes[line]
        return node if self.tree.kind[node] == NodeKind.DECISION else None
