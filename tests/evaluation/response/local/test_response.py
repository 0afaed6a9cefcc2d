"""Local best response: published figures, brute force over every hand and board, and luck whose mean is nothing."""

from functools import partial
from itertools import combinations

import numpy as np
import numpy.typing as npt
import pytest

from holdem.cards import Range, equity, evaluate, hole_index, parse_cards
from holdem.cards.cards import HOLE_CARDS, NUM_HOLE_PAIRS, Cards
from holdem.cards.ranges import CLASS_OF_HOLE
from holdem.errors import ConfigError
from holdem.evaluation.response.local.actions import WIDE_SIZES, Menus, parse_menus, raises_of
from holdem.evaluation.response.local.luck import without_luck
from holdem.evaluation.response.local.match import play_matches, summarise
from holdem.evaluation.response.local.response import LocalBestResponse, hand_chances
from holdem.game.actions import Action
from holdem.game.agent import Observation, PublicState, public_state
from holdem.game.game import Game
from holdem.game.hand import Hand
from holdem.game.presets import load_preset

GAME = Game.from_preset("headsup_100bb")
FROM_THE_TURN = parse_menus("fcpa", "turn,river")

FloatArray = npt.NDArray[np.float64]


class Constant:
    """Does the same with every hand: folds to any bet, or never folds."""

    def __init__(self, folds: bool) -> None:
        self.name, self.folds = "always fold" if folds else "always call", folds

    def act(self, observation: Observation) -> Action:
        return self.range_policy(observation)[0][0]

    def range_policy(self, public_state: PublicState) -> tuple[list[Action], FloatArray]:
        folds = self.folds and public_state.legal.can_fold
        return [Action.fold() if folds else Action.check_or_call()], np.ones((NUM_HOLE_PAIRS, 1))


class ByClass:
    """Folds, calls and raises with probabilities that depend on the hand's class and the street."""

    name = "by class"

    def act(self, observation: Observation) -> Action:
        raise AssertionError("its strategy says what it does")

    def range_policy(self, public_state: PublicState) -> tuple[list[Action], FloatArray]:
        legal = public_state.legal
        quality = ((CLASS_OF_HOLE.astype(np.int64) * (37 + public_state.street)) % 169) / 168.0
        actions, columns = [Action.check_or_call()], [0.3 + 0.7 * quality]
        if legal.can_fold:
            actions.append(Action.fold())
            columns.append(1.0 - quality)
        if legal.min_raise_to is not None:
            actions.append(Action.raise_to(legal.min_raise_to))
            columns.append(0.3 * quality**2)
        table = np.stack(columns, axis=1)
        return actions, table / table.sum(axis=1, keepdims=True)


def wins(hole: Cards, other: Cards, board: Cards) -> float:
    """The plain twin of the kernel: every completion of the board."""
    rest = [card for card in range(52) if card not in {*hole, *other, *board}]
    points = [
        (mine > theirs) + (mine == theirs) / 2
        for runout in combinations(rest, 5 - len(board))
        for mine, theirs in [(evaluate((*hole, *board, *runout)), evaluate((*other, *board, *runout)))]
    ]
    return sum(points) / len(points)


@pytest.mark.parametrize("board", ["Ks7d2c", "AhQhJh", "Ks7d2c5h", "9h9s9d9c", "Ks7d2c5h9s", "2h3h4h5h6h"])
@pytest.mark.parametrize("hole", ["AdKc", "3c3d"])
def test_chances_are_those_of_every_board(hole: str, board: str) -> None:
    mine, cards = parse_cards(hole), parse_cards(board)
    chances = hand_chances(mine, cards)
    for other in ("QcQs", "8c7c", "JdTd", "KhKd", "2d2s"):
        theirs = parse_cards(other)
        if {*mine, *cards}.isdisjoint(theirs):
            assert chances[hole_index(*theirs)] == pytest.approx(wins(mine, theirs, cards), abs=1e-12)
    free = ~np.isin(HOLE_CARDS, [*mine, *cards]).any(axis=1)
    assert (chances[~free] == 0).all()
    assert chances[free].mean() == pytest.approx(equity(hole, "random", cards).equity, abs=1e-12)


def test_chances_before_the_flop_are_exact_against_ranges_that_treat_suits_alike() -> None:
    mine = parse_cards("AsKs")
    weights = Range.parse("QQ, AQs").without(mine).weights
    exact = equity("AsKs", "QQ, AQs").equity
    assert hand_chances(mine, ()) @ weights / weights.sum() == pytest.approx(exact, abs=1e-12)


def to_street(hand: Hand, street: int) -> Hand:
    while hand.street < street:
        hand.check_or_call()
    return hand


