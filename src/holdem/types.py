"""Frozen, validated configurations: the leaf that every layer may import.

A configuration is built from YAML or keyword arguments, checked once, and never changes. Positions count in
the order of play after the flop: position 0 acts first there and the last position is the button; heads-up
that makes position 0 the big blind and position 1 the button, who posts the small blind.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

STREET_NAMES = ("preflop", "flop", "turn", "river")

Chips = Annotated[int, Field(ge=0, le=1_000_000_000)]


class Config(BaseModel):
    """Base of every configuration: immutable, and a key that is not known is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def _one_menu_is_a_list(value: Any) -> Any:
    return (value,) if isinstance(value, str) else value


Menus = Annotated[tuple[str, ...], BeforeValidator(_one_menu_is_a_list), Field(min_length=1)]


class StreetMenus(Config):
    """Bet sizes per street: one menu for every raise number, or a list of menus by raise number.

    The first entry of a list is for the opening bet (before the flop: the first raise over the blinds), the
    next for the raise of it, and so on; the last entry serves all later raises. The language of a menu is
    described in `holdem.abstraction.bet_sizes`. A street that is left out has no bets, only checks and calls.
    """

    preflop: Menus = ("",)
    flop: Menus = ("",)
    turn: Menus = ("",)
    river: Menus = ("",)

    def street(self, street: int) -> tuple[str, ...]:
        """The menus of one street, by its number."""
        menus: tuple[str, ...] = getattr(self, STREET_NAMES[street])
        return menus


RaiseCap = Annotated[int, Field(ge=0, le=100)]


def _one_cap_for_all_streets(value: Any) -> Any:
    return (value,) * len(STREET_NAMES) if isinstance(value, int) else value


class BettingConfig(Config):
    """The betting abstraction: which of the legal bets are in the tree."""

    sizes: StreetMenus = StreetMenus()
    multiway_sizes: StreetMenus | None = None
    """Menus from the flop on for streets that `multiway_from` or more players entered, instead of `sizes`."""
    multiway_from: int = Field(default=3, ge=3, le=6)
    max_raises: Annotated[
        tuple[RaiseCap, RaiseCap, RaiseCap, RaiseCap], BeforeValidator(_one_cap_for_all_streets)
    ] = (3, 3, 3, 3)
    """Bets and raises allowed on each street; the blinds do not count."""
    limps: bool = True
    """Whether a player who could raise may just call the big blind in an unraised pot."""
    max_flop_players: int = Field(default=6, ge=2, le=6)
    """A call that would let more players than this see a flop is not in the tree, unless it is all-in."""
    merge_threshold: float = Field(default=0.0, ge=0.0, le=1.0)
    """A size closer than this share of the pot to the next smaller one is dropped; an all-in always stays."""
    all_in_threshold: float = Field(default=1.0, gt=0.0, le=1.0)
    """A size that puts in at least this share of the stack becomes all-in."""


def _one_stack_for_all(value: Any) -> Any:
    return (value,) if isinstance(value, int) else value


class GameConfig(Config):
    """The rules of one game, and the betting abstraction that a tree of it uses. Amounts are chips."""

    name: str = "custom"
    variant: Literal["holdem", "kuhn", "leduc"] = "holdem"
    num_players: int = Field(default=2, ge=2, le=6)
    stacks: Annotated[tuple[Chips, ...], BeforeValidator(_one_stack_for_all)] = (10_000,)
    """Chips of each position before blinds and antes; one number serves everybody."""
    small_blind: Chips = 50
    big_blind: Chips = 100
    ante: Chips = 0
    """Posted by every player before the blinds."""
    straddle: Chips = 0
    """Posted by the first position after the big blind, who then acts last before the flop; 0 is off."""
    all_in_reopens: bool = False
    """ACPC's rule: any all-in raise, however short, lets everybody raise again."""
    ranks: str = "23456789TJQKA"
    """The ranks in the deck, low to high: fewer of them make a short-rank game."""
    board_cards: tuple[int, ...] = (0, 3, 4, 5)
    """Board cards on the table on each street; its length is the number of streets."""
    betting: BettingConfig = BettingConfig()

    @property
    def num_streets(self) -> int:
        """How many betting rounds there are."""
        return len(self.board_cards)

    @property
    def starting_stacks(self) -> tuple[int, ...]:
        """One stack per position."""
        return self.stacks * self.num_players if len(self.stacks) == 1 else self.stacks

    @model_validator(mode="after")
    def _consistent(self) -> "GameConfig":
        if len(self.stacks) not in (1, self.num_players):
            raise ValueError(
                f"stacks has {len(self.stacks)} entries for {self.num_players} players; "
                "give one number for everybody or one per player"
            )
        if min(self.stacks) <= 0:
            raise ValueError("stacks must be positive")
        if self.small_blind > self.big_blind:
            raise ValueError(f"small_blind {self.small_blind} is larger than big_blind {self.big_blind}")
        if self.straddle and self.straddle < 2 * self.big_blind:
            raise ValueError(f"straddle {self.straddle} is below twice the big blind; use 0 for none")
        if self.straddle and self.num_players < 3:
            raise ValueError("straddle needs three players or more; use 0 for none")
        if self.straddle and self.big_blind == 0:
            raise ValueError("straddle needs a big blind before it; use 0 for none")
        allowed = {"holdem": ((0, 3), (0, 3, 4), (0, 3, 4, 5)), "kuhn": ((0,),), "leduc": ((0, 1),)}
        if self.board_cards not in allowed[self.variant]:
            choices = " or ".join(str(list(choice)) for choice in allowed[self.variant])
            raise ValueError(f"board_cards {list(self.board_cards)} does not fit {self.variant}; use {choices}")
        order = ["23456789TJQKA".find(rank) for rank in self.ranks]
        if -1 in order or order != sorted(set(order)):
            raise ValueError(f"ranks {self.ranks!r} must be distinct letters of 23456789TJQKA from low to high")
        cards_needed = 2 * self.num_players + self.board_cards[-1]
        if self.variant == "holdem" and 4 * len(self.ranks) < cards_needed:
            raise ValueError(
                f"ranks {self.ranks!r} give {4 * len(self.ranks)} cards, and {self.num_players} players "
                f"need {cards_needed}; add ranks or take players away"
            )
        return self
