"""Which tree is solved: the largest that fits by the measured cost, and nothing timed in here."""

import pytest

from holdem.errors import ConfigError
from holdem.game.actions import Action
from holdem.game.agent import public_state
from holdem.game.game import Game
from holdem.realtime.search.budget import (
    LATER,
    SAFETY,
    SHORT,
    choose_multiway_tree,
    choose_vector_tree,
    grouping_for,
    rivers_to_draw,
)
from holdem.realtime.search.cost import CostModel, count_entries, hands_in
from holdem.realtime.search.ranges import SeatRanges
from holdem.realtime.search.request import Depth, SolveRequest
from holdem.realtime.search.street_tree import GROUPED_MENUS, MENUS, street_tree
from holdem.realtime.vector.root import SubgameRoot
from holdem.realtime.vector.search import VectorSearch
from tests.realtime.blueprints import CALL, game_config, state_after

TO_TURN = [Action.raise_to(300), CALL, CALL, CALL]
TO_RIVER = [*TO_TURN, CALL, CALL]


def root_after(actions: list[Action]) -> tuple[SubgameRoot, SeatRanges]:
    state = state_after(actions)
    return SubgameRoot.of(state), SeatRanges.all_hands(2).after_board(state.board)


@pytest.mark.parametrize("menu", MENUS)
def test_a_tree_is_counted_before_it_is_built(menu: object) -> None:
    root, ranges = root_after([*TO_RIVER, Action.raise_to(137)])
    search = VectorSearch(SolveRequest(root.state, ranges.weights, menu, Depth.END))  # type: ignore[arg-type]
    counted = count_entries(root, hands_in(root, ranges), menu, Depth.END, None)  # type: ignore[arg-type]
    # The solver pads 1,081 hands to the width of its vectors, 1,088; trees of about the same stacks are counted once.
    assert counted == pytest.approx(search.size, rel=0.02)


def test_a_turn_counts_its_river_cards() -> None:
    root, ranges = root_after(TO_TURN)
    menu = MENUS[-1]
    search = VectorSearch(SolveRequest(root.state, ranges.weights, menu, Depth.END, later=LATER))
    # Boards that suits make equal are solved once; this board leaves at most a few such pairs.
    assert search.size <= 1.02 * count_entries(root, hands_in(root, ranges), menu, Depth.END, LATER)
    assert search.size >= 0.5 * count_entries(root, hands_in(root, ranges), menu, Depth.END, LATER)


def test_a_larger_smallest_bet_is_counted_by_itself() -> None:
    """Pot 1,200, behind 2,400 in both; a third of the pot is 400, or 600 if that is the blind, with fewer raises."""
    counts = []
    for big_blind, first in ((100, Action.raise_to(600)), (600, CALL)):
        hand = Game(game_config().model_copy(update={"big_blind": big_blind})).new_hand(4)
        for action in [first, CALL, CALL, CALL, CALL, CALL]:
            hand.act(action)
        root = SubgameRoot.of(public_state(hand))
        assert (root.pot, root.effective_stack) == (1_200, 2_400)
        counts.append(count_entries(root, (1081, 1081), MENUS[0], Depth.END, None))
    assert counts[1] < counts[0]


def test_more_time_never_gives_a_smaller_tree_and_what_fits_fits() -> None:
    root, ranges = root_after(TO_RIVER)
    cost = CostModel()
    choices = [choose_vector_tree(root, ranges, cost, seconds, 100) for seconds in (0.001, 0.03, 0.08, 0.3, 3.0)]
    assert [choice.entries for choice in choices] == sorted(choice.entries for choice in choices)
    assert not choices[0].fits and choices[0].menu == MENUS[-1], "the smallest tree, though it does not fit"
    assert choices[-1].fits and choices[-1].menu == MENUS[0]
    for choice, seconds in zip(choices, (0.001, 0.03, 0.08, 0.3, 3.0), strict=True):
        assert choice.fits == (
            cost.seconds(choice.kind, choice.entries, choice.hands, 100) <= SAFETY[choice.depth] * seconds
        )


def test_a_slower_machine_gets_a_smaller_tree() -> None:
    root, ranges = root_after(TO_RIVER)
    quick, slow = CostModel(), CostModel()
    for _ in range(30):
        slow.learn(
            (Depth.END, 3, 2), entries=100_000, hands=2_000, iterations=100, timing=(0.01, 1.0, 0.01)
        )  # 100 ns a number
    assert slow.per_entry[Depth.END, 3, 2] == pytest.approx(1e-7, rel=0.01)
    choices = [choose_vector_tree(root, ranges, cost, 0.2, 100) for cost in (quick, slow)]
    assert choices[0].entries > choices[1].entries


