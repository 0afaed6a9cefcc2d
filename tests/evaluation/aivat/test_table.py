"""AIVAT at hold'em tables: its cards against listing them, and real hands of real agents."""

from collections.abc import Callable
from itertools import combinations

import numpy as np
import numpy.typing as npt
import pytest

from holdem.blueprint.agent import BlueprintAgent
from holdem.blueprint.buckets import PolicyBuckets
from holdem.cards import evaluate, parse_cards
from holdem.cards.cards import HOLE_CARDS, Cards, hole_index
from holdem.cards.kernels.index import index_hands
from holdem.cards.ranges import CLASS_OF_HOLE
from holdem.errors import ConfigError, HoldemError
from holdem.evaluation.aivat.holdem_cards import HoldemCards
from holdem.evaluation.aivat.opening import can_open_aivat, open_aivat
from holdem.evaluation.aivat.table import TableAivat
from holdem.evaluation.baselines import open_baseline
from holdem.evaluation.match.match import MatchResult, MatchSetup, play_match
from holdem.game.agent import Agent
from holdem.game.game import Game
from holdem.game.play import play_hand
from tests.evaluation.made_up_buckets import BUCKETS, made_up_buckets, short_stacked

FloatArray = npt.NDArray[np.float64]
MATRIX = np.random.default_rng(1).normal(size=(BUCKETS, BUCKETS))


def cards() -> HoldemCards:
    return HoldemCards(short_stacked().policy, made_up_buckets())


def weights_of(*holes: str) -> FloatArray:
    weights = np.zeros(1326)
    for place, hole in enumerate(holes):
        weights[hole_index(*parse_cards(hole))] = 0.3 + 0.1 * place
    return weights


def buckets_of(holes: npt.NDArray[np.int64], boards: npt.NDArray[np.uint8]) -> npt.NDArray[np.int64]:
    """(holes, boards) by the public index, -1 where they share a card."""
    table = made_up_buckets().tables[boards.shape[1] - 3]
    result = np.full((len(holes), len(boards)), -1)
    for row, hole in zip(result, HOLE_CARDS[holes].astype(np.uint8), strict=True):
        free = np.flatnonzero(~np.isin(boards, hole).any(axis=1))
        indices = np.empty(len(free), dtype=np.int64)
        index_hands(np.hstack([np.tile(hole, (len(free), 1)), boards[free]]), indices)
        row[free] = table[indices]
    return result


def listed_mean(board: Cards, first: FloatArray, second: FloatArray, count: int) -> float:
    """The mean over the next boards, pair of holes by pair of holes: every board that a pair leaves is as likely."""
    boards = np.array([[*board, *m] for m in combinations(sorted(set(range(52)) - set(board)), count)], dtype=np.uint8)
    ones, twos = np.flatnonzero(first), np.flatnonzero(second)
    left, right = buckets_of(ones, boards), buckets_of(twos, boards)
    shares = [
        np.stack([(weights[:, None] * (buckets == b)).sum(axis=0) for b in range(BUCKETS)])
        for weights, buckets in ((first[ones], left), (second[twos], right))
    ]
    chances = np.zeros(len(boards))
    for i, one in enumerate(ones.tolist()):
        for j, two in enumerate(twos.tolist()):
            if not set(HOLE_CARDS[one].tolist()) & set(HOLE_CARDS[two].tolist()):
                chances += first[one] * second[two] * (left[i] >= 0) * (right[j] >= 0)
    possible = chances > 0
    values = np.einsum("ib,ij,jb->b", shares[0], MATRIX, shares[1])[possible]
    values /= (shares[0].sum(axis=0) * shares[1].sum(axis=0))[possible]
    return float(chances[possible] @ values / chances.sum())


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (("AhKd", "7c7d", "QsJs"), ("AhAc", "7c7h", "2d2c")),  # some pairs share a card
        (("AhKd",), ("7c7h", "AsKs", "Ah2h")),
    ],
)
def test_mean_over_turn_cards(first: tuple[str, ...], second: tuple[str, ...]) -> None:
    board = parse_cards("Ts9d3c")
    ranges = weights_of(*first), weights_of(*second)
    found = cards().expected_value(board, *ranges, MATRIX)
    assert found == pytest.approx(listed_mean(board, *ranges, 1), abs=1e-12)


