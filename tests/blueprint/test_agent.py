"""A blueprint at real tables: exact on its tree, translated beside it, legal everywhere."""

import random
from pathlib import Path

import numpy as np
import pytest

from holdem.abstraction.betting.row_layout import layout_rows
from holdem.abstraction.betting.tree import NodeKind, build_tree
from holdem.blueprint.agent import BlueprintAgent
from holdem.blueprint.buckets import PolicyBuckets
from holdem.cards.cards import HOLE_CARDS, hole_index
from holdem.errors import ArtifactError, ConfigError
from holdem.game import Action, Game, GameConfig, Hand, observe, play_duplicate, public_state
from holdem.game.presets import load_preset
from holdem.policy.policy import AveragePolicy, BucketReference, PolicyInfo
from tests.cli.runs import save_heads_up, save_toy
from tests.game.tables import play

BUCKETS = (169, 2, 2, 2)


class ByCards(PolicyBuckets):
    """Buckets that need no files: the sum of the cards, so that different hands are in different buckets."""

    def __init__(self, policy: AveragePolicy) -> None:
        super().__init__(AveragePolicy(PolicyInfo(policy.config, BUCKETS, 1), policy.table))

    def _bucket(self, hole: tuple[int, ...], board: tuple[int, ...]) -> int:
        return (sum(hole) + sum(board)) % BUCKETS[{0: 0, 3: 1, 4: 2, 5: 3}[len(board)]]

    def _of_holes(self, board: tuple[int, ...]) -> np.ndarray:
        pairs = [tuple(pair) for pair in HOLE_CARDS.tolist()]
        return np.array([-1 if set(pair) & set(board) else self._bucket(pair, board) for pair in pairs])


def make_agent(config: GameConfig, seed: int = 1) -> BlueprintAgent:
    tree = build_tree(config)
    sums = np.random.default_rng(seed).random(layout_rows(tree, BUCKETS).entries)
    policy = AveragePolicy.from_strategy_sums(PolicyInfo(config, BUCKETS, 1), sums, tree)
    return BlueprintAgent(policy, "random blueprint", ByCards(policy))


def config(num_players: int = 2, **changes: object) -> GameConfig:
    menus = {"preflop": "3x, a", "flop": "50%, 100%, a", "turn": "100%", "river": "a"}
    base = {"num_players": num_players, "stacks": 3_000, "betting": {"sizes": menus, "max_raises": 2}}
    return GameConfig.model_validate({**base, **changes})


@pytest.fixture(scope="module")
def agent() -> BlueprintAgent:
    return make_agent(config())


def table_of(agent: BlueprintAgent, actions: str = "", **changes: object) -> Hand:
    hand = Game(agent.policy.config).new_hand(3, **changes)  # type: ignore[arg-type]
    return play(hand, actions)


def shares(agent: BlueprintAgent, hand: Hand) -> dict[str, float]:
    return {agent.policy.tree.describe(node): share for node, share in agent.node_probabilities(public_state(hand))}


def random_walk(agent: BlueprintAgent, rng: random.Random, hand: Hand) -> int:
    """Follow the tree at random with real actions, comparing at every decision; returns how many there were."""
    tree, node, count = agent.policy.tree, 0, 0
    while hand.actor is not None:
        state = public_state(hand)
        assert agent.node_probabilities(state) == [(node, 1.0)]
        actions, table = agent.range_policy(state)
        assert table.shape == (1326, len(actions))
        children = list(tree.children(node))
        assert agent.actions_at(node, state) == [tree.action_into(child) for child in children]
        for pair in rng.sample(range(1326), 20):
            bucket = agent.buckets.of_holes(hand.board)[pair]
            if bucket >= 0:
                np.testing.assert_allclose(table[pair], agent.policy.probabilities(node, int(bucket)))
        node = rng.choice(children)
        hand.act(tree.action_into(node))
        count += 1
    assert tree.kind[node] != NodeKind.DECISION
    return count


@pytest.mark.parametrize("players", [2, 3])
def test_on_its_own_tree_it_plays_exactly_its_policy(players: int) -> None:
    agent = make_agent(config(players))
    rng = random.Random(players)
    decisions = sum(random_walk(agent, rng, table_of(agent, button=rng.randrange(players))) for _ in range(80))
    assert decisions > 200


def test_what_it_draws_is_its_range_policy(agent: BlueprintAgent) -> None:
    """Each action is drawn exactly for the share of draws that range_policy gives it, on and off the tree."""
    for actions in ("", "r700", "r450 r1111", "c c r250"):
        hand = table_of(agent, actions)
        observation = observe(hand)
        choices, table = agent.range_policy(public_state(hand))
        expected = dict(zip(choices, table[hole_index(*observation.hole_cards)], strict=True))
        draws = [agent.choose(observation, (step + 0.5) / 2000) for step in range(2000)]
        for action, probability in expected.items():
            # A share of [0, 1) is hit by a grid of 2,000 points with an error of at most one point.
            assert abs(draws.count(action) / 2000 - probability) <= 1 / 2000 + 1e-9
        assert set(draws) <= set(expected)


