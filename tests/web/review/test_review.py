"""Reviews over the websocket: decisions as they come, losses, the summary; bounds, refusals, and pages that go."""

import json
import re
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from websockets.sync.client import connect

from holdem.blueprint.agent import BlueprintAgent
from holdem.game import Action, Game
from holdem.game.agent import Observation
from holdem.realtime.search.waiting_controller import SearchCompilation
from holdem.table.advice import open_advisor
from holdem.table.advice.advisor import Advisor
from holdem.table.advice.review import ReviewedDecision, own_decisions_of, review_decision
from holdem.table.history.hand_history import HandHistory, StoredHand
from holdem.table.history.hand_texts import HandTexts
from holdem.web.review import reviews
from holdem.web.review.reviews import PageGone, Review, ReviewRequest
from tests.table.policies import random_policy
from tests.waiting import PATIENCE_SECONDS
from tests.web.pages import Served, jam_or_fold_table, served
from tests.web.review.visits import JAMS, bring, get, review, write_jams

FILE = "jam/hands/jams.phhs"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("web")
    with served(jam_or_fold_table(folder), folder) as running:
        write_jams(running.runs / FILE)
        random_policy("three players").save(running.runs / "three")
        yield running


def asking(**more: object) -> dict[str, object]:
    return {"file": FILE, "policy": "jam", "milliseconds": 0, **more}