def classes(*numbers: int) -> FloatArray:
    weights = np.zeros(1326)
    for place, number in enumerate(numbers):
        weights[number == CLASS_OF_HOLE] = 0.2 + 0.3 * place
    return weights


def test_1755_flops_stand_for_all_where_suits_do_not_matter() -> None:
    """Against listing all 22,100 flops."""
    first, second = classes(168, 30), classes(168, 7)
    found = cards().expected_value((), first, second, MATRIX)
    assert found == pytest.approx(listed_mean((), first, second, 3), abs=1e-12)


def test_suits_of_one_hole_may_be_renamed() -> None:
    """Against listing all flops with the hole's real suits; the second time the mean is remembered."""
    model = cards()
    hole = hole_index(*parse_cards("Qd5s"))
    first, second = np.eye(1, 1326, hole)[0], model.held(hole) * classes(168, 30)
    expected = listed_mean((), first, second, 3)
    assert model.expected_value((), first, second, MATRIX) == pytest.approx(expected, abs=1e-12)
    assert model.expected_value((), first, second, MATRIX) == pytest.approx(expected, abs=1e-12)
    assert model.expected_value((), second, first, MATRIX.T) == pytest.approx(expected, abs=1e-12)
    uneven = second * np.linspace(0.5, 1.0, 1326)  # tells suits apart: all flops are summed
    assert model.expected_value((), first, uneven, MATRIX) == pytest.approx(
        listed_mean((), first, uneven, 3), abs=1e-12
    )


def test_showdowns_against_listing_pairs() -> None:
    first, second = weights_of("AhKd", "7c7d", "QsJs", "8s2s"), weights_of("AhAc", "7c7h", "2d2c", "QdJd")
    turn = parse_cards("Ts9d3c2h")

    def listed(board: Cards) -> tuple[float, float]:
        won = mass = 0.0
        for one in np.flatnonzero(first).tolist():
            for two in np.flatnonzero(second).tolist():
                a, b = tuple(HOLE_CARDS[one].tolist()), tuple(HOLE_CARDS[two].tolist())
                if len({*a, *b, *board}) == 4 + len(board):
                    mine, theirs = evaluate(a + board), evaluate(b + board)
                    won += first[one] * second[two] * ((mine > theirs) - (mine < theirs))
                    mass += first[one] * second[two]
        return won, mass

    river = (*turn, *parse_cards("4d"))
    won, mass = listed(river)
    assert cards().showdown(river, first, second) == pytest.approx(won / mass, abs=1e-12)
    sums = np.sum([listed((*turn, card)) for card in range(52) if card not in turn], axis=0)
    assert cards().expected_showdown(turn, first, second) == pytest.approx(sums[0] / sums[1], abs=1e-12)


def test_value_is_the_mean_over_buckets() -> None:
    board = parse_cards("Ts9d3c")
    first, second = weights_of("AhKd", "7c7d"), weights_of("QsJs")
    holes = np.flatnonzero(first)
    rows = buckets_of(holes, np.array([board], dtype=np.uint8))[:, 0]
    column = buckets_of(np.flatnonzero(second), np.array([board], dtype=np.uint8))[0, 0]
    expected = first[holes] @ MATRIX[rows, column] / first.sum()
    assert cards().value(board, first, second, MATRIX) == pytest.approx(expected, abs=1e-12)


# Real hands


def blueprint() -> BlueprintAgent:
    policy = short_stacked().policy
    return BlueprintAgent(policy, "blueprint", PolicyBuckets(policy, made_up_buckets()))


