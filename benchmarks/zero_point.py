"""The value of a turn in a fixed betting tree: the zero from which a composite strategy's exploitability is counted.

Counterfactual regret minimisation in plain NumPy, with the discounts of Brown & Sandholm 2019, on the cards of a
`CompositeSpot`: the agent has more sizes than it uses anywhere at once, the opponent has its menu. The best responses
to both averages bound the value from both sides. All rivers are solved at once, as the first axis of the arrays.

It is only a zero point. An agent that bets a size that this tree does not have may win a little more than its value.
"""

from dataclasses import dataclass, field

import numpy as np

from benchmarks.composite import AGENT, ALL_IN, OPPONENT, OPPONENT_SIZES, CompositeSpot, Sizes
from holdem.game.hand import Hand
from holdem.util.arrays import Float64

AGENT_SIZES = Sizes(((1 / 3, 0.5, 0.75, 1.0, 1.5, ALL_IN), (0.75, ALL_IN), (ALL_IN,)))
TARGET_PERCENT = 0.1
MOST_ITERATIONS = 3_000
_CHECK_EVERY = 25
_ALPHA, _NEGATIVE, _GAMMA, _FADING = 1.5, 0.1, 4.0, 30


@dataclass(eq=False)
class ZeroNode:
    """A place in the tree. `player` decides, or folded; −1 at a showdown and where the river is dealt.

    amount: what the loser has put in, at an end; regrets, averages: (hands, actions), with rivers as first axis on them
    """

    player: int = -1
    amount: int = 0
    children: list["ZeroNode"] = field(default_factory=list)
    deals: bool = False
    regrets: Float64 = field(default_factory=lambda: np.zeros(0))
    averages: Float64 = field(default_factory=lambda: np.zeros(0))


@dataclass(frozen=True)
class ZeroPoint:
    """Chips that the opponent wins on average beyond half of the pot, exact to `error` chips."""

    value: float
    error: float
    iterations: int


