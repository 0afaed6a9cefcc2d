"""When training meets the opponent who sees the board (`sighted_opponent`), and in which games there is one."""

from collections.abc import Mapping, Sequence
from typing import Any

from holdem.types import GameConfig

_RIVER = 3


def meets_sighted_opponent(training: Mapping[str, Any], game: GameConfig, buckets_per_street: Sequence[int]) -> bool:
    """Whether the settings (by the names of `MCCFRConfig`) have an effect: heads-up hold'em whose river has buckets."""
    river = buckets_per_street[_RIVER] if len(buckets_per_street) > _RIVER else 1
    has_one = game.has_whole_deck and game.num_players == 2 and river > 1
    wanted = bool(training.get("sighted_interval") and training.get("sighted_weight"))
    return has_one and wanted and training.get("sampling") == "external"


def visit_due(iteration: int, interval: int) -> bool:
    """Whether an iteration begins with a visit; the first of all does, so that kernels are compiled at the start."""
    return iteration % interval == 0
