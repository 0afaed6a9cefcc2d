"""Actions and limits read like what they are."""

import pytest

from holdem.game import Action, LegalActions


def test_actions_read_as_words() -> None:
    assert [str(action) for action in (Action.fold(), Action.check_or_call(), Action.raise_to(300))] == [
        "fold",
        "check or call",
        "raise to 300",
    ]


def test_actions_are_equal_by_value_and_frozen() -> None:
    assert Action.raise_to(300) == Action.raise_to(300) != Action.raise_to(301)
    assert len({Action.fold(), Action.fold()}) == 1
    with pytest.raises(AttributeError):
        Action.fold().amount = 5  # type: ignore[misc]


@pytest.mark.parametrize(
    ("legal", "text"),
    [
        (LegalActions(False, 0, 100, 900), "check, raise to 100..900"),
        (LegalActions(True, 80, None, None), "fold, call 80"),
    ],
)
def test_limits_read_as_words(legal: LegalActions, text: str) -> None:
    assert str(legal) == text


def test_limits_answer_for_any_action() -> None:
    legal = LegalActions(False, 0, 100, 900)
    assert legal.can_raise
    assert legal.allows(Action.check_or_call())
    assert not legal.allows(Action.fold())
    allowed = [amount for amount in (99, 100, 900, 901) if legal.allows(Action.raise_to(amount))]
    assert allowed == [100, 900]
    assert not LegalActions(True, 80, None, None).allows(Action.raise_to(100))
