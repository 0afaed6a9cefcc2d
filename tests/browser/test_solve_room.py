"""The Solve room in a real browser with real solves: paint, solve, walk, lock, stop, save, open, come back."""

import csv
import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from urllib.request import urlopen

import pytest

from holdem.cards import Range
from holdem.realtime import solve_subgame
from holdem.realtime.subgame.nodes.picture import action_words
from holdem.web.solve import page_socket, rooms
from tests.browser.chromium import SIZES, off_screen, open_page
from tests.browser.solve_room import (
    cell,
    choose_board,
    drag,
    estimated,
    expect,
    figures,
    go,
    number,
    open_room,
    range_text,
    shown_frequencies,
    solve,
    type_range,
)
from tests.web.pages import jam_or_fold_table, served
from tests.web.solve.test_processes import pid_of
from tests.web.strategy.runs import FLOP, RIVER, save_random

POT = 60
SPOT = {
    "board": "Kc 8h 5h 2s",
    "pot": POT,
    "effective_stack": 200,
    "range_oop": "TT+, AQs+, KQs, QJs, JTs",
    "range_ip": "88+, AJs+, KJs+, QTs+, AKo",
    "bet_sizes": {"turn": {"bet": "66%", "raise": "a"}, "river": {"bet": "66%", "raise": "a"}},
}
"""Two small ranges on a turn: solved to 0.1 % of the pot in about a second."""


KEEP = """(content) => {
  for (const storage of [localStorage, sessionStorage]) storage.setItem("holdem.solve", JSON.stringify(content));
}"""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("solve")
    save_random(folder / "runs" / "small")
    with served(jam_or_fold_table(folder), folder) as running:
        yield running.address


def write_spot(folder: Path, **changes: Any) -> Path:
    path = folder / "spot.json"
    path.write_text(json.dumps({**SPOT, **changes}), encoding="utf-8")
    return path


def open_spot(page: Any, address: str, folder: Path, target: str, **changes: Any) -> None:
    """The page with the spot of a file, to be solved to a target."""
    open_room(page, address)
    page.set_input_files("#file", write_spot(folder, **changes))
    for player in ("oop", "ip"):  # they are read side by side, and what else the file says is shown after both
        range_text(page, player, str(Range.parse({**SPOT, **changes}[f"range_{player}"])))
    estimated(page)
    page.fill("#target", target)


def test_two_painted_ranges_are_solved_and_walked(address: str, page: Any) -> None:
    open_room(page, address)
    for player in ("oop", "ip"):
        page.click(f"#{player} button:text-is('Clear')")
    drag(page, "oop", "AA", "TT")  # the diagonal
    drag(page, "oop", "AKs", "AQs")
    drag(page, "ip", "AA", "88")
    page.click("#ip button:text-is('50')")
    drag(page, "ip", "KQs", "KTs", "QTs")  # around a corner
    oop = range_text(page, "oop", "TT+, AQs+")
    ip = range_text(page, "ip", "88+, KTs+:0.5, QTs:0.5")
    choose_board(page, ["king of clubs", "eight of hearts", "five of hearts", "two of spades"])
    page.fill("#pot", str(POT))
    page.fill("#stack", "200")
    for label, sizes in {"turn bet": "66%", "turn raise": "a", "river bet": "66%", "river raise": "a"}.items():
        page.fill(f"[aria-label='{label} sizes']", sizes)
    page.fill("#target", "0.1")
    page.press("#target", "Tab")
    estimated(page)
    solve(page)
    shown = figures(page)
    exploitability = number(shown["Exploitability"])
    assert exploitability <= 0.1
    assert page.locator("#chart polyline").count() == 1

    expected = solve_subgame({**SPOT, "range_oop": oop, "range_ip": ip}, target_percent=0.1)
    # Each EV is off its equilibrium by at most twice the exploitability, and it is shown with two digits.
    accuracy = 2 * (exploitability + expected.exploitability_percent) * POT / 100 + 0.005
    for player, value in zip(("OOP", "IP"), expected.expected_values, strict=True):
        assert number(shown[f"EV {player}"]) == pytest.approx(value, abs=accuracy)
    check_frequencies(page, expected, "")
    go(page, "check", "check", "seven of diamonds")
    assert page.locator(".step.now .head").inner_text().startswith("OOP")
    assert page.locator("button.dealt").inner_text().lower().endswith("river")
    check_frequencies(page, expected, "check, check, 7d")
    page.click(".steps > :nth-child(2) button.head")  # back to the root
    expect(page.locator(".steps > *")).to_have_count(2)


