"""The addresses of the Solve room: its websocket, files by token, ranges, spots of lines."""

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from fastapi import FastAPI, Request, WebSocket
from fastapi.responses import JSONResponse, Response, StreamingResponse
from starlette.exceptions import HTTPException

from holdem.web.bodies import body_of
from holdem.web.daemon_threads import DaemonThreads
from holdem.web.run_folder import RunFolder
from holdem.web.solve.line_spot import line_spot
from holdem.web.solve.page_socket import solve
from holdem.web.solve.range_text import RangeAsked, answer_range
from holdem.web.solve.rooms import SolveRooms
from holdem.web.strategy.routes import Line

BLOCK_BYTES = 1 << 20
SUFFIXES = {"solve": ".solve", "csv": ".csv"}
LARGEST_RANGE_BYTES = 200_000
RANGE_SECONDS = 30.0
RANGE_TOO_LONG = "the range is too long; write classes such as A2s+ in place of single hands"


def add_routes(app: FastAPI, rooms: SolveRooms, runs: RunFolder) -> None:
    """Everything that Solve pages ask for."""
    threads, welcomes, estimates = DaemonThreads(), DaemonThreads(), DaemonThreads()

    @app.websocket("/solve")
    async def solve_socket(websocket: WebSocket) -> None:
        await solve(websocket, rooms, runs, welcomes, estimates)

    @app.post("/data/solve/upload")
    async def upload(request: Request) -> JSONResponse:
        return JSONResponse({"upload": await rooms.uploads.receive(request)})

    @app.get("/data/solve/{token}/{kind}")
    async def download(token: str, kind: str) -> Response:
        file = await threads.run(lambda: _open(rooms, token, kind))
        headers = {
            "content-disposition": f'attachment; filename="{Path(file.name).name}"',
            "content-length": str(os.fstat(file.fileno()).st_size),
        }
        media_type = "text/csv" if kind == "csv" else "application/octet-stream"
        return StreamingResponse(_blocks(file), headers=headers, media_type=media_type)

    @app.post("/data/range")
    async def range_text(request: Request) -> JSONResponse:
        blocks = body_of(request, LARGEST_RANGE_BYTES, RANGE_SECONDS, RANGE_TOO_LONG)
        body = b"".join([block async for block in blocks])
        return JSONResponse(await threads.run(lambda: answer_range(RangeAsked.read(body))))

    @app.get("/data/line_spot")
    async def spot_of_a_line(policy: str, line: Line) -> JSONResponse:
        return JSONResponse(await threads.run(lambda: line_spot(runs, policy, line)))


def _open(rooms: SolveRooms, token: str, kind: str) -> BinaryIO:
    """The file of a page, which stays whole for who reads it when the page saves again."""
    folder = rooms.folder_of(token)
    if folder is not None and kind in SUFFIXES:
        for path in folder.glob(f"*{SUFFIXES[kind]}"):
            with suppress(FileNotFoundError):
                return path.open("rb")
    raise HTTPException(404, "this file is not here any more")


def _blocks(file: BinaryIO) -> Iterator[bytes]:
    with file:
        while block := file.read(BLOCK_BYTES):
            yield block
