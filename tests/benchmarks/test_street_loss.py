"""Losses of a street: nothing for a solved street, something for a bad one, and the same spots again."""

import numpy as np
import pytest

from benchmarks.spots import after, blueprint_ranges, few_hands, hand_at, played_to
from benchmarks.street_loss import Losses, StreetJudge, decisions_by_line
from holdem.game.actions import Action
from holdem.realtime.search.budget import LATER
from holdem.realtime.search.street_tree import Menu
from holdem.realtime.search_controller import SearchController
from holdem.realtime.vector.root import SubgameRoot
from holdem.types import SearchConfig
from tests.realtime.blueprints import CALL, random_blueprint, state_after

TO_TURN = [Action.raise_to(300), CALL, CALL, CALL]
TARGET = 0.1


def test_a_solved_street_loses_nothing_and_folding_everything_loses_what_it_gives_up() -> None:
    state = state_after(TO_TURN)
    root = SubgameRoot.of(state)
    judge = StreetJudge(root, root.spot(few_hands(state.board, 15, 1), Menu("100%", "a", 2), LATER), TARGET)
    assert judge.exploitability_percent <= TARGET
    solved = judge.solved({})
    for player in (0, 1):
        own = {n: solved.average_strategy(n) for _, n in decisions_by_line(judge.shape)
               if judge.shape.tree.nodes[n].player == player}  # fmt: skip
        # The strategy is worth the game's value less at most twice its target, and so is the judge's own zero point.
        assert abs(judge.loss_percent(player, {n: rows.astype(np.float32) for n, rows in own.items()})) <= 4 * TARGET
    # Check with everything and fold to every bet: a bet always wins the pot, so nothing is left for who gives up.
    giving_up = {}
    for line, number in decisions_by_line(judge.shape):
        node = judge.shape.tree.nodes[number]
        if node.player == 0:
            giving_up[number] = np.zeros((15, len(node.moves)), dtype=np.float32)
            giving_up[number][:, 0] = 1.0  # fold where somebody bet, else check
            assert node.actions[0] == ("Fold" if line and not line[-1].startswith("Check") else "Check")
    share = 100.0 * judge.values[0] / judge.root.pot
    assert judge.loss_percent(0, giving_up) == pytest.approx(share, abs=2 * TARGET)


@pytest.mark.parametrize("common", [True, False])
def test_more_iterations_lose_less_and_the_blueprint_is_beside_them(common: bool) -> None:
    state = state_after(TO_TURN)
    losses = Losses(SearchController(random_blueprint()), state, few_hands(state.board, 20, 2), TARGET, common)
    short, long = (losses.at(SearchConfig(iterations=count, min_iters=1), 1) for count in (2, 200))
    assert short["iterations"] == 2 and long["iterations"] == 200
    assert -2 * TARGET <= long["loss"] < 1.0 < short["loss"]
    assert long["blueprint_loss"] > 1.0  # its strategy is random
    assert short["judge_percent"] == long["judge_percent"] <= TARGET


def test_hands_that_the_blueprint_plays_lead_to_the_same_turn_again() -> None:
    blueprint = random_blueprint()
    state, again = (played_to(2, blueprint, 3) for _ in range(2))
    assert state == again and state.street == 2 and state.seat == hand_at(state).actor
    assert after(state, CALL).seat == 1 - state.seat
    ranges = blueprint_ranges(state, blueprint)
    assert ranges.weights.max(axis=1) == pytest.approx([1.0, 1.0])
    assert np.count_nonzero(ranges.weights[0]) == 48 * 47 // 2
