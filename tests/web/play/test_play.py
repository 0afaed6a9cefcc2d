"""The browser table as a page sees it: a whole hand, what it must not see, and what it may send without harm."""

import json
import re
import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest
from websockets.client import ClientProtocol
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.uri import parse_uri

from holdem.cards.cards import format_card
from holdem.evaluation.baselines import open_baseline
from holdem.game import Game
from holdem.game.presets import load_preset
from holdem.table.history.seen_chips import SeenChips
from holdem.table.person.table import PersonTable
from holdem.table.profiles.profiles import TableProfile, game_of
from holdem.table.session.local_table import LocalTable
from holdem.types import GameConfig
from holdem.util.rng import derived_seed
from holdem.web.play.page_socket import TOO_MANY
from holdem.web.play.sessions import session_seed
from tests.waiting import PATIENCE_SECONDS
from tests.web.pages import Message, Page, Served, jam_or_fold_table, served

SEED = 3
COLOUR = re.compile("#[0-9a-f]{6}")
"""Of a bar in the bot's advice; `#5b8def` is not the eight of diamonds."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("web")


@pytest.fixture
def server(folder: Path, tmp_path: Path) -> Iterator[Served]:
    with served(jam_or_fold_table(folder), tmp_path, SEED) as running:
        yield running


@pytest.fixture(scope="module")
def shared(folder: Path) -> Iterator[Served]:
    """A server for visits of which nothing but the messages is looked at."""
    with served(jam_or_fold_table(folder), folder, SEED) as running:
        yield running


def deals(server: Served, session: int, hands: int, game: GameConfig | None = None) -> list[list[str]]:
    """The opponent's cards in the first hands of a session of the server's game, or of another, as they are dealt."""
    dealer = Game(game or server.sessions.plan.game)
    seed = session_seed(SEED, session)
    found = []
    for number in range(hands):
        hand = dealer.new_hand(derived_seed(seed, "table hand", number), button=(number - 1) % 2)
        found.append([format_card(card) for card in hand.hole_cards[1] or ()])
    return found


def test_a_whole_hand_and_its_result(server: Served) -> None:
    with server.page() as page:
        welcome = page.next()
        assert (welcome["seats"], welcome["you"], welcome["big_blind"]) == (2, 0, 100)
        over = page.play_hand()
        tables = [json.loads(text) for text in page.texts if '"type": "table"' in text]
        assert tables[0]["event"] == "deal"
        assert tables[0]["log"][-1]["words"] == "you are dealt"
        for table in tables:  # no chip appears or vanishes
            assert table["pot"] + sum(seat["stack"] for seat in table["seats"]) == 2_000
        assert len(tables[-1]["board"]) == 5
        page.say("")
        page.until("turn")
        page.say("q")
        with pytest.raises(ConnectionClosed):
            page.until("never")
    first, second = server.hands(2)
    assert first.hand.is_over
    assert first.hand.payoffs[0] == over["won"] == over["total"]
    assert first.players == second.players == ("you", "bot")
    assert [format_card(card) for card in first.hand.board] == tables[-1]["board"]
    started = first.hand.records[0]
    chips = SeenChips(started)  # type: ignore[arg-type]
    for record in first.hand.records:
        chips.follow(record)
    assert chips.stacks == [seat["stack"] for seat in tables[-1]["seats"]]


@pytest.mark.parametrize("chosen", [{}, {"stack_blinds": 25, "opponents": ["always-call"], "search": False}])
def test_no_message_before_a_showdown_has_the_opponents_cards(server: Served, chosen: dict[str, object]) -> None:
    """At the table of the server, and at one that the page chose."""
    shown = folded = 0
    game = server.sessions.plan.game.model_copy(update={"stacks": (2_500, 2_500)} if chosen else {})
    with server.page({"table": chosen}) as page:
        page.next()  # the welcome, whose random token may read like a card
        for cards in deals(server, session=0, hands=12, game=game):
            start = len(page.texts)
            # Some hands are given up and some called down; the bot's advice and the equity must not know more either.
            while (message := page.until("turn", "over"))["type"] == "turn":
                page.say("w")
                page.until("advice")
                page.say("e")
                page.until("equity")
                page.say("f" if message["can_fold"] and folded <= shown else "c")
            for text in (COLOUR.sub("", text) for text in page.texts[start:]):
                if json.loads(text).get("event") == "CardsShown" and f'"{cards[0]}"' in text:
                    shown += 1
                    break
                assert not any(card in text for card in cards), text
            else:
                folded += 1
            page.say("w")
            page.until("advice", "told")
            page.say("")
    assert shown >= 3
    assert folded >= 3


@pytest.mark.parametrize(
    "message",
    [
        "",
        "c",
        "[]",
        "{}",
        '{"question": 1}',
        '{"question": "1", "line": "c"}',
        '{"question": 1, "line": "c", "cards": "AsAh"}',
        '{"question": 1, "line": ' + '"c' + " " * 60 + '"}',
        '{"question": 1e999, "line": "c"}',
        b"\x00\xff",
        "🎰",
    ],
)
def test_what_is_not_a_message_is_answered_and_changes_nothing(shared: Served, message: str | bytes) -> None:
    with shared.page() as page:
        page.until("turn")
        page.socket.send(message)
        told = page.next()
        assert told["type"] == "told"
        assert told["text"].endswith("nothing was done")
        page.say("c")
        assert page.until("table")["log"][0]["words"] in ("you check", "you call 50")


@pytest.mark.parametrize(
    "line",
    ["r 100000", "r 1", "r " + "9" * 30, "hello", "f", "n", "r -5", "<b>", "r NaN", "r inf", "r 1e3", "r ٣٠٠",
     "a 5", "c 500", "call me", "p 300", "\x00"],
)  # fmt: skip
def test_what_the_rules_do_not_allow_is_refused_with_a_sentence(shared: Served, line: str) -> None:
    with shared.page() as page:
        assert page.until("turn")["can_fold"] is False  # the big blind, after a call
        page.say(line)
        assert page.next()["type"] == "told"
        page.say("c")
        assert page.until("table")["log"][0]["words"] == "you check"


def test_an_answer_that_comes_twice_or_late_counts_once(shared: Served) -> None:
    with shared.page() as page:
        page.until("turn")
        first = page.question
        page.say("c")
        page.say("c")
        assert page.until("turn", "told")["type"] in ("turn", "told")
        page.say("a", question=first)
        page.say("c", question=first + 50)
        texts = [page.until("told")["text"] for _ in range(3 - sum('"told"' in text for text in page.texts))]
        assert all("nothing was done" in text for text in texts)
        boards = {len(json.loads(text)["board"]) for text in page.texts if '"board"' in text}
        assert max(boards) == 3  # one check: the flop, not the turn


@pytest.mark.parametrize("line", ["w", "r -5"])
def test_a_flood_ends_the_session_and_nobody_else_waits(server: Served, line: str) -> None:
    def last_word(page: Page) -> Message:
        with suppress(ConnectionClosed):
            while True:
                last = page.next()
        return last

    with server.page() as other, server.page() as page, ThreadPoolExecutor(1) as reader:
        other.until("turn")
        page.until("turn")
        question, last = page.question, reader.submit(last_word, page)  # a browser reads while its page sends
        with suppress(ConnectionClosed):
            for _ in range(20_000):
                page.say(line, question)
        other.say("c")
        assert other.until("table")["log"][0]["words"] == "you check"
        assert last.result(PATIENCE_SECONDS)["text"] == TOO_MANY
    server.hands(2)


@pytest.mark.long
def test_who_never_reads_is_not_waited_for(server: Served) -> None:
    """Answers to nonsense are kept for a while, not for ever."""
    request = ClientProtocol(parse_uri(server.address.replace("http", "ws") + "/play"))
    host, port = server.address.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=PATIENCE_SECONDS) as raw:
        request.send_request(request.connect())
        raw.sendall(b"".join(request.data_to_send()))
        request.receive_data(raw.recv(1 << 16))
        request.send_text(b'{"table": {}}')
        for _ in range(100):
            request.send_text(b"nonsense")
        block = b"".join(request.data_to_send())
        raw.settimeout(2)
        with pytest.raises(OSError):  # reset, or nobody takes it any more
            for _ in range(5_000):
                raw.sendall(block)
    deadline = time.monotonic() + PATIENCE_SECONDS
    while server.sessions.running and time.monotonic() < deadline:
        time.sleep(0.05)
    assert server.sessions.running == 0


def test_after_a_hand_nothing_but_the_next_one_the_advice_or_leaving(shared: Served) -> None:
    with shared.page() as page:
        page.play_hand()
        page.say("c")
        assert "the hand is over" in page.next()["text"]
        page.say("w")
        decisions = page.until("advice")["decisions"]
        assert len(decisions) == 4
        assert {decision["taken"] for decision in decisions} == {"check"}
        assert sum(option["frequency"] for option in decisions[0]["actions"]) == pytest.approx(1.0, abs=1e-5)
        page.say("?")
        assert "all-in" in page.until("help")["text"]


def test_a_page_that_is_closed_folds_and_the_hand_is_kept(server: Served) -> None:
    with server.page() as page:
        page.until("turn")
        page.say("r 300")
        page.until("turn")
    [stored] = server.hands(1)
    assert stored.hand.is_over
    assert "unfinished" not in stored.fields
    with server.page() as page:  # who comes back begins anew
        assert page.until("table")["hand"] == 1


def test_sessions_at_once_do_not_touch_each_other(server: Served) -> None:
    hands, people = 8, 4

    def visit(_: int) -> int:
        with server.page() as page:
            for number in range(hands):
                total: int = page.play_hand()["total"]
                page.say("" if number + 1 < hands else "q")
            with pytest.raises(ConnectionClosed):
                page.until("never")
            return total

    with ThreadPoolExecutor(people) as pool:
        won = sorted(pool.map(visit, range(people)))
    alone = []
    for session in range(people):  # the same cards and the same play without a server
        players = [open_baseline("always-call"), open_baseline("always-call")]
        table = LocalTable(Game(server.sessions.plan.game), players, seed=session_seed(SEED, session))
        for _ in range(hands):
            table.play_hand()
        alone.append(table.winnings[0])
    assert won == sorted(alone)
    assert len(set(won)) > 1
    assert sum(stored.hand.payoffs[0] for stored in server.hands(people * hands)) == sum(alone)


def test_a_table_too_many_is_refused_with_a_sentence(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("holdem.web.play.sessions.MOST_SESSIONS", 1)
    with server.page() as page:
        page.until("turn")  # before the other one comes
        with server.page() as late:
            assert "tables are taken" in late.until("told")["text"]
            with pytest.raises(ConnectionClosed):
                late.until("never")
        page.say("c")
        assert page.next()["type"] == "table"


def test_other_sites_and_other_host_names_are_refused(shared: Served) -> None:
    with pytest.raises(InvalidStatus, match="403"), shared.page(origin="http://example.com"):
        pass
    with shared.page(origin=shared.address) as page:
        assert page.next()["type"] == "welcome"


def test_a_profile_that_ends_the_session(tmp_path: Path) -> None:
    profile = TableProfile(opponents=("always-call",), max_hands=1, stacks=(600,))
    plan = PersonTable(profile, game_of(profile, load_preset("headsup_100bb")), None, None)
    with served(plan, tmp_path) as server, server.page() as page:
        page.until("table")
        page.play_hand("a")
        page.say("")
        assert page.until("told")["text"] == "1 hand was played: the table is closed"
        with pytest.raises(ConnectionClosed):
            page.until("never")
        assert server.hands(1)[0].hand.starting_stacks == (600, 600)


def test_six_seats_without_a_blueprint(tmp_path: Path) -> None:
    plan = PersonTable(TableProfile(opponents=("always-call",), hero_seat=2), load_preset("sixmax_100bb"), None, None)
    with served(plan, tmp_path) as server, server.page() as page:
        assert page.next()["advice"] is False
        seats = page.until("table")["seats"]
        assert [seat["name"] for seat in seats] == ["bot 4", "bot 5", "you", "bot 1", "bot 2", "bot 3"]
        assert sorted(seat["position"] for seat in seats) == sorted(["SB", "BB", "UTG", "HJ", "CO", "BTN"])
        assert [bool(seat["cards"]) for seat in seats] == [False, False, True, False, False, False]
        page.until("turn")
        page.say("w")
        assert "no blueprint to ask" in page.until("told")["text"]
        page.say("c")
        page.play_hand()
        shown = [seat["cards"] for seat in json.loads(page.texts[-2])["seats"]]
        assert any(shown[:2] + shown[3:])
