"""A run's folder belongs to one run: whoever writes into it holds `run.lock` in it for as long as it lives.

A folder of instances belongs to its coordinator, and each `instance_N/` in it to the process that trains there. An
instance that was started by hand holds its own folder and only looks whether the one above is held, so that several can
share a log directory; and whoever wants the folder above is refused while one of them is there. The operating system
ends the lock of a process that was killed.
"""

import time
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType

import psutil

from holdem.errors import ArtifactError, FolderInUse
from holdem.mccfr.run.directory import instance_folders, is_instance_folder
from holdem.util.files.lock import FileLock, Holder, NoLocks
from holdem.util.logs import LOGGER

LOCK_NAME = "run.lock"
PATIENCE_SECONDS = 5.0
"""How long to wait for somebody who has not said who it is: it has just come, or only looks at the folder above its
own, which takes milliseconds."""


class RunLock:
    """`with RunLock(folder) as lock:` holds a folder that is there; `lock.make()` makes and holds one that is not.

    above_is_ours: the process that started this one holds the folder above
    """

    def __init__(self, folder: Path, above_is_ours: bool = False) -> None:
        self.folder = folder
        self._look_above = is_instance_folder(folder.absolute()) and not above_is_ours
        self._lock = FileLock(folder / LOCK_NAME)
        self._tried = False

    def __enter__(self) -> "RunLock":
        if self.folder.is_dir():
            self._take()
        return self

    def make(self) -> None:
        """Make the folder where it is missing, and hold it from now on."""
        if not self._tried:
            self._take()

    def release(self) -> None:
        """Let the folder go."""
        self._lock.release()

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()

    def _take(self) -> None:
        self._tried = True
        try:
            with ExitStack() as looking:
                if self._look_above:
                    self.folder.parent.mkdir(parents=True, exist_ok=True)
                    above = FileLock(self.folder.parent / LOCK_NAME)
                    looking.callback(above.release)
                    _acquire(above, sign=False)
                self.folder.mkdir(parents=True, exist_ok=True)
                _acquire(self._lock)
                self._check_instances()
        except OSError as error:
            self.release()
            raise ArtifactError(
                f"{self.folder} cannot be written ({error.strerror}); choose another --logdir"
            ) from None
        except FolderInUse:
            self.release()
            raise

    def _check_instances(self) -> None:
        """Nobody may be at work in an instance's folder: it would move away with an old run."""
        for folder in instance_folders(self.folder).values():
            if (folder / LOCK_NAME).exists():
                lock = FileLock(folder / LOCK_NAME)
                _acquire(lock, sign=False, warn=False)
                lock.release()


def _acquire(lock: FileLock, sign: bool = True, warn: bool = True) -> None:
    """Take a lock or refuse with who has it; a file system without locks is only warned about."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    try:
        while not lock.acquire(sign):
            holder = lock.holder()
            known = holder is not None and _is_there(holder)
            if known or time.monotonic() >= deadline:
                raise FolderInUse(
                    f"{lock.path.parent} is in use by {holder if known else 'another process'}; "
                    "wait until that run has ended, stop it, or choose another folder"
                )
            time.sleep(0.02)
    except NoLocks as error:
        if warn:
            LOGGER.warning(
                f"{lock.path.parent} is on a file system without locks ({error.strerror}): make sure that no other run "
                "writes there"
            )


def _is_there(holder: Holder) -> bool:
    """Whether what the file says can be true: a holder that was killed leaves its name behind."""
    return holder.host != Holder.here().host or psutil.pid_exists(holder.process)
