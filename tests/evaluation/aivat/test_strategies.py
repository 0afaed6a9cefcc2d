"""What AIVAT takes from an agent's `range_policy`, and what it refuses, each in one sentence."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pytest

from holdem.cards import parse_cards
from holdem.cards.cards import hole_index
from holdem.errors import IllegalAction
from holdem.evaluation.aivat.strategies import strategy_of
from holdem.evaluation.aivat.table import TableAivat
from holdem.game.actions import Action
from holdem.game.agent import Observation, PublicState, public_state
from holdem.game.hand import Hand
from tests.evaluation.made_up_buckets import made_up_buckets, short_stacked

FloatArray = npt.NDArray[np.float64]
FOLD, CALL, SMALL, ALL_IN = Action.fold(), Action.check_or_call(), Action.raise_to(200), Action.raise_to(500)
HOLES = parse_cards("AhKd"), parse_cards("QsQd")
HELD = hole_index(*HOLES[1])


class Told:
    """Says that it plays one row with every hole, wherever it is asked; it never has to act."""

    name = "told"

    def __init__(self, actions: list[Action], row: list[float]) -> None:
        self.actions, self.row = actions, row

    def act(self, observation: Observation) -> Action:
        raise NotImplementedError

    def range_policy(self, public_state: PublicState) -> tuple[list[Action], FloatArray]:
        table = np.tile(np.array(self.row), (1326, 1))
        for card in public_state.board:  # nobody holds these, so nothing is said of them
            table[[hole_index(card, other) for other in range(52) if other != card]] = np.nan
        return self.actions, table


def finished(*actions: Action) -> Hand:
    """A hand of five big blinds, position 1 to act first; over after these actions."""
    hand = Hand(short_stacked().policy.config, HOLES, parse_cards("2c3d7s8hTc"))
    for action in actions:
        hand.act(action)
    return hand


def estimate(first: Told, second: Told, *actions: Action) -> float:
    hand = finished(*actions)
    assert hand.is_over
    return TableAivat(short_stacked(), made_up_buckets()).corrected(hand, [first, second])[0]


def test_an_action_that_is_listed_twice_counts_as_one() -> None:
    """Two sizes that end at the same legal amount: the estimate is that of their sum."""
    caller = Told([CALL, FOLD], [0.5, 0.5])
    once = Told([FOLD, CALL, SMALL, ALL_IN], [0.2, 0.3, 0.1, 0.4])
    twice = Told([FOLD, CALL, SMALL, ALL_IN, ALL_IN], [0.2, 0.3, 0.1, 0.25, 0.15])
    assert estimate(caller, twice, ALL_IN, FOLD) == pytest.approx(estimate(caller, once, ALL_IN, FOLD), abs=1e-9)
    assert estimate(caller, twice, ALL_IN, CALL) == pytest.approx(estimate(caller, once, ALL_IN, CALL), abs=1e-9)


def test_calls_that_are_listed_twice_do_not_play_for_the_other_one() -> None:
    """A limp: the hand went on once for each listing, so the big blind's check was taken from it."""
    always = Told([CALL], [1.0])
    twice = Told([CALL, CALL], [0.5, 0.5])
    line = [CALL] * 8
    assert estimate(always, twice, *line) == pytest.approx(estimate(always, always, *line), abs=1e-9)


def test_actions_that_are_never_taken_need_not_be_legal() -> None:
    caller = Told([CALL, FOLD], [0.5, 0.5])
    short = Told([FOLD, ALL_IN], [0.5, 0.5])
    long = Told([FOLD, ALL_IN, Action.raise_to(9_999)], [0.5, 0.5, 0.0])
    assert estimate(caller, long, ALL_IN, FOLD) == estimate(caller, short, ALL_IN, FOLD)


def test_single_precision_is_scaled_to_one() -> None:
    third = float(np.float32(1.0) / np.float32(3.0))
    state = public_state(finished())
    actions, table = strategy_of(Told([FOLD, CALL, SMALL], [third] * 3), state, CALL, HOLES[1])
    assert actions == [FOLD, CALL, SMALL]
    assert np.abs(table.sum(axis=1) - 1.0).max() < 1e-15


def one_row(change: Callable[[FloatArray], None]) -> Told:
    """One hole is told otherwise: as it is dealt in most hands to nobody, only a look at every row notices."""

    class Changed(Told):
        def range_policy(self, public_state: PublicState) -> tuple[list[Action], FloatArray]:
            actions, table = super().range_policy(public_state)
            change(table)
            return actions, table

    return Changed([FOLD, ALL_IN], [0.5, 0.5])


def short_row(table: FloatArray) -> None:
    table[7] = [0.5, 0.4]


def negative_row(table: FloatArray) -> None:
    table[7] = [1.1, -0.1]


def not_a_number(table: FloatArray) -> None:
    table[7, 0] = np.nan


def never_jams_with_queens(table: FloatArray) -> None:
    table[HELD] = [1.0, 0.0]


@pytest.mark.parametrize(
    ("agent", "words"),
    [
        (one_row(short_row), "must add up to 1"),
        (one_row(negative_row), "must add up to 1"),
        (one_row(not_a_number), "must add up to 1"),
        (one_row(never_jams_with_queens), "took raise to 500 with QsQd, which its range_policy never does"),
        (Told([FOLD, CALL, ALL_IN], [0.5, 0.5, 0.0]), "not among the actions"),
        (Told([FOLD, ALL_IN, Action.raise_to(9_999)], [0.4, 0.5, 0.1]), "takes raise to 9999, and legal are"),
        (Told([FOLD, ALL_IN], [0.5, 0.3, 0.2]), "shape"),
    ],
)
def test_what_cannot_be_what_was_played_is_refused(agent: Told, words: str) -> None:
    with pytest.raises(IllegalAction, match=words) as caught:
        estimate(Told([CALL, FOLD], [0.5, 0.5]), agent, ALL_IN, FOLD)
    assert str(caught.value).startswith("agent told") and "\n" not in str(caught.value)
