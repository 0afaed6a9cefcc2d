"""AIVAT with agents from outside: exact means over whole games and endgames, with bets that no blueprint has."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import numpy.typing as npt
import pytest
from phevaluator import evaluate_cards

from holdem.abstraction.betting.tree import NodeKind
from holdem.blueprint.agent import BlueprintAgent
from holdem.blueprint.buckets import PolicyBuckets
from holdem.cards import parse_cards
from holdem.cards.cards import HOLE_CARDS, Cards, format_card, hole_index
from holdem.evaluation.aivat.holdem_cards import HoldemCards
from holdem.evaluation.aivat.points import Point, StillBetting
from holdem.evaluation.aivat.table import TableAivat
from holdem.evaluation.aivat.walk import Aivat, AivatHand
from holdem.game.actions import Action
from holdem.game.agent import Agent, RangeAgent, public_state
from holdem.game.game import Game
from holdem.game.hand import Hand
from holdem.game.play import play_hand
from tests.evaluation.aivat.test_walk import Ended, LeducHistories, guesses, leduc
from tests.evaluation.made_up_buckets import made_up_buckets, short_stacked
from tests.evaluation.outside_agent import Hidden, OutsideAgent
from tests.evaluation.tables import Toy, toy
from tests.evaluation.toy_cards import ToyCards

FloatArray = npt.NDArray[np.float64]

# Every history of Leduc, with other bets than the guesses know


class OutsideLeduc(LeducHistories):
    """Leduc with two sizes a bet, played by strategies that tell all six cards apart; guesses of the usual Leduc.

    small: a probability that each row gives to its first action, whatever it would be otherwise.
    """

    def __init__(self, known: tuple[bool, bool], small: float | None = None, dtype: type = np.float64) -> None:
        self.toy, self.known = wide_leduc(), known
        self.cards = ToyCards(self.toy.game)
        self.aivat = Aivat(self.cards, guesses(3))
        self._hands: dict[tuple[int, Cards, tuple[int | None, ...]], AivatHand] = {}
        self._small, self._dtype = small, dtype
        self._tables: dict[tuple[int, Cards], FloatArray] = {}

    def point(self, node: int) -> Point:
        """Any nodes of the guesses' tree on the same street will do; now and then there are none."""
        tree = self.toy.tree
        if tree.kind[node] != NodeKind.DECISION:
            return super().point(node)
        begins = node > 0 and tree.street[int(tree.parent[node])] < tree.street[node]
        candidates = street_starts() if begins else decisions_of(int(tree.street[node]))
        first, second = candidates[node % len(candidates)], candidates[7 * node % len(candidates)]
        nodes = () if node % 5 == 4 else ((first, 0.25), (second, 0.75))
        return StillBetting(nodes, float(tree.chips_in[node].sum()), float(tree.chips_in[node, 0]))

    def probabilities(self, node: int, board: Cards) -> FloatArray:
        """(6, actions), a row for each card of the deck."""
        if (node, board) not in self._tables:
            actions = int(self.toy.tree.num_actions[node])
            rows = np.random.default_rng([node, *board]).dirichlet(np.full(actions, 0.7), size=6)
            if self._small is not None:
                rows[:, 0] = self._small
                rows[:, 1:] *= (1.0 - self._small) / rows[:, 1:].sum(axis=1, keepdims=True)
            self._tables[node, board] = rows.astype(self._dtype).astype(np.float64)
        return self._tables[node, board]


@lru_cache(maxsize=1)
def wide_leduc() -> Toy:
    sizes = {"preflop": ["2c, 3c", "6c"], "flop": ["5c", "12c"]}
    return toy("leduc", betting={"sizes": sizes, "max_raises": 2})


def street_starts() -> list[int]:
    """Nodes of the usual Leduc at which the second street begins."""
    tree = leduc().tree
    return [node for node in decisions_of(1) if tree.street[int(tree.parent[node])] == 0]


def decisions_of(street: int) -> list[int]:
    tree = leduc().tree
    return np.flatnonzero((tree.kind == NodeKind.DECISION) & (tree.street == street)).tolist()


@pytest.mark.parametrize(
    ("known", "small", "dtype", "error"),
    [
        ((True, True), None, np.float64, 1e-10),
        ((True, False), None, np.float64, 1e-10),
        ((False, True), None, np.float64, 1e-10),
        ((True, True), 1e-200, np.float64, 1e-10),
        ((True, True), None, np.float32, 1e-5),  # rows are off 1 by 1e-7, at most eight decisions a hand, 15 chips
    ],
)
def test_leduc_with_other_bets_is_unbiased_over_every_history(
    known: tuple[bool, bool], small: float | None, dtype: type, error: float
) -> None:
    """Neither player's sizes, cards or probabilities are those of the guesses. The mean is a plain sum of payoffs."""
    ended: list[Ended] = list(OutsideLeduc(known, small, dtype).walk())
    probability = np.array([end.probability for end in ended])
    assert probability.sum() == pytest.approx(1.0, abs=error)
    won, estimate = (np.array([getattr(end, name) for end in ended]) for name in ("won", "estimate"))
    assert np.isfinite(estimate).all()
    assert probability @ estimate == pytest.approx(probability @ won, abs=error)


