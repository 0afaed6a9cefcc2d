"""A line of betting in words, as people write it and as `BettingTree.describe` does: text to node and back.

    SB raise 3bb, BB call | Ks7d2c BB check, SB bet 3bb | 5h

Streets are separated by `|`; the cards of a street, if given, stand at its beginning. Positions may be left out, case
does not matter, `raise to 3bb`, `jam`, `shove` and `x` are understood, amounts are big blinds (`3bb`, `3`) or chips
(`300`, `300c`), and an amount names the size in the tree that it is a rounding of. An action that the tree does not
have is refused with the ones that it has; `nearest` takes the nearest size instead, and says so.
"""

import re
from dataclasses import dataclass
from math import log

from holdem.abstraction.betting.tree import ActionCode, BettingTree, NodeKind, position_names
from holdem.cards.cards import Cards, check_distinct, format_cards, parse_cards
from holdem.errors import CardError, IllegalAction
from holdem.types import STREET_NAMES
from holdem.util.words import counted

_CARDS = re.compile(r"\s*((?:(?:10|[2-9TJQKA])[cdhs][\s,]*)+)(?![a-z0-9])", re.IGNORECASE)
_AMOUNT = re.compile(r"([0-9]{1,15}(?:\.[0-9]{1,15})?)\s*(bb|c)?\b", re.IGNORECASE)
_POSITION = re.compile(r"(SB|BB|UTG|HJ|CO|BTN|BU|P\d)\b[\s:]*", re.IGNORECASE)
_ALL_IN = re.compile(r"\b(all[\s-]?in|jams?|shoves?|pushes|push)\b", re.IGNORECASE)
_VERBS = {
    "f": "fold", "fold": "fold", "folds": "fold",
    "x": "check", "check": "check", "checks": "check",
    "c": "call", "call": "call", "calls": "call", "limp": "call", "limps": "call",
    "b": "raise", "bet": "raise", "bets": "raise", "r": "raise", "raise": "raise", "raises": "raise",
}  # fmt: skip


@dataclass(frozen=True)
class BettingLine:
    """Where a line leads: the node after its last action, and the board cards that were named, none to all.

    replaced: sizes that are not in the tree and the actions taken for them, a sentence each.
    """

    node: int
    board: Cards
    replaced: tuple[str, ...] = ()


def parse_line(tree: BettingTree, text: str, nearest: bool = False) -> BettingLine:
    """The node and the board of a line; the empty text is the first decision of the hand."""
    node, board, replaced = 0, list[int](), list[str]()
    for street, part in enumerate(text.split("|")):
        if street and (tree.kind[node] != NodeKind.DECISION or tree.street[node] != street):
            raise IllegalAction(_not_on_street(tree, node, street))
        cards, actions = _split_cards(tree, part, street)
        board += cards
        for words in filter(None, (action.strip() for action in actions.split(","))):
            node = _step(tree, node, words, replaced if nearest else None)
    return BettingLine(node, _checked_board(tree, node, check_distinct(board)), tuple(replaced))


def format_line(tree: BettingTree, node: int, board: Cards = ()) -> str:
    """The line to a node with the cards of each street, as `parse_line` reads it."""
    parts = tree.describe(node).split(" | ") if node else [""]
    streets = int(tree.street[node]) + 1
    parts += [""] * (streets - len(parts))
    shown = tree.config.board_cards
    for street in range(1, streets):
        cards = format_cards(board[shown[street - 1] : shown[street]])
        parts[street] = f"{cards} {parts[street]}".strip()
    return " | ".join(parts)


def choices(tree: BettingTree, node: int) -> list[str]:
    """The actions at a node in words."""
    return [tree.describe_action(child) for child in tree.children(node)]


def _split_cards(tree: BettingTree, part: str, street: int) -> tuple[Cards, str]:
    """The cards at the beginning of a street's text, and the rest."""
    found = _CARDS.match(part)
    if not found:
        return (), part
    cards = parse_cards(found[1])
    shown = tree.config.board_cards
    due = shown[street] - shown[street - 1] if 0 < street < len(shown) else 0
    if len(cards) != due:
        name = STREET_NAMES[min(street, 3)]
        raise CardError(f"{found[1].strip()!r}: the {name} brings {counted(due, 'card')}, not {len(cards)}")
    return cards, part[found.end() :]


def _checked_board(tree: BettingTree, node: int, board: Cards) -> Cards:
    due = tree.config.board_cards[tree.street[node]]
    if board and len(board) != due:
        raise CardError(
            f"the line names {counted(len(board), 'board card')}, and the {STREET_NAMES[tree.street[node]]} has {due}; "
            "write the cards of every street behind its `|`, as in `... | Ks7d2c check, check | 5h`"
        )
    return board


