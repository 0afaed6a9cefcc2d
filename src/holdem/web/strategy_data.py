"""What the strategy page shows: the betting up to a decision, what can be done there, and what every hand does.

A place in the tree is a line of betting with its board (`betting_line`), so that it can be typed, kept as an address
and shown with `holdem show` as it is.
"""

import json
from itertools import pairwise
from typing import Any

from holdem.abstraction.betting.line import format_line, parse_line
from holdem.abstraction.betting.tree import BettingTree, NodeKind
from holdem.blueprint.colours import action_colours
from holdem.blueprint.small_game_view import SmallGameView, view_small_game
from holdem.blueprint.view import StrategyView, summarise, view_strategy
from holdem.cards.cards import HOLE_CARDS, Cards, format_cards
from holdem.cards.ranges import CLASS_NAMES, CLASS_OF_HOLE
from holdem.errors import ArtifactError, HoldemError
from holdem.policy.policy import AveragePolicy
from holdem.util.logs import LOGGER
from holdem.web.run_folder import OpenPolicy, RunFolder

Plain = dict[str, Any]


def show_strategy(runs: RunFolder, name: str, line: str) -> Plain:
    """One place of a policy by its name; ArtifactError if the policy does not hold what it should."""
    opened = runs.policy(name)
    try:
        found = strategy_at(opened, line)
        json.dumps(found, allow_nan=False)
    except HoldemError:
        raise
    except Exception as error:  # files of others can be wrong in any way; only this policy cannot be shown
        LOGGER.warning("the policy %r cannot be shown", name, exc_info=error)
        raise ArtifactError(f"the policy {name!r:.100} cannot be shown ({error}); choose another one") from None
    return found


def strategy_at(opened: OpenPolicy, line: str) -> Plain:
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
    view: SmallGameView | StrategyView
    if policy.config.variant != "holdem":
        view = view_small_game(policy, node)
    else:
        view = view_strategy(policy, node, board, opened.buckets(board) if board else None)
        place |= {"unvisited": int((view.possible & ~view.visited).sum()), "hands": _hands(view)}
    colours = action_colours(view.summary.actions)
    return {**view.to_plain(), **place, "turn": view.summary.turn, "colours": colours}


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
    due = tree.config.board_cards[int(tree.street[child])] if tree.config.variant == "holdem" and decides else 0
    known = board[:due]
    line = format_line(tree, child, known) if decides else tree.describe(child)
    return {
        "action": tree.describe_action(child),
        "taken": taken,
        "over": not decides,
        "line": line,
        "cards": due - len(known),
        "known": format_cards(known),
    }


def _hands(view: StrategyView) -> dict[str, list[Plain]] | None:
    """After the flop, hands of a class differ: each with its probabilities in the order of the actions."""
    if not view.board:
        return None
    hands: dict[str, list[Plain]] = {}
    for number in view.possible.nonzero()[0].tolist():
        name = CLASS_NAMES[int(CLASS_OF_HOLE[number])]
        row = [round(float(share), 4) for share in view.probabilities[number]]
        cards = format_cards(sorted(HOLE_CARDS[number].tolist(), reverse=True))
        hands.setdefault(name, []).append({"cards": cards, "row": row, "visited": bool(view.visited[number])})
    return hands
