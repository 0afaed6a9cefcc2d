"""How a run got better: its snapshots in order, with what can be measured of each.

Exploitability is exact in toy games and jam or fold. In heads-up hold'em local best response gives a lower bound, where
it was asked for. Elsewhere the norm of the average regret from TensorBoard shows that training goes on; it is not a
measure of strength, and the report says so.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from holdem.blueprint.agent import BlueprintAgent
from holdem.evaluation.compare import exact_evaluator
from holdem.evaluation.report.charts import Point
from holdem.evaluation.response.local.actions import parse_menus
from holdem.evaluation.response.local.match import play_matches, summarise
from holdem.mccfr.run.checkpoint import read_clock
from holdem.mccfr.run.curves import run_curves
from holdem.mccfr.run.directory import SUMMARY_NAME, checkpoint_name, snapshot_folders
from holdem.policy.policy import AveragePolicy
from holdem.policy.run_names import MANIFEST_NAME
from holdem.util.files.records import read_small_json

LBR_ACTIONS, LBR_STREETS = "fcpa", "turn,river"

Progress = Callable[[int], None]


@dataclass(frozen=True)
class Snapshot:
    """A policy of a run on the way, or at the end of it; `seconds` of training where they are known."""

    path: Path
    iterations: int
    seconds: float | None


def snapshots_of(run: Path) -> list[Snapshot]:
    """The snapshots of a run and its final policy, oldest first."""
    found = []
    for folder in snapshot_folders(run):
        if (folder / MANIFEST_NAME).exists():
            iterations = int(folder.name)
            seconds = read_clock(run / checkpoint_name(iterations)).seconds
            found.append(Snapshot(folder, iterations, seconds or None))
    final = AveragePolicy.load(run).info.iterations
    if all(snapshot.iterations != final for snapshot in found):
        found.append(Snapshot(run, final, read_summary(run).get("seconds")))
    return sorted(found, key=lambda snapshot: snapshot.iterations)


def read_summary(run: Path) -> dict[str, Any]:
    """What the run wrote about itself at its end; empty where it has not ended."""
    try:
        content = read_small_json(run / SUMMARY_NAME)
    except (OSError, ValueError):
        return {}
    return content if isinstance(content, dict) else {}


def exact_exploitability(snapshots: list[Snapshot]) -> tuple[list[float], str] | None:
    """Exploitability of each snapshot and its unit; None where nobody can compute it."""
    policies = [AveragePolicy.load(snapshot.path) for snapshot in snapshots]
    evaluator = exact_evaluator(policies[-1])
    if evaluator is None:
        return None
    config = policies[-1].config
    in_blinds = config.has_whole_deck and config.big_blind > 0
    factor, unit = (1000.0 / config.big_blind, "mbb/hand") if in_blinds else (1.0, "chips/hand")
    return [factor * evaluator.exploitability(policy.strategy()) for policy in policies], unit


def measure_snapshots(
    snapshots: list[Snapshot], hands: int, seed: int = 0, num_workers: int = 1, progress: Progress | None = None
) -> list[dict[str, Any]]:
    """Local best response against each snapshot: what `results["lbr_snapshots"]` holds."""
    menus = parse_menus(LBR_ACTIONS, LBR_STREETS)
    measured = []
    for snapshot in snapshots:
        config = AveragePolicy.load(snapshot.path).config
        opener = partial(BlueprintAgent.open, snapshot.path)
        chips = play_matches(
            opener, config, menus, (hands + 1) // 2, seed=seed, num_workers=num_workers, progress=progress
        )
        result = summarise(chips, str(snapshot.path), config, menus, seed)
        measured.append(
            {"iterations": snapshot.iterations, "seconds": snapshot.seconds, "hands": result.hands, "seed": seed}
            | result.won.to_plain()
        )
    return measured


def training_axis(times: Sequence[tuple[int, float | None]]) -> tuple[list[float], str]:
    """Places on a horizontal axis from (iterations, seconds), and its name: time if it is known of all of them."""
    seconds = [spent for _, spent in times if spent]
    if len(seconds) < len(times):
        return [float(iterations) for iterations, _ in times], "iterations"
    size, unit = next(
        (size, unit)
        for size, unit in ((86400.0, "days"), (3600.0, "hours"), (60.0, "minutes"), (1.0, "seconds"))
        if max(seconds) >= 2.0 * size or size == 1.0
    )
    return [spent / size for spent in seconds], f"{unit} of training"


def scalar_curve(run: Path, name: str) -> list[Point]:
    """A TensorBoard scalar of a run against its iterations; empty where there is none."""
    return [Point(iteration, value) for iteration, value in run_curves(run).get(name, [])]
