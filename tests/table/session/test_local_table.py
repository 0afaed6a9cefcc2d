"""The built-in table: chips are conserved, stacks reset or carry on, observers see their seat's cards and no others."""

import logging
from collections.abc import Callable

import pytest

from holdem.errors import ConfigError
from holdem.game import Action, Game, Observation, Record, format_records
from holdem.game.phh import from_phh, to_phh
from holdem.game.records import BlindPosted, CardsShown, HoleCardsDealt
from holdem.game.replay import replay
from holdem.table.history.observed_hand import ObservedHand, SeatObserver
from holdem.table.session.local_table import LocalTable
from holdem.types import GameConfig


class Scripted:
    """An agent made of a function."""

    def __init__(self, play: Callable[[Observation], Action], name: str = "scripted") -> None:
        self._play, self._name = play, name

    @property
    def name(self) -> str:
        return self._name

    def act(self, observation: Observation) -> Action:
        return self._play(observation)


def lively(observation: Observation) -> Action:
    """Folds, calls and raises at random, all-in now and then."""
    draw, legal = observation.random().random(), observation.legal
    if draw < 0.15 and legal.max_raise_to is not None:
        return Action.raise_to(legal.max_raise_to)
    if draw < 0.4 and legal.min_raise_to is not None:
        return Action.raise_to(legal.min_raise_to)
    return Action.fold() if draw > 0.9 and legal.can_fold else Action.check_or_call()


def make_table(seats: int = 3, carry_on: bool = False, seed: int = 5, stacks: list[int] | None = None) -> LocalTable:
    game = Game(GameConfig(num_players=seats, stacks=(2_000,)))
    return LocalTable(game, [Scripted(lively)] * seats, seed=seed, carry_on=carry_on, stacks=stacks)


class Witness(SeatObserver):
    """Keeps everything that it is told."""

    def __init__(self) -> None:
        self.started: list[ObservedHand] = []
        self.records: list[Record] = []
        self.turns: list[Observation] = []
        self.over: list[ObservedHand] = []

    def hand_started(self, hand: ObservedHand) -> None:
        self.started.append(hand)
        self.records = list(hand.records)

    def happened(self, record: Record) -> None:
        self.records.append(record)

    def to_act(self, observation: Observation) -> None:
        self.turns.append(observation)

    def hand_over(self, hand: ObservedHand) -> None:
        self.over.append(hand)
        assert tuple(self.records) == hand.records, "an observer is told everything once"


@pytest.mark.parametrize("seats", [2, 3, 6])
@pytest.mark.parametrize("carry_on", [False, True])
def test_chips_are_conserved_and_winnings_add_up(seats: int, carry_on: bool) -> None:
    table = make_table(seats, carry_on)
    totals = [0] * seats
    for _ in range(100):
        payoffs = table.play_hand()
        assert sum(payoffs) == 0
        totals = [total + won for total, won in zip(totals, payoffs, strict=True)]
    assert table.winnings == totals
    assert table.hands_played == 100
    assert table.faults == 0


def test_stacks_start_anew_or_carry_on_and_the_broke_buy_in_again() -> None:
    for carry_on in (False, True):
        table, witness = make_table(2, carry_on, stacks=[1_000, 3_000]), Witness()
        table.add_observer(0, witness)
        for _ in range(200):
            table.play_hand()
        stacks = [hand.started.stacks for hand in witness.started]
        if not carry_on:
            assert set(stacks) == {(1_000, 3_000)}
            continue
        bought_in_again = 0
        for before, hand, after in zip(stacks, witness.over, stacks[1:], strict=False):
            left = [chips + won for chips, won in zip(before, hand.payoffs, strict=True)]
            assert after == (left[0] or 1_000, left[1] or 3_000)
            bought_in_again += 0 in left
        assert bought_in_again, "nobody ever went broke, so the rule was not tried"


def test_the_button_goes_round() -> None:
    table, witness = make_table(3), Witness()
    table.add_observer(1, witness)
    for _ in range(6):
        table.play_hand()
    assert [hand.started.button for hand in witness.started] == [2, 0, 1, 2, 0, 1]
    assert isinstance(witness.records[1], BlindPosted)


def test_the_same_seed_deals_the_same_hands() -> None:
    first, again, other = (make_table(seed=seed) for seed in (7, 7, 8))
    told = [[table.play_hand() for _ in range(20)] for table in (first, again, other)]
    assert told[0] == told[1]
    assert told[0] != told[2]


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_an_observer_sees_its_own_cards_and_those_shown(seat: int) -> None:
    table, witness = make_table(3), Witness()
    table.add_observer(seat, witness)
    for _ in range(100):
        table.play_hand()
    shown = 0
    for hand in witness.over:
        dealt = {record.seat: record.cards for record in hand.records if isinstance(record, HoleCardsDealt)}
        assert [s for s, cards in dealt.items() if cards is not None] == [seat]
        assert hand.hole_cards == dealt[seat]
        shown += sum(isinstance(record, CardsShown) and record.seat != seat for record in hand.records)
    assert shown, "nobody ever showed, so the test saw nothing"
    for turn in witness.turns:
        assert turn.seat == seat
        assert not any(isinstance(r, HoleCardsDealt) and r.seat != seat and r.cards for r in turn.history)


def test_what_an_observer_saw_is_a_hand_that_replays_and_goes_through_phh() -> None:
    table, witness = make_table(4), Witness()
    table.add_observer(2, witness)
    for _ in range(60):
        table.play_hand()
    for seen in witness.over:
        again = replay(seen.records)
        assert again.is_over
        assert again.payoffs == seen.payoffs
        assert format_records(from_phh(to_phh(seen.records)).records[1:]) == format_records(seen.records[1:])


def test_observers_change_nothing() -> None:
    plain, watched = make_table(seed=3), make_table(seed=3)
    watched.add_observer(0, Witness())
    assert [plain.play_hand() for _ in range(30)] == [watched.play_hand() for _ in range(30)]


def _fails(observation: Observation) -> Action:
    raise RuntimeError("no idea")


@pytest.mark.parametrize(
    ("bad", "words"),
    [(_fails, "failed with RuntimeError: no idea"), (lambda _: Action.raise_to(1), "answered raise to 1")],
)
def test_an_agent_that_fails_checks_or_folds_and_is_counted(
    bad: Callable[[Observation], Action], words: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logging.getLogger("holdem"), "propagate", True)
    caller = Scripted(lambda _: Action.check_or_call())
    table = LocalTable(Game(GameConfig()), [Scripted(bad, "broken"), caller], seed=1)
    for _ in range(10):
        table.play_hand()
    assert table.faults >= 10
    assert f"broken {words}" in caplog.text
    assert "is dealt ????" in caplog.text, "the whole state is logged, without cards that the seat does not see"
    # As small blind it folds its 50 chips; as big blind the other calls, and everything is checked down.
    assert table.winnings[0] % 50 == 0
    assert sum(table.winnings) == 0


def test_the_pace_is_kept_between_actions() -> None:
    waited: list[float] = []
    game = Game(GameConfig())
    caller = Scripted(lambda _: Action.check_or_call())
    table = LocalTable(game, [caller, caller], seed=1, pace_seconds=0.25, pause=waited.append)
    table.play_hand()
    assert waited == [0.25] * 8  # a call and a check before the flop, two checks on each of three streets


def test_a_player_for_each_seat_is_needed() -> None:
    with pytest.raises(ConfigError, match="1 players for 2 seats"):
        LocalTable(Game(GameConfig()), [Scripted(lively)], seed=1)
