"""What the training page shows: how far runs are, and the curves that they wrote on the way.

Everything is read from the files of the runs, the same that `holdem monitor` and TensorBoard read; what a run has not
written is not there.
"""

import threading
from contextlib import suppress
from functools import lru_cache
from math import isfinite
from pathlib import Path
from typing import Any

from holdem.errors import ArtifactError, HoldemError
from holdem.evaluation.report_training import exact_exploitability, read_summary, snapshots_of
from holdem.mccfr.instance_progress import read_all_progress
from holdem.mccfr.policy_files import MANIFEST_NAME
from holdem.mccfr.run_directory import TENSORBOARD_NAME, snapshot_folders
from holdem.mccfr.run_state import RunState, plain_states, read_states
from holdem.web.run_folder import RunFolder, readable

Plain = dict[str, Any]
MOST_POINTS = 400
"""Of a curve; longer ones are thinned out evenly, and the last point stays."""

SUMMARY_FIGURES = ("seconds", "iterations_per_second", "nodes_per_second")
UNREADABLE = (HoldemError, OSError, TypeError, ValueError, ArithmeticError, RecursionError)
"""What reading files that are half written, altered or somebody else's may end in."""

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
    if not all(map(_is_whole, states)):
        raise ArtifactError(f"{path} says what no run would say")
    summary = {key: value for key, value in read_summary(path).items() if key in SUMMARY_FIGURES and _is_figure(value)}
    moved = max(state.last_update for state in states)
    plain = plain_states(path, states)
    return {**plain, "run": readable(str(path)), "name": name, "last_update": moved, "summary": summary}


def _is_whole(state: RunState) -> bool:
    """Whether everything in a state is of its kind, which the file alone does not promise."""
    figures = [state.iteration, state.seconds, state.share_done, state.iterations_per_second, state.nodes_per_second]
    figures += [state.workers, state.last_update, 0 if state.iterations is None else state.iterations]
    words = (state.name, state.status, state.error or "")
    return all(map(_is_figure, figures)) and all(isinstance(word, str) for word in words)


def _is_figure(value: object) -> bool:
    return isinstance(value, int | float) and isfinite(value)


def curves_of(folder: RunFolder, name: str) -> Plain:
    """The scalars of a run, or of each of its instances: {instance: {scalar: [[iteration, value], ...]}}."""
    run = folder.run(name)
    try:
        parts = [f"instance_{int(progress.instance_id)}" for progress in read_all_progress(run)]
        with _READING:
            return {part: _scalars(run / part) for part in parts or [""]}
    except UNREADABLE as error:
        raise ArtifactError(f"the curves of {name!r:.100} cannot be read ({error}); look at: holdem monitor") from None


def exploitability_of(folder: RunFolder, name: str) -> Plain:
    """Exact exploitability of a run's snapshots where somebody can compute it, the reason where nobody can."""
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
        snapshots = snapshots_of(run)
        found = exact_exploitability(snapshots)
    except UNREADABLE as error:
        return {"why_not": readable(str(error))}
    if found is None:
        bound = f"holdem lbr {readable(str(run))}"
        return {"why_not": f"this game is too large for an exact figure; measure a lower bound: {bound}"}
    values, unit = found
    points = [[snapshot.iterations, value] for snapshot, value in zip(snapshots, values, strict=True)]
    return {"unit": unit, "points": points}


def _scalars(run: Path) -> dict[str, list[list[float]]]:
    folder = run / TENSORBOARD_NAME
    names = sorted(path.name for path in folder.glob("events.out.tfevents*") if path.is_file())
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
