"""The bot in a seat does what it recommends, and checks or folds when it has to leave."""

import signal
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from holdem.errors import RunFailed
from holdem.evaluation.baselines import open_baseline
from holdem.game import Action, Game, Observation, observe
from holdem.realtime.search.decision import Decision
from holdem.table.acpc.client import play_match
from holdem.table.acpc.dealer import MatchDealer
from holdem.table.acpc.game_definition import standard_game
from holdem.table.advice.advisor import Advisor, blueprint_decision
from holdem.table.advice.recommendation import Recommendation
from holdem.table.history.hand_history import HandHistory, read_history
from holdem.table.profiles.profiles import AcpcDealer, TableProfile
from holdem.table.session.acpc_session import play_at_dealer
from holdem.table.session.autoplay import AutoPlayer
from holdem.table.session.leave_signals import LeaveNow, LeaveSignals
from holdem.table.session.local_table import LocalTable
from holdem.table.session.session import HistoryKeeper, Limits
from tests.table.policies import random_blueprint


def player_of(leave: LeaveSignals, shown: list[Recommendation]) -> AutoPlayer:
    blueprint = random_blueprint()
    return AutoPlayer("bot", Advisor(lambda o: blueprint_decision(blueprint, o)), leave, shown.append)


def test_it_does_what_it_shows() -> None:
    shown: list[Recommendation] = []
    bot = player_of(LeaveSignals(), shown)
    hand = Game.from_preset("headsup_100bb").new_hand(3)
    while hand.actor is not None:
        action = bot.act(observe(hand))
        assert action == shown[-1].decision.chosen
        hand.act(action)


def test_it_plays_exactly_what_the_blueprint_plays() -> None:
    game, caller = Game.from_preset("headsup_100bb"), open_baseline("always-call")
    payoffs = []
    for hero in (player_of(LeaveSignals(), []), random_blueprint()):
        table = LocalTable(game, [hero, caller], seed=6)
        payoffs.append([table.play_hand() for _ in range(40)])
    assert payoffs[0] == payoffs[1]


@pytest.mark.parametrize(("facing", "answer"), [(True, Action.fold()), (False, Action.check_or_call())])
def test_asked_to_leave_while_it_thinks_it_folds_or_checks(facing: bool, answer: Action) -> None:
    def think(_: Observation) -> Decision:
        signal.raise_signal(signal.SIGINT)
        raise AssertionError("the signal did not interrupt the thought")

    hand = Game.from_preset("headsup_100bb").new_hand(3)
    hand.act(Action.raise_to(300) if facing else Action.check_or_call())
    with LeaveSignals() as leave:
        signal.raise_signal(signal.SIGINT)
        bot = AutoPlayer("bot", Advisor(think), leave, lambda _: None)
        hasty: list[int] = []
        bot.in_haste = lambda: hasty.append(1)
        assert bot.act(observe(hand)) == answer
        assert bot.act(observe(hand)) == answer  # and thinks no more
        assert hasty == [1, 1]


def test_limits() -> None:
    assert Limits().reached(10**9, -(10**9)) == ""
    assert Limits(max_hands=3).reached(2, 0) == ""
    assert Limits(max_hands=3).reached(3, 0) == "3 hands were played"
    assert Limits(stop_loss=500).reached(1, -499) == ""
    assert "stop-loss is 500" in Limits(stop_loss=500).reached(1, -500)


def test_every_hand_is_kept_and_an_unfinished_one_too(tmp_path: Path) -> None:
    path, leave = tmp_path / "hands.phhs", LeaveSignals()
    keeper = HistoryKeeper(HandHistory.open(path), leave)

    class Leaver:
        name = "leaver"
        turns = 0

        def act(self, observation: Observation) -> Action:
            self.turns += 1
            if self.turns == 9:
                raise LeaveNow
            return Action.check_or_call()

    table = LocalTable(Game.from_preset("headsup_100bb"), [Leaver(), open_baseline("always-call")], seed=1)
    table.add_observer(0, keeper)
    with pytest.raises(LeaveNow):
        while True:
            table.play_hand()
    keeper.close()
    stored = read_history(path)
    assert [one.hand.is_over for one in stored] == [True, True, False]  # 4 turns a hand, and one of the third
    assert keeper.hands == 2
    assert stored[2].fields["_unfinished"] == 1
    assert {one.hero for one in stored} == {0}


def deal_match(hands: int, seed: int = 5) -> tuple[MatchDealer, tuple[int, ...], threading.Thread]:
    """Our dealer with a calling station in its second seat."""
    definition = standard_game(2)
    dealer = MatchDealer(definition, hands, seed)
    ports = dealer.listen()

    def station() -> None:
        play_match("127.0.0.1", ports[1], open_baseline("always-call"), definition)

    threads = [threading.Thread(target=_quietly, args=(work,), daemon=True) for work in (dealer.run, station)]
    for thread in threads:
        thread.start()
    return dealer, ports, threads[0]


def _quietly(work: Callable[[], object]) -> None:
    with suppress(RunFailed):  # the other side may leave first
        work()


def test_at_a_dealer_both_sides_count_the_same_chips(tmp_path: Path) -> None:
    dealer, ports, thread = deal_match(60)
    profile = TableProfile(table="acpc", acpc=AcpcDealer(port=ports[0]))
    keeper = HistoryKeeper(HandHistory.open(tmp_path / "hands.phhs"), LeaveSignals())
    shown: list[Recommendation] = []
    leave = LeaveSignals()
    why = play_at_dealer(profile, random_blueprint(), player_of(leave, shown), [keeper], Limits(), leave, seed=1)
    thread.join(timeout=20)
    keeper.close()
    assert why == "the dealer ended the match"
    assert keeper.hands == dealer.hands_played == 60
    assert len(read_history(tmp_path / "hands.phhs")) == 60
    # Our rules give an odd chip to one winner, the dealer splits it: at most half a chip for each hand that was split.
    assert abs(keeper.chips - dealer.score().chips[0]) <= 0.5 * 60
    assert shown


@pytest.mark.parametrize(
    ("limits", "why"), [(Limits(max_hands=4), "4 hands were played"), (Limits(stop_loss=50), "the stop-loss is 50")]
)
def test_limits_hold_at_a_dealer(tmp_path: Path, limits: Limits, why: str) -> None:
    _, ports, _ = deal_match(400)
    profile = TableProfile(table="acpc", acpc=AcpcDealer(port=ports[0]))
    keeper = HistoryKeeper(HandHistory.open(tmp_path / "hands.phhs"), LeaveSignals())
    leave = LeaveSignals()
    ended = play_at_dealer(profile, random_blueprint(), player_of(leave, []), [keeper], limits, leave, seed=1)
    keeper.close()
    assert why in ended
    assert len(read_history(tmp_path / "hands.phhs")) == keeper.hands < 400
