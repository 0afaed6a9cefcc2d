"""One traversal of a subgame from Python, all inside compiled code unless a gadget has to be asked in between."""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Timer

import numpy as np

from holdem.errors import ConfigError
from holdem.realtime.subgame.boards import BoardTree, cards_left, renamed_card
from holdem.realtime.subgame.flat_tree import padded
from holdem.realtime.subgame.kernels import traversal as kernels
from holdem.realtime.subgame.kernels.groups import check_down, run_with_groups, visit_cards
from holdem.realtime.subgame.kernels.terminals import evaluate_lanes
from holdem.realtime.subgame.kernels.together import NUM_SIGNS, run_together
from holdem.realtime.subgame.kernels.traversal import BEST, MEAN, UPDATE
from holdem.realtime.subgame.nodes.path import Place
from holdem.realtime.subgame.workspace import RootGadget, Workspace
from holdem.util.arrays import Float32, Float64

NEVER = np.zeros(1, dtype=np.uint8)
"""A halt flag that nobody sets."""
NEVER_MET = 1 << 62
"""More arrivals than any meeting waits for."""
ITERATIONS_PER_ENTRY = 2
"""Of a solve with a gadget: whoever may stay out decides again after so many, since asking takes time of its own."""
NO_FACTORS = np.zeros((1, 3), dtype=np.float32)
"""For traversals that learn nothing."""


