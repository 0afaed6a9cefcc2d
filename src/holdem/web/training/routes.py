"""The data that the training page asks for: runs by their names in the list."""

from fastapi import FastAPI
from fastapi.responses import JSONResponse

from holdem.web.daemon_threads import DaemonThreads
from holdem.web.run_folder import RunFolder, readable
from holdem.web.training.data import all_runs, curves_of, exploitability_of


def add_routes(app: FastAPI, runs: RunFolder) -> None:
    """How far runs are, and their curves."""
    threads = DaemonThreads()

    @app.get("/data/runs")
    async def every_run() -> JSONResponse:
        return JSONResponse(await threads.run(lambda: {"runs": all_runs(runs), "folder": readable(str(runs.folder))}))

    @app.get("/data/curves")
    async def curves(run: str) -> JSONResponse:
        return JSONResponse(await threads.run(lambda: curves_of(runs, run)))

    @app.get("/data/exploitability")
    async def exploitability(run: str) -> JSONResponse:
        return JSONResponse(await threads.run(lambda: exploitability_of(runs, run)))
