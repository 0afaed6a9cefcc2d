"""Locked nodes: a player whose strategy somewhere is given, and everybody else solves against it.

In a spot file, `locks` is a list of such objects:

    {"node": "bet 45", "strategy": {"Fold": 0.3, "Call": 0.7}, "hands": {"AA, AKs": {"Call": 1}}}

`strategy` is for all hands, `hands` for the ranges named there; without a `strategy` only these are locked. A dealt
card in the path may be `*`, any card. On the command line the same is `bet 45: Fold 0.3, Call 0.7`.
"""

from collections import deque
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from holdem.cards import Range, format_card
from holdem.cards.cards import NUM_CARDS
from holdem.errors import ConfigError
from holdem.realtime.subgame.nodes.path import Place, action_number, find_place, parse_path
from holdem.realtime.subgame.solver import SubgameSolver
from holdem.realtime.subgame.tree import SubgameNodeKind
from holdem.util.arrays import Float64

LARGEST_SHARE = 1e6
"""Shares are weights, such as 0.3, 30 or a count of hands; their sum must stay a number."""


def parse_lock(text: str) -> dict[str, Any]:
    """A lock as typed: `bet 45: Fold 0.3, Call 0.7`; an empty path before the colon is the root."""
    path, colon, rest = text.partition(":")
    shares: dict[str, float] = {}
    for part in rest.split(","):
        name, _, share = part.strip().rpartition(" ")
        try:
            shares[name.strip()] = float(share)
        except ValueError:
            colon = ""
    if not colon or not shares:
        raise ConfigError(f"the lock {text!r} is not understood; write a path and shares: bet 45: Fold 0.3, Call 0.7")
    return {"node": path.strip(), "strategy": shares}


def apply_locks(solver: SubgameSolver) -> None:
    """Lock the strategies that the solver's spot names; call it after `allocate` and before `solve`."""
    for place, rows in _locked(solver):
        solver.lock(place.node, rows, place.level, place.board, np.asarray(rows.any(axis=1)))


def check_locks(solver: SubgameSolver) -> None:
    """Refuse what `apply_locks` would refuse, before anything is allocated."""
    deque(_locked(solver), maxlen=0)


def _locked(solver: SubgameSolver) -> Iterator[tuple[Place, Float64]]:
    """Every locked node with its (hands, actions) strategy; rows of hands that are free are zeros."""
    for lock in solver.spot.locks:
        if not isinstance(lock, Mapping) or set(lock) - {"node", "strategy", "hands"}:
            raise ConfigError(f"a lock has node, strategy and hands, and {lock!r} is something else")
        if not lock.get("strategy") and not lock.get("hands"):
            raise ConfigError(f"the lock {dict(lock)} fixes nothing; give it a strategy, or hands with theirs")
        places = list(_places(solver, str(lock.get("node", ""))))
        rows = _rows(solver, places[0].node, lock)  # cards change the board and not the node
        yield from ((place, rows) for place in places)


def _places(solver: SubgameSolver, path: str) -> Iterator[Place]:
    """All nodes that a path with `*` for cards stands for."""
    before, star, after = path.partition("*")
    if not star:
        yield find_place(solver.tree, solver.boards, parse_path(path))
        return
    taken = {*solver.spot.board, *find_place(solver.tree, solver.boards, parse_path(before)).dealt}
    for card in range(NUM_CARDS):
        if card not in taken:
            yield from _places(solver, before + format_card(card) + after)


def _rows(solver: SubgameSolver, number: int, lock: Mapping[str, Any]) -> Float64:
    node = solver.tree.nodes[number]
    if node.kind != SubgameNodeKind.DECISION:
        raise ConfigError(f"nobody decides at {lock.get('node')!r}, so nothing can be locked there")
    hands = solver.hands[node.player]
    rows = np.zeros((len(hands), len(node.actions)))
    if lock.get("strategy"):
        rows[:] = _shares(node.actions, lock["strategy"])
    hands_locked = lock.get("hands") or {}
    if not isinstance(hands_locked, Mapping):
        raise ConfigError(f"the hands of a lock are ranges with strategies, and {hands_locked!r} is something else")
    for text, strategy in hands_locked.items():
        rows[Range.parse(text).weights[hands] > 0] = _shares(node.actions, strategy)
    return rows


def _shares(actions: tuple[str, ...], strategy: Mapping[str, float]) -> Float64:
    shares = np.zeros(len(actions))
    if not isinstance(strategy, Mapping):
        raise ConfigError(f'a locked strategy is actions with shares, such as {{"Fold": 1}}, and not {strategy!r}')
    for name, share in strategy.items():
        if not isinstance(share, int | float) or not 0 <= share <= LARGEST_SHARE:
            raise ConfigError(f"the share of {name!r} is {share!r}; it must be a number from 0 to {LARGEST_SHARE:,.0f}")
        shares[action_number(actions, ", ".join(parse_path(name)))] += share
    if shares.sum() <= 0:
        raise ConfigError(f"the locked strategy {dict(strategy)} plays nothing; give some action a share above 0")
    return np.asarray(shares / shares.sum())
