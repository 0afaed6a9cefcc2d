"""`holdem doctor`: what this machine offers for training, what is fine, and what to do about the rest."""

import json
import platform
import shutil
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, cast

import numba
import numpy as np
import psutil
import typer

from holdem import __version__
from holdem.cli.app import run_command
from holdem.errors import ConfigError, HoldemError
from holdem.mccfr.diagnostics import DESCRIPTORS_PER_WORKER, SPARE_DESCRIPTORS, spawn_test
from holdem.mccfr.run.estimate import WORKER_BYTES
from holdem.util.extras import is_installed
from holdem.util.jit import user_cache_folder
from holdem.util.parallel import available_cores, workers_for
from holdem.util.shared_memory import ANONYMOUS, SharedMemory
from holdem.util.words import counted

SHARED_MEMORY_TEST_BYTES = 64 << 20
LOW_DISK_BYTES = 2_000_000_000
LOW_MEMORY_BYTES = 1_000_000_000


@dataclass(frozen=True)
class Finding:
    """One line of the report; `advice` is empty where all is fine."""

    name: str
    fine: bool
    found: str
    advice: str = ""


def command(
    logdir: Annotated[Path, typer.Option(help="Where runs will be written: its disk is looked at.")] = Path(),
    as_json: Annotated[bool, typer.Option("--json", help="The same findings for machines.")] = False,
    compile_all: Annotated[
        bool, typer.Option("--compile", help="Compile now what training, solving, search and play will need.")
    ] = False,
    num_workers: Annotated[int, typer.Option(min=0, help="Processes that compile; 0 is every core.")] = 1,
) -> None:
    """Check this machine for training.

    Looks at Python, Numba, spawned processes, cores, limits, memory, disk and TensorBoard. The exit
    status is 1 if something needs attention.

    With --compile nothing is checked: the kernels of two players are compiled at once, which verbs otherwise do when
    they are first used.

    Examples:

        holdem doctor

        holdem doctor --compile --num-workers 0
    """
    if compile_all:
        if as_json or logdir != Path():
            raise ConfigError("--compile checks nothing, so it takes neither --json nor --logdir; call doctor twice")
        from holdem.cli.compile_all import compile_everything  # imported here: a check should not read half the package

        compile_everything(workers_for(num_workers))
        return
    findings = examine(logdir)
    if as_json:
        typer.echo(json.dumps([asdict(finding) for finding in findings], indent=2, ensure_ascii=False))
    else:
        typer.echo("\n".join(line for finding in findings for line in _lines(finding)))
        troubles = sum(not finding.fine for finding in findings)
        typer.echo("everything is fine" if not troubles else f"marked with ✗: {counted(troubles, 'finding')}")
    raise typer.Exit(0 if all(finding.fine for finding in findings) else 1)


def examine(logdir: Path) -> list[Finding]:
    """All findings; a check that breaks is a finding as well."""
    checks: list[Callable[[], Finding]] = [
        _python,
        _numba,
        _spawn,
        _cores,
        _shared_memory,
        _descriptors,
        _memory,
        lambda: _disk(logdir),
        _tensorboard,
    ]
    return [_guarded(check) for check in checks]


def _guarded(check: Callable[[], Finding]) -> Finding:
    try:
        return check()
    except (HoldemError, OSError, ImportError, RuntimeError, MemoryError) as error:
        name = getattr(check, "__name__", "disk").strip("_<>").replace("_", " ").replace("lambda", "disk")
        return Finding(name, False, f"{type(error).__name__}: {error}", "see docs/troubleshooting.md")


def _lines(finding: Finding) -> list[str]:
    line = f"{'✓' if finding.fine else '✗'} {finding.name}: {finding.found}"
    return [line] if not finding.advice else [line, f"    → {finding.advice}"]


def _python() -> Finding:
    version, fine = platform.python_version(), sys.version_info >= (3, 11)
    advice = "" if fine else "install Python 3.11 or newer, and holdem with it"
    where = f"{platform.system()} {platform.machine()}"
    return Finding("python", fine, f"{version} on {where}, holdem {__version__}, {sys.executable}", advice)


def _sum_to(limit: int) -> int:
    total = 0
    for number in range(limit):
        total += number
    return total


def _numba() -> Finding:
    compiled = cast(Callable[[int], int], numba.njit(_sum_to))  # not cached: the compiler itself is on trial
    fine = compiled(1000) == 499_500
    folder = user_cache_folder()
    found = f"Numba {numba.__version__}, NumPy {np.__version__}, compiled code is kept in {folder}"
    return Finding("numba", fine, found, "" if fine else "reinstall it: pip install --force-reinstall numba llvmlite")


def _spawn() -> Finding:
    seconds = spawn_test()
    found = f"a spawned process answered in {seconds:.2f} s and wrote into shared memory"
    slow = "" if seconds < 5.0 else "starting a process is slow here: look for a busy disk or an antivirus scanner"
    return Finding("spawn", not slow, found, slow)


def _cores() -> Finding:
    usable, all_cores = available_cores(), psutil.cpu_count() or 1
    found = f"{usable} of {all_cores} may be used by this process: that is what --num-workers 0 takes"
    return Finding("cores", True, found)


def _shared_memory() -> Finding:
    with SharedMemory.create(SHARED_MEMORY_TEST_BYTES, "a test block") as memory:
        block = memory.array(np.uint8, (SHARED_MEMORY_TEST_BYTES,))
        block[::4096] = 1
        del block
    kind = "anonymous, limited by free memory only" if ANONYMOUS else "named segments of the system"
    return Finding("shared memory", True, f"{SHARED_MEMORY_TEST_BYTES >> 20} MiB made and written ({kind})")


def _descriptors() -> Finding:
    try:
        import resource
    except ImportError:
        return Finding("open files", True, "this system has no such limit")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    limit = 1 << 20 if hard == resource.RLIM_INFINITY else hard
    workers = max(0, (limit - SPARE_DESCRIPTORS) // DESCRIPTORS_PER_WORKER)
    fine = workers >= available_cores()
    advice = "" if fine else "raise the limit in this shell: ulimit -n 4096"
    return Finding("open files", fine, f"limit {soft} (at most {hard}): enough for {workers:,} workers", advice)


def _memory() -> Finding:
    memory = psutil.virtual_memory()
    workers = int(memory.available // WORKER_BYTES)
    fine = memory.available >= LOW_MEMORY_BYTES
    found = f"{memory.available / 1e9:.1f} of {memory.total / 1e9:.1f} GB free; a worker takes about 0.15 GB"
    advice = "" if fine else f"close other programs, or use at most --num-workers {max(1, workers // 2)}"
    return Finding("memory", fine, found, advice)


def _disk(logdir: Path) -> Finding:
    folder = logdir.absolute()
    while not folder.exists():
        folder = folder.parent
    usage = shutil.disk_usage(folder)
    probe = folder / ".holdem_doctor"
    probe.write_bytes(b"x")
    probe.unlink()
    fine = usage.free >= LOW_DISK_BYTES
    advice = "" if fine else "make room, or write elsewhere with --logdir; --keep 1 keeps fewer checkpoints"
    return Finding("disk", fine, f"{usage.free / 1e9:.1f} GB free at {folder}, writable", advice)


def _tensorboard() -> Finding:
    found = f"writer tensorboardX {version('tensorboardX')}"
    if not is_installed("tensorboard"):
        return Finding("tensorboard", True, f"{found}; the viewer is an extra: pip install tensorboard")
    return Finding("tensorboard", True, f"{found}, viewer {version('tensorboard')}")


if __name__ == "__main__":
    run_command(command)
