"""Rivers of three with small ranges, and an oracle that goes through every deal at every node."""

from itertools import product
from typing import Protocol

import numpy as np
import numpy.typing as npt

from holdem.abstraction.betting.payoffs import reference_payoffs
from holdem.abstraction.betting.tree import NodeKind
from holdem.cards import Range, evaluate
from holdem.cards.cards import hole_cards
from holdem.game.actions import Action
from holdem.game.agent import PublicState, public_state
from holdem.game.game import Game
from holdem.realtime.search.street_tree import Menu, StreetTree

CALL = Action.check_or_call()
RANGES = ("AA, KQs, 76s", "KK, AQs, 98s", "QQ, AJs, T9s")
SMALL = Menu("75%", "a", 2)

Deal = tuple[tuple[int, ...], float]


def river_state(bet: int | None = None) -> PublicState:
    """Three players who limped in and checked to the river, perhaps with a bet of the first of them."""
    hand = Game.from_preset("threemax_100bb").new_hand(4)
    for _ in range(9):
        hand.act(CALL)
    if bet:
        hand.act(Action.raise_to(bet))
    return public_state(hand)


def weights() -> npt.NDArray[np.float64]:
    return np.stack([Range.parse(text).weights for text in RANGES])


def all_deals(ranges: npt.NDArray[np.float64], board: tuple[int, ...]) -> list[Deal]:
    """Every triple of hands without a common card, with its weight."""
    hands = [[h for h in np.flatnonzero(row).tolist() if not set(hole_cards(h)) & set(board)] for row in ranges]
    deals = []
    for triple in product(*hands):
        cards = [card for hand in triple for card in hole_cards(hand)]
        if len(set(cards)) == len(cards):
            deals.append((triple, float(np.prod([ranges[p, h] for p, h in enumerate(triple)]))))
    return deals


class Solved(Protocol):
    """What the oracle asks of a solver."""

    def policy(self, node: int) -> npt.NDArray[np.float64]:
        """(1326, actions) at a decision."""
        ...


class Exact:
    """Values of a strategy profile and best responses to it, by going through every deal at every node."""

    def __init__(self, street: StreetTree, board: tuple[int, ...], solver: Solved) -> None:
        tree = self.tree = street.tree
        self.deals = all_deals(weights(), board)
        decisions = np.flatnonzero(tree.kind == NodeKind.DECISION).tolist()
        self.policy = {node: solver.policy(node) for node in decisions}
        self.strength = {h: evaluate(hole_cards(h) + board) for triple, _ in self.deals for h in triple}

    def values(self, player: int, best: bool) -> float:
        """What a player wins on average: by the profile, or by the best answer to the others."""
        total = sum(weight for _, weight in self.deals)
        reached = dict(self.deals)
        return sum(self._walk(0, player, best, reached).values()) / total

    def _walk(self, node: int, player: int, best: bool, reached: dict[tuple[int, ...], float]) -> dict[int, float]:
        """By hand of `player`: the value of all deals that come here, times how often the others let them come."""
        tree = self.tree
        values: dict[int, float] = {}
        if tree.kind[node] != NodeKind.DECISION:
            folded = {p for p in range(3) if int(tree.folded[node]) >> p & 1}
            for triple, weight in reached.items():
                won = reference_payoffs(tree.chips_in[node].tolist(), folded, [self.strength[h] for h in triple])
                values[triple[player]] = values.get(triple[player], 0.0) + weight * won[player]
            return values
        actor, policy = int(tree.player[node]), self.policy[node]
        options = []
        for place, child in enumerate(tree.children(node)):
            moved = reached
            if actor != player:
                moved = {triple: weight * policy[triple[actor], place] for triple, weight in reached.items()}
            options.append(self._walk(child, player, best, moved))
        for hand in options[0]:
            row = [option[hand] for option in options]
            if actor != player:
                values[hand] = sum(row)
            else:
                values[hand] = max(row) if best else sum(p * v for p, v in zip(policy[hand], row, strict=True))
        return values
