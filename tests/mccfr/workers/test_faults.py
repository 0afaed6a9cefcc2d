"""Each fault that a parallel run promises to survive, injected into a real run: noticed, said, saved, nothing left.

The promises: noticed within five seconds; the cause in the log; a valid checkpoint; a replaced worker (at most three in
a run) or a non-zero exit; no orphan and no hang. Kuhn poker, so that all of it takes seconds.
"""

import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.mccfr.parallel_runs import KUHN, PATIENCE, ParallelRun, parallel_run
from tests.mccfr.runs import train_command

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals and limits of POSIX")
LONG = ("--time-budget", 600, "--num-workers", 2)
NOTICED_SECONDS = 5.0
ENDED_SECONDS = 30.0
"""After Ctrl+C, which takes two to five seconds on a machine that does nothing else."""
SILENT = r"process \d+ gave no sign of life for ([\d.]+) s"
GIVING_UP = (
    "ERROR: Only received results from 1/2 workers (1 missing)\n"
    "ERROR: Training cannot continue reliably. Please check:\n"
    "  1. Worker logs above for specific errors\n"
    "  2. System resources (RAM, CPU)\n"
    "  3. Try reducing --num-workers or --batch-size\n"
)


def silence_told(run: ParallelRun) -> float:
    """How long the worker was silent by the run's own clock, which stands still with the machine."""
    found = re.search(SILENT, run.log)
    assert found is not None
    return float(found[1])


def assert_goes_on(run: ParallelRun, failures: int) -> None:
    """The worker is replaced, and the run ends as asked, with all of its iterations."""
    run.wait_for_workers(2 + failures)
    run.wait_for_iterations()
    status = run.end(signal.SIGINT)
    assert status == 130, run.log
    summary = json.loads((run.logdir / "summary.json").read_text())
    assert run.checkpoint().iteration == summary["iterations"] > 0
    counts = [int(count) for count in re.findall(r"Worker \d+ completed: (\d+) iterations", run.log)]
    assert sum(counts) == summary["iterations"]
    run.assert_nothing_left()


def test_a_killed_worker_is_replaced(tmp_path: Path) -> None:
    with parallel_run(tmp_path, *LONG) as run:
        run.wait_for_workers(2)
        os.kill(run.worker_pid(1), signal.SIGKILL)
        assert run.wait_for("Worker 1 failed with error:\nended by signal SIGKILL") < NOTICED_SECONDS
        assert "WARNING: Worker 1 is replaced (1 of at most 3 in a run)" in run.log
        assert_goes_on(run, 1)


def test_a_stopped_worker_is_ended_and_replaced(tmp_path: Path) -> None:
    with parallel_run(tmp_path, *LONG) as run:
        run.wait_for_workers(2)
        os.kill(run.worker_pid(0), signal.SIGSTOP)
        run.wait_for(f"Worker 0 failed with error:\n{SILENT}")
        assert silence_told(run) < NOTICED_SECONDS
        assert_goes_on(run, 1)


def test_a_worker_that_is_stopped_while_it_starts(tmp_path: Path) -> None:
    with parallel_run(tmp_path, *LONG) as run:
        run.wait_for("Worker 1 started with PID")
        os.kill(run.worker_pid(1), signal.SIGSTOP)
        run.wait_for(f"Worker 1 failed with error:\n{SILENT}")
        assert silence_told(run) < NOTICED_SECONDS
        assert_goes_on(run, 0)


def test_three_are_replaced_and_the_fourth_ends_the_run(tmp_path: Path) -> None:
    with parallel_run(tmp_path, *LONG) as run:
        for failure in range(4):
            run.wait_for_workers(2 + failure)
            os.kill(run.worker_pid(1), signal.SIGKILL)
        assert run.end() == 1
        assert GIVING_UP in run.log
        assert run.log.count("ERROR: Worker 1 failed with error:") == 4
        assert run.log.rstrip().splitlines()[-1].startswith("error: a worker failed after 3 replacements")
        summary = json.loads((run.logdir / "summary.json").read_text())
        assert summary["exit_reason"] == "failed"
        assert run.checkpoint().iteration == summary["iterations"] > 0
        run.assert_nothing_left()
        resumed = ("--resume-from", run.logdir, "--iters", summary["iterations"] + 1000, "--num-workers", 1)
        command = train_command(*KUHN, *resumed, "--logdir", tmp_path / "on")
        assert subprocess.run(command, capture_output=True, check=False).returncode == 0


def run_script(code: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """The command line in a process that was prepared for a fault."""
    arguments = ["train", *KUHN, "--num-workers", "2", "--iters", "2000000", "--logdir", str(folder / "run")]
    imports = "import sys\nimport holdem.cli.train_blueprint\nfrom holdem.cli.main import main\n"
    script = f"{imports}sys.argv[1:] = {arguments!r}\n{code}\nmain()\n"
    return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=PATIENCE, check=False)


