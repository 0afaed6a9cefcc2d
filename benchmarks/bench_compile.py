"""What each verb compiles from an empty cache: kernels, and the CPU seconds of the whole command.

`python -m benchmarks.bench_compile` writes the table that estimates are made of (`src/holdem/util/kernel_times.json`);
do so after kernels were added or renamed.
"""

import os
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import psutil

from benchmarks.measurement import Measurement
from holdem.cli.compile_jobs import JOBS, SAME_AS_PLAY, TRAINING, CompileJob, prepare
from holdem.util.compiling import write_table

ROOT = Path(__file__).parents[1]
TARGETS = {"play": "≤ 15 s", "solve": "≤ 20 s"}


def run() -> list[Measurement]:
    lines = []
    for job, user_seconds, kernels in recorded():
        name = f"holdem {' '.join(job.arguments[:1])} ({job.job}), {len(kernels)} kernels"
        spent = sum(seconds for _, seconds in kernels)
        lines.append(Measurement(name, user_seconds, "s", "of which compiling", spent, TARGETS.get(job.job, "")))
    return lines


def recorded() -> Iterator[tuple[CompileJob, float, list[tuple[str, float]]]]:
    """Each job with an empty cache: its CPU seconds, and its kernels with theirs."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        prepare(folder)
        for job in (TRAINING, *JOBS):
            os.environ["HOLDEM_CACHE"] = str(folder / f"cache {job.job}")
            os.environ["PYTHONPATH"] = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
            record = folder / f"{job.job}.tsv"
            record.touch()
            before = psutil.Process().cpu_times().children_user
            job.start(folder, ("-m", "benchmarks.compile_recorder", str(record))).wait()
            lines = (line.split("\t") for line in record.read_text(encoding="utf-8").splitlines())
            kernels = [(kernel, float(seconds)) for kernel, seconds in lines]
            yield job, psutil.Process().cpu_times().children_user - before, kernels


def write() -> None:
    """Write the table of kernels, their seconds and the jobs that need them."""
    seconds: dict[str, float] = {}
    jobs: dict[str, set[str]] = defaultdict(set)
    for job, spent, kernels in recorded():
        print(f"{job.job}: {spent:.1f} s, {len(kernels)} kernels", flush=True)
        for kernel, taken in kernels:
            seconds[kernel] = max(seconds.get(kernel, 0.0), taken)
            jobs[kernel] |= {job.job, *(SAME_AS_PLAY if job.job == "play" else ())}
    write_table({kernel: (taken, frozenset(jobs[kernel])) for kernel, taken in seconds.items()})


if __name__ == "__main__":
    write()
