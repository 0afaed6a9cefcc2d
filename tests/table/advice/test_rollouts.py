"""Rollouts beside exact figures: preflop all-ins, a plain walk of the tree, and drawn lines beside walked ones."""

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from holdem.abstraction.betting.payoffs import payoffs
from holdem.blueprint.agent import BlueprintAgent
from holdem.cards import evaluate, parse_cards
from holdem.cards.cards import HOLE_CARDS, hole_index
from holdem.cards.preflop_equity import class_index, preflop_equities
from holdem.game import Action, Game, Observation, observe
from holdem.game.presets import load_preset
from holdem.policy.policy import SCALE, AveragePolicy
from holdem.table.advice import rollouts
from holdem.table.advice.advisor import GUESSED, OTHER_DEPTH, Advisor, blueprint_decision
from holdem.table.advice.beliefs import ranges_by_position
from holdem.table.advice.kernels.rollout import deal_from_ranges, draw_lines, walk_subtree
from holdem.table.advice.review import review_decision
from holdem.table.advice.rollouts import Rollouts, Worth
from holdem.util.arrays import UInt64
from holdem.util.kernels.random_numbers import seed_stream
from tests.table.policies import random_blueprint

Ints = npt.NDArray[np.int64]

SIGMAS = 4.5
"""A correct estimate is further off than this many standard errors once in 150,000 times."""


def reference_value(policy: AveragePolicy, node: int, position: int, buckets: Ints, strengths: list[int]) -> float:
    """The expected payoff of a position below a node, recursively."""
    tree = policy.tree
    if tree.num_actions[node] == 0:
        return float(payoffs(tree, node, strengths)[position])
    row = policy.probabilities(node, int(buckets[tree.player[node], tree.street[node]]))
    below = [reference_value(policy, child, position, buckets, strengths) for child in tree.children(node)]
    return float(np.dot(row, below))


def seeded(number: int) -> UInt64:
    state = np.zeros(2, np.uint64)
    seed_stream(state, 1, number)
    return state


@pytest.mark.parametrize("hole", ["AsAh", "7c2d", "Th9h"])
def test_jam_or_fold_is_worth_what_exact_equities_say(hole: str) -> None:
    blueprint = random_blueprint("jam_or_fold_10bb")
    policy, tree = blueprint.policy, blueprint.policy.tree
    seen = observe(Game(policy.config).new_hand(hole_cards=[None, hole]))
    worth = Rollouts(blueprint, deals=20_000).worth(seen, [Action.fold(), Action.raise_to(1_000)])
    assert worth is not None
    table, own = preflop_equities(), class_index("AA" if hole == "AsAh" else "72o" if hole == "7c2d" else "T9s")
    jam = next(child for child in tree.children(0) if tree.num_actions[child] > 0)
    call = next(place for place, child in enumerate(tree.children(jam)) if tree.describe_action(child) == "call")
    calls = np.array([policy.probabilities(jam, bucket)[call] for bucket in range(169)])
    chance = table.combinations[own] / table.combinations[own].sum()
    # From the 950 chips behind: a fold of the big blind wins the 150 in the middle, a call plays for 2,000 less 950.
    exact = float(chance @ ((1 - calls) * 150 + calls * (2_000 * table.equity[own] - 950)))
    assert worth.evs[0] == 0.0
    assert abs(worth.evs[1] - exact) < SIGMAS * worth.errors[1]
    assert worth.errors[1] < 15


@pytest.mark.parametrize("preset", ["headsup_100bb", "three players"])
def test_a_walked_subtree_is_the_plain_recursion(preset: str) -> None:
    blueprint = random_blueprint(preset)
    arrays, policy, tree = Rollouts(blueprint)._arrays, blueprint.policy, blueprint.policy.tree
    generator = np.random.default_rng(1)
    sizes = tree.end - tree.first_child
    nodes = generator.choice(np.flatnonzero((tree.num_actions > 0) & (sizes < 300)), 20)
    for node in nodes.tolist():
        buckets = np.zeros((tree.num_players, 4), np.int64)
        buckets[:, 0] = generator.integers(169, size=tree.num_players)
        strengths = generator.integers(1, 4, size=tree.num_players)
        position = int(generator.integers(tree.num_players))
        values = np.empty(int(tree.num_actions[node]))
        walk_subtree(arrays, node, position, buckets, strengths, np.empty(int(sizes[node])), values)
        plain = [reference_value(policy, child, position, buckets, strengths.tolist()) for child in tree.children(node)]
        np.testing.assert_allclose(values, plain, atol=1e-6)


