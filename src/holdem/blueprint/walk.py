"""From what happened at a real table to nodes of a betting tree, with probabilities.

Actions that the tree has lead to one node. A bet that it does not have is translated (`translation`), in shares of
the pot, so the stakes and the drift of the pot after earlier translations do not matter. An all-in is an all-in where
stacks are about as deep as in the tree. Heads-up, a bet smaller than every size may also be taken for a check, if a
check would leave the turn with the same player.

Some histories fit nothing. If there are more callers than the tree has room for, or a limp where it has none, the hand
is followed as if as few of them as possible had folded instead, the last ones first; as bets are shares of the pot,
their chips do not matter. For the rest (more raises than the tree has, play after the tree's all-in) the most similar
decision of that position and street stands in: the same players, pot odds and pot.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

import numpy as np

from holdem.abstraction.betting.tree import ActionCode, BettingTree, NodeKind
from holdem.blueprint.translation import translate
from holdem.game.agent import PublicState
from holdem.game.records import (
    AntePosted,
    Bet,
    BlindPosted,
    BoardDealt,
    Call,
    Check,
    Fold,
    HandStarted,
    Raise,
    Record,
    StraddlePosted,
)

MAX_BRANCHES = 64
SAME_DEPTH = (0.8, 1.25)
"""Stacks within these factors of the tree's are as deep: an all-in there is an all-in here."""

NodeShares = list[tuple[int, float]]
Step = tuple[int, int, int, float, bool]
"""Position, street, ActionCode, size in pots, all-in: one action of the real hand."""


@dataclass(frozen=True, slots=True)
class TreeRaise:
    """A bet or raise of the tree; `size`: what it adds to a call, in pots after that call."""

    size: float
    child: int
    all_in: bool


@dataclass(frozen=True, slots=True)
class TreeDecision:
    """A decision node as the walk reads it; `passing` is the call child if it keeps the street open heads-up."""

    player: int
    street: int
    fold: int | None
    call: int | None
    passing: int | None
    raises: tuple[TreeRaise, ...]