def check_frequencies(page: Any, expected: Any, path: str) -> None:
    """Two solves of one algorithm to the same accuracy: their frequencies are near each other, too."""
    wanted = {action_words(action): share for action, share in expected.node(path).frequencies.items()}
    assert shown_frequencies(page) == pytest.approx(wanted, abs=0.04)


def test_a_locked_decision_is_kept_and_the_rest_profits(address: str, page: Any, tmp_path: Path) -> None:
    open_spot(page, address, tmp_path, "0.1")
    solve(page)
    before = number(figures(page)["EV OOP"])
    go(page, "bet 40")
    page.click("#tabs [data-value=lock]")
    for label, share in {"fold": "100", "call": "0", "all-in 200": "0"}.items():
        page.fill(f"[aria-label='share of {label} in per cent']", share)
    solve(page, "button:text-is('Lock these shares and solve again')")
    assert shown_frequencies(page)["fold"] == 1.0
    assert "locked" in page.inner_text("#turn")
    assert number(figures(page)["EV OOP"]) > before + 1, "whoever folds to every bet loses"
    page.click("#show-spot")
    assert "bet 40: fold 100 %" in page.inner_text("#locks")

    page.click("#locks button")  # without the lock again, and then each hand as it is solved
    solve(page)
    assert number(figures(page)["EV OOP"]) == pytest.approx(before, abs=0.2)
    page.click("#tabs [data-value=lock]")
    free = shown_frequencies(page)
    solve(page, "button:text-is('Lock each hand as it is solved and solve again')")
    # The range that comes here is that of a solve against the lock, so frequencies move by as much as it does.
    assert shown_frequencies(page) == pytest.approx(free, abs=0.04)
    assert number(figures(page)["EV OOP"]) == pytest.approx(before, abs=0.2)


def test_what_is_never_done_has_no_figures(address: str, page: Any, tmp_path: Path) -> None:
    open_spot(page, address, tmp_path, "1")
    solve(page)
    page.click("#tabs [data-value=lock]")
    for label, share in {"check": "0", "bet 40": "100"}.items():
        page.fill(f"[aria-label='share of {label} in per cent']", share)
    solve(page, "button:text-is('Lock these shares and solve again')")
    page.click("#tabs [data-value=hand]")
    assert "EV of the hands that do it, chips" in page.inner_text(".actions")
    assert page.locator(".actions tbody tr").first.inner_text().split("\t")[1:] == ["0.0 %", "–"]
    assert "check: –" in page.locator(".evs").first.inner_text()
    go(page, "check")
    assert "never reached: no strategy" in page.inner_text("#turn")
    assert "50.0 %" not in page.inner_text(".step.now")


def test_a_street_that_comes_new_has_bets(address: str, page: Any, tmp_path: Path) -> None:
    open_spot(page, address, tmp_path, "1", range_oop="AA, KQs", range_ip="QQ, AKs")
    page.click("#board .slots button >> nth=3")
    expect(page.locator("[aria-label='flop bet sizes']")).to_have_value("66%")
    assert page.input_value("[aria-label='flop raise sizes']") == "a"
    expect(page.locator("#estimate")).not_to_contain_text("no bets")
    page.fill("[aria-label='flop bet sizes']", "")
    page.press("[aria-label='flop bet sizes']", "Tab")
    expect(page.locator("#estimate")).to_contain_text("no bets on the flop")


