"""What litmus checks look at: a policy at the spots that a file names, hand by hand.

A spot is a line as `parse_line` reads it, board included. Two things are added for tables of any size: `folds to BTN`
stands for as many folds as it takes until the button acts, and a size that is not in the tree is taken as the nearest
one. A line that a game does not have, such as a limp where nobody may limp, raises `NotInThisGame`.

Rows that training never visited are NaN in everything here: nobody judges them.
"""

import re
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from holdem.abstraction.betting.line import parse_line
from holdem.abstraction.betting.tree import ActionCode, BettingTree, NodeKind, position_names
from holdem.abstraction.bucketing import HandBucketing
from holdem.blueprint.buckets import PolicyBuckets
from holdem.blueprint.tree_values import sums_by
from holdem.blueprint.view import NodeSummary, summarise
from holdem.cards.cards import HOLE_CARDS, NUM_HOLE_PAIRS, Cards, format_cards
from holdem.cards.equity import hand_equities
from holdem.cards.evaluator import evaluate
from holdem.cards.preflop_equity import preflop_equities
from holdem.cards.ranges import CLASS_NAMES, CLASS_OF_HOLE, CLASS_SIZES, NUM_CLASSES, Range
from holdem.errors import CardError, HoldemError, IllegalAction
from holdem.policy.policy import AveragePolicy
from holdem.util.arrays import Bools, Float64, Int64

ACTIONS = ("fold", "check", "call", "raise", "all-in", "play")
"""`raise` is any bet or raise, all-in or not; `play` is everything but a fold."""

_FOLDS_TO = re.compile(r"\s*(?:every(?:body|one)\s+)?folds?\s+(?:round\s+)?to\s+(\w+)\s*$", re.IGNORECASE)


class NotInThisGame(HoldemError):
    """A spot or a hand that the game of a policy does not have; the check is left out, and says so."""


class PolicySpots:
    """A hold'em policy that is asked about many spots; buckets of a board are looked up once."""

    def __init__(self, policy: AveragePolicy, bucketing: HandBucketing | None = None) -> None:
        self.policy = policy
        self._buckets = PolicyBuckets(policy, bucketing)

    @property
    def tree(self) -> BettingTree:
        """The betting tree."""
        return self.policy.tree

    def at(self, line: str) -> "LitmusSpot":
        """The spot that a line leads to."""
        try:
            where = parse_line(self.tree, expand_folds(self.tree, line), nearest=True)
            summary = summarise(self.policy, where.node, where.board)
        except IllegalAction as error:
            raise NotInThisGame(str(error)) from None
        due = self.policy.config.board_cards[int(self.tree.street[where.node])]
        if len(where.board) != due:
            raise CardError(f"{line!r} leads to the {summary.street}; name the {due} cards of its board in the line")
        return LitmusSpot(self, where.node, where.board, summary, where.replaced)

    def buckets(self, board: Cards) -> Int64:
        """(1326,) the bucket of every hole pair with this board, -1 where it cannot be held."""
        return self._buckets.of_holes(board)

    def hands(self, text: str, board: Cards) -> Bools:
        """(1326,) the hands that a check names and that can be held with this board: a range, `nuts` or `worst`."""
        possible = self.buckets(board) >= 0
        chosen: Bools
        if text in ("nuts", "worst"):
            strengths = np.where(possible, strengths_on(board), np.nan)
            chosen = strengths == (np.nanmax(strengths) if text == "nuts" else np.nanmin(strengths))
        else:
            chosen = (Range.parse(text).weights > 0) & possible
        if not chosen.any():
            raise NotInThisGame(f"no hand of {text!r} can be held with {format_cards(board) or 'this deck'}")
        return chosen

    def rows(self, node: int, board: Cards) -> tuple[Float64, Bools]:
        """(1326, actions) probabilities of a decision (NaN where a hand cannot be held), and (1326,) visited."""
        buckets = self.buckets(board)
        rows, visited = self.policy.rows(node)
        held = buckets >= 0
        return np.where(held[:, None], rows[buckets], np.nan), visited[buckets] & held


@dataclass(frozen=True)
class LitmusSpot:
    """One decision on one board."""

    spots: PolicySpots
    node: int
    board: Cards
    summary: NodeSummary
    replaced: tuple[str, ...] = ()

    @cached_property
    def table(self) -> tuple[Float64, Bools]:
        """Probabilities and visited rows, as `PolicySpots.rows`."""
        return self.spots.rows(self.node, self.board)

    @property
    def possible(self) -> Bools:
        """(1326,) hands that can be held."""
        return ~np.isnan(self.table[0][:, 0])

    @property
    def unvisited(self) -> Bools:
        """(1326,) hands that can be held and that training never had here."""
        return self.possible & ~self.table[1]

    def frequency(self, action: str) -> Float64:
        """(1326,) how often each hand takes an action; NaN where it cannot be held or was never visited."""
        chosen = action_columns(self.spots.tree, self.node, action)
        if not chosen:
            raise NotInThisGame(f"{action} is not possible after {self.summary.line!r}")
        probabilities, visited = self.table
        return np.where(visited, probabilities[:, chosen].sum(axis=1), np.nan)

    def hands(self, text: str) -> Bools:
        """(1326,) the hands that a check names: a range, `nuts` or `worst`."""
        return self.spots.hands(text, self.board)

    def equities(self, against: str) -> Float64:
        """(1326,) equity of every hand against a range on this board; NaN where it cannot be held."""
        values = equities_before_the_flop(against) if not self.board else hand_equities(against, self.board)
        return np.where(self.possible, values, np.nan)


