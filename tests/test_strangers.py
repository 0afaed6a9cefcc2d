"""The strangers of the benchmarks: legal at any table, their strategy is what they play, and pairs are by deal."""

from collections import Counter
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest
from phevaluator import evaluate_cards

from benchmarks.strangers.equities import _places, against_any, equities, standing
from benchmarks.strangers.equity_player import EquityPlayer, _opponents_bets
from benchmarks.strangers.opening import open_any
from benchmarks.strangers.other_blueprint import BETTING, game, open_other_blueprint
from benchmarks.strangers.over_better import OverBetter
from benchmarks.strangers.paired import PairedResult, pair_up, play_paired, setups_of
from benchmarks.strangers.rule_agent import RuleAgent, place_of, raises_on_street
from holdem.blueprint.agent import BlueprintAgent
from holdem.blueprint.buckets import PolicyBuckets
from holdem.cards import parse_cards
from holdem.cards.cards import HOLE_CARDS, hole_index
from holdem.cards.ranges import CLASS_OF_HOLE
from holdem.errors import ArtifactMissing, ConfigError
from holdem.evaluation.aivat.table import TableAivat
from holdem.evaluation.baselines import open_baseline
from holdem.evaluation.match.match import MatchResult, MatchSetup
from holdem.game.actions import Action, ActionKind
from holdem.game.agent import Agent, PublicState, RangeAgent, observe, public_state
from holdem.game.game import Game
from holdem.game.hand import Hand
from holdem.game.play import play_hand
from holdem.game.presets import load_preset
from holdem.util.rng import stream
from tests.evaluation.made_up_buckets import made_up_buckets, short_stacked

STRANGERS = [EquityPlayer(), OverBetter()]
every_stranger = pytest.mark.parametrize("stranger", STRANGERS, ids=lambda agent: agent.name)


def states(count: int) -> list[Hand]:
    """Hands in which somebody is to act, after random legal actions with random stacks."""
    found: list[Hand] = []
    number, random = 0, open_baseline("random")
    while len(found) < count:
        choice = stream(number, "stacks")
        hand = Game.from_preset("headsup_100bb").new_hand(number, stacks=choice.integers(150, 12_000, 2).tolist())
        for decision in range(int(choice.integers(0, 6))):
            if hand.actor is not None:
                action = random.act(observe(hand, number, decision))
                hand.act(action if action.kind is not ActionKind.FOLD else Action.check_or_call())
        if hand.actor is not None:
            found.append(hand)
        number += 1
    return found


# Equities


def test_rivers_are_listed() -> None:
    """Win, half a tie, holes that share a card left out: hole by hole, with phevaluator."""
    board = parse_cards("Kc9s9d4h2h")
    weights = np.zeros(1326)
    for place, text in enumerate(("KdKh", "KdQd", "9c8c", "AhJh", "AsJs", "3c3d")):
        weights[hole_index(*parse_cards(text))] = 1.0 + place
    found = equities(board, weights)
    for text in ("KsQs", "KdQc", "AcJc", "9h8h", "3c3h", "7d6d"):
        hole, won, mass = parse_cards(text), 0.0, 0.0
        for other in np.flatnonzero(weights).tolist():
            cards = HOLE_CARDS[other].tolist()
            if not set(hole) & set(cards):
                mine, theirs = evaluate_cards(*hole, *board), evaluate_cards(*cards, *board)
                won += weights[other] * (float(mine < theirs) + 0.5 * float(mine == theirs))
                mass += weights[other]
        assert found[hole_index(*hole)] == pytest.approx(won / mass, abs=1e-12)


@pytest.mark.parametrize("text", ["Kc9s9d4h2h", "Kc9c9d4c2h", "Kc9c8c4c2h", "AcKcQcJcTc", "7h8h9hTd9c"])
def test_places_are_those_of_phevaluator(text: str) -> None:
    """Every hole by itself, on boards with and without flushes."""
    board = parse_cards(text)
    places = _places(board)
    ranks = {hole: evaluate_cards(*board, *HOLE_CARDS[hole].tolist()) for hole in np.flatnonzero(places >= 0).tolist()}
    assert len(ranks) == 1081
    order = {rank: number for number, rank in enumerate(sorted(set(ranks.values()), reverse=True))}
    assert all(places[hole] == order[rank] for hole, rank in ranks.items())


@pytest.mark.parametrize(("hole", "equity"), [("AsAh", 0.8520), ("KdQd", 0.6340), ("7c2d", 0.3458)])
def test_before_the_flop_samples_are_near_published_equities(hole: str, equity: float) -> None:
    """Equities of a class scatter by less than 0.3 over boards, so four standard errors of 600 boards are 0.05."""
    assert against_any(())[hole_index(*parse_cards(hole))] == pytest.approx(equity, abs=0.05)