def assert_failed_at_the_start(result: subprocess.CompletedProcess[str], cause: str, run: Path) -> None:
    assert result.returncode == 1, result.stderr
    assert cause in result.stderr
    assert "ERROR: Only received results from" in result.stderr
    assert "  3. Try reducing --num-workers or --batch-size" in result.stderr
    assert (run / "checkpoint_0.pkl").exists()
    assert json.loads((run / "summary.json").read_text())["exit_reason"] == "failed"


def test_a_worker_that_cannot_import(tmp_path: Path) -> None:
    """The parent has Numba already; workers find a broken one first, as after a broken upgrade."""
    message = "libllvmlite.so: cannot open shared object file"
    (tmp_path / "numba").mkdir()
    (tmp_path / "numba" / "__init__.py").write_text(f"raise ImportError({message!r})")
    result = run_script(f"sys.path.insert(0, {str(tmp_path)!r})", tmp_path)
    assert_failed_at_the_start(result, f"ImportError: {message}", tmp_path / "run")
    assert "Traceback (most recent call last)" in result.stderr


@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="limits another process")
def test_a_worker_without_memory(tmp_path: Path) -> None:
    """Each worker gets 200 MB of address space as soon as it is there: too little to import Numba."""
    code = (
        "import resource\n"
        "import holdem.mccfr.workers.crew as crew\n"
        "class Tight(crew.WorkerProcess):\n"
        "    def __init__(self, arguments):\n"
        "        super().__init__(arguments)\n"
        "        resource.prlimit(self.pid, resource.RLIMIT_AS, (200 << 20, 200 << 20))\n"
        "crew.WorkerProcess = Tight\n"
    )
    assert_failed_at_the_start(run_script(code, tmp_path), "failed with error:\n", tmp_path / "run")


def test_a_worker_that_raises(tmp_path: Path) -> None:
    """A table of buckets that is gone when the worker opens it, as on a volume that was unmounted."""
    code = (
        "import holdem.mccfr.workers.engine as engine\n"
        "from holdem.mccfr.workers.pieces import BucketSource, TableSource\n"
        "from pathlib import Path\n"
        "gone = TableSource(Path('/nowhere/flop.npy'), '|u1', 1)\n"
        "engine.send_buckets = lambda bucketing: (BucketSource((3,), 'abc', (gone,)), ())\n"
    )
    result = run_script(code, tmp_path)
    assert_failed_at_the_start(result, "FileNotFoundError: [Errno 2] No such file or directory", tmp_path / "run")


def test_workers_end_with_a_killed_parent(tmp_path: Path) -> None:
    named = set(os.listdir("/dev/shm")) if Path("/dev/shm").is_dir() else set()  # noqa: PTH208
    with parallel_run(tmp_path, *LONG, "--snapshot-interval", 0.2) as run:
        run.wait_for_workers(2)
        run.wait_for_checkpoint()
        run.end(signal.SIGKILL)
        run.assert_nothing_left()
        assert run.checkpoint().iteration > 0
        if named:
            assert set(os.listdir("/dev/shm")) <= named  # noqa: PTH208


@pytest.mark.parametrize(
    ("moment", "whole_group"),
    [("at the start", True), ("in a batch", True), ("in a batch", False), ("in checkpoints", True)],
)
def test_ctrl_c(tmp_path: Path, moment: str, whole_group: bool) -> None:
    """A terminal sends Ctrl+C to the whole group, `kill -INT` to the parent alone."""
    saving = ("--snapshot-interval", 0.01) if moment == "in checkpoints" else ()
    with parallel_run(tmp_path, *LONG, *saving) as run:
        if moment == "at the start":
            run.wait_for("Worker 1 started with PID")
        else:
            run.wait_for_workers(2)
            run.wait_for_checkpoint() if saving else time.sleep(0.3)
        start = time.monotonic()
        if whole_group:
            os.killpg(run.process.pid, signal.SIGINT)
        status = run.end(None if whole_group else signal.SIGINT)
        assert status == 130, run.log
        assert time.monotonic() - start < ENDED_SECONDS
        assert "Traceback" not in run.log
        assert "failed" not in run.log
        summary = json.loads((run.logdir / "summary.json").read_text())
        assert summary["exit_reason"] == "interrupted"
        assert run.checkpoint().iteration == summary["iterations"]
        run.assert_nothing_left()


@pytest.fixture
def volume(tmp_path: Path) -> Iterator[Path]:
    """A volume of four megabytes."""
    folder = tmp_path / "volume"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", str(folder)]
    if subprocess.run(mount, capture_output=True, check=False).returncode != 0:
        pytest.skip("mounting a small volume needs root")
    yield folder
    subprocess.run(["umount", "-l", folder], check=False)


def fill(volume: Path, spare: int = 0) -> None:
    """Something else takes all room but so many bytes."""
    with (volume / "filler").open("wb", buffering=0) as file:
        with pytest.raises(OSError, match="No space left"):
            while True:
                file.write(b"x" * 4096)
        file.truncate(file.tell() - spare)


