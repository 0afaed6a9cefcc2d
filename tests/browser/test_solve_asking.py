"""What the Solve room asks of its server: one thing at a time, again when nobody has answered, never in vain."""

import json
import re
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from holdem.realtime import solve_subgame
from holdem.realtime.subgame.files import save_solution
from holdem.web.solve import page_socket
from holdem.web.solve.estimator import Estimator
from tests.browser.chromium import open_page
from tests.browser.solve_room import estimated, expect, figures, number, open_room, said, solve
from tests.browser.test_solve_room import SPOT, open_spot
from tests.web.pages import jam_or_fold_table, served
from tests.web.solve import beginning
from tests.web.solve.test_worker import write_with
from tests.web.strategy.runs import FLOP, save_random

NUMBERLESS = "holds numbers that no solve can have"


def asked(sent: list[dict[str, Any]], kind: str) -> int:
    """How often the page has sent such a message."""
    return sum(message["type"] == kind for message in sent)


def test_a_double_click_starts_one_solve_and_does_not_stop_it(address: str, page: Any, tmp_path: Path) -> None:
    sent, _ = said(page)
    open_spot(page, address, tmp_path, "", range_oop="random", range_ip="random")
    page.dblclick("#start")
    expect(page.locator("#chart polyline")).to_have_count(1)
    assert page.is_visible("#stop")
    assert (asked(sent, "start"), asked(sent, "stop")) == (1, 0)
    assert page.inner_text("#told") == "", "that the solver is starting was true once"
    page.click("#stop")
    page.wait_for_selector("#go-on", state="visible")


