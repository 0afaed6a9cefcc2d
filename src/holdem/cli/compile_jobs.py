"""Small commands that together compile whatever the verbs of a user need, on a run of a few iterations.

`holdem doctor --compile` runs them, and `benchmarks/bench_compile.py` measures them. Each is a process of its own, as
a user would start it; the compiled code stays in the cache.
"""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from holdem.abstraction.bucketing import Grouping, HandBucketing, content_hash, table_digest
from holdem.abstraction.buckets.features.potential import row_width
from holdem.cards.suit_index import INDEX_SIZES
from holdem.types import BucketConfig
from holdem.util.compiling import GROUPS, SEARCH, SHORT_TABLES, THREADS

RUN, BUCKETS, TURN, FLOP = "run", "buckets.pkl", "turn.json", "flop.json"
"""Files of the folder in which the commands run."""
CACHE_FOLDERS = ("HOLDEM_CACHE", "NUMBA_CACHE_DIR")
"""Variables that name where compiled code is kept."""


@dataclass(frozen=True)
class CompileJob:
    """A command whose kernels a job of `kernel_times.json` has."""

    job: str
    arguments: tuple[str, ...]
    typed: str = ""
    """What is typed at a table."""
    good: tuple[int, ...] = (0,)
    """Statuses of a command that did its work."""

    def start(self, folder: Path, before: Sequence[str] = ("-m", "holdem.cli.main")) -> "subprocess.Popen[bytes]":
        """The command, as a process in a folder that `prepare` has been in; what it says goes into a file there."""
        typed = folder / f"{self.job}.typed"
        typed.write_text(self.typed, encoding="utf-8")
        with typed.open("rb") as stdin, self._said(folder).open("wb") as said:
            command = [sys.executable, *before, *self.arguments]
            return subprocess.Popen(
                command, cwd=folder, env=_environment(), stdin=stdin, stdout=subprocess.DEVNULL, stderr=said
            )

    def last_words(self, folder: Path) -> str:
        """The last line that the command said."""
        return (self._said(folder).read_text(encoding="utf-8", errors="replace").strip() or "nothing").splitlines()[-1]

    def _said(self, folder: Path) -> Path:
        return folder / f"{self.job}.said"


def _environment() -> dict[str, str]:
    """Ours, with cache folders that are the same ones in another working directory."""
    folders = {name: str(Path(os.environ[name]).absolute()) for name in CACHE_FOLDERS if os.environ.get(name)}
    return {**os.environ, **folders}


TRAINING = CompileJob(
    "train_blueprint", ("train", "--iters", "400", "--buckets", BUCKETS, "--logdir", RUN, "--no-tensorboard")
)
"""First of all: the others look into its run."""
CALLS = "c\n" * 12
EVAL = ("eval", "--policy", RUN, "--hands", "20", "--opponents", "always-call", "--lbr-hands", "4")
JOBS = (
    CompileJob(SEARCH, ("play", "--policy", RUN, "--hands", "1"), CALLS),
    CompileJob("solve", ("solve", TURN, "--max-iters", "1")),
    CompileJob(GROUPS, ("solve", FLOP, "--groups", "4", "--max-iters", "1")),
    CompileJob(THREADS, ("solve", TURN, "--threads", "2", "--max-iters", "1")),
    CompileJob(SHORT_TABLES, ("solve", TURN, "--compressed", "--max-iters", "1")),
    CompileJob("play", ("play", "--policy", RUN, "--no-search", "--hands", "2"), CALLS),
    CompileJob("eval_blueprint", EVAL),
    CompileJob("match", ("match", RUN, "always-call", "--hands", "20")),
    CompileJob("lbr", ("lbr", RUN, "--hands", "4")),
    CompileJob("litmus", ("litmus", RUN), good=(0, 1)),  # 1: its checks fail on a run of a few iterations
    CompileJob("show", ("show", RUN, "SB call, BB check | Ks7d2c")),
    CompileJob("equity", ("equity", "AKs", "QQ", "--board", "Ks7d2c")),
)
"""Those that a lot depends on first, so that several processes share the rest."""
SAME_AS_PLAY = ("serve", "run_dry_run", "run_autoplay", "review")
"""Verbs that need the kernels of `play`."""


def prepare(folder: Path) -> None:
    """Write the spots, and a card abstraction of two buckets a street that took no work to find."""
    sizes = {"bet": "100%", "raise": "a"}
    turn = {"board": "2c2d2h3c", "pot": 2, "effective_stack": 4, "range_oop": "AA", "range_ip": "KK",
            "bet_sizes": {"flop": sizes, "turn": sizes, "river": sizes}}  # fmt: skip
    (folder / TURN).write_text(json.dumps(turn), encoding="utf-8")
    (folder / FLOP).write_text(json.dumps({**turn, "board": "2c2d2h"}), encoding="utf-8")
    _trivial_buckets().save(folder / BUCKETS)


def _trivial_buckets() -> HandBucketing:
    """All hands in the first of two buckets."""
    config = BucketConfig()
    centroids = np.zeros((2, row_width(config.bins)), dtype=np.uint8)
    histograms = Grouping("medians", centroids=centroids)
    river = Grouping("intervals", starts=np.array([0, 1000]))
    groupings = (histograms, histograms, river)
    tables = tuple(np.zeros(INDEX_SIZES[cards], dtype=np.uint8) for cards in (3, 4, 5))
    digest = content_hash(config, groupings, [table_digest(table) for table in tables])
    return HandBucketing(config, groupings, digest, {street: {} for street in ("flop", "turn", "river")}, tables)
