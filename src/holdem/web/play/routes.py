"""The play page's part of the server: its websocket, and what there is to choose from before sitting down."""

from fastapi import FastAPI, WebSocket
from fastapi.responses import JSONResponse

from holdem.web.daemon_threads import DaemonThreads
from holdem.web.play.page_socket import play
from holdem.web.play.sessions import PlaySessions
from holdem.web.play.table_options import TableChoices
from holdem.web.run_folder import RunFolder


def add_routes(app: FastAPI, sessions: PlaySessions, runs: RunFolder) -> None:
    """Everything below `/play` and `/data/table`."""
    sessions.history_name = runs.history_name(sessions.history.path)
    choices, threads = TableChoices(sessions.plan, runs), DaemonThreads()

    @app.websocket("/play")
    async def play_socket(websocket: WebSocket) -> None:
        await play(websocket, sessions, choices, threads)

    @app.get("/data/table")
    async def table_choices() -> JSONResponse:
        return JSONResponse(await threads.run(choices.to_plain))
