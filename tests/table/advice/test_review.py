"""Reviewed hands: the decisions of one seat with what it saw, and the chips lost against the best action."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from holdem.blueprint.agent import BlueprintAgent
from holdem.cli.review import lost_words
from holdem.errors import ConfigError
from holdem.game import Action, Game, Hand, from_phh, observe, to_phh
from holdem.game.records import HoleCardsDealt
from holdem.game.replay import replay
from holdem.realtime.search.decision import Decision, Method
from holdem.realtime.search_controller import SearchController
from holdem.table.advice.advisor import Advisor
from holdem.table.advice.review import (
    ReviewedDecision,
    check_player,
    decisions_of,
    review_decision,
    seat_to_review,
    summary,
    worst,
)
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


def advisor_saying(*options: tuple[Action, float, float], accuracy: float | None = 1.0, **more: Any) -> Advisor:
    actions, shares, evs = zip(*options, strict=True)
    found = Decision(actions, shares, evs, actions[0], Method.SEARCH, 100, accuracy=accuracy, hand_accuracy=accuracy)
    return Advisor(lambda _: replace(found, **more))


def test_what_was_lost_is_the_best_actions_worth_less_the_actions() -> None:
    seen, taken = list(decisions_of(played_hand(), 1))[1]
    advisor = advisor_saying((CALL, 0.7, 100.0), (Action.raise_to(400), 0.04, 60.0), (Action.raise_to(600), 0.26, 40.0))
    reviewed = review_decision(advisor, 1, seen, taken)
    assert reviewed.lost == pytest.approx(100.0 - 60.0)
    assert reviewed.lost_error is None
    assert reviewed.best_words == "check"
    assert reviewed.frequency == 0.04
    assert reviewed.clear
    assert reviewed.priced_as == ""
    assert (reviewed.street, reviewed.taken_words) == ("flop", "bet 400")


def test_a_size_that_the_bot_does_not_have_is_priced_between_two_that_it_has() -> None:
    seen, taken = list(decisions_of(played_hand(), 1))[1]
    advisor = advisor_saying((CALL, 1.0, 0.0), (Action.raise_to(300), 0.0, 30.0), (Action.raise_to(600), 0.0, 60.0))
    reviewed = review_decision(advisor, 1, seen, taken)
    # Pseudo-harmonic: 2/3 of the pot between 1/2 and 1 is (1 - 2/3)(1 + 1/2) / ((1 - 1/2)(1 + 2/3)) = 0.6 the smaller.
    assert reviewed.lost == pytest.approx(60 - (0.6 * 30 + 0.4 * 60))
    assert reviewed.priced_as == "60% bet 300 and 40% bet 600"
    assert reviewed.frequency == 0.0


def test_clear_is_what_exceeds_the_accuracy_and_five_per_cent_of_the_pot_and_is_hardly_ever_played() -> None:
    seen, taken = list(decisions_of(played_hand(), 1))[1]
    assert seen.pot == 600

    def reviewed(lost: float, share: float, accuracy: float | None, **more: bool) -> ReviewedDecision:
        options = (CALL, 1.0 - share, 40.0), (taken, share, 40.0 - lost)
        return review_decision(advisor_saying(*options, accuracy=accuracy, **more), 1, seen, taken)

    assert reviewed(31.0, 0.04, 12.0).clear
    assert not reviewed(31.0, 0.04, 32.0).clear, "a best response gains more than that"
    assert not reviewed(29.0, 0.04, 1.0).clear, "other trees change as much"
    assert not reviewed(31.0, 0.06, 12.0).clear, "the solve plays like this itself"
    assert not reviewed(31.0, 0.04, None).clear, "nobody knows how accurate that is"
    assert not reviewed(0.0, 0.04, 1.0).clear
    plain = reviewed(31.0, 0.04, 12.0).to_plain()
    assert (plain["lost"], plain["lost_error"], plain["lost_standard_error"]) == (31.0, None, None)
    assert [action["ev_error"] for action in plain["bot"]["actions"]] == [None, None]
    assert plain["bot"]["accuracy_words"] == "solved to within 12 chips"


@pytest.mark.parametrize("why", ["off_the_line", "outside_range"])
def test_what_the_solves_hardly_ever_come_to_has_evs_but_counts_in_no_sum(why: str) -> None:
    seen, taken = list(decisions_of(played_hand(), 1))[1]
    options = (CALL, 1.0, 3_000.0), (taken, 0.0, 0.0)
    usual = review_decision(advisor_saying(*options), 1, seen, taken)
    rare = review_decision(advisor_saying(*options, **{why: True}), 1, seen, taken)
    assert (usual.lost, usual.counted, usual.clear) == (3_000.0, True, True)
    assert (rare.lost, rare.counted, rare.clear) == (3_000.0, False, False)
    assert rare.to_plain()["bot"][why]
    assert worst([rare, usual]) == [usual]
    figures = summary([rare, usual, rare])
    assert figures["lost"] == summary([usual])["lost"] | {"decisions": 3, "not_counted": 2}
    assert figures["not_counted_words"] == "not counted: 2 decisions that the bot hardly ever comes to"
    assert summary([usual])["not_counted_words"] == ""
    assert (lost_words(usual), lost_words(rare)) == ("3,000", "(3,000)")


def test_an_action_whose_worth_is_not_shown_loses_something_unknown() -> None:
    seen, taken = list(decisions_of(played_hand(), 1))[1]
    reviewed = review_decision(advisor_saying((CALL, 0.98, 40.0), (taken, 0.02, float("nan"))), 1, seen, taken)
    assert reviewed.lost is None
    assert reviewed.to_plain()["bot"]["actions"][1]["ev"] is None
    assert reviewed.best_words == "check"


def test_an_all_in_of_the_larger_stack_is_the_one_that_can_be_called() -> None:
    """The bot's all-in is 11,500 and the other has 10,000: whatever is raised beyond that is the same."""
    hand = Game.from_preset("headsup_100bb").new_hand(hole_cards=["7s7d", "TsTd"], stacks=[10_000, 11_500])
    for amount in (250, 1_000):
        hand.act(Action.raise_to(amount))
    seen, all_in = observe(hand), Action.raise_to(11_500)
    assert seen.legal.max_raise_to == 11_500
    advisor = advisor_saying((CALL, 0.47, 10.0), (Action.raise_to(2_300), 0.0, 5.0), (all_in, 0.53, 30.0))
    for taken in (all_in, Action.raise_to(10_000), Action.raise_to(10_700)):
        reviewed = review_decision(advisor, 1, seen, taken)
        assert (reviewed.frequency, reviewed.lost, reviewed.priced_as) == (0.53, 0.0, "")
    rare = Action.raise_to(10_500)  # the same to whoever calls, and without EV
    two = advisor_saying((CALL, 0.5, 10.0), (rare, 0.1, float("nan")), (all_in, 0.4, 30.0))
    reviewed = review_decision(two, 1, seen, rare)
    assert (reviewed.frequency, reviewed.lost, reviewed.priced_frequency) == (0.5, 0.0, 0.5)
    reviewed = review_decision(advisor_saying((CALL, 1.0, 10.0), (all_in, 0.0, float("nan"))), 1, seen, all_in)
    assert reviewed.not_counted_because == "with an action that the bot hardly ever takes"