def test_equities_of_both_sides_of_a_board_add_up() -> None:
    """Over all pairs of holes, one side wins what the other loses."""
    for board in (parse_cards("Qc7s2d"), parse_cards("Qc7s2d5h")):
        possible = ~np.isin(HOLE_CARDS, board).any(axis=1)
        assert against_any(board)[possible].mean() == pytest.approx(0.5, abs=0.01)
        assert standing(board)[possible].mean() == pytest.approx(0.5, abs=1e-12)


# Play


@every_stranger
@pytest.mark.parametrize("opponent", ["random", "loose-aggressive", "itself"])
def test_hands_are_legal_with_any_stacks(stranger: RuleAgent, opponent: str) -> None:
    """Short, uneven and deep stacks; the random player bets any legal size."""
    other: Agent = stranger if opponent == "itself" else open_baseline(opponent)
    table = Game.from_preset("headsup_100bb")
    for deal in range(80):
        stacks = stream(deal, "stacks").choice([1, 40, 75, 130, 333, 1_000, 2_777, 10_000, 20_000], 2).tolist()
        hand = play_hand(table, [stranger, other] if deal % 2 else [other, stranger], deal, stacks=stacks)
        assert hand.is_over and sum(hand.payoffs) == 0


@every_stranger
def test_strategies_are_distributions_over_legal_actions(stranger: RuleAgent) -> None:
    assert isinstance(stranger, RangeAgent)
    for hand in states(40):
        state = public_state(hand)
        actions, table = stranger.range_policy(state)
        assert len(set(actions)) == len(actions) and all(map(state.legal.allows, actions))
        assert table.shape == (1326, len(actions)) and table.min() >= 0.0
        np.testing.assert_allclose(table.sum(axis=1), 1.0, atol=1e-12)


@every_stranger
def test_before_the_flop_suits_mean_nothing(stranger: RuleAgent) -> None:
    hand = Game.from_preset("headsup_100bb").new_hand(0)
    for amount in (317, 1_001):
        table = stranger.range_policy(public_state(hand))[1]
        first = np.unique(CLASS_OF_HOLE, return_index=True)[1]
        np.testing.assert_array_equal(table, table[first][CLASS_OF_HOLE])
        hand.act(Action.raise_to(amount))


@every_stranger
def test_what_is_drawn_is_what_is_told(stranger: RuleAgent) -> None:
    """The same hole in 500 deals: each action within four standard errors and one deal of its probability."""
    mixed = 0
    for hand in states(25):
        actor = hand.actor
        assert actor is not None
        cards = hand.hole_cards[actor]
        assert cards is not None
        actions, table = stranger.range_policy(public_state(hand))
        row = table[hole_index(*cards)]
        mixed += int(np.count_nonzero(row) > 1)
        drawn = Counter(stranger.act(observe(hand, deal, 1)) for deal in range(500))
        assert set(drawn) <= {action for action, share in zip(actions, row, strict=True) if share > 0.0}
        for action, share in zip(actions, row, strict=True):
            assert abs(drawn[action] - 500 * share) <= 1.0 + 4.0 * np.sqrt(500 * share * (1.0 - share))
    assert mixed >= 5


def test_columns_are_drawn_in_their_shares() -> None:
    """A grid of numbers from 0 to 1, and nothing of a column of zero."""
    row = np.array([0.0, 0.25, 0.0, 0.5, 0.25, 0.0])
    drawn = Counter(place_of((number + 0.5) / 1000, row) for number in range(1000))
    assert drawn == {1: 250, 3: 500, 4: 250}
    assert place_of(0.0, row) == 1 and place_of(np.nextafter(1.0, 0.0), row) == 4


def test_more_than_two_players_are_refused() -> None:
    with pytest.raises(ConfigError, match="plays with two"):
        OverBetter().range_policy(public_state(Game.from_preset("threemax_100bb").new_hand(0)))


def test_the_over_better_bets_large_with_the_best_and_the_worst() -> None:
    """1.5 to 3 times the pot, not in round chips, and nothing with the hands in between."""
    hand = Game.from_preset("headsup_100bb").new_hand(3)
    hand.act(Action.raise_to(317))
    hand.act(Action.check_or_call())
    state = public_state(hand)
    actions, table = OverBetter().range_policy(state)
    sizes = [action.amount / state.pot for action in actions if action.kind is ActionKind.RAISE_TO]
    assert len(sizes) == 3 and all(1.5 <= size <= 3.0 for size in sizes)
    assert all(action.amount % 50 for action in actions if action.kind is ActionKind.RAISE_TO)
    between = (standing(state.board) > 0.21) & (standing(state.board) < 0.79)
    assert not table[between][:, 1:].any() and table[standing(state.board) > 0.95][:, 1:].sum(axis=1).min() > 0.5


def test_a_bet_makes_the_believed_range_stronger() -> None:
    """Whatever the hole, its equity is smaller on average after a bet, and smaller still after a larger one."""
    found: list[PublicState] = []
    for bet in (100, 600):
        hand = Game.from_preset("headsup_100bb").new_hand(3)
        hand.act(Action.raise_to(300))
        hand.act(Action.check_or_call())
        hand.act(Action.raise_to(bet))
        found.append(public_state(hand))
    small, large = (list(_opponents_bets(state)) for state in found)
    assert [share for _, share in small] == [round(100 / 600, 3)] and large[0][1] == 1.0
    assert [board for board, _ in small] == [found[0].board]
    folds = [EquityPlayer().range_policy(state)[1][:, 0].mean() for state in found]
    assert 0.0 < folds[0] < folds[1]
    assert raises_on_street(found[0]) == 1


