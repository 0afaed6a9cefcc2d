"""The strategy room in a real browser: a line to the flop, ranges that follow it, EVs, and two runs side by side."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest

from tests.browser.chromium import SIZES, off_screen, open_page
from tests.cli.runs import save_toy
from tests.table.policies import save_jam_or_fold
from tests.web.pages import Served, jam_or_fold_table, served
from tests.web.strategy.runs import FLOP, JAM, RIVER, save_changed, save_jam_without, save_random


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("strategy")
    runs = folder / "runs"
    save_random(runs / "first")
    save_changed(runs / "second", FLOP, [0.25, 0.75])
    save_jam_without(runs / "untrained", "AA", "72o")
    save_toy(runs / "leduc", "leduc")
    save_jam_or_fold(runs / "three" / "jam")
    with served(jam_or_fold_table(folder), folder) as running:
        yield running


def address(server: Served, **parts: str) -> str:
    return f"{server.address}/strategy?{urlencode(parts)}"


def asked(page: Any) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(page.url).query, keep_blank_values=True).items()}


def height(page: Any, name: str) -> str:
    return str(
        page.locator(f"#grid .cell[data-name='{name}']").evaluate("cell => cell.style.getPropertyValue('--height')")
    )


def act(page: Any, words: str) -> None:
    page.locator(".step.now button", has_text=words).first.click()


def test_a_line_to_the_flop(server: Served, page: Any) -> None:
    page.goto(address(server, policy="first"))
    page.wait_for_selector("#grid .cell")
    assert {height(page, name) for name in ("AA", "72o", "T9s")} == {"100%"}, (
        "before the first action all hands are there"
    )
    act(page, "raise 3bb")
    page.wait_for_selector(".step:nth-child(2).now")
    act(page, "call")
    page.wait_for_selector("dialog .deck")
    for card in ("king of spades", "seven of diamonds", "two of clubs"):
        page.click(f"dialog [aria-label='{card}']")
    page.wait_for_selector(".dealt")
    assert asked(page) == {"policy": "first", "line": FLOP}
    heights = {height(page, name) for name in ("AQs", "T9s", "87s", "55", "QJo")}
    assert len(heights) > 2, "cells are as full as their class gets here"
    assert "of its hands left" in page.inner_text("#weighing")
    weighed = page.inner_text("#totals")
    page.check("#alike")
    page.wait_for_selector("#weighing:has-text('Each hand that can be held')")
    assert page.inner_text("#totals") != weighed
    assert height(page, "T9s") == "100%"
    assert asked(page)["reach"] == "false"
    page.go_back()
    page.wait_for_selector("#weighing:has-text('of its hands left')")
    assert not page.is_checked("#alike")
    assert page.inner_text("#totals") == weighed


def test_ranges_of_both_and_the_link_to_solve(server: Served, page: Any) -> None:
    page.goto(address(server, policy="first", line=FLOP))
    page.wait_for_selector("#ranges .player")
    heads = page.locator("#ranges h3").all_inner_texts()
    assert heads[0].startswith("BB, to act: ") and heads[1].startswith("SB: ")
    equities = [float(head.split("equity ")[1].removesuffix(" %")) for head in heads]
    assert sum(equities) == pytest.approx(100.0, abs=0.11)
    assert "top pair" in page.inner_text("#ranges")
    page.click('#modes button:text("SB\'s range")')
    assert "brings here" in page.inner_text("#legend")
    page.click("#modes button:text('Equity')")
    page.wait_for_selector("#grid .cell[data-name=AA] small:has-text('%')", state="attached")
    link = urlsplit(page.get_attribute("#solve", "href"))
    assert link.path == "/solve"
    assert parse_qs(link.query) == {"policy": ["first"], "line": [FLOP]}
    page.goto(address(server, policy="first"))
    page.wait_for_selector("#grid .cell")
    assert not page.is_visible("#solve"), "before the flop there is nothing to solve"


def test_values_on_demand(server: Served, page: Any) -> None:
    page.goto(address(server, policy="first", line=RIVER))
    page.wait_for_selector("#grid .cell")
    assert "EV of the range" not in page.inner_text("#totals")
    page.click("#modes button:text('EV')")
    page.wait_for_selector("#totals p")
    assert "EV of the range" in page.inner_text("#totals")
    assert "exact" in page.inner_text("#legend")
    page.click("#grid .cell[data-name=AA]")
    assert "EV" in page.inner_text("#hands table thead")
    assert re.fullmatch(r"gives up [\d.]+ bb", page.inner_text("#given-up")), "of the range, beside the head"
    losing = page.locator("#grid .cell[title*='gives up']").first
    losing.click()
    words = re.search(r"own mixture gives up [\d.]+ bb; it is trained, not solved", losing.get_attribute("title"))
    assert words and words[0] in page.inner_text("#hands .given-up")
    assert page.locator("#grid .rough").count() == 0, "exact figures have no error"
    page.click("#modes button:text('Equity')")
    assert page.inner_text("#given-up") == ""
    page.goto(address(server, policy="first", line=FLOP))
    page.wait_for_selector("#ranges .player")
    page.click("#modes button:text('EV')")
    page.get_by_text("bucket tables of the policy were not found").wait_for()
    page.errors.clear()  # the browser reports a refusal of the server as an error


def test_figures_with_large_errors_are_thin(server: Served, page: Any) -> None:
    def with_errors(route: Any) -> None:
        content = route.fetch().json()
        for name, error in (("AA", 0.2), ("KK", 0.02)):
            content["classes"][name] |= {"ev": 5.0, "error": error}
        content["classes"]["QQ"] |= {"ev": -0.01, "error": 0.02}
        route.fulfill(json=content)

    page.route(lambda url: "/data/values" in url, with_errors)
    page.goto(address(server, policy="jam"))
    page.wait_for_selector("#ranges .player")
    page.click("#modes button:text('EV')")
    page.wait_for_selector("#totals p")
    rough = page.locator("#grid .rough").evaluate_all("all => all.map((one) => one.dataset.name)")
    assert rough == ["AA", "QQ"], "more than a tenth of a big blind, or than the figure itself"
    assert page.get_attribute("#grid [data-name=AA]", "title").startswith("AA: EV 5.00 ± 0.20 bb")
    assert "Thin letters" in page.inner_text("#legend")


def test_hands_that_training_never_met_have_no_value(server: Served, page: Any) -> None:
    page.goto(address(server, policy="untrained", line=JAM))
    page.wait_for_selector("#ranges .player")
    page.click("#modes button:text('EV')")
    page.wait_for_selector("#totals p")
    assert re.search(r"training never came with, [\d.]+ % of the range, are left out", page.inner_text("#totals"))
    page.click("#grid .cell[data-name=AA]")
    assert "EV" not in page.inner_text("#hands")
    assert "nothing is known" in page.inner_text("#hands")
    assert "unvisited" in page.get_attribute("#grid .cell[data-name=AA]", "class")
    page.click("#grid .cell[data-name=KK]")
    assert "EV" in page.inner_text("#hands .number")
    page.check("#alike")
    page.wait_for_selector("#totals p:has-text('hands weighed by how they get here')")
    page.select_option("#with", "jam")
    page.wait_for_selector("#grid-difference .cell")
    assert "unvisited" in page.get_attribute("#grid-difference .cell[data-name=AA]", "class")
    assert "are left out" in page.inner_text("#compare")


@pytest.mark.parametrize(("mode", "what"), [("EV", "values"), ("Equity", "ranges")])
def test_what_was_refused_is_asked_again(server: Served, page: Any, mode: str, what: str) -> None:
    refusing = [True]

    def answer(route: Any) -> None:
        if refusing:
            route.fulfill(status=400, json={"error": "not now"})
        else:
            route.continue_()

    page.route(lambda url: f"/data/{what}?" in url, answer)
    page.goto(address(server, policy="first", line=RIVER))
    page.wait_for_selector("#grid .cell")
    page.click(f"#modes button:text('{mode}')")
    page.wait_for_selector("#legend:has-text('not now')")
    refusing.clear()
    page.click(f"#modes button:text('{mode}')")
    page.wait_for_selector("#grid .cell small", state="attached")
    page.wait_for_selector("#legend:not(:has-text('not now'))")
    page.errors.clear()  # the browser reports a refusal of the server as an error


def test_the_deck_of_the_flop_by_keyboard(server: Served, page: Any) -> None:
    page.goto(address(server, policy="first", line="SB raise 3bb"))
    page.wait_for_selector("#grid .cell")
    page.locator(".step.now button", has_text="call").press("Enter")
    page.wait_for_selector("dialog .deck")
    assert page.locator("dialog .deck [tabindex='0']").count() == 1, "the Tab key stops once in the deck"
    page.keyboard.press("ArrowRight")
    focused = "document.activeElement.innerText"
    assert page.evaluate("document.activeElement.querySelector('.card').ariaLabel") == "king of spades"
    page.click("dialog button:text-is('Cancel')")
    assert page.locator("dialog").count() == 0
    assert page.evaluate(focused).startswith("call"), "where it was before"


def test_two_runs_side_by_side(server: Served, page: Any) -> None:
    page.goto(address(server, policy="first", line=FLOP))
    page.wait_for_selector("#grid .cell")
    page.select_option("#with", "second")
    page.wait_for_selector("#grid-difference .cell")
    assert asked(page) == {"policy": "first", "line": FLOP, "with": "second"}
    assert not page.is_visible("#view")
    assert page.locator("#compare .grid").count() == 3
    distance = float(page.inner_text("#distance b"))
    assert 0.0 < distance < 1.0
    listed = page.locator(".most .link").all_inner_texts()
    assert len(listed) == 15
    page.click(f".most .link:text-is('{listed[3]}')")
    assert page.locator(f"#grid-difference .chosen[data-name='{listed[3]}']").count() == 1
    act(page, "check")
    page.wait_for_selector(".step:nth-last-child(2) .taken")
    page.wait_for_selector("#distance b:text-is('0.000')")
    assert "Nothing differs here" in page.inner_text("#compare"), "only the decision before was changed"
    offered = page.locator("#with option").evaluate_all("all => all.map((one) => one.value)")
    assert offered == ["", "jam", "second", "three/jam", "untrained"], "not itself, and no other game"
    page.select_option("#with", "jam")
    page.wait_for_selector("#told:has-text('jam has no such place')")
    assert page.is_visible("#view"), "the policy itself is still shown"
    page.reload()
    page.wait_for_selector("#grid .cell")
    assert page.input_value("#with") == "jam"


def test_the_keyboard_stays_in_the_steps(server: Served, page: Any) -> None:
    page.goto(address(server, policy="first"))
    page.wait_for_selector("#grid .cell")
    page.locator(".step.now button", has_text="raise 3bb").press("Enter")
    page.wait_for_selector(".step:nth-child(2).now button:first-of-type:focus")
    assert "%" in page.inner_text(".step:nth-child(2).now button:focus small")
    page.locator(".step.now button", has_text="fold").press("Enter")
    page.get_by_text("the hand is over").wait_for()
    assert page.evaluate("document.activeElement.id") == "steps"


def when_held(page: Any, held: list[Any]) -> Any:
    """The request that is held back, as soon as the browser has sent it."""
    while not held:
        page.wait_for_timeout(10)
    return held.pop()


def test_a_hand_that_is_over_keeps_its_board(server: Served, page: Any) -> None:
    """Another action of the way can be taken then."""
    page.goto(address(server, policy="first", line=FLOP))
    page.wait_for_selector("#grid .cell")
    line = f"{FLOP} BB {page.locator('.step.now button').nth(1).evaluate('one => one.firstChild.textContent')}"
    page.locator(".step.now button").nth(1).click()
    page.wait_for_selector(".step:nth-last-child(1).now button:text('fold')")
    act(page, "fold")
    page.get_by_text("the hand is over").wait_for()
    assert asked(page)["line"] == f"{line}, SB fold"
    assert page.locator(".dealt .card").count() == 3
    page.locator(".step button", has_text="call").last.click()
    page.click("dialog [aria-label='five of hearts']")
    page.wait_for_selector(".dealt:has-text('turn')")
    assert asked(page)["line"] == f"{line}, SB call | 5h"


def test_a_place_that_is_being_read(server: Served, page: Any) -> None:
    page.goto(address(server, policy="first"))
    page.wait_for_selector("#grid .cell")
    assert page.get_attribute("#line", "placeholder") == "SB raise 3bb"
    held: list[Any] = []
    page.route(lambda url: "/data/strategy" in url, lambda route: held.append(route))
    act(page, "raise 3bb")
    page.wait_for_selector("main[aria-busy=true]")
    assert page.inner_text("#told") == "reading the policy…"
    assert page.inner_text(".step .asked").startswith("raise 3bb")
    page.wait_for_function("() => getComputedStyle(document.getElementById('view')).opacity < 1")
    when_held(page, held).continue_()
    page.wait_for_selector(".step:nth-child(2).now")
    page.wait_for_selector("main[aria-busy=false]")
    assert page.inner_text("#told") == ""
    act(page, "call")
    for card in ("king of spades", "seven of diamonds", "two of clubs"):
        page.click(f"dialog [aria-label='{card}']")
    page.wait_for_selector("main[aria-busy=true]")
    when_held(page, held).abort()
    page.get_by_text("the server does not answer; is it running?").wait_for()
    assert page.locator(".step .asked").count() == 0
    page.errors.clear()  # the browser reports it as well


def test_values_that_are_being_computed(server: Served, page: Any) -> None:
    page.goto(address(server, policy="first", line=RIVER))
    page.wait_for_selector("#ranges .player")
    held: list[Any] = []
    page.route(lambda url: "/data/values" in url, lambda route: held.append(route))
    page.click("#modes button:text('EV')")
    page.wait_for_selector("#grid[aria-busy=true]")
    assert "against itself" in page.inner_text("#computing")
    assert page.locator("#grid .cell:not(.absent)").count() > 0, "the grid is pale, not empty"
    when_held(page, held).continue_()
    page.wait_for_selector("#grid[aria-busy=false]")
    assert page.inner_text("#computing") == ""


def test_the_grid_by_keyboard(server: Served, page: Any) -> None:
    page.goto(address(server, policy="first", line=FLOP))
    page.wait_for_selector("#ranges .player")
    page.focus("#grid .cell[data-name=AKs]")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    assert page.inner_text("#hands h2").startswith("KQs, ")
    assert page.locator("#grid [tabindex='0']").count() == 1, "the Tab key stops once in the grid"
    chosen = page.locator("#grid .chosen")
    assert chosen.get_attribute("aria-pressed") == "true"
    assert chosen.get_attribute("aria-label").startswith("KQs: check ")
    page.focus("#modes button")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.locator("#modes [aria-pressed=true]").inner_text() == "BB's range"


def test_small_games_after_a_grid(server: Served, page: Any) -> None:
    page.goto(address(server, policy="first"))
    page.wait_for_selector("#grid .cell")
    page.select_option("#policy", "leduc")
    page.wait_for_selector("#grid table.states")
    assert not page.is_visible("#ranges") and not page.is_visible("#shares") and not page.is_visible("#tools")
    page.select_option("#policy", "three/jam")
    page.wait_for_selector("#grid .cell")
    page.wait_for_selector("#ranges .player")
    assert page.is_visible("#shares")


@pytest.mark.parametrize("left_for", ["another game", "a comparison", "the end of the hand"])
def test_what_comes_late_of_a_place_that_was_left_is_not_shown(server: Served, page: Any, left_for: str) -> None:
    held: list[Any] = []
    page.route(lambda url: "/data/ranges" in url or "/data/values" in url, lambda route: held.append(route))
    page.goto(address(server, policy="first", line=RIVER))
    page.wait_for_selector("#grid .cell")
    page.click("#modes button:text('EV')")
    page.wait_for_selector("#grid[aria-busy=true]")
    if left_for == "another game":
        page.select_option("#policy", "leduc")
        page.wait_for_selector("#grid table.states")
        assert page.get_attribute("#grid", "aria-busy") == "false"
        assert page.inner_text("#computing") == ""
        assert "information states" in page.get_attribute("#grid", "aria-label")
        page.errors.clear()  # the line is none of that game
    elif left_for == "a comparison":
        page.select_option("#with", "second")
        page.wait_for_selector("#grid-difference .cell")
    else:
        page.fill("#line", "SB fold")
        page.press("#line", "Enter")
        page.get_by_text("the hand is over").wait_for()
    assert len(held) == 2
    for route in held:
        with page.expect_response(route.request.url):
            route.continue_()
    page.wait_for_timeout(200)
    assert not page.is_visible("#ranges")
    assert page.locator("#grid table.states").count() == (left_for == "another game")


def test_a_low_window_shows_the_grid(server: Served, laptop: Any) -> None:
    laptop.goto(address(server, policy="first", line=FLOP))
    laptop.wait_for_selector("#ranges .player")
    laptop.evaluate("scrollTo(0, 0)")
    bottom = laptop.locator("#grid .cell[data-name='44']").bounding_box()
    assert bottom["y"] + bottom["height"] <= SIZES["laptop"][1], "eleven rows of thirteen are on the screen"
    steps = laptop.locator(".step").evaluate_all("all => all.map((one) => one.getBoundingClientRect().height)")
    assert max(steps) <= 120


def smallest_letters(page: Any) -> float:
    """Of all words that the grids show, in pixels."""
    return float(
        page.evaluate(
            """() => Math.min(...[...document.querySelectorAll(".cell, .cell small")]
              .filter((one) => one.checkVisibility()).map((one) => parseFloat(getComputedStyle(one).fontSize)))"""
        )
    )


@pytest.mark.parametrize("size", ["desktop", "laptop", "phone"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_off_the_screen(server: Served, browser: Any, size: str, scheme: str) -> None:
    with open_page(browser, size, color_scheme=scheme) as page:
        page.goto(address(server, policy="first", line=FLOP))
        page.wait_for_selector("#ranges .player")
        assert off_screen(page) == []
        assert smallest_letters(page) >= 9.0
        width = page.viewport_size["width"]
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.goto(address(server, policy="first", line=FLOP, **{"with": "second"}))
        page.wait_for_selector("#grid-difference .cell")
        assert off_screen(page) == []
        assert smallest_letters(page) >= 9.0
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.errors == []


def test_long_names_side_by_side_on_a_phone(tmp_path: Path, phone: Any) -> None:
    names = [f"models_of_last_week/headsup_{depth}bb_with_many_more_sizes" for depth in (100, 200)]
    save_random(tmp_path / "runs" / names[0], preflop="2.5x, 3x, a")
    save_random(tmp_path / "runs" / names[1], seed=2)
    with served(jam_or_fold_table(tmp_path), tmp_path) as server:
        phone.goto(address(server, policy=names[0], **{"with": names[1]}))
        phone.wait_for_selector("#grid-difference .cell")
        assert f"(only {names[0]})" in phone.inner_text("#compare")
        assert off_screen(phone) == []
        assert phone.evaluate("document.documentElement.scrollWidth") <= SIZES["phone"][0]


def test_a_comparison_of_two_games_says_so(tmp_path: Path, page: Any) -> None:
    save_random(tmp_path / "runs" / "shallow")
    save_random(tmp_path / "runs" / "deep", stack=4_000)
    with served(jam_or_fold_table(tmp_path), tmp_path) as server:
        page.goto(address(server, policy="shallow", **{"with": "deep"}))
        page.wait_for_selector("#grid-difference .cell")
        assert "trained for different games (20 bb and 40 bb)" in page.inner_text("#told")


def test_a_cell_is_filled_from_below(server: Served, page: Any) -> None:
    """A cell that is half full is coloured below and pale above."""
    page.goto(address(server, policy="first", line=FLOP))
    page.wait_for_selector("#ranges .player")
    look = page.locator("#grid .cell[data-name=T9s]").evaluate(
        "cell => [getComputedStyle(cell).backgroundSize, getComputedStyle(cell).backgroundPosition]"
    )
    assert look[0].split()[-1] == height(page, "T9s")
    assert look[1].endswith("100%")


def test_the_first_step_is_seen_from_its_beginning_on_a_narrow_screen(server: Served, phone: Any) -> None:
    phone.set_viewport_size({"width": 200, "height": 700})
    phone.goto(address(server, policy="first"))
    phone.wait_for_selector("#grid .cell")
    steps, now = phone.locator("#steps").bounding_box(), phone.locator(".step.now").bounding_box()
    assert now["width"] > steps["width"], "or there is nothing to see here"
    assert now["x"] >= steps["x"]
