"""Recommendations: the blueprint's own mixture, worth with its source, and a safe answer to what is not understood."""

import json
import logging
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from holdem.cards.cards import hole_index
from holdem.errors import ArtifactError
from holdem.evaluation.baselines import open_baseline
from holdem.game import Action, Game, Observation, observe
from holdem.realtime.search.decision import Decision, Method
from holdem.table.advice.advisor import Advisor, blueprint_decision
from holdem.table.advice.open_advisor import open_bot
from holdem.table.advice.recommendation import NOT_COMPUTED, Recommendation, words_of
from holdem.table.advice.rollouts import HARDLY_TAKEN, Rollouts
from holdem.table.history.observed_hand import SeatObserver
from holdem.table.session.local_table import LocalTable
from tests.table.policies import random_blueprint, save_jam_or_fold


def seen_after(*actions: Action, seed: int = 1) -> Observation:
    hand = Game.from_preset("headsup_100bb").new_hand(seed)
    for action in actions:
        hand.act(action)
    return observe(hand, deal=seed)


CALL = Action.check_or_call()
LINES = [(), (CALL,), (Action.raise_to(230),), (CALL, CALL, Action.raise_to(150)), (CALL, CALL, CALL, CALL, CALL)]


@pytest.mark.parametrize("line", LINES, ids=lambda line: ",".join(map(str, line)) or "first")
def test_a_blueprint_decision_is_the_agents_own_mixture(line: tuple[Action, ...]) -> None:
    blueprint = random_blueprint()
    seen = seen_after(*line)
    decision = blueprint_decision(blueprint, seen)
    actions, matrix = blueprint.range_policy(seen.public())
    expected = dict(zip(actions, matrix[hole_index(*seen.hole_cards)].tolist(), strict=True))
    assert dict(zip(decision.actions, decision.probabilities, strict=True)) == pytest.approx(expected)
    assert sum(decision.probabilities) == pytest.approx(1.0)
    assert decision.chosen == blueprint.act(seen)
    assert decision.method is Method.BLUEPRINT
    assert decision.evs is None
    assert ("off the tree" in decision.note) == (line in LINES[2:4])


def test_worth_is_absent_or_comes_with_errors_and_a_source() -> None:
    blueprint, seen = random_blueprint(), seen_after(CALL)
    plain = Advisor(lambda o: blueprint_decision(blueprint, o)).recommend(seen)
    assert plain.ev_source == NOT_COMPUTED
    assert plain.ev_errors is None
    enough = Rollouts(blueprint, 1_000)  # for both halves of the deals to find the same action best
    measured = Advisor(lambda o: blueprint_decision(blueprint, o), enough).recommend(seen)
    assert measured.ev_source.startswith("blueprint rollouts")
    assert measured.decision.evs is not None
    assert measured.ev_errors is not None
    assert len(measured.decision.evs) == len(measured.ev_errors) == len(measured.decision.actions)
    first = [1.0, *[0.0] * (len(measured.decision.actions) - 1)]
    lost, _ = measured.lost(first)
    assert lost == pytest.approx(np.nanmax(measured.decision.evs) - measured.decision.evs[0])


def test_a_solved_decision_keeps_its_own_worth() -> None:
    seen = seen_after(CALL)
    solved = Decision((CALL, Action.raise_to(300)), (0.25, 0.75), (10.0, 20.0), CALL, Method.SEARCH, 120, 0.05)
    advisor = Advisor(lambda _: solved, Rollouts(random_blueprint(), 50))
    found = advisor.recommend(seen)
    assert found.decision.evs == (10.0, 20.0)
    assert found.ev_source == "solved subgame"
    assert found.lost([1.0, 0.0]) == (10.0, None)
    assert found.lost([0.0, 1.0]) == (0.0, None)
    assert "120 iterations, 50.0 ms" in found.how
    assert advisor.decisions[Method.SEARCH] == 1


def _fails(_: Observation) -> Decision:
    raise RuntimeError("the seats do not fit")


def _illegal(_: Observation) -> Decision:
    return Decision((Action.raise_to(7),), (1.0,), None, Action.raise_to(7), Method.BLUEPRINT)


@pytest.mark.parametrize("decide", [_fails, _illegal])
def test_a_state_that_is_not_understood_is_checked_or_folded_logged_whole_and_counted(
    decide: object, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logging.getLogger("holdem"), "propagate", True)
    advisor = Advisor(decide)  # type: ignore[arg-type]
    facing, free = seen_after(Action.raise_to(300)), seen_after(CALL)
    assert advisor.recommend(facing).decision.chosen == Action.fold()
    assert advisor.recommend(free).decision.chosen == CALL
    assert advisor.not_understood == 2
    assert advisor.decisions[Method.FALLBACK] == 2
    assert "raises to 300" in caplog.text
    assert "posts blind 50" in caplog.text
    assert "is dealt ????" in caplog.text


