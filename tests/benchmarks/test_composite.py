"""The best response to a composite strategy and its zero point, beside the solver on the same spots."""

import numpy as np
import pytest

from benchmarks.bench_composite import spot_for, spot_of
from benchmarks.composite import AGENT, ALL_IN, OPPONENT_SIZES, Ask, ComposedResponse, CompositeSpot, Sizes
from benchmarks.given_ranges import GivenRanges
from benchmarks.spots import few_hands, hand_at
from benchmarks.zero_point import ZeroSolver
from holdem.cards import evaluate
from holdem.cards.cards import HOLE_CARDS, NUM_CARDS, format_card
from holdem.game import records as rec
from holdem.game.actions import Action
from holdem.game.agent import PublicState
from holdem.realtime.search.ranges import SeatRanges
from holdem.realtime.search.street_tree import Menu
from holdem.realtime.search_controller import SearchController
from holdem.realtime.subgame.loop import SolveResult
from holdem.realtime.subgame.solution import Solution
from holdem.realtime.subgame.solver import SubgameSolver
from holdem.realtime.vector.root import SubgameRoot
from holdem.types import SearchConfig
from holdem.util.arrays import Float64
from tests.realtime.blueprints import CALL, random_blueprint, state_after

TO_TURN = [Action.raise_to(300), CALL, CALL, CALL]
TO_RIVER = [*TO_TURN, CALL, CALL]
POT_ONCE = Sizes(((1.0,),))


def solved(state: PublicState, ranges: SeatRanges, menu: Menu, iterations: int) -> SubgameSolver:
    solver = SubgameSolver(SubgameRoot.of(state).spot(ranges, menu)).allocate()
    solver.solve(max_iterations=iterations)
    return solver


def asking(solver: SubgameSolver, root: PublicState) -> Ask:
    """What the solver's average strategy does at any state after its root."""
    solution = Solution(solver, SolveResult(solver.iterations, 0.0, None, "iterations"))

    def ask(state: PublicState) -> tuple[list[Action], Float64]:
        path: list[str] = []
        facing = False
        for record in state.history[len(root.history) :]:
            match record:
                case rec.BoardDealt(cards=cards):
                    path, facing = [*path, format_card(cards[0])], False
                case rec.Bet(amount=amount) | rec.Raise(amount=amount):
                    path, facing = [*path, f"{'raise' if facing else 'bet'} {amount}"], True
                case rec.Check() | rec.Call():
                    path.append("call" if facing else "check")
        labels, policy = solution.strategy(", ".join(path))
        return [_action(label) for label in labels], policy

    return ask


def _action(label: str) -> Action:
    if label == "Fold":
        return Action.fold()
    return Action.raise_to(int(label.partition("(")[2].rstrip(")"))) if "(" in label else CALL


def responses(state: PublicState, ranges: SeatRanges, rivers: tuple[int, ...], ask: Ask, sizes: Sizes) -> list[float]:
    spots = [spot_for(state, ranges, rivers, seat) for seat in (state.seat, 1 - state.seat)]
    return [ComposedResponse(spot, ask, sizes).value() for spot in spots]


@pytest.mark.parametrize("iterations", [3, 40])
def test_best_responses_to_a_solved_river_are_its_exploitability(iterations: int) -> None:
    state = state_after(TO_RIVER)
    ranges = few_hands(state.board, 30, 1)
    solver = solved(state, ranges, Menu("50%, 100%, a", "100%", 2), iterations)
    found = responses(state, ranges, (), asking(solver, state), OPPONENT_SIZES)
    # The solver's single precision, and actions that are not followed: 1e-5 of a range times 6,000 chips.
    assert sum(found) / 2 == pytest.approx(solver.exploitability(), abs=0.15)
    assert sum(found) > 0.0


