"""Small games for the tests of training, among them random ones."""

import numpy as np
from hypothesis import strategies as st

from holdem.abstraction.betting.row_layout import layout_rows
from holdem.abstraction.betting.tree import build_tree
from holdem.evaluation.response.exact import BestResponse
from holdem.game.presets import load_preset
from holdem.game.toy_games import toy_game
from holdem.mccfr.dealers import ListDealer, slot_strides
from holdem.mccfr.training_game import TrainingGame
from holdem.types import BettingConfig, GameConfig, StreetMenus


def kuhn(num_players: int = 2) -> TrainingGame:
    return TrainingGame.from_config(
        GameConfig.model_validate({**load_preset("kuhn").model_dump(), "num_players": num_players})
    )


def best_response(game: TrainingGame) -> BestResponse:
    return BestResponse(toy_game(game.config), game.tree, game.layout)


def random_game(seed: int, num_players: int, num_deals: int = 5, unit: int = 1_000) -> TrainingGame:
    """A random small betting tree (uneven stacks, so side pots too) with a few random deals."""
    rng = np.random.default_rng(seed)
    config = GameConfig(
        name=f"random {seed}",
        num_players=num_players,
        stacks=tuple(int(chips) for chips in rng.integers(3, 12, size=num_players)),
        small_blind=1,
        big_blind=2,
        ranks="9TJQKA",
        board_cards=(0, 3),
        betting=BettingConfig(
            sizes=StreetMenus(preflop=("50%, a",), flop=(str(rng.choice(["50%, 100%", "a", "100%"])),)),
            max_raises=(1, 1, 1, 1),
            limps=bool(rng.integers(2)),
        ),
    )
    tree = build_tree(config)
    buckets = (2, 3)
    layout = layout_rows(tree, buckets)
    slots = np.repeat(buckets, num_players)
    views = rng.integers(0, slots, size=(num_deals, len(slots)))
    strengths = rng.integers(0, 3, size=(num_deals, num_players))
    dealer = ListDealer(views * slot_strides(tree, layout), strengths)
    return TrainingGame(config, tree, layout, buckets, dealer, unit)


small_games = st.builds(random_game, st.integers(0, 10_000), st.integers(2, 4))
