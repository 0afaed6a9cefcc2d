"""The routes of the review room: the list of files, files that pages bring, hands, and the websocket of reviews."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

from fastapi import FastAPI, Query, Request, WebSocket
from fastapi.responses import JSONResponse

from holdem.table.history.hand_texts import HandTexts
from holdem.web.daemon_threads import DaemonThreads
from holdem.web.review.brought_files import PREFIX, BroughtFiles
from holdem.web.review.hand_data import list_hands, show_hand
from holdem.web.review.history_files import HistoryFiles
from holdem.web.review.review_socket import review
from holdem.web.review.reviews import Folder, ReviewPlaces, ReviewRequest, fitting_policies, policies_by_seats
from holdem.web.run_folder import RunFolder
from holdem.web.strategy.data import Plain

FileName = Annotated[str, Query(max_length=1_000)]
PlayerName = Annotated[str | None, Query(max_length=200)]
HIGHEST_NUMBER = 999_999_999
HandNumber = Annotated[int, Query(ge=1, le=HIGHEST_NUMBER)]
FirstHand = Annotated[int, Query(ge=0, le=HIGHEST_NUMBER)]


def add_routes(app: FastAPI, runs: RunFolder, own: Path) -> None:
    """`own` is the file of hands that this server writes."""
    files, brought, places, threads = HistoryFiles(runs, own), BroughtFiles(), ReviewPlaces(), DaemonThreads()

    def opened(name: str) -> HandTexts:
        return brought.open(name) if name.startswith(PREFIX) else files.open(name)

    def found(request: ReviewRequest) -> tuple[HandTexts, dict[int, Folder]]:
        return opened(request.file), policies_by_seats(runs, request.policy, request.file)

    async def plain(read: Callable[[], Plain]) -> JSONResponse:
        return JSONResponse(await threads.run(read))

    @app.get("/data/histories")
    async def histories() -> JSONResponse:
        return await plain(lambda: {"histories": files.listed(), "session": files.own_name})

    @app.post("/data/histories")
    async def bring(request: Request, name: Annotated[str, Query(max_length=200)]) -> JSONResponse:
        content = await brought.receive(request)
        token = await threads.run(lambda: brought.keep(name, content))
        brought.forget_later(token)
        return JSONResponse({"file": token, "name": name})

    @app.get("/data/hands")
    async def hands(file: FileName, player: PlayerName = None, first: FirstHand = 1) -> JSONResponse:
        return await plain(lambda: list_hands(opened(file), player, first))

    @app.get("/data/hand")
    async def hand(file: FileName, hand: HandNumber, player: PlayerName = None) -> JSONResponse:
        return await plain(lambda: show_hand(opened(file), hand, player))

    @app.get("/data/review-policies")
    async def policies() -> JSONResponse:
        return await plain(lambda: {"policies": fitting_policies(runs), "played": runs.played_name})

    @app.websocket("/review")
    async def review_socket(websocket: WebSocket) -> None:
        await review(websocket, found, places)
