"""The ranges of a place against each other: equity, and what they are made of on this board."""

from collections.abc import Sequence

import numpy as np

from holdem.blueprint.line_view import LineView, class_means, folded_into, players_left, range_weights
from holdem.blueprint.tree_values import sums_by
from holdem.cards.cards import Cards
from holdem.cards.equity import equities_of_ranges
from holdem.cards.made_hands import DRAW_NAMES, MADE_NAMES, made_hands
from holdem.cards.preflop_equity import preflop_equities
from holdem.cards.ranges import CLASS_NAMES, CLASS_OF_HOLE, CLASS_SIZES, NUM_CLASSES
from holdem.util.arrays import Float64, Int8
from holdem.web.run_folder import RunFolder
from holdem.web.strategy.data import LinePlace, Plain, find_place, shown

_CLASSES = CLASS_OF_HOLE.astype(np.int64)
_RIVER_CARDS = 5


def show_ranges(runs: RunFolder, name: str, line: str) -> Plain:
    """Equity and composition of the ranges at one place."""
    return shown(name, lambda: ranges_at(find_place(runs.policy(name), line)))


def ranges_at(place: LinePlace) -> Plain:
    """By player who is left, the one to act first; equities where two are left and both get here."""
    left, view, why_not = players_left(place.policy, place.node), place.view, why_no_equity(place)
    reach = view.reach if why_not else folded_into(view.reach, left)
    equities = {} if why_not else equities_at(reach, list(left), view.board)
    acting_first = sorted(left, key=lambda position: position != view.position)
    players = [
        _player(view, position, left[position], range_weights(reach, position), equities.get(position))
        for position in acting_first
    ]
    return {"players": players, "why_not": why_not}


def why_no_equity(place: LinePlace) -> str:
    """Why ranges are not set against each other, empty if they are."""
    if len(players_left(place.policy, place.node)) != 2:
        return "equities are shown where two players are left"
    if not place.view.comes_here:
        return "the policy never plays this line, so there are no ranges to compare"
    if len(place.policy.config.ranks) != 13 or place.policy.config.board_cards[-1] != _RIVER_CARDS:
        return "equities are of the game with 52 cards and a board of five"
    return ""


def equities_at(reach: Float64, left: Sequence[int], board: Cards) -> dict[int, Float64]:
    """(1326,) exact equity of each hand of both players against the other's range; NaN where nothing can be met.

    reach: (players, 1326), with what others folded counted in (`folded_into`)
    """
    first, second = (reach[position] / (reach[position].max() or 1.0) for position in left)
    if board:
        found = equities_of_ranges(first, second, board)
    else:
        found = _before_the_flop(second), _before_the_flop(first)
    return dict(zip(left, found, strict=True))


def _before_the_flop(against: Float64) -> Float64:
    """(1326,) from the table of all classes; hands of a class have one weight."""
    table = preflop_equities()
    pairs = table.combinations * (sums_by(_CLASSES, against, NUM_CLASSES) / CLASS_SIZES)
    with np.errstate(invalid="ignore"):
        return np.asarray(((pairs * table.equity).sum(axis=1) / pairs.sum(axis=1))[_CLASSES])


def _player(view: LineView, position: int, name: str, weights: Float64, equities: Float64 | None) -> Plain:
    found: Plain = {"position": name, "acting": position == view.position, "equity": None, "classes": {}}
    if equities is not None:
        means = class_means(equities[:, None], weights)[:, 0]
        known = np.flatnonzero(~np.isnan(means)).tolist()
        found["equity"] = mean_of(equities, weights)
        found["classes"] = {CLASS_NAMES[number]: round(float(means[number]), 4) for number in known}
    return found | composition(view, weights, equities, found["acting"])


def composition(view: LineView, weights: Float64, equities: Float64 | None, acting: bool) -> Plain:
    """What a range is made of: made hands, and before the river draws; the player to act with what it does."""
    if not view.board or not weights.any():
        return {"made": [], "draws": []}
    made, draws = made_hands(_sorted(view.board))
    rows = view.probabilities if acting else None
    drawing = [] if len(view.board) == _RIVER_CARDS else _parts(draws, DRAW_NAMES, weights, equities, rows)
    return {"made": _parts(made, MADE_NAMES, weights, equities, rows), "draws": drawing}


def _parts(
    kinds: Int8, names: Sequence[str], weights: Float64, equities: Float64 | None, rows: Float64 | None
) -> list[Plain]:
    """Kinds that the range has, best first: their share, their equity and, with `rows`, what they do."""
    parts = []
    for kind, name in enumerate(names):
        own = np.where(kinds == kind, weights, 0.0)
        if own.any():
            part: Plain = {"name": name, "share": round(float(own.sum() / weights.sum()), 5)}
            part["equity"] = None if equities is None else mean_of(equities, own)
            part["shares"] = None if rows is None else [mean_of(column, own) for column in rows.T]
            parts.append(part)
    return parts


def mean_of(values: Float64, weights: Float64) -> float | None:
    """The mean by weight over the hands whose value is known, None if there is none."""
    used = (weights > 0.0) & ~np.isnan(values)
    return round(float(values[used] @ weights[used] / weights[used].sum()), 5) if used.any() else None


def _sorted(board: Cards) -> Cards:
    """One order for each board, so that it is looked up once."""
    return tuple(sorted(board))
