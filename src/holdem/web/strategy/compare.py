"""Two policies at one line of betting: what each class does otherwise, and one figure for all of it.

Actions are matched by their words; a size that only one policy has counts as never taken by the other. The distance of
two mixtures is the total variation: half the sum of what their shares differ by, 0 for the same and 1 for nothing in
common. The figure is its mean over hands, weighed by how they get there, half by one policy and half by the other.
Hands that the training of either policy never came with are left out: what is in their rows is a guess.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from holdem.blueprint.line_view import LineView, class_means
from holdem.blueprint.tree_values import sums_by
from holdem.cards.ranges import CLASS_NAMES, CLASS_OF_HOLE, NUM_CLASSES
from holdem.errors import HoldemError
from holdem.types import GameConfig
from holdem.util.arrays import Float64
from holdem.web.run_folder import RunFolder
from holdem.web.strategy.data import LinePlace, Plain, find_place, shown, strategy_at

MOST_LISTED = 15
_CLASSES = CLASS_OF_HOLE.astype(np.int64)


def show_comparison(runs: RunFolder, name: str, other: str, line: str, reach: bool = True) -> Plain:
    """The place of one policy, the nearest of the other, and how they differ, or a sentence why nothing is compared."""
    here = shown(name, lambda: strategy_at(runs.policy(name), line, reach, name))
    found: Plain = {"here": here, "there": None, "difference": None, "why_not": "", "remark": ""}
    opened = runs.policy(other)
    try:
        found["there"] = shown(other, lambda: strategy_at(opened, here["line"], reach, other))
    except HoldemError as error:
        return {**found, "why_not": f"{other} has no such place: {error}"}
    found["why_not"] = why_not_comparable(here, found["there"])
    if not found["why_not"]:
        found["remark"] = game_remark(runs.policy(name).policy.config, opened.policy.config)
        one, another = (find_place(policy, here["line"]) for policy in (runs.policy(name), opened))
        found["difference"] = shown(other, lambda: difference(one, another, reach))
    return found


def why_not_comparable(here: Plain, there: Plain) -> str:
    """Why two places cannot be compared, empty if they can."""
    if here["over"] or there["over"]:
        return "the hand is over here" + ("" if there["over"] else " in the first run, and goes on in the other")
    if "classes" not in here or "classes" not in there:
        return "only grids of hold'em hands are compared; choose two runs of hold'em"
    if (here["position"], here["street"]) != (there["position"], there["street"]):
        return f"{here['turn']} in one run, {there['turn']} in the other; choose a line that both games have"
    return ""


def game_remark(here: GameConfig, there: GameConfig) -> str:
    """A sentence where two policies were trained for different games: part of what differs is due to that."""
    pairs = zip(_game_words(here), _game_words(there), strict=True)
    found = [f"{one} and {other}" for one, other in pairs if one != other]
    return (
        f"the two were trained for different games ({', '.join(found)}), which also makes a difference" if found else ""
    )


def _game_words(config: GameConfig) -> list[str]:
    stacks = sorted({f"{stack / config.big_blind:g}" for stack in config.starting_stacks})
    return [f"{'/'.join(stacks)} bb", f"blinds {config.small_blind}/{config.big_blind}", f"ante {config.ante}"]


def difference(here: LinePlace, there: LinePlace, reach: bool = True) -> Plain:
    """How the second policy differs from the first, class by class and as one figure."""
    pair = MatchedPair(here.view, there.view, reach)
    distances, changes, weights = pair.class_distances(), pair.class_changes(), pair.class_weights()
    compared = np.flatnonzero(~np.isnan(distances))
    guessed = np.flatnonzero(
        np.isnan(distances) & ~np.isnan(class_means(np.ones((len(pair.both), 1)), pair.both)[:, 0])
    )
    order = sorted(compared.tolist(), key=lambda number: -float(weights[number] * distances[number]))
    return {
        "actions": [{"action": action, "only": pair.only(action)} for action in pair.actions],
        "distance": pair.distance(),
        "left_out": round(pair.left_out(), 6),
        "changes": _rounded(pair.changes()),
        "classes": {
            CLASS_NAMES[number]: {
                "distance": round(float(distances[number]), 4),
                "weight": round(float(weights[number]), 6),
                "changes": _rounded(changes[number]),
                "largest": int(np.abs(changes[number]).argmax()),
                "bolder": round(pair.bolder(changes[number]), 4),
            }
            for number in compared.tolist()
        },
        "unvisited": {CLASS_NAMES[number]: round(float(weights[number]), 6) for number in guessed.tolist()},
        "most": [CLASS_NAMES[number] for number in order[:MOST_LISTED] if weights[number] * distances[number] > 0.0],
    }


@dataclass(frozen=True)
class MatchedPair:
    """Two views of one line, their actions matched by words."""

    here: LineView
    there: LineView
    reach: bool = True

    @property
    def actions(self) -> list[str]:
        """Of both: the first one's in their order, then those that only the other has."""
        return list(dict.fromkeys((*self.here.summary.actions, *self.there.summary.actions)))

    def only(self, action: str) -> str:
        """Which of the two has an action alone: `here`, `there` or neither."""
        one, other = action in self.here.summary.actions, action in self.there.summary.actions
        return "" if one and other else "here" if one else "there"

    def rows(self, view: LineView) -> Float64:
        """(1326, actions of both)."""
        own = dict(zip(view.summary.actions, view.probabilities.T, strict=True))
        nothing = np.where(view.possible, 0.0, np.nan)
        return np.stack([own.get(action, nothing) for action in self.actions], axis=1)

    @property
    def both(self) -> npt.NDArray[np.bool_]:
        """(1326,) the hands that both can hold."""
        return np.asarray(self.here.possible & self.there.possible)

    def moves(self) -> Float64:
        """(1326, actions) what the second policy does more often; NaN for a hand that either never met in training."""
        visited = self.here.visited & self.there.visited
        return np.where(visited[:, None], self.rows(self.there) - self.rows(self.here), np.nan)

    def weights(self) -> Float64:
        """(1326,) that sum to one, over the hands that both can hold."""
        both = self.both
        found = [view.weights * both for view in (self.here, self.there) if self.reach]
        found = [weights / weights.sum() for weights in found if weights.any()] or [both / both.sum()]
        return np.asarray(np.mean(found, axis=0))

    def distances(self) -> Float64:
        """(1326,) total variation of each hand; NaN where one of the two cannot hold it, or knows nothing of it."""
        return np.asarray(np.abs(self.moves()).sum(axis=1) / 2.0)

    def left_out(self) -> float:
        """The weight of the hands that either policy knows nothing of."""
        return float(self.weights()[np.isnan(self.distances())].sum())

    def distance(self) -> float | None:
        """The mean by weight of the distances that there are; None if there are none."""
        distances, weights = self.distances(), self.weights()
        known = ~np.isnan(distances)
        return float(distances[known] @ weights[known] / weights[known].sum()) if weights[known].any() else None

    def changes(self) -> Float64:
        """(actions,) of the frequencies over all hands, each policy with its own range."""
        return np.asarray(self._frequencies(self.there) - self._frequencies(self.here))

    def class_weights(self) -> Float64:
        """(169,) the weight of each class."""
        return sums_by(_CLASSES, self.weights(), NUM_CLASSES)

    def class_distances(self) -> Float64:
        """(169,) mean distance of the hands of a class; NaN for a class that has none."""
        return self._by_class(self.distances()[:, None])[:, 0]

    def class_changes(self) -> Float64:
        """(169, actions) what the second policy does more often with a class than the first."""
        return self._by_class(self.moves())

    def bolder(self, changes: Float64) -> float:
        """How much more is raised and less folded, from -2 to 2."""
        return float(sum(_boldness(action) * change for action, change in zip(self.actions, changes, strict=True)))

    def _frequencies(self, view: LineView) -> Float64:
        own = (view if self.reach else view.alike()).frequencies()
        shares = dict(zip(view.summary.actions, own.tolist(), strict=True))
        return np.array([shares.get(action, 0.0) for action in self.actions])

    def _by_class(self, values: Float64) -> Float64:
        """(169, columns) means over the hands of a class, by weight where any of them has some, else plain."""
        by_weight = class_means(values, self.weights())
        return np.where(np.isnan(by_weight), class_means(values, self.here.possible), by_weight)


def _boldness(action: str) -> int:
    """1 for bets and raises, -1 for folds."""
    return -1 if action == "fold" else 0 if action in ("check", "call") else 1


def _rounded(figures: Float64) -> list[float]:
    return [round(float(figure), 4) for figure in figures]
