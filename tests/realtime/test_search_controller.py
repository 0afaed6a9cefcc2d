"""The agent that searches: legal, the same again, true to what it says, and never silent about a fallback."""

import time
from dataclasses import replace
from typing import Literal

import numpy as np
import pytest

from holdem.blueprint.agent import BlueprintAgent
from holdem.cards.cards import hole_cards, hole_index
from holdem.errors import ConfigError, HoldemError
from holdem.evaluation.baselines import open_baseline
from holdem.game.actions import Action, ActionKind
from holdem.game.agent import Observation, PublicState, RangeAgent, observe, public_state
from holdem.game.game import Game
from holdem.game.play import play_hand
from holdem.realtime.search.agent import SearchAgent
from holdem.realtime.search.cost import CostModel
from holdem.realtime.search.decision import Decision, Method
from holdem.realtime.search.history import line_of
from holdem.realtime.search.ranges import SeatRanges
from holdem.realtime.search.request import Depth, SolveRequest
from holdem.realtime.search.street_resolver import StreetResolver
from holdem.realtime.search.street_solution import StreetSolution
from holdem.realtime.search_controller import (
    MOST_SEARCHED,
    OFF_THE_LINE,
    PROMISES_REMEMBERED,
    TOO_LONG,
    SearchController,
)
from holdem.types import SearchConfig
from tests.realtime.blueprints import CALL, blueprint_with_tables, game_config, random_blueprint, state_after

FIXED = SearchConfig(iterations=20, min_iters=20)
TO_RIVER = [Action.raise_to(300), CALL, CALL, CALL, CALL, CALL]


def controller(num_players: int = 2, config: SearchConfig = FIXED) -> SearchController:
    return SearchController(random_blueprint(num_players), config)


def observation_after(actions: list[Action], num_players: int = 2, seed: int = 4) -> Observation:
    hand = Game(game_config(num_players)).new_hand(seed)
    for action in actions:
        hand.act(action)
    return observe(hand, deal=7)


def with_its_likeliest_hand(observation: Observation, search: SearchController) -> Observation:
    """The same with a hand that the seat's own strategy brings here: others are left out of the solve."""
    hand = int(np.argmax(search.ranges(observation.public()).weights[observation.seat]))
    return replace(observation, hole_cards=hole_cards(hand))


def test_whole_hands_are_played_legally_and_the_same_again() -> None:
    config = game_config()
    results = []
    for _ in range(2):
        agent = SearchAgent(controller())
        assert isinstance(agent, RangeAgent)
        seen: list[Decision] = []
        agent.on_decision = seen.append
        hands = [play_hand(Game(config), [agent, open_baseline("always-call")], seed) for seed in range(16)]
        results.append(([hand.payoffs for hand in hands], [decision.chosen for decision in seen]))
        assert any(decision.method is Method.SEARCH for decision in seen)
    assert results[0] == results[1]


def test_range_policy_is_what_act_draws_from() -> None:
    search = controller()
    observation = with_its_likeliest_hand(observation_after([*TO_RIVER, Action.raise_to(137)]), search)
    decision = search.decide(observation)
    actions, policy = search.range_policy(observation.public())
    assert tuple(actions) == decision.actions
    hand = hole_index(*observation.hole_cards)
    assert policy[hand] == pytest.approx(decision.probabilities)
    assert policy.sum(axis=1) == pytest.approx(np.ones(1326))
    assert decision.method is Method.SEARCH and decision.iterations == 20
    assert decision.evs is not None and len(decision.evs) == len(actions)
    assert decision.chosen in decision.actions


@pytest.mark.parametrize("root", ["unsafe", "resolve", "max-margin"])
def test_folding_is_worth_nothing_whatever_the_root(root: Literal["unsafe", "resolve", "max-margin"]) -> None:
    """EVs are against the opponent's range, also where a gadget decided which hands of it the solve learned against."""
    search = controller(config=FIXED.model_copy(update={"root": root}))
    decision = search.decide(with_its_likeliest_hand(observation_after([*TO_RIVER, Action.raise_to(300)]), search))
    assert decision.actions[0] == Action.fold()
    assert decision.evs is not None
    # Single precision: a ten-thousandth of the 900 chips in the pot.
    assert decision.evs[0] == pytest.approx(0.0, abs=0.09)
    assert all(-2_700 <= value <= 3_600 for value in decision.evs)  # 2,700 behind; 900 and the other's 2,700 to win


