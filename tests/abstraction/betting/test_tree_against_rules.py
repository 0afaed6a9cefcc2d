"""Random walks down betting trees, played along on the rules: turns, limits, chips, streets, endings."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from holdem.abstraction.betting.payoffs import payoffs
from holdem.abstraction.betting.tree import ActionCode, BettingTree, NodeKind, build_tree
from holdem.cards import evaluate
from holdem.game import ActionKind, Hand, load_preset
from holdem.game.actions import Action
from holdem.game.deal import shuffled_deal
from holdem.types import BettingConfig, GameConfig, PositionMenus, StreetMenus

WALKABLE_PRESETS = ["headsup_100bb", "jam_or_fold_10bb", "short_rank"]


def new_hand(config: GameConfig, generator: np.random.Generator) -> Hand:
    """A hand with known cards whose button is the last seat, so that seats are positions."""
    button = config.num_players - 1
    holes, board = shuffled_deal(config, generator, button, [None] * config.num_players, ())
    return Hand(config, holes, board, button=button)


def walk(tree: BettingTree, generator: np.random.Generator, smallest_raise_offered: bool = False) -> None:
    """Play one random hand on both."""
    hand = new_hand(tree.config, generator)
    node = 0
    while tree.kind[node] == NodeKind.DECISION:
        assert_same_decision(tree, node, hand)
        if smallest_raise_offered:
            assert_least_raise(tree, node, hand)
        node = tree.children(node)[generator.integers(int(tree.num_actions[node]))]
        action = tree.action_into(node)
        if not hand.legal_actions().allows(action):
            play_capped(tree, node, hand)
            return
        hand.act(action)
    assert_ended(tree, node, hand)


def assert_same_decision(tree: BettingTree, node: int, hand: Hand) -> None:
    """Whose turn it is, on which street, with which chips; and every action of the tree is legal."""
    assert hand.actor == tree.player[node]
    assert hand.street == tree.street[node]
    assert hand.contributions == tree.chips_in[node].tolist()
    assert hand.live == [not (tree.folded[node] >> position) & 1 for position in range(tree.num_players)]
    actions = [tree.action_into(child) for child in tree.children(node)]
    assert len(set(actions)) == len(actions)
    for action in actions:
        assert hand.legal_actions().allows(action) or is_capped(tree, node, action)


def assert_least_raise(tree: BettingTree, node: int, hand: Hand) -> None:
    """Raising is offered exactly when the rules allow it, from the smallest legal amount on."""
    street = tree.street[node]
    raises = [
        n for n in tree.path(node)[1:] if tree.street[tree.parent[n]] == street and tree.action[n] == ActionCode.RAISE
    ]
    if len(raises) >= tree.config.betting.max_raises[street]:
        return
    legal = hand.legal_actions()
    actions = [tree.action_into(child) for child in tree.children(node)]
    least = next((action for action in actions if action.kind is ActionKind.RAISE_TO), None)
    assert (least is not None) == legal.can_raise
    if least is not None:
        assert least.amount == legal.min_raise_to or is_capped(tree, node, least)


def is_capped(tree: BettingTree, node: int, action: Action) -> bool:
    """A raise below the legal minimum because no opponent has more: the engine returns what is above it."""
    player = int(tree.player[node])
    others = [p for p in range(tree.num_players) if p != player and not (tree.folded[node] >> p) & 1]
    child = tree.find_child(node, action)
    assert child is not None
    return bool(tree.chips_in[child, player] == max(tree.config.starting_stacks[p] for p in others))


def play_capped(tree: BettingTree, child: int, hand: Hand) -> None:
    """After a raise that covers everybody, opponents fold or call all-in; play them all calling."""
    limits = hand.legal_actions()
    assert limits.min_raise_to is not None
    hand.act(Action.raise_to(limits.min_raise_to))
    while tree.kind[child] == NodeKind.DECISION:
        assert hand.actor == tree.player[child]
        found = tree.find_child(child, Action.check_or_call())
        assert tree.num_actions[child] <= 2
        if found is None:
            found = tree.children(child)[0]
        hand.act(tree.action_into(found))
        child = found
    assert_ended(tree, child, hand)


def assert_ended(tree: BettingTree, node: int, hand: Hand) -> None:
    """The hand is over in the way and with the result that the terminal says."""
    assert hand.is_over
    assert (hand.live.count(True) == 1) == (tree.kind[node] == NodeKind.FOLD_WIN)
    seen = len(hand.board) >= 3
    strengths = [evaluate(cards + hand.board) if seen else 0 for cards in hand.hole_cards if cards]
    # The engine gives odd chips to seats, the tree splits exactly: less than a chip for each of the pots.
    expected = payoffs(tree, node, strengths).tolist()
    assert list(hand.payoffs) == pytest.approx(expected, abs=tree.num_players - 1)


@pytest.mark.parametrize("name", WALKABLE_PRESETS)
def test_presets_follow_the_rules(name: str) -> None:
    tree = build_tree(load_preset(name))
    generator = np.random.default_rng(7)
    for _ in range(60):
        walk(tree, generator)


@st.composite
def games(draw: st.DrawFn) -> GameConfig:
    """Hold'em with odd stacks, antes, straddles and short blinds."""
    players = draw(st.integers(2, 6))
    menu = "1c, 2.5x, a"  # one chip is lifted to the smallest legal raise
    stack = st.one_of(st.integers(1, 450), st.integers(200, 2500), st.sampled_from([60, 100, 1000]))
    return GameConfig(
        num_players=players,
        stacks=tuple(draw(stack) for _ in range(players)),
        ante=draw(st.sampled_from([0, 10])),
        straddle=draw(st.sampled_from([0, 200])) if players > 2 else 0,
        all_in_reopens=draw(st.booleans()),
        board_cards=(0, 3),
        betting=BettingConfig(
            sizes=StreetMenus(preflop=(menu,), flop=("1c, a",)),
            max_raises=(2, 1, 0, 0) if players > 3 else (3, 2, 0, 0),
            limps=draw(st.one_of(st.booleans(), st.just(("SB",)))),
            max_flop_players=draw(
                st.one_of(st.integers(2, 6), st.lists(st.integers(2, 6), min_size=1, max_size=3).map(tuple))
            ),
            invested_may_call=draw(st.integers(0, 3)),
            opens=draw(st.sampled_from([None, PositionMenus(SB="1c, 4x")])),
        ),
    )


