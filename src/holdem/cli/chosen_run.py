"""The run that a verb works with: the one that is named, else the newest under `runs/`, else a shipped model."""

from collections.abc import Sequence
from pathlib import Path

import typer

from holdem.errors import ArtifactMissing, ConfigError
from holdem.policy.models import model_for, unpack
from holdem.policy.run_names import RUNS, TRAIN_COMMAND, named_model, named_run
from holdem.policy.trained_runs import TrainedRun, trained_runs


def chosen_run(
    given: Path | None, instead: str = "", seats: int | None = None, stack_blinds: float | None = None
) -> Path:
    """The run to work with; which one is said on stderr where nobody named it.

    `seats`: how many the table has, None where any number will do. `instead`: what users may do without a run.
    """
    if given is not None:
        return named_run(given)
    found = usual_run(seats, stack_blinds)
    if found is not None:
        return found
    known = "there is no trained run under" if seats is None else f"there is no trained run for {seats} seats under"
    wanted = f", or {instead}" if instead else ""
    raise ArtifactMissing(f"{known} {RUNS}/; train one with: {train_command(seats)}{wanted}")


def usual_run(seats: int | None = None, stack_blinds: float | None = None) -> Path | None:
    """The newest run under `runs/`, else a shipped model, for so many seats; it is said on stderr which.

    None if there is neither. Where nobody says how many seats, a model is a heads-up one; stacks choose among models.
    """
    runs = trained_runs()
    fitting = [run for run in runs if seats in (None, run.game.num_players)]
    if fitting:
        typer.echo(f"using {fitting[0]}, {_which(fitting, runs, seats)} under {RUNS}/", err=True)
        return fitting[0].path
    model = model_for(seats or 2, stack_blinds)
    if model is None:
        return None
    why = f"no run under {RUNS}/ is for {seats} seats" if runs else f"there is no run under {RUNS}/"
    typer.echo(f"using {model}, since {why}", err=True)
    return unpack(model)


def train_command(seats: int | None) -> str:
    """What trains a run for so many seats."""
    return TRAIN_COMMAND if seats in (None, 2) else f"{TRAIN_COMMAND} --num-players {seats}"


def refuse_model(typed: Path, lacks: str) -> None:
    """ConfigError if a user names a shipped model where only a run that was trained here will do."""
    model = named_model(typed)
    if model is not None:
        raise ConfigError(
            f"models/{model.name} is a shipped model, which has {lacks}; train a run of your own with: "
            f"{train_command(model.game.num_players)}"
        )


def _which(fitting: Sequence[TrainedRun], runs: Sequence[TrainedRun], seats: int | None) -> str:
    if len(fitting) == 1:
        return "the only run" if len(runs) == 1 else f"the only run for {seats} seats"
    return "the newest run" if len(fitting) == len(runs) else f"the newest run for {seats} seats"