def test_a_table_for_another_number_of_players_is_not_understood() -> None:
    blueprint = random_blueprint()
    advisor = Advisor(lambda o: blueprint_decision(blueprint, o), Rollouts(blueprint, 50))
    found = advisor.recommend(observe(Game.from_preset("sixmax_100bb").new_hand(1)))
    assert found.decision.method is Method.FALLBACK
    assert "trained for 2 players" in found.decision.note
    assert found.decision.chosen == Action.fold()


def test_an_estimate_that_fails_does_not_touch_the_decision(monkeypatch: pytest.MonkeyPatch) -> None:
    blueprint, seen = random_blueprint(), seen_after(CALL)
    rollouts = Rollouts(blueprint, 50)
    monkeypatch.setattr(rollouts, "worth", lambda *_: 1 / 0)
    advisor = Advisor(lambda o: blueprint_decision(blueprint, o), rollouts)
    found = advisor.recommend(seen)
    assert found.decision.method is Method.BLUEPRINT
    assert found.ev_source == NOT_COMPUTED
    assert advisor.not_understood == 0


def test_a_json_line_holds_state_frequencies_worth_and_how_it_was_found() -> None:
    blueprint, seen = random_blueprint(), seen_after(CALL, CALL)
    advisor = Advisor(lambda o: blueprint_decision(blueprint, o), Rollouts(blueprint, 50))
    plain = json.loads(json.dumps(advisor.recommend(seen).to_plain(), allow_nan=False))
    assert (plain["street"], plain["position"], plain["pot"], plain["to_call"]) == ("flop", "BB", 200, 0)
    assert len(plain["board"]) == 6
    assert sum(action["frequency"] for action in plain["actions"]) == pytest.approx(1.0, abs=1e-5)
    assert plain["actions"][0]["action"] == "check"
    assert {"method", "iterations", "milliseconds", "note", "ev_source", "chosen"} <= plain.keys()


def test_actions_in_words() -> None:
    facing = seen_after(Action.raise_to(300))
    assert words_of(Action.fold(), facing) == "fold"
    assert words_of(CALL, facing) == "call 200"
    assert words_of(Action.raise_to(900), facing) == "raise to 900"
    assert words_of(Action.raise_to(10_000), facing) == "raise to 10000 all-in"
    flop = seen_after(CALL, CALL)
    assert words_of(CALL, flop) == "check"
    assert words_of(Action.raise_to(100), flop) == "bet 100"
    assert words_of(CALL, seen_after(Action.raise_to(10_000))) == "call 9900 all-in"


def test_an_open_bot_has_warmed_up_and_counts_from_zero(tmp_path: Path) -> None:
    path = save_jam_or_fold(tmp_path)
    seen = observe(Game.from_preset("jam_or_fold_10bb").new_hand(1))
    with open_bot(path, deals=50) as (_, advisor):
        assert not any(advisor.decisions.values())
        assert advisor.recommend(seen).ev_source.startswith("blueprint rollouts")
        assert advisor.decisions[Method.BLUEPRINT] == 1
    with open_bot(path, deals=0) as (_, advisor):
        assert advisor.recommend(seen).ev_source == NOT_COMPUTED
    with pytest.raises(ArtifactError, match="nowhere does not exist"), open_bot(tmp_path / "nowhere"):
        pass


def test_what_a_search_counts_is_passed_on() -> None:
    counts = Counter({"search": 3, "a worker was lost": 1})
    advisor = Advisor(lambda _: 1 / 0, None, counts)  # type: ignore[arg-type,return-value]
    assert advisor.remarks == {"a worker was lost": 1}
    advisor.forget_counts()
    assert advisor.remarks == {}


def test_other_stacks_are_answered_too() -> None:
    blueprint = random_blueprint()
    hand = Game.from_preset("headsup_100bb").new_hand(1, stacks=[700, 3_000])
    decision = blueprint_decision(blueprint, observe(hand))
    assert observe(hand).legal.allows(decision.chosen)
    assert replace(decision, seconds=0.0) == replace(blueprint_decision(blueprint, observe(hand)), seconds=0.0)


def test_three_players_are_advised_at_every_turn_of_a_real_table() -> None:
    blueprint = random_blueprint("three players")
    advisor = Advisor(lambda o: blueprint_decision(blueprint, o), Rollouts(blueprint, 20))
    found: list[Recommendation] = []

    class Beside(SeatObserver):
        def to_act(self, observation: Observation) -> None:
            found.append(advisor.recommend(observation))

    table = LocalTable(Game(blueprint.policy.config), [open_baseline("always-call")] * 3, seed=2)
    table.add_observer(1, Beside())
    for _ in range(30):
        table.play_hand()
    assert advisor.not_understood == 0
    assert {recommendation.observation.street for recommendation in found} == {0, 1, 2, 3}
    for recommendation in found:
        decision = recommendation.decision
        assert decision.evs is not None
        for action, share, ev in zip(decision.actions, decision.probabilities, decision.evs, strict=True):
            assert (action == Action.fold()) <= (ev == 0.0)
            if share >= HARDLY_TAKEN:
                # Nobody can lose more than their stack or win more than all the others'.
                assert -1_000 <= ev <= 3_000
