"""Opponents that anybody can read: to measure against, not to fear. One small file each.

None of them keeps anything between hands, and all draw from the observation's own stream, so a duplicate match of one
against itself is exactly zero.
"""

import difflib
from collections.abc import Callable

from holdem.errors import ConfigError
from holdem.evaluation.baselines.always_call import AlwaysCall
from holdem.evaluation.baselines.always_raise import AlwaysRaise
from holdem.evaluation.baselines.fold_to_any_bet import FoldToAnyBet
from holdem.evaluation.baselines.loose_aggressive import loose_aggressive
from holdem.evaluation.baselines.pot_odds import PotOdds
from holdem.evaluation.baselines.random_legal import RandomLegal
from holdem.evaluation.baselines.tight_aggressive import tight_aggressive
from holdem.game.agent import Agent

__all__ = ["BASELINES", "open_baseline"]

BASELINES: dict[str, Callable[[], Agent]] = {
    "random": RandomLegal,
    "always-call": AlwaysCall,
    "always-raise": AlwaysRaise,
    "fold-to-any-bet": FoldToAnyBet,
    "pot-odds": PotOdds,
    "tight-aggressive": tight_aggressive,
    "loose-aggressive": loose_aggressive,
}


def open_baseline(name: str) -> Agent:
    """The baseline of that name; a ConfigError with the nearest name if there is none."""
    if name not in BASELINES:
        nearest = difflib.get_close_matches(name, BASELINES, n=1, cutoff=0.4)
        hint = f"did you mean {nearest[0]}? " if nearest else ""
        raise ConfigError(f"there is no baseline {name!r}; {hint}known ones: {', '.join(BASELINES)}")
    return BASELINES[name]()
