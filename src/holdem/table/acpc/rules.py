"""The dealer's rules: who is to act, which raises it accepts, and what a finished hand is worth.

They are those of `game.c` in the competition's own server, which decide in a match, and differ from the rules of a
card room (`holdem.game.betting`) in four things:

- Any raise reopens the betting for everybody, a short all-in too.
- After a short all-in the least raise is not moved up by a whole raise: it stays, or becomes the new bet plus the short
  raise, whichever is more. This matters only where three or more seats have unequal stacks.
- A raise is allowed as long as anybody else has chips, even if these do not reach the bet.
- A pot is split exactly, so that two winners of 25 chips get 12.5 each.

It also allows no raise that could bring a round to more than 64 actions, and no fold where a check is free.
"""

from collections.abc import Sequence
from typing import NamedTuple

from holdem.cards import evaluate
from holdem.cards.cards import Cards
from holdem.errors import IllegalAction
from holdem.table.acpc.game_definition import MAX_ACTIONS_IN_ROUND, GameDefinition


class AcpcAction(NamedTuple):
    """`f`, `c`, or `r` with all chips that the player then has in the pot, over the whole hand."""

    letter: str
    size: int = 0

    def __str__(self) -> str:
        return f"r{self.size}" if self.letter == "r" else self.letter


FOLD = AcpcAction("f")
CALL = AcpcAction("c")


class AcpcBetting:
    """The betting of one hand; lists are by player."""

    __slots__ = (
        "_called",
        "_last_player",
        "actions",
        "finished",
        "folded",
        "game",
        "max_spent",
        "min_raise_to",
        "round",
        "spent",
    )

    def __init__(self, game: GameDefinition) -> None:
        self.game = game
        self.spent = list(game.blinds)
        """Chips in the pot, over the whole hand."""
        self.max_spent = game.big_blind
        self.min_raise_to = 2 * game.big_blind
        self.folded = [False] * game.num_players
        self.round = 0
        self.actions: list[list[AcpcAction]] = [[] for _ in range(game.num_rounds)]
        """What was done, by round."""
        self.finished = False
        self._called: set[int] = set()
        self._last_player = (game.first_player[0] - 1) % game.num_players

    @property
    def num_actions(self) -> int:
        """How many actions there were in the whole hand so far."""
        return sum(map(len, self.actions))

    @property
    def line(self) -> list[AcpcAction]:
        """The actions of the whole hand so far, in order."""
        return [action for done in self.actions for action in done]

    @property
    def current_player(self) -> int:
        """Who is to act; the hand must not be finished."""
        count = self.game.num_players
        player = (self._last_player + 1) % count
        while not self._is_acting(player):
            player = (player + 1) % count
        return player

    @property
    def showdown(self) -> bool:
        """Whether the hand is finished and two players or more are left in it."""
        return self.finished and self.folded.count(False) > 1

    def raise_limits(self) -> tuple[int, int] | None:
        """The least and the most that the player to act may raise to; None if no raise is allowed."""
        game = self.game
        done = self.actions[self.round]
        if sum(1 for action in done if action.letter == "r") >= game.max_raises[self.round]:
            return None
        if len(done) + game.num_players > MAX_ACTIONS_IN_ROUND or self._num_acting() <= 1:
            return None
        most = game.stacks[self.current_player]
        if self.min_raise_to <= most:
            return self.min_raise_to, most
        return (most, most) if self.max_spent < most else None

    def can_fold(self) -> bool:
        """Whether the player to act has to pay for staying in."""
        return self.spent[self.current_player] < self.max_spent

    def verify(self, action: AcpcAction) -> None:
        """IllegalAction if the dealer would not take `action` as it is."""
        if self.finished:
            raise IllegalAction(f"{action} comes after the end of the hand; check the betting")
        if self.corrected(action) != action:
            limits = self.raise_limits()
            words = f"raises r{limits[0]} to r{limits[1]}" if limits else "no raise"
            fold = "f, " if self.can_fold() else ""
            raise IllegalAction(f"{action} is not allowed for player {self.current_player}; legal: {fold}c, {words}")

    def corrected(self, action: AcpcAction) -> AcpcAction:
        """What the dealer makes of an action: a raise of the nearest legal size; a call of whatever is not legal."""
        if action.letter == "r":
            limits = self.raise_limits()
            return CALL if limits is None else AcpcAction("r", min(max(action.size, limits[0]), limits[1]))
        return FOLD if action.letter == "f" and self.can_fold() else CALL

    def apply(self, action: AcpcAction) -> None:
        """Do a legal action for the player to act."""
        self.verify(action)
        player = self.current_player
        self.actions[self.round].append(action)
        self._last_player = player
        if action.letter == "f":
            self.folded[player] = True
        elif action.letter == "c":
            self.spent[player] = min(self.max_spent, self.game.stacks[player])
            self._called.add(player)
        else:
            self.min_raise_to = max(self.min_raise_to, 2 * action.size - self.max_spent)
            self.spent[player] = self.max_spent = action.size
            self._called = {player}
        self._close_round()

    def betting(self) -> str:
        """The betting as a state message has it: `r300c/cr900`."""
        return "/".join("".join(map(str, done)) for done in self.actions[: self.round + 1])

    def _close_round(self) -> None:
        if self.folded.count(False) == 1:
            self.finished = True
            return
        acting = self._num_acting()
        if sum(1 for player in self._called if self._is_acting(player)) < acting:
            return
        if acting > 1 and self.round + 1 < self.game.num_rounds:
            self.round += 1
            self.min_raise_to = self.max_spent + self.game.big_blind
            self._called = set()
            self._last_player = (self.game.first_player[self.round] - 1) % self.game.num_players
            return
        self.finished = True
        self.round = self.game.num_rounds - 1

    def _is_acting(self, player: int) -> bool:
        return not self.folded[player] and self.spent[player] < self.game.stacks[player]

    def _num_acting(self) -> int:
        return sum(1 for player in range(self.game.num_players) if self._is_acting(player))


def hand_values(state: AcpcBetting, hole_cards: Sequence[Cards], board: Cards) -> list[float]:
    """Chips won or lost by each player of a finished hand; cards of players who folded are not looked at."""
    live = [player for player, folded in enumerate(state.folded) if not folded]
    strengths = {player: evaluate(hole_cards[player] + board) for player in live} if len(live) > 1 else {live[0]: 1}
    values = [0.0] * state.game.num_players
    floor = 0
    for level in sorted(set(state.spent)):
        sharers = [player for player, spent in enumerate(state.spent) if spent >= level]
        size = level - floor
        floor = level
        best = max((strengths[player] for player in sharers if player in strengths), default=0)
        winners = [player for player in sharers if strengths.get(player, -1) == best]
        for player in sharers:
            values[player] += size * (len(sharers) - len(winners)) / len(winners) if player in winners else -size
    return values
