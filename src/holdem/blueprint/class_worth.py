"""What actions are worth when everybody plays the average policy, by class of hands, and which figures can be defended.

A figure is chips from the chips in front of the player now, so a fold is worth nothing. It rests on what is played
behind the action. An average policy is trained where it goes: behind an action that a hand never takes, the rows of
that hand are whatever training began with, and a figure from them says nothing. So an action has a figure where

- it is a fold;
- the class takes it at least one time in twenty, where training came with the class;
- or nobody has anything to decide behind it, as after a call of an all-in;
- or the player itself has nothing to decide behind it, as after its own all-in, and the range as a whole takes it at
  least one time in twenty, so that the others have learned what to answer.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from holdem.abstraction.betting.tree import ActionCode, BettingTree
from holdem.blueprint.line_view import LineView
from holdem.util.arrays import Float64

TAKEN = 0.05
"""An action that is taken at least this often is one that training knows."""


@dataclass(frozen=True)
class ClassWorth:
    """What the classes of hands that get to a decision win from there on, in chips.

    evs: (169, actions) of each action, NaN where it was not found; errors: (169, actions) standard errors, 0 where
    nothing was drawn; means, mean_errors: (169,) of the policy's own mixture, NaN for a class of which that is a guess
    """

    evs: Float64
    errors: Float64
    means: Float64
    mean_errors: Float64
    words: str
    """How it was found."""

    def only(self, defended: npt.NDArray[np.bool_], visited: npt.NDArray[np.bool_]) -> "ClassWorth":
        """The same without figures of actions that cannot be defended, and without means of classes, (169,), that
        training never came with: what they do is a guess."""
        evs, errors = (np.where(defended, figures, np.nan) for figures in (self.evs, self.errors))
        means, mean_errors = (np.where(visited, figures, np.nan) for figures in (self.means, self.mean_errors))
        return ClassWorth(evs, errors, means, mean_errors, self.words)

    def given_up(self, defended: npt.NDArray[np.bool_], taken: Float64) -> tuple[Float64, Float64]:
        """(169,) what the policy's own mixture wins less than the best action with a figure, and the error of that.

        defended: (169, actions); taken: (169, actions) how often. The mixture is that of the actions with a figure.
        Both come from the same deals, so that errors which are taken as apart are hardly too small. NaN where nothing
        of the mixture has a figure.
        """
        others = np.where(defended, 0.0, taken)
        share = 1.0 - others.sum(axis=1)
        share[~defended.any(axis=1) | (share <= 0.0)] = np.nan
        best = np.where(defended, self.evs, -np.inf).argmax(axis=1)[:, None]
        figure, error = (np.take_along_axis(figures, best, axis=1)[:, 0] for figures in (self.evs, self.errors))
        own = (self.means - (others * np.nan_to_num(self.evs)).sum(axis=1)) / share
        return np.maximum(figure - own, 0.0), np.hypot(error, self.mean_errors / share)


def defended_actions(tree: BettingTree, node: int, view: LineView) -> npt.NDArray[np.bool_]:
    """(169, actions) which figures rest on play that was trained."""
    with np.errstate(invalid="ignore"):
        taken = view.class_probabilities() >= TAKEN
        taken &= view.class_visited()[:, None] > 0.0
    whole_range = view.frequencies() >= TAKEN
    for action, child in enumerate(tree.children(node)):
        deciders = set(tree.player[[child, *tree.descendants(child)]].tolist()) - {-1}
        known = whole_range[action] if deciders else True
        if tree.action[child] == ActionCode.FOLD or (view.position not in deciders and known):
            taken[:, action] = True
    return taken & (view.class_weights() > 0.0)[:, None]
