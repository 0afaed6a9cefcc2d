"""The umbrella command `holdem`: one verb per job."""

from typing import Annotated

import typer

from holdem import __version__
from holdem.cli import (
    acpc,
    buckets,
    compare,
    dealer,
    doctor,
    equity,
    export,
    lbr,
    leaf_values,
    litmus,
    merge,
    monitor,
    play,
    replay,
    review,
    run_autoplay,
    run_dry_run,
    show,
    train_blueprint,
)
from holdem.cli.app import make_app, run_app

app = make_app("No-limit Texas hold'em: cards, equities and betting trees.")
app.command("acpc")(acpc.command)
app.command("autoplay")(run_autoplay.command)
app.command("compare")(compare.command)
app.command("dealer")(dealer.command)
app.command("doctor")(doctor.command)
app.command("dry-run")(run_dry_run.command)
app.command("equity")(equity.command)
app.command("export")(export.command)
app.command("lbr")(lbr.command)
app.command("leaf-values")(leaf_values.command)
app.command("litmus")(litmus.command)
app.command("merge")(merge.command)
app.command("monitor")(monitor.command)
app.command("play")(play.command)
app.command("replay")(replay.command)
app.command("review")(review.command)
app.command("show")(show.command)
app.add_typer(buckets.app, name="buckets")
app.command("train")(train_blueprint.command)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"holdem {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    """No-limit Texas hold'em: cards, equities and betting trees."""


def main() -> None:
    """Entry point of the `holdem` command."""
    run_app(app)


if __name__ == "__main__":
    main()
