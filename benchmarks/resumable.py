"""Measure many spots in one process or several, and keep every result as soon as it is there.

A file holds the settings of a measurement and the results by the name of their spot. Started again with the same
settings, a measurement goes on with the spots that are missing; Ctrl+C ends it with what there is.
"""

import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeVar

from holdem.errors import ArtifactError, ConfigError, HoldemError, RunFailed
from holdem.util.artifacts import file_digest, write_json
from holdem.util.files.fields import plain_json
from holdem.util.files.regular import read_json
from holdem.util.parallel import workers_for
from holdem.util.processes import CONTEXT
from holdem.util.progress import ProgressBar

Settings = TypeVar("Settings")
Result = dict[str, Any]


def measure(
    work: Callable[[Settings, str], Result],
    settings: Settings,
    spots: Sequence[str],
    out: Path | None = None,
    workers: int = 1,
) -> dict[str, Result]:
    """Results by spot, as far as they were measured. `work`: of a module; `settings`: a frozen dataclass."""
    workers = workers_for(workers)
    kept = {} if out is None else _read(out, settings)
    missing = [spot for spot in spots if spot not in kept]
    try:
        with ProgressBar("spots", len(missing)) as bar:
            for spot, result in _results(work, settings, missing, workers):
                kept[spot] = result
                if out is not None:
                    write_json(out, {"settings": _plain(settings), "spots": kept})
                bar(1)
    except KeyboardInterrupt:
        print(f"stopped with {sum(spot in kept for spot in spots)} of {len(spots)} spots", file=sys.stderr)
    return {spot: kept[spot] for spot in spots if spot in kept}


def policy_digest(path: str) -> str:
    """What tells the policy of a run from others, so that no measurement goes on with another one."""
    folder = Path(path)
    manifest = folder / "avg_policy.json" if folder.is_dir() else folder
    if not manifest.is_file():
        raise ConfigError(f"{path} holds no policy; train one with: holdem train, or name another --policy")
    return file_digest(manifest)


def tell_errors(main: Callable[[list[str]], None], arguments: list[str]) -> None:
    """Call a main function; what a user can mend is one sentence and status 2."""
    try:
        main(arguments)
    except HoldemError as error:
        print(error, file=sys.stderr)
        sys.exit(error.exit_status)


def _results(
    work: Callable[[Settings, str], Result], settings: Settings, spots: Sequence[str], workers: int
) -> Iterator[tuple[str, Result]]:
    if workers == 1 or len(spots) < 2:
        for spot in spots:
            yield spot, work(settings, spot)
        return
    pool = ProcessPoolExecutor(min(workers, len(spots)), mp_context=CONTEXT, initializer=_leave_interrupts_to_parent)
    try:
        running: dict[Future[Result], str] = {pool.submit(work, settings, spot): spot for spot in spots}
        for future in as_completed(running):
            yield running[future], future.result()
    except BrokenProcessPool:
        raise RunFailed("a process of the measurement died; what was measured is kept, start it again") from None
    finally:
        processes = list((pool._processes or {}).values())  # None of them is waited for after Ctrl+C.
        pool.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            process.kill()


def _leave_interrupts_to_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _plain(settings: Any) -> Any:
    return plain_json(asdict(settings))


def _read(path: Path, settings: Any) -> dict[str, Result]:
    """Results of an earlier measurement with these settings."""
    if not path.exists():
        return {}
    try:
        content = read_json(path)
    except (OSError, ValueError) as error:
        raise ArtifactError(f"{path} cannot be read ({error}); remove it or name another --out") from None
    if not isinstance(content, dict) or not isinstance(content.get("spots"), dict):
        raise ArtifactError(f"{path} holds no measurement; name another --out")
    if content.get("settings") != _plain(settings):
        raise ConfigError(f"{path} was measured with other settings, {content.get('settings')}; name another --out")
    return dict(content["spots"])