def test_a_hand_that_was_left_out_of_the_solve_has_no_evs(monkeypatch: pytest.MonkeyPatch) -> None:
    search = controller()
    observation = observation_after([*TO_RIVER, Action.raise_to(137)])
    hand, ranges = hole_index(*observation.hole_cards), search.ranges

    def without_the_hand(state: PublicState) -> SeatRanges:
        weights = ranges(state).weights.copy()
        weights[state.seat, hand] = 1e-6
        return SeatRanges(weights)

    monkeypatch.setattr(search, "ranges", without_the_hand)
    decision = search.decide(observation)
    assert decision.method is Method.SEARCH
    assert decision.evs is None
    actions, policy = random_blueprint().range_policy(observation.public())
    folds = [action.kind is ActionKind.FOLD for action in actions]
    assert decision.probabilities[0] == pytest.approx(float(policy[hand][folds].sum()), abs=1e-6)


@pytest.mark.parametrize(("limit", "guessed"), [(0.0, False), (0.9, True)])
def test_what_an_opponent_hardly_ever_does_makes_guesses_of_all_later_streets(
    limit: float, guessed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No action of the random blueprint is taken by nine tenths of a range."""
    monkeypatch.setattr("holdem.realtime.search_controller.HARDLY_EVER_DONE", limit)
    search = SearchController(random_blueprint(), FIXED.model_copy(update={"root": "unsafe"}), advises=True)
    decision = search.decide(observation_after(TO_RIVER))
    assert decision.off_the_line == guessed
    assert (OFF_THE_LINE in decision.note) == guessed


def test_a_street_that_was_opened_makes_guesses_of_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    search = SearchController(random_blueprint(), FIXED.model_copy(update={"root": "unsafe"}), advises=True)
    monkeypatch.setattr("holdem.realtime.search_controller.HARDLY_EVER_DONE", 0.0)
    seen = observation_after(TO_RIVER)
    assert not search.decide(seen).off_the_line
    for key, found in search._solved.items():
        if key != line_of(seen.public()) and isinstance(found, StreetSolution):
            search._solved[key] = replace(found, off_the_line=True)
    assert search.decide(seen).off_the_line


def test_before_the_flop_the_blueprint_plays_and_from_the_flop_on_it_is_searched() -> None:
    search = controller()
    observation = observation_after([])
    decision = search.decide(observation)
    assert decision.method is Method.BLUEPRINT and "before the flop" in decision.note
    expected = random_blueprint().range_policy(observation.public())[1][hole_index(*observation.hole_cards)]
    assert decision.probabilities == pytest.approx(expected)
    for actions, depths in (
        ([CALL, CALL], (Depth.GROUPS, Depth.DRAWN)),
        ([CALL] * 4, (Depth.GROUPS, Depth.END)),
        ([CALL] * 6, (Depth.END,)),
    ):
        decision = search.decide(observation_after(actions))
        assert decision.method is Method.SEARCH and decision.iterations == 20
        assert any(depth.value in decision.note for depth in depths)


@pytest.mark.parametrize(("beliefs", "share"), [("blueprint", 0.0), ("both", 0.5), ("solves", 1.0)])
def test_ranges_follow_bayes_rule_from_the_strategies_used(beliefs: str, share: float) -> None:
    search = controller(config=FIXED.model_copy(update={"beliefs": beliefs}))
    state = state_after([*TO_RIVER, CALL])  # on the river, position 1 to act
    expected = np.ones((2, 1326))
    floor = 0.002
    for length, action in enumerate(TO_RIVER):
        past = state_after(TO_RIVER[:length])
        mine = past.seat == state.seat
        actions, policy = (search if mine and past.street > 0 else random_blueprint()).range_policy(past)
        chances = policy[:, actions.index(action)]
        if not mine and past.street > 0:
            # The other one acted first on each street; the own solve after it has its strategies as well.
            found = search._solution(state_after(TO_RIVER[: length + 1]), time.monotonic() + 10.0)
            assert isinstance(found, StreetSolution)
            taken, rows = found.decisions[()]
            chances = share * rows[:, taken.index(action)] + (1 - share) * chances
        expected[past.seat] *= floor + (1 - floor) * chances
    for seat, ranges in enumerate(search.ranges(state).weights):
        held = ranges > 0
        assert ranges[held] == pytest.approx((expected[seat] / expected[seat][held].max())[held], rel=1e-4)


def test_the_other_seat_solves_for_itself() -> None:
    search = controller()
    first = search.range_policy(state_after(TO_RIVER))
    second = search.range_policy(state_after([*TO_RIVER, CALL]))
    assert first[1].shape[0] == second[1].shape[0] == 1326
    assert len(search._solved) == 6  # two rivers, and each seat's decisions on the flop and the turn


@pytest.mark.parametrize("other", [{"ante": 50}, {"small_blind": 0}, {"small_blind": 150, "big_blind": 300}])
def test_games_that_differ_in_forced_bets_alone_share_no_solve(other: dict[str, int]) -> None:
    """Same name, stacks, board and actions; the pot or the smallest bet is another, and so is the answer."""
    games = [game_config(), game_config().model_copy(update=other)]
    states = []
    for game in games:
        hand = Game(game).new_hand(4)
        for action in [Action.raise_to(600), CALL, CALL, CALL, CALL, CALL]:
            hand.act(action)
        states.append(public_state(hand))
    assert len({line_of(state) for state in states}) == 2
    shared = controller()
    for state in states:
        actions, policy = shared.range_policy(state)
        alone_actions, alone_policy = controller().range_policy(state)
        assert actions == alone_actions
        assert np.array_equal(policy, alone_policy)
    assert len(shared._solved) == 6  # a river and the own decisions on the flop and the turn, of each game


def test_three_players_are_solved_by_sampling() -> None:
    search = controller(3)
    state = state_after([CALL] * 9, num_players=3)
    assert state.street == 3
    actions, policy = search.range_policy(state)
    assert policy.shape == (1326, len(actions))
    observation = observation_after([CALL] * 9, num_players=3)
    decision = search.decide(observation)
    assert decision.method is Method.SEARCH and decision.iterations == 20
    assert observation.legal.allows(decision.chosen)


class Broken(StreetResolver):
    """A resolver that cannot solve anything."""

    def solve(self, request: SolveRequest) -> StreetSolution:
        raise HoldemError("there is no memory for this tree")


def test_a_failed_search_is_the_blueprint_counted_and_said() -> None:
    search = SearchController(random_blueprint(), FIXED, resolver=Broken(random_blueprint()))
    decision = search.decide(observation_after(TO_RIVER))
    assert decision.method is Method.FALLBACK
    assert "there is no memory for this tree" in decision.note and "fallback" in str(decision)
    assert search.counts["search failed"] >= 1 and search.counts["fallback"] == 1


def test_min_iters_have_priority_over_a_budget_that_is_too_small() -> None:
    search = controller(config=SearchConfig(time_budget_ms=0.01, min_iters=15))
    decision = search.decide(observation_after(TO_RIVER))
    assert decision.iterations >= 15
    assert search.counts["min_iters over budget"] >= 1


class Watched(StreetResolver):
    """A resolver that keeps the requests."""

    def __init__(self, blueprint: BlueprintAgent) -> None:
        super().__init__(blueprint)
        self.requests: list[SolveRequest] = []
        self.began: list[float] = []

    def solve(self, request: SolveRequest) -> StreetSolution:
        self.began.append(time.monotonic())
        self.requests.append(request)
        return super().solve(replace(request, iterations=min(5, request.iterations or 5)))


def test_decisions_that_are_not_remembered_share_the_time_of_the_one_asked_about(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Who is asked first on the river has a flop and a turn to solve as well: the first has a third of 20 seconds.

    They take three of them in all, so that a busy machine does not come near the end of the time.
    """
    monkeypatch.setattr(CostModel, "after", lambda *_: 0.0)  # learned beside other tests, it may be half a second
    controller().decide(observation_after([*TO_RIVER, CALL]))  # what has to be compiled is compiled
    resolver = Watched(random_blueprint())
    search = SearchController(random_blueprint(), SearchConfig(time_budget_ms=20_000, min_iters=5), resolver=resolver)
    start = time.monotonic()
    search.decide(observation_after([*TO_RIVER, CALL]))
    assert [request.state.street for request in resolver.requests] == [1, 2, 3]
    flop, turn, river = (request.deadline or 0.0 for request in resolver.requests)
    assert flop < resolver.began[0] + 20 / 3
    assert flop < turn < river
    assert start + 19.9 < river < resolver.began[0] + 20
    search.decide(observation_after([*TO_RIVER, CALL]))
    assert len(resolver.requests) == 3


@pytest.mark.parametrize("root", ["resolve", "max-margin", "mixed"])
def test_a_safe_root_offers_what_the_street_before_promised(root: Literal["resolve", "max-margin", "mixed"]) -> None:
    resolver = Watched(random_blueprint())
    search = SearchController(random_blueprint(), FIXED.model_copy(update={"root": root}), resolver)
    state = state_after(TO_RIVER)
    search.range_policy(state)
    flop, turn, river = resolver.requests
    assert flop.promised is None, "nothing was solved before the flop"
    for request in (turn, river):
        assert request.promised is not None
        opponent = request.ranges[1 - state.seat]
        assert np.isfinite(request.promised).all() and request.promised[opponent > 0].any()
        # Nobody wins more than half of the pot and a whole stack from each hand of the own range.
        reach = search.ranges(request.state).weights[state.seat].sum()
        assert np.abs(request.promised).max() <= 3_000 * reach


FOLDED_TO_TWO = {
    "the second folds to a bet": [Action.raise_to(200), Action.fold()],
    "the third folds to a bet": [CALL, Action.raise_to(200), Action.fold()],
    "the third folds to a raise": [Action.raise_to(200), Action.raise_to(600), Action.fold()],
}


@pytest.mark.parametrize("line", FOLDED_TO_TWO.values(), ids=FOLDED_TO_TWO)
def test_two_who_are_left_on_a_flop_of_three_are_searched_for_all_hands(line: list[Action]) -> None:
    resolver = Watched(random_blueprint(3))
    search = SearchController(random_blueprint(3), FIXED, resolver)
    observation = observation_after([CALL] * 3 + line, num_players=3)
    decision = search.decide(observation)
    assert decision.method is Method.SEARCH and "groups" in decision.note
    assert resolver.requests[-1].depth in (Depth.GROUPS, Depth.DRAWN)
    assert decision.actions[0] == Action.fold()
    assert observation.legal.allows(decision.chosen)
    assert decision.evs is not None
    # Single precision: a ten-thousandth of the 1,100 chips that are in the pot at most.
    assert decision.evs[0] == pytest.approx(0.0, abs=0.11)
    # Of the 3,000 chips that each began with 100 are in the pot; nobody wins more than both stacks of the others.
    assert all(-2_900 <= value <= 6_000 for value in decision.evs)


OTHERS = ("random", "fold-to-any-bet", "always-call")
"""Some make pots of many players, some fold so that two are left."""


@pytest.mark.parametrize("num_players", [3, 6])
def test_random_hands_of_several_players_are_played_legally(num_players: int) -> None:
    """`play_hand` refuses what is illegal, and chips are conserved."""
    blueprint = blueprint_with_tables(num_players)
    resolver = Watched(blueprint)
    search = SearchController(blueprint, SearchConfig(iterations=3, min_iters=1), resolver)
    agent = SearchAgent(search)
    for seed in range(30):
        others = [open_baseline(OTHERS[(seed + place) % len(OTHERS)]) for place in range(num_players - 1)]
        hand = play_hand(Game(blueprint.policy.config), [agent, *others], seed, button=seed % num_players)
        assert sum(hand.payoffs) == 0
    assert search.counts["search failed"] == search.counts["fallback"] == 0
    assert {request.depth for request in resolver.requests} >= {Depth.SAMPLED, Depth.GROUPS, Depth.END}


def test_a_hand_of_the_least_raises_is_searched_for_a_while() -> None:
    """Solves rest on those before, so one hand never needs more than are remembered: each would be made again."""
    resolver = Watched(random_blueprint())
    controller = SearchController(random_blueprint(), SearchConfig(iterations=1), resolver)
    hand = Game(game_config().model_copy(update={"stacks": (6_000,)})).new_hand(3)
    methods = []
    while hand.actor is not None:
        seen = observe(hand, 3, len(hand.records))
        if seen.street and seen.seat == 0:
            decision = controller.decide(seen)
            methods.append((decision.method, TOO_LONG in decision.note))
        least = seen.legal.min_raise_to if seen.street else None
        hand.act(CALL if least is None else Action.raise_to(least))
    searched = [(Method.SEARCH, False)] * MOST_SEARCHED
    assert methods == searched + [(Method.FALLBACK, True)] * (len(methods) - MOST_SEARCHED)
    assert len(methods) > MOST_SEARCHED + 5
    assert len(resolver.requests) == MOST_SEARCHED


def test_a_state_without_history_is_refused_in_one_sentence() -> None:
    state = public_state_without_history()
    with pytest.raises(HoldemError, match="without its history"):
        controller().range_policy(state)


def public_state_without_history() -> PublicState:
    hand = Game(game_config()).new_hand(1)
    for action in TO_RIVER:
        hand.act(action)
    state = public_state(hand)
    return PublicState(**{**state.__dict__, "history": ()})


def test_search_configurations_out_of_range_are_refused() -> None:
    with pytest.raises(ConfigError, match="time_budget_ms"):
        SearchConfig(time_budget_ms=0)
    with pytest.raises(ConfigError, match="root"):
        SearchConfig(root="hopeful")  # type: ignore[arg-type]


def test_only_the_last_solves_keep_their_promises() -> None:
    search = controller(config=SearchConfig(iterations=2, min_iters=2))
    search.decide(observation_after(TO_RIVER))
    for number in range(PROMISES_REMEMBERED):  # other first bets of the river: each is another question
        search.range_policy(state_after([*TO_RIVER, Action.raise_to(100 + number)]))
    kept = [found for found in search._solved.values() if isinstance(found, StreetSolution) and found.carried]
    assert len(search._solved) > PROMISES_REMEMBERED
    assert len(kept) <= PROMISES_REMEMBERED
    assert not next(iter(search._solved.values())).carried  # type: ignore[union-attr]
