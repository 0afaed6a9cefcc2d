"""The abstractions that have names, and where they live."""

from pathlib import Path

from holdem.errors import ConfigError
from holdem.types import BucketConfig, BucketCounts
from holdem.util.jit import user_cache_folder
from holdem.util.shipped import BUCKET_SETTINGS, shipped_root

BUCKET_PRESETS = {
    "small": BucketConfig(name="small", buckets=BucketCounts(flop=50, turn=50, river=50)),
    "mid": BucketConfig(name="mid", buckets=BucketCounts(flop=200, turn=200, river=200)),
    "fine_flop": BucketConfig(name="fine_flop", buckets=BucketCounts(flop=200, turn=100, river=50)),
    "coarse": BucketConfig(name="coarse", buckets=BucketCounts(flop=50, turn=20, river=10)),
}
FILE_NAMES = {name: "precomputed_buckets.pkl" if name == "small" else f"buckets_{name}.pkl" for name in BUCKET_PRESETS}
DEFAULT_PRESET = "small"


def bucket_preset(name: str) -> BucketConfig:
    """A preset by name."""
    if name not in BUCKET_PRESETS:
        raise ConfigError(f"{name!r} is not a bucket preset; use {', '.join(BUCKET_PRESETS)}, or --config FILE.yaml")
    return BUCKET_PRESETS[name]


def default_path(name: str) -> Path:
    """Where an abstraction is looked for and built: one in `assets/abstraction/` of the current folder, else that
    folder of the checkout, as seen from here if we are inside; else the user's cache.
    """
    near = Path(BUCKET_SETTINGS.folder) / FILE_NAMES[name]
    if near.exists():
        return near
    checkout = shipped_root()
    if (checkout / "pyproject.toml").exists():
        here = Path.cwd()
        return (checkout.relative_to(here) if checkout.is_relative_to(here) else checkout) / near
    return user_cache_folder() / "abstraction" / FILE_NAMES[name]


def preset_of(typed: Path) -> str | None:
    """The preset that a user names instead of a file."""
    return str(typed) if str(typed) in BUCKET_PRESETS and not typed.exists() else None


def built_file(typed: Path) -> Path:
    """The file that a user means by a path that may not be there: a preset by its name, or the usual path of one."""
    for name, file in FILE_NAMES.items():
        known = (Path(name), Path(file), Path(BUCKET_SETTINGS.folder) / file)
        if typed in known and not typed.exists() and default_path(name).exists():
            return default_path(name)
    return typed
