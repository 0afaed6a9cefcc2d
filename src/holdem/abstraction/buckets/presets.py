"""The two abstractions that have names, and where they live."""

from pathlib import Path

import holdem
from holdem.errors import ConfigError
from holdem.types import BucketConfig, BucketCounts
from holdem.util.jit import user_cache_folder

BUCKET_PRESETS = {
    "small": BucketConfig(name="small", buckets=BucketCounts(flop=50, turn=50, river=50)),
    "mid": BucketConfig(name="mid", buckets=BucketCounts(flop=200, turn=200, river=200)),
}
FILE_NAMES = {"small": "precomputed_buckets.pkl", "mid": "buckets_mid.pkl"}
DEFAULT_PRESET = "small"


def bucket_preset(name: str) -> BucketConfig:
    """A preset by name."""
    if name not in BUCKET_PRESETS:
        raise ConfigError(f"{name!r} is not a bucket preset; use {' or '.join(BUCKET_PRESETS)}, or --config FILE.yaml")
    return BUCKET_PRESETS[name]


def default_path(name: str) -> Path:
    """`assets/abstraction/…` of a checkout, as seen from the current folder if it is inside; else the user's cache."""
    checkout = Path(holdem.__file__).parents[2]
    if (checkout / "pyproject.toml").exists() and (checkout / "assets" / "abstraction").is_dir():
        folder = checkout / "assets" / "abstraction"
        here = Path.cwd()
        return (folder.relative_to(here) if folder.is_relative_to(here) else folder) / FILE_NAMES[name]
    return user_cache_folder() / "abstraction" / FILE_NAMES[name]
