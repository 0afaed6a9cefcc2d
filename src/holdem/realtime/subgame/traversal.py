"""One traversal of a subgame from Python, all inside compiled code unless somebody has to be asked in between."""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Timer
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from holdem.errors import ConfigError
from holdem.realtime.subgame.kernels import traversal as kernels
from holdem.realtime.subgame.kernels.terminals import evaluate_all_ins, evaluate_lanes
from holdem.realtime.subgame.kernels.together import NUM_SIGNS, run_together
from holdem.realtime.subgame.kernels.traversal import UPDATE

if TYPE_CHECKING:
    from holdem.realtime.subgame.solver import SubgameSolver

Float32 = npt.NDArray[np.float32]

NEVER = np.zeros(1, dtype=np.uint8)
"""A halt flag that nobody sets."""
NEVER_MET = 1 << 62
"""More arrivals than any meeting waits for."""


class Crew:
    """Runs traversals on one or several threads: cards dealt after the root street are shared out among them."""

    def __init__(self, solver: "SubgameSolver") -> None:
        self.solver = solver
        self.threads = solver.threads
        # A gadget is asked between the traversals of the two players, which is more than threads can win back.
        together = self.threads > 1 and solver.gadget is None
        self.pool = ThreadPoolExecutor(self.threads - 1) if together else None
        self.halt = NEVER

    def __enter__(self) -> "Crew":
        return self

    def __exit__(self, *_: object) -> None:
        if self.pool is not None:
            self.pool.shutdown()

    @property
    def in_one_go(self) -> bool:
        """Whether a traversal can stay inside compiled code, on one thread."""
        return self.pool is None and self.solver.evaluator is None and self.solver.gadget is None

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
        solver = self.solver
        if self.in_one_go:
            self._run(0, 0, 1, (0, 1), UPDATE, factors)
            return
        if self.pool is not None and solver.evaluator is None:
            self._run_together((0, 1), UPDATE, factors)
            return
        for row in factors:
            for player in (0, 1):
                self.traverse(player, UPDATE, row)
                if self.halted:
                    return
                if solver.gadget is not None and solver.gadget.player == player:
                    solver.gadget.learn(solver.root_row(player).astype(np.float32))

    def root_value(self, player: int, mode: int) -> float:
        """Mean value at the root over all deals, in chips, zero-sum."""
        self.traverse(player, mode)
        return float(self.solver.deals.weights[player] @ self.solver.root_row(player)) / self.solver.joint_weight

    def traverse(self, player: int, mode: int, factors: Float32 | None = None) -> None:
        """One traversal; the values of the root are in the first work array afterwards."""
        solver = self.solver
        factors = np.zeros(3, dtype=np.float32) if factors is None else factors
        if self.in_one_go:
            self._run(0, 0, 1, (player,), mode, factors[None, :])
            return
        if self.pool is not None and solver.evaluator is None:
            self._run_together((player,), mode, factors[None, :])
            return
        tree, deals, plan, work = solver.tree.arrays, solver.deals.arrays, solver.plan, solver.work[0]
        source = solver.storage.regrets if mode == UPDATE else solver.storage.averages
        kernels.set_root(tree, plan, player, self._root_weights(player, mode), work)
        kernels.descend(tree, plan, 0, 0, player, source, work)
        evaluate_lanes(tree, deals, plan, 0, 0, player, work)
        evaluate_all_ins(tree, deals, plan, 0, 0, player, work)
        self._deal(player, mode, factors[None, :])
        if self.halted:
            return
        if solver.evaluator is not None:
            self._evaluate_leaves(player)
        kernels.ascend(tree, plan, 0, 0, player, mode, factors, solver.storage, work)

    def _root_weights(self, player: int, mode: int) -> Float32:
        """Ranges at the root; a gadget decides what is learned against, and not what a strategy is worth."""
        gadget = self.solver.gadget
        if gadget is None or gadget.player == player or mode != UPDATE:
            return self.solver.weights
        weights = self.solver.weights.copy()
        weights[gadget.player, : len(self.solver.hands[gadget.player])] = gadget.entering()
        return weights

    def _deal(self, player: int, mode: int, factors: Float32) -> None:
        """Visit the boards of the next street, and add up the values at the deals."""
        arrays = self.solver.tree.arrays
        if arrays.deal_start[1] > arrays.deal_start[0]:
            first, last = (int(n) for n in self.solver.deals.arrays.children[:2])
            self._run(1, first, last, (player,), mode, factors)

    def _run(self, level: int, first: int, last: int, players: tuple[int, ...], mode: int, factors: Float32) -> None:
        solver = self.solver
        kernels.run(
            solver.tree.arrays, solver.deals.arrays, solver.plan, level, first, last, 1,
            np.array(players, dtype=np.int64), mode, factors, solver.storage, solver.weights, solver.work[0],
            solver.work[0], self.halt,
        )  # fmt: skip

    def _run_together(self, players: tuple[int, ...], mode: int, factors: Float32) -> None:
        solver = self.solver
        self.together(
            run_together, solver.tree.arrays, solver.deals.arrays, solver.plan, np.array(players, dtype=np.int64),
            mode, factors, solver.storage, solver.weights, solver.works, self.halt,
        )  # fmt: skip

    def together(self, work: Callable[..., None], *shared: object) -> None:
        """Call `work(thread, threads, signs, *shared)` in all threads, of which this one is the first."""
        threads = 1 if self.pool is None else self.threads
        signs = np.zeros(NUM_SIGNS, dtype=np.int64)
        running = []
        try:
            if self.pool is not None:
                for thread in range(1, threads):
                    running.append(self.pool.submit(work, thread, threads, signs, *shared))
        except RuntimeError as error:  # the system grants no more threads: those that wait for them go home
            signs[:] = NEVER_MET
            raise ConfigError(f"{threads} threads cannot be started here ({error}); ask for fewer") from None
        work(0, threads, signs, *shared)
        for future in running:
            future.result()

    def _evaluate_leaves(self, player: int) -> None:
        solver = self.solver
        assert solver.evaluator is not None
        arrays, plan, work = solver.tree.arrays, solver.plan, solver.work[0]
        own, other = int(arrays.player_hands[player]), int(arrays.player_hands[1 - player])
        nodes = np.array(solver.tree.leaves)
        rows = work[int(plan.reach_at[0]) :][: int(arrays.sizes[player, 0, 0]) * other].reshape(-1, other)
        reach = rows[arrays.row[player, nodes], : len(solver.hands[1 - player])]
        values = work[int(plan.values_at[0]) :][: int(arrays.sizes[player, 0, 3]) * own].reshape(-1, own)
        values[arrays.value_row[player, nodes], : len(solver.hands[player])] = solver.evaluator(player, reach)
