"""Small games with known answers: Kuhn, Leduc and short-rank hold'em, behind one protocol.

Kuhn and Leduc are OpenSpiel's `kuhn_poker` and `leduc_poker`: the same deck, deals, action numbers and
information-state strings, so that any strategy of ours can be handed to OpenSpiel and back. Only cards are
here; betting comes from the same configuration and the same tree as hold'em.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb, prod
from typing import Protocol

from holdem.cards.cards import Cards, format_cards
from holdem.cards.evaluator import evaluate
from holdem.errors import ConfigError
from holdem.game.actions import Action, ActionKind
from holdem.game.deal import deck_of
from holdem.types import GameConfig


@dataclass(frozen=True)
class Deal:
    """The cards of one hand: a hole per position, the whole board, and how likely that is."""

    holes: tuple[Cards, ...]
    board: Cards
    probability: float


class ToyGame(Protocol):
    """The cards of a game. A hole and a board are tuples of card numbers of `deck`."""

    @property
    def config(self) -> GameConfig:
        """Players, stakes, streets and bet sizes."""

    @property
    def deck(self) -> Cards:
        """All cards, ascending."""

    @property
    def hole_size(self) -> int:
        """Private cards of each player."""

    def strength(self, hole: Cards, board: Cards) -> int:
        """Showdown order: larger is better, equal hands split."""

    def action_number(self, earlier: Sequence[Action], action: Action) -> int:
        """OpenSpiel's number of an action that follows `earlier` ones."""

    def information_state(self, position: int, hole: Cards, board: Cards, actions: Sequence[Action]) -> str:
        """What the player to act at `position` knows; `board` is what lies on the table now."""


@dataclass(frozen=True)
class Kuhn:
    """One card each out of one more than there are players; the highest wins."""

    config: GameConfig
    hole_size: int = 1

    @property
    def deck(self) -> Cards:
        return tuple(range(self.config.num_players + 1))

    def strength(self, hole: Cards, board: Cards) -> int:
        return hole[0]

    def action_number(self, earlier: Sequence[Action], action: Action) -> int:
        """0 passes (checks or folds), 1 bets (or calls)."""
        if action.kind is ActionKind.CHECK_OR_CALL:
            return int(any(before.kind is ActionKind.RAISE_TO for before in earlier))
        return int(action.kind is ActionKind.RAISE_TO)

    def information_state(self, position: int, hole: Cards, board: Cards, actions: Sequence[Action]) -> str:
        numbers = [self.action_number(actions[:i], action) for i, action in enumerate(actions)]
        return str(hole[0]) + "".join("pb"[number] for number in numbers)


@dataclass(frozen=True)
class Leduc:
    """One card each and one board card out of six; a pair with the board wins, then the higher rank."""

    config: GameConfig
    hole_size: int = 1

    @property
    def deck(self) -> Cards:
        return tuple(range(6))

    def strength(self, hole: Cards, board: Cards) -> int:
        rank = hole[0] // 2
        return 3 + rank if rank == board[0] // 2 else rank

    def action_number(self, earlier: Sequence[Action], action: Action) -> int:
        """0 folds, 1 checks or calls, 2 bets or raises."""
        return _NUMBERS[action.kind]

    def information_state(self, position: int, hole: Cards, board: Cards, actions: Sequence[Action]) -> str:
        rounds = _split_rounds(actions)
        chips_in = [self.config.ante, self.config.ante]
        for played in rounds:
            bets = [0, 0]
            for i, action in enumerate(played):
                bets[i % 2] = action.amount if action.kind is ActionKind.RAISE_TO else max(bets)
            chips_in = [chips + bet for chips, bet in zip(chips_in, bets, strict=True)]
        money = " ".join(str(stack - chips) for stack, chips in zip(self.config.starting_stacks, chips_in, strict=True))
        sequences = [" ".join(str(_NUMBERS[action.kind]) for action in played) for played in rounds]
        round_number = 2 if board else 1
        return (
            f"[Observer: {position}][Private: {hole[0]}][Round {round_number}][Player: {position}]"
            f"[Pot: {sum(chips_in)}][Money: {money}]"
            + (f"[Public: {board[0]}]" if board else "")
            + f"[Round1: {sequences[0]}][Round2: {sequences[1]}]"
        )


