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
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from holdem.blueprint.agent import BlueprintAgent
from holdem.cards.cards import hole_index
from holdem.errors import HoldemError
from holdem.game.actions import Action, ActionKind
from holdem.game.agent import Observation, PublicState, as_called
from holdem.realtime.blueprint_doubts import NO_DOUBTS, Doubts, doubts_of
from holdem.realtime.search.budget import TreeChoice, choose_tree, examples, is_heads_up
from holdem.realtime.search.cost import LEARNING_RATE, CostModel
from holdem.realtime.search.decision import Decision, Method
from holdem.realtime.search.history import PastDecision, line_of, own_actions_after_flop, past_decisions, seed_text
from holdem.realtime.search.ranges import HARDLY_EVER_DONE, SeatRanges
from holdem.realtime.search.request import Depth, SolveRequest
from holdem.realtime.search.street_resolver import StreetResolver
from holdem.realtime.search.street_solution import Line, Options, StreetSolution, aligned, nearest
from holdem.realtime.vector.root import SubgameRoot
from holdem.types import SearchConfig
from holdem.util.arrays import Float32, Float64
from holdem.util.rng import derived_seed

LOGGER = logging.getLogger(__name__)

_CALIBRATING = {Depth.END: 40, Depth.GROUPS: 40, Depth.DRAWN: 4, Depth.THREE: 20, Depth.SAMPLED: 20}
_FAILURES = (HoldemError, ArithmeticError, LookupError, MemoryError, ValueError)
"""Errors that must not end a hand at a real table; the log has the traceback of unexpected ones."""
_RESERVE_SECONDS = 0.002
FLOP_CARDS = 3
REMEMBERED = 256
"""Solves that are kept: those of the hands being played, and some more."""
MOST_SEARCHED = 24
"""Decisions of a seat in a hand that are solved. Each solve rests on those before it and takes longer; nobody comes
to half as many but by raising the least again and again."""
TOO_LONG = f"more than {MOST_SEARCHED} decisions since the flop, so the blueprint answers"
PROMISES_REMEMBERED = 32
"""Of these, so many with what they promised the opponent: up to a megabyte each."""
NEGLIGIBLE = 0.01
"""Hands below this share of a range's largest weight are left out of a solve and play the blueprint."""
HARDLY_EVER = 0.02
"""Where a smaller share of the deals of a solve comes to a decision, advice on it opens the line that led there."""
ANY_HAND = 0.02
"""The chance that an action on such a line has with any hand."""
OFF_THE_LINE = "the solve hardly ever plays like this, so the ranges are what the actions may mean"
LEFT_OUT = "this hand is not in the range that the betting leaves, so the blueprint answers"
BESIDE = "this hand is not in the range that the betting leaves; it was solved beside it"
RARELY_HERE = "the solves hardly ever come here with this hand"
RARE_HAND = 0.05
"""A smaller share of the largest weight of the range is called so: what was done with the hand is hardly ever done."""
NOT_DEFENDED = {
    Depth.SAMPLED: "sampled, so what single actions are worth is not known",
    Depth.THREE: "three players, so how accurate the worth is cannot be said",
}
"""What advice says of solves that have no exploitability."""


@dataclass(frozen=True)
class _Wish:
    """A solve with an action that somebody took among the choices, in so many times the time."""

    taken: Action
    times: float

    def added_to(self, request: SolveRequest) -> SolveRequest:
        """A request with it; the time is the request's own already."""
        own = self.taken if self.taken.kind is ActionKind.RAISE_TO else None
        fixed = None if request.iterations is None else round(self.times * request.iterations)
        return replace(request, own=own, iterations=fixed)


