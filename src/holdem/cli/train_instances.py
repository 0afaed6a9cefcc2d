"""The part of `train_blueprint` that trains by instances: `--num-instances`, `--instance-range`, `--cluster`."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import typer

from holdem.abstraction.bucketing import HandBucketing
from holdem.cli.go_on import resume_command
from holdem.errors import ArtifactError, ConfigError
from holdem.mccfr.instances.coordinator import MultiOptions, train_instances
from holdem.mccfr.instances.instance import InstanceSpec, file_companion, parse_instance, train_instance
from holdem.mccfr.instances.plan import check_flags, check_range
from holdem.mccfr.run.start import RunOptions, resumed_game
from holdem.types import GameConfig, MCCFRConfig
from holdem.util.words import shell_command


@dataclass(frozen=True)
class InstanceFlags:
    """What the command line says about instances: each field is a flag."""

    num_instances: Annotated[int | None, typer.Option(help="Independent solvers, one process each.")] = None
    merge_interval: Annotated[
        float | None, typer.Option(help="Seconds between two merges of the instances; left out: never.")
    ] = None
    cluster: Annotated[str | None, typer.Option(help="Run the instances on a Ray cluster: its address, or auto.")] = (
        None
    )
    instance_id: Annotated[int | None, typer.Option(help="Start this one instance by hand.")] = None
    instance_range: Annotated[str | None, typer.Option(help="Its iterations, START:END.")] = None

    @property
    def used(self) -> bool:
        """Whether any of them was given."""
        return any(value is not None for value in self.__dict__.values())

    @property
    def by_hand(self) -> bool:
        """Whether one instance is started by hand."""
        return self.instance_id is not None or self.instance_range is not None

    def check(self, settings: MCCFRConfig, given: dict[str, Any]) -> None:
        """Refuse what contradicts itself, before anything is opened or written."""
        if self.by_hand and (self.num_instances is not None or self.cluster is not None):
            raise ConfigError(
                "--instance-id and --instance-range start one instance by hand; leave --num-instances and --cluster out"
            )
        if self.merge_interval is not None:
            if self.by_hand or (self.num_instances is None and self.cluster is None):
                raise ConfigError("--merge-interval merges instances that one command started; add --num-instances N")
            if not 0.0 < self.merge_interval < float("inf"):
                raise ConfigError(f"--merge-interval is {self.merge_interval}; give seconds, such as 300")
        if self.by_hand:
            if self.instance_range is not None and "num_iterations" in given:
                raise ConfigError("--instance-range names the iterations already; leave --iters out")
            self._spec_by_hand(settings, given)
        elif self.num_instances is not None or self.cluster is None:
            check_flags(settings, "num_workers" in given, 1 if self.num_instances is None else self.num_instances)

    def _spec_by_hand(self, settings: MCCFRConfig, given: dict[str, Any]) -> tuple[InstanceSpec, MCCFRConfig]:
        spec = parse_instance(self.instance_id, self.instance_range)
        if settings.num_workers != 1 and "num_workers" in given:
            raise ConfigError("--instance-id cannot be used with --num-workers: each instance uses one worker")
        if self.instance_range is None:
            if settings.time_budget_seconds is None:
                raise ConfigError("--instance-id needs --instance-range START:END or --time-budget SECONDS")
        elif "time_budget_seconds" not in given:  # a range wins over a time budget of the file, as --iters does
            settings = settings.model_copy(update={"time_budget_seconds": None})
        return spec, spec.settings(settings)

    def train(
        self,
        settings: MCCFRConfig,
        given: dict[str, Any],
        rules: GameConfig,
        bucketing: HandBucketing | None,
        options: RunOptions,
    ) -> int:
        """Train and return the exit status."""
        if self.by_hand:
            return _train_one(*self._spec_by_hand(settings, given), rules, bucketing, options)
        if self.cluster is None:
            assert self.num_instances is not None
            multi = MultiOptions(self.num_instances, self.merge_interval)
        else:
            from holdem.mccfr.instances.ray_launcher import RayLauncher

            launcher = RayLauncher(self.cluster)
            instances = launcher.node_count if self.num_instances is None else self.num_instances
            check_flags(settings, "num_workers" in given, instances)
            multi = MultiOptions(instances, self.merge_interval, launcher=launcher, local=False)
        status = train_instances(settings, rules, bucketing, options, multi)
        command = None if status == 0 else self._resume_command(settings, bucketing, options, multi.instances)
        print_next_steps(options.logdir, command)
        return status

    def _resume_command(
        self, settings: MCCFRConfig, bucketing: HandBucketing | None, options: RunOptions, instances: int
    ) -> str | None:
        """The command that goes on; None while no instance has a checkpoint to go on from."""
        try:
            resumed_game(options.logdir)
        except ArtifactError:
            return None
        flags: list[object] = ["--num-instances", instances]
        flags += [] if self.merge_interval is None else ["--merge-interval", self.merge_interval]
        flags += [] if self.cluster is None else ["--cluster", self.cluster]
        alone = settings.model_copy(update={"num_workers": 1})
        buckets = None if bucketing is None else bucketing.path
        return resume_command(options.logdir, alone, buckets, options, *flags)


def _train_one(
    spec: InstanceSpec,
    config: MCCFRConfig,
    rules: GameConfig,
    bucketing: HandBucketing | None,
    options: RunOptions,
) -> int:
    source = options.resume_from
    if source is not None and (source / spec.name).is_dir():
        check_range(source, spec, None)
        options = replace(options, resume_from=source / spec.name)
    companion = file_companion(spec, config, options.logdir)
    return train_instance(config, rules, bucketing, companion, options)


def print_next_steps(logdir: Path, go_on: str | None) -> None:
    """What a person does with a run of instances."""
    lines = [] if go_on is None else [f"go on: {go_on}"]
    lines += [
        f"files: {logdir} (instance_0/ …, progress/)",
        f"one blueprint of all: {shell_command('holdem', 'merge', logdir, '--out', f'{logdir}_merged')}",
        f"which is best: {shell_command('holdem', 'compare', logdir)}",
        f"curves: {shell_command('tensorboard', '--logdir', logdir)}",
    ]
    typer.echo("\n".join(lines))
