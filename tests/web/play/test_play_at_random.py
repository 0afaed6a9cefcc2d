"""Hands by a page that answers at random: the file of hands, played again by pokerkit, has the same results."""

import gc
import random
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from pokerkit import HandHistory as PokerkitHistory

from holdem.game.presets import load_preset
from holdem.table.person.table import PersonTable
from holdem.table.profiles.profiles import TableProfile
from tests.waiting import wait_for
from tests.web.pages import Message, Page, jam_or_fold_table, served

HANDS = 60


def answer(turn: Message, draw: random.Random) -> str:
    """Any legal answer; bets of any size."""
    choices = ["c", "c"] + ["f"] * turn["can_fold"]
    if turn["min_raise_to"] is not None:
        choices += [f"r {draw.randint(turn['min_raise_to'], turn['max_raise_to'])}", *"hpa"]
    return draw.choice(choices)


def disturb(page: Page, draw: random.Random) -> None:
    """What changes nothing: nonsense, or an answer to the question before."""
    messages: list[str | bytes] = ["nonsense", b"\x00", f'{{"question": {page.question - 1}, "line": "a"}}']
    page.socket.send(draw.choice(messages))
    assert page.until("told")["text"].endswith("nothing was done")


@pytest.mark.long
@pytest.mark.parametrize(
    "game", ["headsup_100bb", pytest.param("threemax_100bb", marks=pytest.mark.slow), "sixmax_100bb"]
)
def test_chips_against_pokerkit(tmp_path: Path, game: str) -> None:
    plan = PersonTable(TableProfile(opponents=("random",)), load_preset(game), None, None)
    draw = random.Random(game)
    won = list[int]()
    with served(plan, tmp_path) as server:
        with server.page() as page:
            for _ in range(HANDS):
                while (message := page.until("turn", "over"))["type"] == "turn":
                    if draw.random() < 0.1:
                        disturb(page, draw)
                    page.say(answer(message, draw))
                won.append(message["won"])
                assert message["total"] == sum(won)
                page.say("" if len(won) < HANDS else "q")
        server.hands(HANDS)
    assert len(set(won)) > HANDS / 5
    with server.history.open("rb") as file:
        replayed = list(PokerkitHistory.load_all(file))
    for history, chips in zip(replayed, won, strict=True):
        *_, end = history
        assert not end.status
        assert sum(end.payoffs) == 0
        assert history.players is not None
        assert end.payoffs[history.players.index("you")] == chips


@pytest.fixture
def without_collector() -> Iterator[None]:
    """Circles of objects stay until somebody collects them."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


class Circle:
    """Agents that refer to each other, as those that search do."""

    def __init__(self) -> None:
        self.other = self


@contextmanager
def advisor_in_a_circle(plan: PersonTable) -> Iterator[None]:
    Circle()
    yield None


def session_threads() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "play session"]


@pytest.mark.long
def test_sessions_leave_nothing_behind(
    tmp_path: Path, without_collector: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PersonTable, "advisor", advisor_in_a_circle)
    with served(jam_or_fold_table(tmp_path), tmp_path) as server:
        for number in range(40):
            with server.page() as page:
                if number % 2:
                    page.until("turn")
        wait_for(lambda: server.sessions.running == 0)
        wait_for(lambda: not session_threads())  # the last one has collected the circles before it ended
        assert not [thing for thing in gc.get_objects() if type(thing) is Circle]  # isinstance would wake weak proxies