def test_the_focus_goes_with_the_keys(address: str, page: Any, tmp_path: Path) -> None:
    open_spot(page, address, tmp_path, "")
    page.focus("#start")
    page.keyboard.press("Enter")
    expect(page.locator("#stop")).to_be_focused()
    expect(page.locator("#stop")).to_have_text("Stop")  # until then it gives the start up
    page.keyboard.press("Enter")
    page.wait_for_selector("#solution[aria-busy='false']", state="attached")
    expect(page.locator("#start")).to_be_focused()
    for _ in range(2):
        steps = page.locator(".steps > *")
        before = steps.count()
        page.locator(".step.now button:has-text('check')").focus()
        page.keyboard.press("Enter")
        expect(steps).not_to_have_count(before)  # else the next key would meet the step before
        expect(page.locator(".step.now button:focus")).to_have_count(1)
    page.wait_for_selector(".step.now .deck button:focus")
    page.keyboard.press("Enter")
    expect(page.locator(".step.now button:not(.deck *)").first).to_be_focused()
    page.click("#tabs [data-value=lock]")
    page.focus("button:text-is('Lock these shares and solve again')")
    page.keyboard.press("Enter")
    expect(page.locator(".go button:focus")).to_have_count(1)


def test_the_solution_shows_its_board_and_whether_it_is_of_this_spot(address: str, page: Any, tmp_path: Path) -> None:
    open_spot(page, address, tmp_path, "1")
    solve(page)
    board = page.locator(".steps > :first-child .card")
    assert [one.get_attribute("aria-label") for one in board.all()] == [
        "king of clubs", "eight of hearts", "five of hearts", "two of spades",
    ]  # fmt: skip
    assert "pot 60 · stack 200" in page.inner_text(".step.now .head")
    go(page, "check", "check", "seven of diamonds")
    assert board.count() == 4, "the root's"
    page.click("#show-spot")
    page.fill("#pot", "90")
    page.press("#pot", "Tab")
    page.click("#show-solution")
    expect(page.locator("#stale")).to_be_visible()


def test_a_refused_spot_cannot_be_started_and_a_short_limit_is_told(address: str, page: Any, tmp_path: Path) -> None:
    open_spot(page, address, tmp_path, "0.01")
    page.fill("#limit", "0.01")
    page.press("#limit", "Tab")
    expect(page.locator("#estimate")).to_contain_text("stops after 0.01 s, before the target")
    page.fill("#pot", "")
    page.press("#pot", "Tab")
    expect(page.locator("#start")).to_be_disabled()
    assert page.inner_text("#told") == ""
    page.fill("#pot", "60")
    page.press("#pot", "Tab")
    expect(page.locator("#start")).to_be_enabled()


def test_stop_and_go_on(address: str, page: Any, tmp_path: Path) -> None:
    open_spot(page, address, tmp_path, "", range_oop="random", range_ip="random")  # far from solved at the first stop
    page.click("#start")
    expect(page.locator("#chart polyline")).to_have_count(1)
    page.click("#stop")
    page.wait_for_selector("#go-on", state="visible")
    page.wait_for_selector(".step.now")
    first = figures(page)
    assert first["Ended"] == "stopped"
    page.click("#go-on")
    expect(page.locator("#figures")).not_to_contain_text("Ended")  # the first news of the solve that goes on
    page.click("#stop")
    page.wait_for_selector("#go-on", state="visible")
    expect(page.locator("#figures")).to_contain_text("Ended")
    second = figures(page)
    assert number(second["Iterations"]) > number(first["Iterations"])
    assert number(second["Exploitability"]) < number(first["Exploitability"])


def test_save_open_and_csv(address: str, page: Any, tmp_path: Path) -> None:
    open_spot(page, address, tmp_path, "0.3")
    solve(page)
    before = figures(page)
    with page.expect_download() as started:
        page.click("#save")
    saved = tmp_path / started.value.suggested_filename
    started.value.save_as(saved)
    assert saved.suffix == ".solve"
    with page.expect_download() as started:
        page.click("#csv")
    started.value.save_as(tmp_path / "node.csv")
    rows = list(csv.DictReader((tmp_path / "node.csv").read_text(encoding="utf-8").splitlines()))
    assert {"AsAh", "JdTd"} <= {row["hand"] for row in rows}

    page.reload()
    estimated(page)
    type_range(page, "oop", "AA")
    range_text(page, "oop", "AA")
    page.set_input_files("#file", saved)
    page.wait_for_selector(".step.now")
    after = figures(page)
    for name in ("EV OOP", "EV IP", "Exploitability"):
        assert number(after[name]) == pytest.approx(number(before[name]), abs=0.011)
    range_text(page, "oop", str(Range.parse(str(SPOT["range_oop"]))))  # which is read beside the decision
    go(page, "check", "check", "seven of diamonds")
    page.fill("#target", "0.1")
    solve(page, "#go-on")
    assert number(figures(page)["Exploitability"]) <= 0.1


