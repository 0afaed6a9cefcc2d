"""Costs of solves that controllers share: measured once, and those of advice apart from those of bots."""

import pytest

from holdem.realtime.search import measured_costs
from holdem.realtime.search.cost import CostModel
from holdem.realtime.search.measured_costs import calibrate_once
from holdem.realtime.search.request import Depth
from holdem.realtime.search_controller import SearchController
from tests.realtime.blueprints import random_blueprint

KIND = (Depth.DRAWN, 1, 2)


def test_bots_learn_together_and_not_from_advice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Advice has more time and larger trees: a bot that took its costs for its own would choose smaller ones."""
    measured = []
    monkeypatch.setattr(measured_costs, "_MEASURED", type(measured_costs._MEASURED)())
    monkeypatch.setattr(SearchController, "calibrate", lambda controller: measured.append(controller))
    bot, other, coach = (SearchController(random_blueprint(), advises=advises) for advises in (False, False, True))
    bot.cost.learn(KIND, 100, 100, 10, (0.1, 0.2, 0.3), rate=1.0)
    for controller in (bot, other, coach):
        calibrate_once(controller)
    assert measured == [bot]
    assert other.cost is bot.cost
    assert coach.cost == bot.cost, "what was measured holds for both"
    before = CostModel(dict(bot.cost.per_entry), dict(bot.cost.per_hand), dict(bot.cost.answering))
    coach.cost.learn(KIND, 100, 100, 10, (5.0, 5.0, 5.0), rate=1.0)
    assert bot.cost == before
    assert coach.cost != bot.cost
