"""What litmus checks look at: a policy at the spots that a file names, hand by hand.

A spot is a line as `patterns.py` reads it, board included: one node of the tree, or all that fit the line, such as the
answers to every size of an open. Of several nodes a hand's frequency is the mean, each node as often as the policy
comes there. A line that a game does not have, such as a limp where nobody may limp, raises `NotInThisGame`.

Rows that training never visited are NaN in everything here: nobody judges them.
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from holdem.abstraction.betting.tree import ActionCode, BettingTree, NodeKind
from holdem.abstraction.bucketing import HandBucketing
from holdem.blueprint.buckets import PolicyBuckets
from holdem.blueprint.tree_values import sums_by
from holdem.blueprint.view import summarise
from holdem.cards.cards import HOLE_CARDS, NUM_HOLE_PAIRS, Cards, format_cards
from holdem.cards.equity import hand_equities
from holdem.cards.evaluator import evaluate
from holdem.cards.preflop_equity import preflop_equities
from holdem.cards.ranges import CLASS_NAMES, CLASS_OF_HOLE, CLASS_SIZES, NUM_CLASSES, Range
from holdem.errors import CardError, HoldemError, IllegalAction
from holdem.evaluation.litmus.patterns import is_pattern, matching_lines
from holdem.policy.hands import buckets_of_holes
from holdem.policy.policy import AveragePolicy
from holdem.util.arrays import Bools, Float64, Int64

ACTIONS = ("fold", "check", "call", "raise", "all-in", "play")
"""`raise` is any bet or raise, all-in or not; `play` is everything but a fold.

Two may be joined, as in `check or raise`; it means nothing where the first is not possible.
"""

MOSTLY = 0.5
"""A hand whose rows were visited at places that make less than this of a spot counts as never visited there."""


class NotInThisGame(HoldemError):
    """A spot or a hand that the game of a policy does not have; the check is left out, and says so."""


class PolicySpots:
    """A hold'em policy that is asked about many spots; buckets of a board are looked up once."""

    def __init__(self, policy: AveragePolicy, bucketing: HandBucketing | None = None) -> None:
        self.policy = policy
        self._given = None if bucketing is None else PolicyBuckets(policy, bucketing)

    @property
    def tree(self) -> BettingTree:
        """The betting tree."""
        return self.policy.tree

    def at(self, line: str) -> "LitmusSpot":
        """The spot that a line leads to."""
        try:
            found = matching_lines(self.tree, line)
            found = [where for where in found if self.tree.kind[where.node] == NodeKind.DECISION] or found[:1]
            summaries = [summarise(self.policy, where.node, where.board) for where in found]
        except IllegalAction as error:
            raise NotInThisGame(str(error)) from None
        board = found[0].board
        for where, summary in zip(found, summaries, strict=True):
            due = self.policy.config.board_cards[int(self.tree.street[where.node])]
            if len(board) != due:
                raise CardError(
                    f"{line!r} leads to the {summary.street}; name the {due} cards of its board in the line"
                )
        nodes = tuple(where.node for where in found)
        replaced = tuple(dict.fromkeys(note for where in found for note in where.replaced))
        words = line if is_pattern(line) else summaries[0].line
        turn = summaries[0].turn if len(nodes) == 1 else f"the mean over {len(nodes)} lines"
        return LitmusSpot(self, nodes, board, words, turn, replaced)

    def buckets(self, board: Cards) -> Int64:
        """(1326,) the bucket of every hole pair with this board, -1 where it cannot be held."""
        return self._buckets.of_holes(board) if board else self._before_the_flop

    @cached_property
    def _buckets(self) -> PolicyBuckets:
        return self._given or PolicyBuckets(self.policy)

    @cached_property
    def _before_the_flop(self) -> Int64:
        """Known without a card abstraction, which may be missing."""
        return buckets_of_holes(self.policy, ())

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

    def reaches(self, node: int, board: Cards) -> Float64:
        """(players, 1326) how likely each hand of each position has played its own part of the way to a node."""
        tree = self.tree
        reaches = np.tile(np.where(self.buckets(board) >= 0, 1.0, 0.0), (tree.num_players, 1))
        for before, after in pairwise(tree.path(node)):
            shown = board[: self.policy.config.board_cards[int(tree.street[before])]]
            rows, _ = self.rows(before, shown)
            reaches[tree.player[before]] *= np.nan_to_num(rows[:, after - tree.first_child[before]])
        return reaches