def test_a_spot_is_dragged_onto_the_page_and_copied_from_it(address: str, page: Any, tmp_path: Path) -> None:
    open_room(page, address)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    dropped = page.evaluate_handle(
        """text => { const data = new DataTransfer(); data.items.add(new File([text], "spot.json")); return data; }""",
        write_spot(tmp_path, pot=90).read_text(encoding="utf-8"),
    )
    page.dispatch_event("main", "drop", {"dataTransfer": dropped})
    range_text(page, "oop", str(Range.parse(str(SPOT["range_oop"]))))
    assert page.input_value("#pot") == "90"
    page.click("#copy")
    page.get_by_text("the spot is in the clipboard").wait_for()
    copied = json.loads(page.evaluate("navigator.clipboard.readText()"))
    assert Range.parse(copied.pop("range_oop")) == Range.parse(str(SPOT["range_oop"]))
    assert Range.parse(copied.pop("range_ip")) == Range.parse(str(SPOT["range_ip"]))
    assert copied == {key: value for key, value in {**SPOT, "pot": 90}.items() if not key.startswith("range")}


def test_a_line_of_a_blueprint_is_loaded_from_the_address(address: str, page: Any) -> None:
    query = urlencode({"policy": "small", "line": FLOP})
    with urlopen(f"{address}/data/line_spot?{query}") as answer:
        expected = json.load(answer)["spot"]
    page.goto(f"{address}/solve?{query}")
    page.get_by_text("OOP is BB, IP is SB").wait_for()
    for player in ("oop", "ip"):
        shown = Range.parse(range_text(page, player))
        assert abs(shown.weights - Range.parse(expected[f"range_{player}"]).weights).max() < 0.001
    assert page.input_value("#pot") == str(expected["pot"])
    assert page.locator("#board .slots .card:not(.slot)").count() == 3
    assert page.input_value("#line") == FLOP
    assert page.input_value("#policy") == "small", "the first of the list is another one"
    assert page.inner_text("#told").startswith("taken from small: ")
    assert "policy=small" in page.url, "the address says what is shown, so that it can be passed on"
    page.fill("#stack", "500")
    page.press("#stack", "Tab")
    expect(page).to_have_url(f"{address}/solve")  # this is another spot now
    page.select_option("#policy", "small")
    page.click("#only-ranges")
    page.get_by_text("OOP is BB, IP is SB").wait_for()
    assert page.url == f"{address}/solve", "the line has another board and other sizes"
    assert page.input_value("#stack") == "500"
    page.reload()
    estimated(page)
    assert page.input_value("#stack") == "500"

    page.select_option("#policy", "small")
    page.click("#groups")
    page.fill("#line", RIVER)
    page.click("#whole")
    expect(page.locator("#told")).to_contain_text("; a river is solved with Exact")
    assert page.get_attribute("#exact", "aria-pressed") == "true"

    page.fill("#line", "SB raise 3bb")
    page.click("#whole")
    page.get_by_text("from the flop on").wait_for()
    assert "400" in page.errors.pop()


def test_groups_are_fast_and_say_what_they_cannot_do(address: str, page: Any, tmp_path: Path) -> None:
    open_spot(page, address, tmp_path, "1")
    page.click("#groups")
    estimated(page)
    solve(page)
    expect(page.locator("#figures")).to_contain_text("with exact hands")
    shown = figures(page)
    assert "Ended" in shown and number(shown["with exact hands"]) > 0
    assert number(shown["Exploitability within the groups"]) <= 1
    assert "Exploitability within the groups" in page.inner_text("#about")
    assert page.is_disabled("#save")
    assert page.get_attribute("#save", "title") == "a Fast solve cannot be saved; choose Exact"
    go(page, "check", "check")
    expect(page.locator(".step.now")).to_contain_text("only the first street")


