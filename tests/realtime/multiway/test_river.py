"""Rivers of three without sampling: sums over pairs of hands, pots and strategies against every triple of hands."""

from itertools import product

import numpy as np
import numpy.typing as npt
import pytest

from benchmarks.three_way_judge import ThreeWayJudge
from holdem.abstraction.betting.payoffs import reference_payoffs
from holdem.abstraction.betting.tree import NodeKind
from holdem.cards import evaluate
from holdem.cards.cards import hole_cards
from holdem.errors import HoldemError
from holdem.game.actions import Action
from holdem.game.agent import PublicState, public_state
from holdem.game.game import Game
from holdem.realtime.multiway.kernels import pairs, river
from holdem.realtime.multiway.river import RiverSolver
from holdem.realtime.search.ranges import free_of
from holdem.realtime.search.street_tree import Menu, street_tree
from tests.realtime.multiway.every_deal import CALL, SMALL, Exact, river_state, weights

Floats = npt.NDArray[np.float64]


def some_hands(board: tuple[int, ...], count: int, seed: int) -> Floats:
    """(3, 1326): random weights for some of the same random hands, so that players block each other."""
    random = np.random.default_rng(seed)
    held = random.choice(np.flatnonzero(free_of(board)), count, replace=False)
    ranges = np.zeros((3, 1326))
    ranges[:, held] = random.random((3, count)) * (random.random((3, count)) < 0.8)
    return ranges


def share(kind: int, own: int, first: int, second: int) -> float:
    """Of a pot that is contested by none, one or both of the others."""
    rivals = [other for bit, other in ((1, first), (2, second)) if kind & bit]
    if any(other > own for other in rivals):
        return 0.0
    return 1.0 / (1 + sum(other == own for other in rivals))


def plain_sums(solver: RiverSolver, board: tuple[int, ...], kind: int, first: Floats, second: Floats) -> list[float]:
    """By going through all pairs for every hand."""
    hands = [hole_cards(int(hand)) for hand in solver._hands]
    strength = [evaluate(cards + board) for cards in hands]
    sums = [0.0] * len(hands)
    for own, a, b in product(range(len(hands)), repeat=3):
        if len({*hands[own], *hands[a], *hands[b]}) == 6:
            sums[own] += first[a] * second[b] * share(kind, strength[own], strength[a], strength[b])
    return sums


@pytest.mark.parametrize("kind", [pairs.ALL, pairs.BELOW_FIRST, pairs.BELOW_SECOND, pairs.BELOW_BOTH])
@pytest.mark.parametrize("seed", [4, 9])
def test_sums_over_pairs_are_those_of_every_triple(kind: int, seed: int) -> None:
    state = river_state()
    solver = RiverSolver.build(street_tree(state, SMALL), some_hands(state.board, 36, seed), state.board)
    first, second = (solver._tables.reach[solver._starts[p]] for p in (0, 1))
    found = np.zeros(len(solver._cards), np.float32)
    pairs.pair_sums(kind, first, second, solver._cards, solver._ends, solver._scratch, found)
    expected = plain_sums(solver, state.board, kind, first.astype(np.float64), second.astype(np.float64))
    # Sums of at most 36 * 36 products below 1, in single precision.
    assert found[: len(expected)] == pytest.approx(expected, abs=1e-3)


def uneven_river() -> PublicState:
    """Six seats of which three fold, two with chips in the pot; of the others one is nearly out of chips."""
    hand = Game.from_preset("sixmax_100bb").new_hand(3, stacks=(10_000, 10_000, 10_000, 900, 4_000, 10_000))
    for action in (Action.raise_to(300), CALL, CALL, Action.fold(), Action.fold(), Action.fold()):
        hand.act(action)
    while hand.street < 3:
        hand.act(CALL)
    return public_state(hand)


