"""`holdem models pack`: a model of your own, made of a run."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from holdem.cli.completion import own_runs
from holdem.cli.output_paths import writable_folder
from holdem.errors import ArtifactError, ConfigError, RunFailed
from holdem.policy.models import pack, read_model
from holdem.policy.models.catalogue import FOLDER, PREFIX
from holdem.policy.models.manifest import MODEL, MOST_LEVELS
from holdem.policy.run_names import named_run
from holdem.util.files.regular import read_json


def _completed(incomplete: str) -> list[str]:
    """Runs for the Tab key."""
    return [run for run in own_runs(incomplete) if run.startswith(incomplete)]


def command(
    run: Annotated[Path, typer.Argument(help="A run with an average policy.", autocompletion=_completed)],
    folder: Annotated[
        Path, typer.Argument(help="Where to write it, assets/models/NAME.", metavar="FOLDER", callback=writable_folder)
    ],
    title: Annotated[str, typer.Option(help="What it is, in a line for people.")],
    levels: Annotated[
        str, typer.Option(help="Steps of a probability: one number, or one for each street, as 2,4,4,4.")
    ] = str(MOST_LEVELS),
    results: Annotated[Path | None, typer.Option(help="A JSON file of what was measured, to keep in it.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a model that is there.")] = False,
) -> None:
    """Pack a run as a model.

    The folder has the name of the model. Under assets/models/ of the working directory it is found as those of the
    package are. How long the run was trained, and with how many workers, is kept in it.

    Examples:

        holdem models pack runs/blueprint assets/models/mine --title "A minute of training"

        holdem models pack runs/six assets/models/six --title "Six players" --levels 2,4,4,4 --results six.json
    """
    if (folder / MODEL.name).exists() and not force:
        raise ConfigError(f"{folder} holds a model; name another folder, or replace it with --force")
    steps, measured = _levels(levels), _results(results)
    source = named_run(run)
    try:
        manifest = pack(source, folder, folder.name, title, _training(source), measured, steps)
    except OSError as error:
        why = error.strerror or error
        raise RunFailed(f"{folder} cannot be written ({why}); make room, or name another folder") from None
    model = read_model(manifest.parent)
    typer.echo(f"wrote {folder} ({model.bytes_on_disk / 1e6:.1f} MB)")
    if folder.parent.absolute() == FOLDER.absolute():
        typer.echo(f"play it: holdem play --policy {PREFIX}/{model.name}")


def _levels(text: str) -> Sequence[int]:
    try:
        return [int(word) for word in text.split(",")]
    except ValueError:
        raise ConfigError(f"--levels {text!r} is no number; write one, or one for each street, as 2,4,4,4") from None


def _results(path: Path | None) -> dict[str, Any]:
    if path is None:
        return {}
    try:
        content = read_json(path)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise ArtifactError(f"{path} cannot be read ({why}); name a JSON file with --results") from None
    if not isinstance(content, dict):
        raise ArtifactError(f"{path} holds no JSON object; name a file of results with --results")
    return content


def _training(run: Path) -> dict[str, Any]:
    """What a run says about itself, unless that is about other iterations than those of its policy."""
    from holdem.evaluation.report.training import read_summary  # brings Numba, which a list of models needs not
    from holdem.policy.policy import AveragePolicy

    summary = read_summary(run if run.is_dir() else run.parent)
    if summary.get("iterations") != AveragePolicy.load(run).info.iterations:
        return {}
    return {name: summary[name] for name in ("seconds", "workers") if name in summary}
