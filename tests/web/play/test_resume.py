"""Pages that are cut off and come back: the same seat, hand and question, and nothing lost or doubled."""

import asyncio
import json
import random
import socket
import struct
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from holdem.game import records as rec
from holdem.game.presets import load_preset
from holdem.table.person.table import PersonTable
from holdem.table.profiles.profiles import TableProfile
from holdem.web.play import page_socket
from holdem.web.play.page_link import TAKEN_OVER, PageLink
from holdem.web.play.page_side import ON_ANOTHER_PAGE, PageSide
from holdem.web.play.page_socket import NOT_THERE
from holdem.web.play.shown import Shown
from tests.waiting import PATIENCE_SECONDS, wait_for
from tests.web.pages import Message, Page, Served, jam_or_fold_table, served
from tests.web.play.test_play import COLOUR, SEED, deals
from tests.web.play.test_play_at_random import answer

HANDS = 12
LISTED = {"hand", "number_in_file", "cards", "board", "won"}
"""What is told of a hand that is over; the cards are those of the person."""
START = (rec.HandStarted, rec.AntePosted, rec.BlindPosted, rec.HoleCardsDealt)
"""Records that a page hears of as one message: the deal."""


def reset(page: Page) -> None:
    """As where a network is gone: no word of goodbye."""
    raw = page.socket.socket
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    page.socket.close_socket()


def load_again(page: Page) -> None:
    """What a browser sends when a page is loaded again."""
    page.socket.close(1001)


def open_page(server: Served, hello: Message | None = None) -> Page:
    address = server.address.replace("http", "ws") + "/play"
    # With a queue that is full, closing waits for it.
    connection = connect(address, max_queue=None, open_timeout=PATIENCE_SECONDS)
    return Page(connection.__enter__(), hello)


class Returning:
    """Somebody whose connection breaks all the time; follows what the page shows."""

    def __init__(self, server: Served, draw: random.Random) -> None:
        self.server, self.draw = server, draw
        self.page = open_page(server)
        self.token = self.page.next()["token"]
        self.texts: list[str] = []
        self.hand: list[Message] = []
        self.finished: list[list[Message]] = []
        self.won: list[int] = []
        self.cuts = 0

    def show(self, message: Message) -> None:
        assert "again" not in message
        if message["event"] == "deal":
            self.hand = []
        self.hand.append(message)

    def come_back(self) -> None:
        """Break the connection, and check that what is shown again goes on from what was shown."""
        self.cuts += 1
        self.draw.choice([reset, load_again])(self.page)
        self.page = open_page(self.server, {"token": self.token})
        welcome = self.page.next()
        assert welcome["resumed"]
        assert welcome["token"] == self.token
        hands = self.page.next()
        assert [hand["won"] for hand in hands["hands"]][: len(self.won)] == self.won
        self.texts += self.page.texts


def play(server: Served, draw: random.Random, hands: int) -> Returning:
    """Hands with random answers; the same question may be seen and answered again after each break."""
    person = Returning(server, draw)
    again: list[Message] = []
    while len(person.won) < hands:
        if draw.random() < 0.15:
            person.come_back()
            again = []
        message = person.page.next()
        person.texts.append(person.page.texts[-1])
        if message["type"] == "table":
            again = follow(person, message, again)
        elif message["type"] == "turn":
            person.page.say(answer(message, draw))
        elif message["type"] == "over":
            if len(person.won) < message["hands"]:  # not a question that is seen again
                assert message["hands"] == len(person.won) + 1
                person.finished.append(person.hand)
                person.won.append(message["won"])
                assert message["total"] == sum(person.won)
            if len(person.won) < hands:
                person.page.say("")
    person.page.socket.close()
    return person


def follow(person: Returning, message: Message, again: list[Message]) -> list[Message]:
    """A table that is shown, now or again; those shown again since the page came back."""
    if not message.pop("again", False):
        person.show(message)
        return []
    again = [message] if message["event"] == "deal" else [*again, message]
    known = person.hand if person.hand and person.hand[0]["hand"] == message["hand"] else []
    if len(again) <= len(known):
        assert message == known[len(again) - 1], "what is shown again is not what was shown"
    else:
        person.hand = [*again]
    return again


