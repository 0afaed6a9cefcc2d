"""The play page in a real browser: reload, a lost connection, another table, the keyboard alone, three sizes, words."""

import json
import re
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from holdem.game.presets import load_preset
from holdem.table.person.table import PersonTable, plan_table
from holdem.table.profiles.profiles import TableProfile
from tests.browser.chromium import SIZES, off_screen, open_page
from tests.table.policies import random_policy
from tests.web.pages import Served, jam_or_fold_table, served

TURN = "#call:not([disabled])"
TURN_OR_END = f"{TURN}, #next:not([hidden])"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Served]:
    with served(jam_or_fold_table(tmp_path), tmp_path) as running:
        yield running


def shown(page: Any) -> list[str]:
    """What is on the table: every card as it is spoken, the pot, the stacks, and what can be done."""
    cards = page.eval_on_selector_all(".felt .card", "all => all.map((one) => one.getAttribute('aria-label') ?? '')")
    words = [page.inner_text(name) for name in (".pot", "#call", "#raise", "#log", "#total", "#hands", "#hand-list")]
    return [*cards, *words, *page.locator(".stack").all_inner_texts()]


def play_to_the_end(page: Any) -> None:
    while not page.is_visible("#next"):
        page.wait_for_selector(TURN_OR_END)
        page.keyboard.press("c")


def test_a_reload_in_the_middle_of_a_hand(server: Served, page: Any) -> None:
    page.goto(server.address)
    page.wait_for_selector(TURN)
    play_to_the_end(page)
    page.keyboard.press("Enter")
    page.wait_for_selector(TURN)
    page.keyboard.press("c")
    page.wait_for_selector(".board .card:not(.slot)")
    page.wait_for_selector(TURN)
    hands = page.locator("#hand-list li").count()
    before = [words for words in shown(page) if "Hand 1" not in words]
    page.reload()
    page.wait_for_selector(TURN)
    after = [words for words in shown(page) if "Hand 1" not in words]
    assert [words for words in after if "Hand 2" not in words] == [words for words in before if "Hand 2" not in words]
    assert page.locator("#hand-list li").count() == hands == 1
    assert "number" in (page.get_attribute("#total", "class") or "")
    play_to_the_end(page)
    assert page.inner_text("#hands") == "2"
    link = page.get_attribute("#hand-list li:first-child a", "href")
    assert link == "/review?file=hands.phhs&hand=2"
    server.hands(2)


def test_a_connection_that_is_cut(server: Served, browser: Any) -> None:
    with open_page(browser) as page:  # the browser itself writes to the console that it has no network
        page.goto(server.address)
        page.wait_for_selector(TURN)
        before = shown(page)
        page.context.set_offline(True)
        page.get_by_text("the connection is lost").wait_for()
        assert not page.is_enabled("#call")
        page.wait_for_timeout(1_500)
        page.context.set_offline(False)
        page.wait_for_selector(TURN)
        assert shown(page) == before
        play_to_the_end(page)
    server.sessions.close()
    assert server.sessions.hands_played == 1


def test_a_second_page_takes_the_table_and_gives_it_back(server: Served, page: Any) -> None:
    page.goto(server.address)
    page.wait_for_selector(TURN)
    token = page.evaluate("sessionStorage.getItem('table token')")
    other = page.context.new_page()
    other.add_init_script(f"sessionStorage.setItem('table token', {token!r})")
    other.goto(server.address)
    other.wait_for_selector(TURN)
    page.get_by_text("open on another page now").first.wait_for()
    page.click("#again")
    page.wait_for_selector(TURN)
    other.get_by_text("open on another page now").first.wait_for()
    play_to_the_end(page)
    server.hands(1)


def test_a_server_that_was_started_anew(tmp_path: Path, server: Served, page: Any) -> None:
    page.goto(server.address)
    page.wait_for_selector(TURN)
    page.evaluate("sessionStorage.setItem('table token', 'of a server before this one')")
    page.reload()
    page.wait_for_selector(TURN)
    assert "that table is not there any more" in page.inner_text("#log")