def deal(mine: str, theirs: str, board: str) -> Hand:
    """LBR in the big blind (seat 0), the opponent on the button."""
    return GAME.new_hand(hole_cards=[mine, theirs], board=board, button=1)


def test_always_folding_loses_750_as_published() -> None:
    """Lisý and Bowling 2017: half of a big blind in one position, a whole one in the other, whatever the cards."""
    for menus in (FROM_THE_TURN, parse_menus("wide", "river"), parse_menus("fcpa", "all")):
        chips = play_matches(partial(Constant, True), GAME.config, menus, 20)
        result = summarise(chips, "fold", GAME.config, menus, 0)
        assert result.won.ci95 == [750.0, 750.0]
        assert result.as_dealt.ci95 == [750.0, 750.0]
        assert (result.in_big_blind.mbb_per_hand, result.on_button.mbb_per_hand) == (500.0, 1000.0)
        assert result.hands == 40


def test_without_bets_it_loses_250_as_published() -> None:
    """Moravčík et al. 2017 (DeepStack), table of LBR results: fold and call only, on every street: 250 ± 0."""
    menus = parse_menus("fc", "all")
    chips = play_matches(partial(Constant, True), GAME.config, menus, 60)
    result = summarise(chips, "fold", GAME.config, menus, 0)
    assert result.won.ci95 == pytest.approx([250.0, 250.0], abs=1e-6)
    assert result.as_dealt.interval > 1.0


def test_values_against_somebody_who_never_folds() -> None:
    """A bet is worth stake × (2 share − 1): by brute force over the opponent's hands."""
    board = parse_cards("Ks7d2c5h9s")
    hand = to_street(deal("AhKd", "QcQs", "Ks7d2c5h9s"), 3)
    response = LocalBestResponse(Constant(False), parse_menus("fcpa", "all"), 0, parse_cards("AhKd"))
    others = [pair for pair in combinations(range(52), 2) if {*board, *parse_cards("AhKd")}.isdisjoint(pair)]
    share = sum(wins(parse_cards("AhKd"), pair, board) for pair in others) / len(others)
    values = {option.action: option.value for option in response.options(hand)}
    edge = 2 * share - 1
    # The pot has a big blind from each; a bet of the pot makes it three from each.
    stakes = {Action.check_or_call(): 100, Action.raise_to(200): 300, Action.raise_to(9900): 10_000}
    assert values == {action: pytest.approx(stake * edge, abs=1e-9) for action, stake in stakes.items()}
    assert response.choose(hand) == Action.raise_to(9900)


def test_values_against_a_range_that_folds_in_part() -> None:
    """On the turn, after the opponent checked: Bayes, fold chances and calls, all by brute force over hands."""
    opponent = ByClass()
    hand = to_street(GAME.new_hand(hole_cards=["QcQs", "AhKd"], board="Ks7d2c5h9s", button=1), 2)
    seat, mine, board = 1, parse_cards("AhKd"), parse_cards("Ks7d2c5h")
    response = LocalBestResponse(opponent, FROM_THE_TURN, seat, mine)
    actions, before = opponent.range_policy(public_state(hand))
    response.saw(before[:, actions.index(Action.check_or_call())])
    hand.check_or_call()

    tried = hand.copy()
    tried.act(Action.raise_to(200))
    answers, table = opponent.range_policy(public_state(tried))
    folds = table[:, answers.index(Action.fold())]
    weight = folding = called = check = total = 0.0
    for pair in list(combinations(range(52), 2))[::9]:
        if {*mine, *board}.isdisjoint(pair):
            number = hole_index(*pair)
            share = wins(mine, pair, board)
            weight = before[number, 0]
            total += weight
            folding += weight * folds[number]
            called += weight * (1 - folds[number]) * (2 * share - 1) * 300
            check += weight * (2 * share - 1) * 100
    # The brute force takes every ninth hand: so does the range.
    chosen = np.zeros(NUM_HOLE_PAIRS)
    chosen[[hole_index(*pair) for pair in list(combinations(range(52), 2))[::9]]] = 1.0
    response.saw(chosen)
    options = {option.action: option.value for option in response.options(hand)}
    assert options[Action.check_or_call()] == pytest.approx(check / total, abs=1e-9)
    assert options[Action.raise_to(200)] == pytest.approx((100 * folding + called) / total, abs=1e-9)


