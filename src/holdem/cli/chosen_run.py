"""The run that a verb works with: the one that is named, else the newest under `runs/`, else a shipped model."""

from collections.abc import Sequence
from pathlib import Path

import typer

from holdem.errors import ArtifactMissing, ConfigError
from holdem.policy.models import model_for, unpack
from holdem.policy.run_names import RUNS, TRAIN_COMMAND, named_model, named_run
from holdem.policy.trained_runs import OtherRun, Runs, TrainedRun, find_runs


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
    An ArtifactError if a run that would be taken before it cannot be read: nothing else is played in its place.
    """
    found = find_runs()
    fitting = [run for run in found.trained if seats in (None, run.game.num_players)]
    oldest = fitting[0].changed if fitting else float("-inf")
    for unreadable in _newer(found.unreadable, oldest):
        raise unreadable.error
    unfinished = _newer(found.unfinished, oldest)
    if fitting:
        yet = f"; {_not_yet(unfinished)}" if unfinished else ""
        typer.echo(f"using {fitting[0]}, {_which(fitting, found, seats)} under {RUNS}/{yet}", err=True)
        return fitting[0].path
    model = model_for(seats or 2, stack_blinds)
    if model is None:
        return None
    typer.echo(f"using {model}, since {_why_no_run(found, seats)}", err=True)
    return unpack(model)


def _newer(runs: Sequence[OtherRun], than: float) -> list[OtherRun]:
    return [run for run in runs if run.changed > than]


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


def _which(fitting: Sequence[TrainedRun], found: Runs, seats: int | None) -> str:
    for_seats = "" if len(fitting) == len(found.trained) else f" for {seats} seats"
    alone = len(fitting) == 1 and not found.unreadable and not found.unfinished
    return f"the only run{for_seats}" if alone else f"the newest run{for_seats}"


def _why_no_run(found: Runs, seats: int | None) -> str:
    if found.trained:
        reason = f"no run under {RUNS}/ is for {seats} seats"
        return f"{reason}, and {_not_yet(found.unfinished)}" if found.unfinished else reason
    if found.unfinished:
        return _not_yet(found.unfinished)
    return f"no run under {RUNS}/ is of hold'em" if found.of_toys else f"there is no run under {RUNS}/"


def _not_yet(unfinished: Sequence[OtherRun]) -> str:
    return f"{unfinished[0].path} has no average policy yet"