# Every river and every line of a hold'em endgame

PLAYED = ("AhKd", "QsQd", "7c6c"), ("AhQh", "Jd9c", "7d7h")
"""The holes that both positions play; two pairs share a card."""
TURN = parse_cards("Qc7s2d5h")
LINE = (Action.raise_to(200), Action.check_or_call(), *[Action.check_or_call()] * 3)
"""To the turn, where position 0 has checked; 200 is no size of the tree."""


class RememberingCards(HoldemCards):
    """Sums over boards are done once: all endings share their flop and turn."""

    def expected_value(self, board: Cards, first: FloatArray, second: FloatArray, matrix: FloatArray) -> float:
        key = board, first.tobytes(), second.tobytes(), matrix.tobytes()
        if key not in self._sums:
            self._sums[key] = super().expected_value(board, first, second, matrix)
        return self._sums[key]

    @cached_property
    def _sums(self) -> dict[tuple[Cards, bytes, bytes, bytes], float]:
        return {}


class Watched(Aivat):
    """Keeps the hand that it opened last."""

    last: AivatHand

    def hand(self, holes: Sequence[int | None], start: Point) -> AivatHand:
        self.last = super().hand(holes, start)
        return self.last


@dataclass(frozen=True)
class Ending:
    """A way in which the hand ends: all actions, (holes, holes) chances of both positions' holes, and the stake.

    won: what position 0 wins if somebody folded, else None.
    """

    line: tuple[Action, ...]
    chances: FloatArray
    stake: float
    won: float | None


def hand_after(holes: Sequence[Cards], board: Cards, line: Sequence[Action]) -> Hand:
    """`holes` by position."""
    config = short_stacked().policy.config
    hand = Hand(config, [holes[0], holes[1]], board)
    assert [hand.seat_at(0), hand.seat_at(1)] == [0, 1]
    for action in line:
        hand.act(action)
    return hand


def endings(
    hand: Hand, line: tuple[Action, ...], chances: FloatArray, agents: Sequence[OutsideAgent]
) -> Iterator[Ending]:
    """By plain multiplication of the agents' rows; an action that is listed twice comes twice."""
    seat = hand.actor
    assert seat is not None
    actions, table = agents[seat].range_policy(public_state(hand))
    rows = table[[hole_index(*parse_cards(hole)) for hole in PLAYED[seat]]]
    for place, action in enumerate(actions):
        reached = chances * (rows[:, place, None] if seat == 0 else rows[None, :, place])
        after = hand.copy()
        after.act(action)
        if not reached.any():
            continue
        if not after.is_over:
            yield from endings(after, (*line, action), reached, agents)
            continue
        folded = after.live.count(True) == 1
        yield Ending((*line, action), reached, max(hand.contributions), after.payoffs[0] if folded else None)


def chances_at_turn(agents: Sequence[OutsideAgent]) -> FloatArray:
    """(holes, holes) Bayes' rule over the line, one decision after another."""
    pairs = [[parse_cards(hole) for hole in holes] for holes in PLAYED]
    chances = np.array([[float(not set(a) & set(b)) for b in pairs[1]] for a in pairs[0]])
    for played in range(len(LINE)):
        hand = hand_after((pairs[0][1], pairs[1][1]), TURN, LINE[:played])
        seat = hand.actor
        assert seat is not None
        actions, table = agents[seat].range_policy(public_state(hand))
        columns = [place for place, action in enumerate(actions) if action == LINE[played]]
        share = table[[hole_index(*cards) for cards in pairs[seat]]][:, columns].sum(axis=1)
        chances *= share[:, None] if seat == 0 else share[None, :]
    return np.asarray(chances / chances.sum())


def beats(first: Cards, second: Cards, board: Cards) -> int:
    """1, 0 or -1, by phevaluator, where the smaller rank wins."""
    one, two = (evaluate_cards(*map(format_card, (*hole, *board))) for hole in (first, second))
    return int(one < two) - int(one > two)