def test_a_bet_between_two_sizes_is_translated(agent: BlueprintAgent) -> None:
    """The flop has 50 %, 100 % and all-in. 75 % is the smaller with (B - x)(1 + A) / ((B - A)(1 + x)) = 3/7."""
    hand = table_of(agent, "r300 c r450")
    assert shares(agent, hand) == {
        "SB raise 3bb, BB call | BB bet 3bb": pytest.approx(3 / 7),
        "SB raise 3bb, BB call | BB bet 6bb": pytest.approx(4 / 7),
    }


def test_the_mixture_is_over_whole_paths(agent: BlueprintAgent) -> None:
    """Two bets off the tree: the product of both translations, the second in pots of the real table."""
    hand = table_of(agent, "r300 c r450 r1400")
    (low, middle) = 3 / 7, 4 / 7
    paths = shares(agent, hand)
    assert sum(paths.values()) == pytest.approx(1.0)
    assert sum(share for line, share in paths.items() if "bet 3bb" in line) == pytest.approx(low)
    assert sum(share for line, share in paths.items() if "bet 6bb" in line) == pytest.approx(middle)


def test_a_tiny_bet_may_be_a_check() -> None:
    """A sixth of the pot between check (0) and half a pot, by the formula with A = 0."""
    deep = make_agent(config(stacks=30_000))
    size = 100 / 600
    paths = shares(deep, table_of(deep, "r300 c r100"))
    assert paths["SB raise 3bb, BB call | BB check"] == pytest.approx((0.5 - size) / (0.5 * (1.0 + size)))


def test_a_tiny_bet_that_would_close_the_street_is_the_smallest_bet() -> None:
    deep = make_agent(config(stacks=30_000))
    assert shares(deep, table_of(deep, "r300 c c r100")) == {
        "SB raise 3bb, BB call | BB check, SB bet 3bb": pytest.approx(1.0)
    }


def test_stakes_do_not_matter(agent: BlueprintAgent) -> None:
    """The same table in other chips: the same nodes, and every bet scaled."""
    scaled = config(stacks=6_000, small_blind=100, big_blind=200)
    for actions in ("", "r300 c", "r300 c r450", "r300 c c r300 r900"):
        hand = table_of(agent, actions)
        doubled = " ".join(f"r{2 * int(word[1:])}" if word[0] == "r" else word for word in actions.split())
        other = play(Game(scaled).new_hand(3), doubled)
        assert agent.node_probabilities(public_state(other)) == agent.node_probabilities(public_state(hand))
        here, table = agent.range_policy(public_state(hand))
        there, scaled_table = agent.range_policy(public_state(other))
        assert [action.amount * 2 for action in here] == [action.amount for action in there]
        np.testing.assert_array_equal(table, scaled_table)


def test_an_all_in_is_an_all_in_after_the_pot_has_drifted(agent: BlueprintAgent) -> None:
    """After a bet off the tree the real pot is not the tree's, and still everything is in."""
    hand = table_of(agent, "r450 c r2550")
    assert all(line.endswith("all-in") for line in shares(agent, hand))
    actions, _ = agent.range_policy(public_state(table_of(agent, "r450 c")))
    assert actions[-1] == Action.raise_to(2_550)


def test_with_deeper_stacks_the_trees_all_in_is_a_bet_of_that_size(agent: BlueprintAgent) -> None:
    hand = table_of(agent, stacks=(9_000, 9_000))
    actions, _ = agent.range_policy(public_state(hand))
    assert actions[-1] == Action.raise_to(3_000)
    hand = table_of(agent, stacks=(1_000, 9_000))
    assert max(action.amount for action in agent.range_policy(public_state(hand))[0]) <= 9_000


def test_more_raises_than_the_tree_has(agent: BlueprintAgent) -> None:
    """A similar node stands in: the same position and street, facing a bet."""
    hand = table_of(agent, "r200 r300 r400 r500")
    ((node, share),) = agent.node_probabilities(public_state(hand))
    tree = agent.policy.tree
    assert share == 1.0
    assert (tree.player[node], tree.street[node]) == (1, 0)
    assert tree.chips_in[node].max() > tree.chips_in[node, 1]
    assert sum(agent.walk.stand_ins.values()) > 0


def test_without_training_it_does_not_raise() -> None:
    """All rows unvisited: check if it is free, else fold as often as call."""
    rules = config()
    tree = build_tree(rules)
    table = np.zeros(layout_rows(tree, BUCKETS).entries, dtype=np.uint16)
    policy = AveragePolicy(PolicyInfo(rules, BUCKETS, 1), table)
    agent = BlueprintAgent(policy, "untrained", ByCards(policy))
    for actions, expected in (("r300", [0.5, 0.5, 0.0, 0.0]), ("r300 c", [1.0, 0.0, 0.0, 0.0])):
        state = public_state(table_of(agent, actions))
        choices, rows = agent.range_policy(state)
        held = agent.buckets.of_holes(state.board) >= 0
        np.testing.assert_array_equal(rows[held], np.tile(expected, (int(held.sum()), 1)))
        assert {agent.choose(observe(table_of(agent, actions)), draw) for draw in (0.1, 0.4, 0.6, 0.9)} == {
            choice for choice, share in zip(choices, expected, strict=True) if share
        }


