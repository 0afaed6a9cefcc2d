"""Reviewed hands: the decisions of one seat with what it saw, and the chips lost against the bot's own mixture."""

from pathlib import Path

import pytest

from holdem.errors import ConfigError
from holdem.game import Action, Game, Hand, Observation
from holdem.game.records import HoleCardsDealt
from holdem.game.replay import replay
from holdem.realtime.search.decision import Decision, Method
from holdem.realtime.search_controller import SearchController
from holdem.table.advice.advisor import Advisor
from holdem.table.advice.review import check_player, decisions_of, review_decision, seat_to_review
from holdem.table.history.hand_history import HandHistory, read_history
from holdem.table.history.observed_hand import ObservedHand, seen_by
from holdem.types import SearchConfig
from tests.realtime.blueprints import game_config
from tests.realtime.blueprints import random_blueprint as searched_blueprint

CALL = Action.check_or_call()


def played_hand() -> Hand:
    """The button raises to 300, the big blind calls; the flop goes check, bet 400, call; then it is checked down."""
    hand = Game.from_preset("headsup_100bb").new_hand(hole_cards=["AsKs", "QdQh"], board="Kc7d2c5h9s")
    for action in (Action.raise_to(300), CALL, CALL, Action.raise_to(400), CALL, CALL, CALL, CALL, CALL):
        hand.act(action)
    assert hand.is_over
    return hand


def test_the_decisions_of_a_seat_are_what_it_saw_and_did() -> None:
    hand = played_hand()
    blind, button = list(decisions_of(hand, 0)), list(decisions_of(hand, 1))
    assert [str(action) for _, action in blind] == ["check or call"] * 5
    assert [str(action) for _, action in button] == ["raise to 300", "raise to 400", "check or call", "check or call"]
    assert [len(seen.board) for seen, _ in blind] == [0, 3, 3, 4, 5]
    assert [seen.decision for seen, _ in button] == [0, 1, 2, 3]
    assert [seen.pot for seen, _ in blind] == [400, 600, 1_000, 1_400, 1_400]
    for seen, _ in blind + button:
        assert seen.hole_cards == hand.hole_cards[seen.seat]
        assert not any(isinstance(r, HoleCardsDealt) and r.seat != seen.seat and r.cards for r in seen.history)


def test_a_seat_whose_cards_are_not_known_has_nothing_to_review() -> None:
    seen = replay(seen_by(played_hand().records, 0))
    seen.hole_cards[1] = None
    assert list(decisions_of(seen, 1)) == []
    assert len(list(decisions_of(seen, 0))) == 5


def advisor_saying(*options: tuple[Action, float, float]) -> Advisor:
    actions, shares, evs = zip(*options, strict=True)

    def decide(_: Observation) -> Decision:
        return Decision(actions, shares, evs, actions[0], Method.SEARCH, 100)

    return Advisor(decide)


def test_what_was_lost_is_the_mixtures_worth_less_the_actions() -> None:
    seen, taken = list(decisions_of(played_hand(), 1))[1]
    advisor = advisor_saying((CALL, 0.5, 100.0), (Action.raise_to(400), 0.25, 60.0), (Action.raise_to(600), 0.25, 40.0))
    reviewed = review_decision(advisor, 1, seen, taken)
    assert reviewed.lost == pytest.approx(75.0 - 60.0)  # 50 + 15 + 10 - 60
    assert reviewed.lost_error is None
    assert reviewed.frequency == 0.25
    assert reviewed.clear
    assert reviewed.priced_as == ""
    assert (reviewed.street, reviewed.taken_words) == ("flop", "bet 400")


def test_a_size_that_the_bot_does_not_have_is_priced_between_two_that_it_has() -> None:
    seen, taken = list(decisions_of(played_hand(), 1))[1]
    advisor = advisor_saying((CALL, 1.0, 0.0), (Action.raise_to(300), 0.0, 30.0), (Action.raise_to(600), 0.0, 60.0))
    reviewed = review_decision(advisor, 1, seen, taken)
    # Pseudo-harmonic: 2/3 of the pot between 1/2 and 1 is (1 - 2/3)(1 + 1/2) / ((1 - 1/2)(1 + 2/3)) = 0.6 the smaller.
    assert reviewed.lost == pytest.approx(-(0.6 * 30 + 0.4 * 60))
    assert reviewed.priced_as == "60% bet 300 and 40% bet 600"
    assert reviewed.frequency == 0.0
    assert not reviewed.clear


def test_an_action_that_cannot_be_priced_is_not() -> None:
    seen, _ = list(decisions_of(played_hand(), 1))[1]
    reviewed = review_decision(advisor_saying((CALL, 1.0, 5.0)), 1, seen, Action.raise_to(400))
    assert reviewed.lost is None
    assert not reviewed.clear
    assert reviewed.to_plain()["lost"] is None


def test_whose_hands_they_are(tmp_path: Path) -> None:
    hand = played_hand()
    with HandHistory.open(tmp_path / "own.phhs") as history:
        history.append(ObservedHand(0, 1, ("bot", "you"), seen_by(hand.records, 1), hand.payoffs))
    [own] = read_history(tmp_path / "own.phhs")
    assert seat_to_review(own, None) == 1
    assert seat_to_review(own, "bot") == 0
    assert seat_to_review(own, "Alice") is None
    with HandHistory.open(tmp_path / "open.phhs") as history:
        history.append(hand, players=("Alice", "Bob"))
    stored = read_history(tmp_path / "open.phhs")
    assert seat_to_review(stored[0], None) is None, "both hands are known, so somebody must be named"
    assert seat_to_review(stored[0], "Bob") == 1
    with pytest.raises(ConfigError, match="name one with --player: Alice, Bob"):
        check_player(stored, None)
    with pytest.raises(ConfigError, match="nobody is called 'Carol'"):
        check_player(stored, "Carol")
    check_player(stored, "Alice")


def test_with_the_solver_the_worth_comes_from_the_solved_subgame() -> None:
    """The nuts face an all-in bet on the river: a call wins the 600 in the pot and the 2,700 of the bet.

    They come with the river: a hand that never checks before it would be left out of the solve.
    """
    blueprint = searched_blueprint()
    hand = Game(game_config()).new_hand(hole_cards=["AsKs", None], board="7h3dQsJsTs")
    for action in (Action.raise_to(300), *[CALL] * 6, Action.raise_to(2_700), Action.fold()):
        hand.act(action)
    *_, (seen, taken) = decisions_of(hand, 0)
    assert taken == Action.fold()
    advisor = Advisor(SearchController(blueprint, SearchConfig(iterations=200)).decide)
    reviewed = review_decision(advisor, 1, seen, taken)
    decision = reviewed.recommendation.decision
    assert decision.method is Method.SEARCH
    assert decision.iterations == 200
    assert reviewed.recommendation.ev_source == "solved subgame"
    assert decision.evs == pytest.approx((0.0, 3_300.0), abs=0.5)  # single precision, in chips
    assert reviewed.lost == pytest.approx(3_300.0 * decision.probabilities[1], abs=0.5)
    assert decision.probabilities[1] > 0.99
    assert reviewed.clear
