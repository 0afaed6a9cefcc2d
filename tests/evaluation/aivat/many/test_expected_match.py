"""Compiled matches without luck: the same deals as with it, the same mean, and nothing between equals."""

import numpy as np
import pytest

from holdem.evaluation.aivat.many import deal_values, expected_match
from holdem.evaluation.aivat.many.deal_values import DealValues
from holdem.evaluation.aivat.many.expected_match import ExpectedMatch
from holdem.evaluation.aivat.opening import open_aivat
from holdem.evaluation.kernels.expected import deal_cards
from holdem.evaluation.match.blueprint_match import BlueprintMatch
from holdem.evaluation.match.match import MatchSetup, play_match
from tests.evaluation.blueprints import holdem_blueprint, holdem_config, open_any


@pytest.mark.long
def test_a_match_against_oneself_is_nothing() -> None:
    agents = [holdem_blueprint(holdem_config(3), 1)] * 3
    table = ExpectedMatch(holdem_config(3), agents, 0).play_corrected(0, 5)
    assert table.shape == (5, 6)
    assert table == pytest.approx(0.0, abs=1e-6)


def test_a_deal_is_what_all_its_rotations_bring(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rotation by rotation with the cards of the deal; pieces of any size give the same, and chips are as ever."""
    for module in (deal_values, expected_match):
        monkeypatch.setattr(module, "LIKELY", 0.0)
    config = holdem_config(3)
    agents = [holdem_blueprint(config, seed) for seed in (1, 2, 3)]
    match = ExpectedMatch(config, agents, 4)
    table = match.play_corrected(10, 14)
    assert np.array_equal(table[:, :3], BlueprintMatch(config, agents, 4).play(10, 14))
    assert np.array_equal(table[1:], match.play_corrected(11, 14))
    holes, boards = np.zeros((4, 3, 2), dtype=np.uint8), np.zeros((4, 5), dtype=np.uint8)
    deal_cards(match.deal_seed, 10, np.zeros(2, dtype=np.uint64), holes, boards)
    values = DealValues([agent.policy for agent in agents], [agent.buckets for agent in agents])
    for row, pairs, board in zip(table[:, 3:], holes.tolist(), boards.tolist(), strict=True):
        values.deal([tuple(pair) for pair in pairs], tuple(board))
        total = np.zeros(3)
        for shift in range(3):
            seated = tuple((position + shift) % 3 for position in range(3))
            total[list(seated)] += values.at(0, seated)
        assert row == pytest.approx(total, abs=1e-6)


@pytest.mark.long
def test_luck_has_the_mean_zero_and_is_most_of_the_scatter() -> None:
    specs = ("blueprint 1", "blueprint 2", "blueprint 2")
    setup = MatchSetup(holdem_config(3), specs, open_any, 1, open_aivat)
    result = play_match(setup, 900)
    assert result.compiled and result.method == "duplicate+aivat"
    luck = result.luck(0)
    assert luck is not None
    assert abs(luck.big_blinds) < 4.0 * luck.standard_error
    assert result.variance_factor is not None and result.variance_factor > 5.0
