"""Small models for tests: packed from hand-made policies into `assets/models` of a folder."""

from pathlib import Path
from typing import Any

from holdem.policy.models import pack
from tests.table.policies import random_policy

TRAINING = {
    "date": "2026-11-16",
    "machine": "2-core Linux server",
    "seconds": 4_000,
    "workers": 2,
    "commands": ["holdem train --time-budget 4000 --num-workers 2"],
}
RESULTS: dict[str, Any] = {
    "baselines": [
        {"opponent": "always-call", "bb_per_100": 120.04, "interval": 8.26, "hands": 30_000},
        {"opponent": "pot-odds", "bb_per_100": 51.25, "interval": 3.0, "hands": 30_000},
    ],
    "litmus": {"passed": 11, "checks": 12, "failed": ["aces are not folded"]},
    "lbr": [{"setting": "fc", "search": False, "mbb_per_hand": 310.0, "interval": 40.0, "hands": 2_000}],
    "measured": {"date": "2026-11-16", "machine": "2-core Linux server", "commands": ["holdem eval"]},
}


def ship(folder: Path, name: str, game: str = "jam_or_fold_10bb", **about: Any) -> Path:
    """A model of a random policy, found from `folder` as `models/<name>`."""
    run = folder / f"packed_{name}"
    random_policy(game).save(run)
    about = {"title": f"A random policy of {game}", "training": TRAINING, "results": RESULTS, **about}
    pack(run, folder / "assets" / "models" / name, name=name, **about)
    return folder / "assets" / "models" / name
