"""What the files of a policy are called, how a model may be, and what says that a folder holds a run."""

import re
from fnmatch import fnmatch
from pathlib import Path

MANIFEST_NAME = "avg_policy.json"
"""The manifest of an average policy, in the folder of its run."""
BUCKETS_NAME = "buckets.pkl"
"""The manifest of the card abstraction beside it."""
RUN_PATTERNS = (
    "checkpoint_*", "avg_policy*", BUCKETS_NAME, "summary.json", "train.log", "tensorboard", "snapshots",
    "config.json", "instance_*", "progress", "exchange", "progress.json",
)  # fmt: skip
"""What a run writes into its folder (`mccfr/run/directory.py`), and moves out of the way of the next one."""
OTHER_TRACES = ("run.lock", "leaf_values*", "checkpoints", "previous_*")
"""What else says that a run is or was in a folder."""
HANDS_NAME = "hands"
"""The folder beside a policy for hands that are played with it."""
MODEL_MANIFEST_NAME = "model.json"
"""The manifest of a shipped model, in a folder of its name."""
MODEL_NAME = re.compile(r"[a-z0-9][a-z0-9_]{0,39}")
"""It names a folder in the cache, and people type it."""


def has_no_run(path: Path) -> bool:
    """Whether nothing in a folder says that something is or was trained there: what is half written does, too."""
    try:
        names = [entry.name.removeprefix(".") for entry in path.iterdir()]
    except OSError:
        return False
    return not any(fnmatch(name, pattern) for name in names for pattern in (*RUN_PATTERNS, *OTHER_TRACES))