def test_a_full_disk(volume: Path) -> None:
    with parallel_run(volume, *LONG, "--snapshot-interval", 0.3) as run:
        run.wait_for_checkpoint()
        fill(volume)
        assert run.end() == 1
        advice = f"(No space left on device); make room and go on with --resume-from {run.logdir}\n"
        assert f"{run.logdir} cannot be written {advice}" in run.log
        assert run.checkpoint().iteration > 0
        run.assert_nothing_left()


def test_a_disk_that_was_full_before_the_first_checkpoint(volume: Path) -> None:
    with parallel_run(volume, *LONG) as run:
        run.wait_for_iterations()
        fill(volume)
        assert run.end(signal.SIGINT) == 1
        assert "(No space left on device); make room and start again: no checkpoint had been saved\n" in run.log
        assert "--resume-from" not in run.log
        assert not list(run.logdir.glob("checkpoint_*.pkl"))


def test_a_full_disk_of_a_run_that_was_resumed_elsewhere(volume: Path, tmp_path: Path) -> None:
    """What it came from is the checkpoint to go on from."""
    first = tmp_path / "first"
    assert subprocess.run(train_command(*KUHN, "--iters", 100, "--logdir", first), check=False).returncode == 0
    with parallel_run(volume, *LONG, "--resume-from", first) as run:
        run.wait_for_iterations()
        fill(volume)
        assert run.end(signal.SIGINT) == 1
        assert f"make room and go on with --resume-from {first / 'checkpoint_final.pkl'}\n" in run.log


@pytest.mark.parametrize("instances", [(), ("--num-instances", 2)])
def test_a_disk_that_cannot_hold_one_checkpoint(volume: Path, instances: tuple[object, ...]) -> None:
    """Leduc has 2,184 pairs of infoset and action: 8 bytes each in a checkpoint, 2 in the policy; 100 kB besides."""
    fill(volume, spare=28 * 4096)
    command = train_command("--game", "leduc", "--iters", 200_000, "--logdir", volume / "run", *instances)
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 2
    needs = f"one checkpoint with its policy needs up to {121_840 * (2 if instances else 1):,}; make room"
    assert f"error: {volume / 'run'} has 114,688 bytes free and {needs}" in result.stderr
    assert not (volume / "run").exists()


def test_a_log_directory_that_vanishes(tmp_path: Path) -> None:
    with parallel_run(tmp_path, *LONG, "--snapshot-interval", 0.3) as run:
        run.wait_for_checkpoint()
        # A volume that is gone: nothing below the path can be made again.
        while not run.logdir.is_file():  # the run may have made the folder again in between
            shutil.rmtree(run.logdir, ignore_errors=True)
            with suppress(FileExistsError):
                run.logdir.touch(exist_ok=False)
        assert run.end() == 1
        assert f"error: {run.logdir} cannot be written" in run.log
        run.assert_nothing_left()


def test_too_few_descriptors(tmp_path: Path) -> None:
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (48, 48))

    with parallel_run(tmp_path, "--iters", 1000, "--num-workers", 30, preexec_fn=limit) as run:
        assert run.end() == 2
        assert re.search(r"error: 30 workers need about \d+ open files and the limit is 48; raise it with", run.log)


def test_a_low_soft_limit_of_descriptors_is_raised(tmp_path: Path) -> None:
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (40, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))

    with parallel_run(tmp_path, "--iters", 200_000, "--num-workers", 2, preexec_fn=limit) as run:
        assert run.end() == 0, run.log
        assert "INFO: The limit of open files was 40 and is now" in run.log


def test_a_table_that_shared_memory_cannot_hold(tmp_path: Path) -> None:
    """RLIMIT_FSIZE bounds anonymous files too: a table of outcome sampling on Kuhn is small, so the limit is tiny."""
    code = (
        "import resource, signal\n"
        "import holdem.mccfr.workers.engine as engine\n"
        "create = engine.SharedMemory.create\n"
        "def limited(size, what):\n"
        "    resource.setrlimit(resource.RLIMIT_FSIZE, (100, resource.RLIM_INFINITY))\n"
        "    try:\n"
        "        return create(size, what)\n"
        "    finally:\n"
        "        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))\n"
        "engine.SharedMemory.create = limited\n"
    )
    result = run_script(code, tmp_path)
    assert result.returncode == 1
    assert "MB of shared memory and cannot have it ([Errno 27] File too large)" in result.stderr


def test_a_paused_run_goes_on(tmp_path: Path) -> None:
    """Ctrl+Z and fg: parent and workers stop and go on together, and nobody takes the others for dead."""
    with parallel_run(tmp_path, *LONG) as run:
        run.wait_for_workers(2)
        os.killpg(run.process.pid, signal.SIGSTOP)
        time.sleep(4.0)
        os.killpg(run.process.pid, signal.SIGCONT)
        time.sleep(0.5)
        assert run.end(signal.SIGINT) == 130
        assert "failed" not in run.log