@given(games(), st.integers(0, 2**32 - 1))
@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_odd_games_follow_the_rules(config: GameConfig, seed: int) -> None:
    tree = build_tree(config, node_limit=3_000_000)
    generator = np.random.default_rng(seed)
    for _ in range(8):
        walk(tree, generator, smallest_raise_offered=True)


@pytest.mark.parametrize("reopens", [False, True])
@pytest.mark.parametrize("stacks", [(350, 900, 1000), (900, 450, 2000), (1000, 1000, 330), (260, 330, 2000)])
def test_every_line_of_a_game_with_short_all_ins(stacks: tuple[int, ...], reopens: bool) -> None:
    betting = BettingConfig(sizes=StreetMenus(preflop=("1c, a",), flop=("a",)), max_raises=(5, 1, 0, 0))
    config = GameConfig(num_players=3, stacks=stacks, all_in_reopens=reopens, board_cards=(0, 3), betting=betting)
    tree = build_tree(config)
    pending = [(0, new_hand(config, np.random.default_rng(1)))]
    while pending:
        node, hand = pending.pop()
        if tree.kind[node] != NodeKind.DECISION:
            assert_ended(tree, node, hand)
            continue
        assert_same_decision(tree, node, hand)
        if tree.street[node] == 0:
            assert_least_raise(tree, node, hand)
        for child in tree.children(node):
            after, action = hand.copy(), tree.action_into(child)
            if hand.legal_actions().allows(action):
                after.act(action)
                pending.append((child, after))
            else:
                play_capped(tree, child, after)


def test_a_tree_offers_a_fold_exactly_when_the_rules_do() -> None:
    tree = build_tree(load_preset("short_rank"))
    kinds = dict.fromkeys(ActionKind, 0)
    for node in np.flatnonzero(tree.kind == NodeKind.DECISION):
        hand = Hand(tree.config, board=(32, 36, 40))
        for step in tree.path(int(node))[1:]:
            hand.act(tree.action_into(step))
        offered = {tree.action_into(child).kind for child in tree.children(int(node))}
        assert (ActionKind.FOLD in offered) == hand.can_fold()
        assert ActionKind.CHECK_OR_CALL in offered
        for kind in offered:
            kinds[kind] += 1
    assert min(kinds.values()) > 0
