"""How an action was found: what tables print and logs keep beside the action itself."""

from dataclasses import dataclass, replace
from enum import Enum
from math import isnan, nan

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
    nothing was solved, NaN for an action that has none."""
    chosen: Action
    method: Method
    iterations: int = 0
    """Of the solve; 0 where nothing was solved."""
    seconds: float = 0.0
    """Wall time from the question to the answer."""
    note: str = ""
    """What was solved, or why the answer is a fallback."""
    accuracy: float | None = None
    """Chips that a best response of the seat from here on gains over the play shown, against the opponent of the same
    solve, over the range that the seat has here; None where it was not computed."""
    hand_accuracy: float | None = None
    """The same with the cards that the seat holds: no action is worth more than the mixture shown and this."""
    off_the_line: bool = False
    """Whether the solve hardly ever plays like what was done, so that its ranges are guesses."""
    outside_range: bool = False
    """Whether the seat hardly ever comes here with the cards that it holds: by the frequencies of the solves, or
    because the blueprint was never trained with them here."""
    defended: tuple[bool, ...] | None = None
    """Of each action whether its EV can be defended: the range takes it, so that the reply to it is trained, or nothing
    is decided after it; None where nobody knows."""
    caveats: tuple[str, ...] = ()
    """What keeps the figures from being quite the truth, one sentence each; the note has them too."""

    def with_caveat(self, sentence: str) -> "Decision":
        """The same with one more of them."""
        note = f"{self.note}; {sentence}" if self.note else sentence
        return replace(self, note=note, caveats=(*self.caveats, sentence))

    def without_undefended(self) -> "Decision":
        """The same without the EVs that cannot be defended."""
        if self.evs is None or self.defended is None:
            return self
        if not any(self.defended):
            return replace(self, evs=None)
        kept = zip(self.evs, self.defended, strict=True)
        return replace(self, evs=tuple(ev if defended else nan for ev, defended in kept))

    @property
    def hardly_comes_here(self) -> bool:
        """Whether little is known about this decision: the EVs of a solve change with the time that it has."""
        return self.off_the_line or self.outside_range

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
            value = "" if self.evs is None or isnan(self.evs[index]) else f" ({self.evs[index]:+.1f})"
            words.append(f"{_short(action)} {100 * share:.0f} %{value}")
        return ", ".join(words)


def _short(action: Action) -> str:
    return "check/call" if action.kind is ActionKind.CHECK_OR_CALL else str(action)