def test_another_table_is_chosen_in_the_page(tmp_path: Path, page: Any) -> None:
    random_policy("three players").save(tmp_path / "runs" / "three")
    with served(jam_or_fold_table(tmp_path), tmp_path) as server:
        page.goto(server.address)
        page.wait_for_selector(TURN)
        page.click("#table", force=True)
        page.get_by_text("when this hand is over").wait_for()
        play_to_the_end(page)
        page.click("#table")
        page.select_option("[name=seats]", "3")
        page.fill("[name=stack_blinds]", "25")
        page.select_option("[name=opponents]", "always-call")
        page.click("text=Sit down >> visible=true")
        page.wait_for_selector(".seat >> nth=2")
        assert page.locator(".seat").count() == 3
        page.wait_for_selector(TURN)
        assert "2,500" in page.locator(".stack").all_inner_texts() or "2,400" in page.inner_text("#felt")
        page.reload()
        page.wait_for_selector(TURN)
        assert page.locator(".seat").count() == 3


def row_of(server: Served, name: str) -> dict[str, Any]:
    with urllib.request.urlopen(f"{server.address}/data/table", timeout=60) as response:
        rows: list[dict[str, Any]] = json.load(response)["policies"]
    return next(row for row in rows if row["name"] == name)


def leave_and_choose(page: Any) -> None:
    """Until the dialog is there."""
    page.click("#leave")
    page.click("#choose")
    page.wait_for_selector("dialog[open]")


def all_chips(page: Any) -> int:
    """Of all players, those in the pot too."""
    page.wait_for_selector(TURN)
    return sum(int(re.sub(r"\D", "", words)) for words in page.locator(".stack, .pot").all_inner_texts())


def test_the_dialog_shows_the_stacks_that_are_dealt(tmp_path: Path, page: Any) -> None:
    """Of each policy, until a number is typed."""
    random_policy("headsup_200bb").save(tmp_path / "runs" / "deep")
    with served(jam_or_fold_table(tmp_path), tmp_path) as server:
        page.goto(server.address)
        page.wait_for_selector(TURN)
        assert all_chips(page) == 2 * 1_000
        leave_and_choose(page)
        stacks = page.locator("[name=stack_blinds]")
        assert (stacks.input_value(), stacks.get_attribute("placeholder")) == ("", "10")
        offered = page.locator("[name=opponents] option").all_inner_texts()
        assert {"no search: deep", "searches: deep"} < set(offered), "where a name is cut, the difference is still read"
        page.select_option("[name=policy]", "deep")
        assert (stacks.input_value(), stacks.get_attribute("placeholder")) == ("", row_of(server, "deep")["stacks"])
        page.select_option("[name=opponents]", "always-call")
        page.click("button[value=sit]")
        assert all_chips(page) == 2 * 20_000
        leave_and_choose(page)
        page.fill("[name=stack_blinds]", "10")  # what the first policy has can be chosen for the second
        page.click("button[value=sit]")
        assert all_chips(page) == 2 * 1_000
        leave_and_choose(page)
        assert stacks.input_value() == "10"
        page.fill("[name=stack_blinds]", "")
        page.click("button[value=sit]")
        assert all_chips(page) == 2 * 20_000


def test_the_table_that_the_server_was_started_with_stays_in_what_is_not_chosen(tmp_path: Path, page: Any) -> None:
    plan = jam_or_fold_table(tmp_path)
    profile = TableProfile(
        opponents=("always-call",), small_blind=25, big_blind=50, ante=10, stacks=(5_000,), hero_seat=1
    )
    with served(plan_table(plan.policy, None, profile, None), tmp_path) as server:
        page.goto(server.address)
        page.wait_for_selector(TURN)
        leave_and_choose(page)
        assert page.get_attribute("[name=stack_blinds]", "placeholder") == "100"
        page.select_option("[name=opponents]", "random")
        page.click("button[value=sit]")
        page.wait_for_selector(TURN)
        assert page.inner_text("#game") == "2 seats · blinds 25/50"
        assert page.evaluate("[...document.querySelectorAll('.seat')].findIndex((seat) => seat.matches('.you'))") == 1


