"""The text of the ACPC protocol, version 2.0.0, for no-limit games.

    MATCHSTATE:<position>:<hand number>:<betting>:<hole cards>|<hole cards>/<flop>/<turn>/<river>

A dealer sends one such line to every player after every event; whoever is to act sends the same line back with `:` and
an action behind it. The betting has `f`, `c` and `r<total>`, the rounds are separated by `/`, and totals count over the
whole hand. Cards that the player may not see are left out. Lines end in CR LF; those that begin with `#` or `;` are
comments.
"""

import re
from dataclasses import dataclass

from holdem.cards.cards import Cards, check_distinct, format_cards, parse_cards
from holdem.errors import CardError, HoldemError, IllegalAction
from holdem.table.acpc.game_definition import GameDefinition
from holdem.table.acpc.rules import CALL, FOLD, AcpcAction, AcpcBetting

VERSION = "VERSION:2.0.0"
MAX_LINE_BYTES = 4096
_STATE = re.compile(r"MATCHSTATE:(\d{1,3}):(\d{1,10}):([^:]*):([^:]*)")
_ACTIONS = re.compile(r"f|c|r\d{1,10}|/")
_LETTERS = {**dict.fromkeys("fF", "f"), **dict.fromkeys("cCkK", "c"), **dict.fromkeys("rRbB", "r")}


class StateError(HoldemError, ValueError):
    """A state message that cannot be understood; `betting` is there if that part of it could be."""

    def __init__(self, message: str, position: int | None = None, betting: AcpcBetting | None = None) -> None:
        super().__init__(message)
        self.position = position
        self.betting = betting


@dataclass(frozen=True)
class MatchState:
    """One state message: what one player sees of one hand."""

    position: int
    hand_number: int
    betting: AcpcBetting
    hole_cards: tuple[Cards, ...]
    """By player; empty where the cards are hidden."""
    board: Cards

    @property
    def is_turn(self) -> bool:
        """Whether the player who sees this is to act."""
        return not self.betting.finished and self.betting.current_player == self.position

    def text(self) -> str:
        """The message, without the end of the line."""
        head = f"MATCHSTATE:{self.position}:{self.hand_number}:{self.betting.betting()}"
        return f"{head}:{format_state_cards(self.betting, self.hole_cards, self.board)}"


def is_comment(line: str) -> bool:
    """Whether a line from the other side may be ignored."""
    return not line.strip() or line.startswith(("#", ";"))


def parse_state(line: str, game: GameDefinition) -> MatchState:
    """The state in a message, checked against the dealer's rules; StateError says what is wrong with it."""
    match = _STATE.fullmatch(line.rstrip())
    if match is None:
        raise StateError("the line is not MATCHSTATE:position:hand:betting:cards; check the other side's version")
    position = int(match[1])
    if position >= game.num_players:
        raise StateError(f"position {position} is not in a game of {game.num_players} players; check its definition")
    betting = parse_betting(match[3], game, position)
    hole_cards, board = _parse_cards(match[4], betting, position)
    return MatchState(position, int(match[2]), betting, hole_cards, board)


def parse_betting(text: str, game: GameDefinition, position: int | None = None) -> AcpcBetting:
    """The betting of a message, played from the start."""
    state = AcpcBetting(game)
    rest = text
    while rest:
        match = _ACTIONS.match(rest)
        if match is None:
            raise StateError(f"the betting {text!r} has {rest[:12]!r}, which is no action; use f, c, r9", position)
        rest = rest[match.end() :]
        if match[0] == "/":
            continue
        try:
            state.apply(AcpcAction(match[0][0], int(match[0][1:] or 0)))
        except IllegalAction as error:
            raise StateError(f"the betting {text!r} is not possible: {error}", position) from None
    if state.betting() != text:
        raise StateError(f"the betting {text!r} should be {state.betting()!r}: check its rounds", position)
    return state


def _parse_cards(text: str, betting: AcpcBetting, position: int) -> tuple[tuple[Cards, ...], Cards]:
    def refuse(reason: str) -> StateError:
        return StateError(f"the cards {text!r} {reason}; check the message", position, betting)

    game = betting.game
    hole_text, *board_texts = text.split("/")
    hole_texts = hole_text.split("|")
    if len(hole_texts) != game.num_players:
        raise refuse(f"have {len(hole_texts)} places for {game.num_players} players")
    if len(board_texts) != betting.round:
        raise refuse(f"have {len(board_texts)} rounds of board cards where the betting has {betting.round}")
    try:
        hole_cards = tuple(parse_cards(part) for part in hole_texts)
        board_parts = [parse_cards(part) for part in board_texts]
        board = tuple(card for part in board_parts for card in part)
        check_distinct([*board, *(card for cards in hole_cards for card in cards)])
    except CardError as error:
        raise refuse(f"cannot be: {error}") from None
    if any(len(cards) not in (0, 2) for cards in hole_cards):
        raise refuse("do not have two or no cards for each player")
    if [len(part) for part in board_parts] != list(game.board_cards[1 : betting.round + 1]):
        raise refuse("do not have the board cards of each round")
    if not hole_cards[position]:
        raise refuse("leave out the player's own")
    shown = [bool(cards) for cards in hole_cards]
    if betting.showdown and not all(seen or folded for seen, folded in zip(shown, betting.folded, strict=True)):
        raise refuse("leave out a hand of the showdown")
    if not betting.showdown and any(seen for player, seen in enumerate(shown) if player != position):
        raise refuse("show what this player may not see")
    return hole_cards, board


def format_state_cards(betting: AcpcBetting, hole_cards: tuple[Cards, ...], board: Cards) -> str:
    """Hole cards and the board up to the round of the betting."""
    parts = ["|".join(format_cards(cards) for cards in hole_cards)]
    start = 0
    for count in betting.game.board_cards[1 : betting.round + 1]:
        parts.append(format_cards(board[start : start + count]))
        start += count
    return "/".join(parts)


def visible_state(
    position: int, hand_number: int, betting: AcpcBetting, hole_cards: tuple[Cards, ...], board: Cards
) -> MatchState:
    """What one player sees of a hand whose cards are all known: others' only if they reached a showdown."""
    seen = tuple(
        cards if player == position or (betting.showdown and not betting.folded[player]) else ()
        for player, cards in enumerate(hole_cards)
    )
    board_size = sum(betting.game.board_cards[: betting.round + 1])
    return MatchState(position, hand_number, betting, seen, board[:board_size])


def parse_action(text: str) -> AcpcAction | None:
    """The action behind a reply, with the letters that the C dealer takes; None if it is not one."""
    letter = _LETTERS.get(text[:1], "")
    if letter != "r":
        return {"f": FOLD, "c": CALL}.get(letter)
    match = re.match(r"\s*[+-]?\d{1,10}", text[1:])
    return AcpcAction("r", int(match[0])) if match else None