def test_a_start_is_cancelled_until_the_solve_begins(address: str, page: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its process has to start and to load kernels, for which it takes a second or more; here it takes for ever."""
    sent, heard = said(page)
    open_room(page, address)
    monkeypatch.setattr("holdem.web.solve.page.main", beginning.main)
    page.click("#start")
    expect(page.locator("#stop")).to_have_text("Cancel")
    assert page.is_hidden("#start")
    page.click("#stop")
    expect(page.locator("#told")).to_contain_text("the start was cancelled")
    assert page.is_visible("#start") and page.is_hidden("#stop")
    assert page.is_visible("#spot") and page.is_disabled("#show-solution")
    assert asked(heard, "started") == 0
    monkeypatch.undo()
    solve(page)
    assert (asked(sent, "start"), asked(heard, "started")) == (2, 1)


def test_the_later_of_two_lines_is_taken(tmp_path: Path, page: Any) -> None:
    save_random(tmp_path / "runs" / "small")
    held: list[Any] = []
    with served(jam_or_fold_table(tmp_path), tmp_path) as running:
        page.route(lambda url: "/data/line_spot" in url, lambda route: held.append(route))
        open_room(page, running.address)
        page.select_option("#policy", "small")
        for line in (FLOP, FLOP.replace("Ks7d2c", "Qs7d2c")):
            page.fill("#line", line)
            asked_before = len(held)
            page.click("#whole")
            while len(held) == asked_before:
                page.wait_for_timeout(10)
        held[1].continue_()
        expect(page.locator("#told")).to_contain_text("OOP is BB, IP is SB")
        with page.expect_response(held[0].request.url):
            held[0].continue_()
        page.wait_for_timeout(300)
        assert page.locator("#board .slots [aria-label='queen of spades']").count() == 1
        assert "Qs7d2c" in page.url


def test_a_policy_that_was_chosen_is_still_chosen_when_the_server_is_there_again(tmp_path: Path, page: Any) -> None:
    save_random(tmp_path / "runs" / "small")
    sockets: list[Any] = []

    def through(socket: Any) -> None:
        socket.connect_to_server()
        sockets.append(socket)

    with served(jam_or_fold_table(tmp_path), tmp_path) as running:
        page.route_web_socket(lambda url: url.endswith("/solve"), through)
        open_room(page, running.address)
        page.select_option("#policy", "small")
        sockets[0].close(code=3000)
        expect(page.locator("#told")).to_contain_text("the server is there again")
        assert len(sockets) == 2
        assert page.input_value("#policy") == "small"


def test_nothing_is_started_while_a_file_is_opened(address: str, page: Any, tmp_path: Path) -> None:
    sent, _ = said(page)
    save_solution(solve_subgame(SPOT, target_percent=1.0), tmp_path / "a.solve")
    open_room(page, address)
    held: list[Any] = []
    page.route("**/data/solve/upload", lambda route: held.append(route))
    page.set_input_files("#file", tmp_path / "a.solve")
    page.click("#start")
    expect(page.locator("#told")).to_contain_text("reading a.solve")
    while not held:
        page.wait_for_timeout(10)
    held[0].continue_()
    page.wait_for_selector(".step.now")
    assert asked(sent, "start") == 0
    assert page.is_visible("#go-on")
    assert page.is_hidden("#stop")


def test_a_lock_waits_for_the_solve_that_goes_on(address: str, page: Any, tmp_path: Path) -> None:
    sent, _ = said(page)
    open_spot(page, address, tmp_path, "", range_oop="random", range_ip="random")
    page.click("#start")
    expect(page.locator("#chart polyline")).to_have_count(1)
    page.click("#stop")
    page.wait_for_selector(".step.now")
    page.click("#tabs [data-value=lock]")
    page.click("#go-on")
    page.wait_for_selector("#stop", state="visible")
    page.locator(".lock-form input").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#told")).to_contain_text("stop it, then lock")
    assert page.is_visible("#stop")
    assert asked(sent, "start") == 1
    assert page.locator("#locks .lock").count() == 0


def test_what_is_locked_is_of_the_spot_that_is_solved(address: str, page: Any, tmp_path: Path) -> None:
    sent, _ = said(page)
    open_spot(page, address, tmp_path, "1")
    solve(page)
    page.click("#tabs [data-value=lock]")
    page.click("#show-spot")
    page.fill("#pot", "70")
    page.press("#pot", "Tab")
    page.click("#show-solution")
    for button in ("Lock these shares and solve again", "Lock each hand as it is solved and solve again"):
        page.click(f"button:text-is('{button}')")
        expect(page.locator("#told")).to_contain_text("the spot was changed since it was solved")
    assert asked(sent, "start") == 1
    assert page.locator("#locks .lock").count() == 0
    page.click("#show-spot")
    page.fill("#pot", str(SPOT["pot"]))
    page.press("#pot", "Tab")
    page.click("#show-solution")
    solve(page, "button:text-is('Lock these shares and solve again')")
    page.click("#detail .lock button")  # a lock that was removed leaves the decisions what they were
    solve(page, "button:text-is('Lock each hand as it is solved and solve again')")


class HeldAnswers:
    """Keeps answers of one kind back while `holding`, and counts how many nodes are waited for at once."""

    def __init__(self, page: Any, kind: str = "node") -> None:
        self.kind = kind
        self.holding = False
        self.held: list[Any] = []
        self.open: set[int] = set()
        self.most = 0
        page.route_web_socket(lambda url: url.endswith("/solve"), self._connect)

    def _connect(self, socket: Any) -> None:
        self._page, self._server = socket, socket.connect_to_server()
        socket.on_message(self._ask)
        self._server.on_message(self._answer)

    def _ask(self, text: str) -> None:
        message = json.loads(text)
        if message["type"] == "node":
            self.open.add(message["request"])
            self.most = max(self.most, len(self.open))
        self._server.send(text)

    def _answer(self, text: str) -> None:
        message = json.loads(text)
        if self.holding and message["type"] == self.kind:
            self.held.append(text)
        else:
            self._pass_on(text)

    def _pass_on(self, text: str) -> None:
        self.open.discard(json.loads(text).get("request"))
        self._page.send(text)

    def let_go(self) -> None:
        self.holding = False
        while self.held:
            self._pass_on(self.held.pop(0))


def wait_for(page: Any, happened: Callable[[], object]) -> None:
    """Until something has happened outside the page."""
    while not happened():
        page.wait_for_timeout(10)


def test_a_click_on_stop_is_seen_at_once(address: str, page: Any, tmp_path: Path) -> None:
    answers = HeldAnswers(page, "stopped")
    answers.holding = True
    open_spot(page, address, tmp_path, "", range_oop="random", range_ip="random")
    page.focus("#start")
    page.keyboard.press("Enter")
    expect(page.locator("#chart polyline")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(page.locator("#stop")).to_have_text("Stopping…")
    expect(page.locator("#stop")).to_be_disabled()
    wait_for(page, lambda: answers.held)
    answers.let_go()
    expect(page.locator("#start")).to_be_focused()
    expect(page.locator("#stop")).to_be_hidden()
    page.click("#go-on")
    expect(page.locator("#stop")).to_have_text("Stop")
    page.click("#stop")
    expect(page.locator("#go-on")).to_be_visible()


def test_a_key_that_is_held_asks_for_one_node_at_a_time(address: str, page: Any, tmp_path: Path) -> None:
    sent, _ = said(page)
    nodes = HeldAnswers(page)
    open_spot(page, address, tmp_path, "1")
    solve(page)
    before = asked(sent, "node")
    nodes.holding = True
    page.focus(".step.now button:has-text('check')")
    for _ in range(70):
        page.keyboard.down("Enter")
    page.keyboard.up("Enter")
    page.click(".step.now button:has-text('bet 40')")
    wait_for(page, lambda: nodes.held)
    nodes.let_go()
    expect(page.locator(".steps .taken")).to_have_text("bet 40")
    assert nodes.most == 1
    assert asked(sent, "node") - before == 2, "the first and the last"
    assert page.locator(".steps [aria-current=true]").all_inner_texts() == ["bet 40"]


def test_an_answer_about_the_last_solve_is_not_shown_beside_the_next(address: str, page: Any, tmp_path: Path) -> None:
    nodes = HeldAnswers(page)
    open_spot(page, address, tmp_path, "1")
    solve(page)
    nodes.holding = True
    page.click(".step.now button:has-text('check')")
    wait_for(page, lambda: nodes.held)
    page.click("#show-spot")
    page.fill("#pot", "61")
    page.click("#start")
    expect(page.locator("#solution")).to_have_class(re.compile("fresh"))
    page.evaluate("""() => {
      window.shown = [];
      const steps = document.getElementById("steps");
      new MutationObserver(() => window.shown.push(steps.textContent)).observe(steps, { childList: true });
    }""")
    nodes.let_go()
    expect(page.locator("#solution")).to_have_attribute("aria-busy", "false")
    shown = page.evaluate("window.shown")
    assert shown and all("pot 60" not in one for one in shown)


def test_going_on_without_limits_halves_the_usual_target(address: str, page: Any, tmp_path: Path) -> None:
    open_spot(page, address, tmp_path, "")
    page.fill("#limit", "")
    page.press("#limit", "Tab")
    solve(page)
    before = number(figures(page)["Exploitability"])
    assert before <= 0.5
    solve(page, "#go-on")
    assert float(page.input_value("#target")) <= 0.25
    assert number(figures(page)["Exploitability"]) <= 0.25
    assert figures(page)["Ended"] == "the target is reached"


def test_a_lock_is_as_fine_as_its_place_beside_the_others(address: str, page: Any, tmp_path: Path) -> None:
    """Without room it is not added, so that it keeps nothing from starting."""
    sent, _ = said(page)
    each = "button:text-is('Lock each hand as it is solved and solve again')"
    fine = []
    for letters in (0, 62_000, 64_100):
        full = {"node": "check, check, 7d", "hands": {"AA" + letters * " ": {"Check": 1}}}
        open_spot(page, address, tmp_path, "1", locks=[full])
        expect(page.locator("#locks .lock")).to_have_count(1)  # those that the page had kept are gone
        solve(page)
        page.click("#tabs [data-value=lock]")
        if letters == 64_100:
            page.click(each)
            expect(page.locator("#told")).to_contain_text("there is no room for this lock beside the others")
            assert page.locator("#detail .lock").count() == 1
            break
        solve(page, each)
        lock = sent[-1 - [one["type"] for one in reversed(sent)].index("start")]["spot"]["locks"][-1]
        shares = [share for one in lock["hands"].values() for share in one.values()]
        fine.append(any(abs(100 * share - round(100 * share)) > 1e-6 for share in shares))
    assert fine == [True, False], "in thousandths, then coarser"
    assert page.is_enabled("#start")


def test_an_upload_without_a_server_is_a_sentence(address: str, browser: Any, tmp_path: Path) -> None:
    with open_page(browser) as page:  # the console has what was lost
        open_room(page, address)
        page.route("**/data/solve/upload", lambda route: route.abort())
        page.set_input_files("#file", {"name": "a.solve", "mimeType": "", "buffer": b"x"})
        expect(page.locator("#told")).to_contain_text("the server does not answer")


def test_a_refused_estimate_does_not_keep_from_starting(
    address: str, page: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_room(page, address)
    monkeypatch.setattr(page_socket, "MOST_ESTIMATES", 0)
    page.fill("#pot", "70")
    page.press("#pot", "Tab")
    expect(page.locator("#estimate")).to_contain_text("too many estimates")
    assert page.is_enabled("#start")
    monkeypatch.undo()
    page.fill("#pot", "80")
    page.press("#pot", "Tab")
    estimated(page)


def test_one_estimate_at_a_time_and_the_last_is_shown(address: str, page: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    sent, heard = said(page)
    open_room(page, address)
    ask, typed = Estimator.ask, threading.Event()

    def slowly(*given: Any) -> str:
        typed.wait()
        return ask(*given)

    monkeypatch.setattr(Estimator, "ask", slowly)
    before = asked(sent, "estimate")
    for pot in ("70", "80", "90", "100", "110", "120"):
        page.fill("#pot", pot)
        page.press("#pot", "Tab")
        page.wait_for_timeout(400)  # each is asked for after a third of a second
        assert asked(sent, "estimate") - asked(heard, "estimate") <= 1
    page.fill("#pot", "")
    page.press("#pot", "Tab")
    typed.set()
    expect(page.locator("#estimate")).to_contain_text("pot")
    assert [one for one in sent if one["type"] == "estimate"][-1]["spot"]["pot"] == ""
    assert page.is_disabled("#start"), "this one is wrong indeed"
    assert asked(sent, "estimate") - before < 6, "those that were overtaken are not asked"


def test_a_solve_that_is_gone_with_a_refusal_is_not_shown(address: str, page: Any, tmp_path: Path) -> None:
    file = tmp_path / "b.solve"
    save_solution(solve_subgame(SPOT, max_iterations=20), file)
    write_with(file, "averages", float("nan"))
    open_spot(page, address, tmp_path, "1")
    solve(page)
    page.set_input_files("#file", file)
    expect(page.locator("#told")).to_contain_text(NUMBERLESS)
    assert page.is_hidden("#go-on")
    assert page.is_disabled("#save")
    assert page.is_disabled("#show-solution")
    assert page.is_visible("#spot")
    solve(page)


def test_going_on_ends_where_all_is_solved(address: str, page: Any, tmp_path: Path) -> None:
    """Without bets nobody has a choice, and nothing can be exploited."""
    open_spot(page, address, tmp_path, "0.5", bet_sizes={})
    solve(page)
    page.click("#go-on")
    expect(page.locator("#told")).to_contain_text("this is solved")
    assert page.input_value("#target") == "0.5"
    solve(page)


def test_limits_that_the_server_does_not_take_are_said(address: str, page: Any) -> None:
    open_room(page, address)
    for field, text in (("#target", "101"), ("#limit", "4000")):
        before = page.input_value(field)
        page.fill(field, text)
        page.press(field, "Tab")
        expect(page.locator("#estimate")).to_contain_text(f"is {text}; write a number above 0, at most")
        assert page.is_disabled("#start")
        page.fill(field, before)
        page.press(field, "Tab")
        estimated(page)


def test_pages_of_one_visitor_keep_what_is_theirs(address: str, browser: Any) -> None:
    with open_page(browser) as first:
        open_room(first, address)
        first.fill("#pot", "70")
        first.press("#pot", "Tab")
        second = first.context.new_page()
        open_room(second, address)
        assert second.input_value("#pot") == "70", "a new page begins with what was kept last"
        second.fill("#pot", "80")
        second.press("#pot", "Tab")
        first.reload()
        estimated(first)
        assert first.input_value("#pot") == "70"
        assert first.errors == []
