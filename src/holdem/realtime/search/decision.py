"""How an action was found: what tables print and logs keep beside the action itself."""

from dataclasses import dataclass
from enum import Enum

from holdem.game.actions import Action, ActionKind
from holdem.util.words import counted


class Method(Enum):
    """Where a decision's probabilities come from."""

    BLUEPRINT = "blueprint"
    SEARCH = "search"
    FALLBACK = "fallback"


@dataclass(frozen=True)
class Decision:
    """One decision of one seat. Lists are in the order of `actions`."""

    actions: tuple[Action, ...]
    probabilities: tuple[float, ...]
    """Of each action with the cards that the seat holds."""
    evs: tuple[float, ...] | None
    """EV of each action in chips from here on, counted from the chips in front of the seat now; None where
    nothing was solved."""
    chosen: Action
    method: Method
    iterations: int = 0
    """Of the solve; 0 where nothing was solved."""
    seconds: float = 0.0
    """Wall time from the question to the answer."""
    note: str = ""
    """What was solved, or why the answer is a fallback."""

    def __str__(self) -> str:
        how = self.method.value
        if self.iterations:
            how += f", {counted(self.iterations, 'iteration')}"
        how += f", {self.seconds * 1000:.0f} ms"
        return f"{self.chosen} ({how}{'; ' + self.note if self.note else ''}): {self.frequencies()}"

    def frequencies(self) -> str:
        """`fold 12 %, call 60 % (+31.5), raise to 900 28 % (+30.9)`: share and EV of each action."""
        words = []
        for index, (action, share) in enumerate(zip(self.actions, self.probabilities, strict=True)):
            value = "" if self.evs is None else f" ({self.evs[index]:+.1f})"
            words.append(f"{_short(action)} {100 * share:.0f} %{value}")
        return ", ".join(words)


def _short(action: Action) -> str:
    return "check/call" if action.kind is ActionKind.CHECK_OR_CALL else str(action)
