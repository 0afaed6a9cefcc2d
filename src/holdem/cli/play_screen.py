"""The table as a person at a terminal sees it: seats, cards, pot, what happened, what can be done."""

from rich.console import Console
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from holdem.abstraction.betting.tree import position_names
from holdem.cards.cards import Cards
from holdem.cli.card_text import card_text
from holdem.game import records as rec
from holdem.game.agent import Observation
from holdem.table.history.observed_hand import ObservedHand, SeatObserver
from holdem.table.history.record_words import tell
from holdem.table.person.input import sizes


class PlayScreen(SeatObserver):
    """Tells one seat what happens, in words."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self.total = 0
        self.hands = 0
        self._names: tuple[str, ...] = ()
        self._board: Cards = ()
        self._seat = 0

    def hand_started(self, hand: ObservedHand) -> None:
        """A new hand: blinds, button, own cards."""
        self._names, self._board, self._seat = hand.players, (), hand.seat
        config = hand.started.config
        self.console.print(Rule(f"hand {hand.number + 1} · blinds {config.small_blind}/{config.big_blind}"))
        for record in hand.records:
            if isinstance(record, rec.AntePosted | rec.BlindPosted | rec.StraddlePosted):
                self.happened(record)
        self.console.print(Text.assemble("you are dealt ", card_text(hand.hole_cards or ())))

    def happened(self, record: rec.Record) -> None:
        """What everybody saw; what the person did is on the screen already."""
        if isinstance(record, rec.BoardDealt):
            self._board += record.cards
        own = isinstance(record, rec.BettingRecord) and record.seat == self._seat
        for told in () if own else tell(record, self._names, self._seat, self._board):
            start = "\n" if isinstance(record, rec.BoardDealt) else ""
            cards = Text.assemble("  " if start else " ", card_text(told.cards)) if told.cards else Text()
            remark = f" ({told.remark})" if told.remark else ""
            self.console.print(Text.assemble(start, told.words, cards, remark))

    def name(self, seat: int) -> str:
        """What a seat is called."""
        return "you" if seat == self._seat else self._names[seat]

    def turn(self, observation: Observation) -> None:
        """The table before a decision, and what can be done."""
        self.console.print(self.seats(observation))
        self.console.print(_choices(observation), highlight=False)

    def seats(self, seen: Observation) -> Table:
        """Who has what in front of them."""
        table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
        for name, justify in (("", "left"), ("", "left"), ("chips", "right"), ("bet", "right"), ("", "left")):
            table.add_column(name, justify=justify)  # type: ignore[arg-type]
        names = position_names(seen.config)
        for seat in range(seen.config.num_players):
            own = seat == seen.seat
            button = "●" if seat == seen.button else " "
            cards = card_text(seen.hole_cards) if own else Text("folded" if not seen.live[seat] else "", style="dim")
            position = names[(seat - seen.button - 1) % seen.config.num_players]
            bet = f"{seen.street_bets[seat]:,}" if seen.street_bets[seat] else ""
            style = "bold" if own else "" if seen.live[seat] else "dim"
            player = Text(f"{button} {self.name(seat)}")
            table.add_row(player, position, f"{seen.stacks[seat]:,}", bet, cards, style=style)
        table.add_row("  pot", "", f"{seen.pot:,}", "", card_text(seen.board) if seen.board else "")
        return table

    def hand_over(self, hand: ObservedHand) -> None:
        """What the hand brought."""
        won = hand.payoffs[hand.seat]
        self.total += won
        self.hands += 1
        style = "green" if won > 0 else "red" if won < 0 else ""
        self.console.print(Text(f"{won:+,} chips this hand, {self.total:+,} in all", style=style))


def _choices(seen: Observation) -> Text:
    """`f fold · c call 200 · r 400–9,800 · p pot 800 · a all-in 9,800`."""
    legal, named = seen.legal, sizes(seen)
    words = ["f fold"] if legal.call_amount and legal.can_fold else []
    words.append(f"c call {legal.call_amount:,}" if legal.call_amount else "c check")
    if legal.can_raise:
        words.append(f"r {legal.min_raise_to:,}–{legal.max_raise_to:,}")
        words += [f"h half pot {named.half_pot:,}", f"p pot {named.pot:,}", f"a all-in {named.all_in:,}"]
    return Text(" · ".join([*words, "? help"]), style="cyan")