def test_fast_says_what_it_does_not_know_and_leaves_rivers_to_exact(address: str, page: Any, tmp_path: Path) -> None:
    open_spot(page, address, tmp_path, "5", board="Kc 8h 5h", range_oop="AA, KQs", range_ip="QQ, AKs")
    page.click("#groups")
    solve(page)
    assert figures(page)["with exact hands"] == "not known on a flop"
    assert page.inner_text("#chart .note").startswith("Exploitability within the groups")
    page.click("#show-spot")
    for card in ("two of spades", "three of clubs"):
        assert page.get_attribute("#exact", "aria-pressed") == "false"
        page.click(f"#board .deck button:has([aria-label='{card}'])")
    expect(page.locator("#exact")).to_have_attribute("aria-pressed", "true")
    assert page.inner_text("#told").startswith("a river is solved with Exact")
    estimated(page)
    solve(page)
    assert "Exploitability" in figures(page)
    assert page.is_enabled("#save")


def test_a_solve_goes_on_street_by_street(address: str, page: Any, tmp_path: Path) -> None:
    sizes = {"flop": {"bet": "66%"}, "turn": {"bet": "66%"}, "river": {"bet": "a"}}
    open_spot(page, address, tmp_path, "5", board="Kc 8h 5h", range_ip="QQ, AKs, 98s", bet_sizes=sizes)
    page.click("#groups")
    solve(page)
    go(page, "bet 40", "call")
    page.click("button:text-is('Go on with the turn…')")
    page.click("dialog button:has([aria-label='two of spades'])")
    expect(page.locator("#told")).to_contain_text("the turn with both ranges as this solve brings them there")
    expect(page.locator("#start")).to_be_focused()
    assert (page.input_value("#pot"), page.input_value("#stack")) == ("140", "160")
    assert page.locator("#board .slots .card:not(.slot)").count() == 4
    assert Range.parse(range_text(page, "ip")).weights.max() == 1
    estimated(page)
    solve(page)
    go(page, "check", "check")
    page.click("button:text-is('Go on with the river…')")
    page.click("dialog button:has([aria-label='seven of diamonds'])")
    expect(page.locator("#told")).to_contain_text("; a river is solved with Exact")
    estimated(page)
    solve(page)
    assert "pot 140 · stack 160" in page.inner_text(".step.now .head")
    expect(page.locator("#next-street")).to_be_hidden()


