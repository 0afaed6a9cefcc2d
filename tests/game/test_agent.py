"""What a player sees: its own cards, the table, and nothing else."""

import dataclasses
import random

import numpy as np
import numpy.typing as npt
import pytest

from holdem.errors import CardError
from holdem.game import (
    Action,
    Agent,
    Game,
    GameConfig,
    Hand,
    Observation,
    PublicState,
    RangeAgent,
    observe,
    public_state,
    records,
)
from tests.game.tables import play, random_hand, table


class Caller:
    name = "caller"

    def act(self, observation: Observation) -> Action:
        return Action.check_or_call()


class RangeCaller(Caller):
    def range_policy(self, public_state: PublicState) -> tuple[list[Action], npt.NDArray[np.float64]]:
        return [Action.check_or_call()], np.ones((1326, 1))


def test_protocols_are_met_by_shape() -> None:
    caller: Agent = Caller()
    known: RangeAgent = RangeCaller()
    assert isinstance(caller, Agent)
    assert isinstance(known, RangeAgent)
    assert not isinstance(caller, RangeAgent)


@pytest.mark.parametrize("seed", range(100))
def test_no_other_seats_cards_are_seen(seed: int) -> None:
    hand = random_hand(random.Random(seed), until=0.3)
    if hand.actor is None:
        return
    observation = observe(hand)
    dealt = [record for record in observation.history if isinstance(record, records.HoleCardsDealt)]
    assert {record.seat: record.cards for record in dealt if record.cards} == {hand.actor: observation.hole_cards}
    assert not any(record.cards for record in public_state(hand).history if isinstance(record, records.HoleCardsDealt))
    assert observation.public() == public_state(hand)


def test_an_observation_tells_the_table() -> None:
    hand = table((1000, 2000, 3000), "r300 c", button=2, pairs="AhAd KhKd QhQd")
    seen = observe(hand, deal=5, decision=0)
    assert (seen.seat, seen.position, seen.button, seen.street) == (1, 1, 2, 0)
    assert (seen.pot, seen.stacks, seen.street_bets) == (700, (700, 1900, 2700), (300, 100, 300))
    assert seen.legal == hand.legal_actions()
    assert (seen.deal, seen.decision) == (5, 0)
    play(hand, "c")
    assert observe(hand).board == hand.board


def test_an_observation_is_frozen() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        observe(table((1000, 1000))).pot = 0  # type: ignore[misc]


def test_the_random_stream_belongs_to_deal_position_and_decision() -> None:
    def draw(hand: Hand, deal: int, decision: int) -> float:
        return float(observe(hand, deal, decision).random().random())

    here, elsewhere = table((1000, 1000), button=1), table((1000, 1000), button=0)
    assert draw(here, 5, 0) == draw(elsewhere, 5, 0)
    others = [draw(here, 6, 0), draw(here, 5, 1), draw(play(here.copy(), "c"), 5, 0)]
    assert len({draw(here, 5, 0), *others}) == 4


def test_a_seat_without_known_cards_can_only_be_watched() -> None:
    hand = Game(GameConfig()).new_hand(hole_cards=["AhAd", None])
    with pytest.raises(CardError, match="the hole cards of seat 1 are not known"):
        observe(hand)
