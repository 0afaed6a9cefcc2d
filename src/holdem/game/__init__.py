"""The exact rules of no-limit hold'em for 2 to 6 seats, hand histories, and the protocol of agents."""

from holdem.game import records
from holdem.game.actions import Action, ActionKind, LegalActions
from holdem.game.agent import Agent, Observation, PublicState, RangeAgent, observe, public_state
from holdem.game.game import Game
from holdem.game.hand import Hand
from holdem.game.phh import from_phh, from_phhs, to_phh, to_phhs
from holdem.game.play import play_duplicate, play_hand
from holdem.game.pots import Pot
from holdem.game.presets import load_game, load_preset, preset_names
from holdem.game.records import Record, format_records
from holdem.types import GameConfig

__all__ = [
    "Action",
    "ActionKind",
    "Agent",
    "Game",
    "GameConfig",
    "Hand",
    "LegalActions",
    "Observation",
    "Pot",
    "PublicState",
    "RangeAgent",
    "Record",
    "format_records",
    "from_phh",
    "from_phhs",
    "load_game",
    "load_preset",
    "observe",
    "play_duplicate",
    "play_hand",
    "preset_names",
    "public_state",
    "records",
    "to_phh",
    "to_phhs",
]
