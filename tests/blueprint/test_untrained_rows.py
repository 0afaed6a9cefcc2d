"""Rows that training never came to: what is shown, told, played, rolled out, played out and measured is one thing.

Nothing is known there, so nobody raises, and the other actions are taken equally often. With a table of zeros the
whole hand follows from that: whoever may check checks, and a called hand is checked down.
"""

from collections import Counter
from functools import cache, partial

import numpy as np
import pytest

from holdem.abstraction.betting.payoffs import reference_payoffs
from holdem.abstraction.betting.tree import ActionCode, build_tree
from holdem.blueprint.agent import BlueprintAgent
from holdem.blueprint.buckets import PolicyBuckets
from holdem.blueprint.leaf_values.continuations import Continuation, leaves_of, play_street
from holdem.blueprint.view import view_strategy
from holdem.cards import evaluate
from holdem.cards.cards import hole_cards, hole_index
from holdem.cli.strategy_grid import hand_sentence
from holdem.evaluation.compare import exact_evaluator
from holdem.evaluation.response.learned import played_entries
from holdem.evaluation.response.sampled.response import SampledBestResponse, Samples
from holdem.game import Action, Game, Observation, observe
from holdem.game.presets import load_preset
from holdem.policy.policy import AveragePolicy, PolicyInfo
from holdem.realtime.blueprint_doubts import UNTRAINED
from holdem.realtime.multiway.kernels import arrays
from holdem.realtime.multiway.kernels.deal import deal_board, draw_hands
from holdem.realtime.multiway.kernels.playout import play_out
from holdem.realtime.search_controller import SearchController
from holdem.table.advice.advisor import Advisor, blueprint_decision
from holdem.table.advice.kernels.rollout import draw_lines, walk_subtree
from holdem.table.advice.review import review_decision
from holdem.table.advice.rollouts import Rollouts
from holdem.types import GameConfig
from holdem.util.kernels.random_numbers import seed_stream
from tests.evaluation.blueprints import holdem_blueprint, holdem_config
from tests.realtime.multiway.test_continuations import solver_for
from tests.table.policies import ONE_BUCKET, one_bucket

FOLD, CALL = Action.fold(), Action.check_or_call()


@cache
def untrained(config: GameConfig) -> BlueprintAgent:
    """A blueprint that was never trained anywhere."""
    tree = build_tree(config)
    zeros = np.zeros(tree.counts.entries(ONE_BUCKET))
    policy = AveragePolicy.from_strategy_sums(PolicyInfo(config, ONE_BUCKET, 1), zeros, tree)
    return BlueprintAgent(policy, "untrained", PolicyBuckets(policy, one_bucket()))


def first_decision(game: str, deal: int = 0) -> Observation:
    return observe(Game(load_preset(game)).new_hand(3), deal=deal)


@pytest.mark.parametrize(
    ("game", "expected"),
    [("jam_or_fold_10bb", {FOLD: 1.0}), ("headsup_100bb", {FOLD: 0.5, CALL: 0.5})],
)
def test_shown_told_and_played_are_the_same(game: str, expected: dict[Action, float]) -> None:
    agent, seen = untrained(load_preset(game)), first_decision(game)
    decision = blueprint_decision(agent, seen)
    assert {a: p for a, p in zip(decision.actions, decision.probabilities, strict=True) if p} == expected
    actions, table = agent.range_policy(seen.public())
    told = dict(zip(actions, table[hole_index(*seen.hole_cards)].tolist(), strict=True))
    assert {action: share for action, share in told.items() if share} == expected
    played = Counter(agent.act(first_decision(game, deal)) for deal in range(400))
    assert set(played) == set(expected)
    for action, share in expected.items():  # four standard errors of 400 draws
        assert abs(played[action] / 400 - share) <= 4 * (share * (1 - share) / 400) ** 0.5
    view = view_strategy(agent.policy, 0)
    raises = view.probabilities.shape[1] - len(expected)
    assert view.probabilities[0].tolist() == [*expected.values(), *[0.0] * raises]
    assert not view.visited.any()
    words = hand_sentence("3c2c", view.summary.actions, view.probabilities[0], visited=False)
    assert "never visited" in words and "uniform" not in words


