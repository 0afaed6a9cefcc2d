"""The solver beside the reference spots, an independent slow best response, and a plain twin of its iterations."""

import threading
import time
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from holdem.cards import Cards, equity, hole_index, parse_cards
from holdem.cards.cards import HOLE_CARDS
from holdem.errors import ConfigError
from holdem.realtime import SubgameSolver, solve_subgame
from holdem.realtime.subgame.loop import next_step
from holdem.realtime.subgame.nodes.path import Place, find_place
from holdem.realtime.subgame.schedules import SCHEDULES
from holdem.realtime.subgame.solution import Solution
from holdem.realtime.subgame.traversal import ITERATIONS_PER_ENTRY
from holdem.realtime.subgame.tree import Node
from tests.realtime.plain_subgame import PlainCFR, PlainSubgame
from tests.realtime.spots import FLOP, REFERENCE, RIVER, TURN, changed, spot

Float64 = npt.NDArray[np.float64]


def strategies_of(solution: Solution) -> Any:
    known: dict[tuple[str, ...], Float64] = {}

    def strategy(node: Node, path: tuple[str, ...], board: Cards) -> Float64:
        if path not in known:
            known[path] = solution.strategy(path)[1][solution.solver.hands[node.player]]
        return known[path]

    return strategy


@pytest.mark.parametrize(("name", "target"), [("PR1", 0.02), ("PT1", 0.05)])
def test_reference_spots(name: str, target: float) -> None:
    reference = REFERENCE[name]["reference"]
    solution = solve_subgame(REFERENCE[name], target_percent=target)
    pot = REFERENCE[name]["pot"]
    figures = solution.to_plain()
    # EVs are unique up to twice the exploitability; the reference has a hundredth of a per cent of its own.
    tolerance = 2 * solution.exploitability + 0.001 * pot
    assert figures["exploitability_percent_of_pot"] <= target
    assert figures["ev_oop"] == pytest.approx(reference["ev_oop"], abs=tolerance)
    assert figures["ev_ip"] == pytest.approx(reference["ev_ip"], abs=tolerance)
    assert figures["ev_oop"] + figures["ev_ip"] == pytest.approx(pot)
    assert list(figures["root_frequencies"]) == list(reference["root_frequencies"])
    for action, share in reference["root_frequencies"].items():
        # The reference's own note: "two good solvers differ by about a point".
        assert figures["root_frequencies"][action] == pytest.approx(share, abs=0.015)
    for hand, value in reference["ev_of_hands_oop"].items():
        # One hand of hundreds may be off by far more than the mean over the range is: 0.3 % of the pot.
        assert figures["ev_of_hands_oop"][hand] == pytest.approx(value, abs=0.003 * pot)


@pytest.mark.parametrize(
    "content",
    [REFERENCE["PR1"], REFERENCE["PT1"], RIVER, TURN, pytest.param(FLOP, marks=pytest.mark.slow)],
    ids=lambda content: content["id"],
)
def test_exploitability_is_that_of_a_slow_best_response(content: dict[str, Any]) -> None:
    """After few iterations, so that there is something to exploit."""
    solution = solve_subgame(content, max_iterations=20)
    plain = PlainSubgame(solution.spot)
    slow = plain.exploitability(strategies_of(solution))
    # 32-bit sums over hundreds of hands: a relative error of about 1e-5 of the pot.
    assert solution.exploitability == pytest.approx(slow, abs=2e-5 * solution.spot.pot)
    value = plain.root_value(0, strategies_of(solution), best=False)
    assert solution.expected_values[0] == pytest.approx(value + solution.spot.pot / 2, abs=2e-5 * solution.spot.pot)


