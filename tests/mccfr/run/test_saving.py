"""Saving stays below a twentieth of the training time."""

import logging

import pytest

from holdem.mccfr.run.saving import SavingClock


@pytest.mark.parametrize("cost", [0.001, 0.1, 3.0])
def test_share_of_the_time(cost: float) -> None:
    clock, now, saves = SavingClock(cost), 0.0, 0
    while now < 1000 * cost:
        now += cost / 10
        if clock.may_save(now):
            clock.saved(now, cost)
            saves += 1
    # Training and saving together: cost × saves out of now + cost × saves.
    assert cost * saves / (now + cost * saves) <= 0.05
    assert cost * saves / (now + cost * saves) > 0.045


def test_the_first_postponement_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    clock = SavingClock(cost=1.0)
    told: list[str] = []
    handler = logging.Handler()
    handler.emit = lambda record: told.append(record.getMessage())  # type: ignore[method-assign]
    logger = logging.getLogger("holdem")
    logger.addHandler(handler)
    with caplog.at_level("INFO", logger="holdem"):
        assert not clock.may_save(5.0)
        assert not clock.may_save(6.0)
        assert clock.may_save(19.0)
    logger.removeHandler(handler)
    assert len(told) == 1
    assert "stretched" in told[0]
