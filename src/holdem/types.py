"""Frozen, validated configurations: the leaf that every layer may import.

A configuration is built from YAML or keyword arguments, checked once, and never changes. Positions count in
the order of play after the flop: position 0 acts first there and the last position is the button; heads-up
that makes position 0 the big blind and position 1 the button, who posts the small blind.
"""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    SerializerFunctionWrapHandler,
    ValidationError,
    model_serializer,
    model_validator,
)

from holdem.errors import ConfigError
from holdem.util.configs import sentence_of

STREET_NAMES = ("preflop", "flop", "turn", "river")
POSITION_NAMES = ("SB", "BB", "UTG", "HJ", "CO", "BTN")
"""Of six players in the order of play after the flop; smaller tables leave out UTG, HJ and CO, in this order."""

Chips = Annotated[int, Field(ge=0, le=1_000_000_000)]


def playable_stack(stacks: Sequence[int]) -> int:
    """The most that two of these players can play for, each against the other: the second deepest stack."""
    return sorted(stacks)[-2:][0]


class Config(BaseModel):
    """Base of every configuration: immutable, and what is wrong with it is said in one sentence."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    def __init__(self, **values: Any) -> None:
        try:
            super().__init__(**values)
        except ValidationError as error:
            raise ConfigError(sentence_of(type(self), error)) from None


def _one_menu_is_a_list(value: Any) -> Any:
    return (value,) if isinstance(value, str) else value


Menus = Annotated[tuple[str, ...], BeforeValidator(_one_menu_is_a_list), Field(min_length=1)]


class StreetMenus(Config):
    """Bet sizes per street: one menu for every raise number, or a list of menus by raise number.

    The first entry of a list is for the opening bet (before the flop: the first raise over the blinds), the
    next for the raise of it, and so on; the last entry serves all later raises. The language of a menu is
    described in `holdem.abstraction.betting.sizes`. A street that is left out has no bets, only checks and calls.
    """

    preflop: Menus = ("",)
    """Before the flop; the first raise is the first one over the blinds."""
    flop: Menus = ("",)
    """On the flop."""
    turn: Menus = ("",)
    """On the turn."""
    river: Menus = ("",)
    """On the river."""

    def street(self, street: int) -> tuple[str, ...]:
        """The menus of one street, by its number."""
        menus: tuple[str, ...] = getattr(self, STREET_NAMES[street])
        return menus


RaiseCap = Annotated[int, Field(ge=0, le=100)]


def _one_cap_for_all_streets(value: Any) -> Any:
    return (value,) * len(STREET_NAMES) if isinstance(value, int) else value


class PositionMenus(Config):
    """A menu for each position that is named, for its first raise before the flop."""

    SB: str | None = None
    """The small blind."""
    BB: str | None = None
    """The big blind."""
    UTG: str | None = None
    """The first to act, at tables of six."""
    HJ: str | None = None
    """The hijack, at tables of five and six."""
    CO: str | None = None
    """The cutoff, at tables of four and more."""
    BTN: str | None = None
    """The button, at tables of three and more."""

    def position(self, name: str) -> str | None:
        """The menu of a position by its name, None where it has none."""
        menu: str | None = getattr(self, name, None)
        return menu

    @property
    def named(self) -> tuple[str, ...]:
        """The positions that have a menu."""
        return tuple(name for name in POSITION_NAMES if getattr(self, name) is not None)


def _in_table_order(value: Any) -> Any:
    """A list of positions in one order; anything else must be true or false."""
    if isinstance(value, bool):
        return value
    names = [value] if isinstance(value, str) else value
    known = isinstance(names, list | tuple) and all(isinstance(n, str) and n in POSITION_NAMES for n in names)
    if not known:
        raise ValueError(f"write true, false or a list of positions out of {', '.join(POSITION_NAMES)}")
    return tuple(name for name in POSITION_NAMES if name in names) or False


def _players_by_raises(value: Any) -> Any:
    """One number of players, or a list of them by the number of raises."""
    numbers = value if isinstance(value, list | tuple) else [value]
    if not numbers or not all(type(number) is int and 2 <= number <= len(POSITION_NAMES) for number in numbers):
        raise ValueError("write a number from 2 to 6, or a list of them for limped pots, one raise, two raises ...")
    return tuple(numbers) if isinstance(value, list | tuple) else value


class BettingConfig(Config):
    """The betting abstraction: which of the legal bets are in the tree."""

    sizes: StreetMenus = StreetMenus()
    """Bet sizes by street."""
    multiway_sizes: StreetMenus | None = None
    """Menus from the flop on for streets that `multiway_from` or more players entered, instead of `sizes`."""
    multiway_from: int = Field(default=3, ge=3, le=6)
    """Players on a street from which `multiway_sizes` hold."""
    crowd_sizes: StreetMenus | None = None
    """Menus from the flop on for streets that `crowd_from` or more players entered, before `multiway_sizes`."""
    crowd_from: int = Field(default=4, ge=3, le=6)
    """Players on a street from which `crowd_sizes` hold."""
    opens: PositionMenus | None = None
    """Menus of the first raise before the flop by position, if nobody has called; others open with `sizes`."""
    isolation: str | None = None
    """The menu of the first raise before the flop once somebody has called the big blind; None: as `sizes` says."""
    max_raises: Annotated[tuple[RaiseCap, RaiseCap, RaiseCap, RaiseCap], BeforeValidator(_one_cap_for_all_streets)] = (
        3,
        3,
        3,
        3,
    )
    """Bets and raises allowed on each street; the blinds do not count."""
    limps: Annotated[bool | tuple[str, ...], BeforeValidator(_in_table_order)] = True
    """Whether a player who could raise may just call the big blind in an unraised pot.

    A list names the positions that may be the first to do so; whoever comes after them may call too.
    """
    max_flop_players: Annotated[int | tuple[int, ...], BeforeValidator(_players_by_raises)] = 6
    """A call that would let more players than this see a flop is not in the tree, unless it is all-in.

    A list is by the number of raises: limped pots, one raise, two raises ...; the last one goes on.
    """
    invested_may_call: int = Field(default=0, ge=0, le=100)
    """Up to this number of raises, whoever called or raised before may call however many are in; so may the big blind
    the first raise. 0: `max_flop_players` holds for everybody."""
    merge_threshold: float = Field(default=0.0, ge=0.0, le=1.0)
    """A size closer than this share of the pot to the next smaller one is dropped; an all-in always stays."""
    all_in_threshold: float = Field(default=1.0, gt=0.0, le=1.0)
    """A size that puts in at least this share of the stack becomes all-in."""

    @property
    def players_by_raises(self) -> tuple[int, ...]:
        """`max_flop_players` as a list by the number of raises."""
        limit = self.max_flop_players
        return (limit,) if isinstance(limit, int) else limit

    @model_serializer(mode="wrap")
    def _without_later_fields(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Fields that came later are left out at their defaults: games that do not use them stay what they were."""
        content: dict[str, Any] = handler(self)
        for name in _LATER_FIELDS:
            if name in content and getattr(self, name) == type(self).model_fields[name].default:
                del content[name]
        return content


