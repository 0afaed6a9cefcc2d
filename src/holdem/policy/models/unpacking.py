"""Unpacks a model into the user's cache, once: a folder that looks like a run with an average policy.

Everything is made in a folder of its own and moved into place file by file, the manifest last. What is made is
determined by the model alone, so several processes may do it at once, and whoever comes later finds it whole.
"""

import hashlib
import json
import re
import shutil
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from holdem.errors import ArtifactError, ConfigError
from holdem.policy.file_names import BUCKETS_NAME, MANIFEST_NAME
from holdem.policy.files import read_pair, stored_digest, write_pair
from holdem.policy.models.blocks import BlockSize, read_table
from holdem.policy.models.coding import CodingError
from holdem.policy.models.manifest import MOST_BUCKET_BYTES, MOST_TREE_NODES, ShippedModel
from holdem.policy.models.workshop import DAY_SECONDS, clear_forgotten, move, workshop
from holdem.util.artifacts import file_digest
from holdem.util.files.regular import open_regular
from holdem.util.progress import ProgressBar

_UNUSED_SECONDS = 30 * DAY_SECONDS
_UNPACKED = re.compile(r"-[0-9a-f]{12}")
"""Behind the name of a model: folders of other names are somebody else's."""


def unpack(model: ShippedModel) -> Path:
    """The folder of a model's policy in the user's cache, unpacked unless it is there and whole."""
    folder = unpacked_folder(model)
    clear_forgotten(folder.parent)
    _clear_unused(folder)
    if not _is_whole(model, folder):
        sizes = _block_sizes(model)
        with _workshop(folder) as made:
            _make(model, sizes, made)
            try:
                move(made, folder, MANIFEST_NAME)
            except OSError:  # a system that keeps open files does not let go of what another process has just made
                if not _is_whole(model, folder):
                    raise
        if not _is_whole(model, folder):
            raise model.refuse(folder, "is not what the model unpacks to")
    with suppress(OSError):
        folder.touch()  # it is used: `_clear_unused`
    return folder


def unpacked_folder(model: ShippedModel) -> Path:
    """Where a model is unpacked to."""
    from holdem.util.jit import user_cache_folder  # brings Numba, which whoever lists models does not wait for

    return user_cache_folder() / "models" / f"{model.name}-{_digest(model)[:12]}"


def _digest(model: ShippedModel) -> str:
    """Of all that the unpacked files follow from: two models of one name never share a folder."""
    info = model.policy_info
    game, about = info.config.model_dump(mode="json"), [info.buckets_per_street, info.iterations, info.fingerprint]
    made_of = [model.packed.table_sha256, model.buckets_sha256, game, *about]
    return hashlib.sha256(json.dumps(made_of, sort_keys=True).encode()).hexdigest()


def _is_whole(model: ShippedModel, folder: Path) -> bool:
    try:
        info, _, manifest = read_pair(folder)
        if info != model.policy_info or stored_digest(manifest) != model.packed.table_sha256:
            return False
        return model.buckets_sha256 is None or file_digest(folder / BUCKETS_NAME) == model.buckets_sha256
    except (ArtifactError, OSError):
        return False


@contextmanager
def _workshop(folder: Path) -> Iterator[Path]:
    """A new folder beside another, which is gone afterwards; a ConfigError where it cannot be made or filled."""
    try:
        with workshop(folder) as made:
            yield made
    except OSError as error:
        why = error.strerror or error
        raise ConfigError(
            f"{folder} cannot be written ({why}); name another folder for such files in HOLDEM_CACHE"
        ) from None


def _clear_unused(folder: Path) -> None:
    """Other packings of the same name that nobody opened, or wrote leaf values into, for a month."""
    name = folder.name.rpartition("-")[0]
    for other in folder.parent.glob(f"{name}-*"):
        if not _UNPACKED.fullmatch(other.name.removeprefix(name)):
            continue
        with suppress(OSError):
            changed = max(path.stat().st_mtime for path in (other, *other.iterdir()))
            if other != folder and time.time() - changed > _UNUSED_SECONDS:
                shutil.rmtree(other)


def _block_sizes(model: ShippedModel) -> list[BlockSize]:
    """What the blocks of a model have by the betting tree of its game, which is counted and not built.

    A few kilobytes may name any game and promise any table, and are refused before anything of that size is made.
    """
    from holdem.abstraction.betting.tree import count_tree
    from holdem.policy.policy import most_nodes

    entries, buckets = model.packed.entries, model.buckets_per_street
    most = min(MOST_TREE_NODES, most_nodes(entries, buckets))
    try:
        counts = count_tree(model.game, most)
    except ConfigError:
        what = f"has {entries:,} entries, and the betting tree of its game has more than {most:,} nodes"
        raise model.refuse(model.manifest, what) from None
    if counts.entries(buckets) != entries:
        what = f"has {entries:,} entries, and the betting tree of its game has {counts.entries(buckets):,}"
        raise model.refuse(model.manifest, what)
    return list(zip(counts.decisions.ravel().tolist(), counts.actions.ravel().tolist(), strict=True))


def _make(model: ShippedModel, sizes: Sequence[BlockSize], made: Path) -> None:
    _copy_buckets(model, made)
    packed = model.packed
    try:
        with ProgressBar(f"unpacking models/{model.name}", packed.size) as bar:
            blocks = read_table(packed, model.buckets_per_street, sizes, bar)
            manifest = write_pair(made, model.policy_info, packed.entries, blocks)
    except CodingError as error:
        raise model.refuse(packed.path, str(error)) from None
    if stored_digest(manifest) != packed.table_sha256:
        raise model.refuse(packed.path, "does not unpack to what its manifest says: it was altered or damaged")


def _copy_buckets(model: ShippedModel, made: Path) -> None:
    """The manifest of the card abstraction, if it is the one that the model was trained with."""
    if model.buckets_sha256 is None:
        return
    source = model.folder / BUCKETS_NAME
    try:
        with open_regular(source) as file:
            content = file.read(MOST_BUCKET_BYTES + 1)
    except FileNotFoundError:
        raise model.refuse(source, "is missing") from None
    except OSError as error:
        raise model.refuse(source, f"cannot be read ({error.strerror or error})") from None
    if hashlib.sha256(content).hexdigest() != model.buckets_sha256:
        raise model.refuse(source, "does not match its checksum: it was altered or damaged")
    (made / BUCKETS_NAME).write_bytes(content)