@pytest.mark.parametrize("content", [RIVER, TURN], ids=lambda content: content["id"])
@pytest.mark.parametrize("schedule", SCHEDULES)
def test_an_iteration_is_that_of_the_plain_twin(content: dict[str, Any], schedule: str) -> None:
    """From random regrets, since regret matching is discontinuous where they are zero."""
    solver = SubgameSolver(spot(content), schedule=SCHEDULES[schedule], symmetric=False).allocate()
    twin = PlainCFR(solver.spot)
    twin.root_value(0, twin.current, best=True)  # makes the regrets of every node
    random = np.random.default_rng(0)
    places = {path: find_place(solver.tree, solver.boards, path) for path in twin.regrets}
    for path, place in places.items():
        twin.regrets[path] = random.normal(size=twin.regrets[path].shape) * solver.spot.pot
        twin.averages[path] = np.full_like(twin.regrets[path], 1.0 / twin.regrets[path].shape[1])
        storage = solver.workspace.storage
        for table, rows in ((storage.regrets, twin.regrets), (storage.averages, twin.averages)):
            solver.workspace.rows(table, place.node, place.level, place.board)[:] = rows[path].T
    solver.workspace.iterations = 5
    solver.solve(max_iterations=1)
    twin.iterate(SCHEDULES[schedule].factors(5, 1)[0])
    for path, place in places.items():
        if solver.tree.nodes[place.node].player == 1 and SCHEDULES[schedule].negative == 0:
            continue  # player 1 meets regrets of player 0 that have just become zero
        regrets = solver.workspace.rows(solver.workspace.storage.regrets, place.node, place.level, place.board).T
        free = _free_hands(solver, place)
        # 32-bit sums over some thirty hands of values of a few hundred chips: 1e4 × 2^-24, a few times.
        assert np.abs(regrets - twin.regrets[path])[free].max() < 5e-3, path
        average = solver.average_strategy(place.node, place.level, place.board)
        assert np.abs(average - twin.averages[path])[free].max() < 1e-5, path


def _free_hands(solver: SubgameSolver, place: Place) -> npt.NDArray[np.bool_]:
    hands = HOLE_CARDS[solver.hands[solver.tree.nodes[place.node].player]]
    return np.asarray(~np.isin(hands, place.dealt).any(axis=1))


@pytest.mark.parametrize("content", [TURN, FLOP], ids=lambda content: content["id"])
def test_threads_and_suit_classes_change_nothing(content: dict[str, Any]) -> None:
    """Sums in another order round otherwise, so iterations may part, but not what they approach."""
    plain = SubgameSolver(spot(content), symmetric=False)
    plain.solve(max_iterations=60)
    threaded = SubgameSolver(spot(content), threads=2)
    threaded.solve(max_iterations=60)
    tolerance = 2 * (plain.exploitability() + threaded.exploitability()) + 1e-3
    assert threaded.expected_values() == pytest.approx(plain.expected_values(), abs=tolerance)
    again = SubgameSolver(spot(content), threads=2)
    again.solve(max_iterations=60)
    assert np.array_equal(again.workspace.storage.averages, threaded.workspace.storage.averages)


@pytest.mark.parametrize("threads", [5, 64])
def test_more_threads_than_cores_and_than_cards_meet_all_the_same(threads: int) -> None:
    plain = SubgameSolver(spot(TURN))
    plain.solve(max_iterations=20)
    threaded = SubgameSolver(spot(TURN), threads=threads)
    threaded.solve(max_iterations=20)
    tolerance = 2 * (plain.exploitability() + threaded.exploitability()) + 1e-3
    assert threaded.expected_values() == pytest.approx(plain.expected_values(), abs=tolerance)


@pytest.mark.parametrize("board", ["Ks 8s 3s", "Ks 8h 3h", "Ks 8s 3s 3h", "Kh 8s 3d"])
def test_without_bets_the_value_is_the_equity(board: str) -> None:
    """Every runout is dealt, through suit classes of all shapes: the pot is shared by equity."""
    ranges = ("AA, 8c7c, QsJs", "KK, 9s9d, 6h5h, A5s")
    content = {"board": board, "pot": 1000, "effective_stack": 10, "range_oop": ranges[0], "range_ip": ranges[1]}
    solver = SubgameSolver(spot(content))
    solver.solve(max_iterations=1)
    exact = equity(*ranges, board=parse_cards(board)).equity
    assert solver.expected_values()[0] == pytest.approx(1000 * exact, abs=0.01)


def test_suit_classes_are_found() -> None:
    """On a monotone flop three suits are alike: 10 + 13 turn cards instead of 49 (spades, and one of three)."""
    solver = SubgameSolver(spot(FLOP))
    assert solver.boards.level_sizes[:2] == [1, 23]
    assert solver.estimate().entries < SubgameSolver(spot(FLOP), symmetric=False).estimate().entries / 3


def test_sixteen_bits_reach_a_tenth_of_a_per_cent() -> None:
    wide = SubgameSolver(spot(REFERENCE["PT1"]))
    solution = solve_subgame(REFERENCE["PT1"], target_percent=0.1, max_iterations=400, compressed=True)
    assert solution.exploitability_percent <= 0.1
    assert solution.expected_values[0] == pytest.approx(60.383, abs=2 * solution.exploitability + 0.12)
    assert solution.solver.estimate().storage_bytes < 0.51 * wide.estimate().storage_bytes


