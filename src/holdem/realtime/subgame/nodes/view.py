"""What the player to act does at one node of a solved subgame, hand by hand.

EVs are chips expected from the pot less chips put in from the root on. Frequencies and mean EVs weigh a hand by how
often it comes to the node against a hand that it can meet.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from holdem.cards import Cards, format_cards, hole_cards
from holdem.realtime.subgame.spot import PLAYER_NAMES
from holdem.util.arrays import Float64


@dataclass(frozen=True)
class NodeView:
    """What the player to act does at one node.

    hands: (hands,) hole pairs; weights: (hands,) how often each comes here against hands that it can meet
    strategy, action_values: (hands, actions); NaN values where the opponent never comes here
    """

    path: tuple[str, ...]
    board: Cards
    player: int
    pot: int
    actions: tuple[str, ...]
    hands: npt.NDArray[np.int64]
    weights: Float64
    strategy: Float64
    action_values: Float64

    @property
    def values(self) -> Float64:
        """(hands,) EV of each hand under its own strategy."""
        return np.asarray((self.strategy * self.action_values).sum(axis=1))

    @property
    def frequencies(self) -> dict[str, float]:
        """How often each action is taken, over the whole range."""
        total = max(self.weights.sum(), np.finfo(float).tiny)
        return dict(zip(self.actions, (self.weights @ self.strategy / total).tolist(), strict=True))

    @property
    def expected_value(self) -> float:
        """EV of the player to act over the whole range."""
        live = self.weights > 0
        return float(self.weights[live] @ self.values[live] / self.weights[live].sum()) if live.any() else float("nan")

    @property
    def mean_action_values(self) -> dict[str, float]:
        """EV of each action over the hands that take it."""
        taken = self.weights[:, None] * self.strategy
        with np.errstate(invalid="ignore"):
            means = np.where(taken > 0, taken * self.action_values, 0.0).sum(axis=0) / taken.sum(axis=0)
        return dict(zip(self.actions, means.tolist(), strict=True))

    def to_plain(self) -> dict[str, Any]:
        """Everything as JSON data, by hand."""
        hands = {}
        for i, hand in enumerate(self.hands):
            hands[hand_name(int(hand))] = {
                "weight": float(self.weights[i]),
                "ev": plain_number(self.values[i]),
                "strategy": dict(zip(self.actions, self.strategy[i].tolist(), strict=True)),
                "action_ev": dict(zip(self.actions, map(plain_number, self.action_values[i]), strict=True)),
            }
        return {
            "path": ", ".join(self.path),
            "board": format_cards(self.board, " "),
            "player": PLAYER_NAMES[self.player],
            "pot": self.pot,
            "actions": list(self.actions),
            "frequencies": self.frequencies,
            "ev": plain_number(self.expected_value),
            "ev_of_actions": {name: plain_number(value) for name, value in self.mean_action_values.items()},
            "hands": hands,
        }


def plain_number(value: float) -> float | None:
    """For JSON, which has no NaN."""
    return None if np.isnan(value) else float(value)


def hand_name(hand: int) -> str:
    """`AdKc`: the higher card first."""
    return format_cards(reversed(hole_cards(hand)))
