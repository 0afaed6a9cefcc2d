"""`holdem doctor --compile`: everything that users need, compiled at once."""

import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import typer

from holdem.cli.compile_jobs import JOBS, TRAINING, CompileJob, prepare
from holdem.errors import RunFailed
from holdem.util.compiling import to_compile
from holdem.util.jit import cache_folder, is_compiled, mark_compiled
from holdem.util.progress import ProgressBar

EVERYTHING = "everything"
LOOK_SECONDS = 0.2


def compile_everything(workers: int) -> None:
    """Compile what the cache does not have with so many processes, and say how long it took."""
    missing = {
        name: seconds for job in (TRAINING, *JOBS) for name, seconds in to_compile(job.job, cache_folder()).items()
    }
    if is_compiled(EVERYTHING) and not missing:
        typer.echo(f"everything is compiled: {len(_compiled())} kernels in {cache_folder()}")
        return
    start = time.monotonic()
    about = f": about {sum(missing.values()) / workers:.0f} s" if missing else ""
    typer.echo(f"compiling {len(missing)} kernels for this machine, once for each version{about}", err=True)
    before = _compiled()
    with tempfile.TemporaryDirectory() as name, ProgressBar("compiling", len(missing)) as bar:
        folder = Path(name)
        prepare(folder)
        for jobs in ((TRAINING,), JOBS):
            _run_all(jobs, folder, workers, lambda: bar(min(len(_compiled() - before), len(missing)) - bar.done))
    mark_compiled(EVERYTHING)
    added = len(_compiled() - before)
    typer.echo(f"compiled {added} kernels in {time.monotonic() - start:.0f} s; they lie in {cache_folder()}")


def _compiled() -> set[Path]:
    return set(cache_folder().rglob("*.nbi"))


def _run_all(jobs: Sequence[CompileJob], folder: Path, workers: int, look: Callable[[], None]) -> None:
    """Run commands, so many at a time; RunFailed with the last words of one that fails."""
    waiting = list(jobs)
    running: list[tuple[CompileJob, subprocess.Popen[bytes]]] = []
    try:
        while waiting or running:
            while waiting and len(running) < workers:
                job = waiting.pop(0)
                running.append((job, job.start(folder)))
            time.sleep(LOOK_SECONDS)
            look()
            for job, process in list(running):
                if (status := process.poll()) is None:
                    continue
                running.remove((job, process))
                if status not in job.good:
                    raise RunFailed(
                        f"holdem {' '.join(job.arguments)} failed while compiling: {job.last_words(folder)}"
                    )
    finally:
        for _, process in running:
            process.kill()
            process.wait()
