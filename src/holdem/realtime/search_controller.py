"""Search at the table: the state of a hand in, an action out.

Before the flop the blueprint plays. From the flop on, the street is solved from its start with the ranges that all
seats bring to it and the sizes really bet, again at every decision of the street, with the seat's own past decisions
locked as they were played. What everybody may hold follows from the strategies actually used, so a decision remembers
the solve behind it: asking again, or asking what other hands would have done, gives the same answer.

If a solve fails, the blueprint answers; that is counted, and the decision says so.
"""

import logging
import time
from collections import Counter, OrderedDict
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from holdem.blueprint.agent import BlueprintAgent
from holdem.cards.cards import hole_index
from holdem.errors import HoldemError
from holdem.game.actions import Action
from holdem.game.agent import Observation, PublicState
from holdem.realtime.search.budget import TreeChoice, choose_tree, examples, is_heads_up
from holdem.realtime.search.cost import LEARNING_RATE, CostModel
from holdem.realtime.search.decision import Decision, Method
from holdem.realtime.search.history import PastDecision, line_of, past_decisions, seed_text
from holdem.realtime.search.ranges import SeatRanges
from holdem.realtime.search.request import Depth, SolveRequest
from holdem.realtime.search.street_resolver import StreetResolver
from holdem.realtime.search.street_solution import Line, Options, StreetSolution, aligned, nearest
from holdem.realtime.vector.root import SubgameRoot
from holdem.types import SearchConfig
from holdem.util.arrays import Float64
from holdem.util.rng import derived_seed

LOGGER = logging.getLogger(__name__)

_CALIBRATING = {Depth.END: 40, Depth.GROUPS: 40, Depth.DRAWN: 4, Depth.THREE: 20, Depth.SAMPLED: 20}
_FAILURES = (HoldemError, ArithmeticError, LookupError, MemoryError, ValueError)
"""Errors that must not end a hand at a real table; the log has the traceback of unexpected ones."""
_RESERVE_SECONDS = 0.002
FLOP_CARDS = 3
REMEMBERED = 256
"""Solves that are kept: those of the hands being played, and some more."""
PROMISES_REMEMBERED = 32
"""Of these, so many with what they promised the opponent: up to a megabyte each."""
NEGLIGIBLE = 0.01
"""Hands below this share of a range's largest weight are left out of a solve and play the blueprint."""