@pytest.fixture
def may_go_on(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """No review comes to the end of its second hand before this is set."""
    event = threading.Event()

    def waiting(advisor: Advisor, number: int, seen: Observation, taken: Action) -> ReviewedDecision:
        assert number == 1 or event.wait(PATIENCE_SECONDS)
        return review_decision(advisor, number, seen, taken)

    monkeypatch.setattr(reviews, "review_decision", waiting)
    yield event
    event.set()


def a_thousand_jams(server: Served) -> str:
    """The name of a file that takes a while."""
    first = (server.runs / FILE).read_text(encoding="utf-8").split("[1]\n")[1].split("[2]")[0]
    _, brought = bring(server, "".join(f"[{number}]\n{first}" for number in range(1_000)).encode())
    return str(brought["file"])


def test_decisions_come_one_by_one_and_are_summed_up(server: Served) -> None:
    messages = review(server, asking())
    assert [message["type"] for message in messages] == ["begun", *["decision", "progress"] * len(JAMS), "summary"]
    decisions = [message for message in messages if message["type"] == "decision"]
    assert [decision["hand"] for decision in decisions] == [1, 2, 3, 4, 5]
    lost = [decision["lost"] for decision in decisions]
    assert all(chips is not None and chips >= 0 for chips in lost)
    assert lost[0] > 0  # 7-2 called an all-in
    assert lost[1] > 200  # aces folded to it
    assert lost[2] == 0  # aces called it
    assert decisions[1]["best"].startswith("call")
    assert {"street", "actions", "chosen", "taken", "colour"} <= set(decisions[0]["bot"]) | set(
        decisions[0]["bot"]["actions"][0]
    )
    summary = messages[-1]
    assert not summary["stopped"]
    assert summary["hands"] == summary["lost"]["decisions"] == len(JAMS)
    assert summary["lost"]["chips"] == pytest.approx(sum(lost), abs=0.1)
    assert list(summary["by_street"]) == ["preflop"]
    assert list(summary["by_position"]) == ["BB"]


def test_a_review_that_is_stopped_sums_up_what_it_found(server: Served, may_go_on: threading.Event) -> None:
    with connect(server.address.replace("http", "ws") + "/review", open_timeout=PATIENCE_SECONDS) as page:
        page.send(json.dumps(asking(file=a_thousand_jams(server), last=1_000)))
        messages = [json.loads(page.recv(PATIENCE_SECONDS))]
        while messages[-1]["type"] != "decision":
            messages.append(json.loads(page.recv(PATIENCE_SECONDS)))
        page.send("stop")
        may_go_on.set()
        messages += [json.loads(text) for text in page]
    summary, decisions = messages[-1], [message for message in messages if message["type"] == "decision"]
    assert summary["type"] == "summary" and summary["stopped"]
    assert 1 <= summary["lost"]["decisions"] == len(decisions) < 1_000


def test_one_hand_or_the_last_ones(server: Served) -> None:
    def hands(**more: object) -> list[int]:
        return [message["hand"] for message in review(server, asking(**more)) if message["type"] == "decision"]

    assert hands(hand=2) == [2]
    assert hands(last=2) == [4, 5]
    assert hands(player="you", last=1) == [5]


def test_places_of_decisions_are_those_of_the_replay(server: Served) -> None:
    for message in review(server, asking()):
        if message["type"] == "decision":
            _, hand = get(server, "hand", file=FILE, hand=message["hand"])
            step = hand["decisions"][message["place"]]
            said = hand["steps"][step + 1]["seats"][hand["seat"]]["last"].replace(",", "")
            assert said == message["taken"]


def test_each_hand_is_compared_with_the_policy_for_its_seats(server: Served) -> None:
    """Hands of two tables in one file."""
    both = server.runs / "jam" / "hands" / "both.phhs"
    write_jams(both)
    with HandHistory.open(both) as history:
        hand = Game(random_policy("three players").config).new_hand(seed=1)
        while not hand.is_over:
            hand.act(Action.check_or_call())
        history.append(hand, hero_seat=0)
    fitting = review(server, {"file": "jam/hands/both.phhs", "milliseconds": 0})
    assert {message["hand"] for message in fitting if message["type"] == "decision"} == {1, 2, 3, 4, 5, 6}
    assert fitting[-1]["left_out"] == ""
    named = review(server, {"file": "jam/hands/both.phhs", "policy": "three", "milliseconds": 0})
    assert {message["hand"] for message in named if message["type"] == "decision"} == {6}
    assert "5 hands with a number of seats that no chosen policy has" in named[-1]["left_out"]
    _, newest = get(server, "hands", file="jam/hands/both.phhs", first=0)
    assert (newest["first"], len(newest["hands"])) == (1, 6)


def test_what_was_folded_for_somebody_who_left_is_no_mistake(server: Served) -> None:
    with server.page() as page:
        page.until("turn")
    stored = server.hands(1)[0]
    assert stored.fields["_left"] == 0
    _, listed = get(server, "histories")
    _, hand = get(server, "hand", file=listed["session"], hand=1)
    assert hand["left"] and hand["decisions"] == []
    messages = review(server, {"file": listed["session"], "milliseconds": 0})
    assert [message["type"] for message in messages] == ["begun", "progress", "summary"]


@pytest.mark.parametrize("left", ["1", "100000000000000000000000000", "true", "-1", "1.5", "'x'"])
def test_a_file_may_say_any_number_of_own_decisions(server: Served, left: str) -> None:
    text = (server.runs / FILE).read_text(encoding="utf-8").replace("[2]\n", f"[2]\n_left = {left}\n")
    _, brought = bring(server, text.encode())
    messages = review(server, asking(file=brought["file"]))
    assert [message["hand"] for message in messages if message["type"] == "decision"] == [1, 2, 3, 4, 5]
    assert messages[-1]["left_out"] == ""


def test_a_hand_whose_decisions_cannot_be_found_is_left_out(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    def some(stored: StoredHand, seat: int) -> Iterator[tuple[Observation, Action]]:
        if stored.name == "2":
            raise ValueError("as if the file had said something strange")
        return own_decisions_of(stored, seat)

    monkeypatch.setattr(reviews, "own_decisions_of", some)
    messages = review(server, asking())
    assert [message["hand"] for message in messages if message["type"] == "decision"] == [1, 3, 4, 5]
    assert messages[-1]["left_out"] == "left out: 1 hand that cannot be read or reviewed"


@pytest.mark.parametrize(("old", "new"), [("variant = 'NT'", "variant = 'PO'"), ("_hero_seat = 0", "_hero_seat = 9")])
def test_a_review_whose_page_goes_ends_before_its_first_hand(
    server: Served, old: str, new: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also among hands that cannot be read, or whose player is not known."""
    folded = (server.runs / FILE).read_text(encoding="utf-8").split("[2]\n")[1].split("[3]")[0]
    hand = re.sub(r"(d dh p\d) \w{4}", r"\1 ????", folded.replace(old, new))
    texts = HandTexts.split("".join(f"[{number}]\n{hand}\n" for number in range(1, 101)).encode(), "hands")
    read: list[int] = []
    hand_of = HandTexts.hand

    def counted(texts: HandTexts, number: int) -> StoredHand:
        read.append(number)
        return hand_of(texts, number)

    monkeypatch.setattr(HandTexts, "hand", counted)
    with pytest.raises(PageGone):
        Review(ReviewRequest(file="hands"), texts, {}, lambda _: None, lambda: len(read) >= 3).run()
    assert read == [1, 2, 3]


def test_policies_are_offered_with_their_seats(server: Served) -> None:
    _, offered = get(server, "review-policies")
    assert {(one["name"], one["seats"]) for one in offered["policies"]} == {("jam", 2), ("three", 3)}
    assert offered["played"] == "jam"


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"policy": "three"}, "no hand has 3 seats"),
        ({"policy": "nobody"}, "there is no policy called 'nobody'"),
        ({"policy": "../jam"}, "there is no policy"),
        ({"file": "nowhere"}, "there is no file called"),
        ({"file": "brought:x"}, "bring it again"),
        ({"hand": 99}, "has 5 hands"),
        ({"player": "Ann"}, "choose a player"),
    ],
)
def test_what_cannot_be_reviewed_is_one_sentence(server: Served, more: dict[str, object], words: str) -> None:
    [told] = review(server, asking(**more))
    assert told["type"] == "told"
    assert words in told["text"]


@pytest.mark.parametrize(
    "request_",
    [
        "", "[]", "{}", "nonsense", b"\x00\xff", '{"file": 1, "policy": "jam"}', json.dumps(asking(milliseconds=6_000)),
        json.dumps(asking(milliseconds="0")), json.dumps(asking(milliseconds=-1)), json.dumps(asking(last=5_000)),
        json.dumps(asking(hand=0)), json.dumps(asking(hand=True)), json.dumps(asking(code="x")), '{"file": 1e999}',
    ],
)  # fmt: skip
def test_what_is_no_request_gets_a_sentence(server: Served, request_: str | bytes) -> None:
    [told] = review(server, request_)
    assert "reload the page" in told["text"]


@pytest.mark.long
def test_a_review_too_many_is_refused_and_a_page_that_goes_frees_its_place(
    server: Served, may_go_on: threading.Event
) -> None:
    name = a_thousand_jams(server)
    address = server.address.replace("http", "ws") + "/review"
    with ExitStack() as stack:
        for _ in range(2):
            socket = stack.enter_context(connect(address, open_timeout=PATIENCE_SECONDS))
            socket.send(json.dumps(asking(file=name, last=1_000)))
            assert json.loads(socket.recv(timeout=PATIENCE_SECONDS))["type"] == "begun"
        [told] = review(server, asking())
        assert "try again" in told["text"]
    may_go_on.set()
    deadline = time.monotonic() + PATIENCE_SECONDS
    while (messages := review(server, asking(hand=1)))[0]["type"] == "told" and time.monotonic() < deadline:
        time.sleep(0.1)
    assert messages[-1]["type"] == "summary"


def test_what_a_review_lacks_is_compiled_in_a_process_of_its_own(
    server: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The tables of other pages do not wait for the compiler."""
    begun, compile_search = [], SearchCompilation.of

    def of(path: str, blueprint: BlueprintAgent) -> SearchCompilation:
        begun.append(compile_search(path, blueprint))
        return begun[-1]

    monkeypatch.setattr(open_advisor, "search_is_ready", lambda _: False)
    monkeypatch.setattr(SearchCompilation, "of", of)
    assert review(server, asking(hand=1, milliseconds=20))[-1]["type"] == "summary"
    [one] = begun
    assert one.over.is_set() and one.ready