def results(other: Agent, deals: int) -> tuple[FloatArray, FloatArray]:
    """(hands,) chips of the blueprint as dealt and with luck taken out, from both seats of each deal."""
    agent, aivat = blueprint(), TableAivat(short_stacked(), made_up_buckets())
    game = Game(agent.policy.config)
    dealt, corrected = [], []
    for deal in range(deals):
        for seat in range(2):
            seated = [agent, other] if seat == 0 else [other, agent]
            hand = play_hand(game, seated, deal)
            chips = aivat.corrected(hand, seated)
            assert sum(chips) == 0.0
            dealt.append(hand.payoffs[seat])
            corrected.append(chips[seat])
    return np.array(dealt, dtype=np.float64), np.array(corrected)


def test_a_match_against_oneself_is_zero_deal_by_deal() -> None:
    dealt, corrected = results(blueprint(), 20)
    assert not (dealt[::2] + dealt[1::2]).any()
    assert np.abs(corrected[::2] + corrected[1::2]).max() == pytest.approx(0.0, abs=1e-9)
    assert corrected.var() < dealt.var() / 5


@pytest.mark.parametrize("make", [blueprint, lambda: open_baseline("always-call")])
def test_the_mean_is_the_same(make: Callable[[], Agent]) -> None:
    """The mean of what was taken off is zero within four of its own standard errors; Leduc's test is exact."""
    dealt, corrected = results(make(), 40)
    off = dealt - corrected
    assert abs(off.mean()) < 4 * off.std(ddof=1) / np.sqrt(len(off))
    assert corrected.var() < dealt.var()


def test_a_match_with_aivat_says_how_much_it_helped() -> None:
    agents = {"blueprint": blueprint(), "always-call": open_baseline("always-call")}
    setup = MatchSetup(
        short_stacked().policy.config,
        ("blueprint", "always-call"),
        lambda spec, config=None: agents[spec],
        seed=2,
        open_correction=lambda _: TableAivat(short_stacked(), made_up_buckets()),
    )
    result = play_match(setup, 40)
    assert result.method == "duplicate+aivat"
    errors = [result.win_rate(0, as_dealt=as_dealt).standard_error for as_dealt in (True, False)]
    assert result.variance_factor == pytest.approx((errors[0] / errors[1]) ** 2)
    assert result.win_rate(0).big_blinds == pytest.approx(-result.win_rate(1).big_blinds)


def test_a_match_with_aivat_says_what_was_dealt_and_what_was_luck() -> None:
    """By hand: two deals of two hands, 100 chips a big blind."""
    setup = MatchSetup(short_stacked().policy.config, ("a", "b"), lambda spec, config=None: open_baseline("random"))
    chips, corrected = np.array([[300.0, -300.0], [-100.0, 100.0]]), np.array([[50.0, -50.0], [30.0, -30.0]])
    plain = MatchResult(setup, chips, corrected, "aivat").to_plain()["agents"]
    for key, figures in (("as_dealt", (50.0, -50.0)), ("luck", (30.0, -30.0))):
        assert [agent[key]["bb_per_100"] for agent in plain] == pytest.approx(figures)
    assert [agent["bb_per_100"] for agent in plain] == pytest.approx([20.0, -20.0])
    assert "luck" not in MatchResult(setup, chips).to_plain()["agents"][0]
    assert MatchResult(setup, chips).luck(0) is None


def test_matches_that_aivat_cannot_help_are_refused() -> None:
    unknown = open_baseline("random")
    cases: list[tuple[list[Agent], str]] = [
        ([blueprint()] * 3, "for 2 players, and this match has 3"),
        ([unknown, unknown], "strategy is known"),
        ([blueprint(), unknown], "never saved"),
    ]
    for agents, words in cases:
        assert not can_open_aivat(agents)
        with pytest.raises(HoldemError, match=words):
            open_aivat(agents)


def test_three_players_are_refused() -> None:
    game = Game.from_preset("threemax_100bb")
    agents = [open_baseline("always-call")] * 3
    hand = play_hand(game, agents, 1)
    with pytest.raises(ConfigError, match="two players"):
        TableAivat(short_stacked(), made_up_buckets()).corrected(hand, agents)
