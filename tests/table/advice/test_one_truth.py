"""The coach tells one truth: what it shows as played is worth the most, by its own figures and within its accuracy.

The bound: a best response of the seat may play as the solve does until it comes to the decision, and the best action
of each hand there. So what the mixtures shown lose there to the best actions, over the range and times the chance of
coming there, is at most what a best response gains in the whole solve, which is at most twice its exploitability. The
exploitability of rivers with few hands is that of the judge, which shares no code with the search; elsewhere it is the
solver's own. Reach and meeting hands are computed here.
"""

import json
from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from holdem.cards.cards import HOLE_CARDS, hole_index
from holdem.cli.advice_display import AdviceDisplay, advice_line
from holdem.game import Action, Game, Hand, Observation, observe
from holdem.realtime.search.decision import Decision, Method
from holdem.realtime.search.request import SolveRequest
from holdem.realtime.search.street_resolver import StreetResolver
from holdem.realtime.search.street_solution import StreetSolution, aligned
from holdem.realtime.search_controller import BESIDE, OFF_THE_LINE, RARELY_HERE, SearchController
from holdem.realtime.subgame.loop import SolveResult
from holdem.realtime.subgame.solution import Solution
from holdem.realtime.vector.search import VectorSearch
from holdem.table.advice.advisor import Advisor, blueprint_decision
from holdem.table.advice.recommendation import NOT_COMPUTED
from holdem.table.advice.review import review_decision, summary
from holdem.table.advice.rollouts import HARDLY_TAKEN, Rollouts
from holdem.types import SearchConfig
from holdem.web.play.page_side import decision_message
from tests.realtime.blueprints import blueprint_with_tables, game_config, random_blueprint
from tests.realtime.subgame.test_judged_solves import judged
from tests.table.policies import random_blueprint as blueprint_of_one_bucket

FEW_ITERATIONS = SearchConfig(iterations=25, root="unsafe")
"""So that there is something left to gain."""
SINGLE_PRECISION = 1e-4
"""Of the chips that may change hands: what sums of single precision may be off."""
DISJOINT = ~(HOLE_CARDS[:, None, :, None] == HOLE_CARDS[None, :, None, :]).any(axis=(2, 3))
CALL = Action.check_or_call()

Float64 = npt.NDArray[np.float64]


class Recording(StreetResolver):
    """Remembers the last solver, to ask it more."""

    last: VectorSearch

    def solve(self, request: SolveRequest) -> StreetSolution:
        search = self.searched(request).search
        assert isinstance(search, VectorSearch)
        self.last = search
        return search.solution()


@dataclass(frozen=True)
class Shown:
    """A searched decision: what was shown to the hand held, what the whole range would have been shown, and the solver
    behind it."""

    observation: Observation
    decision: Decision
    solution: StreetSolution
    search: VectorSearch

    @property
    def rounding(self) -> float:
        return SINGLE_PRECISION * (self.search.solver.spot.pot + 2 * self.search.solver.spot.effective_stack)

    def weights(self) -> tuple[Float64, float]:
        """(1326,) how often each hand of the seat comes to the decision and meets a hand, and that over all deals."""
        seat, request = self.observation.seat, self.search.request
        other = next(place for place in range(len(request.ranges)) if place != seat)
        reach = {place: request.ranges[place].copy() for place in (seat, other)}
        deals = float(reach[seat] @ DISJOINT @ reach[other])
        actor = self.search.root.seats[self.search.root.to_act]
        for place, action in enumerate(self.solution.line):
            chances = self.solution.chances(self.solution.line[:place], action)
            assert chances is not None
            if actor == seat:  # hands outside of the range have a row, too, and no weight
                chances = np.where(reach[seat] > 0, chances, 0.0)
            reach[actor] *= chances
            actor = other if actor == seat else seat
        weights = reach[seat] * (DISJOINT @ reach[other])
        return weights, float(weights.sum()) / deals

    def loss(self, weights: Float64, policy: npt.NDArray[np.floating[Any]] | None = None) -> float:
        """What the mixtures shown (or others) lose to the best actions, by the worth shown, over the range."""
        policy = self.solution.options[1] if policy is None else policy
        values = self.solution.action_values.astype(np.float64)
        live = (weights > 0.0) & ~np.isnan(values).any(axis=1)
        assert weights[~live].sum() <= 1e-6 * weights.sum()
        lost = values[live].max(axis=1) - (policy[live] * values[live]).sum(axis=1)
        return float(weights[live] @ lost / weights[live].sum())


