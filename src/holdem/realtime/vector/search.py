"""A heads-up street, solved for all hands at once and answered as a `StreetSolution`."""

import numpy as np
import numpy.typing as npt

from holdem.blueprint.agent import BlueprintAgent
from holdem.blueprint.leaf_values import LeafValues
from holdem.cards.cards import NUM_HOLE_PAIRS
from holdem.errors import HoldemError
from holdem.game.actions import Action
from holdem.realtime.search.ranges import SeatRanges
from holdem.realtime.search.request import Depth, SolveRequest
from holdem.realtime.search.street_solution import Line, Options, Policy, StreetSolution, aligned, lines_to_keep
from holdem.realtime.search.street_tree import street_actions
from holdem.realtime.subgame.loop import SolveResult
from holdem.realtime.subgame.nodes.path import Place, find_line
from holdem.realtime.subgame.solution import Solution
from holdem.realtime.subgame.solver import SubgameSolver
from holdem.realtime.subgame.tree import Leaves
from holdem.realtime.vector.blueprint_nodes import blueprint_rows, match_nodes
from holdem.realtime.vector.gadgets import MaxMarginGadget, ResolveGadget
from holdem.realtime.vector.leaves import CHOICES, TableLeaves, table_leaves
from holdem.realtime.vector.root import SubgameRoot
from holdem.util.waiting import nobody_waits

Float32 = npt.NDArray[np.float32]


class VectorSearch:
    """One request: build it, run it for a while, ask."""

    def __init__(
        self,
        request: SolveRequest,
        blueprint: BlueprintAgent | None = None,
        tables: LeafValues | None = None,
        street_root: int | None = None,
        threads: int = 1,
    ) -> None:
        self.request, self.blueprint, self._street_root = request, blueprint, street_root
        self.root = SubgameRoot.of(request.state)
        self._line = tuple(street_actions(request.state))
        spot = self.root.spot(SeatRanges(request.ranges), request.menu, request.later)
        leaves: Leaves | None = None
        evaluator: TableLeaves | None = None
        if request.depth is Depth.LEAVES:
            if blueprint is None or tables is None:
                raise HoldemError(
                    "a search to the end of the street needs leaf values; make them: holdem leaf-values RUN"
                )
            evaluator = table_leaves(self.root, blueprint, tables, street_root)
            leaves = Leaves(request.state.street, evaluator.chooser, CHOICES)
        self.evaluator = evaluator
        self.solver = SubgameSolver(spot, threads=threads, leaves=leaves, evaluator=evaluator)
        self._allocated = False

    @property
    def size(self) -> int:
        """Numbers that an iteration goes through."""
        return self.solver.estimate().entries

    def allocate(self) -> "VectorSearch":
        """Make room; the first run does it otherwise."""
        self.solver.allocate()
        self._allocated = True
        if self.evaluator is not None:
            self.evaluator.attach(self.solver)
        self.solver.gadget = self._gadget()
        if self.request.frozen:
            self._freeze()
        return self

    def run(self, iterations: int | None, deadline: float | None = None, min_iterations: int = 0) -> int:
        """At most so many more iterations, until the deadline; how many there are now."""
        if not self._allocated:
            self.allocate()
        self.solver.solve(
            max_iterations=iterations, deadline=deadline, min_iterations=min_iterations, stop=nobody_waits
        )
        return self.solver.iterations

    def solution(self) -> StreetSolution:
        """What is known now."""
        solved = Solution(self.solver, SolveResult(self.solver.iterations, 0.0, None, "iterations"))
        decisions: dict[Line, Options] = {}
        for line in lines_to_keep(self._line, self._actions_after):
            actions = self._actions_after(line)
            assert actions is not None
            _, rows = solved.strategy(self._place(line))
            total = rows.sum(axis=1, keepdims=True)
            policy = np.where(total > 0.0, rows, 1.0 / len(actions))
            decisions[line] = actions, policy.astype(np.float32)
        note = f"{len(self.solver.tree.nodes)} nodes {self.request.depth.value}, {self.request.menu}"
        if self.evaluator is not None and self.evaluator.unmatched:
            note += f", {self.evaluator.unmatched} leaves that the blueprint does not have"
        return StreetSolution(self._line, decisions, self._action_values(solved), self.solver.iterations, note)

    def _action_values(self, solved: Solution) -> Policy:
        view = solved.node(tuple(map(str, self.root.moves())))
        values = np.full((NUM_HOLE_PAIRS, len(view.actions)), np.nan, dtype=np.float32)
        paid = self.root.state.street_bets[self.root.state.seat]
        values[view.hands] = view.action_values + paid
        return values

    def _actions_after(self, line: Line) -> tuple[Action, ...] | None:
        """The actions of a decision as the table has them; None where the street is over."""
        node = self.solver.tree.nodes[self._place(line).node]
        if not node.is_action:
            return None
        return tuple(self.root.action(move, asked=line == self._line) for move in node.moves)

    def _place(self, line: Line) -> Place:
        """Where a line leads in the tree."""
        return find_line(self.solver.tree, self.root.moves(line))

    def _freeze(self) -> None:
        """Lock the own past decisions of this street as they were played."""
        solver = self.solver
        solver.storage = solver.storage._replace(locked=np.zeros(len(solver.storage.regrets), dtype=np.float32))
        for line, options in self.request.frozen.items():
            place = self._place(line)
            actions = self._actions_after(line)
            assert actions is not None
            policy = aligned(options, actions)[solver.hands[solver.tree.nodes[place.node].player]]
            self._write(place.node, policy, solver.storage.regrets)
            self._write(place.node, policy, solver.storage.averages)
            self._write(place.node, np.ones_like(policy), solver.storage.locked)

    def _gadget(self) -> ResolveGadget | MaxMarginGadget | None:
        """What lets the opponent stay out of the subgame; None for an unsafe root or without a blueprint."""
        if self.request.root == "unsafe" or self.blueprint is None or self.solver.tree.levels > 1:
            return None
        found = match_nodes(self.solver.tree.nodes[0], self.root.pot, self.blueprint, self._street_root)
        if not found:
            return None
        opponent = 1 - self.root.player
        weights = self.solver.weights[opponent, : len(self.solver.hands[opponent])].copy()
        kind = ResolveGadget if self.request.root == "resolve" else MaxMarginGadget
        return kind(opponent, weights, self._promised(found, self.blueprint, opponent))

    def _promised(self, found: dict[int, int], blueprint: BlueprintAgent, opponent: int) -> Float32:
        """(hands,) counterfactual values of the opponent at the root if both play the blueprint."""
        solver = self.solver
        buckets = blueprint.buckets.of_holes(tuple(sorted(self.root.state.board)))
        for number, node in enumerate(solver.tree.nodes):
            there = found.get(id(node))
            if there is None or not node.is_action:
                continue
            own = buckets[solver.hands[node.player]]
            self._write(number, blueprint_rows(node, self.root.pot, blueprint, there, own), solver.storage.averages)
        values = solver.root_values(opponent)[solver.hands[opponent]].astype(np.float32)
        solver.storage.averages[:] = 0.0
        return values

    def _write(self, number: int, policy: Policy, table: Float32) -> None:
        """Write a strategy (hands, actions) at a node of the root's board into a table."""
        arrays, plan = self.solver.tree.arrays, self.solver.plan
        hands = int(arrays.player_hands[self.solver.tree.nodes[number].player])
        start = int(plan.storage_start[0] + arrays.storage[number])
        rows = table[start : start + policy.shape[1] * hands].reshape(policy.shape[1], hands)
        rows[:, : policy.shape[0]] = policy.T
