"""What the files of a policy are called, and how a model may be."""

import re

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
MODEL_NAME = re.compile(r"[a-z0-9][a-z0-9_]{0,39}")
"""It names a folder in the cache, and people type it."""
