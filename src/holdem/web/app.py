"""The routes of the server: five pages, their data, and the websocket of the play page."""

from collections.abc import Callable
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, JSONResponse
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException

from holdem.errors import HoldemError
from holdem.web.play.routes import add_routes as add_play_routes
from holdem.web.play.sessions import PlaySessions
from holdem.web.review.routes import add_routes as add_review_routes
from holdem.web.run_folder import RunFolder, readable
from holdem.web.solve.rooms import SolveRooms
from holdem.web.solve.routes import add_routes as add_solve_routes
from holdem.web.strategy.routes import add_routes as add_strategy_routes
from holdem.web.training.routes import add_routes as add_training_routes

STATIC = Path(__file__).parent / "static"
PAGES = {"/": "play", "/solve": "solve", "/strategy": "strategy", "/review": "review", "/training": "training"}
"""Rooms by address; each has a folder of its own in `static`."""


def make_app(sessions: PlaySessions, runs: RunFolder, solves: SolveRooms) -> FastAPI:
    """The application, which is served behind a `Gate`."""
    app = FastAPI(title="holdem", docs_url=None, redoc_url=None, openapi_url=None)
    _add_refusals(app)
    add_play_routes(app, sessions, runs)
    add_solve_routes(app, solves, runs)
    add_strategy_routes(app, runs)
    add_review_routes(app, runs, sessions.history.path)
    add_training_routes(app, runs)
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


def _page(name: str) -> Callable[[], FileResponse]:
    def page() -> FileResponse:
        return FileResponse(STATIC / name / f"{name}.html")

    return page
