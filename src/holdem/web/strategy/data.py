"""What the strategy page shows: the betting up to a decision, what can be done there, and what every hand does.

A place in the tree is a line of betting with its board (`betting_line`), so that it can be typed, kept as an address
and shown with `holdem show` as it is. Hands count by how they get there, or all alike (`--reach`, `--no-reach`).
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from math import isnan
from typing import Any
from urllib.parse import urlencode

from holdem.abstraction.betting.line import format_line, parse_line
from holdem.abstraction.betting.tree import BettingTree, NodeKind
from holdem.blueprint.colours import action_colours
from holdem.blueprint.line_view import LineView, class_means, players_left, view_line
from holdem.blueprint.small_game_view import view_small_game
from holdem.blueprint.view import summarise
from holdem.cards.cards import HOLE_CARDS, Cards, format_cards
from holdem.cards.ranges import CLASS_NAMES, CLASS_OF_HOLE
from holdem.errors import ArtifactError, ConfigError, HoldemError
from holdem.policy.policy import AveragePolicy
from holdem.util.logs import LOGGER
from holdem.web.run_folder import OpenPolicy, RunFolder

Plain = dict[str, Any]


@dataclass(frozen=True)
class LinePlace:
    """A decision of a hold'em policy on its board."""

    opened: OpenPolicy
    node: int
    board: Cards
    view: LineView

    @property
    def policy(self) -> AveragePolicy:
        return self.opened.policy


def show_strategy(runs: RunFolder, name: str, line: str, reach: bool = True) -> Plain:
    """One place of a policy by its name; ArtifactError if the policy does not hold what it should."""
    return shown(name, lambda: strategy_at(runs.policy(name), line, reach, name))


def shown(name: str, look: Callable[[], Plain]) -> Plain:
    """What a look at a policy finds, as it can be sent."""
    try:
        found = look()
        json.dumps(found, allow_nan=False)
    except HoldemError:
        raise
    except Exception as error:  # files of others can be wrong in any way; only this policy cannot be shown
        LOGGER.warning("the policy %r cannot be shown", name, exc_info=error)
        raise ArtifactError(f"the policy {name!r:.100} cannot be shown ({error}); choose another one") from None
    return found


def find_place(opened: OpenPolicy, line: str) -> LinePlace:
    """The decision at the end of a line, ConfigError where the game has no grid."""
    policy = opened.policy
    if policy.config.variant != "holdem":
        raise ConfigError(f"{policy.config.name} has no ranges of hole pairs; its information states are all there is")
    where = parse_line(policy.tree, line, nearest=True)
    return LinePlace(opened, where.node, where.board, _view(opened, where.node, where.board))


def strategy_at(opened: OpenPolicy, line: str, reach: bool = True, name: str = "") -> Plain:
    """Everything about one place; where the hand is over, only the way there."""
    policy, tree = opened.policy, opened.policy.tree
    where = parse_line(tree, line, nearest=True)
    node, board = where.node, where.board
    place: Plain = {
        "game": policy.config.name,
        "iterations": policy.info.iterations,
        "line": format_line(tree, node, board).strip(),
        "board": format_cards(board),
        "replaced": list(where.replaced),
        "steps": [_step(policy, before, after, board) for before, after in pairwise(tree.path(node))],
        "over": bool(tree.kind[node] != NodeKind.DECISION),
    }
    if place["over"]:
        return place
    place["steps"].append(_step(policy, node, None, board))
    if policy.config.variant != "holdem":
        small = view_small_game(policy, node)
        colours = action_colours(small.summary.actions)
        return {**small.to_plain(), **place, "turn": small.summary.turn, "colours": colours}
    view = _view(opened, node, board)
    return {
        **(view if reach else view.alike()).to_plain(),
        **place,
        "turn": view.summary.turn,
        "colours": action_colours(view.summary.actions),
        "weighed": reach and view.is_weighed,
        "unvisited": int((view.possible & ~view.visited).sum()),
        "hands": _hands(view),
        "players": _players(policy, node, view),
        "solve": _solve_address(policy, node, name, place["line"]),
    }


def _view(opened: OpenPolicy, node: int, board: Cards) -> LineView:
    """Buckets before the flop are classes, for which no bucket tables are opened."""
    look_up = opened.buckets if board else None
    return view_line(opened.policy, node, board, look_up)


def _players(policy: AveragePolicy, node: int, view: LineView) -> list[Plain]:
    """The ranges of those who are left, whoever acts first: the chance of each class to get here."""
    found = []
    for position, name in players_left(policy, node).items():
        means = class_means(view.reach[position, :, None], view.possible)[:, 0].tolist()
        found.append(
            {
                "position": name,
                "acting": position == view.position,
                "reach": float(view.reach[position, view.possible].mean()),
                "classes": {CLASS_NAMES[n]: round(mean, 5) for n, mean in enumerate(means) if not isnan(mean)},
            }
        )
    return sorted(found, key=lambda player: not player["acting"])


def _solve_address(policy: AveragePolicy, node: int, name: str, line: str) -> str | None:
    """Where this spot can be solved: from the flop on, with two players left and the whole deck."""
    left = players_left(policy, node)
    if not policy.config.has_whole_deck or policy.tree.street[node] == 0 or len(left) != 2:
        return None
    return f"/solve?{urlencode({'policy': name, 'line': line})}"


def _step(policy: AveragePolicy, node: int, taken: int | None, board: Cards) -> Plain:
    tree = policy.tree
    known = board[: tree.config.board_cards[int(tree.street[node])]]
    summary = summarise(policy, node, known)
    actions = [_action(tree, child, board, child == taken) for child in tree.children(node)]
    return {
        "position": summary.position,
        "street": summary.street,
        "board": format_cards(known),
        "pot": summary.pot,
        "actions": actions,
    }


def _action(tree: BettingTree, child: int, board: Cards, taken: bool) -> Plain:
    """An action and the line behind it, with the board cards that are known; `cards` more have to be chosen."""
    decides = tree.kind[child] == NodeKind.DECISION
    due = tree.config.board_cards[int(tree.street[child])] if tree.config.variant == "holdem" else 0
    known = board[:due]
    return {
        "action": tree.describe_action(child),
        "taken": taken,
        "over": not decides,
        "line": format_line(tree, child, known),
        "cards": due - len(known) if decides else 0,
        "known": format_cards(known),
    }


def _hands(view: LineView) -> dict[str, list[Plain]] | None:
    """After the flop, hands of a class differ: each with its probabilities in the order of the actions."""
    if not view.board:
        return None
    hands: dict[str, list[Plain]] = {}
    for number in view.possible.nonzero()[0].tolist():
        hands.setdefault(CLASS_NAMES[int(CLASS_OF_HOLE[number])], []).append(
            {
                "cards": format_cards(sorted(HOLE_CARDS[number].tolist(), reverse=True)),
                "row": [round(float(share), 4) for share in view.probabilities[number]],
                "visited": bool(view.visited[number]),
                "reach": round(float(view.reach[view.position, number]), 4),
            }
        )
    return hands
