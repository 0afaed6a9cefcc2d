"""Many tables of one server: how long a click takes until the page hears what came of it, and what a table weighs.

The server is `holdem serve` in a process of its own; the pages are real websockets of this one. Each thinks for a
random while, as people do, and then checks, calls, raises or folds; a hand that is over is followed by the next.
"""

import asyncio
import json
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import psutil
from websockets.asyncio.client import ClientConnection, connect

from benchmarks.measurement import Measurement

POLICY = Path("runs/blueprint")
TABLES = 50
SECONDS = 60.0
THINKING_SECONDS = 2.0
"""Mean of an exponential distribution; a person is rarely faster over a session."""


@dataclass
class Clicks:
    """Seconds from an answer to the first table that shows it, and to the next question, when the bot has acted."""

    update: list[float] = field(default_factory=list)
    question: list[float] = field(default_factory=list)


def measure_tables(policy: Path = POLICY, tables: int = TABLES, seconds: float = SECONDS) -> list[Measurement]:
    """Percentiles of clicks and memory of tables; nothing without a trained blueprint: `make train` makes one."""
    if not (policy / "avg_policy.json").exists():
        return []
    with serving(policy) as (process, address):
        asyncio.run(_play_for(address, 1, 5.0, process))  # whatever has to be compiled is compiled now
        one = asyncio.run(_play_for(address, 1, 5.0, process))
        many = asyncio.run(_play_for(address, tables, seconds, process))
    (_, alone), (clicks, together) = one, many
    middle, high = np.percentile(clicks.update, [50, 99]) * 1e3
    question = float(np.percentile(clicks.question, 99) * 1e3)
    each = (together - alone) / (tables - 1)
    name = f"{tables} tables in browsers"
    return [
        Measurement(f"{name}, click to update, median of {len(clicks.update):,}", float(middle), "ms"),
        Measurement(f"{name}, click to update, 99th percentile", float(high), "ms", target="≤ 150 ms"),
        Measurement(f"{name}, click to next question, 99th percentile", question, "ms"),
        Measurement(f"{name}, the server's memory (PSS)", together, "MB", "one table", alone),
        Measurement(f"{name}, memory of one more", each, "MB"),
    ]


@contextmanager
def serving(policy: Path) -> Iterator[tuple["subprocess.Popen[str]", str]]:
    """`holdem serve` without search at a free port, and the address of its tables."""
    with tempfile.TemporaryDirectory() as folder:
        arguments = ["--policy", str(policy), "--no-search", "--no-open", "--port", "0"]
        arguments += ["--history", str(Path(folder) / "hands.phhs"), "--seed", "1"]
        command = [sys.executable, "-m", "holdem.cli.serve", *arguments]
        with subprocess.Popen(command, text=True, stdout=subprocess.PIPE) as process:
            try:
                assert process.stdout is not None
                found = re.search(r"http://(\S+);", process.stdout.readline())
                assert found is not None
                yield process, f"ws://{found[1]}/play"
            finally:
                process.terminate()


async def _play_for(
    address: str, tables: int, seconds: float, process: "subprocess.Popen[str]"
) -> tuple[Clicks, float]:
    """The clicks of some tables, and the memory of the server while they were open, in MB."""
    clicks = Clicks()
    async with AsyncExitStack() as stack:
        pages = [await stack.enter_async_context(connect(address)) for _ in range(tables)]
        for page in pages:
            await page.send('{"table": {}}')
        first = [await _until(page, "turn", "over") for page in pages]
        end = time.monotonic() + seconds
        draws = [random.Random(number) for number in range(tables)]
        visits = zip(pages, first, draws, strict=True)
        await asyncio.gather(*(_visit(page, question, draw, end, clicks) for page, question, draw in visits))
        memory = psutil.Process(process.pid).memory_full_info()
    return clicks, getattr(memory, "pss", memory.uss) / 1e6


async def _until(page: ClientConnection, *kinds: str) -> dict[str, Any]:
    while (message := json.loads(await page.recv()))["type"] not in kinds:
        pass
    return message  # type: ignore[no-any-return]


async def _visit(
    page: ClientConnection, question: dict[str, Any], draw: random.Random, end: float, clicks: Clicks
) -> None:
    """Answer questions until the time is over."""
    while time.monotonic() < end:
        await asyncio.sleep(draw.expovariate(1.0 / THINKING_SECONDS))
        line = "" if question["type"] == "over" else _line(question, draw)
        start = time.perf_counter()
        await page.send(json.dumps({"question": question["question"], "line": line}))
        await _until(page, "table")
        clicks.update.append(time.perf_counter() - start)
        question = await _until(page, "turn", "over")
        clicks.question.append(time.perf_counter() - start)


def _line(turn: dict[str, Any], draw: random.Random) -> str:
    """Mostly calls, some raises, some folds."""
    chance = draw.random()
    if chance < 0.2 and turn["min_raise_to"] is not None:
        return draw.choice(["h", "p", f"r {turn['min_raise_to']}"])
    return "f" if chance < 0.35 and turn["can_fold"] else "c"
