"""`holdem models`: the blueprints that come with the package, how they were trained and what they reached."""

import difflib
import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from holdem.cli.app import App, run_app
from holdem.cli.help_pages import PageGroup
from holdem.cli.model_tables import list_table, model_lines, result_lines, result_tables, shown, to_plain
from holdem.errors import ArtifactMissing
from holdem.policy.models import ShippedModel, find_model, shipped_models, unreadable_models
from holdem.policy.models.catalogue import PREFIX, model_names
from holdem.policy.run_names import TRAIN_COMMAND

PIPE_WIDTH = 160
"""A pipe has room for every figure."""
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]

app = App(cls=PageGroup, add_completion=False, pretty_exceptions_enable=False, invoke_without_command=True)


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
    found = shipped_models()
    for error in unreadable_models():
        typer.echo(f"left out: {error}", err=True)
    if as_json:
        typer.echo(json.dumps({"models": [to_plain(model) for model in found]}))
    elif not found:
        typer.echo(f"no model came with this package; train a blueprint with: {TRAIN_COMMAND}")
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
    """Show how a model was trained, and what it reached.

    Its game, the commands that trained it, and its results with 95 % intervals.

    Examples:

        holdem models show headsup

        holdem models show models/sixmax --json
    """
    model = named_model(name)
    if as_json:
        typer.echo(json.dumps(to_plain(model)))
        return
    console = _console()
    for line in model_lines(model):
        console.print(shown(line), soft_wrap=True)
    for table in result_tables(model.results):
        console.print(table)
    for line in result_lines(model.results):
        console.print(shown(line), soft_wrap=True)


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
