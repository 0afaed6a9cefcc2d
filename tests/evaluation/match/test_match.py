"""Matches: exactly zero against oneself, the same for any number of workers, and a kernel that plays the real rules."""

import math
from collections.abc import Sequence

import numpy as np
import pytest

from holdem.blueprint.agent import BlueprintAgent
from holdem.errors import ConfigError
from holdem.evaluation.baselines import open_baseline
from holdem.evaluation.kernels.match import chosen_action, draw_of
from holdem.evaluation.match.blueprint_match import BlueprintMatch
from holdem.evaluation.match.match import MatchSetup, play_match, play_matches
from holdem.evaluation.match.win_rates import WinRate, confidence
from holdem.game import Agent, Game, GameConfig, Hand, Observation, observe, play_duplicate
from holdem.game.deal import deck_of
from tests.evaluation.blueprints import holdem_blueprint, holdem_config, open_any, short_rank_blueprint
from tests.mccfr.test_dealers import drawn_cards

MASK = (1 << 64) - 1


def setup(*specs: str, seed: int = 4) -> MatchSetup:
    return MatchSetup(holdem_config(len(specs)), specs, open_any, seed)


# What a match says


def test_win_rates_by_hand() -> None:
    """Deals of two hands that win 300, 100 and −100 chips: 0.5 bb a hand; t of two degrees of freedom is 4.303."""
    rate = WinRate.of_deals(np.array([300.0, 100.0, -100.0]), hands_per_deal=2, big_blind=100)
    assert rate.hands == 6
    assert rate.bb_per_100 == pytest.approx(50.0)
    assert rate.mbb_per_hand == pytest.approx(500.0)
    error = np.std([1.5, 0.5, -0.5], ddof=1) / math.sqrt(3)
    assert rate.ci95 == pytest.approx([50.0 - 430.3 * error, 50.0 + 430.3 * error])
    assert rate.verdict == "undecided"
    # Four times the hands halve the standard error, and many are close to normal.
    assert rate.hands_for(float(195.9965 * error / 2)) == 24


@pytest.mark.parametrize("deals", [2, 3, 8, 500])
def test_the_interval_holds_what_it_promises(deals: int) -> None:
    """95 % of the intervals of normal deals hold the true mean: 400 matches, four standard errors."""
    generator = np.random.default_rng(1)
    held = 0
    for _ in range(400):
        low, high = WinRate.of_deals(generator.normal(200.0, 3000.0, deals), 2, 100).ci95
        held += low <= 100.0 <= high
    assert abs(held / 400 - 0.95) < 4 * math.sqrt(0.95 * 0.05 / 400)


@pytest.mark.parametrize(("count", "published"), [(2, 12.706), (6, 2.571), (7, 2.447), (11, 2.228), (31, 2.042)])
def test_standard_errors_of_few_values(count: int, published: float) -> None:
    """The two-sided 95 % points of Student's t; the series is good to 0.6 % from six degrees on."""
    assert confidence(count) == pytest.approx(published, rel=0.006)
    assert confidence(10**6) == pytest.approx(1.96, abs=1e-3)


def test_without_scatter_nothing_is_said_about_luck() -> None:
    assert WinRate.of_deals(np.zeros(50), 2, 100).hands_for(1.0) is None


def test_one_deal_has_no_interval() -> None:
    plain = WinRate.of_deals(np.array([100.0]), 2, 100).to_plain()
    assert plain["bb_per_100"] == 50.0
    assert plain["ci95"] is None


# Under the rules engine


def test_a_match_is_its_duplicate_deals() -> None:
    match = play_match(setup("random", "tight-aggressive", "always-call"), 30)
    assert (match.deals, match.hands, match.method, match.compiled) == (10, 30, "duplicate", False)
    np.testing.assert_array_equal(match.chips.sum(axis=1), 0)
    assert match.chips.any()


@pytest.mark.parametrize("seats", [2, 3, 6])
def test_a_self_match_is_exactly_zero(seats: int) -> None:
    match = play_match(setup(*["random"] * seats), 60)
    assert not match.chips.any()
    assert match.win_rate(0).ci95 == [0.0, 0.0]


