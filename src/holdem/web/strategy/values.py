"""What actions are worth at a place, on demand: exact where no other street follows, drawn elsewhere.

The figures are of the average policy against itself. Those that nothing trained stands behind are left out
(`blueprint/class_worth.py`). Where a class would clearly win more with one action alone than with what it does, the
answer says how much: a trained policy is no equilibrium.
"""

import threading
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from holdem.blueprint.agent import BlueprintAgent
from holdem.blueprint.class_worth import ClassWorth, defended_actions
from holdem.blueprint.shared_policies import shared_buckets
from holdem.blueprint.street_worth import street_worth
from holdem.cards.ranges import CLASS_NAMES
from holdem.errors import ConfigError
from holdem.table.advice.class_rollouts import ClassRollouts
from holdem.table.advice.recommendation import CLEAR_ERRORS, SMALLEST_LOSS
from holdem.table.advice.rollout_tables import RolloutTables
from holdem.util.arrays import Float64
from holdem.web.run_folder import OpenPolicy, RunFolder
from holdem.web.strategy.data import LinePlace, Plain, find_place, shown

SECONDS = 2.0
"""Of drawing."""
MOST_AT_ONCE = 2
_PLACES = threading.BoundedSemaphore(MOST_AT_ONCE)


def show_values(runs: RunFolder, name: str, line: str) -> Plain:
    """What the actions of one place are worth by class, in big blinds (chips where there are none)."""
    if not _PLACES.acquire(blocking=False):
        raise ConfigError(f"values of {MOST_AT_ONCE} places are being computed already; try again in some seconds")
    try:
        return shown(name, lambda: _values_at(runs.policy(name), line))
    finally:
        _PLACES.release()


def _values_at(opened: OpenPolicy, line: str) -> Plain:
    place = find_place(opened, line)
    if not place.view.comes_here:
        raise ConfigError("the policy never plays this line, so nobody has a hand here that could be worth something")
    visited = place.view.class_visited() > 0.0
    defended = defended_actions(place.policy.tree, place.node, place.view)
    drawn = worth_at(place)
    worth = drawn.only(defended, visited)
    unit = float(place.policy.config.big_blind or 1)
    weights = place.view.class_weights()
    given_up = np.where(visited, clearly_given_up(drawn, defended, place.view.class_probabilities(), unit), np.nan)
    return {
        "words": worth.words,
        "unit": "bb" if place.policy.config.big_blind else "chips",
        **_total(worth, given_up, weights, unit),
        "actions": list(place.view.summary.actions),
        "classes": {
            CLASS_NAMES[number]: {
                "ev": _known([worth.means[number] / unit])[0],
                "error": _known([worth.mean_errors[number] / unit])[0],
                "given_up": _known([given_up[number] / unit])[0],
                "evs": _known(worth.evs[number] / unit),
                "errors": _known(worth.errors[number] / unit),
            }
            for number in np.flatnonzero(weights > 0.0).tolist()
        },
    }


def clearly_given_up(worth: ClassWorth, defended: npt.NDArray[np.bool_], taken: Float64, unit: float = 1.0) -> Float64:
    """(169,) chips that the policy's own mixture gives up beyond chance; NaN where that is not clear."""
    lost, error = worth.given_up(defended, taken)
    return np.where(lost > np.fmax(CLEAR_ERRORS * error, SMALLEST_LOSS * unit), lost, np.nan)


def _total(worth: ClassWorth, given_up: Float64, weights: Float64, unit: float) -> Plain:
    """The mean over the classes of the range that have one, its error, what they clearly give up, and the share of the
    range that has no figure."""
    unknown = np.isnan(worth.means)
    known = np.where(unknown, 0.0, weights)
    share = float(known.sum()) * unit or np.nan
    ev = float(known @ np.nan_to_num(worth.means)) / share
    error = float(np.sqrt(np.sum((known * np.nan_to_num(worth.mean_errors)) ** 2))) / share
    lost = float(known @ np.nan_to_num(given_up)) / share
    left_out = float(weights[unknown].sum())
    figures = {"ev": ev, "error": error, "given_up": lost}
    return {name: _known([figure])[0] for name, figure in figures.items()} | {"left_out": round(left_out, 6)}


def worth_at(place: LinePlace, seconds: float = SECONDS) -> ClassWorth:
    """The figures of every action, whether they can be defended or not."""
    policy, view = place.policy, place.view
    buckets = shared_buckets(policy)
    exact = street_worth(policy, place.node, view, buckets.of_holes(place.board))
    if exact is not None:
        return exact
    blueprint = BlueprintAgent(policy, "strategy page", buckets)
    rollouts = ClassRollouts(blueprint)
    if rollouts.lacks_tables and RolloutTables.of(blueprint) is not None:
        raise ConfigError(f"{rollouts.why_not} and are being built: ask again in a minute")
    if rollouts.why_not:
        raise ConfigError(f"what actions are worth cannot be drawn: {rollouts.why_not}")
    return rollouts.worth_by_class(place.node, view, seconds)


def _known(figures: Iterable[float]) -> list[float | None]:
    """Figures to four digits behind the point, None where there is none."""
    return [None if np.isnan(figure) else round(float(figure), 4) for figure in figures]