def test_a_turn_with_all_rivers_has_the_solvers_exploitability_and_value() -> None:
    state = state_after(TO_TURN)
    ranges = few_hands(state.board, 8, 2)
    solver = solved(state, ranges, Menu("100%", "a", 1), 10)
    rivers = tuple(card for card in range(NUM_CARDS) if card not in state.board)
    found = responses(state, ranges, rivers, asking(solver, state), POT_ONCE)
    assert sum(found) / 2 == pytest.approx(solver.exploitability(), abs=0.15)
    solver.solve(target_percent=0.05)
    zero = ZeroSolver(spot_for(state, ranges, rivers, state.seat), (POT_ONCE, POT_ONCE)).solve(0.05)
    # Both are exact to 0.05 % of the pot of 600.
    assert zero.value == pytest.approx(solver.expected_values()[1] - state.pot / 2, abs=0.6)
    assert zero.error <= 0.3


def test_all_ins_before_the_river_are_settled_over_the_rivers_that_may_come() -> None:
    state, ranges, rivers = spot_of(3, 4, 12)
    spot = spot_for(state, ranges, rivers, state.seat)
    chips, total = 0.0, 0.0
    for i, mine in enumerate(spot.hands[AGENT]):
        for j, theirs in enumerate(spot.hands[1]):
            first, second = HOLE_CARDS[mine].tolist(), HOLE_CARDS[theirs].tolist()
            if {*first} & {*second}:
                continue
            weight = spot.reach[AGENT][i] * spot.reach[1][j]
            strengths = [(evaluate((*second, *state.board, r)), evaluate((*first, *state.board, r))) for r in rivers]
            chips += weight * 10_000 * np.mean([np.sign(a - b) for a, b in strengths])
            total += weight
    jam = Action.raise_to(max(hand_at(state).stacks))

    def ask(asked: PublicState) -> tuple[list[Action], Float64]:
        return [jam], np.ones((1326, 1))

    # The agent is all-in with everything; an opponent who must call wins what the cards give it.
    class Calling(Sizes):
        def actions(self, hand: object) -> list[Action]:
            return [CALL]

    assert ComposedResponse(spot, ask, Calling(())).value() == pytest.approx(chips / total)


def test_menus_are_shares_of_the_pot_within_the_rules() -> None:
    hand = hand_at(state_after(TO_RIVER))  # 600 in the pot, 2,700 behind
    assert OPPONENT_SIZES.actions(hand) == [CALL, *map(Action.raise_to, (300, 600, 2_700))]
    hand.act(Action.raise_to(300))
    assert OPPONENT_SIZES.actions(hand) == [Action.fold(), CALL, Action.raise_to(1_500)]
    hand.act(Action.raise_to(1_500))
    assert OPPONENT_SIZES.actions(hand) == [Action.fold(), CALL]
    assert Sizes(((), (), (ALL_IN,))).actions(hand)[-1] == Action.raise_to(2_700)


def test_search_with_given_ranges_is_harder_to_exploit_than_the_blueprint() -> None:
    state = state_after(TO_TURN)
    rivers = tuple(card for card in range(NUM_CARDS) if card not in state.board)[5:7]
    ranges = few_hands((*state.board, *rivers), 10, 4)
    blueprint = random_blueprint()
    controller = GivenRanges(SearchController(blueprint, SearchConfig(iterations=30, min_iters=30)), ranges, 2)
    spot = CompositeSpot(hand_at(state), state.seat, ranges.weights[[state.seat, 1 - state.seat]], rivers)
    zero = ZeroSolver(spot).solve(0.5)
    lost = [
        ComposedResponse(spot, ask).value() - zero.value for ask in (controller.range_policy, blueprint.range_policy)
    ]
    assert -zero.error <= lost[0] < lost[1]
    assert controller.counts["search failed"] == 0
    after = state_after([*TO_TURN, CALL, Action.raise_to(300), CALL])
    assert np.array_equal(controller.ranges(state).weights, ranges.weights)
    held = controller.ranges(after).weights > 0
    assert held.any(axis=1).all() and not (held & (ranges.weights == 0)).any()