def searched_decisions(count: int, config: SearchConfig = FEW_ITERATIONS) -> Iterator[Shown]:
    """Decisions of the search against itself, until there are so many."""
    resolver = Recording(random_blueprint())
    controller = SearchController(random_blueprint(), config, resolver, advises=True)
    game, found = Game(game_config()), 0
    for seed in range(10_000):
        hand = game.new_hand(seed)
        while hand.actor is not None:
            seen = observe(hand, seed, len(hand.records))
            decision = controller.decide(seen)
            if decision.method is Method.SEARCH:
                solution = controller._solution(seen.public(), 0.0)
                assert isinstance(solution, StreetSolution)
                yield Shown(seen, decision, solution, resolver.last)
                found += 1
                if found == count:
                    return
            hand.act(decision.chosen)


def check(shown: Shown) -> None:
    weights, reached = shown.weights()
    decision, accuracy, rounding = shown.decision, shown.solution.accuracy, shown.rounding
    assert accuracy is not None
    assert decision.accuracy == accuracy.of_range
    assert accuracy.reached == pytest.approx(reached, rel=1e-3, abs=1e-9)
    loss, exploitability = shown.loss(weights), shown.search.solver.exploitability()
    assert loss >= -rounding
    # Of those deals that come here; the rounding of values is divided by their share, as the values are.
    assert loss <= accuracy.of_range + rounding
    assert loss * reached <= 2 * exploitability + rounding
    assert accuracy.of_range * reached <= 2 * exploitability + rounding
    # The hand held: its row is what was shown.
    hand = hole_index(*shown.observation.hole_cards)
    assert decision.evs is not None
    assert decision.hand_accuracy is not None
    assert decision.evs == pytest.approx(shown.solution.action_values[hand].tolist())
    assert decision.probabilities == pytest.approx(shown.solution.options[1][hand].tolist(), abs=1e-5)
    mixture = float(np.dot(decision.probabilities, decision.evs))
    assert max(decision.evs) - mixture <= decision.hand_accuracy + rounding


def test_fifty_searched_decisions_lose_no_more_than_the_solve_can_be_exploited_for() -> None:
    streets = Counter(shown.observation.street for shown in map(_checked, searched_decisions(50)))
    assert streets.keys() == {1, 2, 3}


@pytest.mark.long
def test_five_hundred_searched_decisions_lose_no_more_than_the_solve_can_be_exploited_for() -> None:
    streets = Counter(shown.observation.street for shown in map(_checked, searched_decisions(500)))
    assert streets.total() == 500
    assert min(streets[street] for street in (1, 2, 3)) >= 50


def test_frequencies_of_the_blueprint_beside_the_worth_of_a_solve_would_not_pass() -> None:
    """What the bound is against: two strategies in one panel."""
    contradictions = 0
    for shown in searched_decisions(10, FEW_ITERATIONS.model_copy(update={"iterations": 150})):
        weights, _ = shown.weights()
        listed, rows = random_blueprint().range_policy(shown.observation.public())
        policy = aligned((tuple(listed), rows.astype(np.float32)), shown.solution.options[0])
        assert shown.solution.accuracy is not None
        contradictions += shown.loss(weights, policy) > 2 * shown.solution.accuracy.of_range
    assert contradictions >= 8


def _checked(shown: Shown) -> Shown:
    check(shown)
    return shown


def test_rivers_with_few_hands_by_the_judges_exploitability() -> None:
    """The judge plays the same tree by rules and ranks of his own; what is locked is free for him, so he gains more."""
    rivers = 0
    for number, shown in enumerate(shown for shown in searched_decisions(60) if shown.observation.street == 3):
        request = shown.search.request
        thinned = np.where(np.random.default_rng(number).random(request.ranges.shape) < 0.02, request.ranges, 0.0)
        search = VectorSearch(replace(request, ranges=thinned))
        search.run(15)
        few = replace(shown, solution=search.solution(), search=search)
        weights, reached = few.weights()
        verdict = judged(Solution(search.solver, SolveResult(15, 0.0, None, "iterations")))
        accuracy = few.solution.accuracy
        assert accuracy is not None
        if not request.locked:
            assert search.solver.exploitability() == pytest.approx(verdict.exploitability, abs=few.rounding)
        assert few.loss(weights) <= accuracy.of_range + few.rounding
        assert few.loss(weights) * reached <= 2 * verdict.exploitability + few.rounding
        assert accuracy.of_range * reached <= 2 * verdict.exploitability + few.rounding
        rivers += 1
    assert rivers >= 5