@pytest.mark.parametrize("size", SIZES)
def test_each_seat_its_own_opponent(tmp_path: Path, browser: Any, size: str) -> None:
    plan = PersonTable(
        TableProfile(opponents=("always-call", "random", "random", "pot-odds", "random")),
        load_preset("sixmax_100bb"),
        None,
        None,
    )
    with served(plan, tmp_path) as server, open_page(browser, size) as page:
        page.goto(server.address)
        page.wait_for_selector(TURN)
        leave_and_choose(page)
        each = page.locator("#each-opponent select")
        assert each.evaluate_all("all => all.map((one) => one.value)") == list(plan.profile.opponents)
        assert off_screen(page) == []
        page.focus("[name=opponents]")
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.labels[0].textContent").startswith("bot 1, on your left")
        each.nth(1).select_option("fold-to-any-bet")
        page.click("button[value=sit]")
        page.wait_for_selector(TURN)
        asked = json.loads(page.evaluate("sessionStorage.getItem('table options')"))
        assert asked["opponents"] == ["always-call", "fold-to-any-bet", "random", "pot-odds", "random"]
        leave_and_choose(page)
        assert each.nth(1).input_value() == "fold-to-any-bet"
        page.select_option("[name=opponents]", "random")
        assert each.count() == 0
        page.select_option("[name=opponents]", label="another one in each seat…")
        assert each.evaluate_all("all => all.map((one) => one.value)") == ["random"] * 5
        assert page.errors == []


def test_a_number_that_cannot_be_bet_is_not_sent(tmp_path: Path, page: Any) -> None:
    """Too much, too little, no number: a sentence, and the question stays; the number is never made into another."""
    plan = PersonTable(TableProfile(opponents=("always-call",)), load_preset("headsup_100bb"), None, None)
    with served(plan, tmp_path) as server:
        page.goto(server.address)
        page.wait_for_selector(TURN)
        log = page.inner_text("#log")
        refused = {"60000": "60,000 is not possible; raise to 200 up to 10,000", "50": "50 is not possible"}
        for typed in ("60000", "50", "6oo", "2,5bb", ""):
            sentence = refused.get(typed, "chips are a number, such as 600 or 6bb")
            page.fill("#amount", typed)
            page.press("#amount", "Enter")
            assert page.inner_text("#told").startswith(sentence)
            assert page.evaluate("document.activeElement.id") == "amount", "it can be put right"
            page.click("#raise")
            assert page.inner_text("#told").startswith(sentence)
            assert page.input_value("#amount") == typed
            page.evaluate("document.activeElement.blur()")
            page.keyboard.press("r")
            assert page.is_enabled("#call") and page.inner_text("#log") == log, "nothing was done"
        page.click("[data-size=half_pot]")
        assert page.inner_text("#told") == ""
        assert "200" in page.inner_text("#raise")
        page.fill("#amount", "1,250")
        page.press("#amount", "Enter")
        page.get_by_text("raises to 1,250").or_(page.get_by_text("raise to 1,250")).first.wait_for()


@pytest.mark.parametrize("leaves", [False, True])
def test_a_connection_that_dies_without_a_word(server: Served, page: Any, leaves: bool) -> None:
    """Nothing comes through any more, and nobody says that it was closed."""
    sockets: list[Any] = []
    dead: list[bool] = []

    def through(socket: Any) -> None:
        sockets.append(socket)
        there, number = socket.connect_to_server(), len(sockets)
        socket.on_message(lambda message: there.send(message) if not (dead and number == 1) else None)

    page.route_web_socket(lambda url: url.endswith("/play"), through)
    page.goto(server.address)
    page.wait_for_selector(TURN)
    dead.append(True)
    page.click("#call")
    if leaves:
        page.wait_for_function("() => !document.getElementById('waiting').hidden")
        page.click("#leave")
        page.get_by_text("you left the table").wait_for()
        return
    page.wait_for_selector(TURN)  # of the connection that was made again: the call never came to the table
    assert len(sockets) == 2
    assert server.sessions.running == 1
    page.click("#call")
    page.wait_for_selector(".board .card:not(.slot)")


def ask_for_six_seats(server: Served, page: Any) -> None:
    """At a server that has no policy for them."""
    page.goto(server.address)
    page.wait_for_selector(TURN)
    page.click("#leave")
    page.get_by_text("you left the table").wait_for()
    page.evaluate("sessionStorage.setItem('table options', '{\"seats\": 6}')")
    page.click("#again")


def test_a_table_that_cannot_be_is_a_sentence(server: Served, page: Any) -> None:
    ask_for_six_seats(server, page)
    page.get_by_text("there is no policy for 6 seats").first.wait_for()
    page.click("#again")
    page.wait_for_selector(TURN)