_NUMBERS = {ActionKind.FOLD: 0, ActionKind.CHECK_OR_CALL: 1, ActionKind.RAISE_TO: 2}


def _split_rounds(actions: Sequence[Action]) -> tuple[Sequence[Action], Sequence[Action]]:
    """The two rounds of a two-player game: a check or call that is not its first action ends one."""
    for i, action in enumerate(actions):
        if i > 0 and action.kind is ActionKind.CHECK_OR_CALL:
            return actions[: i + 1], actions[i + 1 :]
    return actions, ()


@dataclass(frozen=True)
class ShortRankHoldem:
    """Hold'em with fewer ranks, and fewer streets if the configuration says so; hands rank as in hold'em."""

    config: GameConfig
    hole_size: int = 2

    @property
    def deck(self) -> Cards:
        return deck_of(self.config.ranks)

    def strength(self, hole: Cards, board: Cards) -> int:
        return evaluate(hole + board)

    def action_number(self, earlier: Sequence[Action], action: Action) -> int:
        """0 folds, 1 checks or calls, a raise is its amount on the street."""
        return action.amount if action.kind is ActionKind.RAISE_TO else _NUMBERS[action.kind]

    def information_state(self, position: int, hole: Cards, board: Cards, actions: Sequence[Action]) -> str:
        words = [f"r{a.amount}" if a.kind is ActionKind.RAISE_TO else "fc"[_NUMBERS[a.kind]] for a in actions]
        return f"{position}:{format_cards(sorted(hole))}|{format_cards(sorted(board))}|{','.join(words)}"


def toy_game(config: GameConfig) -> ToyGame:
    """The cards that go with a configuration."""
    if config.variant == "kuhn":
        return Kuhn(config)
    if config.variant == "leduc":
        if config.num_players != 2:
            raise ConfigError(f"leduc with {config.num_players} players is not supported; set num_players: 2")
        return Leduc(config)
    return ShortRankHoldem(config)


def deals(game: ToyGame) -> Iterator[Deal]:
    """Every deal of a game, all equally likely."""
    probability = 1.0 / deal_count(game)
    sizes = [game.hole_size] * game.config.num_players + [game.config.board_cards[-1]]

    def parts(deck: Cards, sizes: Sequence[int]) -> Iterator[tuple[Cards, ...]]:
        if not sizes:
            yield ()
            return
        for part in combinations(deck, sizes[0]):
            rest = tuple(card for card in deck if card not in part)
            for others in parts(rest, sizes[1:]):
                yield (part, *others)

    for *holes, board in parts(game.deck, sizes):
        yield Deal(tuple(holes), board, probability)


def deal_count(game: ToyGame) -> int:
    """How many deals a game has."""
    left = len(game.deck)
    holes = prod(comb(left - game.hole_size * i, game.hole_size) for i in range(game.config.num_players))
    return holes * comb(left - game.hole_size * game.config.num_players, game.config.board_cards[-1])


def num_buckets(game: ToyGame, street: int) -> int:
    """Different private views of the cards on a street, suits told apart."""
    left = len(game.deck)
    return comb(left, game.hole_size) * comb(left - game.hole_size, game.config.board_cards[street])


def bucket_of(game: ToyGame, hole: Cards, board: Cards) -> int:
    """Lossless bucket of a hole and the board on the table, 0 up to `num_buckets` of that street."""
    rest = [card for card in game.deck if card not in hole]
    boards = comb(len(rest), len(board))
    return _subset_number(game.deck, hole) * boards + _subset_number(rest, board)


def _subset_number(cards: Sequence[int], subset: Cards) -> int:
    """Number of a subset among those of its size (colexicographic)."""
    places = sorted(cards.index(card) for card in subset)
    return sum(comb(place, i + 1) for i, place in enumerate(places))
