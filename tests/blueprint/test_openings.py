"""Who can be first in; the figures are compared with others' in tests/cli/test_models.py."""

import pytest

from holdem.abstraction.betting.tree import build_tree, position_names
from holdem.blueprint.openings import first_in, openings
from holdem.types import GameConfig
from tests.table.policies import random_policy


def small_game(seats: int, **changes: object) -> GameConfig:
    """All-in or fold before the flop."""
    betting = {"sizes": {"preflop": "a"}, "max_raises": 1}
    return GameConfig.model_validate({"num_players": seats, "stacks": 1_000, "betting": betting, **changes})


@pytest.mark.parametrize(
    ("seats", "changes", "names"),
    [
        (2, {}, ["SB"]),
        (3, {}, ["BTN", "SB"]),
        (4, {}, ["CO", "BTN", "SB"]),
        (4, {"straddle": 200}, ["BTN", "SB", "BB"]),  # the cutoff has posted and acts last
        (3, {"small_blind": 0, "big_blind": 0, "ante": 10}, ["P0"]),  # there is nothing to fold to
    ],
)
def test_all_but_whoever_wins_when_all_fold(seats: int, changes: dict[str, int], names: list[str]) -> None:
    tree = build_tree(small_game(seats, **changes))
    assert [position_names(tree.config)[int(tree.player[node])] for node in first_in(tree)] == names


def test_shares_of_a_position_sum_to_one() -> None:
    for opening in openings(random_policy("three players")):
        assert opening.raises + opening.calls + opening.folds == pytest.approx(1.0)
        assert min(opening.raises, opening.calls, opening.folds) > 0.0
