"""A game made ready for training: its betting tree, the rows of its infosets, and somebody who deals the cards.

TrainingGame.from_preset("leduc")
TrainingGame.from_config(load_preset("headsup_100bb"), bucketing)
"""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from holdem.abstraction.betting.row_layout import RowLayout, layout_rows
from holdem.abstraction.betting.tree import BettingTree, build_tree, count_tree
from holdem.abstraction.bucketing import HandBucketing
from holdem.abstraction.buckets.cached_tables import with_tables
from holdem.errors import ConfigError
from holdem.game.presets import load_preset
from holdem.game.toy_games import num_buckets, toy_game
from holdem.mccfr.dealers import (
    Bucketing,
    Dealer,
    HoldemDealer,
    LosslessDealer,
    bucket_tables,
    list_dealer,
    slot_strides,
)
from holdem.mccfr.table.node_records import pack_nodes, slot_starts
from holdem.types import GameConfig

PREFLOP_HANDS = 169
_LARGEST_UNIT = 1_000
_WANTED_SWING = 30_000
"""Table units that the largest swing of a game may reach when its unit is finer than a chip."""


@dataclass(frozen=True)
class TrainingGame:
    """Everything about a game that does not change during training.

    buckets_per_street: private views of the cards that are told apart, per street
    unit: table units in a chip; 1 in games with deep stacks, finer in small ones
    bucketing_hash: of the card abstraction, "lossless" where every hand is its own bucket
    """

    config: GameConfig
    tree: BettingTree
    layout: RowLayout
    buckets_per_street: tuple[int, ...]
    dealer: Dealer = field(repr=False)
    unit: int = 1
    bucketing_hash: str = "lossless"

    @classmethod
    def from_preset(cls, name: str, bucketing: Bucketing | None = None) -> "TrainingGame":
        """The preset game of that name; hold'em with play after the flop needs a bucketing."""
        return cls.from_config(load_preset(name), bucketing)

    @classmethod
    def from_config(cls, config: GameConfig, bucketing: Bucketing | None = None) -> "TrainingGame":
        """A game with 52 cards takes its buckets from `bucketing`; in smaller decks every hand is its own."""
        tree = build_tree(config)
        if config.has_whole_deck:
            return _bucketed_holdem(cls, config, tree, bucketing)
        game = toy_game(config)
        buckets = tuple(num_buckets(game, street) for street in range(config.num_streets))
        layout = layout_rows(tree, buckets)
        strides = slot_strides(tree, layout)
        dealer: Dealer
        if config.variant == "holdem":
            dealer = LosslessDealer(game.deck, config.board_cards, strides)
        else:
            dealer = list_dealer(game, strides)
        return cls(config, tree, layout, buckets, dealer, unit_for(tree))

    @property
    def num_players(self) -> int:
        """Players at the table."""
        return self.config.num_players

    @property
    def num_slots(self) -> int:
        """Pairs of street and player: a deal has a bucket for each."""
        return self.config.num_streets * self.num_players

    @cached_property
    def largest_swing_chips(self) -> int:
        """The most that one visit can change a regret by, in chips."""
        return largest_swing(self.tree)

    @cached_property
    def records(self) -> npt.NDArray[np.int32]:
        """The packed nodes that the kernels walk (`node_records`)."""
        return pack_nodes(self.tree, self.layout, self.unit)

    @cached_property
    def slot_starts(self) -> npt.NDArray[np.int64]:
        """(slots,) where the rows of each street and player begin in a table."""
        return slot_starts(self.tree, self.layout)


def needs_buckets(config: GameConfig) -> bool:
    """Whether training needs a card abstraction: the whole deck, and decisions after the flop."""
    return config.has_whole_deck and bool(count_tree(config).decisions[1:].sum())


def tables_for(config: GameConfig, bucketing: HandBucketing | None) -> HandBucketing | None:
    """The card abstraction with its tables, built first where only its manifest is there, if the game needs them."""
    return with_tables(bucketing) if bucketing is not None and needs_buckets(config) else bucketing


def buckets_for(config: GameConfig, bucketing: Bucketing | None) -> tuple[int, ...]:
    """Buckets per street of a game, without building its tree."""
    if not config.has_whole_deck:
        game = toy_game(config)
        return tuple(num_buckets(game, street) for street in range(config.num_streets))
    decisions = count_tree(config).decisions.sum(axis=1)
    return tuple(
        PREFLOP_HANDS if street == 0 else bucketing.buckets_per_street[street] if bucketing and count else 1
        for street, count in enumerate(decisions)
    )


def _bucketed_holdem(
    kind: type[TrainingGame], config: GameConfig, tree: BettingTree, bucketing: Bucketing | None
) -> TrainingGame:
    """Hold'em with 52 cards: buckets are needed as far as there are decisions."""
    streets_used = int(np.flatnonzero(tree.counts.decisions.sum(axis=1)).max()) + 1
    if streets_used > 1 and bucketing is None:
        raise ConfigError(
            f"{config.name} is played after the flop and needs card buckets; build them with: holdem buckets build"
        )
    buckets = [PREFLOP_HANDS] + [1] * (config.num_streets - 1)
    if bucketing is not None:
        if bucketing.buckets_per_street[0] != PREFLOP_HANDS:
            raise ConfigError(
                f"the buckets put the preflop hands into {bucketing.buckets_per_street[0]} groups; "
                f"training keeps all {PREFLOP_HANDS} apart, so build them with preflop: {PREFLOP_HANDS}"
            )
        buckets[1:streets_used] = bucketing.buckets_per_street[1:streets_used]
        if streets_used > 1 and isinstance(bucketing, HandBucketing):
            bucketing = with_tables(bucketing)
    layout = layout_rows(tree, buckets)
    tables = bucket_tables(bucketing.tables if bucketing else (), streets_used)
    dealer = HoldemDealer(config.board_cards, streets_used, slot_strides(tree, layout), tables)
    used_hash = bucketing.content_hash if bucketing is not None and streets_used > 1 else "lossless"
    return kind(config, tree, layout, tuple(buckets), dealer, unit_for(tree), used_hash)


def largest_swing(tree: BettingTree) -> int:
    """The best payoff of a tree minus the worst, at most: all that can be in the pot."""
    return int(tree.chips_in.sum(axis=1, dtype=np.int64).max())


def unit_for(tree: BettingTree) -> int:
    """Table units in a chip: the power of ten, at most 1,000, that keeps the largest swing below 30,000 units."""
    unit = _LARGEST_UNIT
    while unit > 1 and unit * largest_swing(tree) > _WANTED_SWING:
        unit //= 10
    return unit