def test_a_refused_start_leaves_what_is_shown(
    address: str, page: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_spot(page, address, tmp_path, "1")
    solve(page)
    before = figures(page)
    page.set_input_files("#file", write_spot(tmp_path, locks=[{"node": "bet 41", "strategy": {"Fold": 1}}]))
    expect(page.locator("#locks")).to_contain_text("bet 41")
    expect(page.locator("#estimate")).to_contain_text("a lock does not fit the spot")
    assert page.is_disabled("#start")
    monkeypatch.setattr(page_socket, "MOST_ESTIMATES", 0)  # nobody has looked at the next spot
    page.click("#show-spot")
    page.fill("#pot", str(POT + 1))
    page.press("#pot", "Tab")
    expect(page.locator("#estimate")).to_contain_text("too many estimates")
    page.click("#start")
    expect(page.locator("#told")).to_contain_text("a lock does not fit the spot")
    page.click("#show-solution")
    assert figures(page) == before
    go(page, "check", "bet 40")


def test_the_next_solve_stays_where_the_page_was_if_it_can(address: str, page: Any, tmp_path: Path) -> None:
    open_spot(page, address, tmp_path, "1")
    solve(page)
    go(page, "check", "bet 40")
    for sizes, steps in (("66%, 100%", 4), ("50%", 2)):  # without bet 40 the page is at the root again
        page.click("#show-spot")
        page.fill("[aria-label='turn bet sizes']", sizes)
        solve(page)
        expect(page.locator(".steps > *")).to_have_count(steps)
        assert page.inner_text("#told") == ""


def test_everything_by_keyboard(address: str, page: Any) -> None:
    open_room(page, address)
    page.click("#oop button:text-is('Clear')")
    cell(page, "oop", "AA").focus()
    for key in ("Space", "ArrowRight", "ArrowDown", "Space", "Enter"):
        page.keyboard.press(key)
    page.wait_for_selector("dialog")
    page.keyboard.press("Escape")
    range_text(page, "oop", "KK+")
    page.focus("#board .deck button[tabindex='0']")
    page.click("#board [aria-label='clear the board']")
    page.focus("#board .deck button[tabindex='0']")
    for key in ("Enter", "ArrowRight", "Enter", "ArrowDown", "Enter"):
        page.keyboard.press(key)
    assert page.locator("#board .slots .card:not(.slot)").count() == 3
    assert cell(page, "oop", "AA").get_attribute("title") == "AA: 100 %"
    estimated(page)


def test_a_server_that_is_gone_is_said(browser: Any, tmp_path: Path) -> None:
    with open_page(browser) as page:
        with served(jam_or_fold_table(tmp_path), tmp_path) as running:
            open_room(page, running.address)
            page.click("#start")
            page.wait_for_selector("#stop", state="visible")
        expect(page.locator("#told")).to_contain_text("the connection to the server was lost")
        page.wait_for_selector("#start", state="visible")
        page.click("#start")
        expect(page.locator("#told")).to_contain_text("the connection to the server was lost")
        assert page.is_visible("#start")
        assert page.is_visible("#spot"), "no tree that is gone"


def test_a_page_that_is_sent_away_says_why_and_stays_away(
    browser: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rooms, "MOST_PAGES", 0)
    sockets: list[Any] = []
    with served(jam_or_fold_table(tmp_path), tmp_path) as running, open_page(browser) as page:
        page.on("websocket", lambda socket: sockets.append(socket))
        page.goto(f"{running.address}/solve")
        expect(page.locator("main")).to_contain_text("too many Solve pages are open")
        page.wait_for_timeout(2_500)  # it would try again after two seconds
        assert "too many Solve pages are open" in page.inner_text("main")
        assert len(sockets) == 1


def test_a_solve_whose_process_has_ended_is_not_shown_any_more(browser: Any, tmp_path: Path) -> None:
    with served(jam_or_fold_table(tmp_path), tmp_path) as running, open_page(browser) as page:
        open_spot(page, running.address, tmp_path, "5")
        solve(page)
        os.kill(pid_of(running), signal.SIGTERM)
        expect(page.locator("#told")).to_contain_text("start it again")
        assert page.is_hidden("#go-on")
        assert page.is_disabled("#save")
        assert page.is_visible("#spot")
        solve(page)


@pytest.mark.parametrize("locks", ["ab", [1], {"node": ""}, [{"strategy": {}}]])
def test_locks_that_are_none_are_refused_with_their_file(
    address: str, page: Any, tmp_path: Path, locks: object
) -> None:
    open_room(page, address)
    before = range_text(page, "oop")
    page.set_input_files("#file", write_spot(tmp_path, locks=locks))
    expect(page.locator("#told")).to_contain_text("the locks of this spot are no list of decisions")
    assert range_text(page, "oop") == before
    page.reload()
    estimated(page)


def test_what_another_version_kept_is_no_hindrance(address: str, page: Any) -> None:
    open_room(page, address)
    page.evaluate(KEEP, {"version": 1, "board": 7})
    page.reload()
    assert "237 and 287 hands" in estimated(page)


@pytest.mark.parametrize("board", [["KC", "8H"], ["Kc", "Kc"], 7])
def test_a_board_that_is_none_does_not_cost_what_was_painted(address: str, page: Any, board: object) -> None:
    open_room(page, address)
    weights = {"oop": {"AsAh": 0.5}, "ip": {"KsKh": 1}}
    page.evaluate(KEEP, {"version": 1, "board": board, "weights": weights})
    page.reload()
    assert "1 and 1 hands" in estimated(page)
    range_text(page, "oop", "AsAh:0.5")
    assert page.locator("#board .slots .card:not(.slot)").count() == 4


@pytest.mark.parametrize("size", SIZES)
def test_nothing_is_off_the_screen(address: str, browser: Any, size: str, tmp_path: Path) -> None:
    with open_page(browser, size) as page:
        open_spot(page, address, tmp_path, "1")
        width, height = SIZES[size]
        box = page.locator("#start").bounding_box()
        assert box["y"] + box["height"] <= height, "Start is seen without scrolling"
        check_width(page, width)
        solve(page)
        for key in ("ev", "equity", "weight", "opponent"):
            page.click(f"#modes [data-value={key}]")
        for key in ("composition", "all", "lock"):
            page.click(f"#tabs [data-value={key}]")
            check_width(page, width)
        go(page, "check", "check")
        check_width(page, width)
        assert page.errors == []


def check_width(page: Any, width: int) -> None:
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert off_screen(page) == []