class Traversals:
    """Runs traversals on one or several threads: they share the cards dealt after the root street."""

    def __init__(self, workspace: Workspace, gadget: RootGadget | None = None) -> None:
        self.workspace, self.gadget = workspace, gadget
        # A gadget is asked between the traversals of the two players, which is more than threads can win back.
        together = workspace.threads > 1 and gadget is None
        self.pool = ThreadPoolExecutor(workspace.threads - 1) if together else None
        self.halt = NEVER

    def __enter__(self) -> "Traversals":
        return self

    def __exit__(self, *_: object) -> None:
        if self.pool is not None:
            self.pool.shutdown()

    @property
    def halted(self) -> bool:
        """Whether the last traversal was cut short."""
        return bool(self.halt[0])

    @contextmanager
    def halting_at(self, deadline: float | None) -> Iterator[None]:
        """Cut traversals inside the block short when `deadline` (of `time.monotonic`) has come."""
        self.halt = np.zeros(1, dtype=np.uint8)
        if deadline is None:
            yield
            return
        timer = Timer(max(0.0, deadline - time.monotonic()), self.halt.fill, (1,))
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def iterate(self, factors: Float32) -> None:
        """One iteration per row of `factors`."""
        if self.gadget is None:
            self._run((0, 1), UPDATE, factors)
            return
        owner, done = self.gadget.player, self.workspace.iterations
        row = 0
        while row < len(factors):
            # Up to the next iteration after which he decides again, whatever number of rows there is in one call.
            end = min(len(factors), row + ITERATIONS_PER_ENTRY - (done + row) % ITERATIONS_PER_ENTRY)
            # The gadget's player goes last, so that his values at the root are still there.
            self._run((1 - owner, owner), UPDATE, factors[row:end], self._weights_entering(self.gadget))
            if self.halted:
                return
            if (done + end) % ITERATIONS_PER_ENTRY == 0:
                self.gadget.learn(self.workspace.values(owner).astype(np.float32))
            row = end

    def exploitability(self) -> float:
        """(best response of oop + best response of ip − pot) / 2, in chips."""
        return sum(self.mean_value(player, BEST) for player in (0, 1)) / 2.0

    def mean_value(self, player: int, mode: int = MEAN) -> float:
        """Mean value at the root over all deals, in chips, zero-sum."""
        values = self.root_values(player, mode)
        return float(self.workspace.deals.weights[player] @ values) / self.workspace.joint_weight

    def root_values(self, player: int, mode: int) -> Float64:
        """(hands,) counterfactual values at the root of the average strategies or of a best response to them."""
        self._run((player,), mode, NO_FACTORS)
        return self.workspace.values(player)

    def action_values(self, place: Place, player: int) -> Float64:
        """(hands, actions) counterfactual values of the average strategies at a player's decision, zero-sum."""
        tree = self.workspace.tree.arrays
        if place.level == 0:
            self.root_values(player, MEAN)
        else:
            self._visit_below(place, player)
        first = int(tree.first_child[place.node])
        children = range(first, first + int(tree.num_actions[place.node]))
        return np.stack([self.workspace.values(player, child, place.level) for child in children], axis=1)

    def best_values(self, place: Place, player: int) -> Float64:
        """(hands,) counterfactual values of a player's best response at a place of the root's street, zero-sum."""
        assert place.level == 0
        self.root_values(player, BEST)
        return self.workspace.values(player, place.node)

    def values_after_cards(self, player: int, boards: BoardTree) -> Float32:
        """(cards, hands, closing lines of the root's street): see `SubgameSolver.values_after_cards`."""
        space = self.workspace
        lines = int(space.tree.arrays.deal_start[1])
        deck = cards_left(boards.root)
        street = space.grouped
        if street is not None and len(boards.level_sizes) == 1:
            self.root_values(player, BEST)
            found = street.found.sum(axis=0)  # each thread has its cards
            rows = found.reshape(-1, padded(max(1, lines)))[:, :lines] / street.groups.chance
            places = street.groups.places[player, 0, : space.deals.num_hands[player]]
            return np.ascontiguousarray(rows[places.T], dtype=np.float32)
        values = np.zeros((len(deck), space.deals.num_hands[player], lines), dtype=np.float32)
        if not lines:
            return values
        tree, memory, work, deals = space.tree.arrays, space.memory, space.works[0], space.deals.arrays
        kernels.set_root(tree, memory, player, space.weights, work)
        kernels.descend(tree, memory, 0, 0, player, space.storage.averages, work)
        for board in range(boards.children[0], boards.children[1]):
            kernels.hand_down(tree, memory, 0, player, work, work)
            self._best_below(board, player)
            roots = range(int(tree.node_start[1]), int(tree.node_start[1]) + lines)
            found = np.stack([space.values(player, root, 1) for root in roots], axis=1)
            numbers = deals.images[deals.image_start[board] : deals.image_start[board + 1]]
            for number, renaming in zip(numbers, boards.boards[board].images, strict=True):
                card = renamed_card(boards.boards[board].dealt[-1], renaming)
                values[deck.index(card), deals.renamed[player, number, : len(found)]] = found
        return values

    def _best_below(self, board: int, player: int) -> None:
        """A best response on a board of the second street and below, whose reach was handed down."""
        space = self.workspace
        tree, deals, memory, work = space.tree.arrays, space.deals.arrays, space.memory, space.works[0]
        street = space.grouped
        if street is None:
            kernels.visit(tree, deals, memory, 1, board, player, BEST, NO_FACTORS[0], space.storage, work, NEVER)
        else:
            kernels.descend(tree, memory, 1, board, player, space.storage.averages, work)
            evaluate_lanes(tree, deals, memory, 1, board, player, work)
            turn = board - int(deals.children[0])
            check_down(tree, memory, 1, turn, street.downs, player, work, street.columns[0])
            visit_cards(
                tree, memory, 1, turn, work, work, street.tree.arrays, street.memory, street.groups,
                street.downs.stakes, space.storage, street.work[0], street.columns[0], street.found[0], 0, 1, player,
                BEST, NO_FACTORS[0],
            )  # fmt: skip
            kernels.ascend(tree, memory, 1, board, player, BEST, NO_FACTORS[0], space.storage, work)

    def _visit_below(self, place: Place, player: int) -> None:
        """Carry the opponent's reach down to the place's board and evaluate that board."""
        space = self.workspace
        tree, deals, memory, work = space.tree.arrays, space.deals.arrays, space.memory, space.works[0]
        boards = {level: board for _, level, board, _ in place.steps}
        kernels.set_root(tree, memory, player, space.weights, work)
        for level in range(place.level):
            kernels.descend(tree, memory, level, boards[level], player, space.storage.averages, work)
            kernels.hand_down(tree, memory, level, player, work, work)
        kernels.visit(
            tree, deals, memory, place.level, place.board, player, MEAN, NO_FACTORS[0], space.storage, work, NEVER
        )

    def _run(self, players: tuple[int, ...], mode: int, factors: Float32, weights: Float32 | None = None) -> None:
        """Traversals that stay inside compiled code: for each of the players, once per row of `factors`."""
        space = self.workspace
        weights = space.weights if weights is None else weights
        tree, deals, memory, work = space.tree.arrays, space.deals.arrays, space.memory, space.works[0]
        order = np.array(players, dtype=np.int64)
        if space.grouped is not None:
            street = space.grouped
            self._together(
                run_with_groups, tree, deals, memory, street.tree.arrays, street.memory, street.groups, street.downs,
                order, mode, factors, space.storage, weights, space.works, street.work, street.columns, street.found,
                self.halt,
            )  # fmt: skip
        elif self.pool is not None:
            self._together(
                run_together, tree, deals, memory, order, mode, factors, space.storage, weights, space.works,
                self.halt,
            )  # fmt: skip
        else:
            kernels.run(
                tree, deals, memory, 0, 0, 1, 1, order, mode, factors, space.storage, weights, work, work, self.halt,
            )  # fmt: skip

    def _weights_entering(self, gadget: RootGadget) -> Float32:
        """Ranges at the root, of the gadget's player those who enter."""
        weights = self.workspace.weights.copy()
        entering = gadget.entering()
        weights[gadget.player, : len(entering)] = entering
        return weights

    def _together(self, work: Callable[..., None], *shared: object) -> None:
        """Call `work(thread, threads, signs, *shared)` in all threads, of which this one is the first."""
        threads = 1 if self.pool is None else self.workspace.threads
        signs = np.zeros(NUM_SIGNS, dtype=np.int64)
        running = []
        try:
            if self.pool is not None:
                for thread in range(1, threads):
                    running.append(self.pool.submit(work, thread, threads, signs, *shared))
        except RuntimeError as error:  # the system grants no more threads: the threads that wait for them return
            signs[:] = NEVER_MET
            raise ConfigError(f"{threads} threads cannot be started here ({error}); ask for fewer") from None
        work(0, threads, signs, *shared)
        for future in running:
            future.result()