@pytest.mark.parametrize("compressed", [False, True])
def test_estimate_is_what_is_allocated(compressed: bool) -> None:
    solver = SubgameSolver(spot(REFERENCE["PT1"]), threads=2, compressed=compressed)
    estimate = solver.estimate()
    solver.allocate()
    assert sum(array.nbytes for array in solver.workspace.storage) == estimate.storage_bytes
    assert solver.workspace.works.nbytes == estimate.work_bytes
    # The estimate of showdown tables is from above; small index tables are not in it.
    assert sum(array.nbytes for array in solver.workspace.deals.arrays) <= estimate.table_bytes + 50_000
    assert estimate.hands == tuple(REFERENCE["PT1"]["combos"])


@pytest.mark.parametrize("name", ["PR1", "PT1"])
def test_memory_is_near_the_reference(name: str) -> None:
    figure = REFERENCE[name]["speed_of_the_best_open_solver"]["memory_MB"]
    assert SubgameSolver(spot(REFERENCE[name])).estimate().total_bytes <= 1.2e6 * figure


def test_a_tree_beyond_memory_is_refused_before_it_is_allocated() -> None:
    solver = SubgameSolver(spot(REFERENCE["PT1"]))
    with pytest.raises(ConfigError, match=r"the tree needs 8 MB .*and 1 MB are free"):
        solver.allocate(memory_limit_bytes=1_000_000)


def test_a_deadline_is_kept_and_minimum_iterations_come_first() -> None:
    solve_subgame(TURN, max_iterations=1)
    solver = SubgameSolver(spot(REFERENCE["PT1"])).allocate()
    start = time.monotonic()
    result = solver.solve(deadline=start + 0.1)
    assert result.stopped_by == "deadline"
    assert result.iterations == solver.iterations >= 1
    result = solver.solve(deadline=start, min_iterations=3)
    assert result.iterations == 3
    assert 0 < solver.exploitability() < solver.spot.pot


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_a_deadline_inside_an_iteration_leaves_valid_strategies(threads: int) -> None:
    """A flop of about 90 hands: one iteration takes longer than the budget."""
    wide = spot(FLOP, range_oop="22+, AKs, KQs", range_ip="22+, AQs, KJs",
                bet_sizes={s: {"bet": "50%", "raise": "a"} for s in ("flop", "turn", "river")})  # fmt: skip
    solver = SubgameSolver(wide, threads=threads).allocate()
    solver.solve(max_iterations=1)
    for seconds in (0.01, 0.03, 0.05):
        result = solver.solve(deadline=time.monotonic() + seconds)
        assert result.stopped_by == "deadline"
    assert 0 < solver.exploitability() < 2 * wide.pot


@pytest.mark.parametrize("fields", [{}, {"range_oop": "AcKd", "range_ip": "AdKc"}])
def test_nothing_to_decide_is_solved_at_the_first_look(fields: dict[str, Any]) -> None:
    """Without bets nobody can be exploited: the exploitability is 0 but for rounding, on either side of 0."""
    solution = solve_subgame(changed(RIVER, bet_sizes={}, **fields), target_percent=0.5)
    assert (solution.result.stopped_by, solution.result.iterations) == ("target", 10)
    assert solution.exploitability_percent == pytest.approx(0.0, abs=1e-4)


@pytest.mark.parametrize("percent", [-1e-6, 0.0, 1e-6, 80.0])
@pytest.mark.parametrize("target", [0.0, 0.5])
def test_the_next_look_is_at_least_ten_and_at_most_as_many_iterations_away(percent: float, target: float) -> None:
    assert 10 <= next_step(100, percent, target) <= 100


def test_a_solve_needs_an_end() -> None:
    with pytest.raises(ConfigError, match="a target, a deadline or a number of iterations"):
        SubgameSolver(spot(RIVER)).solve()
    with pytest.raises(ConfigError, match="max_iterations is -1"):
        SubgameSolver(spot(RIVER)).solve(max_iterations=-1)
    with pytest.raises(ConfigError, match="target_percent is nan"):
        SubgameSolver(spot(RIVER)).solve(target_percent=float("nan"))


def test_stop_is_heard() -> None:
    result = SubgameSolver(spot(RIVER)).solve(max_iterations=10_000, stop=lambda: True)
    assert result.stopped_by == "interrupt"
    assert result.iterations < 10_000


