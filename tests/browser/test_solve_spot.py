"""The Solve room: menus and eraser of a spot, locks and their players, a new solve beside an old one, a low window."""

from pathlib import Path
from typing import Any

import pytest

from holdem.cards import Range
from holdem.realtime import solve_subgame
from holdem.realtime.subgame.files import save_solution
from tests.browser.chromium import SIZES, open_page
from tests.browser.solve_room import choose_board, drag, estimated, expect, figures, go, open_room, range_text, solve
from tests.browser.test_solve_room import SPOT, open_spot

RECORD = """() => {
  window.seen = [];
  const note = () => window.seen.push([
    document.getElementById("about").textContent, document.getElementById("figures").textContent,
    document.getElementById("turn").checkVisibility({ visibilityProperty: true }),
    !document.getElementById("progress").hidden && document.getElementById("course").checkVisibility(),
  ]);
  new MutationObserver(note).observe(document.getElementById("about"), { childList: true });
}"""
"""Notes at each change of the header what it says, whether the old decision is seen, and whether the bar is."""


def test_presets_examples_and_the_eraser(address: str, page: Any) -> None:
    open_room(page, address)
    preset = page.locator("#oop [aria-label='preset range for OOP'] option").nth(1)
    words, text = preset.inner_text(), preset.get_attribute("value")
    page.select_option("#oop [aria-label='preset range for OOP']", label=words)
    range_text(page, "oop", str(Range.parse(text)))
    assert page.input_value("#oop [aria-label='preset range for OOP']") == "", "it can be chosen again"

    page.fill("#oop textarea", "JJ+")
    page.press("#oop textarea", "Enter")
    range_text(page, "oop", "JJ+")
    page.click("#oop button:text-is('Eraser')")
    assert page.get_attribute("#oop button:text-is('Eraser')", "aria-pressed") == "true"
    drag(page, "oop", "KK", "QQ", "TT")  # the last is empty, and stays so
    range_text(page, "oop", "AA")

    board = page.locator("#board .slots .card:not(.slot)")
    before = [one.get_attribute("aria-label") for one in board.all()]
    for number in range(1, page.locator("#examples option").count()):
        page.select_option("#examples", index=number)
        expect(page.locator("#oop textarea")).not_to_have_value("AA")
        estimated(page)
        if [one.get_attribute("aria-label") for one in board.all()] != before:
            return
    raise AssertionError("no example has another board")


def test_a_new_solve_never_stands_beside_figures_of_the_old(address: str, page: Any, tmp_path: Path) -> None:
    open_spot(page, address, tmp_path, "1")
    solve(page)
    old = page.inner_text("#about")
    assert "EV OOP" in old
    page.click("#show-spot")
    page.fill("#pot", "90")
    page.press("#pot", "Tab")
    page.evaluate(RECORD)
    solve(page)
    seen = page.evaluate("window.seen")
    assert seen[0][0] == "the solver is starting…"
    assert "the solver is starting…" in seen[0][1]
    for about, shown, decision, _ in seen[:-1]:
        assert "EV OOP" not in about + shown
        assert not decision, "the decision of the old spot is out of sight"
    assert any(busy for *_, busy in seen)
    assert page.inner_text("#about") != old
    assert page.is_visible("#turn")


def test_locks_name_their_player_and_a_new_board_says_that_they_go(address: str, page: Any, tmp_path: Path) -> None:
    locks = [
        {"node": "Check", "strategy": {"Check": 1}},
        {"node": "", "strategy": {"Check": 1}},
        {"node": "Check, Check, 7d", "strategy": {"Check": 1}},
    ]
    open_spot(page, address, tmp_path, "1", locks=locks)
    listed = page.locator("#locks .lock span").all_inner_texts()
    assert listed == [
        "IP after check: check 100 %", "OOP at the root: check 100 %", "OOP after check, check, 7d: check 100 %",
    ]  # fmt: skip
    page.get_by_role("button", name="remove the lock of IP after check").click()
    assert page.inner_text("#told") == ""
    choose_board(page, ["king of clubs", "eight of hearts", "five of hearts"])
    expect(page.locator("#told")).to_contain_text("the locks are gone")
    assert page.is_hidden("#locks")


def test_a_file_says_how_its_solve_ended(address: str, page: Any, tmp_path: Path) -> None:
    solution = solve_subgame(SPOT, target_percent=1.0)
    save_solution(solution, tmp_path / "a.solve")
    open_room(page, address)
    page.set_input_files("#file", tmp_path / "a.solve")
    page.wait_for_selector(".step.now")
    assert figures(page)["Ended"] == "the target is reached"


def test_a_class_that_does_not_come_along_is_not_kept(address: str, page: Any, tmp_path: Path) -> None:
    hands = {"node": "", "hands": {"AA": {"Check": 1}, "KK": {"Bet(40)": 0.9999, "Check": 0.0001}}}
    open_spot(page, address, tmp_path, "1", range_oop="AA, KK", locks=[hands])
    solve(page)
    page.click("#grid .cell[data-name=KK]")
    go(page, "check", "check", "seven of diamonds")  # hardly any of those who bet get here
    expect(page.locator("#grid .chosen")).to_have_attribute("data-name", "AA")
    assert page.inner_text("#detail h2").startswith("AA: 100.0 % of it gets here")


@pytest.mark.parametrize("size", ["laptop", "desktop"])
def test_both_grids_fit_the_window(address: str, browser: Any, size: str, tmp_path: Path) -> None:
    with open_page(browser, size) as page:
        height = SIZES[size][1]
        open_spot(page, address, tmp_path, "1")
        for player in ("#oop", "#ip"):
            assert bottom(page, f"{player} .paints") <= height
            assert bottom(page, f"{player} .words") <= height, "text and presets are seen, too"
        solve(page)
        assert bottom(page, "#grid") <= height
        bar, grid = (page.locator(name).bounding_box() for name in (".bar", "#grid"))
        assert grid["height"] < height - bar["height"] - page.locator(".top").bounding_box()["height"]
        cut = page.locator("#grid .cell").evaluate_all(
            "all => all.filter((one) => one.scrollHeight > one.clientHeight + 1).map((one) => one.dataset.name)"
        )
        assert cut == [], "words fit into their cells"
        assert page.errors == []


def bottom(page: Any, selector: str) -> float:
    box = page.locator(selector).bounding_box()
    return float(box["y"] + box["height"])