class SearchController:
    """Decides for whichever seat is to act; seats that it plays itself each have their own memory."""

    def __init__(
        self,
        blueprint: BlueprintAgent,
        config: SearchConfig | None = None,
        resolver: StreetResolver | None = None,
        seed: int = 0,
        advises: bool = False,
    ) -> None:
        """One that `advises` solves for somebody who asks: with the accuracy, and with whatever hand they hold."""
        self.advises = advises
        self._held: int | None = None
        """The hand of whoever is advised now."""
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
        found = self._solution_with(hole_index(*observation.hole_cards), observation.public(), start + self._seconds())
        decision = self._decision(observation, found, start)
        self.counts[decision.method.value] += 1
        return decision

    def decide_with(self, observation: Observation, taken: Action, times: float = 1.0) -> Decision:
        """The decision with an action that somebody took among its choices, from a solve of so many times the time.

        That solve is not remembered, and what was done on other lines stays what it was. Without one, `decide` answers:
        where the action is a choice anyway, nothing is solved, or more than two players are in the pot.
        """
        found, state = self.decide(observation), observation.public()
        taken = as_called(taken, state)
        known = taken.kind is not ActionKind.RAISE_TO or taken in [as_called(action, state) for action in found.actions]
        if found.method is not Method.SEARCH or (known and times == 1.0) or not is_heads_up(state):
            return found
        start, self._held = time.monotonic(), hole_index(*observation.hole_cards)
        try:
            solved = self._solve(state, start + times * self._seconds(), _Wish(taken, times))
        finally:
            self._held = None
        return found if isinstance(solved, str) else self._decision(observation, solved, start)

    def _decision(self, observation: Observation, found: StreetSolution | str, start: float) -> Decision:
        """What a solve, or the blueprint in its place, says to the cards that the seat holds."""
        state, hand = observation.public(), hole_index(*observation.hole_cards)
        actions, policy = self._options(state, found)
        chances = policy[hand] / policy[hand].sum()
        draw = observation.random().random()
        chosen = min(int(np.searchsorted(np.cumsum(chances), draw, side="right")), len(actions) - 1)
        solved = found if isinstance(found, StreetSolution) else None
        values = None if solved is None else solved.action_values[hand]
        evs = None if values is None or np.isnan(values).any() else tuple(float(value) for value in values)
        method = Method.SEARCH if solved else Method.BLUEPRINT if self._by_design(state) else Method.FALLBACK
        doubts = doubts_of(self.blueprint, observation) if solved is None and self.advises else NO_DOUBTS
        rare = False
        if solved is not None and self.advises:
            ranges = self._ranges_here(state)
            rare = bool(ranges.weights[state.seat, hand] < RARE_HAND)
            if ranges.rarest_of_others(state.seat) < HARDLY_EVER_DONE or self._opened_before(state):
                solved = replace(solved, off_the_line=True)
        return Decision(
            actions=tuple(actions),
            probabilities=tuple(float(chance) for chance in chances),
            evs=evs,
            chosen=actions[chosen],
            method=method,
            iterations=solved.iterations if solved else 0,
            seconds=time.monotonic() - start,
            note="; ".join((*_notes(solved, hand, rare), *solved.fallbacks) if solved else (str(found), *doubts.notes)),
            accuracy=_number(solved.accuracy.of_range) if solved and solved.accuracy else None,
            hand_accuracy=_number(float(solved.accuracy.gains[hand])) if solved and solved.accuracy else None,
            off_the_line=solved is not None and solved.off_the_line,
            outside_range=rare or doubts.guessed or (solved is not None and solved.lacks(hand)),
            defended=solved.defended if solved else None,
            caveats=tuple(_caveats(solved, hand, rare)) if solved else self._caveats_of_blueprint(state, found, doubts),
        )

    def _caveats_of_blueprint(self, state: PublicState, found: object, doubts: Doubts) -> tuple[str, ...]:
        """After the flop, where the blueprint stands in for a search, whoever asks is told why."""
        stands_in = self.advises and state.street > 0
        return (str(found), *doubts.caveats) if stands_in else doubts.caveats

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

    def _ranges_here(self, state: PublicState) -> SeatRanges:
        """The same at the decision itself."""
        played = [decision for decision in past_decisions(state) if decision[0].street == state.street]
        return self._after_actions(self.ranges(state), played, state.seat)

    def _opened_before(self, state: PublicState) -> bool:
        """Whether a solve of a street before hardly ever played like what was done there."""
        own = [past for past, _ in past_decisions(state) if past.seat == state.seat and past.street < state.street]
        found = [self._solution(past, self._full_time()) for past in own]
        return any(isinstance(solution, StreetSolution) and solution.off_the_line for solution in found)

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
        if own_actions_after_flop(state) >= MOST_SEARCHED:
            return TOO_LONG
        key = line_of(state)
        if key not in self._solved:
            self._solved[key] = self._solve(state, until)
            if len(self._solved) > REMEMBERED:
                self._solved.popitem(last=False)
            self._forget_promises()
        self._solved.move_to_end(key)
        return self._solved[key]

    def _solution_with(self, hand: int, state: PublicState, until: float) -> StreetSolution | str:
        """The solve of a state; for advice a hand that the betting leaves out of its range is in it, too."""
        if not self.advises:
            return self._solution(state, until)
        found = self._solved.get(line_of(state))
        if isinstance(found, StreetSolution) and found.left_out is not None and found.left_out[hand]:
            del self._solved[line_of(state)]
        self._held = hand
        try:
            return self._solution(state, until)
        finally:
            self._held = None

    def _forget_promises(self) -> None:
        """Only the next street wants to know what a solve promised, and promises take most of its memory."""
        for key in list(self._solved)[:-PROMISES_REMEMBERED]:
            found = self._solved[key]
            if isinstance(found, StreetSolution) and found.carried is not None:
                self._solved[key] = replace(found, carried=None)

    def _solve(self, state: PublicState, until: float, wish: _Wish | None = None) -> StreetSolution | str:
        try:
            self._solve_past(state, until)
            request, choice = self._request(state, until)
            if wish is not None:
                request = wish.added_to(request)
            solution = self.resolver.solve(request)
            if self.advises and solution.accuracy is not None and solution.accuracy.reached < HARDLY_EVER:
                opened = self._opened(state, solution, request.locked)
                deadline = time.monotonic() + (1.0 if wish is None else wish.times) * self._seconds()
                request = replace(request, locked=opened, deadline=deadline)
                solution = replace(self.resolver.solve(request), off_the_line=True)
        except _FAILURES as error:
            expected = isinstance(error, HoldemError)
            LOGGER.warning("search failed, the blueprint plays: %s", error, exc_info=None if expected else error)
            self.counts["search failed"] += 1
            return f"search failed: {error}"
        if self.advises:
            solution = self._for_advice(request, solution)
        for fallback in solution.fallbacks:
            self.counts[fallback] += 1
        if self.config.iterations is None and wish is None:
            self._learn(choice, solution)
        defended = solution.told(self._reach(request, solution))
        if not self.advises and self.config.root != "unsafe":
            defended = (False,) * len(defended)  # worth in a game with an alternative for the opponent, as a guard
        solution = replace(solution, defended=defended)
        return self._with_blueprint_rows(state, request, solution)

    def _solve_past(self, state: PublicState, until: float) -> None:
        """Solve the seat's own earlier decisions that are not remembered; they and this one share the time."""
        own = (past for past, _ in past_decisions(state) if past.seat == state.seat and not self._by_design(past))
        missing = [past for past in own if line_of(past) not in self._solved]
        for number, past in enumerate(missing):
            now = time.monotonic()
            self._solution(past, now + (until - now) / (len(missing) - number + 1))

    def _request(self, state: PublicState, until: float) -> tuple[SolveRequest, TreeChoice]:
        ranges = self._ranges_at_root(state).weights
        weights = np.where(ranges >= NEGLIGIBLE, ranges, 0.0)
        if self._held is not None:
            weights[state.seat, self._held] = max(weights[state.seat, self._held], NEGLIGIBLE)
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
            with_accuracy=self.advises,
        )
        return request, choice

    def _reach(self, request: SolveRequest, solution: StreetSolution) -> Float64:
        """(1326,) weights of the seat's range at the decision of a solve, without a hand that was solved beside it."""
        state, weights = request.state, request.ranges[request.state.seat].copy()
        if solution.beside is not None:
            weights[solution.beside] = 0.0
        line: Line = ()
        for past, action in past_decisions(state):
            if past.street != state.street:
                continue
            chances = solution.chances(line, action) if past.seat == state.seat else None
            weights = weights if chances is None else weights * chances
            line = (*line, action)
        return np.asarray(weights)

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
                locked[line] = _as_taken(tuple(actions), action), policy.astype(np.float32)
            line = (*line, action)
        return locked

    def _opened(self, state: PublicState, solution: StreetSolution, locked: dict[Line, Options]) -> dict[Line, Options]:
        """The decisions of the street so far for advice on a line that a solve hardly ever takes: what was done has a
        chance with every hand, and an opponent's one as it is believed, so that there are ranges to solve with."""
        opened: dict[Line, Options] = {}
        line: Line = ()
        for past, action in past_decisions(state):
            if past.street != state.street:
                continue
            options = locked.get(line) or solution.decisions.get(line)
            place = None if options is None else nearest(options[0], action)
            if options is not None and place is not None:
                rows = options[1].astype(np.float64)
                chances = rows[:, place]
                if past.seat != state.seat:
                    chances = self._believed(chances, past, action)
                opened[line] = options[0], _with_chances(rows, place, ANY_HAND + (1.0 - ANY_HAND) * chances)
            line = (*line, action)
        return opened

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
        return replace(solution, left_out=left_out)

    def _for_advice(self, request: SolveRequest, solution: StreetSolution) -> StreetSolution:
        """A solution without values that it cannot answer for, with a sentence on those that have no accuracy."""
        if request.depth is Depth.SAMPLED:
            solution.action_values[:] = np.nan
        if self._held is not None and request.ranges[request.state.seat, self._held] <= NEGLIGIBLE:
            solution = replace(solution, beside=self._held)
        note = NOT_DEFENDED.get(request.depth)
        return replace(solution, note=f"{solution.note}; {note}") if note else solution

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