@dataclass(frozen=True)
class LitmusSpot:
    """One decision on one board, or several that a line means; `line` and `turn` say in words where that is."""

    spots: PolicySpots
    nodes: tuple[int, ...]
    board: Cards
    line: str
    turn: str
    replaced: tuple[str, ...] = ()

    @property
    def where(self) -> str:
        """The place in words."""
        return f"{self.line or 'first to act'} ({self.turn})"

    @property
    def possible(self) -> Bools:
        """(1326,) hands that can be held."""
        return np.asarray(self.spots.buckets(self.board) >= 0)

    @cached_property
    def _reach(self) -> tuple[Float64, Float64]:
        """(nodes,) how likely the others have come to each node, and (nodes, 1326) its actor's own hands."""
        others, own = np.empty(len(self.nodes)), np.empty((len(self.nodes), NUM_HOLE_PAIRS))
        for i, node in enumerate(self.nodes):
            reaches, actor = self.spots.reaches(node, self.board), int(self.spots.tree.player[node])
            others[i] = np.delete(reaches[:, self.possible].mean(axis=1), actor).prod()
            own[i] = reaches[actor]
        return others, own

    @property
    def reached(self) -> float:
        """How often the policy comes here, of all hands that are dealt; hands are taken as independent."""
        others, own = self._reach
        return float(others @ own[:, self.possible].mean(axis=1))

    @property
    def node_shares(self) -> Float64:
        """(nodes,) how often each node is meant when somebody comes here; all alike where nobody ever does."""
        others, own = self._reach
        shares = others * own[:, self.possible].mean(axis=1)
        return np.asarray(shares / shares.sum() if shares.any() else np.full(len(shares), 1.0 / len(shares)))

    @property
    def own_reach(self) -> Float64:
        """(1326,) how likely each hand of the one who acts has played its own part of the way here."""
        others, own = self._reach
        shares = others if others.any() else np.ones(len(others))
        return np.asarray(shares @ own / shares.sum())

    @cached_property
    def _weights(self) -> Float64:
        """(nodes, 1326) how much each node counts for each hand; where a hand never comes by, all count alike."""
        if len(self.nodes) == 1:
            return np.ones((1, NUM_HOLE_PAIRS))
        others, own = self._reach
        weights = others[:, None] * own
        return np.asarray(np.where(weights.sum(axis=0) > 0.0, weights, 1.0))

    @cached_property
    def visited(self) -> Bools:
        """(1326,) hands that can be held and that training had here, at most of the nodes."""
        seen = np.stack([self.spots.rows(node, self.board)[1] for node in self.nodes])
        known = (self._weights * seen).sum(axis=0)
        return np.asarray(self.possible & (known > 0.0) & (known >= MOSTLY * self._weights.sum(axis=0)))

    @property
    def unvisited(self) -> Bools:
        """(1326,) hands that can be held and that training never had here."""
        return self.possible & ~self.visited

    def frequency(self, action: str) -> Float64:
        """(1326,) how often each hand takes an action; NaN where it cannot be held or was never visited."""
        tree = self.spots.tree
        columns = [action_columns(tree, node, action) for node in self.nodes]
        if not any(columns):
            raise NotInThisGame(f"{action} is not possible after {self.line!r}")
        done, known = np.zeros(NUM_HOLE_PAIRS), np.zeros(NUM_HOLE_PAIRS)
        for node, chosen, weight in zip(self.nodes, columns, self._weights, strict=True):
            rows, visited = self.spots.rows(node, self.board)
            weight = np.where(visited, weight, 0.0)
            done += weight * np.nan_to_num(rows[:, chosen].sum(axis=1))
            known += weight
        with np.errstate(invalid="ignore"):
            return np.where(self.visited, done / known, np.nan)

    def hands(self, text: str) -> Bools:
        """(1326,) the hands that a check names: a range, `nuts` or `worst`."""
        return self.spots.hands(text, self.board)

    def equities(self, against: str) -> Float64:
        """(1326,) equity of every hand against a range on this board; NaN where it cannot be held."""
        values = equities_before_the_flop(against) if not self.board else hand_equities(against, self.board)
        return np.where(self.possible, values, np.nan)


def action_columns(tree: BettingTree, node: int, action: str) -> list[int]:
    """Which of the actions of a decision a check's action means; none where it is not possible."""
    if " or " in action:
        first, *others = [action_columns(tree, node, either) for either in action.split(" or ")]
        return sorted({*first, *(i for columns in others for i in columns)}) if first else []
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
