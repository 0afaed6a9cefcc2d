"""What the Solve room asks of its server: one thing at a time, again when nobody has answered, never in vain."""

import time
from pathlib import Path
from typing import Any

import pytest

from holdem.realtime import solve_subgame
from holdem.realtime.subgame.files import save_solution
from holdem.web.solve import page_socket
from holdem.web.solve.estimator import Estimator
from tests.browser.chromium import open_page
from tests.browser.solve_room import estimated, expect, open_room, said, solve
from tests.browser.test_solve_room import SPOT, open_spot
from tests.web.solve.test_worker import write_with

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


def test_nothing_is_started_while_a_file_is_opened(address: str, page: Any, tmp_path: Path) -> None:
    sent, _ = said(page)
    save_solution(solve_subgame(SPOT, target_percent=1.0), tmp_path / "a.solve")
    open_room(page, address)

    def late(route: Any) -> None:
        time.sleep(0.5)
        route.continue_()

    page.route("**/data/solve/upload", late)
    page.set_input_files("#file", tmp_path / "a.solve")
    page.click("#start")
    assert "reading a.solve" in page.inner_text("#told")
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
    ask = Estimator.ask

    def slowly(*given: Any) -> str:
        time.sleep(1.5)
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