def test_a_fold_costs_what_is_in_and_a_short_call_wins_no_more_than_it_covers() -> None:
    hand = GAME.new_hand(hole_cards=["7h2d", "AsAd"], board="AhKdQs9c3s", button=1, stacks=[2_000, 10_000])
    hand.bet_or_raise_to(10_000)
    response = LocalBestResponse(Constant(False), parse_menus("fcpa", "all"), 0, parse_cards("7h2d"))
    values = {option.action: option.value for option in response.options(hand)}
    # Published: the worst hand wins 34.58 % against a random one, given to half a hundredth of a point.
    call = pytest.approx(2_000 * (2 * 0.3458 - 1), abs=2_000 * 2 * 0.00005)
    assert values == {Action.fold(): -100.0, Action.check_or_call(): call}


def test_the_mean_of_luck_is_nothing_and_taking_it_out_saves_hands() -> None:
    deals = 400
    chips = play_matches(ByClass, GAME.config, FROM_THE_TURN, deals, seed=5)
    for position in (0, 1):
        luck = chips[:, position, 2:]
        errors = luck.std(axis=0, ddof=1) / np.sqrt(deals)
        assert (np.abs(luck.mean(axis=0)) < 4 * errors).all()  # one in 16,000 by chance, for each of six
    result = summarise(chips, "by class", GAME.config, FROM_THE_TURN, 5)
    difference = summarise_difference(chips)
    assert abs(difference.mean()) < 4 * difference.std(ddof=1) / np.sqrt(deals)
    assert result.variance_factor is not None and result.variance_factor > 3.0
    assert result.won.interval < result.as_dealt.interval


def summarise_difference(chips: FloatArray) -> FloatArray:
    """By deal: with luck minus without."""
    steady = [without_luck(chips[:, seat, 0], chips[:, seat, 2:]) for seat in (0, 1)]
    difference: FloatArray = chips[:, :, 1].mean(axis=1) - (steady[0] + steady[1]) / 2
    return difference


def test_luck_is_fitted_to_the_other_half() -> None:
    generator = np.random.default_rng(1)
    luck = generator.normal(size=(1000, 2))
    results = 7.0 + luck @ [2.0, -1.0]
    assert without_luck(results, luck) == pytest.approx(7.0)
    assert without_luck(np.full(10, 3.0), luck[:10]) == pytest.approx(3.0)
    assert without_luck(np.array([4.0]), luck[:1]) == pytest.approx(4.0)


def test_workers_do_not_change_the_result() -> None:
    one = play_matches(ByClass, GAME.config, FROM_THE_TURN, 6, seed=3)
    two = play_matches(ByClass, GAME.config, FROM_THE_TURN, 6, seed=3, num_workers=2)
    assert np.array_equal(one, two)
    assert not np.array_equal(one, play_matches(ByClass, GAME.config, FROM_THE_TURN, 6, seed=4))


def test_later_deals_are_the_same_if_the_first_were_played_another_time() -> None:
    whole = play_matches(ByClass, GAME.config, FROM_THE_TURN, 7, seed=3)
    pieces: dict[int, FloatArray] = {}
    rest = play_matches(ByClass, GAME.config, FROM_THE_TURN, 7, seed=3, first=3, keep=pieces.__setitem__)
    assert np.array_equal(rest, whole[3:])
    assert min(pieces) == 3
    assert np.array_equal(np.concatenate([pieces[start] for start in sorted(pieces)]), rest)


def test_a_stop_leaves_whole_deals() -> None:
    heard: list[int] = []
    chips = play_matches(
        ByClass, GAME.config, FROM_THE_TURN, 1000, progress=heard.append, stopped=lambda: sum(heard) >= 6
    )
    assert 3 <= len(chips) < 1000
    assert 2 * len(chips) == sum(heard)
    assert not np.isnan(chips).any()


class ByAmount(ByClass):
    """Folds a share of each class that also depends on the price, in no order: each bet has a value of its own."""

    def __init__(self) -> None:
        self.asked: list[int] = []

    def range_policy(self, public_state: PublicState) -> tuple[list[Action], FloatArray]:
        actions, table = super().range_policy(public_state)
        self.asked.append(price := max(public_state.street_bets))
        if Action.fold() in actions:
            shares = np.random.default_rng(price).random(169)[CLASS_OF_HOLE]
            table[:, actions.index(Action.fold())] *= 8.0 * shares**3
        return actions, table / table.sum(axis=1, keepdims=True)


def played_to_lbr(seed: int, seat: int, opponent: ByAmount, menus: Menus) -> tuple[LocalBestResponse, Hand] | None:
    """A hand of random calls and raises, broken off at a random decision of LBR; None if it was over before."""
    generator = np.random.default_rng(seed)
    hand = GAME.new_hand(seed)
    hole = hand.hole_cards[seat]
    assert hole is not None
    response = LocalBestResponse(opponent, menus, seat, hole)
    while hand.actor is not None:
        if hand.actor == seat and hand.street and generator.random() < 0.4:
            return response, hand
        actions, table = opponent.range_policy(public_state(hand))
        place = int(generator.choice([place for place, action in enumerate(actions) if action != Action.fold()]))
        if hand.actor != seat:
            response.saw(table[:, place])
        hand.act(actions[place])
    return None