def test_drawn_lines_average_to_the_walked_value() -> None:
    blueprint = random_blueprint()
    arrays, tree = Rollouts(blueprint)._arrays, blueprint.policy.tree
    node = next(child for child in tree.children(0) if tree.describe_action(child) == "call")
    buckets, strengths = np.zeros((2, 4), np.int64), np.array([2, 1])
    exact = np.empty(int(tree.num_actions[node]))
    walk_subtree(arrays, node, 0, buckets, strengths, np.empty(int(tree.end[node] - tree.first_child[node])), exact)
    state, drawn = seeded(3), np.empty((20_000, len(exact)))
    for row in drawn:
        draw_lines(arrays, node, 0, buckets, strengths, state, row)
    errors = drawn.std(axis=0) / np.sqrt(len(drawn))
    assert (np.abs(drawn.mean(axis=0) - exact) < SIGMAS * errors + 1e-9).all()


def test_a_row_that_was_never_visited_folds_as_often_as_it_calls() -> None:
    blueprint = random_blueprint("jam_or_fold_10bb")
    arrays = Rollouts(blueprint)._arrays._replace(table=np.zeros_like(blueprint.policy.table))
    values = np.empty(2)
    # The small blind's jam: the big blind folds half of the time (+100) and calls half of the time, and wins (-1,000).
    walk_subtree(arrays, 0, 1, np.zeros((2, 4), np.int64), np.array([2, 1]), np.empty(8), values)
    assert sorted(values.tolist()) == [-450.0, -50.0]


def test_dealt_hands_follow_the_ranges_and_share_no_card() -> None:
    weights = np.zeros((3, 1326))
    rare, frequent = hole_index(*parse_cards("3c3d")), hole_index(*parse_cards("Kh9s"))
    weights[1, [rare, frequent]] = (1.0, 3.0)
    weights[2] = 1.0
    hole, board = parse_cards("AsAh"), np.array(parse_cards("Kd7c2h"), np.uint8)
    known = sum(1 << card for card in (*hole, *board.tolist()))
    deals = 4_000
    holes, boards = np.empty((deals, 3), np.int16), np.empty((deals, 5), np.uint8)
    sums = np.cumsum(weights, axis=1)
    done = deal_from_ranges(seeded(1), sums, HOLE_CARDS, 0, known, board, 50 * deals, holes, boards)
    assert done == deals
    assert (boards[:, :3] == board).all()
    for deal in range(0, deals, 7):
        cards = [*hole, *HOLE_CARDS[holes[deal, 1]], *HOLE_CARDS[holes[deal, 2]], *boards[deal]]
        assert len(set(map(int, cards))) == 11
    share = float((holes[:, 1] == rare).mean())
    assert set(holes[:, 1].tolist()) == {rare, frequent}
    assert abs(share - 0.25) < SIGMAS * np.sqrt(0.25 * 0.75 / deals)


def test_a_range_that_cannot_be_dealt_ends_after_the_tries() -> None:
    weights = np.zeros((2, 1326))
    weights[1, 0] = 1.0  # the pair 3c2c... of which one card is known to be elsewhere
    known = 1 << int(HOLE_CARDS[0, 0])
    sums, board = np.cumsum(weights, axis=1), np.empty(0, np.uint8)
    out = np.empty((10, 2), np.int16), np.empty((10, 5), np.uint8)
    assert deal_from_ranges(seeded(1), sums, HOLE_CARDS, 0, known, board, 99, *out) == 0


def test_the_same_state_gives_the_same_estimate_and_fold_is_worth_nothing() -> None:
    blueprint = random_blueprint()
    hand = Game.from_preset("headsup_100bb").new_hand(4)
    hand.act(Action.raise_to(230))  # off the tree, so that two lines of it are tried
    seen = observe(hand, deal=9)
    actions = [Action.fold(), Action.check_or_call()]
    first, again = (Rollouts(blueprint, deals=200).worth(seen, actions) for _ in range(2))
    assert first is not None
    assert again is not None
    assert first.evs == again.evs
    assert first.evs[0] == 0.0
    lost, error = first.lost(taken=(1.0, 0.0), instead=(0.0, 1.0))
    assert lost == pytest.approx(first.evs[1])
    assert error == pytest.approx(first.errors[1])


