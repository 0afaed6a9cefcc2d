"""The runs that pages may look at: those under one folder, the one that is played, and the shipped models.

Pages name a run or a policy by its name in these lists and by nothing else, so no other path can be asked for.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain, count
from pathlib import Path

from holdem.blueprint.shared_policies import shared_buckets, shared_policy
from holdem.cards.cards import Cards
from holdem.errors import ArtifactError, ConfigError, HoldemError
from holdem.mccfr.run.directory import PROGRESS_NAME, SNAPSHOTS_NAME, STATE_NAME, snapshot_folders
from holdem.policy.file_names import HANDS_NAME
from holdem.policy.models import ShippedModel, unpack
from holdem.policy.policy import AveragePolicy
from holdem.policy.run_names import MANIFEST_NAME
from holdem.policy.unpacked_models import model_of
from holdem.table.advice.open_advisor import trained_game
from holdem.types import GameConfig
from holdem.util.arrays import Int64
from holdem.util.logs import LOGGER

UNREADABLE_LETTER = "\N{REPLACEMENT CHARACTER}"
HISTORY_PATTERN = "*.phhs"
DEEPEST = 3
"""Folders below the folder of runs in which runs are looked for."""


@dataclass(frozen=True)
class RunFolder:
    """Where runs lie; `played` is the policy of the play page, which may lie elsewhere."""

    folder: Path
    played: Path | None = None
    shipped: tuple[ShippedModel, ...] = ()
    """Models that come with the package; one is unpacked when a page first asks for it."""

    def runs(self) -> dict[str, Path]:
        """Runs that say how far they are, by name; the instances of a run are part of it."""
        return {name: path for name, path in self._folders() if _is_run(path) and not _is_run(path.parent)}

    def policies(self) -> dict[str, Path]:
        """Folders with an average policy by name, snapshots on the way to one behind it."""
        found = {}
        for name, path in self._folders():
            for folder in (path, *snapshot_folders(path)):
                if _surely((folder / MANIFEST_NAME).is_file):
                    found[name if folder is path else f"{name}/{SNAPSHOTS_NAME}/{folder.name}"] = folder
        return found

    def models(self) -> dict[str, ShippedModel]:
        """Shipped models by name, `models/headsup`; a run of that name wins."""
        runs = self.policies()
        named = {f"models/{model.name}": model for model in self.shipped}
        return {name: model for name, model in named.items() if name not in runs}

    def names(self) -> list[str]:
        """All that `policy` opens: policies of runs, then models."""
        return [*self.policies(), *self.models()]

    def seats(self) -> dict[str, int]:
        """Policies of hold'em with their number of seats; one that cannot be read hides itself."""
        found = {}
        for name, path in self.policies().items():
            try:
                game = _game(path, (path / MANIFEST_NAME).stat().st_mtime_ns)
            except Exception as error:  # files of others can be wrong in any way
                LOGGER.info("%s is not offered: %s", path, error)
                continue
            if game.variant == "holdem":
                found[name] = game.num_players
        return {**found, **{name: model.game.num_players for name, model in self.models().items()}}

    def histories(self) -> dict[str, Path]:
        """Files of hands that lie beside policies, by name: `blueprint/hands/play_20260101_200000.phhs`."""
        found: dict[str, Path] = {}
        for name, path in self._folders():
            for file in _files(path / HANDS_NAME, HISTORY_PATTERN):
                found[f"{name}/{HANDS_NAME}/{readable(file.name)}"] = file
        return found

    def history_name(self, path: Path) -> str:
        """The name of a file of hands, the same before and after a restart; one that lies elsewhere has no folder."""
        return next((name for name, file in self.histories().items() if _same(file, path)), readable(path.name))

    @property
    def played_name(self) -> str | None:
        """The name of the policy that is played."""
        played = self._played_folder()
        model = None if played is None else model_of(played)
        if model is not None and f"models/{model.name}" in self.models():
            return f"models/{model.name}"
        return next((name for name, path in self.policies().items() if played and _same(path, played)), None)

    def run(self, name: str) -> Path:
        """The folder of a run."""
        return _named(self.runs(), name, "run")

    def policy_folder(self, name: str) -> Path:
        """The folder of a policy; that of a model is made first if need be, which can take seconds."""
        model = self.models().get(name)
        return _named(self.policies(), name, "policy") if model is None else unpack(model)

    def policy(self, name: str) -> "OpenPolicy":
        """A policy, opened once as long as its file is the same."""
        path = self.policy_folder(name)
        try:
            return _open_policy(path, (path / MANIFEST_NAME).stat().st_mtime_ns)
        except HoldemError:
            raise
        except Exception as error:  # files of others can be wrong in any way; only this policy cannot be shown
            LOGGER.info("%s", path, exc_info=error)
            raise ArtifactError(f"the policy {name!r:.100} cannot be read ({error}); choose another one") from None

    def _played_folder(self) -> Path | None:
        if self.played is None or not _surely(self.played.exists):
            return None
        return self.played.parent if self.played.name == MANIFEST_NAME else self.played

    def _folders(self) -> Iterator[tuple[str, Path]]:
        played = self._played_folder()
        inside, names = False, set()
        for name, path in _walk(self.folder, "", (self.folder,)):
            inside = inside or (played is not None and _same(path, played))
            names.add(name)
            yield name, path
        if played is not None and not inside and model_of(played) not in self.shipped:
            name = readable(played.absolute().name)  # where it lies is nobody's business on another machine
            unlike = chain([name], (f"{name} {number}" for number in count(2)))
            yield next(one for one in unlike if one not in names), played


