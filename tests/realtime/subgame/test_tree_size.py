"""Trees that are counted before they are built."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdem.errors import ConfigError
from holdem.realtime.solve import build_solver
from holdem.realtime.subgame.plan import check_before_building
from holdem.realtime.subgame.spot import Spot
from holdem.realtime.subgame.tree import Node, SubgameNodeKind, TreeBuilder
from holdem.realtime.subgame.tree_size import TreeCounter, TreeSize, count_tree
from tests.realtime.spots import FLOP, RIVER, TURN, changed, spot

MENUS = ["", "a", "50%", "1c", "33%, 75%, a", "2.5x", "e"]
TINY_RAISES: dict[str, Any] = changed(
    FLOP,
    effective_stack=1_000_000_000,
    range_oop="random",
    range_ip="random",
    bet_sizes={street: {"bet": "1c", "raise": ["1c"] * 12 + [""]} for street in ("flop", "turn", "river")},
)


def counted(at: Spot, last_street: int = 3) -> TreeSize:
    """The size of the tree as it is built."""
    nodes, longest, actions, lines, all_ins = 0, 0, [0] * 8, [0] * 4, [0] * 4
    builder = TreeBuilder(at.root(), at.sizes_of, at.played, last_street=last_street)
    below: list[tuple[Node, int]] = [(builder.build(), 0)]
    while below:
        node, depth = below.pop()
        nodes, longest = nodes + 1, max(longest, depth)
        if node.kind == SubgameNodeKind.DECISION:
            actions[2 * node.street + node.player] += len(node.actions)
        lines[node.street] += node.kind == SubgameNodeKind.DEAL
        all_ins[node.street] += node.kind == SubgameNodeKind.ALL_IN
        below += [(child, depth + (node.kind == SubgameNodeKind.DECISION)) for child in node.children]
    return TreeSize(nodes, longest, tuple(actions), tuple(lines), tuple(all_ins))


@settings(max_examples=60)
@given(
    st.sampled_from([RIVER, TURN]),
    st.sampled_from(MENUS),
    st.sampled_from(["", "a", "60%", "2.5x"]),
    st.integers(1, 600),
    st.sampled_from([{}, {"bets": [1, 0], "to_act": "ip"}, {"to_act": "ip"}]),
)
def test_the_count_is_what_is_built(
    content: dict[str, Any], bets: str, raises: str, stack: int, root: dict[str, Any]
) -> None:
    sizes = {street: {"bet": bets, "raise": [raises, "a"]} for street in ("turn", "river")}
    stack = max(stack, 2)
    at = spot(content, effective_stack=stack, bet_sizes=sizes, **root)
    size = count_tree(at.root(), at.sizes_of)
    assert size == counted(at)


@pytest.mark.parametrize("last_street", [2, 3])
@pytest.mark.parametrize("played", [["Bet(37)"], ["Check", "Bet(11)", "Raise(41)"], ["Bet(20)", "AllIn(300)"]])
def test_sizes_really_bet_are_counted(played: list[str], last_street: int) -> None:
    sizes = {street: {"bet": "50%", "raise": ["60%", "a"]} for street in ("turn", "river")}
    at = spot(TURN, effective_stack=300, bet_sizes=sizes, played=played)
    assert count_tree(at.root(), at.sizes_of, at.played, last_street) == counted(at, last_street)


@pytest.mark.parametrize("raises", ["1c", ["1c"] * 12 + [""]])
def test_hopeless_trees_are_refused_without_being_built(raises: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def build(_: TreeBuilder) -> Node:
        raise AssertionError("the tree is built")

    monkeypatch.setattr(TreeBuilder, "build", build)
    sizes = {street: {"bet": "1c", "raise": raises} for street in ("flop", "turn", "river")}
    with pytest.raises(ConfigError, match=r"more than 256 actions|the tree needs [\d,]+ MB"):
        build_solver(spot(TINY_RAISES, bet_sizes=sizes))


def test_a_menu_of_thousands_is_not_counted_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each bet has three nodes behind it at least, so as many bets as nodes may be are never looked at."""
    most = 300
    monkeypatch.setattr("holdem.realtime.subgame.tree_size.NODE_LIMIT", most)
    menu = ", ".join(f"{size}c" for size in range(1, 2 * most))
    at = spot(RIVER, effective_stack=10_000, bet_sizes={"river": {"bet": menu, "raise": ""}})
    counter = TreeCounter(at.root(), at.sizes_of)
    with pytest.raises(ConfigError, match="give fewer or larger bet sizes"):
        counter.count()
    assert len(counter._known) < most


def test_a_tree_within_the_limit_is_not_refused() -> None:
    check_before_building(spot(TURN), compressed=False, limit_bytes=10_000_000)
    with pytest.raises(ConfigError, match="and 0 MB are free"):
        check_before_building(spot(TURN), compressed=False, limit_bytes=10)