def expand_folds(tree: BettingTree, line: str) -> str:
    """A line with every `folds to BTN` written out."""
    done: list[str] = []
    first, *later = line.split("|")
    for words in filter(None, (part.strip() for part in first.split(","))):
        target = _FOLDS_TO.match(words)
        done += _folds_until(tree, done, target[1]) if target else [words]
    return " | ".join([", ".join(done), *(part.strip() for part in later)])


def _folds_until(tree: BettingTree, before: list[str], position: str) -> list[str]:
    names = position_names(tree.config)
    wanted = "SB" if len(names) == 2 and position.upper() == "BTN" else position.upper()
    if wanted not in names:
        raise IllegalAction(f"there is no {position} at a table of {len(names)}; its positions are {', '.join(names)}")
    folds: list[str] = []
    node = parse_line(tree, ", ".join(before), nearest=True).node
    while tree.kind[node] == NodeKind.DECISION and names[int(tree.player[node])] != wanted:
        folds.append("fold")
        node = parse_line(tree, ", ".join([*before, *folds]), nearest=True).node
    if tree.kind[node] != NodeKind.DECISION or tree.street[node] > 0:
        raise IllegalAction(f"the hand does not come to {wanted} by folds after {', '.join(before) or 'the start'!r}")
    return folds


def action_columns(tree: BettingTree, node: int, action: str) -> list[int]:
    """Which of the actions of a decision a check's action means; none where it is not possible."""
    children = tree.children(node)
    actor = int(tree.player[node])
    codes = [int(tree.action[child]) for child in children]
    if action == "play":
        return [i for i, code in enumerate(codes) if code != ActionCode.FOLD] if ActionCode.FOLD in codes else []
    if action in ("check", "call"):
        pays = [tree.chips_in[child, actor] > tree.chips_in[node, actor] for child in children]
        return [i for i, code in enumerate(codes) if code == ActionCode.CALL and pays[i] == (action == "call")]
    if action == "all-in":
        stack = tree.config.starting_stacks[actor]
        all_in = [tree.chips_in[child, actor] == stack for child in children]
        return [i for i, code in enumerate(codes) if code == ActionCode.RAISE and all_in[i]]
    wanted = ActionCode.FOLD if action == "fold" else ActionCode.RAISE
    return [i for i, code in enumerate(codes) if code == wanted]


def strengths_on(board: Cards) -> Float64:
    """(1326,) strength of every hand with this board as it lies, before the flop pairs first; NaN if it cannot be."""
    if not board:
        pairs = HOLE_CARDS[:, 0] >> 2 == HOLE_CARDS[:, 1] >> 2
        return np.asarray(100.0 * pairs + (HOLE_CARDS >> 2).max(axis=1) + 0.01 * (HOLE_CARDS >> 2).min(axis=1))
    strengths = np.full(NUM_HOLE_PAIRS, np.nan)
    for index in np.flatnonzero(~np.isin(HOLE_CARDS, board).any(axis=1)).tolist():
        strengths[index] = evaluate((*HOLE_CARDS[index].tolist(), *board))
    return strengths


def equities_before_the_flop(against: str) -> Float64:
    """(1326,) all-in equity against a range that treats suits alike, from the table of classes; else by enumeration."""
    opponents = Range.parse(against)
    by_class = sums_by(CLASS_OF_HOLE.astype(np.int64), opponents.weights, NUM_CLASSES) / CLASS_SIZES
    if not np.array_equal(by_class[CLASS_OF_HOLE], opponents.weights):
        return hand_equities(opponents)
    table = preflop_equities()
    meet = table.combinations * by_class
    with np.errstate(invalid="ignore"):
        return np.asarray((table.equity * meet).sum(axis=1) / meet.sum(axis=1))[CLASS_OF_HOLE]


def name_of_hands(holes: Int64, board: Cards) -> str:
    """A few hands in words: their class before the flop, the cards themselves after it."""
    if not board:
        names = sorted({CLASS_NAMES[CLASS_OF_HOLE[hole]] for hole in holes.tolist()})
    else:
        names = [format_cards(HOLE_CARDS[hole][::-1].tolist()) for hole in holes.tolist()]
    return ", ".join(names[:4]) + (f" and {len(names) - 4} more" if len(names) > 4 else "")
