"""The routes of the server: three pages, their data, and the websocket of the play page."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

from fastapi import FastAPI, Query, Request, WebSocket
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, JSONResponse
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException

from holdem.errors import HoldemError
from holdem.web.daemon_threads import DaemonThreads
from holdem.web.play_sessions import PlaySessions
from holdem.web.play_socket import play
from holdem.web.run_folder import RunFolder, readable
from holdem.web.strategy_data import Plain, show_strategy
from holdem.web.training_data import all_runs, curves_of, exploitability_of

STATIC = Path(__file__).parent / "static"
PAGES = {"/": "play.html", "/strategy": "strategy.html", "/training": "training.html"}
LONGEST_LINE = 1_000
"""Characters; the longest betting of six seats over four streets is shorter."""


def make_app(sessions: PlaySessions, runs: RunFolder) -> FastAPI:
    """The application, which is served behind a `Gate`."""
    app = FastAPI(title="holdem", docs_url=None, redoc_url=None, openapi_url=None)
    _add_refusals(app)

    @app.websocket("/play")
    async def play_socket(websocket: WebSocket) -> None:
        await play(websocket, sessions)

    _add_data(app, runs)
    for path, name in PAGES.items():
        app.add_api_route(path, _page(name), methods=["GET"])
    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    return app


def _add_refusals(app: FastAPI) -> None:
    """Whatever goes wrong is one sentence under `error`."""

    @app.exception_handler(HoldemError)
    async def refuse(request: Request, error: HoldemError) -> JSONResponse:
        return JSONResponse({"error": readable(str(error))}, status_code=400)

    @app.exception_handler(RequestValidationError)
    async def misasked(request: Request, error: RequestValidationError) -> JSONResponse:
        first = error.errors()[0]
        return JSONResponse({"error": f"{first['loc'][-1]}: {first['msg']}; reload the page"}, status_code=422)

    @app.exception_handler(HTTPException)
    async def not_here(request: Request, error: HTTPException) -> JSONResponse:
        sentence = f"{request.url.path:.100}: {error.detail}; the pages are {', '.join(PAGES)}"
        return JSONResponse({"error": sentence}, status_code=error.status_code, headers=error.headers)

    @app.exception_handler(Exception)
    async def failed(request: Request, error: Exception) -> JSONResponse:
        return JSONResponse({"error": "the server failed at this; its log says why"}, status_code=500)


def _add_data(app: FastAPI, runs: RunFolder) -> None:
    """What pages ask for, read in threads: reading does not block play."""
    threads = DaemonThreads()

    async def plain(read: Callable[[], Plain]) -> JSONResponse:
        return JSONResponse(await threads.run(read))

    @app.get("/data/policies")
    async def policies() -> JSONResponse:
        return await plain(lambda: _policies(runs))

    @app.get("/data/strategy")
    async def strategy(policy: str, line: Annotated[str, Query(max_length=LONGEST_LINE)] = "") -> JSONResponse:
        return await plain(lambda: show_strategy(runs, policy, line))

    @app.get("/data/runs")
    async def all_of_them() -> JSONResponse:
        return await plain(lambda: {"runs": all_runs(runs), "folder": readable(str(runs.folder))})

    @app.get("/data/curves")
    async def curves(run: str) -> JSONResponse:
        return await plain(lambda: curves_of(runs, run))

    @app.get("/data/exploitability")
    async def exploitability(run: str) -> JSONResponse:
        return await plain(lambda: exploitability_of(runs, run))


def _policies(runs: RunFolder) -> Plain:
    return {"policies": list(runs.policies()), "played": runs.played_name, "folder": readable(str(runs.folder))}


def _page(name: str) -> Callable[[], FileResponse]:
    def page() -> FileResponse:
        return FileResponse(STATIC / name)

    return page