_LATER_FIELDS = ("crowd_sizes", "crowd_from", "opens", "isolation", "invested_may_call")


def _printable(value: str) -> str:
    if not value.isprintable():
        raise ValueError("has letters that cannot be printed")
    return value


def _one_stack_for_all(value: Any) -> Any:
    return (value,) if isinstance(value, int) else value


class GameConfig(Config):
    """The rules of one game, and the betting abstraction that a tree of it uses. Amounts are chips."""

    name: Annotated[str, AfterValidator(_printable)] = "custom"
    """For people, and the folder of a run without --logdir."""
    variant: Literal["holdem", "kuhn", "leduc"] = "holdem"
    """Hold'em, or one of the two toy games."""
    num_players: int = Field(default=2, ge=2, le=6)
    """Seats at the table, all of them taken."""
    stacks: Annotated[tuple[Chips, ...], BeforeValidator(_one_stack_for_all)] = (10_000,)
    """Chips of each position before blinds and antes; one number serves everybody."""
    small_blind: Chips = 50
    """Posted by the first position; heads-up by the button."""
    big_blind: Chips = 100
    """Posted by the second position; heads-up by the one who is not the button."""
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
    """Which of the legal bets are in the tree."""

    @property
    def num_streets(self) -> int:
        """How many betting rounds there are."""
        return len(self.board_cards)

    @property
    def position_names(self) -> tuple[str, ...]:
        """Poker's names of the positions (`SB`, `BB`, `UTG`, ... `BTN`); without blinds `P0`, `P1`, ..."""
        if self.big_blind == 0:
            return tuple(f"P{position}" for position in range(self.num_players))
        if self.num_players == 2:
            return ("BB", "SB")
        return (*POSITION_NAMES[:2], *POSITION_NAMES[8 - self.num_players :])

    @property
    def has_whole_deck(self) -> bool:
        """Whether it is hold'em with all 52 cards: too many hands for each to be its own bucket."""
        return self.variant == "holdem" and len(self.ranks) == 13

    @property
    def starting_stacks(self) -> tuple[int, ...]:
        """One stack per position."""
        return self.stacks * self.num_players if len(self.stacks) == 1 else self.stacks

    @property
    def stack_blinds(self) -> float:
        """How deep players can play, in big blinds; in chips where there is no big blind."""
        return playable_stack(self.starting_stacks) / max(self.big_blind, 1)

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
        self._check_positions()
        return self

    def _check_positions(self) -> None:
        """Positions that the betting names must sit at this table."""
        limps, opens = self.betting.limps, self.betting.opens
        named = {"limps": () if isinstance(limps, bool) else limps, "opens": opens.named if opens else ()}
        for field, names in named.items():
            for name in names:
                if name not in self.position_names:
                    raise ValueError(
                        f"betting.{field} names {name}, and the positions of this game are "
                        f"{', '.join(self.position_names)}; leave it out"
                    )


