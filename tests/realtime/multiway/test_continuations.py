"""Leaves of a street and how they are played out with the blueprint: the kernel against plain Python."""

import numpy as np
import pytest

from holdem.abstraction.betting.payoffs import reference_payoffs
from holdem.abstraction.betting.tree import NodeKind
from holdem.blueprint.agent import BlueprintAgent
from holdem.cards import evaluate
from holdem.cards.cards import hole_cards
from holdem.game.actions import Action
from holdem.game.agent import PublicState, public_state
from holdem.game.game import Game
from holdem.realtime.multiway.continuations import continued_nodes, leaves_of
from holdem.realtime.multiway.kernels import arrays
from holdem.realtime.multiway.kernels.deal import deal_board, draw_hands
from holdem.realtime.multiway.kernels.playout import play_out
from holdem.realtime.multiway.solver import Continuations, MultiwaySolver
from holdem.realtime.search.blueprint_match import street_root_in
from holdem.realtime.search.ranges import SeatRanges
from holdem.realtime.search.street_tree import Menu, StreetTree, street_tree
from tests.evaluation.blueprints import holdem_blueprint, holdem_config

CALL = Action.check_or_call()
MENU = Menu("100%", "100%", 1)


@pytest.fixture(scope="module")
def blueprint() -> BlueprintAgent:
    return holdem_blueprint(holdem_config(3), seed=5)


def flop_state() -> PublicState:
    hand = Game(holdem_config(3)).new_hand(11)
    for _ in range(3):
        hand.act(CALL)
    return public_state(hand)


def solver_for(blueprint: BlueprintAgent) -> tuple[MultiwaySolver, StreetTree]:
    state = flop_state()
    street = street_tree(state, MENU)
    ranges = SeatRanges.all_hands(3).after_board(state.board).weights
    continuations = Continuations(blueprint, street_root_in(blueprint, state))
    return MultiwaySolver.build(street, ranges, state.board, continuations, seed=3), street


def test_every_leaf_goes_on_at_the_same_line_of_the_blueprint(blueprint: BlueprintAgent) -> None:
    street = street_tree(flop_state(), MENU)
    root = street_root_in(blueprint, flop_state())
    found = continued_nodes(street.tree, blueprint.walk, root)
    leaves = np.flatnonzero(leaves_of(street.tree)).tolist()
    assert leaves
    tree = blueprint.policy.tree
    for leaf in leaves:
        there = int(found[leaf])
        assert tree.kind[there] == NodeKind.DECISION and tree.street[there] == 2
        assert tree.folded[there] == street.tree.folded[leaf]
        # The menu here is the blueprint's, so the chips are the same too.
        assert tree.chips_in[there].tolist() == street.tree.chips_in[leaf].tolist()


def split_mix(value: int) -> int:
    mask = (1 << 64) - 1
    mixed = (value + 0x9E3779B97F4A7C15) & mask
    mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & mask
    mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & mask
    return mixed ^ (mixed >> 31)


def plain_play_out(
    blueprint: BlueprintAgent, leaf_chips: list[int], start: int, holes: list[int], board: tuple[int, ...], seed: int,
    choices: list[int],
) -> list[float]:  # fmt: skip
    """Play one deal out in the blueprint's tree; the payoffs of all positions."""
    policy, tree, node = blueprint.policy, blueprint.policy.tree, start
    while tree.kind[node] == NodeKind.DECISION:
        player = int(tree.player[node])
        cards = board[: {2: 4, 3: 5}[int(tree.street[node])]]
        bucket = blueprint.buckets.bucket(tuple(sorted(hole_cards(holes[player]))), cards)
        weights = policy.probabilities(node, bucket).tolist()
        for place, child in enumerate(tree.children(node)):
            if choices[player] and tree.action[child] == choices[player] - 1:
                weights[place] *= arrays.BIAS
        wanted = (split_mix(seed ^ (node << 20)) >> 11) / 2.0**53 * sum(weights)
        place = 0
        while place < len(weights) - 1 and wanted - weights[place] >= 0.0:
            wanted -= weights[place]
            place += 1
        node = tree.children(node)[place]
    scale = sum(leaf_chips) / int(tree.chips_in[start].sum())
    stacks = tree.config.starting_stacks
    added = (tree.chips_in[node] - tree.chips_in[start]) * scale
    chips = [int(min(leaf_chips[p] + added[p] + 0.5, stacks[p])) for p in range(3)]
    folded = {p for p in range(3) if int(tree.folded[node]) >> p & 1}
    return reference_payoffs(chips, folded, [evaluate(hole_cards(h) + board) for h in holes])


def test_playing_out_is_what_plain_python_does(blueprint: BlueprintAgent) -> None:
    solver, street = solver_for(blueprint)
    solver.run(1)  # deals a board and draws hands
    deal, tree, bp = solver._deal, solver._arrays, solver._blueprint
    state = np.zeros(2, dtype=np.uint64)
    tables, widths = solver._buckets
    leaf = int(np.flatnonzero(tree.kind == arrays.LEAF)[0])
    values = np.zeros(1326, dtype=np.float32)
    checked = 0
    for iteration, choices in enumerate(([0, 0, 0], [2, 1, 3], [3, 3, 0], [1, 2, 2])):
        deal_board(deal, 3, tables, widths, 9, 100 + iteration, state)
        traverser = iteration % 3
        masks = np.array([(1 << a) | (1 << b) for a, b in (hole_cards(h) for h in range(1326))], dtype=np.int64)
        if not draw_hands(state, solver._cumulative, 0, traverser, masks, deal):
            continue
        seed = np.uint64(12345 + iteration)
        play_out(tree, bp, leaf, traverser, deal, 2, np.array([*choices, 0, 0, 0]), seed, values)
        board = tuple(int(card) for card in deal.board)
        for hand in np.flatnonzero(deal.valid)[::97].tolist():
            holes = deal.holes.tolist()
            holes[traverser] = hand
            chips = street.tree.chips_in[leaf].tolist()
            expected = plain_play_out(blueprint, chips, int(tree.continued[leaf]), holes, board, int(seed), choices)
            assert values[hand] == pytest.approx(expected[traverser], abs=0.01)
            checked += 1
    assert checked > 20


def test_a_flop_with_three_players_is_solved_to_its_leaves(blueprint: BlueprintAgent) -> None:
    solver, street = solver_for(blueprint)
    solver.run(30)
    policy = solver.policy(street.decision)
    assert policy.sum(axis=1) == pytest.approx(np.ones(1326))
    leaf = int(np.flatnonzero(solver._arrays.kind == arrays.LEAF)[0])
    first = int(solver._arrays.entry[leaf])
    searcher = int(street.tree.player[street.decision])
    regrets = solver._tables.regrets[first : first + 3 * arrays.CONTINUATIONS].reshape(3, arrays.CONTINUATIONS, 1326)
    assert not regrets[searcher].any(), "the searcher goes on with the blueprint as it is"
    assert all(regrets[p].any() for p in range(3) if p != searcher), "the others choose"
