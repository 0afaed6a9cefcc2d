"""`model.json`: what a model is, how it was trained and what it reached, checked field by field when it is read."""

from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from holdem.errors import ArtifactError, ConfigError
from holdem.policy.file_names import BUCKETS_NAME, MODEL_MANIFEST_NAME, MODEL_NAME
from holdem.policy.files import SCALE, BucketReference, PolicyInfo
from holdem.policy.fingerprint import Fingerprint
from holdem.types import GameConfig
from holdem.util.artifacts import plain_word
from holdem.util.configs import check_config
from holdem.util.files.fields import FieldError, JsonObject, checked_fields
from holdem.util.files.npy import named_beside
from holdem.util.manifests import ManifestKind

MODEL = ManifestKind(
    kind="holdem model",
    noun="a model",
    version=2,  # 1 had no guesses, and is read
    name=MODEL_MANIFEST_NAME,
    way_out="install holdem again, or pack this model again",
)
POLICY_NAME = "policy.xz"
MOST_ENTRIES = 1 << 28
"""Half a gigabyte as a policy; six-max, the largest, has a quarter of that."""
MOST_TREE_NODES = 1 << 23
"""Four hundred megabytes as a betting tree of six; six-max, the largest, has three million."""
MOST_BUCKETS = 1 << 16
"""As many as a table of buckets can number."""
MOST_BUCKET_BYTES = 1 << 24
MOST_MANIFEST_BYTES = 1 << 22
MOST_LEVELS = 240
"""The largest divisor of `SCALE` that leaves a byte free for rows without training."""

MOST_LETTERS = 200
"""Of a title and the like."""

_Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
_Line = Annotated[str, Field(min_length=1, max_length=MOST_LETTERS)]
_Street = Annotated[int, Field(ge=1, le=MOST_BUCKETS)]


@dataclass(frozen=True)
class PackedPolicy:
    """The file of the probabilities. levels: steps of a probability on each street

    sha256, size: of the file as it is; table_sha256, entries: of the array of uint16 that it unpacks to
    """

    path: Path
    sha256: str
    size: int
    entries: int
    levels: tuple[int, ...]
    table_sha256: str


@dataclass(frozen=True)
class ShippedModel:
    """A model as its manifest describes it. training, results: plain data for people, see `holdem models show`."""

    folder: Path
    name: str
    title: str
    game: GameConfig
    buckets_per_street: tuple[int, ...]
    iterations: int
    created: str
    licence: str
    holdem_version: str
    bytes_on_disk: int
    packed: PackedPolicy = field(repr=False)
    bucketing: BucketReference | None = field(repr=False)
    buckets_sha256: str | None = field(repr=False)
    fingerprint: Fingerprint = field(repr=False, hash=False)
    training: dict[str, Any] = field(repr=False, hash=False)
    results: dict[str, Any] = field(repr=False, hash=False)

    def __str__(self) -> str:
        return f"models/{self.name} ({self.game.name}, {self.iterations:,} iterations)"

    @property
    def stack_blinds(self) -> float:
        """The stacks that it was trained for, in big blinds."""
        return self.game.stack_blinds

    @property
    def manifest(self) -> Path:
        """The file that describes it."""
        return self.folder / MODEL.name

    @property
    def policy_info(self) -> PolicyInfo:
        """What the manifest of its unpacked policy says."""
        return PolicyInfo(self.game, self.buckets_per_street, self.iterations, self.bucketing, self.fingerprint)

    def refuse(self, path: Path, what: str) -> ArtifactError:
        """The error about one of its files."""
        return MODEL.refuser(self.manifest)(path, what)


@dataclass(frozen=True)
class _StoredModel:
    """The fields of a manifest beside its kind, version and checksum."""

    name: _Line
    title: _Line
    licence: _Line
    holdem_version: _Line
    created: _Line
    game: JsonObject
    buckets_per_street: list[_Street]
    bucketing: _Digest | None
    iterations: Annotated[int, Field(ge=0, lt=2**63)]
    fingerprint: JsonObject
    policy: JsonObject
    buckets: JsonObject | None
    training: JsonObject
    results: JsonObject


