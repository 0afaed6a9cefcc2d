"""A person in a seat: the screen shows, the keyboard answers; end of input or Ctrl+C is a way to leave."""

from rich.panel import Panel

from holdem.cli.advice_display import advice_panel
from holdem.cli.play_input import HELP, Request, parse_input
from holdem.cli.play_screen import PlayScreen
from holdem.errors import IllegalAction
from holdem.game.actions import Action
from holdem.game.agent import Observation
from holdem.table.advisor import Advisor
from holdem.table.leave_signals import LeaveNow, LeaveSignals
from holdem.table.recommendation import words_of
from holdem.table.safe_action import check_or_fold

BETWEEN = "Enter next hand · w what the bot would have done · q leave"


class Person:
    """An `Agent` made of a screen and a keyboard."""

    def __init__(self, screen: PlayScreen, advisor: Advisor | None, leave: LeaveSignals) -> None:
        self.screen, self.advisor, self.leave = screen, advisor, leave
        self.leaving = False
        self.decisions: list[tuple[Observation, Action]] = []
        """What was decided in this hand."""

    @property
    def name(self) -> str:
        """What histories call the person."""
        return "you"

    def act(self, observation: Observation) -> Action:
        """Ask until there is an answer that the rules allow."""
        if not self.leaving:
            self.screen.turn(observation)
        while not self.leaving:
            action = self._answer(observation)
            if action is not None:
                self.decisions.append((observation, action))
                return action
        action = check_or_fold(observation.legal)
        self.screen.console.print(f"you {words_of(action, observation)}")
        return action

    def _answer(self, observation: Observation) -> Action | None:
        line = self._read()
        if line is None:
            return None
        try:
            answer = parse_input(line, observation)
        except IllegalAction as error:
            self.screen.console.print(str(error), style="yellow", highlight=False)
            return None
        if isinstance(answer, Action):
            return answer
        if answer is Request.LEAVE:
            self.leaving = True
        elif answer is Request.HELP:
            self.screen.console.print(Panel(HELP.rstrip(), expand=False), highlight=False)
        else:
            self._advise([(observation, None)], self.screen.hands + 1)
        return None

    def between_hands(self) -> None:
        """Go on, look back, or leave."""
        while not self.leaving:
            self.screen.console.print(BETWEEN, style="cyan", highlight=False)
            line = self._read()
            word = (line or "").strip().lower()
            if word.startswith("q"):
                self.leaving = True
            elif word.startswith("w"):
                self._advise(list(self.decisions), self.screen.hands)
            elif line is not None:
                break
        self.decisions.clear()

    def _advise(self, decisions: list[tuple[Observation, Action | None]], hand: int) -> None:
        console = self.screen.console
        if self.advisor is None:
            console.print("there is no blueprint to ask; make train makes one in two minutes", style="yellow")
        elif not decisions:
            console.print("you had nothing to decide in this hand", style="yellow")
        else:
            for observation, taken in decisions:
                console.print(advice_panel(self.advisor.recommend(observation), hand))
                if taken is not None:
                    console.print(f"you: {words_of(taken, observation)}", highlight=False)

    def _read(self) -> str | None:
        """A line, None where there is none any more."""
        self.screen.console.print("› ", end="", style="bold")
        try:
            with self.leave.interruptible():
                return input()
        except (EOFError, LeaveNow):
            self.screen.console.print()
            self.leaving = True
            return None
