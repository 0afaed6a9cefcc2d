"""Parallel training as a user meets it: configuration, log lines, exact counts, scripts without a guard."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from holdem.errors import ConfigError
from holdem.game.presets import load_preset
from holdem.mccfr.parallel_solver import ParallelMCCFRSolver
from holdem.mccfr.run.checkpoint import read_info
from holdem.policy.policy import AveragePolicy
from holdem.types import MCCFRConfig
from holdem.util.configs import check_config, read_yaml
from holdem.util.parallel import available_cores
from tests.mccfr.runs import LEDUC, run_training

CONFIGS = Path(__file__).parents[1] / "configs"
SCRIPT = """
from pathlib import Path
from holdem.game.presets import load_preset
from holdem.types import MCCFRConfig
from holdem.mccfr.parallel_solver import ParallelMCCFRSolver

print("main runs")
config = MCCFRConfig(num_iterations=20_000, num_workers=2, batch_size=100)
solver = ParallelMCCFRSolver(config, game=load_preset("kuhn"))
summary = solver.train(logdir=Path("run"), use_tensorboard=False)
print(summary.iterations, summary.exit_reason, summary.workers)
"""


def test_configuration() -> None:
    config = MCCFRConfig()
    assert (config.num_workers, config.batch_size) == (1, 100)
    with pytest.raises(ConfigError, match="num_workers"):
        check_config(MCCFRConfig, {"num_workers": -1})
    with pytest.raises(ConfigError, match="batch_size"):
        check_config(MCCFRConfig, {"batch_size": 0})


@pytest.mark.parametrize("name", ["parallel_training", "blueprint_training_5h_parallel"])
def test_shipped_configurations(name: str) -> None:
    config = check_config(MCCFRConfig, read_yaml(CONFIGS / f"{name}.yaml"))
    assert config.time_budget_seconds is not None
    assert config.num_workers != 1
    assert config.batch_size == 100


def test_solver_settings() -> None:
    assert ParallelMCCFRSolver(MCCFRConfig(num_workers=0)).num_workers == available_cores()
    assert ParallelMCCFRSolver(MCCFRConfig(num_workers=3)).num_workers == 3
    assert ParallelMCCFRSolver(MCCFRConfig(), num_players=6).game.name == "sixmax_100bb"
    with pytest.raises(ConfigError, match="2 to 6"):
        ParallelMCCFRSolver(MCCFRConfig(), num_players=7)
    with pytest.raises(ConfigError, match="not for 3"):
        ParallelMCCFRSolver(MCCFRConfig(), num_players=3, game=load_preset("leduc"))
    with pytest.raises(ConfigError, match="training needs an end"):
        ParallelMCCFRSolver(MCCFRConfig(num_workers=2), game=load_preset("leduc")).train(Path("nowhere"))


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A parallel run of Leduc and its log."""
    run = tmp_path_factory.mktemp("parallel") / "run"
    result = run_training(
        *LEDUC, "--iters", 300_001, "--num-workers", 3, "--batch-size", 100, "--log-level", "debug", "--logdir", run
    )
    assert result.returncode == 0, result.stderr
    return run, result.stderr


def test_the_log_of_a_parallel_run(finished: tuple[Path, str]) -> None:
    wanted = [
        "INFO: Using multiprocessing context: 'spawn' for cross-platform compatibility",
        "INFO: Running multiprocessing diagnostic test...",
        "INFO: ✓ Multiprocessing diagnostic test passed",
        "INFO: Starting parallel MCCFR training for 300,001 iterations",
        "INFO: Using 3 worker process(es)",
        "INFO: Batch size: 100 iterations (merge period between workers)",
        "DEBUG: Starting batch: 3 workers, 33 iterations each",
        "DEBUG: Spawning worker 0 for iterations 0 to 33",
    ]
    lines = [line for line in finished[1].splitlines() if line in wanted]
    assert list(dict.fromkeys(lines)) == wanted, "all of them, in this order"
    assert [line for line in lines if "Starting batch" not in line] == [*wanted[:6], wanted[7]], "each once"
    for worker, (first, last) in enumerate(((0, 33), (34, 66), (67, 99))):
        assert finished[1].count(f"INFO: Worker {worker} starting: iterations {first} to {last}\n") == 1
        assert re.search(rf"DEBUG: Worker {worker} started with PID \d+\n", finished[1])
        assert finished[1].count(f"INFO: Worker {worker} sampler initialized successfully\n") == 1
        assert re.search(rf"INFO: Worker {worker} completed: \d+ iterations, 936 infosets\n", finished[1])


def test_exactly_the_iterations_that_were_asked_for(finished: tuple[Path, str]) -> None:
    run, log = finished
    assert sum(int(n) for n in re.findall(r"completed: (\d+) iterations, ", log)) == 300_001
    assert json.loads((run / "summary.json").read_text())["iterations"] == 300_001
    assert json.loads((run / "summary.json").read_text())["workers"] == 3
    assert read_info(run / "checkpoint_final.pkl").iteration == 300_001
    assert AveragePolicy.load(run).info.iterations == 300_001


@pytest.mark.long
@pytest.mark.parametrize("workers", [1, 2])
def test_a_run_goes_on_with_another_number_of_workers(finished: tuple[Path, str], tmp_path: Path, workers: int) -> None:
    arguments = ("--iters", 310_000, "--num-workers", workers, "--resume-from", finished[0], "--logdir", tmp_path)
    result = run_training(*LEDUC, *arguments)
    assert result.returncode == 0, result.stderr
    assert "at iteration 300,001" in result.stderr
    assert read_info(tmp_path / "checkpoint_final.pkl").iteration == 310_000


def run_script(command: list[str], folder: Path, stdin: str = "") -> None:
    result = subprocess.run(
        [sys.executable, *command], cwd=folder, capture_output=True, text=True, timeout=120, check=False, input=stdin
    )
    assert result.returncode == 0, result.stderr
    assert result.stdout.splitlines() == ["main runs", "20000 completed 2"], "the script ran once, in one process"
    assert "Worker 1 completed:" in result.stderr


@pytest.mark.long
def test_a_script_without_a_guard_as_a_file(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(SCRIPT)
    run_script(["script.py"], tmp_path)


@pytest.mark.long
def test_a_script_without_a_guard_from_standard_input(tmp_path: Path) -> None:
    run_script(["-"], tmp_path, stdin=SCRIPT)


@pytest.mark.long
def test_a_script_without_a_guard_in_a_notebook(tmp_path: Path) -> None:
    """The kernel of a notebook runs a cell in a main module that cannot be imported."""
    nbclient = pytest.importorskip("nbclient")
    nbformat = pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel")
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(SCRIPT)])
    nbclient.NotebookClient(notebook, resources={"metadata": {"path": str(tmp_path)}}, timeout=120).execute()
    printed = "".join(o["text"] for o in notebook.cells[0].outputs if o.get("name") == "stdout")
    assert printed.splitlines() == ["main runs", "20000 completed 2"]


@pytest.mark.long
def test_a_script_without_a_guard_in_an_interactive_session(tmp_path: Path) -> None:
    session = "code.InteractiveInterpreter({'__name__': '__main__'})"
    run_script(["-c", f"import code; {session}.runsource({SCRIPT!r}, '<cell>', 'exec')"], tmp_path)