@pytest.mark.parametrize("menu", ["fc", "fcpa", "eight", "wide"])
def test_bets_that_are_not_asked_about_could_not_have_been_chosen(menu: str) -> None:
    """The same option with the same value, bit for bit, as asking about all of them."""
    opponent, menus = ByAmount(), parse_menus(menu, "all")
    reached = asked = in_all = 0
    for seed in range(80):
        spot = played_to_lbr(seed, seed % 2, opponent, menus)
        if spot is None:
            continue
        response, hand = spot
        reached += 1
        opponent.asked.clear()
        best = response.best_option(hand)
        once = list(opponent.asked)
        assert len(set(once)) == len(once), "no amount is asked about twice"
        assert best == max(response.options(hand), key=lambda option: option.value)
        asked, in_all = asked + len(once), in_all + len(opponent.asked) - len(once)
    assert reached > 40
    assert asked == in_all == 0 if menu == "fc" else 0 < asked < in_all


def test_whole_matches_are_the_same_whether_all_bets_are_asked_about(monkeypatch: pytest.MonkeyPatch) -> None:
    menus = parse_menus("c,c,fcpa,wide", "all")
    pruned = play_matches(ByAmount, GAME.config, menus, 20, seed=9)
    monkeypatch.setattr(
        LocalBestResponse, "best_option", lambda self, hand: max(self.options(hand), key=lambda option: option.value)
    )
    assert np.array_equal(pruned, play_matches(ByAmount, GAME.config, menus, 20, seed=9))


def test_against_somebody_who_never_folds_one_answer_tells_that_the_best_hand_is_all_in() -> None:
    """All-in is worth its most, all chips, so smaller bets are worth less whatever the opponent does."""
    asked: list[tuple[int, ...]] = []

    class Watched(Constant):
        def range_policy(self, public_state: PublicState) -> tuple[list[Action], FloatArray]:
            asked.append(public_state.street_bets)
            return super().range_policy(public_state)

    hand = to_street(deal("AsKs", "2c2d", "QsJsTs2h3h"), 3)
    response = LocalBestResponse(Watched(False), parse_menus("wide", "all"), 0, parse_cards("AsKs"))
    assert response.choose(hand) == Action.raise_to(9900)
    assert asked == [(9900, 0)]


def test_menus() -> None:
    assert parse_menus("fcpa", "turn,river") == ("c", "c", "fcpa", "fcpa")
    assert parse_menus("wide", "all") == ("wide",) * 4
    assert parse_menus("C, c, fc, FCPA", "all") == ("c", "c", "fc", "fcpa")
    hand = to_street(deal("AhKd", "QcQs", "Ks7d2c5h9s"), 2)
    assert raises_of("c", hand) == raises_of("fc", hand) == []
    assert raises_of("fcpa", hand) == [Action.raise_to(200), Action.raise_to(9900)]
    wide = [action.amount for action in raises_of("wide", hand)]
    assert (len(wide), wide[0], wide[-1]) == (WIDE_SIZES, 100, 9900)
    assert all(hand.can_bet_or_raise_to(amount) for amount in wide)
    hand.bet_or_raise_to(9900)
    assert raises_of("wide", hand) == raises_of("eight", hand) == []


def test_eight_sizes_are_shares_of_the_pot_after_a_call() -> None:
    """A quarter of 200 is less than the smallest bet; facing 300 in a pot of 500, a pot is 300 + 800."""
    hand = to_street(deal("AhKd", "QcQs", "Ks7d2c5h9s"), 2)
    assert [action.amount for action in raises_of("eight", hand)] == [100, 150, 200, 300, 400, 600, 9900]
    hand.bet_or_raise_to(300)
    assert [action.amount for action in raises_of("eight", hand)] == [600, 700, 900, 1100, 1500, 1900, 2700, 9900]
    assert set(raises_of("fcpa", hand)) < set(raises_of("eight", hand))


@pytest.mark.parametrize(
    ("actions", "streets", "said"),
    [
        ("fcp", "all", "'fcp' is not a set of actions"),
        ("fc,fc", "all", "2 sets of actions"),
        ("fcpa", "turn,rivr", "'rivr' is not a street"),
    ],
)
def test_mistakes_in_menus_are_one_sentence(actions: str, streets: str, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        parse_menus(actions, streets)


def test_other_games_are_refused() -> None:
    with pytest.raises(ConfigError, match="heads-up"):
        play_matches(ByClass, load_preset("sixmax_100bb"), FROM_THE_TURN, 1)