class BucketCounts(Config):
    """How many buckets each street has; before the flop every hand up to suits has its own."""

    preflop: Literal[169] = 169
    """Every hand up to suits; no other number is possible."""
    flop: int = Field(default=50, ge=1, le=10_000)
    """Buckets of the flop."""
    turn: int = Field(default=50, ge=1, le=10_000)
    """Buckets of the turn."""
    river: int = Field(default=50, ge=1, le=10_000)
    """Buckets of the river."""


class BucketFeatures(Config):
    """What hands of a street are grouped by.

    `equity` is the exact chance against a uniform range, averaged over the cards to come; `potential` the
    histogram of it over the next card; `ochs` the chances against clusters of opponents' hands.
    """

    flop: Literal["potential", "equity"] = "potential"
    """How hands of the flop are compared."""
    turn: Literal["potential", "equity"] = "potential"
    """How hands of the turn are compared."""
    river: Literal["equity", "ochs"] = "equity"
    """How hands of the river are compared."""


class BucketConfig(Config):
    """A card abstraction: how its buckets are made."""

    name: str = "custom"
    """For people."""
    buckets: BucketCounts = BucketCounts()
    """How many buckets each street gets."""
    features: BucketFeatures = BucketFeatures()
    """What hands of each street are grouped by."""
    bins: int = Field(default=32, ge=4, le=64)
    """Bins of the histograms over the next street."""
    opponent_clusters: int = Field(default=8, ge=2, le=32)
    """Groups of preflop hands that `ochs` measures against."""
    samples: int = Field(default=200_000, ge=1_000, le=10_000_000)
    """Random deals that the centroids are fitted to; every hand is assigned afterwards."""
    iterations: int = Field(default=30, ge=1, le=1_000)
    """Rounds of fitting at most; it stops when nothing changes."""
    seed: int = Field(default=0, ge=0, lt=2**63)
    """Of the random deals; the same seed gives the same buckets on every machine."""
    threads: int = Field(default=0, ge=0)
    """Threads to build with, 0 for every core; it does not change the result."""

    @property
    def buckets_per_street(self) -> tuple[int, int, int, int]:
        """The four numbers of buckets that were asked for."""
        return self.buckets.preflop, self.buckets.flop, self.buckets.turn, self.buckets.river