def test_turns_have_exact_rivers_if_there_is_time_and_groups_if_not() -> None:
    root, ranges = root_after(TO_TURN)
    cost = CostModel()
    choice = choose_vector_tree(root, ranges, cost, 0.2, 100)
    assert choice.depth is Depth.GROUPS and choice.grouping is not None and choice.later == LATER
    hasty = choose_vector_tree(root, ranges, cost, 0.05, 100)
    assert hasty.depth is Depth.GROUPS and hasty.later == SHORT, "short later streets where nothing else fits"
    choice = choose_vector_tree(root, ranges, cost, 60.0, 100)
    assert choice.depth is Depth.END and choice.grouping is None and choice.later == LATER


def test_flops_have_exact_turns_if_there_is_time_and_groups_if_not() -> None:
    root, ranges = root_after([Action.raise_to(300), CALL])
    cost = CostModel()
    hasty = choose_vector_tree(root, ranges, cost, 0.08, 100)
    assert hasty.depth is Depth.GROUPS and hasty.grouping == grouping_for(Depth.GROUPS, rivers_to_draw(2_352, 0.08))
    patient = choose_vector_tree(root, ranges, cost, 60.0, 100)
    assert patient.depth is Depth.DRAWN and patient.grouping is not None and patient.grouping.rivers == 1


def test_more_rivers_are_drawn_for_few_hands_or_with_more_time() -> None:
    assert rivers_to_draw(2_352, 0.08) < rivers_to_draw(500, 0.08) <= rivers_to_draw(500, 1.0) == 48
    assert all(rivers_to_draw(hands, 0.08) % 2 == 0 for hands in range(100, 2_400, 77))


def test_an_iteration_costs_more_where_the_tree_is_larger() -> None:
    root, ranges = root_after(TO_TURN)
    for depth in (Depth.GROUPS, Depth.END):
        entries = [count_entries(root, hands_in(root, ranges), menu, depth, LATER) for menu in GROUPED_MENUS]
        assert entries[0] > entries[3] > entries[-1] > 0


def test_three_players_get_the_largest_tree_that_fits() -> None:
    state = state_after([CALL] * 9, num_players=3)
    ranges = SeatRanges.all_hands(3).after_board(state.board)
    choices = [choose_multiway_tree(state, ranges, CostModel(), seconds, 100) for seconds in (0.001, 0.1, 30.0)]
    assert [choice.entries for choice in choices] == sorted(choice.entries for choice in choices)
    assert choices[0].menu == MENUS[-1] and not choices[0].fits
    assert choices[-1].menu == MENUS[0] and choices[-1].fits


def test_costs_of_several_players_are_kept_by_street_and_players() -> None:
    """A slow flop of four says nothing about the flop of three, nor about a turn."""
    ranges = {n: SeatRanges.all_hands(n) for n in (3, 4)}
    flops = {n: state_after([CALL] * n, num_players=n) for n in (3, 4)}
    cost = CostModel()
    before = {n: choose_multiway_tree(flops[n], ranges[n], cost, 0.2, 100) for n in (3, 4)}
    assert [before[n].kind for n in (3, 4)] == [(Depth.SAMPLED, 1, 3), (Depth.SAMPLED, 1, 4)]
    cost.learn(before[4].kind, before[4].entries, before[4].hands, 100, (0.01, 5.0, 0.01), rate=1.0)
    assert choose_multiway_tree(flops[4], ranges[4], cost, 0.2, 100).menu == MENUS[-1]
    assert choose_multiway_tree(flops[3], ranges[3], cost, 0.2, 100) == before[3]


def test_a_river_of_three_is_exact_and_one_of_four_is_sampled() -> None:
    for players, depth in ((3, Depth.THREE), (4, Depth.SAMPLED)):
        state = state_after([CALL] * 3 * players, num_players=players)
        ranges = SeatRanges.all_hands(players).after_board(state.board)
        assert choose_multiway_tree(state, ranges, CostModel(), 0.08, 100).kind == (depth, 3, players)


def test_eighty_milliseconds_are_enough_for_two_sizes_and_a_raise() -> None:
    """At the costs of a 2-core server, on every street of three players with all hands."""
    for street in (1, 2, 3):
        state = state_after([CALL] * 3 * street, num_players=3)
        ranges = SeatRanges.all_hands(3).after_board(state.board)
        choice = choose_multiway_tree(state, ranges, CostModel(), 0.08, 100)
        assert choice.fits and MENUS.index(choice.menu) <= 4


def test_a_tree_that_is_too_large_to_be_built_does_not_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    state = state_after([CALL] * 9, num_players=3)
    ranges = SeatRanges.all_hands(3).after_board(state.board)
    sizes = [street_tree(state, menu).tree.num_nodes for menu in MENUS]
    monkeypatch.setattr("holdem.realtime.search.street_tree.MOST_NODES", max(sizes) - 1)
    choice = choose_multiway_tree(state, ranges, CostModel(), 1e6, 1)
    assert choice.fits
    assert choice.hands == max(size for size in sizes if size < max(sizes)), "nodes"
    monkeypatch.setattr("holdem.realtime.search.street_tree.MOST_NODES", min(sizes) - 1)
    with pytest.raises(ConfigError, match="more than"):
        choose_multiway_tree(state, ranges, CostModel(), 1e6, 1)
