"""The person's side of a table in a terminal: the screen shows, the keyboard answers."""

from collections.abc import Sequence

from rich.panel import Panel

from holdem.cli.advice_display import advice_panel
from holdem.cli.play_screen import PlayScreen
from holdem.game.agent import Observation
from holdem.table.advice.recommendation import words_of
from holdem.table.person.equity import OwnEquity
from holdem.table.person.input import BETWEEN, HELP
from holdem.table.person.person import Advice
from holdem.table.session.leave_signals import LeaveNow, LeaveSignals


class Terminal:
    """A `PersonSide`; end of input and Ctrl+C are ways to leave."""

    def __init__(self, screen: PlayScreen, leave: LeaveSignals) -> None:
        self.screen, self.leave = screen, leave

    def turn(self, observation: Observation) -> None:
        """The table, and what can be done."""
        self.screen.turn(observation)

    def between(self) -> None:
        """What can be done now."""
        self.screen.console.print(BETWEEN, style="cyan", highlight=False)

    def tell(self, sentence: str) -> None:
        """One line."""
        self.screen.console.print(sentence, style="yellow", highlight=False, markup=False)

    def help(self) -> None:
        """The letters."""
        self.screen.console.print(Panel(HELP.rstrip(), expand=False), highlight=False)

    def advise(self, advice: Sequence[Advice]) -> None:
        """A panel a decision."""
        for recommendation, taken in advice:
            number = self.screen.hands + (taken is None)
            self.screen.console.print(advice_panel(recommendation, number))
            if taken is not None:
                self.screen.console.print(f"you: {words_of(taken, recommendation.observation)}", highlight=False)

    def show_equity(self, found: OwnEquity) -> None:
        """One line."""
        figure = f"{100 * found.share:.0f} % ± {100 * found.standard_error:.1f}"
        self.screen.console.print(f"your hand wins {figure} {found.against}", highlight=False)

    def acted_for(self, words: str) -> None:
        """What the seat did."""
        self.screen.console.print(f"you {words}")

    def read(self) -> str | None:
        """A line, None where there is none any more."""
        self.screen.console.print("› ", end="", style="bold")
        try:
            with self.leave.interruptible():
                if self.leave.now:  # asked while nobody was waiting for a line
                    raise LeaveNow
                return input()
        except (EOFError, LeaveNow):
            self.screen.console.print()
            return None
