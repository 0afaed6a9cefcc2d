"""Asking a solved subgame: values and exploitability of the whole, and what every hand does at any node.

EVs are chips expected from the pot less chips put in from the root on, so the two players' EVs add up to the pot.
"""

import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from holdem.cards import NUM_HOLE_PAIRS, format_cards, hole_cards
from holdem.cards.cards import HOLE_CARDS
from holdem.cards.ranges import opposing_weight
from holdem.realtime.subgame.boards import renamed_holes
from holdem.realtime.subgame.deals import Hands
from holdem.realtime.subgame.loop import SolveResult
from holdem.realtime.subgame.nodes.path import Place, find_decision, parse_path
from holdem.realtime.subgame.nodes.view import NodeView, hand_name, plain_number
from holdem.realtime.subgame.solver import SubgameSolver
from holdem.realtime.subgame.spot import PLAYER_NAMES, Spot
from holdem.util.arrays import Float64


class Solution:
    """A solved spot; asking does not change it."""

    def __init__(self, solver: SubgameSolver, result: SolveResult) -> None:
        self.solver = solver
        self.result = result

    @property
    def spot(self) -> Spot:
        """The spot that was solved."""
        return self.solver.spot

    def go_on(
        self,
        *,
        target_percent: float | None = None,
        time_budget_ms: float | None = None,
        max_iterations: int | None = None,
        stop: Callable[[], bool] = lambda: False,
    ) -> "Solution":
        """The same spot solved further; iterations and seconds count from the first solve on."""
        more = self.solver.solve(
            target_percent=target_percent,
            deadline=None if time_budget_ms is None else time.monotonic() + time_budget_ms / 1000.0,
            max_iterations=max_iterations,
            stop=stop,
        )
        seconds = self.result.seconds + more.seconds
        return Solution(self.solver, replace(more, iterations=self.solver.iterations, seconds=seconds))

    @cached_property
    def expected_values(self) -> tuple[float, float]:
        """EV of oop and ip."""
        return self.solver.expected_values()

    @cached_property
    def exploitability(self) -> float:
        """In chips, by an exact best response."""
        return self.solver.exploitability()

    @property
    def exploitability_percent(self) -> float:
        """In per cent of the pot."""
        return 100.0 * self.exploitability / self.spot.pot

    def strategy(self, path: str | tuple[str, ...] | Place = "") -> tuple[tuple[str, ...], Float64]:
        """Actions at a node and (1326, actions) probabilities, zero for hands outside the range; no values computed."""
        place = path if isinstance(path, Place) else self._decision(path)
        player = self.solver.tree.nodes[place.node].player
        rows = np.zeros((NUM_HOLE_PAIRS, len(self.solver.tree.nodes[place.node].actions)))
        rows[self._actual_hands(place, player)] = self.solver.average_strategy(place.node, place.level, place.board)
        return self.solver.tree.nodes[place.node].actions, rows

    def best_values(self, path: str | tuple[str, ...]) -> Float64:
        """(hands,) EV of the hands of `node(path)`, on the first street, if they play a best response from there on."""
        place = self._decision(path)
        player = self.solver.tree.nodes[place.node].player
        meeting = _opposing(self.solver.hands, self._reaches(place), player)
        with np.errstate(divide="ignore", invalid="ignore"):
            values = np.where(meeting > 0, self.solver.best_values(place) / meeting, np.nan)
        order = np.argsort(-self._actual_hands(place, player))
        return np.asarray((values + self.spot.pot / 2 + self.spot.bets[player])[order])

    def node(self, path: str | tuple[str, ...] = "") -> NodeView:
        """All about one decision: `solution.node("bet 45, call, 5h")`."""
        place = self._decision(path)
        solver, node = self.solver, self.solver.tree.nodes[place.node]
        player = node.player
        reach = self._reaches(place)
        meeting = _opposing(solver.hands, reach, player)
        counterfactual = solver.action_values(place)
        with np.errstate(divide="ignore", invalid="ignore"):
            values = np.where(meeting[:, None] > 0, counterfactual / meeting[:, None], np.nan)
        hands = self._actual_hands(place, player)
        order = np.argsort(-hands)
        return NodeView(
            path=parse_path(path) if isinstance(path, str) else path,
            board=(*self.spot.board, *place.dealt),
            player=player,
            pot=self.spot.pot + sum(node.chips_in),
            actions=node.actions,
            hands=hands[order],
            weights=(reach[player] * meeting)[order],
            strategy=solver.average_strategy(place.node, place.level, place.board)[order],
            action_values=(values + self.spot.pot / 2 + self.spot.bets[player])[order],
        )

    def reach(self, place: Place) -> Float64:
        """(2, 1326) range weight times the chance of the own actions on the way, for oop and ip."""
        reach = np.zeros((2, NUM_HOLE_PAIRS))
        for player, own in enumerate(self._reaches(place)):
            reach[player, self._actual_hands(place, player)] = own
        return reach

    def _decision(self, path: str | tuple[str, ...]) -> Place:
        labels = parse_path(path) if isinstance(path, str) else path
        return find_decision(self.solver.tree, self.solver.boards, labels)

    def _actual_hands(self, place: Place, player: int) -> npt.NDArray[np.int64]:
        return renamed_holes(place.renaming)[self.solver.hands[player]]

    def _reaches(self, place: Place) -> list[Float64]:
        """Range weight times the probability of its own actions on the way, for both players' hands."""
        solver = self.solver
        reach = [weights[hands] for weights, hands in zip(solver.spot.ranges, solver.hands, strict=True)]
        for node, level, board, action in place.steps:
            strategy = solver.average_strategy(node, level, board)
            reach[solver.tree.nodes[node].player] *= strategy[:, action]
        dealt = solver.boards.boards[place.board].dealt
        for player in (0, 1):
            reach[player][np.isin(HOLE_CARDS[solver.hands[player]], dealt).any(axis=1)] = 0.0
        return reach

    def to_plain(self) -> dict[str, Any]:
        """The figures of the whole, with the field names of the reference file."""
        root = self.node()
        other = self.solver.hand_values(1 - root.player)
        values = {root.player: dict(zip(root.hands.tolist(), root.values, strict=True)), 1 - root.player: other}
        content: dict[str, Any] = {
            "id": self.spot.id,
            "ev_oop": self.expected_values[0],
            "ev_ip": self.expected_values[1],
            "exploitability_percent_of_pot": self.exploitability_percent,
            "root_frequencies": root.frequencies,
        }
        for player, name in enumerate(PLAYER_NAMES):
            given = self._given_names(name)
            evs = {_spelling(hand, given): plain_number(ev) for hand, ev in values[player].items()}
            content[f"ev_of_hands_{name}"] = evs
        return {**content, "iterations": self.result.iterations, "seconds": self.result.seconds}

    def _given_names(self, player: str) -> Collection[str]:
        """The names of hands in the spot's own reference values, if it has any."""
        reference = self.spot.plain.get("reference")
        given = reference.get(f"ev_of_hands_{player}") if isinstance(reference, Mapping) else None
        return given if isinstance(given, Mapping) else ()


def _spelling(hand: int, given: Collection[str]) -> str:
    """A hand as the reference values spell it (`AcAd` or `AdAc`), so that the two can be compared."""
    lower_first = format_cards(hole_cards(hand))
    return lower_first if lower_first in given else hand_name(hand)


def _opposing(hands: Hands, reach: list[Float64], player: int) -> Float64:
    """(hands of player,) reach of the opponent's hands that share no card with the hand."""
    weights = np.zeros(NUM_HOLE_PAIRS)
    weights[hands[1 - player]] = reach[1 - player]
    return opposing_weight(weights)[hands[player]]