def test_the_keyboard_alone(server: Served, page: Any) -> None:
    page.goto(server.address)
    page.wait_for_selector(TURN)
    play_to_the_end(page)
    page.evaluate("document.activeElement.blur()")
    reached = set()
    for _ in range(40):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.id || document.activeElement.tagName"))
        outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        assert outline != "none" or page.evaluate("document.activeElement === document.body")
    assert {"next", "table", "leave", "show-equity", "sounds", "always", "ask", "log"} <= reached
    page.focus("#table")
    page.keyboard.press("Enter")
    page.wait_for_selector("dialog[open]")
    assert page.evaluate("document.activeElement.name") == "seats"
    page.keyboard.press("Escape")
    page.focus("#next")
    page.keyboard.press("Enter")
    page.wait_for_selector(TURN)
    page.focus("#call")
    page.keyboard.press("Enter")
    page.wait_for_selector(".board .card:not(.slot)")
    page.wait_for_selector(TURN)
    page.focus("#leave")
    page.keyboard.press("Enter")
    page.get_by_text("you left the table").wait_for()
    assert page.evaluate("document.activeElement.id") == "again"


def test_the_keyboard_stays_at_the_moves(server: Served, page: Any) -> None:
    page.goto(server.address)
    page.wait_for_selector(TURN)
    page.focus("#call")
    page.keyboard.press("Enter")
    while not page.is_visible("#next"):
        page.wait_for_selector(".moves :focus")
        assert page.evaluate("document.activeElement.id") in ("call", "next")
        page.keyboard.press("Enter")
        page.wait_for_selector(TURN_OR_END)
    page.wait_for_selector("#next:focus")
    page.keyboard.press("Enter")
    page.wait_for_selector(TURN)
    assert page.evaluate("document.activeElement.id") == "moves", "a key pressed twice makes no move of a new hand"
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('.moves') !== null")


def test_what_was_said_ends_with_the_table(server: Served, page: Any) -> None:
    page.goto(server.address)
    page.wait_for_selector(TURN)
    assert page.inner_text("#told") == "Your turn"
    assert page.get_attribute("#table", "aria-disabled") == "true"
    page.click("#leave")
    page.get_by_text("you left the table").wait_for()
    assert page.inner_text("#told") == ""
    assert page.get_attribute("#table", "aria-disabled") == "false"


@pytest.mark.parametrize("seats", ["headsup_100bb", "sixmax_100bb"])
def test_no_button_is_off_the_screen(tmp_path: Path, browser: Any, seats: str) -> None:
    plan = PersonTable(TableProfile(opponents=("always-call",)), load_preset(seats), None, None)
    with served(plan, tmp_path) as server:
        for size in SIZES:
            with ExitStack() as stack:
                page = stack.enter_context(open_page(browser, size))
                page.goto(server.address)
                page.wait_for_selector(TURN)
                assert off_screen(page) == []
                page.evaluate("document.getElementById('advice-panel').hidden = false")  # as with a policy to ask
                moves = ("#fold", "#call", "#raise", "[data-size=min]", "[data-size=all_in]", "#slider", "#amount")
                for name in (*moves, "#table", "#leave", "#ask", "nav a:last-child"):
                    box = page.locator(name).bounding_box()
                    assert box["y"] >= 0, (size, name)
                    assert box["y"] + box["height"] <= page.evaluate("innerHeight"), (size, name)
                own = page.locator(".seat.you").bounding_box()
                controls = page.locator(".controls").bounding_box()
                assert own["y"] + own["height"] <= controls["y"] + 12, f"{size}: the buttons hide the own cards"
                play_to_the_end(page)
                box = page.locator("#next").bounding_box()
                assert box["y"] + box["height"] <= page.evaluate("innerHeight"), size
                assert page.errors == []


def test_equity_is_an_option(server: Served, laptop: Any) -> None:
    laptop.goto(server.address)
    laptop.wait_for_selector(TURN)
    assert laptop.inner_text("#equity") == ""
    laptop.check("#show-equity")
    laptop.wait_for_selector("#equity:not(:empty)")
    assert "against what the betting leaves the others" in laptop.inner_text("#equity")
    laptop.click("#call")
    laptop.wait_for_selector(".board .card:not(.slot)")
    laptop.wait_for_selector("#equity:not(:empty)")


