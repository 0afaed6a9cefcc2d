"""What the training page shows: how far runs are, and the curves that they wrote on the way.

Everything is read from the files of the runs, the same that `holdem monitor` and TensorBoard read; what a run has not
written is not there.
"""

import threading
from functools import lru_cache
from math import isfinite
from pathlib import Path
from typing import Any

from holdem.errors import ArtifactError, HoldemError
from holdem.evaluation.report_training import exact_exploitability, read_summary, snapshots_of
from holdem.mccfr.instance_progress import read_all_progress
from holdem.mccfr.run_directory import TENSORBOARD_NAME
from holdem.mccfr.run_state import plain_states, read_states
from holdem.web.run_folder import POLICY_NAME, RunFolder, snapshot_folders

Plain = dict[str, Any]
MOST_POINTS = 400
"""Of a curve; longer ones are thinned out evenly, and the last point stays."""

_READING = threading.Lock()


def all_runs(folder: RunFolder) -> list[Plain]:
    """Every run, the one that moved last first; what cannot be read is left out."""
    found = []
    for name, path in folder.runs().items():
        try:
            states = read_states(path)
        except ArtifactError:
            continue
        moved = max(state.last_update for state in states)
        summary = read_summary(path)
        found.append({**plain_states(path, states), "name": name, "last_update": moved, "summary": summary})
    return sorted(found, key=lambda run: -run["last_update"])


def curves_of(folder: RunFolder, name: str) -> Plain:
    """The scalars of a run, or of each of its instances: {instance: {scalar: [[iteration, value], ...]}}."""
    run = folder.run(name)
    parts = [f"instance_{progress.instance_id}" for progress in read_all_progress(run)]
    with _READING:
        return {part: _scalars(run / part) for part in parts or [""]}


def exploitability_of(folder: RunFolder, name: str) -> Plain:
    """Exact exploitability of a run's snapshots where somebody can compute it, the reason where nobody can."""
    run = folder.run(name)
    manifest = run / POLICY_NAME
    if not manifest.exists():
        return {"why_not": "there is no policy in its folder yet"}
    return _exploitability(run, manifest.stat().st_mtime_ns, len(snapshot_folders(run)))


@lru_cache(maxsize=16)
def _exploitability(run: Path, changed: int, snapshots_there: int) -> Plain:
    """Computed once for each state of the run's folder."""
    try:
        snapshots = snapshots_of(run)
        found = exact_exploitability(snapshots)
    except HoldemError as error:
        return {"why_not": str(error)}
    if found is None:
        return {"why_not": f"this game is too large for an exact figure; measure a lower bound: holdem lbr {run}"}
    values, unit = found
    points = [[snapshot.iterations, value] for snapshot, value in zip(snapshots, values, strict=True)]
    return {"unit": unit, "points": points}


def _scalars(run: Path) -> dict[str, list[list[float]]]:
    folder = run / TENSORBOARD_NAME
    names = sorted(path.name for path in folder.glob("events.out.tfevents*"))
    if not names:
        return {}
    accumulator = _accumulator(folder, names[0])
    accumulator.Reload()
    return {name: _thinned(accumulator.Scalars(name)) for name in accumulator.Tags()["scalars"]}


@lru_cache(maxsize=32)
def _accumulator(folder: Path, first_file: str) -> Any:
    """It remembers how far it has read, so that a look at a growing file is cheap; another run has another file."""
    # Imported here: it takes a second that only the training page should pay.
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    return EventAccumulator(str(folder))


def _thinned(events: list[Any]) -> list[list[float]]:
    points = [[event.step, event.value] for event in events if isfinite(event.value)]
    step = max(1, -(-len(points) // MOST_POINTS))
    return points[::-1][::step][::-1]
