"""The records are the hand: they replay to the same state, and records that cannot be are refused."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdem.errors import HoldemError
from holdem.game import records
from holdem.game.records import public_records
from holdem.game.replay import replay
from tests.game.tables import random_hand, snapshot, table


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 10**9), st.booleans(), st.sampled_from([0.0, 0.2]))
def test_records_replay_to_the_same_state(seed: int, watched: bool, until: float) -> None:
    hand = random_hand(random.Random(seed), watched=watched, until=until)
    assert snapshot(replay(hand.records)) == snapshot(hand)


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 10**9))
def test_what_everybody_saw_replays_too(seed: int) -> None:
    hand = random_hand(random.Random(seed))
    seen = replay(public_records(hand.records))
    assert seen.stacks == hand.stacks
    assert seen.is_over


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 10**9), st.data())
def test_a_history_may_break_off(seed: int, data: st.DataObject) -> None:
    history = random_hand(random.Random(seed)).records
    length = data.draw(st.integers(1 + history[0].config.num_players, len(history)))  # type: ignore[union-attr]
    part = history[:length]
    assert replay(part).records[:length] == part


def test_a_history_needs_its_beginning() -> None:
    with pytest.raises(HoldemError, match="must begin with HandStarted"):
        replay(table((1000, 1000), "f").records[1:])


def test_a_record_that_does_not_follow_is_named() -> None:
    history = table((1000, 1000), "f").records
    history[-1] = records.PotAwarded(0, 150, (1,), (150,))
    with pytest.raises(HoldemError, match=r"record 7 is 'main pot of 150: seat 1 150' where the rules give"):
        replay(history)


def test_records_after_the_end_are_refused() -> None:
    history = table((1000, 1000), "f").records
    with pytest.raises(HoldemError, match="comes too early or too late"):
        replay([*history, records.CardsMucked(0)])
