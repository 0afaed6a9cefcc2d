"""One decorator for every compiled kernel, and a compile cache that cannot go stale.

Numba's `cache=True` looks only at the file of the cached function, so a change in a callee or a constant that lives in
another file can serve old machine code. Whatever a kernel imports from this package therefore lives in a `kernels/`
folder, and our cache folder is named after the package version and the content of all of them: any change there starts
a new one. `tests/test_layers.py` looks at the imports.
"""

import hashlib
import os
import sys
import uuid
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from typing import Any, TypeVar, cast

import llvmlite.binding
import numba
from numba.core import config as numba_config
from numba.core import event, types

from holdem import __version__
from holdem.util.compiling import COMPILATIONS

Function = TypeVar("Function", bound=Callable[..., object])


def user_cache_folder() -> Path:
    """Where this user's rebuildable files live (`HOLDEM_CACHE` wins over the platform's habit)."""
    if os.environ.get("HOLDEM_CACHE"):
        return Path(os.environ["HOLDEM_CACHE"]).absolute()
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "holdem"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "holdem" / "cache"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "holdem"


@cache
def kernel_digest() -> str:
    """A digest of everything in the `kernels/` folders: kernels, the constants and tables that they compile in."""
    package = Path(__file__).parents[1]
    digest = hashlib.sha256(__version__.encode())
    for path in sorted(package.rglob("kernels/*")):
        if path.suffix in (".py", ".npz"):
            digest.update(path.relative_to(package).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()[:16]


if not numba_config.CACHE_DIR:  # type: ignore[attr-defined]
    numba_config.CACHE_DIR = str(user_cache_folder() / f"numba-{kernel_digest()}")  # type: ignore[attr-defined]


def cache_folder() -> Path:
    """Where compiled kernels of this version lie."""
    return Path(numba_config.CACHE_DIR)  # type: ignore[attr-defined]


def is_compiled(what: str) -> bool:
    """Whether `mark_compiled` was told so, with the kernels as they are now."""
    return _mark(what).exists()


def mark_compiled(what: str) -> None:
    """Remember that everything for a purpose lies in the cache."""
    with suppress(OSError):
        cache_folder().mkdir(parents=True, exist_ok=True)
        _mark(what).touch()


def _mark(what: str) -> Path:
    return cache_folder() / f"{what.replace(' ', '_')}.{_compiler()}.compiled"


@cache
def _compiler() -> str:
    """A digest of what Numba looks at before it takes code from its cache: who compiled it from what, and for what."""
    package = Path(__file__).parents[1]
    times = [path.stat().st_mtime_ns for path in sorted(package.rglob("kernels/*.py"))]
    processor = llvmlite.binding.get_host_cpu_name()
    asked = numba.__version__, sys.version_info[:2], processor, kernel_digest(), package.as_posix(), times
    return hashlib.sha256(repr(asked).encode()).hexdigest()[:16]


class _CompileEvents(event.Listener):
    """Tells `COMPILATIONS` of everything that Numba compiles in this process."""

    def on_start(self, event: Any) -> None:
        COMPILATIONS.begins(cache_folder())

    def on_end(self, event: Any) -> None:
        function = event.data["dispatcher"].py_func
        ours = function.__module__.startswith("holdem.")
        name = f"{function.__module__}.{function.__qualname__}".removeprefix("holdem.")
        COMPILATIONS.ended(name if ours else None)


event.register("numba:compile", _CompileEvents())  # type: ignore[no-untyped-call]


def kernel(function: Function) -> Function:
    """Compile with Numba: no Python objects, no interpreter lock, cached on disk."""
    return cast(Function, _adapted(_compiled(function)))


def inline_kernel(function: Function) -> Function:
    """As `kernel`, and always inlined into its callers: for functions of a few lines in hot loops."""
    return cast(Function, _adapted(_compiled(function, forceinline=True)))


def _compiled(function: Callable[..., object], **options: Any) -> Any:
    compiled: Any = partial(numba.njit, nogil=True, error_model="numpy", **options)
    try:
        return compiled(cache=True)(function)
    except RuntimeError:  # no folder of this user can be written, so every process compiles for itself
        return compiled()(function)


def _adapted(dispatcher: Any) -> Any:
    """A compiled function with our habits; a plain one, as with NUMBA_DISABLE_JIT, stays as it is."""
    if not hasattr(dispatcher, "get_call_template"):
        return dispatcher
    _take_plain_arguments(dispatcher)
    cache_file: Any = getattr(getattr(dispatcher, "_cache", None), "_cache_file", None)
    if hasattr(cache_file, "_data_name_pattern"):  # a name of Numba's own: another version may have another
        cache_file.save = partial(_save, cache_file)
    return dispatcher


def _save(cache_file: Any, key: object, data: object) -> None:
    """Save one compiled signature of a kernel so that several processes may compile at once.

    Numba numbers the files of a kernel by an index that it reads and writes without a lock, so two processes give two
    signatures the same file, and one of them later runs the code of the other. A name that nobody else has cannot be
    mixed up, and the index names it when it is there. At worst an entry of the index is lost, and compiled once more.
    """
    name = cache_file._data_name_pattern.replace("{number:d}", uuid.uuid4().hex[:16])
    with suppress(OSError):  # a full disk costs the next process its compile time, not this one its work
        cache_file._save_data(name, data)
        cache_file._save_index(cache_file._load_index() | {key: name})


def _take_plain_arguments(dispatcher: Any) -> None:
    """Compile a kernel once for all constants that other kernels call it with.

    Numba takes a constant for a type of its own and compiles everything below the call once more: a third of the
    subgame solver was compiled twice or three times. The optimiser sees constants wherever it inlines anyway.
    """
    of_numba = dispatcher.get_call_template

    plain: Callable[[Any], Any] = types.unliteral

    def get_call_template(arguments: Sequence[Any], named: dict[str, Any]) -> Any:
        return of_numba(tuple(map(plain, arguments)), {name: plain(kind) for name, kind in named.items()})

    dispatcher.get_call_template = get_call_template
