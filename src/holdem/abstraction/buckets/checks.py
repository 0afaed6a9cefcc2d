"""Checks a bucket manifest before anything computes with it.

Kernels trust their arrays: a group number beyond the rows that they count in would write outside of them. So types,
shapes and ranges of everything that a manifest holds are looked at once, when it is opened.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from pydantic import Field

from holdem.abstraction.buckets.features.potential import row_width
from holdem.abstraction.kernels.distance import BLOCK
from holdem.cards.cards import NUM_HOLE_PAIRS
from holdem.cards.suit_index import INDEX_SIZES
from holdem.types import BucketConfig
from holdem.util.arrays import AnyArray
from holdem.util.artifacts import array_digest
from holdem.util.files.fields import FieldError, JsonObject, checked_value
from holdem.util.files.npy import map_array

STREETS = ("flop", "turn", "river")
MOST_BUCKETS = 1 << 16
"""A bucket is two bytes in a table."""

Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


@dataclass(frozen=True)
class StoredBuckets:
    """The fields of a manifest."""

    config: JsonObject
    groupings: Annotated[list[dict[str, Any]], Field(min_length=3, max_length=3)]
    content_hash: str
    table_files: Annotated[list[str], Field(min_length=3, max_length=3)]
    table_digests: Annotated[list[Digest], Field(min_length=3, max_length=3)]
    report: dict[str, dict[str, Any]]


def check_grouping(plain: Any, street: int, config: BucketConfig) -> dict[str, Any]:
    """The arguments of a `Grouping` of the flop (0), turn (1) or river (2), or a FieldError."""
    name = f"groupings.{STREETS[street]}"
    checked_value(name, dict[str, Any], plain)
    kind, step = plain.get("kind"), plain.get("step")
    checked_value(f"{name}.step", Annotated[int, Field(ge=1, lt=2**63)], step)
    parts = set(plain) - {"kind", "step"}
    if kind == "intervals" and parts == {"starts"}:
        starts = _numbers(f"{name}.starts", plain["starts"], np.int64, (None,))
        if starts[0] != 0 or (np.diff(starts) <= 0).any():
            raise FieldError(f"has a wrong '{name}.starts' (it must rise from 0)")
    elif kind == "medians" and parts == {"centroids"}:
        _numbers(f"{name}.centroids", plain["centroids"], np.uint8, (None, row_width(config.bins)))
    elif kind == "medians" and parts == {"centroids", "groups"} and STREETS[street] == "river":
        _numbers(f"{name}.centroids", plain["centroids"], np.uint8, (None, BLOCK))
        if _numbers(f"{name}.groups", plain["groups"], np.uint8, (NUM_HOLE_PAIRS,)).max() >= BLOCK:
            raise FieldError(f"has a wrong '{name}.groups' (there are at most {BLOCK} of them)")
    else:
        raise FieldError(f"has a wrong {name!r} (it is neither intervals nor medians)")
    return dict(plain)


def check_report(report: dict[str, dict[str, Any]], buckets: tuple[int, int, int]) -> None:
    """A FieldError unless what a report says about a street has an entry for each of its buckets."""
    for street, figures in report.items():
        if street not in STREETS:
            raise FieldError(f"has a report of {street[:20]!r}, which is no street")
        count, board = buckets[STREETS.index(street)], STREETS.index(street) + 3
        for key, value in figures.items():
            name = f"report.{street}.{key[:40]}"
            if not isinstance(value, np.ndarray):
                checked_value(name, float, value.item() if isinstance(value, np.generic) else value)
            elif len(_numbers(name, value, value.dtype, (None,) * value.ndim)) != count:
                raise FieldError(f"has a wrong {name!r} (it must have {count} entries)")
            elif key == "examples" and not (value.min() >= -1 and value.max() < INDEX_SIZES[board]):
                raise FieldError(f"has a wrong {name!r} (there is no such hand)")


def _numbers(name: str, value: Any, dtype: Any, shape: tuple[int | None, ...]) -> AnyArray:
    """An array of this type and shape, None for any length of at least one."""
    fits = isinstance(value, np.ndarray) and value.dtype == dtype and 0 < value.ndim == len(shape) and value.size > 0
    if not fits or any(want not in (None, have) for want, have in zip(shape, value.shape, strict=True)):
        raise FieldError(f"has a wrong {name!r} (it must be {np.dtype(dtype)} of another shape)")
    if len(value) > MOST_BUCKETS:
        raise FieldError(f"has a wrong {name!r} (there are at most {MOST_BUCKETS:,} buckets)")
    return np.asarray(value)


def digest_below(buckets: int) -> Callable[[Path], str]:
    """A digest for `verify_digest` that is also wrong if a table names a bucket which is not there."""

    def digest(path: Path) -> str:
        return f"{array_digest(path)} below {buckets}" if map_array(path).max() < buckets else "a bucket too high"

    return digest
