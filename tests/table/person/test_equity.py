"""The equity of the own hand: sampled deals against exact figures, by hand ranges and against several players."""

from itertools import combinations
from typing import cast

import numpy as np
import numpy.typing as npt
import pytest

from holdem.cards import evaluate
from holdem.cards.cards import format_cards, hole_index
from holdem.cards.equity import equity
from holdem.cards.ranges import Range
from holdem.game.actions import Action
from holdem.game.agent import Observation, PublicState, observe
from holdem.game.deal import deck_of
from holdem.game.game import Game
from holdem.game.hand import Hand
from holdem.game.presets import load_preset
from holdem.table.advice.beliefs import ranges_by_position
from holdem.table.person.equity import ANY_HANDS, BY_BETTING, OwnEquity, own_equity
from holdem.table.person.person import Person, PersonSide
from tests.table.policies import random_blueprint

DEALS = 40_000
ERRORS = 4.5
"""Standard errors that a correct figure may be away: one in 150,000 figures is further off."""


def at_street(game: str, street: int, seed: int) -> tuple[Hand, Observation]:
    hand = Game(load_preset(game)).new_hand(seed)
    while hand.street < street:
        hand.check_or_call()
    return hand, observe(hand)


@pytest.mark.parametrize("street", [0, 1, 2, 3])
@pytest.mark.parametrize("seed", [1, 2])
def test_against_any_hand(street: int, seed: int) -> None:
    _, seen = at_street("headsup_100bb", street, seed)
    found = own_equity(seen, None, DEALS)
    exact = equity(seen.hole_cards, "random", format_cards(seen.board))
    assert found.against == ANY_HANDS
    assert abs(found.share - exact.equity) <= ERRORS * found.standard_error
    assert found.standard_error < 0.01


@pytest.mark.parametrize(
    ("ranks", "board_cards", "street"),
    [("TJQKA", (0, 3), 0), ("TJQKA", (0, 3), 1), ("TJQKA", (0, 3, 4), 1), ("9TJQKA", (0, 3, 4, 5), 1)],
)
def test_a_short_deck_or_board(ranks: str, board_cards: tuple[int, ...], street: int) -> None:
    """Against every hand on every board that this deck can still give."""
    config = load_preset("short_rank").model_copy(update={"ranks": ranks, "board_cards": board_cards})
    hand = Game(config).new_hand(seed=2)
    while hand.street < street:
        hand.check_or_call()
    seen = observe(hand)
    rest = {*deck_of(ranks)} - {*seen.hole_cards, *seen.board}
    shares = []
    for more in combinations(rest, board_cards[-1] - len(seen.board)):
        board = (*seen.board, *more)
        ours = evaluate((*seen.hole_cards, *board))
        for pair in combinations(rest.difference(more), 2):
            theirs = evaluate((*pair, *board))
            shares.append((ours > theirs) + (ours == theirs) / 2)
    found = own_equity(seen, None, DEALS)
    assert abs(found.share - sum(shares) / len(shares)) <= ERRORS * found.standard_error


@pytest.mark.parametrize("street", [1, 2, 3])
def test_against_what_the_betting_leaves(street: int) -> None:
    blueprint = random_blueprint()
    _, seen = at_street("headsup_100bb", street, 3)
    found = own_equity(seen, blueprint, DEALS, seconds=60.0)
    weights = ranges_by_position(blueprint, seen.public()).weights[1 - seen.position]
    exact = equity(seen.hole_cards, Range(weights), format_cards(seen.board))
    assert found.against == BY_BETTING
    assert abs(found.share - exact.equity) <= ERRORS * found.standard_error


def test_the_shares_of_all_players_add_up() -> None:
    """Over many deals, a sixth for each of six."""
    shares = [own_equity(at_street("sixmax_100bb", 0, seed)[1], None, 4_000).share for seed in range(60)]
    assert sum(shares) / len(shares) == pytest.approx(1 / 6, abs=4 * 0.06 / 60**0.5)  # hands differ by 0.06


def test_a_blueprint_that_takes_too_long_is_not_waited_for() -> None:
    _, seen = at_street("headsup_100bb", 3, 1)
    assert own_equity(seen, random_blueprint(), 1_000, seconds=-1.0).against == ANY_HANDS


def test_others_who_cannot_hold_their_hands_at_once_may_hold_any() -> None:
    """Two whose only hand, by the betting, is the same pair: no deal fits, and no figure is made of none."""

    class Certain:
        name = "aces alone"

        def act(self, observation: Observation) -> Action:
            raise NotImplementedError

        def range_policy(self, state: PublicState) -> tuple[list[Action], npt.NDArray[np.float64]]:
            rows = np.tile([1.0, 0.0], (1326, 1))
            rows[hole_index(48, 49)] = [0.0, 1.0]
            return [Action.fold(), Action.check_or_call()], rows

    hand = Game(load_preset("threemax_100bb")).new_hand(3)
    hand.act(Action.check_or_call())
    hand.act(Action.check_or_call())
    found = own_equity(observe(hand, 1, 2), Certain(), 1_000, seconds=60.0)
    assert found.against == ANY_HANDS
    assert 0.0 < found.share < 1.0


class Asking:
    """A side of the table that asks for the equity once and calls then."""

    def __init__(self) -> None:
        self.lines, self.told, self.found = ["e", "c"], list[str](), list[OwnEquity]()

    def read(self) -> str:
        return self.lines.pop(0)

    def turn(self, observation: Observation) -> None:
        pass

    def tell(self, sentence: str) -> None:
        self.told.append(sentence)

    def show_equity(self, found: OwnEquity) -> None:
        self.found.append(found)


def test_an_equity_that_cannot_be_found_leaves_the_question_open() -> None:
    """The policy may be gone by now: the person acts all the same, and nobody for them."""

    def gone() -> None:
        raise FileNotFoundError("avg_policy.json")

    _, seen = at_street("headsup_100bb", 1, 1)
    for open_blueprint, told in ((gone, 1), (lambda: None, 0)):
        side = Asking()
        assert Person(cast(PersonSide, side), None, open_blueprint).act(seen) == Action.check_or_call()
        assert (len(side.told), len(side.found)) == (told, 1 - told)
