"""A manifest and the array that it names: two files that fit at any moment.

The manifest is readable JSON with its kind, its format version and its own checksum. The array lies beside it in an
`.npy` file named after its content. It is written first, then the manifest replaces its predecessor in one step, then
the old array goes: a crash at any moment leaves a pair that fits.
"""

import hashlib
import json
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from holdem.errors import ArtifactError, ArtifactMissing
from holdem.util.arrays import AnyArray
from holdem.util.artifacts import array_digest, atomic_write, plain_word, verify_digest, write_json
from holdem.util.files.npy import NpyError, map_array
from holdem.util.files.regular import read_json
from holdem.util.words import shell_command

Refuse = Callable[[Path, str], ArtifactError]
"""The error about a file: its path, and what is wrong with it."""


class ArrayMissing(ArtifactMissing):
    """The manifest is whole, and the array that it names is not there."""


@dataclass(frozen=True)
class ManifestKind:
    """One kind of manifest. noun: with its article; way_out, if_missing: what to do, with `{folder}` for its folder."""

    kind: str
    noun: str
    version: int
    name: str
    way_out: str
    if_missing: str = ""

    def refuser(self, manifest: Path) -> Refuse:
        """Makes errors about the files of a pair, which end with the way out."""
        way_out = self.way_out.format(folder=shell_command(manifest.parent))
        return lambda path, what: ArtifactError(f"{path} {what}; {way_out}")

    def read(self, path: Path) -> dict[str, Any]:
        """The content of a manifest whose kind, version and checksum are right."""
        refuse, way_out = self.refuser(path), self.way_out.format(folder=shell_command(path.parent))
        try:
            content = read_json(path)
        except FileNotFoundError:
            instead = self.if_missing.format(folder=shell_command(path.parent)) or way_out
            raise ArtifactMissing(f"{path} is missing; {instead}") from None
        except OSError as error:
            raise refuse(path, f"cannot be read ({error.strerror or error})") from None
        except ValueError:
            raise refuse(path, "is not JSON: it was cut off or altered") from None
        if not isinstance(content, dict) or content.get("kind") != self.kind:
            raise refuse(path, f"is not {self.noun}")
        version = content.get("format_version")
        if type(version) is not int or not 1 <= version <= self.version:
            known = f"has format version {plain_word(version)}, and this program knows up to {self.version}"
            raise ArtifactError(f"{path} {known}; update holdem, or {way_out}")
        if content.pop("checksum", None) != _checksum(content):
            raise refuse(path, "does not match its own checksum: it was altered or damaged")
        return content

    def write(self, folder: Path, content: dict[str, Any], array: Path) -> Path:
        """Write the manifest of an array that is there, and return its path; an older array goes."""
        manifest = folder / self.name
        write_json(manifest, self.sealed(content))
        for old in folder.glob(f"{manifest.stem}.*.npy"):
            if old != array:
                with suppress(OSError):  # open elsewhere on a system that keeps open files: the next save retries
                    old.unlink()
        return manifest

    def sealed(self, content: dict[str, Any]) -> dict[str, Any]:
        """The content with its kind, version and checksum: what `read` takes."""
        whole = {"kind": self.kind, "format_version": self.version, **content}
        return {**whole, "checksum": _checksum(whole)}

    def write_array(self, folder: Path, dtype: str, length: int, pieces: Iterable[AnyArray]) -> tuple[Path, str]:
        """Write so many numbers, piece by piece, into a file named after them; its path and their SHA-256."""
        stem = Path(self.name).stem
        unnamed, digest = folder / f".{stem}.npy", hashlib.sha256()
        with atomic_write(unnamed) as file:
            np.lib.format.write_array_header_1_0(file, {"descr": dtype, "fortran_order": False, "shape": (length,)})
            for piece in pieces:
                numbers = np.ascontiguousarray(piece, dtype=dtype).data.cast("B")
                digest.update(numbers)
                file.write(numbers)
        return unnamed.replace(folder / f"{stem}.{digest.hexdigest()[:12]}.npy"), digest.hexdigest()


def open_array(
    path: Path,
    length: int,
    dtypes: tuple[str, ...],
    digest: str,
    refuse: Refuse,
    digest_of: Callable[[Path], str] = array_digest,
) -> AnyArray:
    """The array of a file, mapped, if it has this length, one of these types and this digest."""
    try:
        table = map_array(path)
        if table.shape != (length,) or table.dtype.name not in dtypes:
            raise refuse(path, f"has {table.shape} {table.dtype.name}, not ({length},) {' or '.join(dtypes)}")
        if not verify_digest(path, digest, digest_of):
            raise refuse(path, "does not match its checksum: it was altered or damaged")
    except FileNotFoundError:
        raise ArrayMissing(str(refuse(path, "is missing"))) from None
    except NpyError as error:
        raise refuse(path, str(error)) from None
    except OSError as error:
        raise refuse(path, f"cannot be read ({error.strerror or error})") from None
    except ValueError:
        raise refuse(path, "cannot be read: it was cut off or altered") from None
    return table


def _checksum(content: dict[str, Any]) -> str:
    """Digest of a manifest without its checksum, independent of spaces and the order of keys."""
    return hashlib.sha256(json.dumps(content, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