def reviewing(blueprint: BlueprintAgent, iterations: int) -> Advisor:
    controller = SearchController(blueprint, SearchConfig(iterations=iterations, root="unsafe"), advises=True)
    return Advisor(controller.decide, decide_with=controller.decide_with)


def raised_flop() -> Hand:
    """The flop goes bet 200 into 600, raise to 470: a size that no menu has."""
    hand = Game(game_config()).new_hand(hole_cards=["AsKs", "QdQh"], board="Kc7d2c5h9s")
    for action in (Action.raise_to(300), CALL, Action.raise_to(200), Action.raise_to(470), Action.fold()):
        hand.act(action)
    return hand


def test_a_raise_of_a_persons_own_is_a_choice_of_the_solve_and_not_priced_as_another() -> None:
    seen, taken = list(decisions_of(raised_flop(), 1))[1]
    assert taken == Action.raise_to(470)
    advisor = reviewing(searched_blueprint(), 50)
    usual = advisor.recommend(seen).decision
    assert taken not in usual.actions
    reviewed = review_decision(advisor, 1, seen, taken)
    found = reviewed.recommendation.decision
    assert set(found.actions) == {*usual.actions, taken}
    assert reviewed.priced_as == ""
    assert reviewed.frequency == found.probabilities[found.actions.index(taken)]
    assert sum(found.probabilities) == pytest.approx(1.0)
    assert advisor.recommend(seen).decision.actions == usual.actions, "what others are told stays the same"


def test_a_size_far_from_every_size_with_a_worth_is_not_priced_as_one_of_them() -> None:
    seen, _ = list(decisions_of(played_hand(), 1))[1]
    advisor = advisor_saying((CALL, 1.0, 16.0), (Action.raise_to(9_700), 0.0, -192.0))
    reviewed = review_decision(advisor, 1, seen, Action.raise_to(375))
    assert (reviewed.lost, reviewed.priced_as, reviewed.counted, reviewed.clear) == (None, "", False, False)
    assert reviewed.to_plain()["not_counted_because"] == "with a size that the bot has nothing like"
    words = "not counted: 1 decision with a size that the bot has nothing like"
    assert summary([reviewed])["not_counted_words"] == words
    assert summary([reviewed])["lost"]["chips"] == 0.0
    near = review_decision(advisor, 1, seen, Action.raise_to(9_000))
    assert near.lost == pytest.approx(16.0 + 192.0)