class Endgame:
    """The hand from `LINE` on, between two agents from outside; the one at `hidden` does not tell its strategy."""

    def __init__(self, hidden: int | None) -> None:
        self.outside = [OutsideAgent(1, (), PLAYED[0]), OutsideAgent(2, (0.37,), PLAYED[1])]
        self.agents: list[Agent] = [Hidden(a) if seat == hidden else a for seat, a in enumerate(self.outside)]
        self.table = TableAivat(short_stacked(), made_up_buckets())
        cards = RememberingCards(short_stacked().policy, made_up_buckets())
        self.table.aivat = self.watched = Watched(cards, self.table.aivat.values)
        self.pairs = [[parse_cards(hole) for hole in holes] for holes in PLAYED]
        self.at_turn = chances_at_turn(self.outside)
        self.masks = [np.ones((3, 3))]
        """What AIVAT sees of the holes: nothing, or which one the hidden player holds."""
        if hidden is not None:
            self.masks = [np.eye(3)[:, [h]] * np.ones((1, 3)) for h in range(3)]
            self.masks = self.masks if hidden == 0 else [mask.T for mask in self.masks]
        self.luck_before = [self._luck(mask) for mask in self.masks]

    def hand(self, chances: FloatArray, board: Cards, line: Sequence[Action]) -> Hand:
        """With the likeliest holes."""
        first, second = np.unravel_index(int(chances.argmax()), chances.shape)
        return hand_after((self.pairs[0][first], self.pairs[1][second]), board, line)

    def _luck(self, mask: FloatArray) -> float:
        """What was taken off until the turn."""
        self.table.corrected(self.hand(self.at_turn * mask, TURN, LINE), self.agents)
        return self.watched.last.luck

    def on_river(self, river: int) -> Iterator[tuple[float, float, float]]:
        """Of each ending: its chance, and that times what position 0 wins and times what AIVAT makes of it."""
        board = (*TURN, river)
        possible = [[river not in {*a, *b} for b in self.pairs[1]] for a in self.pairs[0]]
        chances = self.at_turn * possible / 44.0  # two holes and the turn leave 44 cards
        signs = [[beats(a, b, board) for b in self.pairs[1]] for a in self.pairs[0]]
        for ending in endings(self.hand(chances, board, LINE), LINE, chances, self.outside):
            chips = ending.stake * np.array(signs) if ending.won is None else np.full((3, 3), ending.won)
            for mask, luck in zip(self.masks, self.luck_before, strict=True):
                seen = ending.chances * mask
                if seen.any():
                    estimate = self.table.corrected(self.hand(seen, board, ending.line), self.agents)[0] + luck
                    yield float(seen.sum()), float((seen * chips).sum()), float(seen.sum() * estimate)


@pytest.mark.slow
@pytest.mark.parametrize("hidden", [None, 0, 1])
def test_every_river_and_line_of_an_endgame(hidden: int | None) -> None:
    """Holes, rivers and lines are listed, payoffs by phevaluator: the mean of the estimates is the mean of the chips.

    The luck that was taken off before the turn is known by then, and put back.
    """
    game = Endgame(hidden)
    found = [ending for river in sorted(set(range(52)) - set(TURN)) for ending in game.on_river(river)]
    total, won, estimated = np.sum(found, axis=0)
    assert total == pytest.approx(1.0, abs=1e-12)
    assert estimated == pytest.approx(won, abs=1e-8)


# Many hands of hold'em: are hole cards and chips what the ranges say?

DISJOINT = ~(HOLE_CARDS[:, None, :, None] == HOLE_CARDS[None, :, None, :]).any(axis=(2, 3))
RANK_SUM = (HOLE_CARDS // 4).sum(axis=1).astype(np.float64)


def surprise(hand: Hand, seats: Sequence[Agent], walk: AivatHand) -> Iterator[tuple[float, float]]:
    """Of each known player: how far the ranks it held are from their mean over its range, and the range's variance."""
    for position in range(2):
        seat = hand.seat_at(position)
        cards = hand.hole_cards[seat]
        if isinstance(seats[seat], RangeAgent) and cards is not None:
            chances = walk.ranges[position] * (DISJOINT @ walk.ranges[1 - position])
            chances /= chances.sum()
            mean = chances @ RANK_SUM
            yield RANK_SUM[hole_index(*cards)] - mean, chances @ (RANK_SUM - mean) ** 2


@pytest.mark.long
@pytest.mark.parametrize("deals", [40, pytest.param(1_500, marks=pytest.mark.slow)])
@pytest.mark.parametrize("other", [OutsideAgent(5), Hidden(OutsideAgent(5))], ids=["told", "hidden"])
def test_hands_are_what_ranges_say(other: Agent, deals: int) -> None:
    """A random blueprint against another tree: cards at the end of hands, and what is taken off as luck.

    Both sums are zero in the mean, so they are within four of their standard errors.
    """
    policy = short_stacked().policy
    agent = BlueprintAgent(policy, "blueprint", PolicyBuckets(policy, made_up_buckets()))
    table = TableAivat(short_stacked(), made_up_buckets())
    table.aivat = watched = Watched(table.aivat.cards, table.aivat.values)
    luck: list[float] = []
    surprises: list[tuple[float, float]] = []
    for deal in range(deals):
        for seat in range(2):
            seats = [agent, other] if seat == 0 else [other, agent]
            hand = play_hand(Game(policy.config), seats, deal)
            luck.append(hand.payoffs[seat] - table.corrected(hand, seats)[seat])
            surprises += surprise(hand, seats, watched.last)
    by_deal = np.array(luck).reshape(deals, 2).sum(axis=1)
    error = by_deal.std(ddof=1) / np.sqrt(deals)
    away, variance = np.sum(surprises, axis=0)
    print(
        f"{2 * deals} hands: luck {by_deal.mean() / 2:+.2f} ± {1.96 * error / 2:.2f} bb/100, rank sum "
        f"{away / len(surprises):+.4f} ± {1.96 * np.sqrt(variance) / len(surprises):.4f}"
    )  # 100 chips are a big blind, so chips a hand are bb/100
    assert abs(by_deal.mean()) < 4.0 * error
    assert abs(away) < 4.0 * np.sqrt(variance)
