"""How every verb runs: a user's mistake is one sentence on stderr and status 2, Ctrl+C is status 130."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import typer

from holdem.cli.help_pages import PageCommand, PageGroup
from holdem.errors import ConfigError, HoldemError
from holdem.policy.run_names import NO_NAME
from holdem.util.compiling import COMPILATIONS

# The parser's own error, whichever library Typer builds on: BadParameter → UsageError → ClickException.
CommandLineError: type[Exception] = typer.BadParameter.__mro__[2]

RUN_PARAMETERS = ("run", "policy", "resume_from")
"""What a verb calls a path that is a run."""


class VerbCommand(PageCommand):
    """A verb whose runs have names: an empty one, as of a variable that is not set, is no path."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Called by the parser, which would make the working directory of it."""
        if any(not word or word.endswith("=") for word in args):
            typed, _, _ = self.make_parser(ctx).parse_args([*args])
            if any(typed.get(name) == "" for name in RUN_PARAMETERS):
                raise ConfigError(f"{NO_NAME}; name one, such as runs/blueprint or models/headsup")
        return super().parse_args(ctx, args)


class App(typer.Typer):
    """A Typer application whose verbs have our pages of help."""

    def command(self, name: str | None = None, **settings: Any) -> Callable[[Any], Any]:
        """As in Typer."""
        return super().command(name, **{"cls": VerbCommand, **settings})


def make_app(help_text: str | None = None) -> App:
    """An application of several verbs, with plain errors and tracebacks."""
    return App(
        help=help_text, cls=PageGroup, add_completion=False, pretty_exceptions_enable=False, no_args_is_help=True
    )


def run_app(app: typer.Typer, name: str | None = None) -> NoReturn:
    """Run an application and leave the process with the right status; `name`: how it calls itself."""
    sys.exit(_status_of(app, name))


def run_command(command: Callable[..., None]) -> NoReturn:
    """Run one verb on its own, as `python -m holdem.cli.<module>` does."""
    COMPILATIONS.announce(Path(command.__code__.co_filename).stem)
    app = App(add_completion=False, pretty_exceptions_enable=False)
    app.command()(command)
    run_app(app)


def _status_of(app: typer.Typer, name: str | None = None) -> int:
    try:
        return int(app(args=_typed_arguments(), prog_name=name, standalone_mode=False) or 0)
    except HoldemError as error:
        print(f"error: {error}", file=sys.stderr)
        return error.exit_status
    except CommandLineError as error:
        typer.echo(_usage_message(error), err=True)
        return 2
    except (KeyboardInterrupt, typer.Abort):
        print("interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:
        sys.stderr.close()
        return 141


def _typed_arguments() -> list[str]:
    """Without blanks: a backslash that is followed by a space and a comment leaves one behind in a copied command."""
    return [argument for argument in sys.argv[1:] if not argument.isspace()]


def _usage_message(error: Exception) -> str:
    """One line about a wrong call; the whole help where a verb was called with nothing at all."""
    message = str(error.format_message())  # type: ignore[attr-defined]
    if type(error).__name__ == "NoArgsIsHelpError":
        return message
    context = getattr(error, "ctx", None)
    hint = f" (see `{context.command_path} --help`)" if context else ""
    return f"error: {' '.join(message.split()).rstrip('.')}{hint}"
