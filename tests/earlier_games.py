"""Games as they were before their presets grew: what old runs carry, and small trees with known numbers."""

from pathlib import Path

from holdem.game.presets import load_game
from holdem.types import GameConfig


def earlier_game(name: str) -> GameConfig:
    """A preset of an earlier version by its name."""
    return load_game(Path(__file__).parent / "data" / "earlier_games" / f"{name}.yaml")
