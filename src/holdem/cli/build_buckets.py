"""`python -m holdem.cli.build_buckets`: put every hand of every street into its bucket."""

import time
from pathlib import Path
from typing import Annotated

import typer

from holdem.abstraction.bucketing import HandBucketing, shaping_config
from holdem.abstraction.buckets.builder import build_files
from holdem.abstraction.buckets.estimate import estimate
from holdem.abstraction.buckets.presets import DEFAULT_PRESET, bucket_preset, default_path
from holdem.cli.app import run_command
from holdem.errors import ArtifactError, ConfigError, WrongKind
from holdem.types import BucketConfig
from holdem.util.configs import check_config, read_yaml
from holdem.util.parallel import workers_for
from holdem.util.progress import ProgressBar
from holdem.util.shipped import BUCKET_SETTINGS
from holdem.util.words import counted, shell_command

PICKLE_BEGINS_WITH = b"\x80"


def command(
    preset: Annotated[
        str | None,
        typer.Option(
            help="small (50/50/50, the default), mid (200/200/200), fine_flop (200/100/50), coarse (50/20/10)."
        ),
    ] = None,
    config: Annotated[
        Path | None, typer.Option(help="Your own settings; assets/abstraction/buckets_config.yaml explains them.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="The file to write; tables go beside it.")] = None,
    num_workers: Annotated[int | None, typer.Option(min=0, help="Threads; 0 is every core, the default.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Build again even if the file is there and fits.")] = False,
) -> None:
    """Build a card abstraction.

    That is the bucket of each of the 138 million hands up to suits. Ctrl+C at any time is safe: the next call with the
    same settings goes on after the last finished street.

    Examples:

        holdem buckets build --preset small

        holdem buckets build --preset mid --out assets/abstraction/buckets_mid.pkl

        holdem buckets build --config my_buckets.yaml --out my_buckets.pkl
    """
    settings, path = _settings(preset, config, out)
    if not force and _is_built(path, settings):
        typer.echo(f"{path} is already built with these settings; --force builds it again")
        return
    threads = workers_for(num_workers if num_workers is not None else settings.threads)
    _check_writable(path)
    _print_estimate(settings, path, threads)
    start = time.monotonic()
    bucketing = build_files(settings, path, threads, ProgressBar)
    _print_result(bucketing, path, time.monotonic() - start)


def _settings(preset: str | None, config: Path | None, out: Path | None) -> tuple[BucketConfig, Path]:
    if preset is not None and config is not None:
        raise ConfigError("--preset and --config cannot be used together; give one of them")
    if config is not None:
        settings = check_config(BucketConfig, read_yaml(BUCKET_SETTINGS.find(config)), str(config))
        if out is None:
            raise ConfigError(f"--config {config} needs --out FILE.pkl to say where the buckets go")
        return settings, out
    name = preset or DEFAULT_PRESET
    return bucket_preset(name), out or default_path(name)


def _is_built(path: Path, settings: BucketConfig) -> bool:
    if not path.exists():
        return False
    try:
        return shaping_config(HandBucketing.load(path).config) == shaping_config(settings)
    except WrongKind:
        raise
    except ArtifactError as error:
        _refuse_strangers(path)
        typer.echo(f"building again: {str(error).partition('; build it')[0]}", err=True)
        return False


def _refuse_strangers(path: Path) -> None:
    """A damaged card abstraction is built again; a file that never was one is not written over."""
    if path.is_dir():
        raise ConfigError(f"{path} is a folder; name a file in it: {path / 'my_buckets.pkl'}")
    with path.open("rb") as file:
        if file.read(1) not in (b"", PICKLE_BEGINS_WITH):
            raise ConfigError(f"{path} is not a card abstraction, and it would be written over; name another file")


def _check_writable(path: Path) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        probe = path.with_name(f".{path.name}.probe")
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise ArtifactError(f"{path} cannot be written ({error.strerror}); choose another place with --out") from None


def _print_estimate(settings: BucketConfig, path: Path, threads: int) -> None:
    cost = estimate(settings, threads)
    counts = " / ".join(str(count) for count in settings.buckets_per_street)
    typer.echo(
        f"{path}: {counts} buckets; about {cost.memory_bytes / 1e9:.1f} GB of memory, "
        f"{cost.disk_bytes / 1e6:,.0f} MB on disk and {cost.seconds:,.0f} s on {counted(threads, 'thread')}"
    )


def _print_result(bucketing: HandBucketing, path: Path, seconds: float) -> None:
    for street in ("flop", "turn", "river"):
        report = bucketing.report[street]
        line = f"{street:>5}: {100 * report['variance_explained']:.2f} % of equity variance kept"
        if "distance_explained" in report:
            line += (
                f", {100 * report['distance_explained']:.2f} % of next-street distance"
                f" (plain equity buckets: {100 * report['distance_explained_by_equity_buckets']:.2f} %)"
            )
        typer.echo(line)
    typer.echo(f"{path} built in {seconds:.0f} s, content hash {bucketing.content_hash}")
    typer.echo(f"look into it with: {shell_command('holdem', 'buckets', 'show', path)}")


if __name__ == "__main__":
    run_command(command)
