"""The routes of the server: three pages, their data, and the websocket of the play page."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

from fastapi import FastAPI, Query, Request, Response, WebSocket
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, JSONResponse
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException
from starlette.middleware.base import RequestResponseEndpoint
from starlette.middleware.trustedhost import TrustedHostMiddleware

from holdem.errors import HoldemError
from holdem.web.play_sessions import PlaySessions
from holdem.web.play_socket import play
from holdem.web.run_folder import RunFolder, readable
from holdem.web.strategy_data import Plain, strategy_at
from holdem.web.training_data import all_runs, curves_of, exploitability_of

STATIC = Path(__file__).parent / "static"
PAGES = {"/": "play.html", "/strategy": "strategy.html", "/training": "training.html"}
LONGEST_LINE = 1_000
"""Characters; the longest betting of six seats over four streets is shorter."""
HEADERS = {
    # Nothing from elsewhere is loaded, and no other page may frame this one or guess at its types.
    "Content-Security-Policy": "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-cache",
}


def make_app(sessions: PlaySessions, runs: RunFolder, hosts: list[str]) -> FastAPI:
    """The application; requests for a host that is not in `hosts` are refused (`*` lets all pass)."""
    app = FastAPI(title="holdem", docs_url=None, redoc_url=None, openapi_url=None)
    app.add_middleware(TrustedHostMiddleware, allowed_hosts=hosts)

    @app.middleware("http")
    async def add_headers(request: Request, call_next: RequestResponseEndpoint) -> Response:
        response = await call_next(request)
        response.headers.update(HEADERS)
        return response

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
    """What pages ask for. These are plain functions, which FastAPI runs in threads: reading does not block play."""

    @app.get("/data/policies")
    def policies() -> Plain:
        return {"policies": list(runs.policies()), "played": runs.played_name, "folder": readable(str(runs.folder))}

    @app.get("/data/strategy")
    def strategy(policy: str, line: Annotated[str, Query(max_length=LONGEST_LINE)] = "") -> JSONResponse:
        return JSONResponse(strategy_at(runs.policy(policy), line))

    @app.get("/data/runs")
    def all_of_them() -> Plain:
        return {"runs": all_runs(runs), "folder": readable(str(runs.folder))}

    @app.get("/data/curves")
    def curves(run: str) -> Plain:
        return curves_of(runs, run)

    @app.get("/data/exploitability")
    def exploitability(run: str) -> Plain:
        return exploitability_of(runs, run)


def _page(name: str) -> Callable[[], FileResponse]:
    def page() -> FileResponse:
        return FileResponse(STATIC / name)

    return page
