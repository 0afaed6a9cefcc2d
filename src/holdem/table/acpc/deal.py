"""The cards of a match: the same seed gives the same cards as the competition's own dealer.

That is the Mersenne Twister of Matsumoto and Nishimura, seeded with one number; each card is drawn by the next number
modulo the cards that are left, and the last card of the deck takes its place.
"""

import numpy as np

from holdem.cards.cards import Cards, make_card
from holdem.table.acpc.game_definition import GameDefinition


class MatchDeck:
    """Deals one hand after the other."""

    def __init__(self, game: GameDefinition, seed: int) -> None:
        self.game = game
        self._generator = np.random.MT19937()
        self._generator._legacy_seeding(seed % 2**32)  # the published `init_genrand`
        self._deck = [make_card(rank, suit) for suit in range(4) for rank in range(13 - game.num_ranks, 13)]

    def deal(self) -> tuple[tuple[Cards, ...], Cards]:
        """Hole cards by player, and the whole board."""
        deck = self._deck.copy()
        count = 2 * self.game.num_players + sum(self.game.board_cards)
        cards = []
        for number in self._generator.random_raw(count):
            place = int(number) % len(deck)
            cards.append(deck[place])
            deck[place] = deck[-1]
            deck.pop()
        hole_count = 2 * self.game.num_players
        hole_cards = tuple((cards[first], cards[first + 1]) for first in range(0, hole_count, 2))
        return hole_cards, tuple(cards[hole_count:])
