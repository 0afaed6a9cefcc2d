"""Where in a subgame: `bet 45, call, 5h, check` in words, and the same as a place in the solver's tables.

A path is a list of actions and, where a betting round is over, of dealt cards. Actions are written as people say them
(`check`, `bet 45`, `raise 153`, `all-in`) or as the tree labels them (`Bet(45)`); amounts are totals of the street.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from holdem.cards import Cards, format_card, parse_card
from holdem.errors import CardError, IllegalAction
from holdem.realtime.subgame.boards import IDENTITY, BoardTree, Renaming, renamed_card
from holdem.realtime.subgame.flat_tree import FlatTree
from holdem.realtime.subgame.nodes.moves import Move
from holdem.realtime.subgame.tree import SubgameNodeKind

_ACTION = re.compile(r"(fold|check|call|bet|raise|all-?in|continue)\s*(?:to\s*)?\(?(\d*)\)?$", re.IGNORECASE)
_CARD = re.compile(r"(10|[2-9TJQKA])[cdhs]$", re.IGNORECASE)
_WORDS = {"fold": "Fold", "check": "Check", "call": "Call", "bet": "Bet", "raise": "Raise", "continue": "Continue"}


@dataclass(frozen=True)
class Place:
    """A node on a board. `steps` are the nodes of the way, each with its level, board, and the action taken.

    The solver keeps one board of each class; `renaming` turns its suits into those of the cards that were asked for.
    """

    node: int
    level: int
    board: int
    renaming: Renaming
    dealt: Cards
    steps: tuple[tuple[int, int, int, int], ...]


def parse_path(text: str) -> tuple[str, ...]:
    """Labels and cards of a path: `("Bet(45)", "Call", "5h")`."""
    return tuple(_token(part.strip()) for part in text.split(",") if part.strip())


def _token(text: str) -> str:
    if _CARD.match(text):
        return format_card(parse_card(text))
    match = _ACTION.match(text)
    if match is None:
        raise IllegalAction(
            f"{text!r} is neither an action nor a card; write check, call, fold, bet 45, raise 153, all-in or 5h"
        )
    word = match[1].lower()
    name = "AllIn" if word.startswith("all") else _WORDS[word]
    return f"{name}({match[2]})" if match[2] else name


def find_place(tree: FlatTree, boards: BoardTree, path: tuple[str, ...]) -> Place:
    """The place that a path leads to, or an IllegalAction or CardError that says what was possible there."""
    node, level, board = 0, 0, 0
    renaming, dealt = IDENTITY, Cards()
    steps: list[tuple[int, int, int, int]] = []
    for token in path:
        arrays = tree.arrays
        if tree.nodes[node].kind == SubgameNodeKind.DECISION:
            action = action_number(tree.nodes[node].actions, token)
            steps.append((node, level, board, action))
            node = int(arrays.first_child[node]) + action
        elif tree.nodes[node].kind == SubgameNodeKind.DEAL:
            card = _dealt_card(token, boards, dealt)
            dealt = (*dealt, card)
            board, renaming = _next_board(boards, board, card, renaming)
            root = int(arrays.deals[arrays.deal_start[level] : arrays.deal_start[level + 1]].tolist().index(node))
            level += 1
            node = int(arrays.node_start[level]) + root
        else:
            raise IllegalAction(f"the hand is over before {token!r}; give a shorter path")
    return Place(node, level, board, renaming, dealt, tuple(steps))


def find_line(tree: FlatTree, moves: Sequence[Move]) -> Place:
    """The place that moves of the first street lead to."""
    node, steps = 0, []
    for move in moves:
        possible = tree.nodes[node].moves
        if move not in possible:
            raise IllegalAction(f"'{move}' is not possible here; the actions are {', '.join(map(str, possible))}")
        action = possible.index(move)
        steps.append((node, 0, 0, action))
        node = int(tree.arrays.first_child[node]) + action
    return Place(node, 0, 0, IDENTITY, (), tuple(steps))


def find_decision(tree: FlatTree, boards: BoardTree, path: tuple[str, ...]) -> Place:
    """The place that a path leads to, where somebody must decide."""
    place = find_place(tree, boards, path)
    kind = tree.nodes[place.node].kind
    if kind == SubgameNodeKind.DEAL:
        raise IllegalAction("the betting round is over there; add the card that is dealt to the path, such as 5h")
    if kind != SubgameNodeKind.DECISION:
        raise IllegalAction("the hand is over there; give a shorter path")
    return place


def action_number(actions: tuple[str, ...], token: str) -> int:
    """Which of the actions a label means; an all-in goes without its amount, or as a bet or raise of it."""
    if token in actions:
        return actions.index(token)
    alike = [i for i, action in enumerate(actions) if "(" not in token and action.startswith(token)]
    amount = token.partition("(")[2]
    alike += [i for i, action in enumerate(actions) if amount and action == f"AllIn({amount}"]
    if len(alike) != 1:
        raise IllegalAction(f"{token!r} is not possible here; the actions are {', '.join(actions)}")
    return alike[0]


def _dealt_card(token: str, boards: BoardTree, dealt: Cards) -> int:
    if not _CARD.match(token):
        raise CardError(f"a card is dealt before {token!r}; name it in the path, such as 5h")
    card = parse_card(token)
    if card in (*boards.root, *dealt):
        raise CardError(f"{token} is on the board already")
    return card


def _next_board(boards: BoardTree, board: int, card: int, renaming: Renaming) -> tuple[int, Renaming]:
    """The stored board of the card's class, and the renaming from it to the cards asked for."""
    a, b, c, d = (renaming.index(suit) for suit in range(4))
    stored = renamed_card(card, (a, b, c, d))
    for child in range(boards.children[board], boards.children[board + 1]):
        for image in boards.boards[child].images:
            if renamed_card(boards.boards[child].dealt[-1], image) == stored:
                w, x, y, z = (renaming[image[suit]] for suit in range(4))
                return child, (w, x, y, z)
    raise CardError(f"{format_card(card)} cannot be dealt here")
