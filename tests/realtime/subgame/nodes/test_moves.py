"""Moves and their labels, and real actions that become moves and come back without a label in between."""

import pytest

from holdem.errors import IllegalAction
from holdem.game.actions import Action
from holdem.realtime.search.ranges import SeatRanges
from holdem.realtime.search.street_tree import Menu
from holdem.realtime.subgame.nodes.moves import Move, MoveKind, move_of
from holdem.realtime.subgame.nodes.path import find_line, find_place
from holdem.realtime.subgame.solver import SubgameSolver
from holdem.realtime.vector.root import SubgameRoot
from tests.realtime.blueprints import CALL, state_after

TO_RIVER = [Action.raise_to(300), CALL, CALL, CALL, CALL, CALL]
BET, RAISE = Action.raise_to(137), Action.raise_to(411)


@pytest.mark.parametrize("label", ["Fold", "Check", "Call", "Bet(37)", "Raise(90)", "AllIn(250)", "AllIn"])
def test_a_label_is_read_as_it_is_written(label: str) -> None:
    assert str(move_of(label)) == label


def test_only_bets_and_raises_raise() -> None:
    assert [kind.value for kind in MoveKind if Move(kind, 5).raises] == ["Bet", "Raise", "AllIn"]


def test_a_real_line_is_found_as_its_labels_are() -> None:
    root = SubgameRoot.of(state_after([*TO_RIVER, BET, RAISE]))
    ranges = SeatRanges.all_hands(2).after_board(root.state.board)
    solver = SubgameSolver(root.spot(ranges, Menu("75%", "a", 2)))
    for line in ([], [BET], [BET, RAISE], [CALL], [BET, CALL], [CALL, CALL]):
        found = find_line(solver.tree, root.moves(line))
        assert found == find_place(solver.tree, solver.boards, tuple(map(str, root.moves(line))))
        node = solver.tree.nodes[found.node]
        for move in node.moves:
            assert root.moves([*line, root.action(move)])[-1] == move
    with pytest.raises(IllegalAction, match=r"'Bet\(138\)' is not possible here; the actions are Check, Bet\(137\)"):
        find_line(solver.tree, root.moves([Action.raise_to(138)]))