@pytest.mark.parametrize("size", ["desktop", "laptop"])
def test_the_newest_line_of_the_log_stays_on_the_screen_beside_long_advice(
    server: Served, browser: Any, size: str
) -> None:
    with open_page(browser, size) as page:
        page.goto(server.address)
        page.wait_for_selector(TURN)
        page.check("#show-equity")
        page.evaluate(
            """() => {
              const line = (words) => Object.assign(document.createElement("p"), { textContent: words });
              const log = document.getElementById("log");
              log.append(...Array.from({ length: 60 }, (_, number) => line(`line ${number}`)));
              log.scrollTop = log.scrollHeight;
              document.getElementById("advice").append(...Array.from({ length: 40 }, () => line("advice")));
            }"""
        )
        page.wait_for_function(
            """() => {
              const newest = document.querySelector("#log > :last-child").getBoundingClientRect();
              const log = document.getElementById("log").getBoundingClientRect();
              return newest.bottom <= log.bottom + 1 && log.bottom <= innerHeight && log.height > 60;
            }"""
        )
        assert page.locator("#advice").bounding_box()["height"] > 60
        assert page.errors == []


def test_advice_goes_with_its_question(server: Served, page: Any) -> None:
    page.goto(server.address)
    page.wait_for_selector(TURN)
    page.keyboard.press("w")
    page.wait_for_selector("#advice .decision .head:has-text('preflop')")
    page.keyboard.press("c")
    page.wait_for_selector(".board .card:not(.slot)")
    page.wait_for_selector(TURN)
    assert page.locator("#advice .decision").count() == 0
    page.reload()
    page.wait_for_selector(TURN)
    assert page.locator("#advice .decision").count() == 0, "nor does a page that comes back get it"


def test_what_was_chosen_is_asked_for_when_the_page_comes_back(server: Served, page: Any) -> None:
    lines: list[str] = []
    page.on(
        "websocket",
        lambda socket: socket.on("framesent", lambda text: lines.append(json.loads(text).get("line", "hello"))),
    )
    page.goto(server.address)
    page.wait_for_selector(TURN)
    assert lines == ["hello"]
    for name in ("advice at every turn", "equity at every turn"):
        page.evaluate(f"localStorage.setItem('{name}', 'yes')")
    for _ in range(2):  # what was found is shown again, not asked for again
        page.reload()
        page.wait_for_selector("#advice .decision")
        page.wait_for_selector("#equity:not(:empty)")
        page.wait_for_selector(TURN)
    assert lines == ["hello", "hello", "w", "e", "hello"]


def test_sounds_are_heard_when_they_are_switched_on(server: Served, page: Any) -> None:
    page.add_init_script(
        """window.tones = [];
        const start = OscillatorNode.prototype.start;
        OscillatorNode.prototype.start = function (...when) {
          window.tones.push(this.frequency.value);
          return start.apply(this, when);
        };"""
    )
    page.goto(server.address)
    page.wait_for_selector(TURN)
    page.keyboard.press("c")
    page.wait_for_selector(".board .card:not(.slot)")
    page.wait_for_selector(TURN)
    assert page.evaluate("window.tones") == []
    page.check("#sounds")
    assert page.evaluate("window.tones") == [660, 880]
    page.reload()
    page.wait_for_selector(TURN)
    assert page.is_checked("#sounds"), "this browser remembers it"
    play_to_the_end(page)
    assert len(page.evaluate("window.tones")) >= 2
    page.uncheck("#sounds")
    heard = page.evaluate("window.tones.length")
    page.keyboard.press("Enter")
    page.wait_for_selector(TURN)
    assert page.evaluate("window.tones.length") == heard


def test_a_sentence_of_the_wait_is_there_once(server: Served, page: Any) -> None:
    ask_for_six_seats(server, page)
    page.get_by_text("there is no policy for 6 seats").wait_for()
    page.wait_for_selector("#again:visible")
    assert page.inner_text("body").count("there is no policy for 6 seats") == 1