@dataclass(frozen=True)
class _StoredPacked:
    """The probabilities."""

    file: str
    sha256: _Digest
    bytes: Annotated[int, Field(ge=1, lt=2**40)]
    entries: Annotated[int, Field(ge=1, le=MOST_ENTRIES)]
    levels: list[Annotated[int, Field(ge=1, le=MOST_LEVELS)]]
    table_sha256: _Digest


@dataclass(frozen=True)
class _StoredManifest:
    """The card abstraction."""

    file: str
    sha256: _Digest
    bytes: Annotated[int, Field(ge=1, le=MOST_BUCKET_BYTES)]


def read_model(folder: Path) -> ShippedModel:
    """The model of a folder, or an ArtifactError; its other files are opened when it is unpacked."""
    path = folder / MODEL.name
    if _size(path) > MOST_MANIFEST_BYTES:
        raise MODEL.refuser(path)(path, f"is larger than {MOST_MANIFEST_BYTES:,} bytes")
    content = MODEL.read(path)
    try:
        return _checked(path, checked_fields(_StoredModel, content))
    except (ValueError, ConfigError) as error:
        what = f"does not describe a model of this version ({plain_word(error, 300)})"
        raise MODEL.refuser(path)(path, what) from None


def _checked(path: Path, stored: _StoredModel) -> ShippedModel:
    check_name(stored.name)
    if stored.name != path.parent.name:
        raise FieldError(f"names itself {stored.name!r}, not as its folder")
    date.fromisoformat(stored.created)
    for line in (stored.title, stored.licence, stored.holdem_version):
        check_line(line)
    game = check_config(GameConfig, stored.game, "game")
    packed = _packed(path, checked_fields(_StoredPacked, stored.policy))
    buckets = None if stored.buckets is None else checked_fields(_StoredManifest, stored.buckets)
    if {len(stored.buckets_per_street), len(packed.levels)} != {game.num_streets}:
        raise FieldError(f"has not one number of buckets and of levels for each of {game.num_streets} streets")
    if (buckets is None) != (stored.bucketing is None):
        raise FieldError("has a card abstraction without its hash, or a hash without it")
    if buckets is not None and named_beside(path, buckets.file).name != BUCKETS_NAME:
        raise FieldError(f"names the card abstraction {buckets.file!r}, not {BUCKETS_NAME!r}")
    return ShippedModel(
        folder=path.parent,
        name=stored.name,
        title=stored.title,
        game=game,
        buckets_per_street=tuple(stored.buckets_per_street),
        iterations=stored.iterations,
        created=stored.created,
        licence=stored.licence,
        holdem_version=stored.holdem_version,
        bytes_on_disk=_size(path) + packed.size + (buckets.bytes if buckets else 0),
        packed=packed,
        bucketing=None if stored.bucketing is None else BucketReference(BUCKETS_NAME, stored.bucketing),
        buckets_sha256=None if buckets is None else buckets.sha256,
        fingerprint=stored.fingerprint,
        training=stored.training,
        results=stored.results,
    )


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:  # whoever reads it says why
        return 0


def _packed(path: Path, stored: _StoredPacked) -> PackedPolicy:
    check_levels(stored.levels)
    return PackedPolicy(
        path=named_beside(path, stored.file),
        sha256=stored.sha256,
        size=stored.bytes,
        entries=stored.entries,
        levels=tuple(stored.levels),
        table_sha256=stored.table_sha256,
    )


def check_name(name: str) -> None:
    """A FieldError unless a model can be called so."""
    if not MODEL_NAME.fullmatch(name):
        raise FieldError(f"has the name {name[:60]!r}; a name has small letters, digits and underscores, at most 40")


def check_line(line: str) -> None:
    """A FieldError unless a title, licence or version is one line that can be printed."""
    if not 1 <= len(line) <= MOST_LETTERS or not line.isprintable():
        raise FieldError(f"has a title, licence or version that cannot be printed or has over {MOST_LETTERS} letters")


def check_levels(levels: list[int] | tuple[int, ...]) -> None:
    """A FieldError unless each number of steps divides the scale, so that unpacked rows add up to it exactly."""
    for steps in levels:
        if not 1 <= steps <= MOST_LEVELS or SCALE % steps:
            raise FieldError(f"has {steps} levels; a number of levels divides {SCALE:,} and is at most {MOST_LEVELS}")
