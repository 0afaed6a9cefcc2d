"""`python -m holdem.cli.train_blueprint`: train a blueprint by Monte Carlo counterfactual regret minimisation."""

import re
from pathlib import Path
from typing import Annotated, Any

import typer

from holdem.abstraction.bucketing import HandBucketing
from holdem.abstraction.buckets.builder import build_files
from holdem.abstraction.buckets.presets import DEFAULT_PRESET, bucket_preset, default_path, preset_of
from holdem.cli.app import run_command
from holdem.cli.chosen_run import refuse_model
from holdem.cli.flags import given_settings, takes
from holdem.cli.go_on import resume_command, with_more
from holdem.cli.train_instances import InstanceFlags
from holdem.errors import ConfigError
from holdem.game import load_game, load_preset
from holdem.game.presets import PRESET_BY_PLAYERS
from holdem.mccfr.run.estimate import parse_bytes
from holdem.mccfr.run.spec import Summary
from holdem.mccfr.run.start import RunOptions, check_budget, estimate_lines, resumed_game, train
from holdem.mccfr.training_game import needs_buckets
from holdem.policy.run_names import named_run
from holdem.types import GameConfig, MCCFRConfig
from holdem.util.configs import check_config, read_yaml
from holdem.util.extras import is_installed
from holdem.util.logs import LOGGER, start_logging
from holdem.util.progress import ProgressBar
from holdem.util.shipped import CONFIGS
from holdem.util.words import counted, duration, shell_command

RUNS = Path("runs")
DEFAULT_GAME, DEFAULT_RUN = PRESET_BY_PLAYERS[2], "blueprint"


@takes(given=given_settings(MCCFRConfig), instances=InstanceFlags)
def command(
    config: Annotated[
        Path | None, typer.Option(help="YAML file with any of these settings; flags win over it.")
    ] = None,
    buckets: Annotated[
        Path | None, typer.Option(help="Card abstraction: a file, or a preset, built first if missing (default small).")
    ] = None,
    logdir: Annotated[
        Path | None,
        typer.Option(help="Folder for everything that the run writes; runs/blueprint, or runs/GAME for other games."),
    ] = None,
    game: Annotated[str | None, typer.Option(help="Another preset: kuhn, leduc, jam_or_fold_10bb, …")] = None,
    game_config: Annotated[Path | None, typer.Option(help="Your own game, as in configs/games/.")] = None,
    *,
    given: dict[str, Any],
    instances: InstanceFlags,
    resume_from: Annotated[
        Path | None, typer.Option(help="A checkpoint, a run directory or a multi-instance directory to go on from.")
    ] = None,
    tensorboard: Annotated[bool, typer.Option("--tensorboard/--no-tensorboard", help="Write TensorBoard logs.")] = True,
    keep: Annotated[int, typer.Option(min=1, help="Numbered checkpoints to keep.")] = 3,
    memory_limit: Annotated[str | None, typer.Option(help="Refuse a run that needs more, such as 4GB.")] = None,
    log_level: Annotated[str, typer.Option(help="debug, info, warning or error.")] = "info",
    estimate: Annotated[
        bool, typer.Option("--estimate", help="Say what a run of this game takes (memory, hours), and stop.")
    ] = False,
) -> None:
    """Train a blueprint, resumable and observable.

    Ctrl+C finishes the batch, writes a checkpoint and stops; a second one stops at once.

    Examples:

        holdem train --time-budget 60 --logdir runs/blueprint

        holdem train --config configs/blueprint_training_5h.yaml --logdir runs/5h

        holdem train --game leduc --iters 1000000 --logdir runs/leduc

        holdem train --resume-from runs/blueprint --time-budget 600 --logdir runs/longer

        holdem train --iters 1000000 --num-instances 4 --logdir runs/multi_instance

        holdem train --game sixmax_100bb_large --num-workers 32 --estimate
    """
    start_logging(log_level)
    if resume_from is not None:
        refuse_model(resume_from, "no checkpoint to go on from")
        resume_from = named_run(resume_from)
    settings = merge_settings(config, given)
    if estimate:
        rules = choose_game(settings, game, game_config, "num_players" in given, resume_from)
        limit = parse_bytes(memory_limit) if memory_limit else None
        typer.echo("\n".join(estimate_lines(settings, rules, open_buckets(buckets, rules), limit)))
        raise typer.Exit(0)
    if instances.used:
        instances.check(settings, given)
    else:
        check_budget(settings)
    limit = parse_bytes(memory_limit) if memory_limit else None
    rules = choose_game(settings, game, game_config, "num_players" in given, resume_from)
    options = RunOptions(logdir or default_logdir(rules), resume_from, tensorboard, keep, limit)
    bucketing = open_buckets(buckets, rules)
    if instances.used:
        raise typer.Exit(instances.train(settings, given, rules, bucketing, options))
    summary, status = train(settings, rules, bucketing, options)
    print_summary(summary, settings, bucketing, options)
    raise typer.Exit(status)