def _walk(folder: Path, name: str, above: tuple[Path, ...]) -> Iterator[tuple[str, Path]]:
    """Folders below one, with their names; a link back to a folder above is not followed."""
    try:
        entries = sorted(entry for entry in folder.iterdir() if _surely(entry.is_dir))
    except OSError:
        return
    names: set[str] = set()
    for entry in entries:
        if entry.name.startswith((".", "previous_")) or entry.name in (SNAPSHOTS_NAME, PROGRESS_NAME):
            continue
        if entry.is_symlink() and any(_same(entry, other) for other in above):
            continue
        own_name = readable(entry.name)
        while own_name in names:  # two names that only differ where they cannot be read
            own_name += UNREADABLE_LETTER
        names.add(own_name)
        yield name + own_name, entry
        if len(above) < DEEPEST:
            yield from _walk(entry, f"{name}{own_name}/", (*above, entry))


def _files(folder: Path, pattern: str) -> list[Path]:
    """Files of a folder that are files, in order."""
    try:
        return sorted(path for path in folder.glob(pattern) if _surely(path.is_file))
    except OSError:
        return []


def readable(text: str) -> str:
    """Text that can be sent: what is no letter, such as a byte of a file's name that is not UTF-8, becomes a sign."""
    return "".join(UNREADABLE_LETTER if "\ud800" <= letter <= "\udfff" else letter for letter in text)


def _is_run(folder: Path) -> bool:
    return _surely((folder / STATE_NAME).is_file) or _surely((folder / PROGRESS_NAME).is_dir)


def _same(folder: Path, other: Path) -> bool:
    return _surely(lambda: folder.samefile(other))


def _surely(look: Callable[[], bool]) -> bool:
    """What the disk answers; False where access is denied or the folder has just gone."""
    try:
        return look()
    except OSError:
        return False


def _named(known: dict[str, Path], name: str, what: str) -> Path:
    if name not in known:
        raise ConfigError(f"there is no {what} called {name!r:.100}; reload the page for those that there are")
    return known[name]


class OpenPolicy:
    """A policy, and the buckets of hands on boards that were looked at; the arrays are those that agents play from."""

    def __init__(self, policy: AveragePolicy) -> None:
        self.policy = policy

    @cached_property
    def buckets(self) -> Callable[[Cards], Int64]:
        """(1326,) the bucket of every hole pair on a board; found or loaded when a board is first asked for."""
        return shared_buckets(self.policy).of_holes


@lru_cache(maxsize=256)
def _game(path: Path, changed: int) -> GameConfig:
    return trained_game(path)


@lru_cache(maxsize=4)
def _open_policy(path: Path, changed: int) -> OpenPolicy:
    return OpenPolicy(shared_policy(path))
