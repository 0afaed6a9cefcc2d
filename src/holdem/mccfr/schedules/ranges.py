"""Iterations divided among instances and workers: no gaps, no overlaps, the remainder to the first."""


def shares(total: int, parts: int) -> list[int]:
    """`total` divided into `parts` numbers that differ by at most one, the larger ones first."""
    if parts < 1 or total < 0:
        raise ValueError(f"cannot divide {total} iterations into {parts} parts")
    size, remainder = divmod(total, parts)
    return [size + (part < remainder) for part in range(parts)]


def instance_ranges(iterations: int, instances: int) -> list[range]:
    """The iterations of each instance: 1,000,000 over 3 are 333,334, 333,333 and 333,333."""
    ranges, start = [], 0
    for share in shares(iterations, instances):
        ranges.append(range(start, start + share))
        start += share
    return ranges


def batch_shares(batch_size: int, workers: int) -> list[int]:
    """What each worker claims of a batch: batch // workers each, and all of the remainder to the first."""
    if workers < 1 or batch_size < 1:
        raise ValueError(f"cannot divide a batch of {batch_size} among {workers} workers")
    size, remainder = divmod(batch_size, workers)
    return [size + remainder, *[size] * (workers - 1)]
