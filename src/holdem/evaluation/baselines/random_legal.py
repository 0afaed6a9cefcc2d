"""Fold, call and raise equally often as far as they are allowed, raises to any legal amount equally often."""

from holdem.game.actions import Action
from holdem.game.agent import Observation


class RandomLegal:
    """Plays at random."""

    name = "random"

    def act(self, observation: Observation) -> Action:
        """Any kind of action that is legal, then any amount."""
        legal, generator = observation.legal, observation.random()
        choices = [Action.check_or_call()]
        if legal.can_fold:
            choices.append(Action.fold())
        if legal.min_raise_to is not None and legal.max_raise_to is not None:
            choices.append(Action.raise_to(int(generator.integers(legal.min_raise_to, legal.max_raise_to + 1))))
        return choices[int(generator.integers(len(choices)))]
