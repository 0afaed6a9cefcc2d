"""Small models, packed by the code under test from policies that nobody trained."""

from pathlib import Path

import numpy as np

from holdem.abstraction.betting.row_layout import layout_rows
from holdem.abstraction.betting.tree import build_tree
from holdem.abstraction.bucketing import HandBucketing
from holdem.game import load_preset
from holdem.policy.file_names import BUCKETS_NAME
from holdem.policy.files import BucketReference, PolicyInfo
from holdem.policy.fingerprint import fingerprint
from holdem.policy.models import pack
from holdem.policy.policy import AveragePolicy
from holdem.types import GameConfig
from tests.evaluation.tables import random_strategy

BUCKETS = Path(__file__).parents[2] / "data" / "files_of_0.1" / BUCKETS_NAME
LEVELS = (240, 60, 30, 15)


def short_game(preset: str = "headsup_100bb", stack: int = 400) -> GameConfig:
    """A game of four streets with so little behind that its tree is small."""
    return GameConfig.model_validate({**load_preset(preset).model_dump(), "stacks": [stack], "name": f"short_{preset}"})


def random_run(folder: Path, config: GameConfig, seed: int = 1) -> Path:
    """A run of random rows, a tenth of them never trained, with the buckets of an older version."""
    bucketing = HandBucketing.load(BUCKETS, tables=False)
    tree, buckets = build_tree(config), bucketing.buckets_per_street
    strategy = random_strategy(tree, buckets, layout_rows(tree, buckets), seed)
    reference = BucketReference(BUCKETS_NAME, bucketing.content_hash, origin="/somewhere/else.pkl")
    info = PolicyInfo(config, buckets, 12_345, reference, fingerprint(config, buckets, bucketing.content_hash))
    policy = AveragePolicy.from_strategy_sums(info, strategy, tree)
    untrained = np.random.default_rng(seed)
    for node in np.flatnonzero(tree.num_actions).tolist():
        places = policy.places(node)
        policy.table[places[untrained.random(len(places)) < 0.1]] = 0
    policy.save(folder)
    (folder / BUCKETS_NAME).write_bytes(BUCKETS.read_bytes())
    return folder


def small_model(root: Path, name: str = "headsup", config: GameConfig | None = None) -> Path:
    """The folder of a model in `assets/models` below a working directory."""
    run = random_run(root / "made" / name, config or short_game())
    facts = {"date": "2026-11-16", "commands": ["holdem train"]}
    folder = root / "assets" / "models" / name
    return pack(run, folder, name, "A model of nothing", facts, {"litmus": {"passed": 0}}, LEVELS).parent
