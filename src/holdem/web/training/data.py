"""What the training page shows: how far runs are, and the curves that they wrote on the way.

Everything is read from the files of the runs, the same that `holdem monitor` and TensorBoard read; what a run has not
written is not there.
"""

import json
import threading
from contextlib import suppress
from functools import lru_cache
from math import isfinite
from pathlib import Path
from typing import Any

from holdem.errors import ArtifactError, HoldemError
from holdem.evaluation.report.training import exact_exploitability, read_summary, snapshots_of
from holdem.mccfr.instances.progress import read_all_progress
from holdem.mccfr.run.curves import run_curves
from holdem.mccfr.run.directory import snapshot_folders
from holdem.mccfr.run.state import plain_states, read_states
from holdem.policy.policy import AveragePolicy
from holdem.policy.run_names import MANIFEST_NAME
from holdem.util.logs import LOGGER
from holdem.util.words import shell_command
from holdem.web.run_folder import RunFolder, readable

Plain = dict[str, Any]
MOST_POINTS = 400
"""Of a curve; longer ones are thinned out evenly, and the last point stays."""

SUMMARY_FIGURES = ("seconds", "iterations_per_second", "nodes_per_second")
UNREADABLE = (HoldemError, OSError, TypeError, ValueError, ArithmeticError, RecursionError)
"""Errors of reading files that are half written, altered or not ours."""

_READING = threading.Lock()


def all_runs(folder: RunFolder) -> list[Plain]:
    """Every run, the one that moved last first; what cannot be read is left out."""
    found = []
    for name, path in folder.runs().items():
        with suppress(*UNREADABLE):
            found.append(_look(name, path))
    return sorted(found, key=lambda run: -run["last_update"])


def _look(name: str, path: Path) -> Plain:
    states = read_states(path)
    summary = {key: value for key, value in read_summary(path).items() if key in SUMMARY_FIGURES and _is_figure(value)}
    moved = max(state.last_update for state in states)
    plain = plain_states(path, states)
    look = {**plain, "run": readable(str(path)), "name": name, "last_update": moved, "summary": summary}
    json.dumps(look, allow_nan=False)  # finite figures can still be so large that what follows from them is not
    return look


def _is_figure(value: object) -> bool:
    return isinstance(value, int | float) and isfinite(value)


def curves_of(folder: RunFolder, name: str) -> Plain:
    """The scalars of a run, or of each of its instances: {instance: {scalar: [[iteration, value], ...]}}."""
    run = folder.run(name)
    try:
        parts = [f"instance_{progress.instance_id}" for progress in read_all_progress(run)]
        with _READING:
            return {part: _scalars(run / part) for part in parts or [""]}
    except UNREADABLE as error:
        raise ArtifactError(f"the curves of {name!r:.100} cannot be read ({error}); look at: holdem monitor") from None


def exploitability_of(folder: RunFolder, name: str) -> Plain:
    """Exact exploitability of a run's snapshots, or the reason why it cannot be computed."""
    run = folder.run(name)
    manifest = run / MANIFEST_NAME
    try:
        changed = manifest.stat().st_mtime_ns
    except OSError:
        return {"why_not": "there is no policy in its folder yet"}
    return _exploitability(run, changed, len(snapshot_folders(run)))


@lru_cache(maxsize=16)
def _exploitability(run: Path, changed: int, snapshots_there: int) -> Plain:
    """Computed once for each state of the run's folder."""
    try:
        snapshots = [snapshot for snapshot in snapshots_of(run) if _opens(snapshot.path)]
        found = exact_exploitability(snapshots)
    except Exception as error:  # files of others can be wrong in any way, and then nothing is computed
        LOGGER.info("%s", run, exc_info=error)
        return {"why_not": readable(str(error))}
    if found is None:
        bound = shell_command("holdem", "lbr", readable(str(run)))
        return {"why_not": f"this game is too large for an exact figure; measure a lower bound: {bound}"}
    values, unit = found
    points = [
        [snapshot.iterations, value] for snapshot, value in zip(snapshots, values, strict=True) if isfinite(value)
    ]
    return {"unit": unit, "points": points}


def _opens(path: Path) -> bool:
    try:
        AveragePolicy.load(path)
    except UNREADABLE:
        return False
    return True


def _scalars(run: Path) -> dict[str, list[list[float]]]:
    return {readable(name): _thinned([list(point) for point in points]) for name, points in run_curves(run).items()}


def _thinned(points: list[list[float]]) -> list[list[float]]:
    finite = [point for point in points if isfinite(point[1])]
    step = max(1, -(-len(finite) // MOST_POINTS))
    return finite[::-1][::step][::-1]
