"""From a public state to the spot that is solved: rooted at the start of the current street, with the sizes really bet.

If more than two players entered the street, the root is where the last but two of them folded. A spot has two players
and amounts that count from the root. The moves of its tree name totals of the street, as
`Action.raise_to` does, so that actions go both ways without rounding. A bet of more than the opponent can call is an
all-in of the shorter stack.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from holdem.abstraction.betting.reference_tree import BettingState, minimum_bet
from holdem.abstraction.betting.sizes import parse_menu
from holdem.errors import HoldemError
from holdem.game.actions import Action, ActionKind
from holdem.game.agent import PublicState
from holdem.realtime.search.history import past_decisions
from holdem.realtime.search.ranges import SeatRanges
from holdem.realtime.search.street_tree import Menu, seats_by_position, starting_stacks, street_actions, street_start
from holdem.realtime.subgame.nodes.moves import CALL, CHECK, FOLD, Move, MoveKind
from holdem.realtime.subgame.spot import Spot
from holdem.realtime.subgame.tree import Root, StreetSizes

RIVER = 3


@dataclass(frozen=True)
class SubgameRoot:
    """A heads-up street: who plays it, for what, and what was done on it so far."""

    state: PublicState
    seats: tuple[int, int]
    """Out of position, in position."""
    pot: int
    """Without the bets that both have made on the street."""
    effective_stack: int
    """Of the start of the street."""
    bets: tuple[int, int] = (0, 0)
    to_act: int = 0
    skipped: int = 0
    """Actions of the street before the root."""

    @classmethod
    def of(cls, state: PublicState) -> "SubgameRoot":
        """The root of the street of a state in which two players have not folded."""
        start = street_start(state)
        stacks, seats = starting_stacks(state), seats_by_position(state)
        live = [p for p, seat in enumerate(seats) if state.live[seat]]
        if len(live) != 2:
            raise HoldemError(f"{len(live)} players have not folded; a subgame of two needs exactly two")
        both = seats[live[0]], seats[live[1]]
        if len(players_at(start)) == 2:
            behind = [stacks[p] - start.chips_in[p] for p in live]
            return cls(state, both, sum(start.chips_in), min(behind))
        return cls._within_street(state, both)

    @classmethod
    def _within_street(cls, state: PublicState, seats: tuple[int, int]) -> "SubgameRoot":
        """The root after the last fold of the street."""
        folds = [place for place, action in enumerate(street_actions(state)) if action.kind is ActionKind.FOLD]
        skipped = folds[-1] + 1
        met = [past for past, _ in past_decisions(state) if past.street == state.street]
        at = [*met, state][skipped]
        stack = min(at.stacks[seat] + at.street_bets[seat] for seat in seats)
        first, second = (min(at.street_bets[seat], stack) for seat in seats)  # the rest of a larger bet is given back
        pot = at.pot - sum(at.street_bets[seat] for seat in seats)
        return cls(state, seats, pot, stack, (first, second), seats.index(at.seat), skipped)

    @property
    def player(self) -> int:
        """Who is asked: 0 out of position, 1 in position."""
        return self.seats.index(self.state.seat)

    def moves(self, actions: Sequence[Action] | None = None) -> tuple[Move, ...]:
        """The actions of the street (by default those played) from the root on, as moves of the spot's tree."""
        facing, moves = max(self.bets) > 0, []
        for action in (street_actions(self.state) if actions is None else actions)[self.skipped :]:
            moves.append(self._move(action, facing))
            facing = facing or action.kind is ActionKind.RAISE_TO
        return tuple(moves)

    def _move(self, action: Action, facing: bool) -> Move:
        if action.kind is ActionKind.FOLD:
            return FOLD
        if action.kind is ActionKind.CHECK_OR_CALL:
            return CALL if facing else CHECK
        if action.amount >= self.effective_stack:
            return Move(MoveKind.ALL_IN, self.effective_stack)
        return Move(MoveKind.RAISE if facing else MoveKind.BET, action.amount)

    def action(self, move: Move, asked: bool = False) -> Action:
        """What a move is at the table; for the decision `asked` about it is legal there."""
        if move == FOLD:
            return Action.fold()
        if move.amount is None:
            return Action.check_or_call()
        amount, legal = move.amount, self.state.legal
        if asked and legal.min_raise_to is not None and legal.max_raise_to is not None:
            amount = min(max(amount, legal.min_raise_to), legal.max_raise_to)
        return Action.raise_to(amount)

    def betting_root(self) -> Root:
        """The betting at the root of the spot."""
        smallest = minimum_bet(self.state.config)
        return Root(self.state.street, self.pot, self.effective_stack, self.bets, self.to_act, smallest)

    def spot(self, ranges: SeatRanges, menu: Menu, later: Menu | None = None, own: Action | None = None) -> Spot:
        """The spot with this menu on the current street and `later` (by default the same) on streets after it.

        own: a choice of the decision asked about that the menu need not have
        """
        sizes = {}
        for street in range(self.state.street, RIVER + 1):
            chosen = menu if street == self.state.street else later or menu
            for player in (0, 1):
                sizes[player, street] = street_sizes(chosen)
        weights = ranges.weights[self.seats[0]], ranges.weights[self.seats[1]]
        return Spot(
            board=self.state.board,
            pot=self.pot,
            effective_stack=self.effective_stack,
            ranges=weights,
            sizes=sizes,
            bets=self.bets,
            to_act=self.to_act,
            min_bet=minimum_bet(self.state.config),
            played=self.moves((*street_actions(self.state), *([] if own is None else [own]))),
        )


def players_at(start: BettingState) -> list[int]:
    """Positions that had not folded when the street began."""
    return [p for p in range(len(start.chips_in)) if p not in start.folded]


def street_sizes(menu: Menu) -> StreetSizes:
    """A menu as sizes of a spot: so many bets and raises, then none."""
    raises = tuple(parse_menu(menu.raises) for _ in range(menu.max_raises - 1))
    return StreetSizes(parse_menu(menu.bets) if menu.max_raises else (), (*raises, ()))