class MCCFRConfig(Config):
    """How a blueprint is trained; the keys of a training YAML file.

    Each key is also a flag of `holdem train`, made of its field by `holdem.cli.flags`: the description is its help, and
    `flag` a second, shorter spelling. Training needs `num_iterations`, `time_budget_seconds` or both: whoever starts a
    run checks that.
    """

    num_iterations: int | None = Field(
        default=None, ge=1, description="Iterations in all.", json_schema_extra={"flag": "--iters"}
    )
    time_budget_seconds: float | None = Field(
        default=None, gt=0.0, description="Seconds of training in all.", json_schema_extra={"flag": "--time-budget"}
    )
    snapshot_interval_seconds: float = Field(
        default=600.0,
        gt=0.0,
        description="Seconds between snapshots.",
        json_schema_extra={"flag": "--snapshot-interval"},
    )
    checkpoint_interval: int = Field(default=10_000, ge=1, description="Iterations between checkpoints.")
    discount_interval: int = Field(default=5_000, ge=0, description="Iterations between two discounts; 0: none.")
    regret_discount_alpha: float = Field(
        default=1.0, ge=0.0, le=10.0, description="The k-th discount multiplies regrets by k^alpha / (k^alpha + 1)."
    )
    strategy_discount_beta: float = Field(
        default=1.0,
        ge=0.0,
        le=10.0,
        description="The k-th discount multiplies strategy sums by (k / (k + 1))^beta, "
        "with three or more players by the power beta + 3.",
    )
    exploration_epsilon: float = Field(
        default=0.6,
        ge=0.0,
        le=1.0,
        description="Exploration of outcome sampling: how often the traverser's action is drawn uniformly.",
        json_schema_extra={"flag": "--epsilon"},
    )
    enable_pruning: bool = Field(default=True, description="Skip actions with very negative regret.")
    pruning_threshold: float = Field(
        default=-300_000_000.0, lt=0.0, description="Regret, in chips, below which an action may be skipped."
    )
    pruning_probability: float = Field(
        default=0.95, ge=0.0, le=1.0, description="Share of the traversals that skip such actions."
    )
    num_workers: int = Field(default=1, ge=0, description="Worker processes; 1: this one, 0: every core.")
    batch_size: int = Field(
        default=100, ge=1, description="Iterations that the workers share before they look at each other."
    )
    num_players: int = Field(default=2, ge=2, le=6, description="2 (default) to 6: picks the preset game.")
    sampling: Literal["external", "outcome"] = Field(default="external", description="external (default) or outcome.")
    seed: int = Field(default=0, ge=0, lt=2**63, description="Same seed, same tables, byte for byte.")

    @model_validator(mode="before")
    @classmethod
    def _no_sighted_opponent(cls, values: Any) -> Any:
        for key in ("sighted_interval", "sighted_weight"):
            if isinstance(values, dict) and key in values:
                raise ValueError(f"{key} is gone, because it cost more than it gained (docs/results.md); leave it out")
        return values

    @model_validator(mode="after")
    def _outcome_sampling_explores(self) -> "MCCFRConfig":
        if self.sampling == "outcome" and self.exploration_epsilon == 0.0:
            raise ValueError("exploration_epsilon must be above 0 for outcome sampling; 0.6 is usual")
        return self


SEARCH_PRESETS: dict[str, dict[str, float]] = {"fast": {"time_budget_ms": 80.0}, "strong": {"time_budget_ms": 1000.0}}
"""What a preset sets; with more time a search has more sizes, exact rivers after turns and drawn ones after flops."""


class SearchConfig(Config):
    """How long and with what an agent searches before it acts; the verbs of tables take the descriptions as help."""

    preset: Literal["fast", "strong"] = Field(default="fast", description="fast: 80 ms a search; strong: 1 s.")
    time_budget_ms: float = Field(
        default=80.0, gt=0.0, le=3_600_000.0, description="Wall time of one search; 80 if the preset is fast."
    )
    min_iters: int = Field(default=100, ge=1, description="Iterations that a search gets in any case.")
    """The largest tree for which they fit the time is solved."""
    num_workers: int = Field(
        default=1, ge=0, description="Threads of a search with two players, processes with more; 0: every core."
    )
    root: Literal["unsafe", "resolve", "max-margin", "mixed"] = "mixed"
    """What the opponent may do at the start of a street: nothing; leave it for the most that the solve of the street
    before promised its hand (CFR-D); that with the margin made as large as possible; or leave with half its range."""
    beliefs: Literal["blueprint", "solves", "both"] = "both"
    """What an opponent's action after the flop says about its hands: by the blueprint, by the solves, or the mean."""
    iterations: int | None = Field(default=None, ge=1)
    """Exactly this many iterations, whatever the time: the same answer on every machine."""

    @model_validator(mode="before")
    @classmethod
    def _from_preset(cls, values: Any) -> Any:
        """What is not given comes from the preset."""
        known = SEARCH_PRESETS.get(values.get("preset", "fast"), {}) if isinstance(values, dict) else {}
        return {**known, **values} if known else values
