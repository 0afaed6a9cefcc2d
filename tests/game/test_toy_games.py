"""Kuhn and Leduc against OpenSpiel, history by history; short-rank hold'em by counting."""

from collections.abc import Iterator

import numpy as np
import pyspiel
import pytest

from holdem.abstraction.betting.payoffs import payoffs
from holdem.abstraction.betting.tree import BettingTree, NodeKind, build_tree, count_tree
from holdem.cards import parse_cards
from holdem.errors import ConfigError
from holdem.game.actions import Action
from holdem.game.presets import load_preset
from holdem.game.toy_games import Deal, ToyGame, bucket_of, deal_count, deals, num_buckets, toy_game
from holdem.types import GameConfig


def load(name: str, **changes: object) -> GameConfig:
    return GameConfig.model_validate({**load_preset(name).model_dump(), **changes})


SAME_GAMES = [
    pytest.param(load("kuhn"), "kuhn_poker", 12, id="kuhn"),
    pytest.param(load("kuhn", num_players=3), "kuhn_poker(players=3)", 48, id="kuhn-3-players"),
    pytest.param(load("leduc"), "leduc_poker", 936, id="leduc"),
]


def histories(
    tree: BettingTree, game: ToyGame, deal: Deal, root: pyspiel.State
) -> Iterator[tuple[int, tuple[Action, ...], pyspiel.State]]:
    """Every node of the tree with the actions that lead there and OpenSpiel's state after them."""
    stack: list[tuple[int, tuple[Action, ...], pyspiel.State]] = [(0, (), root)]
    while stack:
        node, actions, state = stack.pop()
        if state.is_chance_node():
            state.apply_action(deal.board[0])
        yield node, actions, state
        for child in tree.children(node):
            action = tree.action_into(child)
            after = state.child(game.action_number(actions, action))
            stack.append((child, (*actions, action), after))


@pytest.mark.parametrize(("config", "name", "infosets"), SAME_GAMES)
def test_every_history_is_openspiels(config: GameConfig, name: str, infosets: int) -> None:
    tree, game = build_tree(config), toy_game(config)
    openspiel = pyspiel.load_game(name)
    seen: dict[tuple[int, str], tuple[int, int]] = {}
    probability = 0.0
    for deal in deals(game):
        root = openspiel.new_initial_state()
        for hole in deal.holes:
            root.apply_action(hole[0])
        probability += deal.probability
        for node, actions, state in histories(tree, game, deal, root):
            if tree.kind[node] != NodeKind.DECISION:
                assert state.is_terminal()
                strengths = [game.strength(hole, deal.board) for hole in deal.holes]
                assert payoffs(tree, node, strengths).tolist() == state.returns()
                continue
            player = int(tree.player[node])
            assert state.current_player() == player
            numbers = [game.action_number(actions, tree.action_into(child)) for child in tree.children(node)]
            assert numbers == state.legal_actions()
            board = deal.board[: config.board_cards[tree.street[node]]]
            text = game.information_state(player, deal.holes[player], board, actions)
            assert text == state.information_state_string()
            row = (node, bucket_of(game, deal.holes[player], board))
            assert seen.setdefault((player, text), row) == row
    assert probability == pytest.approx(1.0, abs=1e-12)
    assert len(seen) == infosets
    assert len(set(seen.values())) == infosets
    assert tree.counts.rows([num_buckets(game, street) for street in range(config.num_streets)]) == infosets


def test_number_of_deals() -> None:
    assert deal_count(toy_game(load("kuhn"))) == 6
    assert deal_count(toy_game(load("kuhn", num_players=3))) == 24
    assert deal_count(toy_game(load("leduc"))) == 120
    # C(20,2) holes, C(18,2) for the other player, C(16,3) flops
    assert deal_count(toy_game(load("short_rank"))) == 190 * 153 * 560


def test_short_rank_holdem_ranks_hands_as_holdem_does() -> None:
    game = toy_game(load("short_rank"))
    board = parse_cards("TcJcQc")
    best_first = ["KcAc", "KdAd", "QdQs", "JdJs", "TdQd", "AdAs", "KdAc"]
    assert [game.deck[0], len(game.deck)] == [parse_cards("Tc")[0], 20]
    strengths = {hand: game.strength(parse_cards(hand), board) for hand in best_first}
    assert strengths["KcAc"] > strengths["KdAd"] > strengths["QdQs"] > strengths["JdJs"] > strengths["TdQd"]
    assert strengths["KdAc"] == strengths["KdAd"]
    assert game.information_state(0, parse_cards("KcAc"), board, [Action.raise_to(250), Action.check_or_call()]) == (
        "0:KcAc|TcJcQc|r250,c"
    )


def test_buckets_are_a_numbering() -> None:
    game = toy_game(load("short_rank", ranks="TJ"))
    everything = list(deals(game))
    assert len(everything) == deal_count(game) == 28 * 15 * 4
    assert {bucket_of(game, deal.holes[0], ()) for deal in everything} == set(range(28))
    assert {bucket_of(game, deal.holes[1], deal.board) for deal in everything} == set(range(28 * 20))
    assert [num_buckets(game, street) for street in (0, 1)] == [28, 28 * 20]


def test_leduc_is_a_game_for_two() -> None:
    with pytest.raises(ConfigError, match="num_players: 2"):
        toy_game(load("leduc", num_players=3))


def test_kuhn_trees_have_their_known_sizes() -> None:
    assert count_tree(load("kuhn")).decisions.tolist() == [[2, 2]]
    assert count_tree(load("kuhn", num_players=3)).decisions.tolist() == [[4, 4, 4]]
    assert np.array_equal(count_tree(load("leduc")).decisions.sum(axis=1), [6, 30])
