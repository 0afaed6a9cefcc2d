"""Memory that spawned workers share with the process that started them, and that cannot outlive them.

On Linux it is anonymous (`memfd_create`) and travels to a worker as a descriptor: it has no name that could leak, is
not bound by the size of `/dev/shm`, and is gone when the last process that maps it is. Elsewhere it is a named segment
of `multiprocessing.shared_memory`; spawned workers share the parent's resource tracker, which removes it if the parent
is killed.

A `SharedMemory` is an argument of `Process(...)`: pickling it for a process that is being spawned hands it over.

Large pages: a visit to a large table waits mostly for memory, and with pages of 4 KiB also for their addresses. Most
systems give no large pages to shared memory by themselves, but `MADV_COLLAPSE` (Linux 6.1) makes them on demand, of
memory that is there and mapped at a multiple of their size.
"""

import errno
import mmap
import os
from collections.abc import Callable
from contextlib import suppress
from multiprocessing import reduction, shared_memory
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np
import numpy.typing as npt

from holdem.errors import RunFailed

ANONYMOUS = hasattr(os, "memfd_create")
_NAMED_FOLDER = Path("/dev/shm")
_LARGE_PAGE = 2 << 20
_MADV_COLLAPSE = 25
_MOST_COLLAPSED = 512 << 20
"""Larger tables stay as they are: they are touched sparsely for long, and making large pages costs a start its time."""
_TOO_LARGE = {errno.ENOMEM, errno.ENOSPC, errno.EFBIG, errno.EINVAL, errno.EAGAIN}


class _Named(shared_memory.SharedMemory):
    """A named segment whose pages stay while a view of them is alive, without a complaint at the end."""

    def __del__(self) -> None:
        with suppress(BufferError, OSError):
            self.close()


class SharedMemory:
    """So many zeroed bytes. `with SharedMemory.create(...)` closes it; the creator is its owner."""

    def __init__(
        self, size: int, mapping: mmap.mmap | _Named, descriptor: int = -1, start: int = 0, owner: bool = False
    ) -> None:
        self.size, self.owner = size, owner
        self._mapping, self._descriptor, self._start = mapping, descriptor, start

    @classmethod
    def create(cls, size: int, what: str, anonymous: bool = ANONYMOUS) -> "SharedMemory":
        """Make shared memory; `what` names its content if there is not enough."""
        size = max(size, 1)
        try:
            return _create_anonymous(cls, size) if anonymous else _create_named(cls, size)
        except (OSError, ValueError, MemoryError) as error:
            if isinstance(error, OSError) and error.errno not in _TOO_LARGE:
                raise
            raise RunFailed(
                f"{what} needs {size / 1e6:,.1f} MB of shared memory and cannot have it ({error}); free memory or "
                "raise the limit (ulimit -v, ulimit -f, the size of /dev/shm), or use fewer buckets or --num-workers 1"
            ) from error

    def array(self, dtype: npt.DTypeLike, shape: tuple[int, ...], offset: int = 0) -> npt.NDArray[Any]:
        """A view of the memory; it must not be used after `close`."""
        buffer = self._mapping.buf if isinstance(self._mapping, _Named) else self._mapping
        count = int(np.prod(shape, dtype=np.int64))
        return np.frombuffer(buffer, dtype=dtype, count=count, offset=self._start + offset).reshape(shape)  # type: ignore[arg-type]

    def __reduce__(self) -> tuple[Callable[..., "SharedMemory"], tuple[Any, ...]]:
        if isinstance(self._mapping, _Named):
            return _attach_named, (self._mapping.name, self.size)
        return _attach_anonymous, (reduction.DupFd(self._descriptor), self.size)

    def close(self) -> None:
        """Give the memory back. Views that are still alive keep their pages, not the name or the descriptor."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1
        if isinstance(self._mapping, _Named) and self.owner:
            with suppress(FileNotFoundError):
                self._mapping.unlink()
        with suppress(BufferError):
            self._mapping.close()

    def __enter__(self) -> "SharedMemory":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _create_anonymous(cls: type[SharedMemory], size: int) -> SharedMemory:
    descriptor = os.memfd_create("holdem", os.MFD_CLOEXEC)
    try:
        os.ftruncate(descriptor, 2 * _LARGE_PAGE + _rounded_up(size))
        mapping, start = _map(descriptor, size)
        if size <= _MOST_COLLAPSED:
            os.posix_fallocate(descriptor, _LARGE_PAGE, size)
            _make_large_pages(mapping, start, size)
        return cls(size, mapping, descriptor, start, owner=True)
    except BaseException:
        os.close(descriptor)
        raise


def _create_named(cls: type[SharedMemory], size: int) -> SharedMemory:
    if _NAMED_FOLDER.is_dir():  # Linux: what does not fit would be a SIGBUS at the first touch
        space = os.statvfs(_NAMED_FOLDER)
        if space.f_bavail * space.f_frsize < size:
            raise OSError(errno.ENOSPC, f"{_NAMED_FOLDER} has {space.f_bavail * space.f_frsize / 1e6:,.1f} MB free")
    return cls(size, _Named(create=True, size=size), owner=True)


def _rounded_up(size: int) -> int:
    return -(-size // _LARGE_PAGE) * _LARGE_PAGE


def _map(descriptor: int, size: int) -> tuple[mmap.mmap, int]:
    """Map the memory, which is behind the first large page of its file; returns the mapping and where it begins there.

    Large pages need an address that is a multiple of their size from the beginning of the file. The system chooses the
    address, and chooses it again for the next mapping of the same length, so that the offset can be made to fit.
    """
    length = _rounded_up(size) + _LARGE_PAGE
    probe = mmap.mmap(descriptor, length)
    offset = _address(probe) % _LARGE_PAGE
    probe.close()
    mapping = mmap.mmap(descriptor, length, offset=offset)
    with suppress(AttributeError, OSError):
        mapping.madvise(mmap.MADV_HUGEPAGE)
    return mapping, _LARGE_PAGE - offset


def _address(mapping: mmap.mmap) -> int:
    return int(np.frombuffer(mapping, dtype=np.uint8, count=1).ctypes.data)


def _make_large_pages(mapping: mmap.mmap, start: int, size: int) -> None:
    whole = size // _LARGE_PAGE * _LARGE_PAGE
    if whole == 0 or (_address(mapping) + start) % _LARGE_PAGE:
        return
    with suppress(AttributeError, OSError):  # older systems do not know it: then pages stay small
        mapping.madvise(_MADV_COLLAPSE, start, whole)


def _attach_anonymous(duplicate: Any, size: int) -> SharedMemory:
    descriptor = duplicate.detach()
    try:
        mapping, start = _map(descriptor, size)
        if size <= _MOST_COLLAPSED:
            _make_large_pages(mapping, start, size)
        return SharedMemory(size, mapping, start=start)
    finally:
        os.close(descriptor)


def _attach_named(name: str, size: int) -> SharedMemory:
    return SharedMemory(size, _Named(name=name))
