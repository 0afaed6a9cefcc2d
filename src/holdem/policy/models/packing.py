"""Makes a model of a run: its average policy in coarse steps, compressed, with everything that people want to know."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from holdem import __version__
from holdem.errors import ConfigError
from holdem.policy.file_names import BUCKETS_NAME
from holdem.policy.models.blocks import read_table, write_table
from holdem.policy.models.manifest import (
    MODEL,
    MOST_LEVELS,
    POLICY_NAME,
    PackedPolicy,
    check_levels,
    check_name,
    read_model,
)
from holdem.util.artifacts import atomic_write, file_digest, write_json
from holdem.util.files.fields import FieldError, plain_json
from holdem.util.progress import ProgressBar

if TYPE_CHECKING:
    from holdem.abstraction.betting.row_layout import RowBlock
    from holdem.policy.policy import AveragePolicy
    from holdem.util.arrays import UInt16

LICENCE = "MIT"
HEADS_UP = 2


def pack(
    run: Path,
    folder: Path,
    name: str,
    title: str,
    training: Mapping[str, Any] | None = None,
    results: Mapping[str, Any] | None = None,
    levels: Sequence[int] = (MOST_LEVELS,),
) -> Path:
    """Write a model of a run's average policy (or a snapshot's) into a folder of its name; returns the manifest.

    levels: steps of a probability on each street, or one number for all streets
    """
    from holdem.policy.policy import AveragePolicy  # brings Numba, which whoever lists models does not wait for

    policy = AveragePolicy.load(run)
    steps = _levels(levels, policy.config.num_streets)
    _check_names(folder, name)
    packed = _write_policy(policy, folder / POLICY_NAME, steps)
    content = {
        "name": name,
        "title": title,
        "licence": LICENCE,
        "holdem_version": __version__,
        "created": datetime.now(UTC).date().isoformat(),
        "game": policy.config.model_dump(mode="json"),
        "buckets_per_street": list(policy.info.buckets_per_street),
        "bucketing": None if policy.info.bucketing is None else policy.info.bucketing.content_hash,
        "iterations": policy.info.iterations,
        "fingerprint": policy.info.fingerprint,
        "policy": {
            "file": packed.path.name,
            "sha256": packed.sha256,
            "bytes": packed.size,
            "entries": packed.entries,
            "levels": list(steps),
            "table_sha256": packed.table_sha256,
        },
        "buckets": _write_buckets(policy, folder),
        "training": plain_json(training or {}),
        "results": plain_json(results or {}),
    }
    write_json(folder / MODEL.name, MODEL.sealed(content))
    return read_model(folder).manifest


def _levels(levels: Sequence[int], num_streets: int) -> tuple[int, ...]:
    steps = tuple(levels) * num_streets if len(levels) == 1 else tuple(levels)
    try:
        check_levels(steps)
    except FieldError as error:
        raise ConfigError(f"a model {error}") from None
    if len(steps) != num_streets:
        raise ConfigError(
            f"levels {list(levels)} do not fit; give one number, or one for each of {num_streets} streets"
        )
    return steps


def _check_names(folder: Path, name: str) -> None:
    try:
        check_name(name)
    except FieldError as error:
        raise ConfigError(f"a model {error}") from None
    if folder.name != name:
        raise ConfigError(f"the folder of the model {name} is called so, not {folder.name}; name {folder / name}")


def _write_policy(policy: "AveragePolicy", path: Path, levels: tuple[int, ...]) -> PackedPolicy:
    """Pack the probabilities, and unpack them again for the digest of what comes out."""
    buckets = policy.info.buckets_per_street
    blocks = [(block.widths, table) for block, table in _blocks(policy)]
    with ProgressBar("packing", len(policy.table)) as bar, atomic_write(path) as file:
        size, sha256 = write_table(file, blocks, buckets, levels, bar)
    packed = PackedPolicy(path, sha256, size, len(policy.table), levels, "")
    digest = hashlib.sha256()
    with ProgressBar("checking", size) as bar:
        for piece in read_table(packed, buckets, policy.config.num_players, bar):
            digest.update(np.ascontiguousarray(piece, dtype="<u2").data)
    return replace(packed, table_sha256=digest.hexdigest())


def _blocks(policy: "AveragePolicy") -> "Iterator[tuple[RowBlock, UInt16]]":
    """The blocks of the table. With three and more players training leaves much out, and there are guesses; heads-up
    hardly anything is left out, and what is given up there is measured by opponents who look for it.
    """
    from holdem.abstraction.betting.row_layout import row_blocks
    from holdem.policy.guesses import blocks_with_guesses
    from holdem.policy.hands import bucketing_of

    if policy.info.bucketing is not None and policy.config.num_players > HEADS_UP:
        return blocks_with_guesses(policy, bucketing_of(policy))
    blocks = row_blocks(policy.tree, policy.info.buckets_per_street)
    return ((block, policy.table[block.start : block.end]) for block in blocks)


def _write_buckets(policy: "AveragePolicy", folder: Path) -> dict[str, Any] | None:
    from holdem.policy.hands import bucketing_of

    if policy.info.bucketing is None:
        return None
    source = bucketing_of(policy).path  # checked: it is the abstraction that the policy was trained with
    assert source is not None
    path = folder / BUCKETS_NAME
    with atomic_write(path) as file:
        file.write(source.read_bytes())
    return {"file": path.name, "sha256": file_digest(path), "bytes": path.stat().st_size}
