"""What a player may do, and what the rules allow now."""

from dataclasses import dataclass
from enum import Enum


class ActionKind(Enum):
    """The three things a player can do; the table decides between check and call, bet and raise."""

    FOLD = "fold"
    CHECK_OR_CALL = "check or call"
    RAISE_TO = "raise to"


@dataclass(frozen=True, slots=True)
class Action:
    """One action. `amount` belongs to a raise: all chips of that player on this street after it."""

    kind: ActionKind
    amount: int = 0

    @classmethod
    def fold(cls) -> "Action":
        """Give the hand up."""
        return cls(ActionKind.FOLD)

    @classmethod
    def check_or_call(cls) -> "Action":
        """Match the bet, which is a check when there is nothing to match."""
        return cls(ActionKind.CHECK_OR_CALL)

    @classmethod
    def raise_to(cls, amount: int) -> "Action":
        """Bet or raise so that `amount` chips stand in front of the player on this street."""
        return cls(ActionKind.RAISE_TO, amount)

    def __str__(self) -> str:
        return f"raise to {self.amount}" if self.kind is ActionKind.RAISE_TO else self.kind.value


@dataclass(frozen=True, slots=True)
class LegalActions:
    """What the seat to act may do: fold, pay `call_amount` (0 is a check), or raise within two limits."""

    can_fold: bool
    call_amount: int
    min_raise_to: int | None
    max_raise_to: int | None
    """Both None when a raise is not allowed; equal when the only raise is all-in."""

    @property
    def can_raise(self) -> bool:
        """Whether any bet or raise is allowed."""
        return self.min_raise_to is not None

    def allows(self, action: Action) -> bool:
        """Whether `action` is legal."""
        if action.kind is ActionKind.FOLD:
            return self.can_fold
        if action.kind is ActionKind.CHECK_OR_CALL:
            return True
        if self.min_raise_to is None or self.max_raise_to is None:
            return False
        return self.min_raise_to <= action.amount <= self.max_raise_to

    def __str__(self) -> str:
        words = ["fold"] if self.can_fold else []
        words.append(f"call {self.call_amount}" if self.call_amount else "check")
        if self.min_raise_to is not None:
            words.append(f"raise to {self.min_raise_to}..{self.max_raise_to}")
        return ", ".join(words)
