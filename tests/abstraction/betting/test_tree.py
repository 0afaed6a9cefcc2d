"""Trees of known size, the shape of the arrays, and agreement of the kernel with its plain twin."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from holdem.abstraction.betting import reference_tree
from holdem.abstraction.betting.line import parse_line
from holdem.abstraction.betting.reference_tree import BettingState
from holdem.abstraction.betting.tree import (
    ActionCode,
    BettingTree,
    NodeKind,
    build_tree,
    count_tree,
    position_names,
)
from holdem.errors import ConfigError
from holdem.game.actions import Action
from holdem.types import BettingConfig, GameConfig, PositionMenus, StreetMenus


def same_menu(menu: str) -> StreetMenus:
    return StreetMenus(preflop=(menu,), flop=(menu,), turn=(menu,), river=(menu,))


HEADSUP = GameConfig(betting=BettingConfig(sizes=same_menu("50%, 100%, a")))


@pytest.fixture(scope="module")
def headsup() -> BettingTree:
    return build_tree(HEADSUP)


def test_the_half_pot_game_has_its_published_size() -> None:
    counts = count_tree(HEADSUP)
    assert counts.decision_nodes == 34_920
    assert counts.nodes == 90_794
    assert counts.rows((169, 200, 200, 200)) == 6_982_636  # 44 preflop nodes with 169, 34,876 with 200
    assert counts.closings.tolist() == [29, 485, 2977, 0]
    assert counts.decisions.sum(axis=1).tolist() == [44, 856, 6356, 27664]


def test_counts_agree_with_the_arrays(headsup: BettingTree) -> None:
    counts = headsup.counts
    assert counts.nodes == headsup.num_nodes
    assert counts.fold_wins == np.count_nonzero(headsup.kind == NodeKind.FOLD_WIN)
    assert counts.showdowns == np.count_nonzero(headsup.kind == NodeKind.SHOWDOWN)
    assert counts.decision_nodes + counts.fold_wins + counts.showdowns == counts.nodes
    assert counts.actions.sum() == counts.nodes - 1  # every node but the root is some action's child
    buckets = np.array([169, 5, 6, 7])
    decisions = headsup.kind == NodeKind.DECISION
    assert counts.rows(buckets.tolist()) == buckets[headsup.street[decisions]].sum()
    per_node = buckets[headsup.street[decisions]] * headsup.num_actions[decisions]
    assert counts.entries(buckets.tolist()) == per_node.sum()
    assert counts.table_bytes(buckets.tolist()) == 8 * per_node.sum()
    arrays = [value for value in vars(headsup).values() if isinstance(value, np.ndarray)]
    assert counts.tree_bytes == sum(array.nbytes for array in arrays)


def test_siblings_are_consecutive_and_subtrees_contiguous(headsup: BettingTree) -> None:
    seen = 1
    for node in range(headsup.num_nodes):
        children, below = headsup.children(node), headsup.descendants(node)
        assert all(headsup.parent[child] == node for child in children)
        assert len(below) == len(children) + sum(len(headsup.descendants(child)) for child in children)
        block = children.stop
        for child in children:
            assert headsup.descendants(child).start == block
            block = headsup.descendants(child).stop
        assert block == below.stop
        seen += len(children)
    assert seen == headsup.num_nodes


def test_six_players_grow_with_the_players_on_the_flop() -> None:
    """One size and limps: about 300,000 decisions if three may see a flop, 2.8 million if all may."""
    caps = (2, 2, 2, 1)
    limited = BettingConfig(sizes=same_menu("100%"), max_raises=caps, max_flop_players=3)
    unlimited = BettingConfig(sizes=same_menu("100%"), max_raises=caps)
    assert count_tree(GameConfig(num_players=6, betting=limited)).decision_nodes == 299_965
    assert count_tree(GameConfig(num_players=6, betting=unlimited)).decision_nodes == 2_779_864


def test_a_tree_beyond_the_limit_is_refused_with_ways_to_shrink_it() -> None:
    config = GameConfig(num_players=6, betting=BettingConfig(sizes=same_menu("50%, 100%, a")))
    with pytest.raises(ConfigError, match=r"more than 100,000 nodes.*max_flop_players: 3.*limps: false"):
        count_tree(config, node_limit=100_000)


def test_jam_or_fold_has_two_decisions() -> None:
    sizes = StreetMenus(preflop=("a",))
    config = GameConfig(stacks=(1000,), betting=BettingConfig(sizes=sizes, limps=False))
    tree = build_tree(config)
    assert [tree.describe(node) for node in range(tree.num_nodes)] == [
        "",
        "SB fold",
        "SB raise 10bb all-in",
        "SB raise 10bb all-in, BB fold",
        "SB raise 10bb all-in, BB call",
    ]
    assert tree.kind.tolist() == [0, NodeKind.FOLD_WIN, 0, NodeKind.FOLD_WIN, NodeKind.SHOWDOWN]


def test_a_path_is_described_and_found_again(headsup: BettingTree) -> None:
    node = 0
    check_or_call = Action.check_or_call()
    for action in (Action.raise_to(300), check_or_call, check_or_call, Action.raise_to(600)):
        child = headsup.find_child(node, action)
        assert child is not None
        node = child
    assert headsup.describe(node) == "SB raise 3bb, BB call | BB check, SB bet 6bb"
    assert [headsup.action_into(n).amount for n in headsup.path(node)[1:]] == [300, 0, 0, 600]
    assert headsup.chips_in[node].tolist() == [300, 900]
    assert headsup.find_child(node, Action.raise_to(601)) is None


def test_position_names() -> None:
    names = {n: position_names(GameConfig(num_players=n)) for n in range(2, 7)}
    assert names[2] == ("BB", "SB")
    assert names[3] == ("SB", "BB", "BTN")
    assert names[4] == ("SB", "BB", "CO", "BTN")
    assert names[5] == ("SB", "BB", "HJ", "CO", "BTN")
    assert names[6] == ("SB", "BB", "UTG", "HJ", "CO", "BTN")


def test_an_all_in_below_a_full_raise_does_not_reopen() -> None:
    """BTN raises to 300, SB has 400 in all: BTN, who has acted, may only call or fold, if the rule is on."""
    betting = BettingConfig(sizes=StreetMenus(preflop=("3x", "a")))
    for reopens in (False, True):
        stacks = (400, 10_000, 10_000)
        config = GameConfig(num_players=3, stacks=stacks, all_in_reopens=reopens, betting=betting)
        tree = build_tree(config)
        node = 0
        for action in (Action.raise_to(300), Action.raise_to(400), Action.fold()):
            node = tree.find_child(node, action) or 0
        # BB is gone and SB is all-in: nobody could call more than 400.
        assert [tree.describe_action(child) for child in tree.children(node)] == ["fold", "call"]
        node = 0
        for action in (Action.raise_to(300), Action.raise_to(400), Action.check_or_call()):
            node = tree.find_child(node, action) or 0
        expected = ["fold", "call", "raise 100bb all-in"] if reopens else ["fold", "call"]
        assert [tree.describe_action(child) for child in tree.children(node)] == expected


def test_at_most_so_many_players_see_a_flop() -> None:
    betting = BettingConfig(sizes=StreetMenus(preflop=("3x",)), max_flop_players=3, limps=False)
    tree = build_tree(GameConfig(num_players=6, betting=betting))
    after_flop = np.flatnonzero(tree.street == 1)
    folds = np.array([int(mask).bit_count() for mask in tree.folded[after_flop]])
    assert len(after_flop) > 0
    assert folds.min() == 3


def test_an_all_in_may_be_called_by_any_number() -> None:
    betting = BettingConfig(sizes=StreetMenus(preflop=("a",)), max_flop_players=2, limps=False)
    tree = build_tree(GameConfig(num_players=4, betting=betting))
    assert tree.num_actions[tree.kind == NodeKind.DECISION].min() == 2
    assert (tree.folded[tree.kind == NodeKind.SHOWDOWN] == 0).any()


def actions_after(tree: BettingTree, line: str) -> list[str]:
    node = parse_line(tree, line).node
    return [tree.describe_action(child) for child in tree.children(node)]


def test_limps_by_position_and_whoever_comes_after_one() -> None:
    betting = BettingConfig(sizes=StreetMenus(preflop=("3x", "3x", "a")), limps=("BTN",), isolation="100%")
    tree = build_tree(GameConfig(num_players=4, betting=betting))
    assert actions_after(tree, "") == ["fold", "raise 3bb"]
    assert actions_after(tree, "CO fold") == ["fold", "call", "raise 3bb"]
    assert actions_after(tree, "CO fold, BTN fold") == ["fold", "raise 3bb"]
    # Over a limp, the small blind may complete or raise by the pot after its call: 1 + 3.
    assert actions_after(tree, "CO fold, BTN call") == ["fold", "call", "raise 4bb"]
    assert actions_after(tree, "CO fold, BTN call, SB call") == ["check", "raise 4bb"]


def test_opens_by_position_and_sizes_for_the_rest() -> None:
    opens = PositionMenus(BTN="2x, 2.5x", SB="3.5x")
    betting = BettingConfig(sizes=StreetMenus(preflop=("3x", "4x", "a")), opens=opens, limps=False)
    tree = build_tree(GameConfig(num_players=4, betting=betting))
    assert actions_after(tree, "") == ["fold", "raise 3bb"]
    assert actions_after(tree, "CO fold") == ["fold", "raise 2bb", "raise 2.5bb"]
    assert actions_after(tree, "CO fold, BTN fold") == ["fold", "raise 3.5bb"]
    assert actions_after(tree, "CO fold, BTN raise 2bb") == ["fold", "call", "raise 8bb"]


def test_players_on_a_flop_by_the_number_of_raises() -> None:
    sizes = StreetMenus(preflop=("2.5x", "100%", "a"))
    betting = BettingConfig(sizes=sizes, limps=False, max_flop_players=(4, 3, 2))
    config = GameConfig(num_players=6, betting=betting)
    strict = build_tree(config)
    crowded = "UTG raise 2.5bb, HJ call, CO call"  # the pot after a call of the button: 4 x 2.5 + 1.5
    assert actions_after(strict, crowded) == ["fold", "raise 14bb"]
    assert actions_after(strict, f"{crowded}, BTN fold, SB fold") == ["fold", "raise 13bb"]
    squeezed = "UTG raise 2.5bb, HJ call, CO raise 11.5bb, BTN fold, SB fold, BB fold, UTG call"
    assert actions_after(strict, squeezed) == ["fold", "raise 100bb all-in"]
    loose = build_tree(config.model_copy(update={"betting": betting.model_copy(update={"invested_may_call": 2})}))
    assert actions_after(loose, crowded) == ["fold", "raise 14bb"]
    assert actions_after(loose, f"{crowded}, BTN fold, SB fold") == ["fold", "call", "raise 13bb"]
    assert actions_after(loose, squeezed) == ["fold", "call", "raise 100bb all-in"]


def test_menus_of_a_crowd() -> None:
    betting = BettingConfig(
        sizes=StreetMenus(flop=("33%, 50%, 75%",)),
        multiway_sizes=StreetMenus(flop=("33%, 75%",)),
        crowd_sizes=StreetMenus(flop=("100%",)),
    )
    tree = build_tree(GameConfig(num_players=4, board_cards=(0, 3), betting=betting))
    assert actions_after(tree, "CO fold, BTN fold, SB call, BB check | ") == ["check", "bet 1bb", "bet 1.5bb"]
    assert actions_after(tree, "CO fold, BTN call, SB call, BB check | ") == ["check", "bet 1bb", "bet 2.25bb"]
    assert actions_after(tree, "CO call, BTN call, SB call, BB check | ") == ["check", "bet 4bb"]


@st.composite
def small_games(draw: st.DrawFn) -> GameConfig:
    """Games whose trees are small but whose rules are not: odd stacks, antes, straddles, all sizes."""
    players = draw(st.integers(2, 4))
    streets = draw(st.integers(2, 3 if players == 2 else 2))
    opening = st.sampled_from(["50%", "100%", "33%, a", "a", "e", "2e", "3e70%", "250c", "75%, 80%"])
    raising = st.sampled_from(["", "60%", "2.5x", "a", "100%, a", "700c"])
    alone = st.one_of(opening, st.just("75%, 3x, 90%")).map(lambda menu: (menu,))
    menu = st.one_of(alone, st.tuples(opening, raising))
    first = st.one_of(menu, st.sampled_from(["2.5x", "3x, a"]).map(lambda m: (m,)))
    post = {name: draw(menu) for name in ("flop", "turn")[: streets - 1]}
    many = {name: draw(menu) for name in ("flop", "turn")[: streets - 1]}
    crowd = {name: draw(menu) for name in ("flop", "turn")[: streets - 1]}
    blind = draw(st.sampled_from([0, 100]))
    names = GameConfig(num_players=players, big_blind=blind, small_blind=0).position_names
    some_names = st.lists(st.sampled_from(names), unique=True, max_size=players)
    limps = draw(st.one_of(st.booleans(), some_names.map(tuple))) if blind else True
    first_raise = st.sampled_from(["2.2x, 3x", "a", "2.5x", "", "100%"])
    opens = {name: draw(first_raise) for name in draw(some_names)} if blind else {}
    betting = BettingConfig(
        sizes=StreetMenus(preflop=draw(first if blind else menu), **post),
        multiway_sizes=draw(st.sampled_from([None, StreetMenus(**many)])),
        crowd_sizes=draw(st.sampled_from([None, StreetMenus(**crowd)])),
        crowd_from=draw(st.integers(3, 4)),
        opens=draw(st.sampled_from([None, PositionMenus(**opens)])),
        isolation=draw(st.one_of(st.none(), first_raise)) if limps and blind else None,
        max_raises=draw(st.tuples(*[st.integers(0, 2)] * 4)),
        limps=limps,
        max_flop_players=draw(
            st.one_of(st.integers(2, 4), st.lists(st.integers(2, 4), min_size=1, max_size=3).map(tuple))
        ),
        invested_may_call=draw(st.integers(0, 3)),
        merge_threshold=draw(st.sampled_from([0.0, 0.1, 0.5])),
        all_in_threshold=draw(st.sampled_from([1.0, 0.67])),
    )
    stack = st.one_of(st.integers(1, 3000), st.sampled_from([60, 100, 1000]))
    return GameConfig(
        num_players=players,
        stacks=tuple(draw(stack) for _ in range(players)),
        small_blind=blind // 2,
        big_blind=blind,
        ante=draw(st.sampled_from([0, 10, 25])),
        straddle=draw(st.sampled_from([0, 200])) if players > 2 and blind else 0,
        all_in_reopens=draw(st.booleans()),
        board_cards=(0, 3, 4, 5)[:streets],
        betting=betting,
    )


@given(small_games())
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_the_kernel_builds_what_the_plain_rules_say(config: GameConfig) -> None:
    tree = build_tree(config)
    compared = 0
    stack = [(0, reference_tree.first_state(config))]
    while stack and compared < 400:
        node, state = stack.pop()
        compared += 1
        _assert_same(tree, node, state)
        actions = [] if state.terminal else reference_tree.legal_menu_actions(config, state)
        assert tree.num_actions[node] == len(actions)
        for child, (action, total) in zip(tree.children(node), actions, strict=True):
            assert tree.action[child] == action
            if action != ActionCode.FOLD:
                assert tree.chips_in[child, state.player] == total
            stack.append((child, reference_tree.act(config, state, action, total)))
    if not stack:
        assert compared == tree.num_nodes


def _assert_same(tree: BettingTree, node: int, state: BettingState) -> None:
    assert tree.kind[node] == state.terminal
    assert tree.player[node] == state.player
    assert tree.street[node] == state.street
    assert tuple(tree.chips_in[node]) == state.chips_in
    assert tree.folded[node] == sum(1 << position for position in state.folded)