def test_a_root_inside_a_street_is_the_subtree_of_its_start() -> None:
    """OOP has bet half the pot; solving from there against IP's whole range is the same spot with the bet locked in."""
    locked = solve_subgame(
        {**RIVER, "locks": [{"node": "", "strategy": {"Bet(50)": 1}}]}, max_iterations=400
    )  # fmt: skip
    inside = solve_subgame({**RIVER, "bets": [50, 0], "to_act": "ip"}, max_iterations=400)
    assert inside.solver.tree.nodes[0].actions[:2] == ("Fold", "Call")
    # The EV inside counts chips from its own root on, so the bet of 50 lies in the pot already.
    expected = (locked.expected_values[0] + 50, locked.expected_values[1])
    tolerance = 2 * (locked.exploitability + inside.exploitability) + 1e-3
    assert inside.expected_values == pytest.approx(expected, abs=tolerance)


APART: dict[str, Any] = {
    **TURN,
    "range_oop": "AhAd, KhKd, QhQd, JhTh, 9h8h, 7d6d, 5h4h",
    "range_ip": "AcAs, KcKs, QcTc, JsTs, 9c9s, 8s7s, 5c4c",
    "bet_sizes": {"turn": {"bet": "75%", "raise": "a"}},
}
"""No card is in both ranges, so the mean over the opponent's hands is exact for each hand."""


def test_given_strategies_are_played_and_locked_ones_stay() -> None:
    """A river in which oop always checks and ip always checks behind is a showdown: the pot is shared by equity."""
    solver = SubgameSolver(spot(RIVER))
    for number, node in enumerate(solver.tree.nodes):
        if node.actions:
            passive = np.zeros((len(solver.hands[node.player]), len(node.actions)))
            passive[:, node.actions.index("Check" if "Check" in node.actions else "Call")] = 1.0
            solver.set_average(number, passive)
            if node.player == 0:
                solver.lock(number, passive)
    exact = equity(RIVER["range_oop"], RIVER["range_ip"], board=parse_cards(RIVER["board"])).equity
    assert solver.expected_values()[0] == pytest.approx(RIVER["pot"] * exact, abs=0.01)
    solver.solve(max_iterations=50)
    assert solver.average_strategy(0)[:, 0] == pytest.approx(1.0)
    # Whoever may bet into a player who never folds gains by it.
    assert solver.expected_values()[0] < RIVER["pot"] * exact - 1.0


class Doorkeeper:
    """A gadget whose player never enters with his first hand."""

    player = 1

    def __init__(self, weights: npt.NDArray[np.float32]) -> None:
        self.weights = weights.copy()
        self.weights[0] = 0.0
        self.heard = 0

    def entering(self) -> npt.NDArray[np.float32]:
        return self.weights

    def learn(self, values: npt.NDArray[np.float32]) -> None:
        assert values.shape == self.weights.shape
        self.heard += 1


def test_a_gadget_decides_who_enters() -> None:
    narrow = spot(RIVER)
    hands = np.flatnonzero(narrow.ranges[1] > 0)
    gadget = Doorkeeper(narrow.ranges[1][hands].astype(np.float32))
    solver = SubgameSolver(narrow, gadget=gadget)
    solver.solve(max_iterations=50)
    assert gadget.heard == 50 // ITERATIONS_PER_ENTRY
    without = narrow.ranges[1].copy()
    without[hands[0]] = 0.0
    removed = SubgameSolver(replace(narrow, ranges=(narrow.ranges[0], without)))
    removed.solve(max_iterations=50)
    # OOP learns against the same hands, so his strategy at the root is the same.
    assert np.abs(solver.average_strategy(0) - removed.average_strategy(0)).max() < 1e-3


def test_hands_that_meet_nobody_have_no_value() -> None:
    ranges = {"range_oop": "AsAh, KhKd", "range_ip": "AsAc, AsAd, AhAc, AhAd"}
    solution = solve_subgame({**RIVER, **ranges}, max_iterations=5)
    values = solution.solver.hand_values(0)
    assert np.isnan(values[hole_index(*parse_cards("AsAh"))])
    assert solution.to_plain()["ev_of_hands_oop"]["AsAh"] is None


def test_threads_that_the_system_refuses_are_one_sentence_and_nobody_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    solver = SubgameSolver(spot(TURN), threads=4).allocate()
    solver.solve(max_iterations=1)
    start = threading.Thread.start
    started: list[threading.Thread] = []

    def start_two(thread: threading.Thread) -> None:
        if len(started) == 2:
            raise RuntimeError("can't start new thread")
        started.append(thread)
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", start_two)
    with pytest.raises(ConfigError, match="4 threads cannot be started here"):
        solver.solve(max_iterations=1)
    assert not any(thread.is_alive() for thread in started)
