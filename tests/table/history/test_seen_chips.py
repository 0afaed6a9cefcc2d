"""Chips followed record by record, against the rules engine after every action of random hands."""

from typing import Any

import numpy as np
import pytest

from holdem.game import Action, Game, GameConfig, Hand
from holdem.game.presets import load_preset
from holdem.game.records import HandStarted
from holdem.table.history.seen_chips import SeenChips
from holdem.util.rng import stream

SHORT_ANTES = {"ante": 100, "stacks": (1_000, 50, 130)}
"""One is all-in by the ante, one by the blind behind it."""


@pytest.mark.parametrize("preset", ["headsup_100bb", "sixmax_100bb"])
@pytest.mark.parametrize("changes", [{}, SHORT_ANTES])
def test_chips_are_where_the_rules_put_them(preset: str, changes: dict[str, Any]) -> None:
    config = load_preset(preset).model_dump()
    if changes:
        changes = {**changes, "stacks": (changes["stacks"] * 2)[: config["num_players"]]}
    game = Game(GameConfig.model_validate({**config, **changes}))
    for seed in range(40):
        draws = stream(seed, "random hand")
        hand = game.new_hand(seed)
        started = hand.records[0]
        assert isinstance(started, HandStarted)
        chips, told = SeenChips(started), 0
        while True:
            for record in hand.records[told:]:
                chips.follow(record)
                assert sum(chips.stacks) + chips.pot == sum(started.stacks)
                assert min(chips.street_bets) >= 0
            told = len(hand.records)
            assert chips.stacks == hand.stacks
            if hand.actor is None:
                break
            assert (chips.street_bets, chips.pot) == (hand.street_bets, hand.pot)
            _random_action(hand, draws)
        assert chips.pot == 0


def _random_action(hand: Hand, draws: np.random.Generator) -> None:
    legal = hand.legal_actions()
    draw = draws.random()
    if draw < 0.15 and legal.can_fold:
        hand.act(Action.fold())
    elif draw < 0.45 and legal.min_raise_to is not None and legal.max_raise_to is not None:
        size = legal.max_raise_to if draw < 0.25 else int(draws.integers(legal.min_raise_to, legal.max_raise_to + 1))
        hand.act(Action.raise_to(size))
    else:
        hand.act(Action.check_or_call())
