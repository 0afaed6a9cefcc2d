"""Hands step by step: what a table told its player comes again from the file, and nothing that the seat did not see."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from holdem.cards.cards import format_card
from holdem.game import Game
from holdem.game.presets import load_preset
from holdem.game.records import CardsShown
from holdem.table.advice.review import own_decisions_of
from holdem.table.history.hand_history import HandHistory
from holdem.table.history.hand_texts import HandTexts
from holdem.table.history.observed_hand import ObservedHand, seen_by
from holdem.table.person.table import PersonTable
from holdem.table.profiles.profiles import TableProfile, game_of
from holdem.web.review.hand_data import list_hands, show_hand
from tests.game.test_phh import DWAN_IVEY, RAKED
from tests.table.history.test_hand_history import random_hand
from tests.web.pages import Served, jam_or_fold_table, served
from tests.web.review.visits import CALL, get, jam, write_jams


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Served]:
    with served(jam_or_fold_table(tmp_path), tmp_path) as running:
        yield running


def all_in_blinds(opponents: int) -> PersonTable:
    """A table where the blinds are all that anybody has."""
    profile = TableProfile(opponents=("always-call",) * opponents, stacks=(50,))
    return PersonTable(profile, game_of(profile, load_preset("headsup_100bb")), None, None)


def played_and_replayed(server: Served, lines: list[str]) -> None:
    """Play hands, and compare what the page got with what the file gives."""
    told: list[list[dict[str, object]]] = []
    with server.page() as page:
        for number, line in enumerate(lines, 1):
            start = len(page.texts)
            if page.until("turn", "over")["type"] == "turn":
                page.say(line)
                page.play_hand("c")
            messages = [json.loads(text) for text in page.texts[start:]]
            told.append([message for message in messages if message["type"] == "table"])
            page.say("" if number < len(lines) else "q")
    server.sessions.close()
    _, listed = get(server, "histories")
    for number, messages in enumerate(told, 1):
        _, hand = get(server, "hand", file=listed["session"], hand=number)
        assert hand["steps"] == messages
        assert len(hand["actors"]) == len(messages)
        for step in hand["decisions"]:
            assert hand["actors"][step] == hand["seat"]
            assert hand["steps"][step + 1]["log"][0]["words"].startswith("you ")


def test_a_stored_hand_gives_the_messages_that_the_table_sent(server: Served) -> None:
    played_and_replayed(server, ["c", "a", "r 300", "c", "p"])


def test_a_hand_that_plays_itself_is_stepped_through_too(tmp_path: Path) -> None:
    with served(all_in_blinds(1), tmp_path) as server:
        played_and_replayed(server, ["c", "c"])


def test_six_seats_give_the_same_messages(tmp_path: Path) -> None:
    plan = PersonTable(TableProfile(opponents=("always-call",), hero_seat=2), load_preset("sixmax_100bb"), None, None)
    with served(plan, tmp_path) as server:
        played_and_replayed(server, ["c", "p"])


def test_a_hand_as_one_seat_saw_it_has_no_other_cards(server: Served) -> None:
    path = server.runs / "jam" / "hands" / "many.phhs"
    hands = [random_hand(seed, seats=2 + seed % 5) for seed in range(40)]
    with HandHistory.open(path) as history:
        for number, hand in enumerate(hands):
            seat = number % hand.num_seats
            names = tuple(f"player {place}" for place in range(hand.num_seats))
            history.append(ObservedHand(number, seat, names, seen_by(hand.records, seat), hand.payoffs))
    hidden = 0
    for number, hand in enumerate(hands, 1):
        seat = (number - 1) % hand.num_seats
        for player in (None, *(f"player {place}" for place in range(hand.num_seats))):
            query = {} if player is None else {"player": player}
            _, shown = get(server, "hand", file="jam/hands/many.phhs", hand=number, **query)
            text = json.dumps(shown)
            shows = {record.seat for record in hand.records if isinstance(record, CardsShown)}
            for place in range(hand.num_seats):
                cards = [format_card(card) for card in hand.hole_cards[place] or ()]
                if place not in shows and place != seat:
                    hidden += 1
                    assert not any(f'"{card}"' in text for card in cards), (number, player, cards)
    assert hidden > 100


def test_a_file_with_everybodys_cards_shows_those_of_the_seat_that_is_chosen(server: Served) -> None:
    path = server.runs / "jam" / "hands" / "open.phhs"
    hand = Game.from_preset("headsup_100bb").new_hand(hole_cards=["AsKs", "QdQh"], board="Kc7d2c5h9s")
    hand.bet_or_raise_to(300)
    hand.fold()
    with HandHistory.open(path) as history:
        history.append(hand, players=["Ann", "Bob"])
    for player, own, other in (("Ann", ["As", "Ks"], "Qd"), ("Bob", ["Qd", "Qh"], "As")):
        _, shown = get(server, "hand", file="jam/hands/open.phhs", hand=1, player=player)
        assert shown["cards"] == own
        assert shown["decisions"]
        assert other not in json.dumps(shown)


def test_cards_that_are_shown_later_open_the_decisions_that_a_review_looks_at() -> None:
    """p1 and p3 are not dealt face up, and show; without a name the seat of p2 is taken, as ever."""
    hands = DWAN_IVEY.replace("d dh p1 Ac2d", "d dh p1 ????").replace("d dh p3 7h6h", "d dh p3 ????")
    content = hands.replace("d dh p2 ????", "d dh p2 TsTd")
    texts = HandTexts.split(f"{content}players = ['Ivey', 'Antonius', 'Dwan']\n".encode(), "dwan.phh")
    stored = texts.hand(1)
    found = {}
    for seat, name in enumerate(stored.players):
        shown = show_hand(texts, 1, name)
        assert len(shown["decisions"]) == len(list(own_decisions_of(stored, seat)))
        assert shown["steps"][0]["seats"][seat]["cards"] == (shown["cards"] if name == "Antonius" else [])
        assert list_hands(texts, name, 1)["hands"][0]["cards"] == shown["cards"]
        found[name] = " ".join(shown["cards"]), [shown["actors"][step] for step in shown["decisions"]]
    assert found == {"Ivey": ("Ac 2d", [0] * 4), "Antonius": ("Ts Td", [1]), "Dwan": ("7h 6h", [2] * 5)}
    assert show_hand(texts, 1, None)["seat"] == 1


def test_a_hand_without_the_one_who_is_watched_has_neither_cards_nor_a_result() -> None:
    """Two tables in one file; everybody's cards are known."""
    named = "players = ['Ann', 'Bob', 'Cy']\n", "players = ['Dan', 'Eve', 'Fay']\n"
    texts = HandTexts.split("".join(f"[{n}]\n{DWAN_IVEY}{names}" for n, names in enumerate(named, 1)).encode(), "x")
    there, absent = list_hands(texts, "Cy", 1)["hands"]
    assert (there["absent"], there["won"], there["cards"]) == (False, 556_000, ["7h", "6h"])
    assert (absent["absent"], absent["won"], absent["cards"], absent["player"]) == (True, None, [], "Cy")
    hand = show_hand(texts, 2, "Cy")
    assert (hand["absent"], hand["seat"], hand["won"], hand["decisions"]) == (True, None, None, [])
    assert [seat["cards"] for seat in hand["steps"][0]["seats"]] == [[], [], []]
    assert [seat["cards"] for seat in hand["steps"][-1]["seats"]] == [["Ac", "2d"], [], ["7h", "6h"]], "they were shown"
    assert show_hand(texts, 2, "Fay")["won"] == 556_000
    assert not any("Cy" in line["words"] for step in hand["steps"] for line in step["log"])


