"""Named, counter-keyed random streams from one seed.

A stream is found by what it is for, never by what was drawn before it: the same seed, name and counters give
the same numbers in any process, in any order, on any machine. Philox is made for such keys: two keys give
independent streams (Salmon et al. 2011, "Parallel random numbers: as easy as 1, 2, 3").
"""

import hashlib

import numpy as np


def derived_seed(seed: int, name: str, *counters: int) -> int:
    """Another seed (64 bits) for a part of the work; it does not tell the first one."""
    return int.from_bytes(_digest(seed, name, counters)[:8], "little")


def stream(seed: int, name: str, *counters: int) -> np.random.Generator:
    """The stream of `name` and `counters` under `seed`: `stream(7, "deal")`, `stream(7, "action", 3, 0)`."""
    key = int.from_bytes(_digest(seed, name, counters), "little")
    return np.random.Generator(np.random.Philox(key=key))


def unit_draw(seed: int, name: str, *counters: int) -> float:
    """One number in [0, 1) with 53 random bits, keyed like a stream and ten times cheaper than making one."""
    return (int.from_bytes(_digest(seed, name, counters)[8:], "little") >> 11) / (1 << 53)


def _digest(seed: int, name: str, counters: tuple[int, ...]) -> bytes:
    return hashlib.blake2b(repr((int(seed), name, *map(int, counters))).encode(), digest_size=16).digest()
