"""A blueprint of another betting tree and other buckets, trained for minutes by the ordinary trainer.

None of its sizes but all-in is one of our preset's; its flop and turn are grouped by plain equity, its river by chances
against groups of opponents' hands, each into another number of buckets. It plays at our tables by translation.
"""

import json
from pathlib import Path

from holdem.abstraction.bucketing import HandBucketing, shaping_config
from holdem.abstraction.buckets.builder import build_files
from holdem.blueprint.agent import BlueprintAgent
from holdem.errors import ArtifactError, ArtifactMissing
from holdem.game.presets import load_preset
from holdem.mccfr.run.start import RunOptions, train
from holdem.policy.policy import AveragePolicy
from holdem.types import (
    BettingConfig,
    BucketConfig,
    BucketCounts,
    BucketFeatures,
    GameConfig,
    MCCFRConfig,
    StreetMenus,
)
from holdem.util.logs import start_logging
from holdem.util.progress import ProgressBar

NAME = "other-blueprint"
RUN = Path("runs/stranger")
BUCKETS = Path("runs/stranger_buckets/buckets.pkl")
SECONDS = 240.0
MAKE = "python -m benchmarks.bench_strangers make"

CARDS = BucketConfig(
    name="stranger",
    buckets=BucketCounts(flop=80, turn=64, river=60),
    features=BucketFeatures(flop="equity", turn="equity", river="ochs"),
    seed=1,
)
BETTING = BettingConfig(
    sizes=StreetMenus(
        preflop=("220c, 350c", "3.3x, a", "2.4x, a"),
        flop=("40%, 120%", "70%, a"),
        turn=("60%, 150%, a", "70%, a"),
        river=("55%, 130%, a", "70%, a"),
    )
)


def game() -> GameConfig:
    """The rules of the preset with another tree."""
    return load_preset("headsup_100bb").model_copy(update={"name": "stranger_100bb", "betting": BETTING})


def make(run: Path = RUN, buckets: Path = BUCKETS, seconds: float = SECONDS, threads: int = 1) -> tuple[str, int]:
    """Build the buckets and train, unless it is done; returns a sentence about it and an exit status."""
    if is_made(run) and _is_complete(run) and buckets.exists():
        return f"{run} is already trained; to train it again, move it away first", 0
    start_logging("info")
    bucketing = _buckets(buckets, threads)
    settings = MCCFRConfig(time_budget_seconds=seconds, seed=1)
    summary, status = train(settings, game(), bucketing, RunOptions(run, _unfinished(run), tensorboard=False, keep=1))
    return f"{run}: {summary.iterations:,} iterations in {summary.seconds:.0f} s, {summary.exit_reason}", status


def is_made(run: Path = RUN) -> bool:
    """Whether the policy of this very game is there."""
    try:
        return AveragePolicy.load(run).config == game()
    except ArtifactError:
        return False


def open_other_blueprint(run: Path = RUN, buckets: Path = BUCKETS) -> BlueprintAgent:
    """The agent, with a sentence about how it is made if it is not there.

    Its bucket tables are named, because they may have moved since training; without them a lookup takes half a second.
    """
    if not is_made(run):
        raise ArtifactMissing(f"{run} has no policy of {game().name}; make it with: {MAKE}")
    return BlueprintAgent.open(run, name=NAME, bucketing=HandBucketing.load(buckets) if buckets.exists() else None)


def _buckets(path: Path, threads: int) -> HandBucketing:
    """What is there if it fits; an interrupted build goes on after its last finished street."""
    try:
        found = HandBucketing.load(path)
        if shaping_config(found.config) == shaping_config(CARDS):
            return found
    except ArtifactError:
        pass
    path.parent.mkdir(parents=True, exist_ok=True)
    return build_files(CARDS, path, threads, ProgressBar)


def _is_complete(run: Path) -> bool:
    """Whether training came to its end; after a Ctrl+C it goes on."""
    summary = run / "summary.json"
    return summary.exists() and json.loads(summary.read_text(encoding="utf-8")).get("exit_reason") == "completed"


def _unfinished(run: Path) -> Path | None:
    """The run itself if it has a checkpoint to go on from."""
    return run if any(run.glob("checkpoint_*.pkl")) else None