def test_what_a_screen_reader_hears(server: Served, page: Any) -> None:
    page.goto(server.address)
    page.wait_for_selector(TURN)
    tree = page.locator("body").aria_snapshot()
    for part in (
        'region "the table"', 'group "your move"', 'slider "size of the bet"', 'textbox "chips"', "status: Your turn",
        'log "what happened"', 'checkbox "sounds"', 'button "Leave"', "a hidden card",
    ):  # fmt: skip
        assert part in tree, tree
    words = page.locator("#log [role=img]").first.get_attribute("aria-label")
    assert " of " in words
    assert words in page.locator(".seat.you .card").first.get_attribute("aria-label")
    on_table = page.locator(".seat.you .card b").first.inner_text()
    assert page.locator("#log [role=img]").first.inner_text().startswith(on_table)
    assert page.get_attribute("#log", "aria-live") == "polite"
    unnamed = page.evaluate(
        """() => [...document.querySelectorAll("main button, main input, main select, dialog input, dialog select")]
          .filter((one) => !one.textContent.trim() && !one.ariaLabel && !one.labels?.length)
          .map((one) => one.outerHTML)"""
    )
    assert unnamed == []


def test_leaving_while_the_connection_is_lost(server: Served, browser: Any) -> None:
    with open_page(browser) as page:  # the browser itself writes to the console that it has no network
        page.goto(server.address)
        page.wait_for_selector(TURN)
        page.context.set_offline(True)
        page.get_by_text("the connection is lost").wait_for()
        page.click("#leave")
        page.get_by_text("you left the table").wait_for()
        page.context.set_offline(False)
        page.wait_for_timeout(1_000)
        assert page.is_visible("#again"), "nobody is seated who has left"
        page.click("#again")
        page.wait_for_selector(TURN)


@pytest.mark.parametrize("what", ["getItem", "setItem"])
def test_a_browser_that_keeps_nothing(server: Served, page: Any, what: str) -> None:
    """Storage that is blocked, or full: the table is there all the same."""
    page.add_init_script(f"Storage.prototype.{what} = () => {{ throw new DOMException('blocked', 'SecurityError'); }}")
    page.goto(server.address)
    page.wait_for_selector(TURN)
    page.check("#show-equity")
    page.get_by_text("Your hand wins").wait_for()
    play_to_the_end(page)
    page.click("#table")
    page.fill("[name=stack_blinds]", "20")
    page.click("button[value=sit]")
    page.wait_for_selector(TURN)
    assert all(1_900 <= int(stack.replace(",", "")) < 2_000 for stack in page.locator(".stack").all_inner_texts())


def test_a_dialog_in_which_nothing_was_changed_changes_nothing(server: Served, page: Any) -> None:
    page.goto(server.address)
    page.wait_for_selector(TURN)
    play_to_the_end(page)
    for blinds, asked in ((None, "{}"), ("30", '{"stack_blinds":30}'), (None, '{"stack_blinds":30}')):
        page.click("#leave")
        page.click("#choose")
        if blinds:
            page.fill("[name=stack_blinds]", blinds)
        page.click("button[value=sit]")
        page.wait_for_selector(TURN)
        assert page.evaluate("sessionStorage.getItem('table options')") == asked


def test_enter_in_the_dialog_sits_down(server: Served, page: Any) -> None:
    page.goto(server.address)
    page.wait_for_selector(TURN)
    leave_and_choose(page)
    page.fill("[name=stack_blinds]", "20")
    page.press("[name=stack_blinds]", "Enter")
    assert all_chips(page) == 2 * 2_000
    leave_and_choose(page)
    page.fill("[name=stack_blinds]", "30")
    page.click("#table-cancel")
    page.wait_for_selector("dialog:not([open])", state="attached")
    page.click("#again")
    assert all_chips(page) == 2 * 2_000


def test_the_second_click_of_a_double_click_does_not_answer_the_next_question(server: Served, page: Any) -> None:
    page.goto(server.address)
    page.wait_for_selector(TURN)
    play_to_the_end(page)
    page.click("#next")
    page.wait_for_selector(TURN)
    said = page.inner_text("#log")
    box = page.locator("#call").bounding_box()
    page.mouse.move(box["x"] + 5, box["y"] + 5)
    for _ in range(2):
        page.mouse.down(click_count=2)
        page.mouse.up(click_count=2)
    assert page.is_enabled("#call")
    assert page.inner_text("#log") == said
    page.click("#call")
    page.wait_for_selector(TURN_OR_END)
    assert page.inner_text("#log") != said
