"""What each position does before the flop, side by side: opens, and what the big blind does against each of them.

Sizes are put together, so that any tree gives the same picture: fold, call, raise, all-in.
"""

from collections.abc import Mapping
from html import escape
from typing import Any

import numpy as np

from holdem.abstraction.betting.tree import position_names
from holdem.blueprint.colours import ALL_IN, CHECK_OR_CALL, FOLD, RAISES, UNVISITED
from holdem.blueprint.tree_values import sums_by
from holdem.cards.ranges import CLASS_OF_HOLE, NUM_CLASSES
from holdem.evaluation.litmus.spots import LitmusSpot, NotInThisGame, PolicySpots
from holdem.evaluation.report import page as html
from holdem.evaluation.report.bands import band_chart, panels_of
from holdem.evaluation.report.ranges import classes_svg
from holdem.policy.policy import AveragePolicy
from holdem.util.arrays import Float64

KINDS = {"raise": RAISES[2], "all-in": ALL_IN, "call": CHECK_OR_CALL, "fold": FOLD}
"""What is played stands on the left of a cell; in the order of the legend."""

OPENS = "folds to {position}"
DEFENCES = "folds to {position}, any raise, folds to BB"


def positions_section(policy: AveragePolicy, litmus: Mapping[str, Any] | None) -> str:
    """The shares of litmus with their bands, and small grids by position; nothing for two players."""
    if policy.config.num_players < 3:
        return ""
    panels = panels_of(litmus)
    spots = PolicySpots(policy)
    opens, defences = (
        _grids(spots, OPENS, "{position} plays {share}"),
        _grids(spots, DEFENCES, "against {position}: {share}"),
    )
    parts = []
    if panels:
        parts += [
            html.paragraph(
                "How much of its range a position plays, in per cent of all hands. The grey band is what common charts "
                "for 100 big blinds have, the light edge the slack of the check; a bar in red ends outside of both."
            ),
            html.figure(band_chart(panels), "Shares by position"),
        ]
    parts += [_row_of_grids("First in, everybody before having folded", opens)] if opens else []
    parts += (
        [_row_of_grids("The big blind against an open, everybody else having folded", defences)] if defences else []
    )
    return html.section("Before the flop, by position", *parts, _legend(opens + defences)) if parts else ""


def kinds_by_class(spot: LitmusSpot) -> tuple[Float64, Float64]:
    """(169, kinds) how often each class takes each kind of action, and (169,) the share of it that is known."""
    shares = {kind: _frequency(spot, kind) for kind in KINDS}
    shares["raise"] = shares["raise"] - shares["all-in"]
    classes = CLASS_OF_HOLE.astype(np.int64)
    known = spot.visited.astype(np.float64)
    hands, counted = (sums_by(classes, held, NUM_CLASSES) for held in (spot.possible.astype(np.float64), known))
    with np.errstate(invalid="ignore"):
        rows = [sums_by(classes, known * np.nan_to_num(share), NUM_CLASSES) / counted for share in shares.values()]
        return np.stack(rows, axis=1), np.asarray(counted / hands)


def _frequency(spot: LitmusSpot, kind: str) -> Float64:
    try:
        return spot.frequency(kind)
    except NotInThisGame:
        return np.zeros(len(spot.possible))


def _grids(spots: PolicySpots, line: str, title: str) -> list[str]:
    names = position_names(spots.policy.config)
    figures = []
    for position in (*names[2:], names[0]):
        try:
            spot = spots.at(line.replace("{position}", position))
        except NotInThisGame:
            continue
        figures.append(_grid(spot, title.replace("{position}", position)))
    return figures


def _grid(spot: LitmusSpot, title: str) -> str:
    rows, known = kinds_by_class(spot)
    shares = {kind: _mean(_frequency(spot, kind)) for kind in ("raise", "call", "fold")}
    if spot.visited.any():
        played, aside = (
            f"{100 * (1 - shares['fold']):.1f} %",
            ", ".join(f"{kind} {100 * shares[kind]:.1f} %" for kind in ("raise", "call") if shares[kind] > 0.0005),
        )
    else:
        played, aside = "?", "never visited"
    caption = f"<b>{escape(title.replace('{share}', played))}</b><span>{escape(aside)}</span>"
    picture = classes_svg(tuple(KINDS), tuple(KINDS.values()), rows, known, names=False)
    return f"<figure><figcaption>{caption}</figcaption>\n{picture}</figure>"


def _mean(frequency: Float64) -> float:
    known = frequency[~np.isnan(frequency)]
    return float(known.mean()) if len(known) else 0.0


def _row_of_grids(title: str, figures: list[str]) -> str:
    columns = max(3, len(figures))
    return (
        f'<h3>{escape(title)}</h3>\n<div class="smalls" style="--columns: {columns}">' + "\n".join(figures) + "</div>"
    )


def _legend(figures: list[str]) -> str:
    entries = dict(KINDS)
    if any(UNVISITED in figure for figure in figures):
        entries["never visited in training"] = UNVISITED
    words = (f'<span><i style="background:{colour}"></i>{escape(name)}</span>' for name, colour in entries.items())
    return f'<div class="legend">{"".join(words)}</div>'
