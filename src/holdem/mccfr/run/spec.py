"""What a run is before it begins, and how it ended: plain data that the loop, its saver and its display share."""

from dataclasses import dataclass, field
from pathlib import Path

from holdem.abstraction.bucketing import HandBucketing
from holdem.mccfr.run.checkpoint import Clock
from holdem.mccfr.run.directory import RunDirectory
from holdem.mccfr.run.engine import Companion
from holdem.mccfr.training_game import TrainingGame
from holdem.policy.fingerprint import Fingerprint, fingerprint
from holdem.types import MCCFRConfig


@dataclass(frozen=True)
class Budget:
    """When a run ends: at an iteration, after seconds of training, or at whichever comes first."""

    iterations: int | None
    seconds: float | None

    def is_used_up(self, iteration: int, seconds: float) -> bool:
        """Whether a run that has come this far has ended."""
        return (self.iterations is not None and iteration >= self.iterations) or (
            self.seconds is not None and seconds >= self.seconds
        )

    def share_done(self, iteration: int, seconds: float) -> float:
        """Progress between 0 and 1."""
        shares = [0.0]
        if self.iterations:
            shares.append(iteration / self.iterations)
        if self.seconds:
            shares.append(seconds / self.seconds)
        return min(max(shares), 1.0)


@dataclass(frozen=True)
class Summary:
    """How a run ended: the content of `summary.json`."""

    iterations: int
    seconds: float
    iterations_per_second: float
    nodes_per_second: float
    workers: int
    peak_memory_bytes: int
    infosets_touched: int
    untrained_rows: dict[str, int]
    """Rows of each street that the policy has nothing for: what is played there is said in `holdem.policy.policy`."""
    exit_reason: str


@dataclass
class Run:
    """One run: where it writes, what it trains, when it ends."""

    config: MCCFRConfig
    game: TrainingGame
    directory: RunDirectory
    budget: Budget
    bucketing: HandBucketing | None = None
    stream_start: int = 0
    keep: int = 3
    tensorboard: bool = True
    clock: Clock = field(default_factory=Clock)
    companion: Companion | None = None
    source: Path | None = None
    """The checkpoint that it goes on from."""

    @property
    def fingerprint(self) -> Fingerprint:
        """What shapes the table."""
        game, training = self.game, self.config.model_dump(mode="json")
        return fingerprint(game.config, game.buckets_per_street, game.bucketing_hash, training)