class ZeroSolver:
    """Solves one spot; `sizes` of the agent and of the opponent."""

    def __init__(self, spot: CompositeSpot, sizes: tuple[Sizes, Sizes] = (AGENT_SIZES, OPPONENT_SIZES)) -> None:
        self.spot, self.sizes = spot, sizes
        self.iterations = 0
        self._signs = np.stack([spot.winning[river] for river in spot.rivers]) if spot.rivers else np.zeros((0, 0, 0))
        self._alive = [np.array([spot.alive(p, river) for river in spot.rivers]) for p in (AGENT, OPPONENT)]
        self.root = self._build(spot.hand, False)

    def solve(self, target_percent: float = TARGET_PERCENT) -> ZeroPoint:
        """Iterate until the value is known to so many per cent of the pot."""
        while True:
            found = self._bounds()
            if 100.0 * found.error <= target_percent * self.spot.hand.pot or self.iterations >= MOST_ITERATIONS:
                return found
            for _ in range(_CHECK_EVERY):
                self._iterate()

    def _build(self, hand: Hand, dealt: bool) -> ZeroNode:
        actor = hand.actor
        assert actor is not None
        player = AGENT if actor == self.spot.seat else OPPONENT
        node = ZeroNode(player)
        for action in self.sizes[player].actions(hand):
            after = hand.copy()
            after.act(action)
            lost = hand.contributions[actor]
            node.children.append(ZeroNode(player, lost) if after.is_over else self._after(after, dealt))
        shape = (len(self.spot.hands[player]), len(node.children))
        node.regrets = np.zeros((len(self.spot.rivers), *shape) if dealt else shape)
        node.averages = np.zeros_like(node.regrets)
        return node

    def _after(self, hand: Hand, dealt: bool) -> ZeroNode:
        if hand.actor is not None:
            return self._build(hand, dealt)
        if not hand.awaited_board_cards:
            return ZeroNode(amount=hand.contributions[self.spot.seat])
        hand.deal_board((self.spot.rivers[0],))  # the betting is the same on all of them
        return ZeroNode(children=[self._build(hand, True)], deals=True)

    def _bounds(self) -> ZeroPoint:
        """Both best responses to the averages: the value lies between what one wins and the other does not lose."""
        best = []
        for player in (AGENT, OPPONENT):
            values = self._best(self.root, player, self.spot.reach[1 - player])
            best.append(float(self.spot.reach[player] @ values) / self.spot.deals)
        return ZeroPoint((best[OPPONENT] - best[AGENT]) / 2, (best[OPPONENT] + best[AGENT]) / 2, self.iterations)

    def _iterate(self) -> None:
        done = self.iterations
        power = max(done - 1, 0) ** _ALPHA
        positive = power / (power + 1.0) if done < _FADING else 1.0
        fading = (done / (done + 1.0)) ** _GAMMA
        for player in (AGENT, OPPONENT):
            reach = self.spot.reach
            self._learn(self.root, player, reach[1 - player], reach[player], (positive, fading))
        self.iterations += 1

    def _learn(
        self, node: ZeroNode, player: int, reach: Float64, own: Float64, factors: tuple[float, float]
    ) -> Float64:
        """Values of a player's hands times the other's `reach`; regrets of the player and averages of it learn."""
        if not node.children:
            return self._end(node, player, reach)
        if node.deals:
            by_river = self._alive[1 - player] * reach, self._alive[player] * own
            return self._gathered(player, self._learn(node.children[0], player, *by_river, factors))
        strategy = _matched(node.regrets)
        if node.player != player:
            lower = [
                self._learn(child, player, reach * strategy[..., place], own, factors)
                for place, child in enumerate(node.children)
            ]
            return np.asarray(sum(lower))
        tables = np.stack(
            [
                self._learn(child, player, reach, own * strategy[..., place], factors)
                for place, child in enumerate(node.children)
            ],
            axis=-1,
        )
        values = np.asarray((tables * strategy).sum(axis=-1))
        node.regrets *= np.where(node.regrets > 0.0, factors[0], _NEGATIVE)
        node.regrets += tables - values[..., None]
        node.averages *= factors[1]
        node.averages += own[..., None] * strategy
        return values

    def _best(self, node: ZeroNode, player: int, reach: Float64) -> Float64:
        """Values of a player's best response to the other's averages."""
        if not node.children:
            return self._end(node, player, reach)
        if node.deals:
            return self._gathered(player, self._best(node.children[0], player, self._alive[1 - player] * reach))
        if node.player == player:
            return np.asarray(np.max([self._best(child, player, reach) for child in node.children], axis=0))
        strategy = _matched(node.averages)
        lower = [self._best(child, player, reach * strategy[..., n]) for n, child in enumerate(node.children)]
        return np.asarray(sum(lower))

    def _gathered(self, player: int, values: Float64) -> Float64:
        """Values before the river from those of every river."""
        return np.asarray((values * self._alive[player]).sum(axis=0) / self.spot.river_count)

    def _end(self, node: ZeroNode, player: int, reach: Float64) -> Float64:
        """Values at a fold or a showdown; `reach` has rivers as its first axis if they were dealt."""
        if node.player >= 0:
            meeting = self.spot.meeting.T if player == AGENT else self.spot.meeting
            met = reach @ meeting
            if reach.ndim == 2:
                met *= self._alive[player]
            return np.asarray(met * (-node.amount if node.player == player else node.amount))
        signs = self.spot.winning_here if reach.ndim == 1 else self._signs
        if player == AGENT:
            return np.asarray(node.amount * np.matmul(signs, reach[..., None])[..., 0])
        return np.asarray(-node.amount * np.matmul(reach[..., None, :], signs)[..., 0, :])


def _matched(numbers: Float64) -> Float64:
    """Probabilities in proportion to what is above 0, the same for all where nothing is."""
    above = np.maximum(numbers, 0.0)
    total = above.sum(axis=-1, keepdims=True)
    return np.where(total > 0.0, above / np.where(total > 0.0, total, 1.0), 1.0 / numbers.shape[-1])