class SearchController:
    """Decides for whichever seat is to act; seats that it plays itself each have their own memory."""

    def __init__(
        self,
        blueprint: BlueprintAgent,
        config: SearchConfig | None = None,
        resolver: StreetResolver | None = None,
        seed: int = 0,
    ) -> None:
        self.blueprint, self.config = blueprint, config or SearchConfig()
        self.resolver = resolver or StreetResolver(blueprint)
        self.cost = CostModel()
        self.counts: Counter[str] = Counter()
        """How decisions were found, and each kind of fallback."""
        self.seed = seed
        self._solved: OrderedDict[object, StreetSolution | str] = OrderedDict()

    def decide(self, observation: Observation) -> Decision:
        """The action for the cards that the seat holds, and how it was found."""
        start = time.monotonic()
        state = observation.public()
        found = self._solution(state, start + self._seconds())
        actions, policy = self._options(state, found)
        hand = hole_index(*observation.hole_cards)
        chances = policy[hand] / policy[hand].sum()
        draw = observation.random().random()
        chosen = min(int(np.searchsorted(np.cumsum(chances), draw, side="right")), len(actions) - 1)
        solved = found if isinstance(found, StreetSolution) else None
        values = None if solved is None else solved.action_values[hand]
        evs = None if values is None or np.isnan(values).any() else tuple(float(value) for value in values)
        method = Method.SEARCH if solved else Method.BLUEPRINT if self._by_design(state) else Method.FALLBACK
        decision = Decision(
            actions=tuple(actions),
            probabilities=tuple(float(chance) for chance in chances),
            evs=evs,
            chosen=actions[chosen],
            method=method,
            iterations=solved.iterations if solved else 0,
            seconds=time.monotonic() - start,
            note="; ".join((solved.note, *solved.fallbacks)) if solved else str(found),
        )
        self.counts[method.value] += 1
        return decision

    def range_policy(self, state: PublicState) -> tuple[list[Action], npt.NDArray[np.float64]]:
        """The actions of a state and (1326, actions) their probabilities: the solve that `decide` plays from."""
        actions, policy = self._options(state, self._solution(state, self._full_time()))
        return list(actions), policy / policy.sum(axis=1, keepdims=True)

    def ranges(self, state: PublicState) -> SeatRanges:
        """What all seats may hold at the start of the current street, as the seat to act sees it."""
        decisions = past_decisions(state)
        ranges = SeatRanges.all_hands(state.config.num_players)
        for street in range(state.street):
            played = [decision for decision in decisions if decision[0].street == street]
            if played:
                ranges = ranges.after_board(played[0][0].board)
                ranges = self._after_actions(ranges, played, state.seat)
        return ranges.after_board(state.board)

    def _ranges_at_root(self, state: PublicState) -> SeatRanges:
        """The same at the root of the solve, which is later where others folded on this street."""
        ranges = self.ranges(state)
        skipped = SubgameRoot.of(state).skipped if is_heads_up(state) else 0
        if not skipped:
            return ranges
        played = [decision for decision in past_decisions(state) if decision[0].street == state.street]
        return self._after_actions(ranges, played[:skipped], state.seat)

    def calibrate(self) -> None:
        """Solve a small tree of each kind, so that everything is compiled, and measure what it costs here."""
        for choice, request in examples(self.blueprint.policy.config):
            self.blueprint.range_policy(request.state)
            try:
                self.resolver.solve(request)
            except HoldemError as error:  # what cannot be solved at all is said again when it is asked for
                LOGGER.info("%s", error)
                continue
            for count in (_CALIBRATING[choice.depth] // 4, _CALIBRATING[choice.depth]):
                solution = self.resolver.solve(replace(request, iterations=count))
                self._learn(choice, solution, rate=1.0)

    def _learn(self, choice: TreeChoice, solution: StreetSolution, rate: float = LEARNING_RATE) -> None:
        self.cost.learn(choice.kind, choice.entries, choice.hands, solution.iterations, solution.timing, rate)

    # The solve behind a decision

    def _by_design(self, state: PublicState) -> bool:
        """Whether the blueprint plays here by design, not as a fallback."""
        return state.street == 0

    def _solution(self, state: PublicState, until: float) -> StreetSolution | str:
        """The solve of a state, remembered or done by `until`; a sentence if the blueprint answers instead."""
        if state.street == 0:
            return "before the flop"
        key = line_of(state)
        if key not in self._solved:
            self._solved[key] = self._solve(state, until)
            if len(self._solved) > REMEMBERED:
                self._solved.popitem(last=False)
            self._forget_promises()
        self._solved.move_to_end(key)
        return self._solved[key]

    def _forget_promises(self) -> None:
        """Only the next street wants to know what a solve promised, and promises take most of its memory."""
        for key in list(self._solved)[:-PROMISES_REMEMBERED]:
            found = self._solved[key]
            if isinstance(found, StreetSolution) and found.carried is not None:
                self._solved[key] = replace(found, carried=None)

    def _solve(self, state: PublicState, until: float) -> StreetSolution | str:
        try:
            self._solve_past(state, until)
            request, choice = self._request(state, until)
            solution = self.resolver.solve(request)
        except _FAILURES as error:
            expected = isinstance(error, HoldemError)
            LOGGER.warning("search failed, the blueprint plays: %s", error, exc_info=None if expected else error)
            self.counts["search failed"] += 1
            return f"search failed: {error}"
        for fallback in solution.fallbacks:
            self.counts[fallback] += 1
        if self.config.iterations is None:
            self._learn(choice, solution)
        return self._with_blueprint_rows(state, request, solution)

    def _solve_past(self, state: PublicState, until: float) -> None:
        """Solve the seat's own earlier decisions that are not remembered; they and this one share the time."""
        own = (past for past, _ in past_decisions(state) if past.seat == state.seat and not self._by_design(past))
        missing = [past for past in own if line_of(past) not in self._solved]
        for number, past in enumerate(missing):
            now = time.monotonic()
            self._solution(past, now + (until - now) / (len(missing) - number + 1))

    def _request(self, state: PublicState, until: float) -> tuple[SolveRequest, TreeChoice]:
        ranges = self._ranges_at_root(state)
        weights = np.where(ranges.weights >= NEGLIGIBLE, ranges.weights, 0.0)
        choice = self._choose_tree(state, SeatRanges(weights), until)
        fixed = self.config.iterations
        request = SolveRequest(
            state=state,
            ranges=weights,
            menu=choice.menu,
            depth=choice.depth,
            later=choice.later,
            grouping=choice.grouping,
            locked=self._locked(state),
            root=self.config.root,
            promised=self._promised(state, SeatRanges(weights)),
            iterations=fixed,
            min_iterations=self.config.min_iters,
            deadline=until - self.cost.after(choice.kind) - _RESERVE_SECONDS,
            seed=derived_seed(self.seed, f"search {seed_text(state)}") >> 1,
        )
        return request, choice

    def _promised(self, state: PublicState, ranges: SeatRanges) -> Float64 | None:
        """(1326,) what the solve of the street before promised the opponent here.

        None at an unsafe root, on the first street that is searched, and where that solve does not know.
        """
        if self.config.root == "unsafe" or len(state.board) <= FLOP_CARDS:
            return None
        played = [decision for decision in past_decisions(state) if decision[0].street == state.street - 1]
        own = [past for past, _ in played if past.seat == state.seat]
        found = self._solution(own[-1], self._full_time()) if own else ""
        if not isinstance(found, StreetSolution) or found.carried is None:
            return None
        line = tuple(action for _, action in played)
        return found.carried.promised(line, state.board[-1], ranges.weights[state.seat])

    def _seconds(self) -> float:
        return self.config.time_budget_ms / 1000.0

    def _full_time(self) -> float:
        """When a solve that begins now is to end."""
        return time.monotonic() + self._seconds()

    def _choose_tree(self, state: PublicState, ranges: SeatRanges, until: float) -> TreeChoice:
        left = until - time.monotonic()
        if self.config.iterations is not None:
            left = self._seconds()
        choice = choose_tree(state, ranges, self.cost, left, self.config.min_iters)
        if not choice.fits:
            self.counts["min_iters over budget"] += 1
            LOGGER.info(
                "%d iterations of the smallest tree need more than %g ms here; they have priority",
                self.config.min_iters,
                self.config.time_budget_ms,
            )
        return choice

    def _locked(self, state: PublicState) -> dict[Line, Options]:
        """The seat's own decisions of this street so far, as they were played."""
        locked: dict[Line, Options] = {}
        line: Line = ()
        for past, action in past_decisions(state):
            if past.street != state.street:
                continue
            if past.seat == state.seat:
                actions, policy = self._options(past, self._solution(past, self._full_time()))
                locked[line] = tuple(actions), policy.astype(np.float32)
            line = (*line, action)
        return locked

    # What strategies say about hands

    def _options(self, state: PublicState, found: StreetSolution | str) -> tuple[tuple[Action, ...], Float64]:
        if isinstance(found, StreetSolution):
            actions, policy = found.options
            return actions, policy.astype(np.float64)
        listed, rows = self.blueprint.range_policy(state)
        return tuple(listed), rows

    def _with_blueprint_rows(
        self, state: PublicState, request: SolveRequest, solution: StreetSolution
    ) -> StreetSolution:
        """Hands that were left out of the solve play the blueprint, and have no values."""
        actions, policy = solution.options
        listed, rows = self.blueprint.range_policy(state)
        by_blueprint = aligned((tuple(listed), rows.astype(np.float32)), actions)
        left_out = request.ranges[state.seat] == 0.0
        policy[left_out] = by_blueprint[left_out]
        solution.action_values[left_out] = np.nan
        return solution

    def _after_actions(self, ranges: SeatRanges, played: list[PastDecision], seat: int) -> SeatRanges:
        """Ranges after actions of one street: by the solves for the seat asked about, for others as `beliefs` say."""
        own = [past for past, _ in played if past.seat == seat]
        last = self._solution(own[-1], self._full_time()) if own else ""
        line: Line = ()
        for past, action in played:
            mine = past.seat == seat
            found = self._solution(past, self._full_time()) if mine else last
            chances = found.chances(line, action) if isinstance(found, StreetSolution) else None
            if chances is None:
                chances = self._blueprint_chances(past, action)
            elif not mine:
                chances = self._believed(chances, past, action)
            ranges = ranges.after_action(past.seat, chances)
            line = (*line, action)
        return ranges

    def _believed(self, chances: Float64, past: PublicState, action: Action) -> Float64:
        """(1326,) chances of an opponent's action, from those of the solves."""
        if self.config.beliefs == "solves":
            return chances
        by_blueprint = self._blueprint_chances(past, action)
        return by_blueprint if self.config.beliefs == "blueprint" else (chances + by_blueprint) / 2.0

    def _blueprint_chances(self, past: PublicState, action: Action) -> Float64:
        """(1326,) how likely the blueprint takes an action; a size that it does not have counts as its nearest."""
        actions, policy = self.blueprint.range_policy(past)
        place = nearest(actions, action)
        return np.ones(len(policy)) if place is None else policy[:, place]
