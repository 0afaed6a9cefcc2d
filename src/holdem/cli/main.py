"""The umbrella command `holdem`: one verb per job. A verb's module is imported only when it is asked for."""

import sys
from collections.abc import Iterable
from importlib import import_module
from typing import Annotated

import typer

from holdem import __version__
from holdem.cli.app import make_app, run_app
from holdem.util.compiling import COMPILATIONS

VERBS = {
    "acpc": "acpc",
    "autoplay": "run_autoplay",
    "best-response": "best_response",
    "buckets": "buckets",
    "compare": "compare",
    "dealer": "dealer",
    "doctor": "doctor",
    "dry-run": "run_dry_run",
    "equity": "equity",
    "eval": "eval_blueprint",
    "export": "export",
    "lbr": "lbr",
    "leaf-values": "leaf_values",
    "litmus": "litmus",
    "match": "match",
    "merge": "merge",
    "monitor": "monitor",
    "play": "play",
    "replay": "replay",
    "report": "report",
    "review": "review",
    "serve": "serve",
    "show": "show",
    "solve": "solve",
    "train": "train_blueprint",
}
"""Verb → module of `holdem.cli`: one with an `app` has verbs of its own, any other has a `command`."""


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"holdem {__version__}")
        raise typer.Exit


def make_holdem(verbs: Iterable[str]) -> typer.Typer:
    """The command with these verbs."""
    app = make_app("No-limit Texas hold'em: train a blueprint, look into it, measure it, solve spots, and play.")
    for verb in verbs:
        module = import_module(f"holdem.cli.{VERBS[verb]}")
        if hasattr(module, "app"):
            app.add_typer(module.app, name=verb)
        else:
            app.command(verb)(module.command)

    @app.callback()
    def _root(
        version: Annotated[
            bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and stop.")
        ] = False,
    ) -> None:
        """What comes before a verb."""

    return app


def main() -> None:
    """Entry point of the `holdem` command."""
    first = sys.argv[1] if len(sys.argv) > 1 else ""
    if first in VERBS:
        COMPILATIONS.announce(VERBS[first])
    wanted = [first] if first in VERBS else [] if first == "--version" else list(VERBS)
    run_app(make_holdem(wanted))


if __name__ == "__main__":
    main()
