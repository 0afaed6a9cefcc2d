"""The run that a verb works with: the one that is named, else the newest under `runs/`, else one trained now."""

import signal
import subprocess
import sys
from pathlib import Path
from types import FrameType

import typer

from holdem.errors import ArtifactMissing
from holdem.policy.run_names import RUNS, TRAIN_COMMAND, TRAIN_SECONDS, named_run
from holdem.policy.trained_runs import trained_runs

NEW_RUN = RUNS / "blueprint"
BUCKET_CORE_SECONDS = 80
"""For the default card buckets, on one core of a server of 2024."""


def chosen_run(given: Path | None, instead: str = "") -> Path:
    """The run to work with; which one is said on stderr where nobody named it.

    Where there is none, the user is asked whether to train one. `instead`: what they may do without one.
    """
    if given is not None:
        return named_run(given)
    newest = newest_run()
    if newest is not None:
        return newest
    if not _can_ask():
        wanted = f", or {instead}" if instead else ""
        raise ArtifactMissing(f"there is no trained run under {RUNS}/; train one with: {TRAIN_COMMAND}{wanted}")
    if not _agrees():
        wanted = f"; {instead}" if instead else ""
        typer.echo(f"nothing was trained; train later with: {TRAIN_COMMAND}{wanted}", err=True)
        raise typer.Exit(0)
    _train()
    return NEW_RUN


def newest_run() -> Path | None:
    """The newest run under `runs/`, if there is one; it is said on stderr which."""
    found = trained_runs()
    if not found:
        return None
    what = "the newest run" if len(found) > 1 else "the only run"
    typer.echo(f"using {found[0]}, {what} under {RUNS}/", err=True)
    return found[0].path


def _can_ask() -> bool:
    return sys.stdin.isatty() and sys.stderr.isatty()


def _agrees() -> bool:
    typer.echo(f"There is no trained run under {RUNS}/ yet. One can be trained now:", err=True)
    for line in _estimate():
        typer.echo(f"  {line}", err=True)
    return typer.confirm("Train it?", default=True, err=True)


def _estimate() -> list[str]:
    """What the offer takes: time, memory and disk, counted before anything is done."""
    # Imported here: these are heavy, and only this question needs them.
    from holdem.abstraction.buckets.estimate import build_bytes
    from holdem.abstraction.buckets.presets import DEFAULT_PRESET, bucket_preset, default_path
    from holdem.game.presets import PRESET_BY_PLAYERS, load_preset
    from holdem.mccfr.run.estimate import estimate_training
    from holdem.types import MCCFRConfig
    from holdem.util.parallel import available_cores

    cores, buckets = available_cores(), bucket_preset(DEFAULT_PRESET)
    game = load_preset(PRESET_BY_PLAYERS[2])
    sizes = estimate_training(game, buckets.buckets_per_street, MCCFRConfig(time_budget_seconds=TRAIN_SECONDS), cores)
    memory, disk, seconds = sizes.memory_bytes, sizes.bytes_on_disk, float(TRAIN_SECONDS)
    steps = [f"{TRAIN_SECONDS} s of training"]
    if not default_path(DEFAULT_PRESET).exists():
        needed, written = build_bytes(buckets)
        memory, disk, seconds = max(memory, needed), disk + written, seconds + BUCKET_CORE_SECONDS / cores
        steps.insert(0, f"{BUCKET_CORE_SECONDS / cores:.0f} s for the card buckets, once")
    return [
        f"{game.name} into {NEW_RUN}, on {cores} {'cores' if cores > 1 else 'core'}",
        f"about {max(1, round(seconds / 60))} min ({', '.join(steps)}), and one more where code is compiled first",
        f"{memory / 1e9:.1f} GB of memory, up to {disk / 1e9:.1f} GB on disk",
    ]


def _train() -> None:
    """Train in a process of its own, as the command would; Ctrl+C is for that process, which saves and ends."""
    words = TRAIN_COMMAND.split()[2:]
    arguments = [sys.executable, "-m", "holdem.cli.train_blueprint", *words, "--logdir", str(NEW_RUN)]
    before = signal.signal(signal.SIGINT, _leave_to_the_child)
    try:
        status = subprocess.run(arguments, check=False).returncode
    finally:
        signal.signal(signal.SIGINT, before)
    if status:
        raise typer.Exit(status)


def _leave_to_the_child(number: int, frame: FrameType | None) -> None:
    """A handler, not SIG_IGN, which the child would inherit."""
