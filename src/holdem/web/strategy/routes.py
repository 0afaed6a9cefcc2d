"""The data that the strategy page asks for; policies come by name from the list, lines are of a bounded length."""

from collections.abc import Callable
from typing import Annotated

from fastapi import FastAPI, Query
from fastapi.responses import JSONResponse

from holdem.web.daemon_threads import DaemonThreads
from holdem.web.run_folder import RunFolder, readable
from holdem.web.strategy.compare import show_comparison
from holdem.web.strategy.data import Plain, show_strategy
from holdem.web.strategy.ranges import show_ranges
from holdem.web.strategy.values import show_values

LONGEST_LINE = 1_000
"""Characters; the longest betting of six seats over four streets is shorter."""

Line = Annotated[str, Query(max_length=LONGEST_LINE)]


def add_routes(app: FastAPI, runs: RunFolder) -> None:
    """The policies that there are; a place, its ranges, what its actions are worth, and two policies at one place."""
    threads = DaemonThreads()

    async def plain(read: Callable[[], Plain]) -> JSONResponse:
        return JSONResponse(await threads.run(read))

    @app.get("/data/policies")
    async def policies() -> JSONResponse:
        return await plain(lambda: _policies(runs))

    @app.get("/data/strategy")
    async def strategy(policy: str, line: Line = "", reach: bool = True) -> JSONResponse:
        return await plain(lambda: show_strategy(runs, policy, line, reach))

    @app.get("/data/ranges")
    async def ranges(policy: str, line: Line = "") -> JSONResponse:
        return await plain(lambda: show_ranges(runs, policy, line))

    @app.get("/data/values")
    async def values(policy: str, line: Line = "") -> JSONResponse:
        return await plain(lambda: show_values(runs, policy, line))

    @app.get("/data/compare")
    async def compare(
        policy: str, other: Annotated[str, Query(alias="with")], line: Line = "", reach: bool = True
    ) -> JSONResponse:
        return await plain(lambda: show_comparison(runs, policy, other, line, reach))


def _policies(runs: RunFolder) -> Plain:
    """Their names, and the seats of those of hold'em: of as many seats, two can be compared."""
    names, folder = runs.names(), readable(str(runs.folder))
    return {"policies": names, "seats": runs.seats(), "played": runs.played_name, "folder": folder}