def river() -> Observation:
    hand = Game(game_config()).new_hand(4)
    for action in (Action.raise_to(300), *[CALL] * 6, Action.raise_to(600)):
        hand.act(action)
    return observe(hand, 4)


def test_a_hand_that_the_betting_leaves_out_is_solved_beside_the_range(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its weight is too small to change what the other hands are told, and its own figures are of the same solve."""
    seen = river()
    hand = hole_index(*seen.hole_cards)
    told = []
    for weight in (1.0, 1e-6):
        controller = SearchController(random_blueprint(), SearchConfig(iterations=300, root="unsafe"), advises=True)
        ranges = controller.ranges

        def with_the_hand(state: object, ranges: object = ranges, weight: float = weight) -> object:
            found = ranges(state)  # type: ignore[operator]
            found.weights[seen.seat, hand] = weight
            return found

        monkeypatch.setattr(controller, "ranges", with_the_hand)
        told.append(controller.decide(seen))
    assert BESIDE not in told[0].note
    assert BESIDE in told[1].note
    assert [decision.outside_range for decision in told] == [False, True]
    assert told[1].evs is not None
    assert told[1].hand_accuracy is not None
    assert told[1].evs == pytest.approx(told[0].evs, abs=20)  # one hand of a thousand in a pot of 1,200
    assert max(told[1].evs) - np.dot(told[1].probabilities, told[1].evs) <= told[1].hand_accuracy + 0.5


def test_a_line_that_the_solve_hardly_ever_takes_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fifth of the pot is no size for these ranges: the solve never bets it, and knows nothing of what follows."""
    hand = Game(game_config()).new_hand(4)
    for action in (Action.raise_to(300), *[CALL] * 6, Action.raise_to(120)):
        hand.act(action)
    seen, config = observe(hand, 4), SearchConfig(iterations=300, root="unsafe")
    opened = SearchController(random_blueprint(), config, advises=True).decide(seen)
    monkeypatch.setattr("holdem.realtime.search_controller.HARDLY_EVER", 0.0)
    closed = SearchController(random_blueprint(), config, advises=True).decide(seen)
    assert OFF_THE_LINE in opened.note
    assert OFF_THE_LINE not in closed.note
    assert (opened.off_the_line, closed.off_the_line) == (True, False)
    assert opened.accuracy is not None
    assert closed.accuracy is not None
    assert opened.accuracy < 0.01 * seen.pot < closed.accuracy


@pytest.mark.parametrize("usual", [True, False])
def test_a_hand_played_as_the_solve_never_does_is_rare_for_the_rest_of_the_street(usual: bool) -> None:
    """On the flop the big blind takes its likeliest action, or one that it never takes, and is raised."""
    controller = SearchController(random_blueprint(), SearchConfig(iterations=300, root="unsafe"), advises=True)
    hand = Game(game_config()).new_hand(4)
    for action in (Action.raise_to(300), CALL):
        hand.act(action)
    first = controller.decide(observe(hand, 4))
    assert max(first.probabilities) > 0.5
    assert min(first.probabilities) < 0.01
    assert not first.outside_range
    place = int((np.argmax if usual else np.argmin)(first.probabilities))
    hand.act(first.actions[place])
    hand.act(Action.raise_to(max(600, observe(hand, 4).legal.min_raise_to or 0)))
    again = controller.decide(observe(hand, 4, 1))
    assert again.evs is not None
    assert again.outside_range == (RARELY_HERE in again.note) == (not usual)


def test_a_size_that_no_menu_has_is_on_the_line_that_is_solved() -> None:
    hand = Game(game_config()).new_hand(4)
    for action in (Action.raise_to(300), CALL, Action.raise_to(137), Action.raise_to(600)):
        hand.act(action)
    decision = SearchController(random_blueprint(), FEW_ITERATIONS, advises=True).decide(observe(hand, 4))
    assert decision.evs is not None
    assert decision.accuracy is not None, "the range of the seat comes here"


def test_a_bot_that_guards_tells_no_worth_beside_its_frequencies() -> None:
    """Its values are of a game with an alternative for the opponent: the coach solves without."""
    guards = SearchController(random_blueprint(), FEW_ITERATIONS.model_copy(update={"root": "mixed"}))
    found = Advisor(guards.decide).recommend(river())
    assert found.decision.method is Method.SEARCH
    assert found.decision.evs is None
    assert found.ev_source == NOT_COMPUTED


@pytest.mark.long
def test_a_sampled_search_has_no_worth_to_show_and_says_so() -> None:
    blueprint = blueprint_with_tables(3)
    hand = Game(blueprint.policy.config).new_hand(3)
    while hand.street == 0:
        hand.check_or_call()
    controller = SearchController(blueprint, SearchConfig(iterations=20), advises=True)
    found = Advisor(controller.decide, Rollouts(blueprint, 20)).recommend(observe(hand, 3))
    assert found.decision.method is Method.SEARCH
    assert found.decision.evs is None
    assert found.worth is None, "rollouts of the blueprint are no worth of a search"
    assert "sampled" in found.decision.note


def test_a_sampled_search_that_is_asked_twice_is_solved_once() -> None:
    blueprint, solved = blueprint_with_tables(3), []

    class Counting(StreetResolver):
        def solve(self, request: SolveRequest) -> StreetSolution:
            solved.append(request.seed)
            return super().solve(request)

    hand = Game(blueprint.policy.config).new_hand(3)
    while hand.street == 0:
        hand.check_or_call()
    controller = SearchController(blueprint, SearchConfig(iterations=20), Counting(blueprint), advises=True)
    first, again = controller.decide(observe(hand, 3)), controller.decide(observe(hand, 3))
    assert len(solved) == 1
    assert first.method is Method.SEARCH
    assert (again.actions, again.probabilities) == (first.actions, first.probabilities)


def decisions_of_the_blueprint(count: int) -> Iterator[tuple[Hand, Observation]]:
    """Decisions of a random policy against itself."""
    blueprint = blueprint_of_one_bucket()
    game, found = Game(blueprint.policy.config), 0
    for seed in range(10_000):
        hand = game.new_hand(seed)
        while hand.actor is not None:
            seen = observe(hand, seed, len(hand.records))
            yield hand, seen
            found += 1
            if found == count:
                return
            hand.act(blueprint.act(seen))


def test_the_blueprint_has_no_worth_for_what_it_hardly_ever_does_unless_nothing_follows() -> None:
    blueprint = blueprint_of_one_bucket()
    advisor = Advisor(lambda seen: blueprint_decision(blueprint, seen), Rollouts(blueprint, 20))
    hidden = defended = 0
    for hand, seen in decisions_of_the_blueprint(150):
        decision = advisor.recommend(seen).decision
        assert decision.evs is not None
        for action, share, ev in zip(decision.actions, decision.probabilities, decision.evs, strict=True):
            after = deepcopy(hand)
            after.act(action)
            rare, over = share < HARDLY_TAKEN, after.actor is None
            assert np.isnan(ev) <= rare, "what is taken has a worth"
            assert (rare and not over) <= bool(np.isnan(ev))
            hidden += bool(np.isnan(ev))
            defended += rare and over
    assert hidden > 20
    assert defended > 5


def is_last(seen: Observation, action: Action, line: tuple[Action, ...]) -> bool:
    """Whether nothing is decided after an action, of two players, by the rules."""
    if action != CALL:
        return action == Action.fold()
    if seen.street == 3:
        return bool(seen.legal.call_amount or line)
    behind = [stack - (seen.legal.call_amount if seat == seen.seat else 0) for seat, stack in enumerate(seen.stacks)]
    return seen.legal.call_amount > 0 and min(behind) == 0


@pytest.mark.long
def test_a_solve_has_no_worth_for_what_no_hand_does_unless_nothing_follows() -> None:
    hidden = kept = 0
    for shown in searched_decisions(60, FEW_ITERATIONS.model_copy(update={"iterations": 300})):
        weights, _ = shown.weights()
        told = Advisor(lambda _, decision=shown.decision: decision).recommend(shown.observation)  # type: ignore[misc]
        assert told.decision.evs is not None
        assert shown.decision.evs is not None
        shares = weights @ shown.solution.options[1] / weights.sum()
        for place, (action, share) in enumerate(zip(told.decision.actions, shares, strict=True)):
            ev, last = told.decision.evs[place], is_last(shown.observation, action, shown.solution.line)
            if last or share > 0.002:  # whom a hand can meet changes the share a little
                assert ev == shown.decision.evs[place]
                kept += share < 0.0005 or told.decision.probabilities[place] < 0.0005
            elif share < 0.0005:
                assert np.isnan(ev)
                assert told.to_plain()["actions"][place]["ev"] is None
                hidden += 1
    assert hidden >= 5
    assert kept >= 5, "a hand that never does what others do is told what that is worth"


def test_what_keeps_figures_from_being_the_truth_is_told_by_itself() -> None:
    hand = Game(game_config()).new_hand(4)
    for action in (Action.raise_to(300), *[CALL] * 6, Action.raise_to(120)):
        hand.act(action)
    controller = SearchController(random_blueprint(), SearchConfig(iterations=100, root="unsafe"), advises=True)
    found = Advisor(controller.decide).recommend(observe(hand, 4))
    assert OFF_THE_LINE in found.to_plain()["caveats"]
    assert all(caveat in found.decision.note for caveat in found.to_plain()["caveats"])
    blueprint = blueprint_of_one_bucket()
    advisor = Advisor(lambda seen: blueprint_decision(blueprint, seen), Rollouts(blueprint, 200))
    told = [advisor.recommend(seen) for _, seen in decisions_of_the_blueprint(30)]
    given_up = [one.to_plain()["caveats"] for one in told if one.accuracy_words]
    assert given_up
    assert all(len(caveats) == 1 and "gives up" in caveats[0] for caveats in given_up)
    assert all(not one.to_plain()["caveats"] for one in told if not one.accuracy_words)


def test_whole_per_cent_add_up_to_a_hundred() -> None:
    blueprint = blueprint_of_one_bucket()
    advisor = Advisor(lambda seen: blueprint_decision(blueprint, seen))
    for _, seen in decisions_of_the_blueprint(100):
        found = advisor.recommend(seen)
        assert sum(found.percents) == 100
        for percent, share in zip(found.percents, found.decision.probabilities, strict=True):
            assert abs(percent - 100 * share) < 1
        assert [option["percent"] for option in found.to_plain()["actions"]] == found.percents


def test_nothing_loses_less_than_nothing() -> None:
    blueprint = blueprint_of_one_bucket()
    by_rollouts = Advisor(lambda seen: blueprint_decision(blueprint, seen), Rollouts(blueprint, 20))
    measured = 0
    for _, seen in decisions_of_the_blueprint(60):
        for taken in by_rollouts.recommend(seen).decision.actions:
            reviewed = review_decision(by_rollouts, 1, seen, taken)
            assert reviewed.lost is None or reviewed.lost >= 0.0
            assert summary([reviewed])["lost"]["chips"] >= 0.0
            measured += reviewed.lost is not None
    assert measured > 60
    for shown in searched_decisions(10):
        told = Advisor(lambda _, decision=shown.decision: decision)  # type: ignore[misc]
        losses = [review_decision(told, 1, shown.observation, taken).lost for taken in shown.decision.actions]
        assert min(loss for loss in losses if loss is not None) == 0.0


@pytest.mark.parametrize("searched", [True, False])
def test_terminal_dry_run_review_and_page_show_the_same_figures(
    searched: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    blueprint, seen = random_blueprint(), river()
    advisor = Advisor(SearchController(blueprint, FEW_ITERATIONS, advises=True).decide)
    if not searched:
        blueprint = blueprint_of_one_bucket()
        advisor = Advisor(lambda seen: blueprint_decision(blueprint, seen), Rollouts(blueprint, 50))
        _, seen = next(decisions_of_the_blueprint(1))
    found = advisor.recommend(seen)
    plain = {key: value for key, value in found.to_plain().items() if key != "milliseconds"}
    assert (plain["accuracy"] is not None) == searched
    AdviceDisplay(as_json=True).show(found)
    dry_run = json.loads(capsys.readouterr().out)
    assert plain.items() <= dry_run.items()
    review = review_decision(advisor, 1, seen, CALL).to_plain()["bot"]
    assert plain == {key: review[key] for key in plain} | {"iterations": plain["iterations"]}
    page = decision_message(found, None)
    for option in page["actions"]:
        del option["colour"]
    assert plain.items() <= page.items()
    terminal = advice_line(found, 1)
    for option in plain["actions"]:
        shown = "" if option["ev"] is None else f" {option['ev']:+,.0f}"
        assert f"{option['action']} {option['percent']} %{shown}" in terminal
    assert plain["accuracy_words"] in terminal
    assert ("±" in terminal) == (not searched), "a solve tells its accuracy once"
