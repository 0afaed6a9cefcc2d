"""Which cards a hand is played with: the deck of a game, checks, and a shuffled deal.

A shuffle deals by position, not by seat: the same seed gives the same cards to the button wherever it is.
"""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from holdem.cards.cards import RANKS, Cards, check_distinct, format_card, make_card
from holdem.errors import CardError
from holdem.types import GameConfig

HoleCards = Sequence[Cards | None]


@lru_cache(maxsize=16)
def deck_of(ranks: str) -> Cards:
    """The cards of a deck with these ranks and four suits."""
    return tuple(make_card(RANKS.index(rank), suit) for rank in ranks for suit in range(4))


def check_deal(config: GameConfig, hole_cards: HoleCards, board: Cards) -> None:
    """CardError if these cards cannot be dealt in this game."""
    if len(hole_cards) != config.num_players:
        raise CardError(f"hole cards for {len(hole_cards)} seats of {config.num_players}; give a pair or None for each")
    for seat, cards in enumerate(hole_cards):
        if cards is not None and len(cards) != 2:
            raise CardError(f"seat {seat} has {len(cards)} hole cards; give two, or None if they are unknown")
    if len(board) > config.board_cards[-1]:
        raise CardError(f"a board of {len(board)} cards is too long; this game has {config.board_cards[-1]}")
    known = check_distinct([*board, *(card for cards in hole_cards if cards for card in cards)])
    foreign = set(known).difference(deck_of(config.ranks))
    if foreign:
        raise CardError(f"{format_card(min(foreign))} is not in this deck; its ranks are {config.ranks}")


def shuffled_deal(
    config: GameConfig, generator: np.random.Generator, button: int, hole_cards: HoleCards, board: Cards
) -> tuple[list[Cards | None], Cards]:
    """Deal from a shuffled deck what is not given: hole cards by seat and the whole board."""
    given = {card for cards in (*hole_cards, board) if cards for card in cards}
    if given:
        check_deal(config, hole_cards, board)
    deck = deck_of(config.ranks)
    shuffled = [deck[place] for place in generator.permutation(len(deck)).tolist()]
    rest = iter([card for card in shuffled if card not in given] if given else shuffled)
    dealt = list(hole_cards)
    count = config.num_players
    for position in range(count):
        seat = (button + 1 + position) % count
        if dealt[seat] is None:
            dealt[seat] = (next(rest), next(rest))
    missing = config.board_cards[-1] - len(board)
    return dealt, board + tuple(next(rest) for _ in range(missing))