# AIVAT


@every_stranger
def test_luck_against_a_stranger_is_zero_in_the_mean(stranger: RuleAgent) -> None:
    """A random blueprint of five big blinds: the mean of what is taken off is within four standard errors of zero."""
    policy = short_stacked().policy
    agent = BlueprintAgent(policy, "blueprint", PolicyBuckets(policy, made_up_buckets()))
    table = TableAivat(short_stacked(), made_up_buckets())
    luck = np.zeros(40)
    for deal, seat in product(range(len(luck)), range(2)):
        seats: list[Agent] = [agent, stranger] if seat == 0 else [stranger, agent]
        hand = play_hand(Game(policy.config), seats, deal)
        luck[deal] += hand.payoffs[seat] - table.corrected(hand, seats)[seat]
    assert luck.std() > 0.0
    assert abs(luck.mean()) < 4.0 * luck.std(ddof=1) / np.sqrt(len(luck))


# Pairs


def result(spec: str, chips: list[float], corrected: list[float] | None = None) -> MatchResult:
    setup = MatchSetup(load_preset("headsup_100bb"), (spec, "over-better"), open_any)
    tables = [None if column is None else np.array([column, [-x for x in column]]).T for column in (chips, corrected)]
    assert tables[0] is not None
    return MatchResult(setup, tables[0], tables[1], None if corrected is None else "aivat")


def test_the_difference_is_deal_by_deal() -> None:
    """Chips over the two hands of a deal, 100 to the big blind: 300, 100, 200 more are 100 bb/100, and the scatter is
    that of 1.5, 0.5 and 1 big blinds a hand, by Student's t with two degrees of freedom."""
    (pair,) = pair_up([result("first", [900.0, -500.0, 400.0]), result("second", [600.0, -600.0, 200.0])])
    assert pair.agent.setup.specs[0] == "first" and pair.beside.setup.specs[0] == "second"
    assert pair.difference.bb_per_100 == pytest.approx(100.0)
    assert pair.difference.interval_bb_per_100 == pytest.approx(100.0 * 4.303 * 0.5 / np.sqrt(3.0))
    assert pair.to_plain()["difference"]["hands"] == 6


def test_the_difference_is_of_corrected_chips() -> None:
    pair = PairedResult("x", result("a", [900.0, 0.0], [10.0, 30.0]), result("b", [0.0, 0.0], [0.0, 20.0]))
    assert pair.difference.bb_per_100 == pytest.approx(5.0) and pair.difference.standard_error == 0.0


def test_matches_are_paired_as_far_as_they_were_played() -> None:
    """Whatever was played when it was stopped is the same deals of all; the same agent twice differs by nothing."""
    config = load_preset("headsup_100bb")
    setups = setups_of(config, ["always-call", "fold-to-any-bet"], ["over-better", "equity-player"], 7, False)
    counted: list[int] = []
    found = play_paired(setups, 21, progress=counted.append, stopped=lambda: sum(counted) >= 24)
    assert [pair.stranger for pair in found] == ["over-better", "equity-player"]
    deals = found[0].agent.deals
    assert 0 < deals < 11 and sum(counted) == deals * 2 * 4
    for pair in found:
        assert pair.agent.deals == pair.beside.deals == deals and not pair.agent.complete
    again = play_paired(setups_of(config, ["always-call"], ["over-better"], 7, False), 2 * deals)
    np.testing.assert_array_equal(again[0].agent.chips, found[0].agent.chips)
    assert again[0].difference.big_blinds == 0.0


# The other blueprint


def test_the_other_tree_has_none_of_our_sizes() -> None:
    """All-in aside."""
    ours, theirs = load_preset("headsup_100bb").betting.sizes, BETTING.sizes
    for street in range(4):
        tokens = [
            {token.strip() for menu in menus.street(street) for token in menu.split(",")} for menus in (ours, theirs)
        ]
        assert tokens[0] & tokens[1] <= {"a"}
    assert game().starting_stacks == load_preset("headsup_100bb").starting_stacks


def test_an_untrained_stranger_says_how_it_is_made(tmp_path: Path) -> None:
    with pytest.raises(ArtifactMissing, match="bench_strangers make"):
        open_other_blueprint(tmp_path / "none")


def test_names_of_strangers_and_of_matches() -> None:
    names = {open_any(name).name for name in ("equity-player", "over-better", "always-call")}
    assert len(names) == 3 and not any(set(a) == set(b) for a, b in combinations(names, 2))
    with pytest.raises(ConfigError, match="neither a file nor a baseline"):
        open_any("nobody")
    with pytest.raises(ConfigError, match="did you mean over-better"):
        open_any("over-bettr")
