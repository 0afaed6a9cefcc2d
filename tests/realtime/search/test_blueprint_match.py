"""A street's actions in the blueprint's tree: the nearest size, and nothing where it has no such action."""

import pytest

from holdem.abstraction.betting.tree import ActionCode
from holdem.game.actions import Action
from holdem.realtime.search.blueprint_match import matching_child, street_root_in
from tests.realtime.blueprints import CALL, random_blueprint, state_after


@pytest.mark.parametrize(("size", "chips"), [(0.1, 300), (0.8, 600), (2.7, 600), (2.8, 2_700)])
def test_a_bet_stands_for_the_nearest_size(size: float, chips: int) -> None:
    """Into a pot of 600 the blueprint bets 300, 600 or the 2,700 that are left: 0.5, 1 and 4.5 pots."""
    blueprint = random_blueprint()
    root = street_root_in(blueprint, state_after([Action.raise_to(300), CALL]))
    assert root is not None
    there = matching_child(blueprint.walk, root, 0, 1, ActionCode.RAISE, size)
    assert there is not None
    put_in = int(blueprint.policy.tree.chips_in[there, 0] - blueprint.policy.tree.chips_in[root, 0])
    assert put_in == chips
    assert matching_child(blueprint.walk, root, 1, 1, ActionCode.CALL, 0.0) is None, "the other player is to act"
    assert matching_child(blueprint.walk, root, 0, 1, ActionCode.FOLD, 0.0) is None, "nothing to fold to"
