"""The betting tree of a subgame against chips counted by hand."""

import pytest

from holdem.abstraction.betting.sizes import parse_menu
from holdem.errors import ConfigError
from holdem.realtime.subgame import tree as subgame_tree
from holdem.realtime.subgame.nodes.moves import move_of
from holdem.realtime.subgame.tree import Node, Root, Sizes, StreetSizes, SubgameNodeKind, TreeBuilder
from tests.realtime.spots import REFERENCE, RIVER, spot


def sizes(bet: str, *raises: str) -> Sizes:
    menus = StreetSizes(parse_menu(bet), tuple(parse_menu(menu) for menu in raises) or ((),))
    return lambda player, street: menus


def follow(root: Node, *labels: str) -> Node:
    node = root
    for label in labels:
        node = node.children[0] if node.kind == SubgameNodeKind.DEAL else node
        node = node.children[node.actions.index(label)]
    return node


def all_nodes(node: Node) -> list[Node]:
    return [node, *(inner for child in node.children for inner in all_nodes(child))]


def test_the_river_of_the_reference() -> None:
    """Pot 90, stack 300. 50 % of 90 is 45; a raise of it by 60 %: 45 + 0.6 × 180 = 153; the next one is all-in."""
    reference = spot(REFERENCE["PR1"])
    root = TreeBuilder(reference.root(), reference.sizes_of).build()
    assert root.actions == ("Check", "Bet(45)", "Bet(90)", "AllIn(300)")
    facing = follow(root, "Bet(45)")
    assert facing.actions == ("Fold", "Call", "Raise(153)", "AllIn(300)")
    # 153 + 0.6 × (90 + 306) = 390.6 is more than the stack, so both sizes are the all-in.
    assert follow(facing, "Raise(153)").actions == ("Fold", "Call", "AllIn(300)")
    assert follow(facing, "AllIn(300)").actions == ("Fold", "Call")
    assert follow(facing, "Fold").player == 1
    assert follow(facing, "Call").kind == SubgameNodeKind.SHOWDOWN
    assert follow(facing, "Call").chips_in == (45, 45)


def test_the_turn_of_the_reference() -> None:
    """Pot 120, stack 400: 66 % is 79; 79 + 0.6 × 278 = 246; then all-in. After a called 79: 66 % of 278 is 183."""
    reference = spot(REFERENCE["PT1"])
    root = TreeBuilder(reference.root(), reference.sizes_of).build()
    assert root.actions == ("Check", "Bet(79)")
    assert follow(root, "Bet(79)").actions == ("Fold", "Call", "Raise(246)")
    raised = follow(root, "Bet(79)", "Raise(246)")
    assert raised.actions == ("Fold", "Call", "AllIn(400)")
    assert follow(raised, "AllIn(400)", "Call").kind == SubgameNodeKind.ALL_IN
    river = follow(root, "Bet(79)", "Call").children[0]
    assert river.actions == ("Check", "Bet(183)", "AllIn(321)")
    assert river.player == 0
    assert follow(river, "Check", "Check").kind == SubgameNodeKind.SHOWDOWN
    # 612 in the pot and 154 behind: 66 % is beyond the stack.
    assert follow(raised, "Call").children[0].actions == ("Check", "AllIn(154)")


def test_raises_by_number_end_where_a_menu_is_empty() -> None:
    root = TreeBuilder(Root(3, 2, 100), sizes("2c", "4c", "")).build()
    assert root.actions == ("Check", "Bet(2)")
    assert follow(root, "Bet(2)").actions == ("Fold", "Call", "Raise(4)")
    assert follow(root, "Bet(2)", "Raise(4)").actions == ("Fold", "Call")


def test_each_player_has_his_own_sizes() -> None:
    menus = {"oop": {"river": {"bet": "33%"}}, "ip": {"river": {"bet": "100%, a", "raise": "a"}}}
    both = spot(RIVER, bet_sizes=menus)
    root = TreeBuilder(both.root(), both.sizes_of).build()
    assert root.actions == ("Check", "Bet(33)")
    assert follow(root, "Check").actions == ("Check", "Bet(100)", "AllIn(250)")
    assert follow(root, "Bet(33)").actions == ("Fold", "Call", "AllIn(250)")
    assert follow(root, "Check", "Bet(100)").actions == ("Fold", "Call")


def test_a_line_really_played_is_in_the_tree() -> None:
    played = tuple(map(move_of, ("Check", "Bet(37)", "Raise(90)")))
    root = TreeBuilder(Root(3, 100, 250), sizes("50%", "a"), played).build()
    assert follow(root, "Check").actions == ("Check", "Bet(37)", "Bet(50)")
    assert follow(root, "Check", "Bet(37)").actions == ("Fold", "Call", "Raise(90)", "AllIn(250)")
    assert follow(root, "Check", "Bet(50)").actions == ("Fold", "Call", "AllIn(250)")
    assert follow(root).actions == ("Check", "Bet(50)")


def test_an_all_in_that_was_played_needs_no_amount() -> None:
    root = TreeBuilder(Root(3, 100, 250), sizes("50%"), (move_of("AllIn"),)).build()
    assert root.actions == ("Check", "Bet(50)", "AllIn(250)")


def test_a_bet_that_is_none_cannot_have_been_played() -> None:
    with pytest.raises(ConfigError, match=r"'Raise\(50\)' was played where 50 were bet"):
        TreeBuilder(Root(3, 100, 250), sizes("50%", "a"), (move_of("Bet(50)"), move_of("Raise(50)"))).build()


def test_a_root_inside_a_street() -> None:
    root = TreeBuilder(Root(3, 100, 250, bets=(30, 80), to_act=0), sizes("50%", "60%")).build()
    # The raise was by 50; 60 % of the pot after calling is 0.6 × 260 = 156, to 236.
    assert root.actions == ("Fold", "Call", "Raise(236)")
    assert root.player == 0
    assert follow(root, "Call").chips_in == (80, 80)
    behind = TreeBuilder(Root(3, 100, 250, to_act=1), sizes("50%")).build()
    assert follow(behind, "Check").kind == SubgameNodeKind.SHOWDOWN


def test_hands_are_shown_after_the_last_street_that_has_bets() -> None:
    root = TreeBuilder(Root(1, 60, 300), sizes("50%"), last_street=1).build()
    ends = [node for node in all_nodes(root) if node.kind == SubgameNodeKind.SHOWDOWN]
    # Check-check, check-bet-call and bet-call; nothing is dealt.
    assert [node.chips_in for node in ends] == [(0, 0), (30, 30), (30, 30)]
    assert not any(node.kind == SubgameNodeKind.DEAL for node in all_nodes(root))


def test_a_line_of_hundreds_of_raises_is_refused() -> None:
    """Raises by one chip: the line of nothing but raises has as many actions as there are chips."""
    assert len(all_nodes(TreeBuilder(Root(3, 100, 250), sizes("1c", "1c")).build())) > 250
    with pytest.raises(ConfigError, match="more than 256 actions; give larger bet sizes"):
        TreeBuilder(Root(3, 100, 10_000), sizes("1c", "1c")).build()


def test_a_tree_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subgame_tree, "NODE_LIMIT", 1000)
    with pytest.raises(ConfigError, match="more than 1,000 nodes; give fewer or larger bet sizes"):
        TreeBuilder(Root(1, 10, 10_000), sizes("10%, 20%, 30%", "10%, 20%")).build()
