"""The umbrella command `holdem`: one verb per job. A verb's module is imported only when it is asked for."""

from importlib import import_module
from typing import Annotated, Any, ClassVar

import typer

from holdem import __version__
from holdem.cli.app import App, run_app
from holdem.cli.completion import complete_value, complete_with
from holdem.cli.help_pages import PageCommand, PageGroup
from holdem.cli.verbs import VERBS, WITH_VERBS
from holdem.util.compiling import COMPILATIONS

NAME = "holdem"
EPILOG = (
    f"`{NAME} VERB --help` has examples and every option. `{NAME} --install-completion` lets the Tab key complete "
    "verbs, options, runs and opponents in bash, zsh and fish."
)


class UnloadedVerb(PageCommand):
    """A verb that is listed and completed, and not imported yet."""

    def shell_complete(self, ctx: Any, incomplete: str) -> Any:
        """What may come next; the verb is imported only to name its options."""
        assert self.name is not None
        argument = VERBS[self.name].argument
        if not incomplete.startswith("-"):
            known = complete_value(argument, ctx.args, incomplete)
            if known is not None:
                return known
        return complete_with(load_verb(self.name), ctx, argument, incomplete)


class Verbs(PageGroup):
    """Imports the verb that is called."""

    headings: ClassVar[dict[str, str]] = {verb: entry.heading for verb, entry in VERBS.items()}

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """As in Typer, with the verb itself in place of its line; while a shell completes, only if it has verbs."""
        name = args[0]
        if name in VERBS and (not ctx.resilient_parsing or name in WITH_VERBS):
            self.commands[name] = load_verb(name)
        if name in VERBS and not ctx.resilient_parsing:
            COMPILATIONS.announce(VERBS[name].module)
        return super().resolve_command(ctx, args)


def load_verb(verb: str) -> Any:
    """The verb, its module imported."""
    module = import_module(f"holdem.cli.{VERBS[verb].module}")
    if hasattr(module, "app"):
        return typer.main.get_command(module.app)
    alone = App(add_completion=False)
    alone.command(verb)(module.command)
    return typer.main.get_command(alone)


def make_holdem() -> typer.Typer:
    """The command with all its verbs, none of them imported."""
    app = App(
        help="No-limit Texas hold'em: train a blueprint, look into it, measure it, solve spots, and play.",
        epilog=EPILOG,
        cls=Verbs,
        pretty_exceptions_enable=False,
        no_args_is_help=True,
    )
    for verb, entry in VERBS.items():
        anything = {"allow_extra_args": True, "ignore_unknown_options": True}
        app.command(verb, cls=UnloadedVerb, help=entry.line, context_settings=anything)(_unloaded)

    @app.callback()
    def _root(
        version: Annotated[
            bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and stop.")
        ] = False,
    ) -> None:
        """What comes before a verb."""

    return app


def _unloaded() -> None:
    """Stands for a verb until it is called."""


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"{NAME} {__version__}")
        raise typer.Exit


def main() -> None:
    """Entry point of the `holdem` command."""
    run_app(make_holdem(), NAME)


if __name__ == "__main__":
    main()
