"""`holdem models`: the blueprints that come with the package, how they were trained and what they reached."""

import difflib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from holdem.cli import pack_model
from holdem.cli.app import App, run_app
from holdem.cli.help_pages import PageGroup
from holdem.cli.model_tables import (
    list_table,
    model_lines,
    opening_lines,
    plain_opening,
    result_lines,
    result_tables,
    shown,
    to_plain,
)
from holdem.errors import ArtifactMissing
from holdem.policy.models import ShippedModel, find_model, shipped_models, unpack, unreadable_models
from holdem.policy.models.catalogue import PREFIX, model_names
from holdem.policy.run_names import TRAIN_COMMAND

if TYPE_CHECKING:
    from holdem.blueprint.openings import Opening

PIPE_WIDTH = 160
"""A pipe has room for every figure."""
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]

app = App(cls=PageGroup, add_completion=False, pretty_exceptions_enable=False, invoke_without_command=True)
app.command("pack")(pack_model.command)


@app.callback()
def models(context: typer.Context, as_json: AsJson = False) -> None:
    """List the trained models that come with the package.

    Wherever a command takes a run it takes a model too, as models/NAME. Where there is no run under runs/, commands use
    the model for that number of seats. A model is unpacked into the user's cache when it is first used; hands that are
    played with it are kept in runs/NAME/hands.

    Examples:

        holdem models

        holdem models --json

        holdem play --policy models/threemax
    """
    if context.invoked_subcommand is not None:
        return
    found, left_out = shipped_models(), unreadable_models()
    for error in left_out:
        typer.echo(f"left out: {error}", err=True)
    if as_json:
        typer.echo(json.dumps({"models": [to_plain(model) for model in found]}))
    elif not found:
        why = "none of the models can be read" if left_out else "no model came with this package"
        typer.echo(f"{why}; train a blueprint with: {TRAIN_COMMAND}")
    else:
        _console().print(list_table(found))
        typer.echo(f"more about one: holdem models show {found[0].name}")


def _completed(incomplete: str) -> list[str]:
    """Names for the Tab key."""
    head = f"{PREFIX}/" if not incomplete.startswith(f"{PREFIX}/") else ""
    return [name.removeprefix(head) for name in model_names() if name.removeprefix(head).startswith(incomplete)]


@app.command("show")
def show(
    name: Annotated[
        str, typer.Argument(help="A name of the list, models/ before it or not.", autocompletion=_completed)
    ],
    as_json: AsJson = False,
) -> None:
    """Show how a model was trained, what it reached, and what it opens with.

    Its game, the commands that trained it, its results with 95 % intervals, and how often each position raises, calls
    or folds when everybody before it folded.

    Examples:

        holdem models show headsup

        holdem models show models/sixmax --json
    """
    model = named_model(name)
    if as_json:
        told = [plain_opening(opening) for opening in openings_of(model)]
        typer.echo(json.dumps({**to_plain(model), "openings": told}))
        return
    console = _console()
    for line in model_lines(model):
        console.print(shown(line), soft_wrap=True)
    for table in result_tables(model.results):
        console.print(table)
    for line in result_lines(model.results):
        console.print(shown(line), soft_wrap=True)
    for line in opening_lines(model, openings_of(model)):
        console.print(shown(line), soft_wrap=True)


def openings_of(model: ShippedModel) -> "list[Opening]":
    """What a model's policy opens with; it is unpacked where it was not yet."""
    from holdem.blueprint.openings import openings  # brings Numba, which whoever lists models does not wait for
    from holdem.policy.policy import AveragePolicy

    return openings(AveragePolicy.load(unpack(model)))


def named_model(typed: str) -> ShippedModel:
    """The model of a name, or an error with the nearest one."""
    path = Path(typed)
    model = find_model(path if len(path.parts) > 1 else PREFIX / path)
    if model is not None:
        return model
    names = [name.removeprefix(f"{PREFIX}/") for name in model_names()]
    nearest = difflib.get_close_matches(path.name, names, n=1, cutoff=0.6)
    hint = f"did you mean {nearest[0]}?" if nearest else f"the models are: {', '.join(names) or 'none'}"
    raise ArtifactMissing(f"there is no model {typed!r:.100}; {hint}")


def _console() -> Console:
    console = Console(highlight=False)
    return console if console.is_terminal else Console(width=PIPE_WIDTH, highlight=False)


if __name__ == "__main__":
    run_app(app)
