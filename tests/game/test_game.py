"""How a hand begins."""

import numpy as np
import pytest

from holdem.cards import parse_cards
from holdem.game import Game, GameConfig


def test_a_seed_fills_in_what_is_not_given() -> None:
    hand = Game(GameConfig(num_players=3)).new_hand(5, hole_cards=["AhAd", None, None], board="2c3c4c")
    assert hand.hole_cards[0] == parse_cards("AhAd")
    cards = [card for pair in hand.hole_cards if pair for card in pair]
    assert len(set(cards)) == 6
    assert not set(cards) & set(parse_cards("2c3c4c"))


def test_a_generator_deals_on() -> None:
    game = Game(GameConfig())
    generator = np.random.default_rng(1)
    first, second = game.new_hand(generator), game.new_hand(generator)
    assert first.hole_cards != second.hole_cards


def test_without_seed_or_cards_the_deal_is_random_and_complete() -> None:
    hand = Game(GameConfig()).new_hand()
    assert None not in hand.hole_cards
    while hand.actor is not None:
        hand.check_or_call()
    assert hand.is_over


def test_cards_without_a_seed_leave_the_rest_unknown() -> None:
    hand = Game(GameConfig()).new_hand(hole_cards=["AhAd", None])
    assert hand.hole_cards == [parse_cards("AhAd"), None]


@pytest.mark.parametrize("seats", range(2, 7))
def test_every_card_is_equally_likely_in_every_place(seats: int) -> None:
    """Hearts in the button's hand: 2 cards × 13/52 on average, standard error 0.6 / √2000; 5 of them."""
    game = Game(GameConfig(num_players=seats))
    hands = [game.new_hand(seed) for seed in range(2000)]
    hearts = [sum(card % 4 == 2 for card in hand.hole_cards[seats - 1] or ()) for hand in hands]
    assert abs(float(np.mean(hearts)) - 0.5) < 5 * 0.61 / np.sqrt(2000)
