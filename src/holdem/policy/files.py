"""The two files of an average policy: a readable manifest, and the array of probabilities that it names."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from holdem.errors import ArtifactError, ArtifactMissing, ConfigError
from holdem.policy.file_names import MANIFEST_NAME, MODEL_MANIFEST_NAME, MODEL_NAME, has_no_run
from holdem.policy.fingerprint import Fingerprint
from holdem.types import GameConfig
from holdem.util.arrays import UInt16
from holdem.util.artifacts import plain_word
from holdem.util.configs import check_config
from holdem.util.files.fields import Count, FieldError, JsonObject, checked_fields
from holdem.util.files.npy import named_beside
from holdem.util.files.regular import is_there
from holdem.util.manifests import ArrayMissing, ManifestKind, open_array

if TYPE_CHECKING:  # it brings Numba, which whoever lists runs or models does not wait for
    from holdem.abstraction.bucketing import HandBucketing

POLICY = ManifestKind(
    kind="holdem average policy",
    noun="an average policy",
    version=1,
    name=MANIFEST_NAME,
    way_out="write it again with: holdem train --resume-from {folder} --logdir {folder} --iters 1",
    if_missing="a run writes it when it ends, and this makes one: holdem train --time-budget 60 --logdir {folder}",
)
SCALE = 60_000
GUESS = 1
"""What a row adds up to that was never trained, and says what is guessed instead (`guesses`)."""
LAYOUT = "bucket-major by street and position: entry = offset[node] + bucket * stride[node] + action"


@dataclass(frozen=True)
class BucketReference:
    """The card abstraction that a policy was trained with: its manifest's name beside the policy, and its hash.

    origin: the file that training read, whose tables make lookups instant while it is still there
    """

    file: str
    content_hash: str
    origin: str | None = None

    @classmethod
    def of(cls, file: str, bucketing: "HandBucketing") -> "BucketReference":
        """For a policy that was trained with `bucketing`."""
        origin = None if bucketing.path is None else str(bucketing.path.resolve())
        return cls(file, bucketing.content_hash, origin)

    @classmethod
    def of_runs(cls, file: str, content_hash: str, runs: Iterable[Path]) -> "BucketReference":
        """For a policy made of checkpoints of run directories; the first policy there that has an origin names it."""
        origins = (_origin_in(run, content_hash) for run in runs)
        return cls(file, content_hash, next(filter(None, origins), None))


@dataclass(frozen=True)
class PolicyInfo:
    """Everything about a policy except its numbers; `bucketing` is None where every hand is its own bucket."""

    config: GameConfig
    buckets_per_street: tuple[int, ...]
    iterations: int
    bucketing: BucketReference | None = None
    fingerprint: Fingerprint = field(default_factory=dict)


@dataclass(frozen=True)
class _StoredPolicy:
    """The fields of a manifest beside its kind, version and checksum."""

    game: JsonObject
    buckets_per_street: list[Annotated[int, Field(ge=1, lt=2**31)]]
    bucketing: JsonObject | None
    iterations: Count
    probabilities: JsonObject
    fingerprint: JsonObject


@dataclass(frozen=True)
class _StoredArray:
    """The array of a manifest."""

    file: str
    sha256: str
    dtype: Literal["uint16"]
    shape: Annotated[list[Count], Field(min_length=1, max_length=1)]
    scale: Literal[60_000]


def write_pair(folder: Path, info: PolicyInfo, length: int, pieces: Iterable[UInt16]) -> Path:
    """Write the array in pieces and then the manifest, whose path is returned."""
    array, digest = POLICY.write_array(folder, "<u2", length, pieces)
    content = {
        "game": info.config.model_dump(mode="json"),
        "buckets_per_street": list(info.buckets_per_street),
        "bucketing": None if info.bucketing is None else asdict(info.bucketing),
        "iterations": info.iterations,
        "layout": LAYOUT,
        "probabilities": {
            "file": array.name,
            "sha256": digest,
            "dtype": "uint16",
            "shape": [length],
            "scale": SCALE,
        },
        "fingerprint": info.fingerprint,
    }
    return POLICY.write(folder, content, array)


def read_pair(path: Path) -> tuple[PolicyInfo, UInt16, Path]:
    """The policy of a run directory or of a manifest, checked: its description, its mapped array, the manifest."""
    path = path if path.suffix == ".json" else _manifest_in(path)
    while True:
        before = _identity(path)
        try:
            return _read_once(path)
        except ArrayMissing:
            # A run that saves may have replaced the pair since its manifest was read: then the new one counts.
            if _identity(path) == before:
                raise


def stored_digest(path: Path) -> str:
    """The SHA-256 of the probabilities that a manifest names."""
    try:
        return checked_fields(_StoredArray, POLICY.read(path).get("probabilities")).sha256
    except FieldError as error:
        raise _not_a_policy(path, error) from None


def _manifest_in(run: Path) -> Path:
    """The manifest of a run directory; an error for what is there and no run. An empty folder may become one."""
    if is_there(run) and not run.is_dir():
        raise ArtifactError(f"{run} is a file and not a run; name the folder of a run, or its {MANIFEST_NAME}")
    if is_there(run) and has_no_run(run) and any(run.iterdir()):
        raise ArtifactMissing(f"{run} is no run; {_named_instead(run)}")
    return run / MANIFEST_NAME


def _named_instead(folder: Path) -> str:
    names = sorted(manifest.parent.name for manifest in folder.glob(f"*/{MODEL_MANIFEST_NAME}"))
    models = [name for name in names if MODEL_NAME.fullmatch(name)]
    if models:
        return f"it holds models: name one of them, such as models/{models[0]} (holdem models lists them)"
    return "name the folder of a run, or a model (holdem models lists them)"


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_ino, status.st_mtime_ns


def _read_once(path: Path) -> tuple[PolicyInfo, UInt16, Path]:
    content = POLICY.read(path)
    try:
        stored = checked_fields(_StoredPolicy, content)
        described = checked_fields(_StoredArray, stored.probabilities)
        array = named_beside(path, described.file)
        reference = None if stored.bucketing is None else checked_fields(BucketReference, stored.bucketing)
        if reference is not None:
            named_beside(path, reference.file)
        info = PolicyInfo(
            config=check_config(GameConfig, stored.game, "game"),
            buckets_per_street=tuple(stored.buckets_per_street),
            iterations=stored.iterations,
            bucketing=reference,
            fingerprint=stored.fingerprint,
        )
    except (ValueError, ConfigError) as error:
        raise _not_a_policy(path, error) from None
    table: UInt16 = open_array(array, described.shape[0], ("uint16",), described.sha256, POLICY.refuser(path))
    return info, table, path


def _not_a_policy(path: Path, error: Exception) -> ArtifactError:
    return POLICY.refuser(path)(path, f"does not describe a policy of this version ({plain_word(error, 300)})")


def _origin_in(run: Path, content_hash: str) -> str | None:
    """The origin of these buckets by the policy of a run directory; None if it has none, or another one."""
    try:
        reference = checked_fields(BucketReference, POLICY.read(run / MANIFEST_NAME).get("bucketing"))
    except (ArtifactError, FieldError):
        return None
    return reference.origin if reference.content_hash == content_hash else None