def test_a_street_that_the_tree_never_plays() -> None:
    """Jam or fold knows no flop: it checks, and folds to a bet."""
    jam = load_preset("jam_or_fold_10bb")
    tree = build_tree(jam)
    buckets = (169, 1, 1, 1)
    sums = np.ones(layout_rows(tree, buckets).entries)
    agent = BlueprintAgent(AveragePolicy.from_strategy_sums(PolicyInfo(jam, buckets, 1), sums, tree))
    hand = play(Game(GameConfig(stacks=(1_000,))).new_hand(1), "c c")
    assert agent.node_probabilities(public_state(hand)) == []
    assert agent.act(observe(hand)) == Action.check_or_call()
    play(hand, "r500")
    actions, table = agent.range_policy(public_state(hand))
    assert actions == [Action.fold()]
    assert (table == 1.0).all()


def wild_action(rng: random.Random, hand: Hand) -> Action:
    legal = hand.legal_actions()
    if legal.min_raise_to is not None and legal.max_raise_to is not None and rng.random() < 0.5:
        top = rng.choice((legal.min_raise_to, min(legal.max_raise_to, 3 * legal.min_raise_to), legal.max_raise_to))
        return Action.raise_to(rng.randint(legal.min_raise_to, top))
    return Action.fold() if legal.can_fold and rng.random() < 0.1 else Action.check_or_call()


@pytest.mark.parametrize("players", [2, 3, 4])
def test_it_is_legal_against_anything(players: int) -> None:
    """Random stacks, stakes and bets, blinds all-in, trees without limps: a legal action, and rows of sum 1."""
    menus = {"preflop": "3x, a", "flop": "50%", "turn": "100%", "river": "100%, a"}
    betting = {"sizes": menus, "max_raises": 2, "limps": players == 2, "max_flop_players": 2}
    agent = make_agent(config(players, betting=betting))
    rng = random.Random(players)
    for seed in range(60):
        blind = rng.choice((2, 100))
        rules = GameConfig(num_players=players, small_blind=blind // 2, big_blind=blind, ante=rng.choice((0, 1)))
        stacks = [rng.randint(1, rng.choice((3, 30, 200)) * blind) for _ in range(players)]
        hand = Game(rules).new_hand(seed, button=rng.randrange(players), stacks=stacks)
        while hand.actor is not None:
            observation = observe(hand, seed)
            action = agent.act(observation)
            assert observation.legal.allows(action)
            actions, table = agent.range_policy(observation.public())
            assert all(observation.legal.allows(choice) for choice in actions)
            assert action in actions
            np.testing.assert_allclose(table.sum(axis=1), 1.0)
            hand.act(action if rng.random() < 0.5 else wild_action(rng, hand))


def test_a_self_match_off_the_tree_is_exactly_zero(agent: BlueprintAgent) -> None:
    game = Game(GameConfig(stacks=(7_100, 2_350)))
    for deal in range(20):
        assert play_duplicate(game, [agent, agent], deal) == (0, 0)


def test_another_number_of_players_is_refused(agent: BlueprintAgent) -> None:
    hand = Game(GameConfig(num_players=3)).new_hand(1)
    with pytest.raises(ConfigError, match="trained for 2 players, and this table has 3"):
        agent.act(observe(hand))


def test_lossless_buckets_and_names(tmp_path: Path) -> None:
    agent = BlueprintAgent.open(save_toy(tmp_path, "short_rank", board_cards=(0, 3), ranks="KA", stacks=(300,)))
    assert agent.name == str(tmp_path)
    game = Game(agent.policy.config)
    for deal in range(5):
        assert play_duplicate(game, [agent, agent], deal) == (0, 0)


def test_files_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ArtifactError, match="missing"):
        BlueprintAgent.open(tmp_path / "nothing")
    save_toy(tmp_path / "leduc", "leduc")
    with pytest.raises(ConfigError, match="not played at a hold'em table"):
        BlueprintAgent.open(tmp_path / "leduc")
    save_heads_up(tmp_path / "run")  # names a bucket manifest that is not there
    with pytest.raises(ArtifactError, match=r"buckets\.pkl is missing"):
        BlueprintAgent.open(tmp_path / "run")


def test_buckets_of_another_run_are_refused(agent: BlueprintAgent) -> None:
    info = PolicyInfo(agent.policy.config, BUCKETS, 1, BucketReference("b.pkl", "abc"))

    class Other:
        content_hash, path = "def", Path("other.pkl")

    with pytest.raises(ArtifactError, match=r"other\.pkl is not the one"):
        PolicyBuckets(AveragePolicy(info, agent.policy.table), Other())  # type: ignore[arg-type]