@pytest.mark.long
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("game", ["headsup_100bb", "sixmax_100bb"])
def test_a_connection_that_breaks_at_random_moments(tmp_path: Path, game: str, seed: int) -> None:
    plan = PersonTable(TableProfile(opponents=("random",)), load_preset(game), None, None)
    with served(plan, tmp_path, seed) as server:
        person = play(server, random.Random(f"{game} {seed}"), HANDS)
        stored = server.hands(HANDS)
    assert person.cuts >= HANDS
    assert [hand.hand.payoffs[0] for hand in stored] == person.won
    for hand, shown in zip(stored, person.finished, strict=True):
        later = [type(record).__name__ for record in hand.hand.records if not isinstance(record, START)]
        assert [message["event"] for message in shown] == ["deal", *later]


@contextmanager
def visited(server: Served, hello: Message | None = None) -> Iterator[Page]:
    page = open_page(server, hello)
    try:
        yield page
    finally:
        page.socket.close()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Served]:
    with served(jam_or_fold_table(tmp_path), tmp_path, SEED) as running:
        yield running


@pytest.mark.parametrize("cut", [reset, load_again])
def test_the_same_cards_the_same_question_and_the_advice(server: Served, cut: Callable[[Page], None]) -> None:
    page = open_page(server)
    token = page.next()["token"]
    dealt = page.until("table")
    turn = page.until("turn")
    page.say("w")
    advice = page.until("advice")
    page.say("e")
    equity = page.until("equity")
    assert 0.0 < equity["share"] < 1.0
    cut(page)
    with visited(server, {"token": token}) as back:
        back.until("hands")
        assert back.next()["seats"][0]["cards"] == dealt["seats"][0]["cards"]
        assert back.until("advice") == advice
        assert back.next() == equity
        assert back.next() == {**turn, "again": True}
        back.say("c", question=turn["question"])
        back.say("c", question=turn["question"])
        assert back.until("table")["log"][0]["words"] == "you check"
        assert back.play_hand()["hands"] == 1
    server.hands(1)


def test_a_hand_that_ends_while_nobody_is_there_to_see_it(server: Served) -> None:
    page = open_page(server)
    token = page.next()["token"]
    page.until("turn")
    page.say("a")
    reset(page)  # the bot calls, the cards are dealt out, and the table waits with the next hand
    with visited(server, {"token": token}) as back:
        over = back.until("over")
        assert over["hands"] == 1
        assert over["kept"]["number_in_file"] == 1
        back.say("")
        assert back.until("table")["hand"] == 2