@pytest.mark.parametrize("searches", [False, True])
def test_advice_says_that_it_guesses_and_reviews_do_not_count_it(searches: bool) -> None:
    """Before the flop whoever searches asks the blueprint, too."""
    agent, seen = untrained(load_preset("headsup_100bb")), first_decision("headsup_100bb")
    decide = SearchController(agent, advises=True).decide if searches else partial(blueprint_decision, agent)
    advisor = Advisor(decide, Rollouts(agent, 400))
    found = advisor.recommend(seen)
    assert UNTRAINED in found.caveats and UNTRAINED in found.decision.note
    assert [found.decision.actions[place] for place in found.shown] == [FOLD], "what follows a call is a guess too"
    assert not found.accuracy_words
    reviewed = review_decision(advisor, 1, seen, CALL)
    assert not reviewed.counted and not reviewed.clear


def test_rollouts_check_a_called_hand_down() -> None:
    """The small blind limps with the better hand: nobody raises afterwards, so it wins one big blind, 100 chips."""
    agent = untrained(load_preset("headsup_100bb"))
    tree, kernel_arrays = agent.policy.tree, Rollouts(agent)._arrays
    limp = [tree.action[child] for child in tree.children(0)].index(ActionCode.CALL)
    buckets, strengths = np.zeros((2, 4), np.int64), np.array([1, 2])
    values, state = np.empty(int(tree.num_actions[0])), np.zeros(2, np.uint64)
    walk_subtree(kernel_arrays, 0, 1, buckets, strengths, np.empty(tree.num_nodes), values)
    assert values[limp] == pytest.approx(100.0)
    seed_stream(state, 1, 2)
    for _ in range(50):
        draw_lines(kernel_arrays, 0, 1, buckets, strengths, state, values)
        assert values[limp] == 100.0


@pytest.mark.long
def test_playouts_go_to_the_showdown_of_the_leafs_own_pot() -> None:
    agent = holdem_blueprint(holdem_config(3), seed=5)
    agent.policy.table[:] = 0
    solver, street = solver_for(agent)
    tree, deal, state = solver._arrays, solver._deal, np.zeros(2, dtype=np.uint64)
    leaf = int(np.flatnonzero(tree.kind == arrays.LEAF)[0])
    chips = street.tree.chips_in[leaf].tolist()
    folded = {p for p in range(3) if int(street.tree.folded[leaf]) >> p & 1}
    masks = np.array([(1 << a) | (1 << b) for a, b in map(hole_cards, range(1326))], dtype=np.int64)
    tables, widths = solver._buckets
    values = np.zeros(1326, dtype=np.float32)
    for iteration, choice in enumerate((0, 3)):  # as it is, and with five times the raises, of which there are none
        deal_board(deal, 3, tables, widths, 9, 100 + iteration, state)
        while not draw_hands(state, solver._cumulative, 0, 0, masks, deal):
            pass  # two seats drew the same card
        play_out(tree, solver._blueprint, leaf, 0, deal, 2, np.full(6, choice), np.uint64(7), values)
        board = tuple(deal.board.tolist())
        for hand in np.flatnonzero(deal.valid)[::97].tolist():
            strengths = [evaluate(hole_cards(h) + board) for h in (hand, *deal.holes.tolist()[1:])]
            assert values[hand] == pytest.approx(reference_payoffs(chips, folded, strengths)[0], abs=0.01)


def test_best_responses_measure_the_strategy_that_is_played() -> None:
    """Jam or fold: the small blind always folds and loses 50 chips; so does the exact and the sampled measure say."""
    policy = untrained(load_preset("jam_or_fold_10bb")).policy
    evaluator = SampledBestResponse.of_policy(policy)
    sampled = evaluator.result(evaluator.flop_values(Samples(3, 3, 3), threads=1))
    assert [position.expected for position in sampled.positions] == pytest.approx([50.0, -50.0])
    exact = exact_evaluator(policy)
    assert exact is not None
    assert exact.responses(policy.strategy()).expected.tolist() == pytest.approx([50.0, -50.0])
    small_blind = int(policy.layout.row_start(0, 0))
    assert played_entries(policy)[small_blind : small_blind + 2].tolist() == [60_000, 0]


def test_leaf_values_reach_no_raise() -> None:
    policy = untrained(load_preset("headsup_100bb")).policy
    leaf = int(leaves_of(policy.tree, 0)[0])
    play = play_street(policy, leaf)
    as_it_is = [reach[:, Continuation.AS_IS].prod() for reach in play.reach]
    reached = [end for end, reach in zip(play.ends, as_it_is, strict=True) if reach > 0.0]
    assert [policy.tree.chips_in[end].tolist() for end in reached] == [policy.tree.chips_in[leaf].tolist()]
