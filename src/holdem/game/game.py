"""A game is its rules; it deals hands."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from holdem.cards.cards import Cards, check_distinct, parse_cards
from holdem.errors import ConfigError
from holdem.game.deal import shuffled_deal
from holdem.game.hand import Hand
from holdem.game.presets import load_game
from holdem.types import GameConfig
from holdem.util.rng import stream

CardsLike = str | Sequence[int]


class Game:
    """The rules of one game, and the way to begin a hand of it."""

    def __init__(self, config: GameConfig) -> None:
        if config.variant != "holdem":
            raise ConfigError(f"{config.name} is {config.variant}, not hold'em; play it with holdem.game.toy_games")
        self.config = config

    @classmethod
    def from_preset(cls, name_or_path: str | Path) -> "Game":
        """A game by the name of its preset, or from a YAML file."""
        return cls(load_game(name_or_path))

    def new_hand(
        self,
        seed: int | np.random.Generator | None = None,
        *,
        button: int | None = None,
        stacks: Sequence[int] | None = None,
        hole_cards: Sequence[CardsLike | None] | None = None,
        board: CardsLike | None = None,
        show_all: bool = False,
    ) -> Hand:
        """Begin a hand: `stacks` and `hole_cards` by seat, the button at the last seat unless told.

        With a seed (or a generator), cards that are not given are dealt from a shuffled deck. Without one,
        cards that are not given are unknown and the hand waits to be told; if none are given at all, the deal
        is random.
        """
        config = self.config
        seat = config.num_players - 1 if button is None else button
        if not 0 <= seat < config.num_players:
            raise ConfigError(f"button {button} is not a seat; seats are 0 to {config.num_players - 1}")
        given = [None] * config.num_players if hole_cards is None else hole_cards
        pairs = [None if cards is None else _cards(cards) for cards in given]
        known_board = () if board is None else _cards(board)
        if seed is None and hole_cards is None and board is None:
            seed = np.random.default_rng()
        if seed is not None:
            generator = seed if isinstance(seed, np.random.Generator) else stream(seed, "deal")
            pairs, known_board = shuffled_deal(config, generator, seat, pairs, known_board)
        return Hand(config, pairs, known_board, button=seat, stacks=stacks, show_all=show_all)


def _cards(cards: CardsLike) -> Cards:
    return parse_cards(cards) if isinstance(cards, str) else check_distinct(cards)
