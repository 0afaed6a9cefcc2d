"""Real hands with more callers than the tree has room for, and limps where it has none."""

import pytest

from holdem.abstraction.betting.tree import build_tree
from holdem.blueprint.walk import HistoryWalk
from holdem.game import Action, Game
from holdem.game.agent import public_state
from holdem.types import BettingConfig, GameConfig, StreetMenus

ROOM_FOR_THREE = GameConfig(
    num_players=6,
    betting=BettingConfig(
        sizes=StreetMenus(preflop=("2.5x", "100%, a", "a"), flop=("50%, a",)),
        max_raises=(3, 1, 0, 0),
        limps=False,
        max_flop_players=3,
    ),
)


@pytest.fixture(scope="module")
def walk() -> HistoryWalk:
    return HistoryWalk(build_tree(ROOM_FOR_THREE))


def lines(walk: HistoryWalk, actions: str) -> list[str]:
    """The lines of the tree that stand for a real hand: `f` folds, `c` checks or calls, `r250` raises to 250."""
    hand = Game(ROOM_FOR_THREE).new_hand(1)
    for word in actions.split():
        choices = {"f": Action.fold(), "c": Action.check_or_call()}
        hand.act(choices[word] if word in choices else Action.raise_to(int(word[1:])))
    return [walk.tree.describe(node) for node, _ in walk.node_probabilities(public_state(hand))]


@pytest.mark.parametrize(
    ("actions", "line"),
    [
        # The fourth and the fifth player of an open: the last callers are left out.
        ("r250 c c c", "UTG raise 2.5bb, HJ call, CO call, BTN fold"),
        ("r250 c c c c", "UTG raise 2.5bb, HJ call, CO call, BTN fold, SB fold"),
        # Three of four see the flop: CO, who is to act, is one of them, and the big blind called last.
        (
            "r250 c c f f c c c c",
            "UTG raise 2.5bb, HJ call, CO call, BTN fold, SB fold, BB fold | UTG check, HJ check",
        ),
        # The big blind is to act: the one who called last before him is left out.
        ("r250 c c f f c", "UTG raise 2.5bb, HJ call, CO fold, BTN fold, SB fold, BB call"),
        # On the flop the bet is half the pot, as it is at the table.
        ("r250 c c c f f r575", "UTG raise 2.5bb, HJ call, CO call, BTN fold, SB fold, BB fold | UTG bet 4.5bb"),
        # A limp is not in this tree.
        ("c", "UTG fold"),
        ("f c r500 f f f", None),
    ],
)
def test_callers_without_a_place_are_left_out(walk: HistoryWalk, actions: str, line: str | None) -> None:
    before = walk.stand_ins.total()
    found = lines(walk, actions)
    assert walk.stand_ins.total() == before + 1
    assert len(found) == 1
    if line is not None:
        assert found == [line]


def test_a_hand_that_the_tree_has_is_followed_as_it_is(walk: HistoryWalk) -> None:
    before = walk.stand_ins.total()
    assert lines(walk, "r250 c c") == ["UTG raise 2.5bb, HJ call, CO call"]
    assert walk.stand_ins.total() == before