def test_several_matches_are_each_as_if_alone() -> None:
    setups = [setup("random", "always-call"), setup("random", "always-raise"), setup("pot-odds", "random")]
    together = play_matches(setups, 41)
    for match, alone in zip(together, setups, strict=True):
        np.testing.assert_array_equal(match.chips, play_match(alone, 41).chips)
        assert match.deals == 21, "as many hands as asked for, in whole deals"


def test_the_number_of_workers_does_not_matter() -> None:
    setups = [setup("random", "always-call"), setup("always-raise", "random")]
    heard: list[int] = []
    one, two = play_matches(setups, 400, num_workers=1), play_matches(setups, 400, num_workers=2, progress=heard.append)
    for first, second in zip(one, two, strict=True):
        np.testing.assert_array_equal(first.chips, second.chips)
    assert sum(heard) == 800


def test_what_was_played_before_a_stop_is_the_result() -> None:
    heard: list[int] = []
    match = play_match(setup("random", "always-call"), 10_000, progress=heard.append, stopped=lambda: sum(heard) >= 100)
    assert not match.complete
    assert match.hands == sum(heard)
    assert 100 <= match.hands < 10_000
    again = play_match(setup("random", "always-call"), match.hands)
    np.testing.assert_array_equal(match.chips, again.chips)


def test_one_agent_for_each_seat() -> None:
    with pytest.raises(ConfigError, match="2 seats, and 3 agents"):
        play_match(MatchSetup(holdem_config(2), ("random",) * 3, open_any), 10)


class Halved:
    """A correction that anybody can check: half of what was won."""

    name = "half"

    def corrected(self, hand: Hand, agents: Sequence[Agent]) -> Sequence[float]:
        assert hand.is_over
        assert len(agents) == len(hand.payoffs)
        return [chips / 2 for chips in hand.payoffs]


def open_halved(agents: Sequence[Agent]) -> Halved:
    return Halved()


def test_a_correction_stands_beside_the_chips() -> None:
    base = setup("random", "always-call")
    match = play_match(MatchSetup(base.config, base.specs, open_any, base.seed, open_halved), 60)
    assert match.method == "duplicate+half"
    assert match.win_rate(0).big_blinds == pytest.approx(match.win_rate(0, as_dealt=True).big_blinds / 2)
    assert match.variance_factor == pytest.approx(4.0)
    np.testing.assert_array_equal(match.chips, play_match(base, 60).chips)


# In compiled code


def reference_draw(seed: int, deal: int, position: int, decision: int) -> float:
    """The kernel's draw in plain Python."""

    def mixed(value: int) -> int:
        value = (value + 0x9E3779B97F4A7C15) & MASK
        value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & MASK
        return value ^ (value >> 31)

    key = mixed(mixed(seed) ^ deal)
    return (mixed(key ^ (position * 65_536 + decision + 1)) >> 11) / (1 << 53)


def test_draws_and_choices_against_plain_python() -> None:
    for numbers in ((0, 0, 0, 0), (5, 7, 1, 2), (2**63 - 1, 10**9, 5, 30)):
        assert draw_of(*numbers) == reference_draw(*numbers)
    table = np.array([0, 0, 30_000, 15_000, 15_000, 0], dtype=np.uint16)
    for draw, expected in ((0.0, 1), (0.49, 1), (0.5, 2), (0.74, 2), (0.75, 3), (0.999999, 3)):
        assert chosen_action(table, 1, 5, 2, draw) == expected
    unvisited = np.zeros(4, np.uint16)
    assert [chosen_action(unvisited, 0, 4, 2, draw) for draw in (0.0, 0.49, 0.51, 0.99)] == [0, 0, 1, 1]


class WithGivenDraws:
    """A blueprint that draws the kernel's numbers under the rules engine."""

    def __init__(self, agent: BlueprintAgent, seed: int) -> None:
        self.agent, self.seed, self.name = agent, seed, agent.name

    def act(self, observation: Observation) -> object:
        draw = reference_draw(self.seed, observation.deal, observation.position, observation.decision)
        return self.agent.choose(observation, draw)