class HistoryWalk:
    """Finds the nodes of one tree that a real history stands for."""

    def __init__(self, tree: BettingTree) -> None:
        self.tree = tree
        self.stand_ins = Counter[str]()
        """How many decisions were not in the tree and had the nearest line or node stand in, by street."""
        self.decision = lru_cache(maxsize=None)(self._decision)
        self._same_depth = lru_cache(maxsize=1 << 10)(self._compare_depth)
        self._walk = lru_cache(maxsize=1 << 16)(self._walk_steps)

    def node_probabilities(self, state: PublicState) -> NodeShares:
        """TreeDecision nodes of the position to act with their probabilities; empty if the tree has none like it."""
        steps, same_depth = self.steps(state), self.same_depth(state)
        shares = self._walk(steps, same_depth, state.position, state.street)
        return list(shares) or self._with_fewer_callers(state, steps, same_depth) or self._similar(state)

    def same_depth(self, state: PublicState) -> bool:
        """Whether the table's stacks are about as deep in big blinds as the tree's."""
        started = state.history[0]
        assert isinstance(started, HandStarted)
        return self._same_depth(started.stacks, state.config.big_blind)

    def _compare_depth(self, stacks: tuple[int, ...], big_blind: int) -> bool:
        config = self.tree.config
        here, there = sorted(stacks)[-2], sorted(config.starting_stacks)[-2]
        ratio = here * max(config.big_blind, 1) / (there * max(big_blind, 1))
        return SAME_DEPTH[0] <= ratio <= SAME_DEPTH[1]

    @staticmethod
    def steps(state: PublicState) -> tuple[Step, ...]:
        """The actions of a history, sizes in pots."""
        return tuple(_steps(state.history, state.button, state.config.num_players))

    def _walk_steps(
        self, steps: tuple[Step, ...], same_depth: bool, position: int, street: int
    ) -> tuple[tuple[int, float], ...]:
        shares: NodeShares = [(0, 1.0)]
        for step in steps:
            moved = [
                (child, share * part)
                for node, share in shares
                for child, part in self._children(node, step, same_depth)
                if part > 0.0
            ]
            shares = sorted(moved, key=lambda pair: -pair[1])[:MAX_BRANCHES]
        tree = self.tree
        fitting = [pair for pair in shares if tree.player[pair[0]] == position and tree.street[pair[0]] == street]
        total = sum(share for _, share in fitting)
        return tuple((node, share / total) for node, share in fitting)

    def _children(self, node: int, step: Step, same_depth: bool) -> NodeShares:
        """Where one action leads from one node: nowhere if the tree has nothing like it there."""
        position, street, code, size, all_in = step
        if self.tree.kind[node] != NodeKind.DECISION:
            return []
        decision = self.decision(node)
        if decision.player != position or decision.street != street:
            return []
        if code != ActionCode.RAISE:
            child = decision.fold if code == ActionCode.FOLD else decision.call
            return [] if child is None else [(child, 1.0)]
        if not decision.raises:
            return []
        if all_in and same_depth and decision.raises[-1].all_in:
            return [(decision.raises[-1].child, 1.0)]
        sizes, children = [bet.size for bet in decision.raises], [bet.child for bet in decision.raises]
        if decision.passing is not None:
            sizes, children = [0.0, *sizes], [decision.passing, *children]
        return [(children[place], share) for place, share in translate(sizes, size)]

    def _decision(self, node: int) -> TreeDecision:
        tree = self.tree
        by_code: dict[int, list[int]] = {code: [] for code in ActionCode}
        for child in tree.children(node):
            by_code[int(tree.action[child])].append(child)
        player, street = int(tree.player[node]), int(tree.street[node])
        chips = tree.chips_in[node].tolist()
        to_call = max(chips) - chips[player]
        pot_after_call = sum(chips) + to_call
        stack = tree.config.starting_stacks[player]
        raises = []
        for child in by_code[ActionCode.RAISE]:
            added = int(tree.chips_in[child, player]) - chips[player] - to_call
            raises.append(TreeRaise(added / pot_after_call, child, int(tree.chips_in[child, player]) == stack))
        raises.sort(key=lambda bet: bet.size)
        call = by_code[ActionCode.CALL][0] if by_code[ActionCode.CALL] else None
        stays = call is not None and tree.kind[call] == NodeKind.DECISION and tree.street[call] == street
        fold = by_code[ActionCode.FOLD][0] if by_code[ActionCode.FOLD] else None
        return TreeDecision(player, street, fold, call, call if stays and len(chips) == 2 else None, tuple(raises))

    # Histories that fit nothing

    def _with_fewer_callers(self, state: PublicState, steps: tuple[Step, ...], same_depth: bool) -> NodeShares:
        """The nodes of the hand without some of those who called before the flop and never bet; empty if none fit."""
        callers = _mere_callers(steps, state.position)
        for count in range(1, len(callers) + 1):
            for left_out in combinations(callers, count):
                fewer = tuple(_without(steps, left_out))
                shares = self._walk(fewer, same_depth, state.position, state.street)
                if shares:
                    self.stand_ins[str(state.street)] += 1
                    return list(shares)
        return []

    def _similar(self, state: PublicState) -> NodeShares:
        """The decision of this position and street most like the real one, by players, pot odds and pot."""
        nodes = self.tree.decisions_of.get((state.street, state.position))
        if nodes is None:
            return []
        self.stand_ins[str(state.street)] += 1
        tree, count = self.tree, self.tree.num_players
        chips = tree.chips_in[nodes]
        pots = chips.sum(axis=1) / max(tree.config.big_blind, 1)
        to_call = (chips.max(axis=1) - chips[:, state.position]) / max(tree.config.big_blind, 1)
        live = sum(1 << (seat - state.button - 1) % count for seat in range(count) if state.live[seat])
        absent = np.array([(~int(folded) ^ live) & ((1 << count) - 1) for folded in range(1 << count)])
        strangers = np.array([bin(bits).count("1") for bits in absent])[tree.folded[nodes]]
        blind = max(state.config.big_blind, 1)
        due = (max(state.street_bets) - state.street_bets[state.seat]) / blind
        pot = state.pot / blind
        odds = np.abs(to_call / (pots + to_call) - due / (pot + due))
        distance = 4.0 * odds + np.abs(np.log(pots / pot)) + strangers + 10.0 * ((to_call > 0) != (due > 0))
        return [(int(nodes[int(np.argmin(distance))]), 1.0)]


def _mere_callers(steps: tuple[Step, ...], hero: int) -> list[int]:
    """Others who called before the flop and never bet or raised, the last one first."""
    raisers = {position for position, _, code, _, _ in steps if code == ActionCode.RAISE}
    called = [position for position, street, code, _, _ in steps if street == 0 and code == ActionCode.CALL]
    return [position for position in reversed(dict.fromkeys(called)) if position != hero and position not in raisers]


def _without(steps: tuple[Step, ...], left_out: tuple[int, ...]) -> Iterable[Step]:
    """The steps as if these positions had folded at their first turn."""
    folded = set[int]()
    for step in steps:
        position, street = step[:2]
        if position not in left_out:
            yield step
        elif position not in folded:
            folded.add(position)
            yield position, street, ActionCode.FOLD, 0.0, False


def _steps(history: Iterable[Record], button: int, count: int) -> Iterable[Step]:
    chips, bets, street = [0] * count, [0] * count, 0
    for record in history:
        match record:
            case Check(seat):
                yield (seat - button - 1) % count, street, ActionCode.CALL, 0.0, False
            case Call(seat, amount):
                yield (seat - button - 1) % count, street, ActionCode.CALL, 0.0, False
                chips[seat] += amount
                bets[seat] += amount
            case Bet(seat, amount, all_in) | Raise(seat, amount, all_in):
                added, to_call = amount - bets[seat], max(chips) - chips[seat]
                size = (added - to_call) / (sum(chips) + to_call)
                yield (seat - button - 1) % count, street, ActionCode.RAISE, size, all_in
                chips[seat] += added
                bets[seat] = amount
            case Fold(seat):
                yield (seat - button - 1) % count, street, ActionCode.FOLD, 0.0, False
            case BoardDealt(street):
                bets = [0] * count
            case BlindPosted(seat, amount) | StraddlePosted(seat, amount):
                chips[seat] += amount
                bets[seat] += amount
            case AntePosted(seat, amount):
                chips[seat] += amount