def free_fold() -> Hand:
    """Three see a flop; one folds where a check is free, and so does the last one on the river."""
    hand = Game(game_config(3)).new_hand(hole_cards=["AsKs", "QdQh", "JcTc"], board="Kc7d2c5h9s")
    fold, bet = Action.fold(), Action.raise_to(400)
    for action in (Action.raise_to(300), CALL, CALL, CALL, fold, bet, CALL, CALL, CALL, CALL, fold):
        hand.act(action, recorded=True)
    assert hand.is_over
    return hand


def test_a_fold_where_a_check_is_free_has_no_worth_and_stops_no_review() -> None:
    """Only hands from elsewhere have it, and no tree of ours; decisions behind it are solved all the same."""
    hand = from_phh(to_phh(free_fold()))
    advisor = reviewing(searched_blueprint(3), 20)
    found = [review_decision(advisor, 1, *one) for seat in range(3) for one in decisions_of(hand, seat)]
    assert [one.taken_words for one in found if one.position == "BB"] == ["call 200", "fold"]
    assert advisor.not_understood == 0
    solved = [one for one in found if one.recommendation.decision.method is Method.SEARCH]
    assert [one.taken_words for one in solved] == ["call 400", "check", "check", "bet 400", "check", "fold"]
    seen, taken = list(decisions_of(hand, 2))[-1]
    assert (seen.legal.can_fold, taken) == (False, Action.fold())
    folded = review_decision(advisor_saying((CALL, 0.5, 40.0), (Action.raise_to(400), 0.5, 40.0)), 1, seen, taken)
    assert (folded.frequency, folded.lost, folded.clear) == (0.0, None, False)
    assert folded.not_counted_because == "with a fold where a check is free"


def test_a_loss_is_clear_only_if_a_second_solve_says_so_and_the_smaller_one_is_told() -> None:
    seen, taken = list(decisions_of(played_hand(), 1))[1]

    def reviewed(*losses: float) -> ReviewedDecision:
        options = [((CALL, 1.0, 40.0), (taken, 0.0, 40.0 - lost)) for lost in losses]
        first, second = (advisor_saying(*option).decide for option in options)
        return review_decision(
            Advisor(first, decide_with=lambda seen, taken, times=1.0: (first if times == 1.0 else second)(seen)),
            1, seen, taken,
        )  # fmt: skip

    assert seen.pot == 600  # so that more than 30 is clear
    told = [(one.lost, one.clear) for one in (reviewed(50, 5), reviewed(50, 90), reviewed(50, 35), reviewed(5, 50))]
    assert told == [(5.0, False), (50.0, True), (35.0, True), (5.0, False)]
    unknown = reviewed(50, float("nan"))
    assert (unknown.lost, unknown.counted) == (None, False)


def test_a_summary_adds_up_by_street_and_by_position_and_the_worst_come_first() -> None:
    advisor = advisor_saying(
        (CALL, 0.02, 30.0), (Action.raise_to(300), 0.02, 10.0), (Action.raise_to(900), 0.96, 50.0), accuracy=2
    )
    reviewed = [
        review_decision(advisor, 1, seen, taken) for seat in (0, 1) for seen, taken in decisions_of(played_hand(), seat)
    ]
    figures = summary(reviewed)
    assert list(figures["by_street"]) == ["preflop", "flop", "turn", "river"]
    assert list(figures["by_position"]) == ["BB", "SB"]
    for part in ("by_street", "by_position"):
        for key in ("decisions", "measured", "chips", "error", "clear"):
            assert sum(one[key] for one in figures[part].values()) == pytest.approx(figures["lost"][key])
    losses = [one.lost or 0.0 for one in worst(reviewed)]
    assert losses == sorted(losses, reverse=True)
    assert len(losses) == figures["lost"]["clear"] > 0
    assert worst(reviewed, 2) == worst(reviewed)[:2]


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
    advisor = Advisor(SearchController(blueprint, SearchConfig(iterations=200), advises=True).decide)
    reviewed = review_decision(advisor, 1, seen, taken)
    decision = reviewed.recommendation.decision
    assert decision.method is Method.SEARCH
    assert decision.iterations == 200
    assert reviewed.recommendation.ev_source == "solved subgame"
    assert decision.evs == pytest.approx((0.0, 3_300.0), abs=0.5)  # single precision, in chips
    assert reviewed.lost == pytest.approx(3_300.0, abs=0.5)
    assert decision.probabilities[1] > 0.99
    assert reviewed.clear
