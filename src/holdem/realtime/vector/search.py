"""A heads-up street, solved for all hands at once and answered as a `StreetSolution`."""

from collections.abc import Iterator

import numpy as np

from holdem.cards.cards import NUM_HOLE_PAIRS
from holdem.cards.ranges import joint_weight
from holdem.game.actions import Action
from holdem.realtime.search.ranges import SeatRanges
from holdem.realtime.search.request import SolveRequest
from holdem.realtime.search.street_solution import (
    Accuracy,
    CarriedValues,
    Line,
    Options,
    StreetSolution,
    aligned,
    lines_to_keep,
)
from holdem.realtime.search.street_tree import street_actions
from holdem.realtime.subgame.boards import cards_left
from holdem.realtime.subgame.flat_tree import goes_on
from holdem.realtime.subgame.loop import SolveResult
from holdem.realtime.subgame.nodes.path import Place, find_line
from holdem.realtime.subgame.nodes.view import NodeView
from holdem.realtime.subgame.solution import Solution
from holdem.realtime.subgame.solver import SubgameSolver
from holdem.realtime.subgame.tree import SubgameNodeKind
from holdem.realtime.subgame.workspace import RootGadget
from holdem.realtime.vector.gadgets import GADGETS
from holdem.realtime.vector.root import SubgameRoot
from holdem.realtime.waiting import nobody_waits
from holdem.util.arrays import Float32


class VectorSearch:
    """One request: build it, run it for a while, ask."""

    def __init__(self, request: SolveRequest, threads: int = 1) -> None:
        self.request = request
        self.root = SubgameRoot.of(request.state)
        self._line = tuple(street_actions(request.state))
        spot = self.root.spot(SeatRanges(request.ranges), request.menu, request.later, request.own)
        self.solver = SubgameSolver(spot, threads=threads, grouping=request.grouping)
        self._allocated = False

    @property
    def size(self) -> int:
        """Table entries that an iteration visits."""
        return self.solver.estimate().entries

    def allocate(self) -> "VectorSearch":
        """Allocate the solver; the first `run` does it if nobody else has."""
        self.solver.allocate()
        self._allocated = True
        self.solver.gadget = self._gadget()
        self._lock_past_decisions()
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
        """The solution so far."""
        solved = Solution(self.solver, SolveResult(self.solver.iterations, 0.0, None, "iterations"))
        decisions: dict[Line, Options] = {}
        for line in lines_to_keep(self._line, self._actions_after, self.root.skipped):
            actions = self._actions_after(line)
            assert actions is not None
            _, rows = solved.strategy(self._place(line))
            total = rows.sum(axis=1, keepdims=True)
            policy = np.where(total > 0.0, rows, 1.0 / len(actions))
            decisions[line] = actions, policy.astype(np.float32)
        note = f"{len(self.solver.tree.nodes)} nodes {self.request.depth.value}, {self.request.menu}"
        view = solved.node(tuple(map(str, self.root.moves())))
        return StreetSolution(
            self._line,
            decisions,
            self._action_values(view),
            self.solver.iterations,
            note,
            carried=self._carried(),
            accuracy=self._accuracy(solved, view) if self.request.with_accuracy else None,
            ends=tuple(not on for on in goes_on(self.solver.tree, self._place(self._line).node)),
        )

    def _carried(self) -> CarriedValues | None:
        """What the opponent can get on the next street, for the lines that may still close this one."""
        opponent = 1 - self.root.player
        if self.request.root == "unsafe" or self.solver.tree.levels == 1:
            return None
        values = self.solver.values_after_cards(opponent)
        arrays, board = self.solver.tree.arrays, self.root.state.board
        closing = arrays.deals[: arrays.deal_start[1]].tolist()
        carried = CarriedValues(tuple(cards_left(board)), self.solver.hands[opponent], {}, {})
        for line in self._closing_lines():
            place = self._place(line)
            carried.values[line] = np.ascontiguousarray(values[:, :, closing.index(place.node)])
            carried.reach[line] = self._own_reach(place)
        return carried

    def _closing_lines(self) -> Iterator[Line]:
        """Lines from the decision asked about to the end of the street with play going on."""
        open_lines = [self._line]
        while open_lines:
            line = open_lines.pop()
            actions = self._actions_after(line)
            if actions is not None:
                open_lines.extend((*line, action) for action in actions)
            elif self.solver.tree.nodes[self._place(line).node].kind == SubgameNodeKind.DEAL:
                yield line

    def _own_reach(self, place: Place) -> Float32:
        """(1326,) the searcher's range where a line ends."""
        player, hands = self.root.player, self.solver.hands[self.root.player]
        reach = np.zeros(NUM_HOLE_PAIRS, dtype=np.float32)
        reach[hands] = self.solver.spot.ranges[player][hands]
        for node, level, board, action in place.steps:
            if self.solver.tree.nodes[node].player == player:
                reach[hands] *= self.solver.average_strategy(node, level, board)[:, action]
        return reach

    def _accuracy(self, solved: Solution, view: NodeView) -> Accuracy:
        """How far the strategy of the decision asked about is from a best response, hand by hand and over the range."""
        gain = np.maximum(solved.best_values(view.path) - view.values, 0.0)  # less than nothing is rounding
        gains = np.full(NUM_HOLE_PAIRS, np.nan, dtype=np.float32)
        gains[view.hands] = gain
        live = (view.weights > 0.0) & ~np.isnan(gain)
        total = float(view.weights[live].sum())
        reached = total / joint_weight(*self.solver.spot.ranges)
        return Accuracy(gains, float(view.weights[live] @ gain[live]) / total if total else float("nan"), reached)

    def _action_values(self, view: NodeView) -> Float32:
        values = np.full((NUM_HOLE_PAIRS, len(view.actions)), np.nan, dtype=np.float32)
        paid = self.root.state.street_bets[self.root.state.seat] - self.root.bets[self.root.player]
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

    def _lock_past_decisions(self) -> None:
        """Lock the searcher's past decisions of this street as they were played."""
        for line, options in self.request.locked.items():
            if len(line) < self.root.skipped:
                continue
            place = self._place(line)
            actions = self._actions_after(line)
            assert actions is not None
            hands = self.solver.hands[self.solver.tree.nodes[place.node].player]
            self.solver.lock(place.node, aligned(options, actions)[hands])

    def _gadget(self) -> RootGadget | None:
        """What lets the opponent stay out of the subgame; None for an unsafe root, and where nothing was promised."""
        if self.request.root == "unsafe" or self.request.promised is None:
            return None
        opponent = 1 - self.root.player
        hands = self.solver.hands[opponent]
        weights = self.solver.spot.ranges[opponent][hands].astype(np.float32)
        return GADGETS[self.request.root](opponent, weights, self.request.promised[hands].astype(np.float32))
