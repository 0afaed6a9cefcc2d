"""Makes a model of a run: its average policy in coarse steps, compressed, with everything that people want to know."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from holdem import __version__
from holdem.errors import ConfigError
from holdem.policy.file_names import BUCKETS_NAME, has_no_run
from holdem.policy.models.blocks import read_table, write_table
from holdem.policy.models.manifest import (
    MODEL,
    MOST_BUCKET_BYTES,
    MOST_BUCKETS,
    MOST_ENTRIES,
    MOST_LEVELS,
    MOST_MANIFEST_BYTES,
    MOST_TREE_NODES,
    POLICY_NAME,
    PackedPolicy,
    check_levels,
    check_line,
    check_name,
    read_model,
)
from holdem.policy.models.workshop import clear_forgotten, move, workshop
from holdem.util.artifacts import atomic_write, file_digest, write_json
from holdem.util.files.fields import FieldError, plain_json
from holdem.util.progress import ProgressBar

if TYPE_CHECKING:
    from holdem.abstraction.betting.row_layout import RowBlock
    from holdem.policy.policy import AveragePolicy
    from holdem.util.arrays import UInt16

LICENCE = "MIT"
MOST_FACT_BYTES = MOST_MANIFEST_BYTES >> 2
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

    A model that is there stays whole until the new one is.

    levels: steps of a probability on each street, or one number for all streets
    """
    from holdem.policy.policy import AveragePolicy  # brings Numba, which whoever lists models does not wait for

    policy = AveragePolicy.load(run)
    steps = _levels(levels, policy.config.num_streets)
    _check_words(folder, name, title)
    _check_place(folder)
    _check_size(policy)
    facts = {"training": _facts("training", training), "results": _facts("results", results)}
    buckets = _bucket_manifest(policy)
    clear_forgotten(folder.parent)
    with workshop(folder) as made:
        content = _words(policy, name, title) | facts
        content["policy"] = _write_policy(policy, made / POLICY_NAME, steps)
        content["buckets"] = _write_buckets(buckets, made)
        write_json(made / MODEL.name, MODEL.sealed(content))
        move(made, folder, MODEL.name)
    return read_model(folder).manifest


def _words(policy: "AveragePolicy", name: str, title: str) -> dict[str, Any]:
    """What a model says about itself beside its files."""
    return {
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
    }


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


def _facts(what: str, facts: Mapping[str, Any] | None) -> Any:
    """What people want to know as JSON; a ConfigError for what no manifest can hold."""
    try:
        found = plain_json(dict(facts or {}))
        size = len(json.dumps(found))
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"the {what} of a model are plain JSON ({error}); correct them") from None
    if size > MOST_FACT_BYTES:
        raise ConfigError(f"the {what} of a model take {MOST_FACT_BYTES:,} bytes at most; leave something out")
    return found


def _check_words(folder: Path, name: str, title: str) -> None:
    try:
        check_name(name)
        check_line(title)
    except FieldError as error:
        raise ConfigError(f"a model {error}") from None
    if folder.name != name:
        raise ConfigError(f"the folder of the model {name} is called so, not {folder.name}; name {folder / name}")


def _check_place(folder: Path) -> None:
    """A ConfigError for the folder of a run: the files of the model would take the place of its own."""
    if folder.is_dir() and not (folder / MODEL.name).exists() and not has_no_run(folder):
        raise ConfigError(
            f"{folder} holds a run; name another folder for the model, such as assets/models/{folder.name}"
        )


def _check_size(policy: "AveragePolicy") -> None:
    """A ConfigError before anything is written unless a manifest may say how large the policy is."""
    limits = (
        ("entries", len(policy.table), MOST_ENTRIES),
        ("buckets on a street", max(policy.info.buckets_per_street), MOST_BUCKETS),
        ("nodes in its betting tree", policy.tree.num_nodes, MOST_TREE_NODES),
    )
    for what, count, most in limits:
        if count > most:
            name = policy.config.name
            raise ConfigError(f"{name} has {count:,} {what}, and a model may have {most:,}; use the run as it is")


def _write_policy(policy: "AveragePolicy", path: Path, levels: tuple[int, ...]) -> dict[str, Any]:
    """Pack the probabilities, and unpack them again for the digest of what comes out; what the manifest says."""
    buckets = policy.info.buckets_per_street
    blocks = [(block.widths, table) for block, table in _blocks(policy)]
    sizes = [(len(widths), int(widths.sum(dtype=np.int64))) for widths, _ in blocks]
    with ProgressBar("packing", len(policy.table)) as bar, atomic_write(path) as file:
        size, sha256 = write_table(file, blocks, buckets, levels, bar)
    packed = PackedPolicy(path, sha256, size, len(policy.table), levels, "")
    digest = hashlib.sha256()
    with ProgressBar("checking", size) as bar:
        for piece in read_table(packed, buckets, sizes, bar):
            digest.update(np.ascontiguousarray(piece, dtype="<u2").data)
    return {
        "file": path.name,
        "sha256": sha256,
        "bytes": size,
        "entries": len(policy.table),
        "levels": list(levels),
        "table_sha256": digest.hexdigest(),
    }


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


def _bucket_manifest(policy: "AveragePolicy") -> Path | None:
    """The card abstraction that the policy was trained with; an error if it is not there any more."""
    from holdem.policy.hands import bucketing_of

    if policy.info.bucketing is None:
        return None
    path = bucketing_of(policy).path
    assert path is not None
    if path.stat().st_size > MOST_BUCKET_BYTES:
        raise ConfigError(f"{path} has over {MOST_BUCKET_BYTES:,} bytes, the most in a model; use the run as it is")
    return path


def _write_buckets(source: Path | None, folder: Path) -> dict[str, Any] | None:
    if source is None:
        return None
    path = folder / BUCKETS_NAME
    with atomic_write(path) as file:
        file.write(source.read_bytes())
    return {"file": path.name, "sha256": file_digest(path), "bytes": path.stat().st_size}