def merge_settings(path: Path | None, flags: dict[str, Any]) -> MCCFRConfig:
    """The YAML file's settings, overridden by the flags; a budget flag also drops the file's other budget."""
    values = read_yaml(CONFIGS.find(path)) if path is not None else {}
    if "num_iterations" in flags and "time_budget_seconds" not in flags:
        values.pop("time_budget_seconds", None)
    if "time_budget_seconds" in flags and "num_iterations" not in flags:
        values.pop("num_iterations", None)
    check_config(MCCFRConfig, values, str(path) if path is not None else "")
    return check_config(MCCFRConfig, {**values, **flags})


def choose_game(
    settings: MCCFRConfig, name: str | None, path: Path | None, players_given: bool, resume_from: Path | None = None
) -> GameConfig:
    """The user's own game or another preset; else that of the checkpoint to go on from; else the preset for the number
    of players.
    """
    if name is not None and path is not None:
        raise ConfigError("--game and --game-config cannot be used together; give one of them")
    if name is None and path is None:
        if resume_from is None:
            return load_preset(PRESET_BY_PLAYERS[settings.num_players])
        return _game_to_go_on_with(settings, resume_from)
    rules = load_game(str(path)) if path is not None else load_preset(str(name))
    if players_given and settings.num_players != rules.num_players:
        raise ConfigError(
            f"{rules.name} is for {rules.num_players} players; leave --num-players {settings.num_players} out"
        )
    return rules


def _game_to_go_on_with(settings: MCCFRConfig, resume_from: Path) -> GameConfig:
    rules = resumed_game(resume_from)
    if "num_players" in settings.model_fields_set and settings.num_players != rules.num_players:
        raise ConfigError(
            f"{resume_from} is a run of {rules.name} for {rules.num_players} players and num_players is "
            f"{settings.num_players}; leave it out to go on"
        )
    return rules


def default_logdir(rules: GameConfig) -> Path:
    """Where a run without --logdir writes: `runs/blueprint` belongs to the default game alone."""
    if rules == load_preset(DEFAULT_GAME):
        return RUNS / DEFAULT_RUN
    return RUNS / (re.sub(r"[^\w.-]+", "_", rules.name).strip(".") or "custom")


def open_buckets(path: Path | None, rules: GameConfig) -> HandBucketing | None:
    """The card abstraction that a game needs; one that has a name is built where it is missing."""
    if not needs_buckets(rules):
        if path is not None:
            HandBucketing.load(path, tables=False)
            LOGGER.info(f"{rules.name} is trained without card buckets; --buckets {path} is not used")
        return None
    preset = DEFAULT_PRESET if path is None else preset_of(path)
    if preset is None:
        return HandBucketing.load_found(path or default_path(DEFAULT_PRESET))
    file = default_path(preset)
    if not file.exists():
        LOGGER.info(f"{file} is missing and is built first (about a minute)")
        build_files(bucket_preset(preset), file, bar=ProgressBar)
    return HandBucketing.load(file)


def print_summary(
    summary: Summary, settings: MCCFRConfig, bucketing: HandBucketing | None, options: RunOptions
) -> None:
    """What a person wants to know when a run ends."""
    logdir = options.logdir
    further = (
        with_more(settings, summary.iterations, summary.seconds) if summary.exit_reason == "completed" else settings
    )
    buckets = None if bucketing is None else bucketing.path
    lines = [
        f"{summary.exit_reason}: {counted(summary.iterations, 'iteration')} in {duration(summary.seconds)} of training",
        f"speed: {summary.iterations_per_second:,.0f} iterations/s, {summary.nodes_per_second / 1e6:.2f} M nodes/s, "
        f"{summary.infosets_touched:,} infosets seen, {summary.peak_memory_bytes / 1e9:.2f} GB at most",
        f"files: {logdir} (avg_policy.json, checkpoints, summary.json, tensorboard/)",
        f"look at it: {shell_command('holdem', 'show', logdir)}",
        *_what_next(logdir),
        f"curves: {_curves_command(logdir)}",
        f"go on: {resume_command(logdir, further, buckets, options)}",
    ]
    typer.echo("\n".join(lines))


def _curves_command(logdir: Path) -> str:
    """TensorBoard where its viewer is installed; our own page reads the same files."""
    if is_installed("tensorboard"):
        return shell_command("tensorboard", "--logdir", logdir / "tensorboard")
    return shell_command("holdem", "serve", "--runs", logdir.parent)


def _what_next(logdir: Path) -> list[str]:
    """Toy games have no buckets, and are not played at a table."""
    if not (logdir / "buckets.pkl").exists():
        return [f"measure it: {shell_command('holdem', 'best-response', logdir)}"]
    return [
        f"measure it: {shell_command('holdem', 'eval', '--policy', logdir)}",
        f"play it: {shell_command('holdem', 'play', '--policy', logdir)}",
    ]


if __name__ == "__main__":
    run_command(command)
