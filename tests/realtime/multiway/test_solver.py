"""The sampled solver for three to six players, against exact values from every deal of small ranges."""

from itertools import product

import numpy as np
import numpy.typing as npt
import pytest

from holdem.abstraction.betting.payoffs import reference_payoffs
from holdem.abstraction.betting.tree import NodeKind
from holdem.cards import Range, evaluate
from holdem.cards.cards import hole_cards
from holdem.errors import HoldemError
from holdem.game.actions import Action
from holdem.game.agent import PublicState, public_state
from holdem.game.game import Game
from holdem.realtime.multiway.solver import MultiwaySolver
from holdem.realtime.search.street_tree import Menu, StreetTree, street_tree

CALL = Action.check_or_call()
RANGES = ("AA, KQs, 76s", "KK, AQs, 98s", "QQ, AJs, T9s")
SMALL = Menu("75%", "a", 2)

Deal = tuple[tuple[int, ...], float]


def river_state(bet: int | None = None) -> PublicState:
    """Three players who limped in and checked to the river, perhaps with a bet of the first of them."""
    hand = Game.from_preset("threemax_100bb").new_hand(4)
    for _ in range(9):
        hand.act(CALL)
    if bet:
        hand.act(Action.raise_to(bet))
    return public_state(hand)


def weights() -> npt.NDArray[np.float64]:
    return np.stack([Range.parse(text).weights for text in RANGES])


def all_deals(ranges: npt.NDArray[np.float64], board: tuple[int, ...]) -> list[Deal]:
    """Every triple of hands without a common card, with its weight."""
    hands = [[h for h in np.flatnonzero(row).tolist() if not set(hole_cards(h)) & set(board)] for row in ranges]
    deals = []
    for triple in product(*hands):
        cards = [card for hand in triple for card in hole_cards(hand)]
        if len(set(cards)) == len(cards):
            deals.append((triple, float(np.prod([ranges[p, h] for p, h in enumerate(triple)]))))
    return deals


class Exact:
    """Values of a strategy profile and best responses to it, by going through every deal at every node."""

    def __init__(self, street: StreetTree, board: tuple[int, ...], solver: MultiwaySolver) -> None:
        tree = self.tree = street.tree
        self.deals = all_deals(weights(), board)
        decisions = np.flatnonzero(tree.kind == NodeKind.DECISION).tolist()
        self.policy = {node: solver.policy(node) for node in decisions}
        self.strength = {h: evaluate(hole_cards(h) + board) for triple, _ in self.deals for h in triple}

    def values(self, player: int, best: bool) -> float:
        """What a player wins on average: by the profile, or by the best answer to the others."""
        total = sum(weight for _, weight in self.deals)
        reached = dict(self.deals)
        return sum(self._walk(0, player, best, reached).values()) / total

    def _walk(self, node: int, player: int, best: bool, reached: dict[tuple[int, ...], float]) -> dict[int, float]:
        """By hand of `player`: the value of all deals that come here, times how often the others let them come."""
        tree = self.tree
        values: dict[int, float] = {}
        if tree.kind[node] != NodeKind.DECISION:
            folded = {p for p in range(3) if int(tree.folded[node]) >> p & 1}
            for triple, weight in reached.items():
                won = reference_payoffs(tree.chips_in[node].tolist(), folded, [self.strength[h] for h in triple])
                values[triple[player]] = values.get(triple[player], 0.0) + weight * won[player]
            return values
        actor, policy = int(tree.player[node]), self.policy[node]
        options = []
        for place, child in enumerate(tree.children(node)):
            moved = reached
            if actor != player:
                moved = {triple: weight * policy[triple[actor], place] for triple, weight in reached.items()}
            options.append(self._walk(child, player, best, moved))
        for hand in options[0]:
            row = [option[hand] for option in options]
            if actor != player:
                values[hand] = sum(row)
            else:
                values[hand] = max(row) if best else sum(p * v for p, v in zip(policy[hand], row, strict=True))
        return values


