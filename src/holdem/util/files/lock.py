"""One writer at a time: a lock of the operating system on a small file, which the end of its holder releases.

`fcntl.flock` on Linux and macOS, `msvcrt.locking` on Windows. Python opens files so that a program that is started does
not inherit them; a plain fork would, so the child closes its copy at once. The file says who holds it. A holder that
ends by itself removes the file; one that is killed leaves it, unlocked.
"""

import errno
import json
import os
import socket
import sys
import time
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

_HELD_ELSEWHERE = {errno.EACCES, errno.EAGAIN, errno.EWOULDBLOCK, errno.EDEADLK}
_NO_LOCKS = {errno.ENOLCK, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL}
_LOCKED_BYTE = 1 << 20
"""Windows keeps everybody else from reading what is locked, so it is a byte far behind the text."""
_OURS: set[int] = set()
"""Descriptors of the locks that this process holds."""


class NoLocks(OSError):
    """The file system has no locks."""


@dataclass(frozen=True)
class Holder:
    """Who holds a lock, as the file says."""

    process: int
    host: str
    started: str

    @classmethod
    def here(cls) -> "Holder":
        """This process, now."""
        return cls(os.getpid(), socket.gethostname(), time.strftime("%Y-%m-%d %H:%M:%S"))

    def __str__(self) -> str:
        elsewhere = f" on {self.host}" if self.host != socket.gethostname() else ""
        return f"process {self.process}{elsewhere} since {self.started}"


class FileLock:
    """A lock on one file; `acquire` does not wait."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._descriptor = -1

    @property
    def held(self) -> bool:
        """Whether it is ours; a child of a fork has lost it."""
        return self._descriptor in _OURS

    def acquire(self, sign: bool = True) -> bool:
        """Take it, or say that somebody else has it; `NoLocks` where there are none.

        sign: whether the file shall say who holds it
        """
        while not self.held:
            descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o644)
            try:
                _lock(descriptor)
            except OSError as error:
                os.close(descriptor)
                if error.errno in _HELD_ELSEWHERE:
                    return False
                if error.errno in _NO_LOCKS:
                    raise NoLocks(error.errno, error.strerror) from None
                raise
            if not _is_at(descriptor, self.path):  # its last holder has just removed the file: there is a new one
                os.close(descriptor)
                continue
            self._descriptor = descriptor
            _OURS.add(descriptor)
            self._write(json.dumps(asdict(Holder.here())).encode() + b"\n" if sign else b"")
        return True

    def _write(self, text: bytes) -> None:
        with suppress(OSError):  # on a full disk the lock holds all the same
            os.ftruncate(self._descriptor, 0)
            os.lseek(self._descriptor, 0, os.SEEK_SET)
            os.write(self._descriptor, text)

    def holder(self) -> Holder | None:
        """Who holds it; None where the file does not say."""
        try:
            said = json.loads(self.path.read_bytes())
            return Holder(int(said["process"]), str(said["host"]), str(said["started"]))
        except (OSError, ValueError, TypeError, KeyError, RecursionError):
            return None

    def release(self) -> None:
        """Remove the file and let the lock go; nothing happens where it is not ours."""
        if not self.held:
            return
        descriptor, self._descriptor = self._descriptor, -1
        _OURS.discard(descriptor)
        if sys.platform != "win32" and _is_at(descriptor, self.path):
            with suppress(OSError):
                self.path.unlink()
        with suppress(OSError):
            _unlock(descriptor)
        os.close(descriptor)
        if sys.platform == "win32":  # an open file cannot be removed there, which also saves one that has a new holder
            with suppress(OSError):
                self.path.unlink()


if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> None:
        os.lseek(descriptor, _LOCKED_BYTE, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)

    def _unlock(descriptor: int) -> None:
        os.lseek(descriptor, _LOCKED_BYTE, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_UNLCK, 1)

    def _is_at(descriptor: int, path: Path) -> bool:
        return True  # nobody can remove or move a file that is open

else:
    import fcntl

    def _lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _unlock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_UN)

    def _is_at(descriptor: int, path: Path) -> bool:
        try:
            return os.path.samestat(os.fstat(descriptor), path.stat())
        except OSError:
            return False

    def _let_go_in_a_child() -> None:
        """The lock belongs to the file that both have open: only the parent may keep it open."""
        while _OURS:
            os.close(_OURS.pop())

    os.register_at_fork(after_in_child=_let_go_in_a_child)