@pytest.mark.parametrize("uneven", [False, True])
def test_terminals_are_worth_what_the_rules_pay(uneven: bool) -> None:
    """Folds, pots of two and of three, side pots and dead chips, over every triple of hands."""
    state = uneven_river() if uneven else river_state()
    street = street_tree(state, Menu("75%, a", "a", 2))
    tree = street.tree
    live = [p for p in range(tree.num_players) if not int(tree.folded[0]) >> p & 1]
    ranges = np.zeros((tree.num_players, 1326))
    ranges[live] = some_hands(state.board, 14, 2)
    solver = RiverSolver.build(street, ranges, state.board)
    tables, found = solver._tables, solver._pairs
    pairs.corrections(
        np.arange(len(found.kinds)), found.kinds, found.rows, tables.reach, tables.beaten, tables.every, solver._cards,
        solver._ends, solver._scratch, found.correction,
    )  # fmt: skip
    hands = [hole_cards(int(hand)) for hand in solver._hands]
    strength = [evaluate(cards + state.board) for cards in hands]
    triples = [t for t in product(range(len(hands)), repeat=3) if len({c for k in t for c in hands[k]}) == 6]
    for p in range(3):
        river.terminal_values(solver._river, found, tables, 0, tree.num_nodes, p)
        for node in np.flatnonzero(tree.kind != NodeKind.DECISION).tolist():
            reach = [tables.reach[solver._river.own_row[node, q]] for q in range(3)]
            folded = {q for q in range(tree.num_players) if int(tree.folded[node]) >> q & 1}
            expected = np.zeros(len(hands))
            for triple in triples:
                strengths = [0] * tree.num_players
                for q, position in enumerate(live):
                    strengths[position] = strength[triple[q]]
                weight = float(np.prod([reach[q][triple[q]] for q in range(3) if q != p]))
                won = reference_payoffs(tree.chips_in[node].tolist(), folded, strengths)[live[p]]
                expected[triple[p]] += weight * won
            # Chips times weights: single precision of the largest.
            scale = max(1.0, float(np.abs(expected).max()))
            assert tables.values[node, : len(hands)] == pytest.approx(expected, abs=1e-4 * scale)


def test_three_players_come_close_to_an_equilibrium_in_few_iterations() -> None:
    state = river_state()
    street = street_tree(state, SMALL)
    solver = RiverSolver.build(street, weights(), state.board)
    solver.run(400)
    exact = Exact(street, state.board, solver)
    profile = [exact.values(player, best=False) for player in range(3)]
    assert sum(profile) == pytest.approx(0.0, abs=1e-3)
    gains = [exact.values(player, best=True) - profile[player] for player in range(3)]
    # All-in is 99 times the pot; the sampled solver has 0.9 per cent after 8,000 iterations.
    assert sum(gains) < 0.005 * state.pot
    # The judge of the benchmarks, by matrix products, says the same.
    judge = ThreeWayJudge(street.tree, weights(), state.board, solver.policy)
    assert judge.gains() == pytest.approx(gains, abs=1e-6 * state.pot)


def test_action_values_are_those_of_the_average_strategies() -> None:
    state = river_state(bet=200)
    street = street_tree(state, SMALL)
    solver = RiverSolver.build(street, weights(), state.board)
    solver.run(400)
    values = solver.action_values()
    hands = np.flatnonzero(weights()[state.position] * free_of(state.board))
    # Folding loses the limp, in single precision.
    assert values[hands, 0] == pytest.approx(np.full(len(hands), -100.0), rel=1e-4)
    taken = (solver.policy(street.decision)[hands] * values[hands]).sum(axis=1)
    assert (values[hands].max(axis=1) - taken).mean() < 0.02 * state.pot
    assert np.isnan(values[~free_of(state.board)]).all()


def test_pieces_of_a_solve_are_the_whole_and_a_deadline_in_the_past_stops_at_once() -> None:
    state = river_state()
    whole, pieces = (RiverSolver.build(street_tree(state, SMALL), weights(), state.board) for _ in range(2))
    assert whole.run(10, deadline=0.0) == 0
    whole.run(30)
    pieces.run(10)
    pieces.run(20)
    assert np.array_equal(whole.policy(0), pieces.policy(0))


def test_locked_strategies_stay() -> None:
    state = river_state(bet=200)
    street = street_tree(state, SMALL)
    fixed = np.zeros((1326, int(street.tree.num_actions[0])))
    fixed[:, street.line[1] - int(street.tree.first_child[0])] = 1.0
    solver = RiverSolver.build(street, weights(), state.board, locked={0: fixed})
    solver.run(20)
    held = np.flatnonzero(weights()[0] * free_of(state.board))
    assert np.array_equal(solver.policy(0)[held], fixed[held])


def test_what_is_not_a_river_of_three_is_refused_in_one_sentence() -> None:
    state = river_state()
    street = street_tree(state, SMALL)
    with pytest.raises(HoldemError, match="not three on a river"):
        RiverSolver.build(street, weights(), state.board[:4])
    empty = weights()
    empty[1] = 0.0
    with pytest.raises(HoldemError, match="range of position 1 is empty"):
        RiverSolver.build(street, empty, state.board)