def test_three_players_come_close_to_an_equilibrium_of_every_deal() -> None:
    state = river_state()
    street = street_tree(state, SMALL)
    solver = MultiwaySolver.build(street, weights(), state.board, seed=1)
    gains = []
    for iterations in (20, 8_000):
        solver.run(iterations - solver.iterations)
        exact = Exact(street, state.board, solver)
        profile = [exact.values(player, best=False) for player in range(3)]
        assert sum(profile) == pytest.approx(0.0, abs=1e-3)  # chips in float32, nothing is lost
        gains.append(sum(exact.values(player, best=True) - profile[player] for player in range(3)))
    # The pot is 300 chips. Regrets of sampled CFR shrink with the root of the iterations: 20 times from 20 to 8,000.
    assert gains[1] < gains[0] / 5
    assert gains[1] < 0.03 * state.pot  # all-in is 99 times the pot, and one sampled deal weighs as much


def test_action_values_are_those_of_the_profile() -> None:
    state = river_state(bet=200)
    street = street_tree(state, SMALL)
    assert state.seat == 1 and street.tree.player[street.decision] == state.position
    solver = MultiwaySolver.build(street, weights(), state.board, seed=2)
    solver.run(4_000)
    policy, values = solver.policy(street.decision), solver.action_values()
    hands = np.flatnonzero(weights()[state.position])
    hands = np.array([h for h in hands if not set(hole_cards(int(h))) & set(state.board)])
    # Folding loses the limp, whatever the sample.
    assert values[hands, 0] == pytest.approx(np.full(len(hands), -100.0), rel=1e-4)
    taken = (policy[hands] * values[hands]).sum(axis=1)
    # What the actions taken miss of the best one is regret: on average below a twentieth of the pot.
    assert (values[hands].max(axis=1) - taken).mean() < 0.05 * state.pot


def test_a_hand_that_was_not_sampled_has_no_values() -> None:
    """One iteration deals one hand to each of the others; a hand that shares a card with one of them is not walked."""
    state = river_state(bet=200)
    solver = MultiwaySolver.build(street_tree(state, SMALL), weights(), state.board, seed=2)
    solver.run(1)
    folds = solver.action_values()[:, 0]
    assert np.isnan(folds).any()
    assert folds[~np.isnan(folds)] == pytest.approx(-100.0, rel=1e-4)


def test_the_same_seed_gives_the_same_strategy_and_another_one_does_not() -> None:
    state = river_state()
    street = street_tree(state, SMALL)
    runs = []
    for seed, pieces in ((1, (50,)), (1, (20, 30)), (2, (50,))):
        solver = MultiwaySolver.build(street, weights(), state.board, seed=seed)
        for piece in pieces:
            solver.run(piece)
        runs.append(solver.policy(0))
    assert np.array_equal(runs[0], runs[1])
    assert not np.array_equal(runs[0], runs[2])


def test_a_deadline_in_the_past_stops_at_once() -> None:
    state = river_state()
    solver = MultiwaySolver.build(street_tree(state, SMALL), weights(), state.board)
    assert solver.run(10, deadline=0.0) == 0
    assert solver.policy(0) == pytest.approx(np.full((1326, 2), 0.5))


def test_locked_strategies_stay() -> None:
    state = river_state(bet=200)
    street = street_tree(state, SMALL)
    count = int(street.tree.num_actions[0])
    fixed = np.zeros((1326, count))
    fixed[:, street.line[1] - int(street.tree.first_child[0])] = 1.0
    solver = MultiwaySolver.build(street, weights(), state.board, locked={0: fixed})
    solver.run(50)
    assert np.array_equal(solver.policy(0), fixed)


def test_the_bet_on_the_table_is_a_size_of_the_tree() -> None:
    state = river_state(bet=417)
    street = street_tree(state, SMALL)
    tree = street.tree
    assert street.line == (0, *(c for c in tree.children(0) if tree.amount[c] == 417))
    assert tree.chips_in[street.decision].tolist() == [517, 100, 100]


def test_empty_ranges_are_refused_in_one_sentence() -> None:
    state = river_state()
    empty = weights()
    empty[1] = 0.0
    with pytest.raises(HoldemError, match="range of position 1 is empty"):
        MultiwaySolver.build(street_tree(state, SMALL), empty, state.board)
    with pytest.raises(HoldemError, match="3 positions need"):
        MultiwaySolver.build(street_tree(state, SMALL), empty[:2], state.board)