def test_nobody_acts_for_the_person_until_the_wait_is_over(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    page = open_page(server)
    page.until("turn")
    reset(page)
    [lost] = server.sessions._running.values()
    wait_for(lambda: lost.side.lost_at is not None)
    time.sleep(0.5)
    assert server.sessions.seated == server.sessions.running == 1
    assert server.sessions.history.hands == 0
    page = open_page(server)
    token = page.next()["token"]
    page.until("turn")
    monkeypatch.setattr("holdem.web.play.page_socket.WAIT_SECONDS", 0.2)  # for this one
    reset(page)
    wait_for(lambda: server.sessions.seated == 1)  # the first one still waits
    with visited(server, {"token": token}) as late:
        assert late.next()["token"] != token
        assert late.next()["text"] == NOT_THERE
        late.until("table")
    assert all(stored.hand.is_over for stored in server.hands(3))


def test_between_hands_the_place_waits_longer(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever looks at the hand in another room comes back to the same session."""
    monkeypatch.setattr("holdem.web.play.page_socket.WAIT_SECONDS", 0.0)
    page = open_page(server)
    token = page.next()["token"]
    page.play_hand()
    load_again(page)
    wait_for(lambda: all(session.side.lost_at is not None for session in server.sessions._running.values()))
    with visited(server, {"token": token}) as back:
        assert back.next()["resumed"]
        assert len(back.next()["hands"]) == 1


@pytest.mark.parametrize(("ends", "waits"), [(True, 0.2), (False, 0.1)])
def test_a_hand_that_ends_without_its_page_gives_the_time_between_hands(
    monkeypatch: pytest.MonkeyPatch, ends: bool, waits: float
) -> None:
    monkeypatch.setattr(page_socket, "WAIT_SECONDS", 0.1)
    monkeypatch.setattr(page_socket, "WAIT_BETWEEN_SECONDS", 0.2)
    side = PageSide({"type": "welcome"}, None)  # type: ignore[arg-type]

    async def lost() -> float:
        link = PageLink()
        side.attach(link)
        side.detach(link)
        began = time.monotonic()
        page_socket._wait_for_page(side, side.lost_at, left=False)
        if ends:
            side._shown.follow({"type": "over", "kept": {}, "total": 0, "hands": 1})
        while not side.gone:
            await asyncio.sleep(0.005)
        return time.monotonic() - began

    waited = asyncio.run(lost())
    assert waited >= waits - 2 * time.get_clock_info("monotonic").resolution  # two timers may be a tick early each
    assert ends or not side.between_hands


def test_what_was_said_before_the_first_deal_is_said_again() -> None:
    shown, said = Shown(), {"type": "told", "text": "the blueprint plays until the search is compiled"}
    shown.follow(said)
    assert said in shown.again()
    shown.follow({"type": "table", "event": "deal"})
    shown.follow({"type": "told", "text": "that is no number"})
    assert [message["type"] for message in shown.again()] == ["hands", "table"]


def test_the_later_of_two_pages_has_the_table(server: Served) -> None:
    with visited(server) as first:
        token = first.next()["token"]
        turn = first.until("turn")
        with visited(server, {"token": token}) as second:
            assert second.until("turn")["question"] == turn["question"]
            assert first.until("told")["text"] == ON_ANOTHER_PAGE
            with pytest.raises(ConnectionClosed) as closed:
                first.next()
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == TAKEN_OVER
            first.socket.close()  # closing the page that has it no longer changes nothing
            second.say("c")
            assert second.until("table")["log"][0]["words"] == "you check"
            assert second.play_hand()["hands"] == 1
        wait_for(lambda: server.sessions.running == 0)


@pytest.mark.parametrize("token", ["", "no such token", "A" * 32, "\x00", "../../etc/passwd"])
def test_a_wrong_token_gets_a_new_table_and_a_sentence(server: Served, token: str) -> None:
    with visited(server, {"token": token}) as page:
        welcome = page.next()
        assert not welcome["resumed"]
        assert len(welcome["token"]) >= 32
        assert page.next()["text"] == NOT_THERE
        assert page.until("table")["hand"] == 1


@pytest.mark.parametrize(
    "hello",
    [[], 3, "x", {"token": 5}, {"token": "x" * 101}, {"question": 1, "line": "c"}, {"table": 3}, {"table": {}, "x": 1}],
)
def test_what_is_no_first_message_opens_nothing(server: Served, hello: Any) -> None:
    with visited(server, hello) as page:
        assert "first message" in page.next()["text"]
        with pytest.raises(ConnectionClosed):
            page.next()
    assert server.sessions.running == 0


def test_whoever_is_away_for_longest_makes_room(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("holdem.web.play.sessions.MOST_SESSIONS", 2)
    tokens = []
    for _ in range(2):
        page = open_page(server)
        tokens.append(page.next()["token"])
        page.until("turn")
        reset(page)
        wait_for(lambda: sum(s.side.lost_at is not None for s in server.sessions._running.values()) == len(tokens))
    with visited(server) as new:
        new.until("turn")
        with visited(server, {"token": tokens[1]}) as second:
            assert second.next()["resumed"]
            with visited(server, {"token": tokens[0]}) as first:
                assert "tables are taken" in first.until("told")["text"]
            with visited(server) as late:
                assert "tables are taken" in late.until("told")["text"]


def test_leaving_leaves_at_once(server: Served) -> None:
    page = open_page(server)
    token = page.next()["token"]
    page.until("turn")
    page.socket.close(1000)
    wait_for(lambda: server.sessions.running == 0)
    with visited(server, {"token": token}) as back:
        assert not back.next()["resumed"]


def test_no_message_of_a_resumed_session_has_the_opponents_cards(server: Served) -> None:
    page = open_page(server)
    token = page.next()["token"]
    hidden = 0
    for number, cards in enumerate(deals(server, session=0, hands=10)):
        start: list[str] = []
        shown = False
        while (message := page.until("turn", "over"))["type"] == "turn":
            page.say("f" if message["can_fold"] and number % 2 else "c")
            start += page.texts
            reset(page)
            page = open_page(server, {"token": token})
        for text in (COLOUR.sub("", text) for text in (*start, *page.texts)):
            message = json.loads(text)
            shown = shown or (message.get("event") == "CardsShown" and f'"{cards[0]}"' in text)
            if message["type"] == "hands":  # those before, where these cards may have been others'
                assert all(set(hand) == LISTED and len(hand["cards"]) == 2 for hand in message["hands"])
            elif not shown and message.get("hand", number + 1) == number + 1:
                assert not any(f'"{card}"' in text for card in cards), text
        hidden += not shown
        page.texts.clear()
        page.say("")
    page.socket.close()
    assert hidden