def _not_on_street(tree: BettingTree, node: int, street: int) -> str:
    before = tree.describe(node) or "the start"
    if tree.kind[node] != NodeKind.DECISION:
        return f"the hand is over after {before!r}; leave out what follows"
    if street >= tree.config.num_streets:
        return f"there is no street after the {STREET_NAMES[tree.config.num_streets - 1]}; leave out the last `|`"
    return (
        f"the betting goes on after {before!r}, so there is no {STREET_NAMES[street]} yet; "
        f"{_actor(tree, node)} can {_either(choices(tree, node))}"
    )


def _step(tree: BettingTree, node: int, words: str, replaced: list[str] | None) -> int:
    """The child that an action in words leads to; with `replaced`, the nearest size for one that is not there."""
    if tree.kind[node] != NodeKind.DECISION:
        raise IllegalAction(f"the hand is over after {tree.describe(node)!r}; leave out {words!r}")
    action = words
    named = _POSITION.match(words)
    if named:
        action = words[named.end() :]
        if _position(tree, named[1]) != tree.player[node]:
            before = f"after {tree.describe(node)!r}" if node else "first"
            raise IllegalAction(f"{words!r}: it is {_actor(tree, node)} who acts {before}, not {named[1].upper()}")
    child = _child(tree, node, action)
    if child is None and replaced is not None:
        child = _child(tree, node, action, by_ratio=True)
        if child is not None:
            replaced.append(f"{words!r} is not in the tree; taken as {tree.describe_action(child)}")
    if child is None:
        where = f"after {tree.describe(node)!r}" if node else "at the start"
        raise IllegalAction(
            f"{words!r:.100} is not in the tree: {where} {_actor(tree, node)} can {_either(choices(tree, node))}"
        )
    return child


def _child(tree: BettingTree, node: int, action: str, by_ratio: bool = False) -> int | None:
    all_in = bool(_ALL_IN.search(action))
    rest = _ALL_IN.sub("", action).strip()
    word, _, rest = rest.partition(" ") if not rest[:1].isdecimal() else ("raise", "", rest)
    if not word and not all_in:
        return None
    verb = _VERBS.get(word.lower()) if word else "raise"
    amount = _AMOUNT.fullmatch(rest.lower().removeprefix("to ").strip())
    raises = [child for child in tree.children(node) if tree.action[child] == ActionCode.RAISE]
    if verb != "raise":
        if all_in or rest:
            return None
        return next((child for child in tree.children(node) if tree.describe_action(child) == verb), None)
    if all_in:
        raises = [child for child in raises if "all-in" in tree.describe_action(child)]
    if amount and by_ratio:
        return _nearest_by_ratio(tree, raises, float(amount[1]), (amount[2] or "").lower())
    if amount:
        return _nearest(tree, raises, amount[1], (amount[2] or "").lower())
    return raises[0] if len(raises) == 1 and not rest else None


def _nearest(tree: BettingTree, raises: list[int], number: str, unit: str) -> int | None:
    """The raise whose size the written number is a rounding of, the nearest if there are several."""
    big_blind = tree.config.big_blind
    units = {"bb": [big_blind], "c": [1], "": [big_blind, 1]}[unit]
    value = float(number)
    # Half a unit of the last digit behind the point, at least a twentieth: 2.75bb may be called 2.8bb or 2.7bb.
    slack = max(0.5 * 10.0 ** -len(number.partition(".")[2]) if "." in number else 0.0, 0.05) + 1e-9
    for chips in filter(None, units):
        distances = {child: abs(int(tree.amount[child]) / chips - value) for child in raises}
        best = min(distances, key=distances.__getitem__, default=None)
        if best is not None and distances[best] <= slack:
            return best
    return None


def _nearest_by_ratio(tree: BettingTree, raises: list[int], value: float, unit: str) -> int | None:
    """The raise that a size is the smallest factor away from; a bare number below 20 big blinds' chips is blinds."""
    big_blind = tree.config.big_blind
    chips = value if unit == "c" or not big_blind or (not unit and value >= 0.2 * big_blind) else value * big_blind
    if chips <= 0 or not raises:
        return None
    return min(raises, key=lambda child: abs(log(int(tree.amount[child]) / chips)))


def _position(tree: BettingTree, name: str) -> int | None:
    """The position of a name; the button is the last one, who heads-up is the small blind."""
    names = position_names(tree.config)
    name = "BTN" if name.upper() == "BU" else name.upper()
    if name == "BTN":
        return len(names) - 1
    return names.index(name) if name in names else None


def _actor(tree: BettingTree, node: int) -> str:
    return position_names(tree.config)[int(tree.player[node])]


def _either(words: list[str]) -> str:
    """`fold, call or raise 3bb`."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"