def test_what_a_room_took_is_not_in_the_result() -> None:
    texts = HandTexts.split(f"{RAKED}finishing_stacks = [99.50, 109, 90.50]\nplayers = ['a', 'b', 'c']\n".encode(), "x")
    assert [list_hands(texts, name, 1)["hands"][0]["won"] for name in "abc"] == [-50, 900, -950]
    assert show_hand(texts, 1, "b")["won"] == 900


@pytest.mark.parametrize(("asked", "first"), [(0, 201), (1, 1), (101, 101), (205, 205), (206, 201), (10**9, 201)])
def test_a_page_of_hands_that_is_not_there_is_the_newest(asked: int, first: int) -> None:
    texts = HandTexts.split("".join(f"[{n}]\n{DWAN_IVEY}" for n in range(205)).encode(), "x")
    page = list_hands(texts, None, asked)
    assert page["first"] == first == page["hands"][0]["number"]


@pytest.mark.parametrize("field", ["_hero_seat", "_left"])
def test_a_seat_of_true_is_none(field: str) -> None:
    """In Python it is the number 1; pages got it as `true`."""
    texts = HandTexts.split(f"{DWAN_IVEY}_hero_seat = 1\n{field} = true\n".replace(
        "_hero_seat = 1\n_hero_seat", "_hero_seat"
    ).encode(), "x")  # fmt: skip
    [row] = list_hands(texts, None, 1)["hands"]
    assert type(row["seat"]) is int and row["left"] is False


def test_you_is_said_of_the_person_only(server: Served) -> None:
    write_jams(server.runs / "jam" / "hands" / "jams.phhs")
    path = server.runs / "jam" / "hands" / "names.phhs"
    with HandHistory.open(path) as history:
        history.append(jam("AsAh", CALL), players=["Ann", "Bob"])

    def shown(file: str, **player: str) -> tuple[str, list[str]]:
        _, hand = get(server, "hand", file=f"jam/hands/{file}", hand=1, **player)
        return hand["who"], [line["words"] for step in hand["steps"] for line in step["log"]]

    who, log = shown("jams.phhs")
    assert who == "you"
    assert {"you post blind 100", "bot posts blind 50", "you are dealt", "you call 900 all-in"} <= set(log)
    who, log = shown("jams.phhs", player="bot")
    assert who == "bot"
    assert {"you post blind 100", "bot posts blind 50", "bot raises to 1,000 all-in", "you call 900 all-in"} <= set(log)
    who, log = shown("names.phhs", player="Ann")
    assert who == "Ann"
    assert {"Ann posts blind 100", "Ann is dealt", "Ann calls 900 all-in"} <= set(log)
    assert not any("you" in line.split() for line in log)
