"""The commands that a run prints at its end: they work as they stand when they are pasted, wherever the paths lie.

A checkpoint brings the game and the seed. Everything else that was set by a flag or in a YAML file is said again by
flags, because the file may have changed since.
"""

from pathlib import Path

from holdem.abstraction.buckets.presets import DEFAULT_PRESET, default_path
from holdem.cli.flags import negated, spellings
from holdem.mccfr.run.start import RunOptions
from holdem.types import MCCFRConfig
from holdem.util.words import shell_command

_OF_THE_CHECKPOINT = {"num_players"}


def settings_flags(settings: MCCFRConfig) -> list[str]:
    """The flags of every setting that is not as it would be without them."""
    flags: list[str] = []
    for key, field in MCCFRConfig.model_fields.items():
        value = getattr(settings, key)
        if key in _OF_THE_CHECKPOINT or value == field.default:
            continue
        flag = spellings(MCCFRConfig, key)[0]
        if isinstance(value, bool):
            flags.append(flag if value else negated(flag))
        else:
            flags += [flag, str(value)]
    return flags


def option_flags(options: RunOptions) -> list[str]:
    """The flags of how a run writes, where they differ from the defaults."""
    flags = [] if options.tensorboard else ["--no-tensorboard"]
    if options.keep != RunOptions.keep:
        flags += ["--keep", str(options.keep)]
    if options.memory_limit is not None:
        flags += ["--memory-limit", f"{options.memory_limit}B"]
    return flags


def bucket_flags(path: Path | None) -> list[str]:
    """The flag of a card abstraction other than the default one."""
    if path is None or path.resolve() == default_path(DEFAULT_PRESET).resolve():
        return []
    return ["--buckets", str(path)]


def with_more(settings: MCCFRConfig, done: int = 0, trained: float = 0.0) -> MCCFRConfig:
    """The same settings and twice the budget: as much again for a run that has used it up.

    A run that was resumed may have done and trained more than the budget already.
    """
    iterations, seconds = settings.num_iterations, settings.time_budget_seconds
    return settings.model_copy(
        update={
            "num_iterations": None if iterations is None else 2 * max(iterations, done),
            "time_budget_seconds": None if seconds is None else 2 * max(seconds, trained),
        }
    )


def resume_command(
    source: Path, settings: MCCFRConfig, buckets: Path | None, options: RunOptions, *instances: object
) -> str:
    """`holdem train` that goes on from `source`; `instances`: flags of a run of instances."""
    folders = ("--resume-from", source, "--logdir", options.logdir)
    flags = [*settings_flags(settings), *bucket_flags(buckets), *option_flags(options)]
    return shell_command("holdem", "train", *folders, *instances, *flags)