def by_rules(config: GameConfig, agents: Sequence[BlueprintAgent], match: BlueprintMatch, deal: int) -> list[float]:
    """The kernel's deal under the rules engine: the same cards and draws."""
    count, deck = config.num_players, deck_of(config.ranks)
    cards = [deck[place] for place in drawn_cards(match.deal_seed, deal, len(deck), 2 * count + config.board_cards[-1])]
    holes = [tuple(cards[2 * seat : 2 * seat + 2]) for seat in range(count)]
    drawing = [WithGivenDraws(agent, match.draw_seed) for agent in agents]
    totals = [0.0] * count
    for shift in range(count):
        hand = Game(config).new_hand(hole_cards=holes, board=cards[2 * count :])
        decisions = [0] * count
        while (seat := hand.actor) is not None:
            hand.act(drawing[(seat + shift) % count].act(observe(hand, deal, decisions[seat])))  # type: ignore[arg-type]
            decisions[seat] += 1
        for seat, chips in enumerate(hand.payoffs):
            totals[(seat + shift) % count] += chips
    return totals


@pytest.mark.parametrize("seats", [2, 3])
def test_the_kernel_plays_holdem_by_the_rules(seats: int) -> None:
    config = holdem_config(seats)
    agents = [holdem_blueprint(config, seed) for seed in range(seats)]
    assert BlueprintMatch.fits(config, agents)
    match = BlueprintMatch(config, agents, seed=9)
    chips = match.play(5, 85)
    expected = [by_rules(config, agents, match, deal) for deal in range(5, 85)]
    # Heads-up pots are even. With three players the rules engine gives the odd chip of a split pot to one of them,
    # and each of three rotations may have a main and a side pot.
    np.testing.assert_allclose(chips, expected, atol=0.0 if seats == 2 else 6.0)
    assert len(np.unique(chips[:, 0])) > 20, "these deals are not all alike"


def test_the_kernel_plays_short_rank_holdem_by_the_rules() -> None:
    agents = [short_rank_blueprint(1), short_rank_blueprint(2)]
    config = agents[0].policy.config
    match = BlueprintMatch(config, agents, seed=3)
    expected = [by_rules(config, agents, match, deal) for deal in range(60)]
    np.testing.assert_array_equal(match.play(0, 60), expected)


def test_the_kernels_self_match_is_exactly_zero() -> None:
    match = play_match(setup("blueprint 1", "blueprint 1"), 40_000)
    assert match.compiled
    assert not match.chips.any()
    assert not play_match(setup(*["blueprint 1"] * 3), 3_000).chips.any()


def test_pieces_do_not_matter_to_the_kernel() -> None:
    config = holdem_config(2)
    match = BlueprintMatch(config, [holdem_blueprint(config, seed) for seed in (1, 2)], seed=0)
    whole = match.play(0, 9_000)
    np.testing.assert_array_equal(whole[4_000:5_000], match.play(4_000, 5_000))
    np.testing.assert_array_equal(whole.sum(axis=1), 0.0)


def test_both_ways_agree_on_average() -> None:
    """Two independent estimates of one win rate differ by less than four standard errors of their difference."""
    config = holdem_config(2)
    agents = [holdem_blueprint(config, 1), holdem_blueprint(config, 2)]
    compiled = WinRate.of_deals(BlueprintMatch(config, agents, 0).play(0, 50_000)[:, 0], 2, 100)
    slow = np.array([play_duplicate(Game(config), agents, deal)[0] for deal in range(400)], dtype=np.float64)
    ruled = WinRate.of_deals(slow, 2, 100)
    error = math.hypot(compiled.standard_error, ruled.standard_error)
    assert abs(compiled.big_blinds - ruled.big_blinds) < 4 * error


def test_what_the_kernel_leaves_to_the_rules_engine() -> None:
    config = holdem_config(2)
    agent = holdem_blueprint(config, 1)
    deeper = config.model_copy(update={"stacks": (3_000,)})
    assert not BlueprintMatch.fits(deeper, [agent, agent]), "other stacks than its tree has"
    assert not BlueprintMatch.fits(config, [agent, open_baseline("random")])
    assert BlueprintMatch.fits(config.model_copy(update={"name": "other"}), [agent, agent])
