"""What shaped a table: a fingerprint that refuses to mix tables of different games, and says what differs.

Rules, stacks, bet sizes, buckets, discounts, pruning and sampling belong to it; budgets, workers,
batch sizes, saving intervals and names do not. A setting that has no effect is left out: pruning thresholds where
pruning is off, exploration where sampling is external. A fingerprint is
plain JSON data, equal before and after a file.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import Field

from holdem.types import GameConfig
from holdem.util.files.fields import Count, JsonObject, checked_fields

Fingerprint = dict[str, Any]

TRAINING_KEYS = ("sampling", "discount_interval", "regret_discount_alpha", "strategy_discount_beta", "enable_pruning")
PRUNING_KEYS = ("pruning_threshold", "pruning_probability")
OUTCOME_KEYS = ("exploration_epsilon",)

_MISSING = "nothing"
_MOST_DIFFERENCES = 30
_LONGEST_VALUE = 200


def fingerprint(
    game: GameConfig,
    buckets_per_street: Sequence[int],
    bucket_hash: str | None,
    training: Mapping[str, Any] | None = None,
) -> Fingerprint:
    """The fingerprint of a table; `training` holds settings by the names of `MCCFRConfig`, others are ignored."""
    result: Fingerprint = {
        "game": _canonical_game(game),
        "buckets": {"per_street": [int(count) for count in buckets_per_street], "content_hash": bucket_hash},
    }
    if training is not None:
        keys = [*TRAINING_KEYS]
        keys += PRUNING_KEYS if training.get("enable_pruning") else ()
        keys += OUTCOME_KEYS if training.get("sampling") == "outcome" else ()
        result["training"] = {key: training[key] for key in keys if key in training}
    return result


def fingerprint_hash(content: Fingerprint) -> str:
    """A short name of a fingerprint: equal for equal content, whatever the order of the keys."""
    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def differences(old: Fingerprint, new: Fingerprint) -> list[str]:
    """What differs, one phrase each: `game.stacks: was [10000, 10000], is [20000, 20000]`."""
    before, after = _flat(old), _flat(new)
    different = [key for key in sorted(before | after) if before.get(key, _MISSING) != after.get(key, _MISSING)]
    return [
        f"{key if key.isprintable() else ascii(key)}: was {_short(before, key)}, is {_short(after, key)}"
        for key in different[:_MOST_DIFFERENCES]
    ] + ["and more"] * (len(different) > _MOST_DIFFERENCES)


def _short(leaves: Mapping[str, str], key: str) -> str:
    value = leaves.get(key, _MISSING)
    return value if len(value) <= _LONGEST_VALUE else value[:_LONGEST_VALUE] + "…"


def check_stored(content: Fingerprint) -> None:
    """A FieldError unless what a file calls a fingerprint has the parts that readers of checkpoints ask for."""
    checked_fields(_StoredFingerprint, content)
    checked_fields(_StoredBuckets, content["buckets"])
    checked_fields(_StoredTraining, content["training"])


@dataclass(frozen=True)
class _StoredFingerprint:
    game: JsonObject
    buckets: JsonObject
    training: JsonObject


@dataclass(frozen=True)
class _StoredBuckets:
    per_street: list[int]
    content_hash: str | None


@dataclass(frozen=True)
class _StoredTraining:
    sampling: Literal["external", "outcome"]
    discount_interval: Count
    regret_discount_alpha: Annotated[float, Field(ge=0.0, le=10.0)]
    strategy_discount_beta: Annotated[float, Field(ge=0.0, le=10.0)]


def _canonical_game(game: GameConfig) -> dict[str, Any]:
    """The rules as plain data: no name, one stack per position, menus without spaces."""
    content = game.model_dump(mode="json", exclude={"name"})
    content["stacks"] = list(game.starting_stacks)
    betting = content["betting"]
    for sizes in ("sizes", "multiway_sizes", "crowd_sizes"):
        menus = betting.get(sizes) or {}
        for street, by_raise in menus.items():
            menus[street] = ["".join(menu.split()) for menu in by_raise]
    if "opens" in betting:
        betting["opens"] = {name: "".join(menu.split()) for name, menu in betting["opens"].items() if menu is not None}
    if "isolation" in betting:
        betting["isolation"] = "".join(betting["isolation"].split())
    return content


def _flat(content: Mapping[str, Any], prefix: str = "") -> dict[str, str]:
    """Leaves by their dotted names, as text."""
    leaves: dict[str, str] = {}
    for key, value in content.items():
        if isinstance(value, Mapping):
            leaves |= _flat(value, f"{prefix}{key}.")
        else:
            leaves[f"{prefix}{key}"] = json.dumps(value)
    return leaves
