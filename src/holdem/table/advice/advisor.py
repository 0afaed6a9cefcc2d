"""Recommendations at decisions: from the blueprint, or from a search over it, with what each action is worth.

An advisor never guesses: a state that it does not understand is logged whole, counted, and answered with a check where
that is free and a fold where it is not.
"""

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Protocol

from holdem.blueprint.agent import BlueprintAgent, drawn_action
from holdem.cards.cards import format_cards
from holdem.game.actions import Action
from holdem.game.agent import Observation
from holdem.game.records import format_records
from holdem.realtime.blueprint_doubts import doubts_of
from holdem.realtime.search.decision import Decision, Method
from holdem.table.advice.recommendation import NOT_COMPUTED, Recommendation
from holdem.table.advice.rollouts import Rollouts
from holdem.table.session.safe_action import check_or_fold
from holdem.types import STREET_NAMES
from holdem.util.logs import LOGGER

SOLVED = "solved subgame"
OTHER_DEPTH = (
    "stacks are not those that the blueprint was trained for: frequencies are for those, and what actions are worth "
    "here is not computed"
)
GUESSED = "the blueprint hardly ever plays like this, so what the others hold is a guess"
MORE_TIME = 3.0
"""Times the time of a solve: a second opinion has another tree, or comes much closer to the end of the same one."""

Decide = Callable[[Observation], Decision]


class DecideWith(Protocol):
    """Finds the decision with an action that somebody took among its choices, in so many times the time."""

    def __call__(self, observation: Observation, taken: Action, times: float = 1.0) -> Decision: ...


def blueprint_decision(blueprint: BlueprintAgent, observation: Observation) -> Decision:
    """The blueprint's mixture with the seat's cards, and the action that it draws."""
    start = time.perf_counter()
    doubts = doubts_of(blueprint, observation)
    if not doubts.nodes:
        return _nothing_risked(observation)
    mixture = blueprint.mixture(observation)
    return Decision(
        actions=tuple(action for action, _ in mixture),
        probabilities=tuple(probability for _, probability in mixture),
        evs=None,
        chosen=drawn_action(mixture, observation.draw()),
        method=Method.BLUEPRINT,
        seconds=time.perf_counter() - start,
        note="; ".join(doubts.notes),
        outside_range=doubts.guessed,
        caveats=doubts.caveats,
    )


def _nothing_risked(observation: Observation) -> Decision:
    """A check or a fold on a street that the blueprint never plays."""
    action = check_or_fold(observation.legal)
    note = f"the blueprint has no decisions on the {STREET_NAMES[observation.street]}"
    return Decision((action,), (1.0,), None, action, Method.FALLBACK, note=note)


class Advisor:
    """Makes recommendations; `decide` finds the decision, `rollouts` say what actions are worth where it did not."""

    def __init__(
        self,
        decide: Decide,
        rollouts: Rollouts | None = None,
        counts: Counter[str] | None = None,
        decide_with: DecideWith | None = None,
    ) -> None:
        """`counts` is what the decider itself counts, such as each kind of fallback of a search.

        decide_with: reviews what somebody did; without it, only what is a choice anyway
        """
        self.decide, self.rollouts, self.decide_with = decide, rollouts, decide_with
        self.counts = Counter[str]() if counts is None else counts
        self.decisions: dict[Method, int] = dict.fromkeys(Method, 0)
        """How often each method answered."""
        self.not_understood = 0
        """States that were not understood and answered with a check or a fold."""

    @property
    def solves(self) -> bool:
        """Whether decisions after the flop are solved for whoever asks."""
        return self.decide_with is not None

    def forget_counts(self) -> None:
        """Count from zero again."""
        self.decisions = dict.fromkeys(Method, 0)
        self.not_understood = 0
        self.counts.clear()

    @property
    def remarks(self) -> dict[str, int]:
        """What else was counted, by what happened: a worker was lost, a search took longer than its time."""
        methods = {method.value for method in Method}
        return {what: count for what, count in self.counts.items() if count and what not in methods}

    def recommend(self, observation: Observation, taken: Action | None = None) -> Recommendation:
        """What to do here; always an action that is legal. What was `taken` is a choice too, where that can be."""
        if taken is None or self.decide_with is None:
            return self._recommend(observation, self.decide)
        return self._recommend(observation, partial(self.decide_with, taken=taken))

    def second_opinion(self, observation: Observation, taken: Action) -> Recommendation | None:
        """The same from another solve, with more time; None where there is none."""
        if self.decide_with is None:
            return None
        return self._recommend(observation, partial(self.decide_with, taken=taken, times=MORE_TIME))

    def _recommend(self, observation: Observation, decide: Decide) -> Recommendation:
        try:
            decision = decide(observation)
            if not observation.legal.allows(decision.chosen):
                raise ValueError(f"{decision.chosen} was found, and the seat may {observation.legal}")
        except Exception as error:  # whatever goes wrong, an answer is due
            return self._not_understood(observation, error)
        self.decisions[decision.method] += 1
        if decision.method is Method.SEARCH:  # what a solve does not know is not taken from elsewhere
            decision = decision.without_undefended()
            source = NOT_COMPUTED if decision.evs is None else SOLVED
            return Recommendation(observation, decision, None, source)
        return self._with_rollouts(observation, decision)

    def _with_rollouts(self, observation: Observation, decision: Decision) -> Recommendation:
        if self.rollouts is None:
            return Recommendation(observation, decision)
        if not self.rollouts.blueprint.walk.same_depth(observation):
            return Recommendation(observation, decision.with_caveat(OTHER_DEPTH))
        try:
            worth = self.rollouts.worth(observation, decision.actions)
        except Exception as error:  # the estimate is an extra; the decision stands without it
            LOGGER.warning("what the actions are worth was not computed: %s", error)
            return Recommendation(observation, decision)
        if worth is None:
            return Recommendation(observation, decision)
        known = [0.0 if decision.outside_range else share for share in decision.probabilities]
        decision = replace(decision, evs=worth.defended(known))
        if worth.guessed:
            decision = replace(decision.with_caveat(GUESSED), off_the_line=True)
        return Recommendation(observation, decision, worth, worth.source)

    def _not_understood(self, observation: Observation, error: Exception) -> Recommendation:
        self.not_understood += 1
        self.decisions[Method.FALLBACK] += 1
        action = check_or_fold(observation.legal)
        LOGGER.error(
            "this state is not understood (%s: %s); answered with %s; seat %d holds %s\n%s",
            type(error).__name__, error, action, observation.seat, format_cards(observation.hole_cards),
            format_records(observation.history),
        )  # fmt: skip
        note = f"the state is not understood: {error}"
        decision = Decision((action,), (1.0,), None, action, Method.FALLBACK, note=note)
        return Recommendation(observation, decision)