def test_on_the_river_a_call_is_worth_what_the_ranges_say() -> None:
    """With the nuts, a call of the last bet wins the pot for certain."""
    blueprint = random_blueprint()
    hand = Game(load_preset("headsup_100bb")).new_hand(hole_cards=["AsKs", "2c2d"], board="QsJsTs7h3d")
    for _ in range(6):
        hand.check_or_call()
    hand.check_or_call()
    hand.act(Action.raise_to(200))
    worth = Rollouts(blueprint, deals=100).worth(observe(hand), [Action.fold(), Action.check_or_call()])
    assert worth is not None
    assert worth.evs == pytest.approx((0.0, 400.0))  # 200 in the pot and the 200 that were bet
    assert worth.exact
    assert worth.source == "blueprint against every hand"


def test_a_heads_up_river_is_exact() -> None:
    """Beside a plain sum over the opponent's hands, weighted by what the blueprint does with them before."""
    blueprint = random_blueprint()
    hand = Game(load_preset("headsup_100bb")).new_hand(hole_cards=["9s8s", None], board="Qs7d2h9c3d")
    for action in (Action.raise_to(300), *[Action.check_or_call()] * 6, Action.raise_to(600)):
        hand.act(action)
    seen = observe(hand)
    actions = [Action.fold(), Action.check_or_call(), Action.raise_to(10_000 - 300)]
    worth = Rollouts(blueprint, deals=10).worth(seen, actions)
    assert worth is not None
    [(node, _)] = blueprint.node_probabilities(seen)
    tree, weights = blueprint.policy.tree, ranges_by_position(blueprint, seen.public()).weights[1]
    known = {*seen.board, *seen.hole_cards}
    total, sums = 0.0, np.zeros(3)
    children = [tree.find_child(node, action) for action in actions]
    own = evaluate(seen.hole_cards + seen.board)
    buckets = np.zeros((2, 4), np.int64)
    for number, cards in enumerate(HOLE_CARDS.tolist()):
        if not known.isdisjoint(cards):
            continue
        strengths = [own, evaluate((*cards, *seen.board))]
        total += weights[number]
        values = [reference_value(blueprint.policy, child, 0, buckets, strengths) for child in children if child]
        sums += weights[number] * (np.array(values) + 300)
    assert worth.evs == pytest.approx((sums / total).tolist())


def test_a_size_off_the_tree_is_priced_between_its_neighbours() -> None:
    blueprint = random_blueprint()
    hand = Game(load_preset("headsup_100bb")).new_hand(7)
    for _ in range(6):
        hand.check_or_call()
    seen = observe(hand, deal=3)  # the pot is 200, and the tree bets half of it or all of it
    actions = [Action.raise_to(100), Action.raise_to(200), Action.raise_to(150), Action.fold()]
    worth = Rollouts(blueprint, deals=100).worth(seen, actions)
    assert worth is not None
    # Pseudo-harmonic: 3/4 between 1/2 and 1 is (1 - 3/4)(1 + 1/2) / ((1 - 1/2)(1 + 3/4)) = 3/7 the smaller.
    assert worth.evs[2] == pytest.approx(3 / 7 * worth.evs[0] + 4 / 7 * worth.evs[1])
    assert np.isnan(worth.evs[3]), "there is nothing to fold to, so a fold has no worth"


def test_without_tables_there_is_no_estimate(monkeypatch: pytest.MonkeyPatch) -> None:
    blueprint = random_blueprint()
    measured, whole = Rollouts(blueprint), blueprint.buckets.bucketing
    assert whole is not None and not measured.why_not
    monkeypatch.setattr(blueprint.buckets, "bucketing", replace(whole, tables=()))
    assert measured.lacks_tables and "bucket tables" in measured.why_not
    seen = observe(Game.from_preset("headsup_100bb").new_hand(1))
    assert measured.worth(seen, [Action.fold()]) is None
    monkeypatch.setattr(blueprint.buckets, "bucketing", whole)  # they were built meanwhile
    assert not measured.why_not and measured.worth(seen, [Action.fold()]) is not None
    monkeypatch.setattr(rollouts, "SMALLEST_SHARE", 2.0)
    assert Rollouts(random_blueprint()).worth(seen, [Action.fold()]) is None


