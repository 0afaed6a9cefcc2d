"""When a checkpoint (counted in iterations) or a snapshot (counted in seconds of training) is due."""


def next_multiple(position: int, interval: int) -> int:
    """The first multiple of `interval` after `position`: where a run that stands there stops next."""
    if interval < 1:
        raise ValueError(f"an interval of {interval} iterations never ends; give 1 or more")
    return (position // interval + 1) * interval


def checkpoint_due(before: int, after: int, interval: int) -> bool:
    """Whether a run that went from iteration `before` to `after` reached or passed a multiple of `interval`."""
    return after >= next_multiple(before, interval)


def snapshot_due(seconds_before: float, seconds_after: float, interval_seconds: float) -> bool:
    """Whether a snapshot fell due in between, in seconds of training since the start of the run."""
    return seconds_after // interval_seconds > seconds_before // interval_seconds