def _notes(solution: StreetSolution, hand: int, rare: bool) -> list[str]:
    """What there is to say about a solve to somebody with a hand, which may be rare here."""
    return [solution.note, *_caveats(solution, hand, rare)]


def _caveats(solution: StreetSolution, hand: int, rare: bool) -> list[str]:
    """Why figures of a solve are guesses for somebody with a hand; empty where they are not."""
    notes = []
    if solution.left_out is not None and solution.left_out[hand]:
        notes.append(LEFT_OUT)
    if solution.beside == hand:
        notes.append(BESIDE)
    if rare and not solution.lacks(hand):
        notes.append(RARELY_HERE)
    if solution.off_the_line:
        notes.append(OFF_THE_LINE)
    return notes


def _as_taken(actions: tuple[Action, ...], taken: Action) -> tuple[Action, ...]:
    """The actions of a decision with the one most like the one taken in its words: people bet sizes of their own."""
    place = nearest(actions, taken)
    return actions if place is None else (*actions[:place], taken, *actions[place + 1 :])


def _with_chances(rows: Float64, place: int, chances: Float64) -> Float32:
    """(1326, actions) rows in which one action has these chances, and the others share the rest as before."""
    others = 1.0 - rows[:, place]
    scale = np.where(others > 0.0, (1.0 - chances) / np.where(others > 0.0, others, 1.0), 0.0)
    changed = rows * scale[:, None]
    changed[:, place] = 1.0 - (changed.sum(axis=1) - changed[:, place])
    return changed.astype(np.float32)


def _number(chips: float) -> float | None:
    return None if np.isnan(chips) else chips
