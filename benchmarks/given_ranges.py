"""The searching agent from the start of a street on, with ranges that are given: what instruments ask for its play.

From there it plays as at a table: the same choice of a tree for the time, its own range from its own solves, the
opponent's from the blueprint. Streets before count as the blueprint's, so that no time goes into solving them.
"""

from holdem.blueprint.agent import BlueprintAgent
from holdem.errors import RunFailed
from holdem.game.agent import PublicState
from holdem.realtime.search.history import past_decisions
from holdem.realtime.search.ranges import SeatRanges
from holdem.realtime.search.request import SolveRequest
from holdem.realtime.search.street_resolver import Searched, StreetResolver
from holdem.realtime.search_controller import SearchController
from holdem.realtime.vector.search import VectorSearch
from holdem.types import SearchConfig


class GivenRanges(SearchController):
    """A controller that believes `given` at the start of `street`; it shares the costs that another has measured."""

    def __init__(
        self,
        like: SearchController,
        given: SeatRanges,
        street: int,
        config: SearchConfig | None = None,
        resolver: StreetResolver | None = None,
    ) -> None:
        super().__init__(like.blueprint, config or like.config, resolver or like.resolver, like.seed)
        self.cost = like.cost
        self.given, self.street = given, street

    def ranges(self, state: PublicState) -> SeatRanges:
        """What both seats may hold at the start of the current street, from the given ranges on."""
        decisions = past_decisions(state)
        ranges = self.given
        for street in range(self.street, state.street):
            played = [decision for decision in decisions if decision[0].street == street]
            for past, _ in played:  # asked for again, so that no long walk makes the controller forget them
                if past.seat == state.seat:
                    self._solution(past, self._full_time())
            ranges = self._after_actions(ranges.after_board(played[0][0].board), played, state.seat)
        return ranges.after_board(state.board)

    def _by_design(self, state: PublicState) -> bool:
        return state.street < self.street or super()._by_design(state)


class RecordingResolver(StreetResolver):
    """Keeps the last solver that ran, for whoever wants to know more than its answer."""

    def __init__(self, blueprint: BlueprintAgent, threads: int = 1) -> None:
        super().__init__(blueprint, threads)
        self.last: tuple[SolveRequest, Searched] | None = None

    def searched(self, request: SolveRequest) -> Searched:
        """The solver of a request after its last iteration."""
        searched = super().searched(request)
        self.last = request, searched
        return searched

    def take(self) -> tuple[SolveRequest, VectorSearch]:
        """The last request of two players and its solver, once."""
        if self.last is None or not isinstance(self.last[1].search, VectorSearch):
            raise RunFailed("the search failed and the blueprint answered; the log says why")
        request, searched = self.last
        self.last = None
        assert isinstance(searched.search, VectorSearch)
        return request, searched.search