def test_drawn_lines_and_walked_subtrees_agree_from_the_first_decision(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same question both ways: deals and lines must not share their random numbers."""
    blueprint = random_blueprint()
    seen = observe(Game.from_preset("headsup_100bb").new_hand(hole_cards=[None, "QdJd"]), deal=5)
    actions = blueprint.actions_at(0, seen)
    drawn = Rollouts(blueprint, deals=4_000).worth(seen, actions)
    monkeypatch.setattr(rollouts, "WALKED_NODES", 1_000_000)
    walked = Rollouts(blueprint, deals=300).worth(seen, actions)
    assert drawn is not None
    assert walked is not None
    for one, other, first, second in zip(drawn.evs, walked.evs, drawn.errors, walked.errors, strict=True):
        assert abs(one - other) <= SIGMAS * np.hypot(first, second)


def jams_with(classes: dict[str, float]) -> BlueprintAgent:
    """Jam or fold: a policy whose small blind jams these classes so often, and folds all others."""
    policy, tree = random_blueprint("jam_or_fold_10bb").policy, random_blueprint("jam_or_fold_10bb").policy.tree
    jam = next(place for place, child in enumerate(tree.children(0)) if tree.num_actions[child] > 0)
    table = np.array(policy.table)
    rows = policy.places(0)
    table[rows] = np.where(np.arange(rows.shape[1]) == jam, 0, SCALE)
    for name, share in classes.items():
        row = rows[class_index(name)]
        table[row] = round(SCALE * (1.0 - share))
        table[row[jam]] = round(SCALE * share)
    return BlueprintAgent(replace(policy, table=table), "jams", random_blueprint("jam_or_fold_10bb").buckets)


def facing_a_jam(hole: str) -> Observation:
    hand = Game(load_preset("jam_or_fold_10bb")).new_hand(hole_cards=[hole, None], button=1)
    hand.act(Action.raise_to(1_000))
    return observe(hand)


def test_a_call_is_worth_what_the_hands_that_the_blueprint_bets_leave() -> None:
    """Kings against a jam of aces and half of the queens, and against nothing that is never jammed."""
    blueprint = jams_with({"AA": 1.0, "QQ": 0.5, "72o": 1.0})
    worth = Rollouts(blueprint, deals=20_000).worth(facing_a_jam("KsKh"), [Action.fold(), Action.check_or_call()])
    assert worth is not None
    table, weights = preflop_equities(), {"AA": 6 * 1.0, "QQ": 6 * 0.5, "72o": 12 * 1.0}
    own = class_index("KK")
    equity = sum(weight * table.equity[own, class_index(name)] for name, weight in weights.items())
    exact = 2_000 * equity / sum(weights.values()) - 900  # 900 are behind
    assert abs(worth.evs[1] - exact) < SIGMAS * worth.errors[1]
    assert not worth.guessed


@pytest.mark.parametrize(("stack", "known"), [(500, False), (850, True), (1_000, True), (4_000, False)])
def test_stacks_of_another_depth_have_no_worth(stack: int, known: bool) -> None:
    """In the blueprint's game aces would win thousands from 400 chips."""
    blueprint = random_blueprint("jam_or_fold_10bb")
    hand = Game(load_preset("jam_or_fold_10bb")).new_hand(hole_cards=["AsAh", None], button=1, stacks=[stack, stack])
    hand.act(Action.raise_to(stack))
    advisor = Advisor(partial(blueprint_decision, blueprint), Rollouts(blueprint, 200))
    found = advisor.recommend(observe(hand))
    assert (found.worth is not None) == known
    assert (OTHER_DEPTH in found.caveats) == (not known)
    if known:
        assert found.decision.evs is not None
        assert max(found.decision.evs) <= stack + 100, "what the other has put in, and the own blind"
    reviewed = review_decision(advisor, 1, observe(hand), Action.fold())
    assert reviewed.counted or not known


def test_sizes_that_the_rules_make_one_are_priced_as_the_largest() -> None:
    """A raise that is cut down to all the chips is an all-in, and nothing is decided after it."""
    blueprint, random, found = random_blueprint(), np.random.default_rng(3), 0
    rollouts, tree = Rollouts(blueprint, 20), blueprint.policy.tree
    game = Game(load_preset("headsup_100bb"))
    for seed in range(300):
        hand = game.new_hand(seed, stacks=[8_500, 8_500])
        while hand.actor is not None:
            seen = observe(hand)
            for node, _ in blueprint.node_probabilities(seen):
                actions = blueprint.actions_at(node, seen)
                for action in {one for one in actions if actions.count(one) > 1 and one.amount}:
                    [(place, share)] = rollouts._shares(node, actions, seen, action)
                    twins = [child for child, one in zip(tree.children(node), actions, strict=True) if one == action]
                    child = tree.children(node)[place]
                    assert share == 1.0
                    assert tree.chips_in[child].max() == max(tree.chips_in[twin].max() for twin in twins)
                    found += 1
            mixture = blueprint.mixture(seen)
            hand.act(mixture[random.integers(len(mixture))][0])
    assert found >= 10


def test_what_the_blueprint_hardly_ever_does_leaves_a_guess_that_counts_nowhere() -> None:
    seen = facing_a_jam("KsKh")
    for jams, guessed in (({}, True), ({"AA": 1.0}, True), (dict.fromkeys(("AA", "KK", "QQ", "JJ"), 1.0), False)):
        blueprint = jams_with(jams)  # aces are a 221st of all hands, four pairs more than a hundredth
        advisor = Advisor(partial(blueprint_decision, blueprint), Rollouts(blueprint, 200))
        found = advisor.recommend(seen)
        assert (found.decision.off_the_line, GUESSED in found.caveats) == (guessed, guessed)
        assert GUESSED in found.decision.note or not guessed
        assert not (guessed and found.accuracy_words), "what a mixture gives up by guesses is nothing to tell"
        reviewed = review_decision(advisor, 1, seen, Action.fold())
        assert reviewed.lost is not None
        assert reviewed.counted == (not guessed)
        assert not (guessed and reviewed.clear)


def test_readings_of_a_bet_off_the_tree_have_their_share_of_the_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where one of them is walked whole and the other by drawn lines."""
    blueprint, dealt = random_blueprint(), dict[int, int]()
    hand = Game(load_preset("headsup_100bb")).new_hand(hole_cards=["QdJd", None], button=1)
    hand.act(Action.raise_to(700))
    seen = observe(hand)
    shares = dict(blueprint.node_probabilities(seen))
    sizes = [blueprint.policy.tree.end[node] - blueprint.policy.tree.first_child[node] for node in shares]
    assert min(sizes) < rollouts.WALKED_NODES < max(sizes)
    samples = Rollouts._samples

    def counted(self: Rollouts, node: int, *rest: Any) -> Any:
        found = samples(self, node, *rest)
        dealt[node] = len(found)
        return found

    monkeypatch.setattr(Rollouts, "_samples", counted)
    worth = Rollouts(blueprint, deals=1_000).worth(seen, [Action.check_or_call()])
    assert worth is not None
    for node, share in shares.items():
        assert dealt[node] / sum(dealt.values()) == pytest.approx(share, abs=0.01)


def drawn(means: tuple[float, ...], spread: float, deals: int, seed: int) -> Worth:
    random = np.random.default_rng(seed)
    return Worth(np.array(means) + spread * random.standard_normal((deals, len(means))))


def test_actions_of_the_same_worth_lose_nothing_to_the_luckiest() -> None:
    """Six equal actions: the best of all means is ahead by more than an error; what one half chooses, the other does
    not confirm. The mean of 400 losses is within the error of that mean."""
    taken = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0]
    estimates = [drawn((0.0,) * 6, 100.0, 50, seed) for seed in range(400)]
    lucky = np.array([max(worth.evs) - worth.evs[0] for worth in estimates])
    losses, errors = np.array([worth.lost_to_best(taken, range(6)) for worth in estimates]).T
    assert lucky.mean() > 14.0  # 1.27 standard errors of 100 / √50
    assert abs(losses.mean()) < SIGMAS * losses.std() / np.sqrt(400)
    assert (errors > 0.0).all()
    assert (losses > 2.0 * errors).mean() < 0.1


def test_a_loss_beyond_doubt_is_the_difference_of_the_means() -> None:
    worth = drawn((0.0, 500.0, 100.0), 100.0, 50, 1)
    lost, error = worth.lost_to_best([1.0, 0.0, 0.0], range(3))
    assert lost == pytest.approx(worth.evs[1] - worth.evs[0])  # both halves choose the second
    assert error == pytest.approx(100.0 * np.sqrt(2 / 50), rel=0.3)
    lost, error = worth.lost_to_best([0.0, 1.0, 0.0], range(3))
    assert lost == 0.0
    assert error > 0.0, "of what it is ahead"
    assert worth.lost_to_best([1.0, 0.0, 0.0], [0, 2])[0] == pytest.approx(worth.evs[2] - worth.evs[0])
