"""The Solve room: menus and eraser of a spot, locks and their players, a new solve beside an old one, a low window."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from holdem import web
from holdem.cards import Range
from holdem.errors import ConfigError
from holdem.realtime import solve_subgame
from holdem.realtime.subgame.files import save_solution
from holdem.realtime.subgame.spot import INFORMATION, Spot
from tests.browser.chromium import SIZES, open_page
from tests.browser.solve_room import choose_board, drag, estimated, expect, figures, go, open_room, range_text, solve
from tests.browser.test_solve_room import SPOT, open_spot

STATIC = Path(web.__file__).parent / "static"
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


def test_sizes_of_their_own_are_kept_while_both_have_the_same(address: str, page: Any, tmp_path: Path) -> None:
    open_spot(page, address, tmp_path, "1")
    differ, ip = page.locator("text=OOP and IP differ"), page.locator("[aria-label='ip turn bet sizes']")
    differ.check()
    ip.fill("10%")
    differ.uncheck()
    page.fill("[aria-label='turn bet sizes']", "80%")
    differ.check()
    assert (page.input_value("[aria-label='oop turn bet sizes']"), ip.input_value()) == ("80%", "10%")


def test_sizes_of_both_players_begin_alike(address: str, page: Any, tmp_path: Path) -> None:
    open_spot(page, address, tmp_path, "1")
    page.check("text=OOP and IP differ")
    page.uncheck("text=OOP and IP differ")
    page.fill("[aria-label='turn bet sizes']", "80%")
    page.check("text=OOP and IP differ")
    sizes = [page.input_value(f"[aria-label='{player} turn bet sizes']") for player in ("oop", "ip")]
    assert sizes == ["80%", "80%"]


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
        {"node": "Check, Check, *", "strategy": {"Check": 1}},
        {"node": "check, check, 10D, check", "strategy": {"Check": 1}},
    ]
    open_spot(page, address, tmp_path, "1", locks=locks)
    listed = page.locator("#locks .lock span").all_inner_texts()
    assert listed == [
        "IP after check: check 100 %", "OOP at the root: check 100 %", "OOP after check, check, 7d: check 100 %",
        "OOP after check, check, *: check 100 %", "IP after check, check, 10d, check: check 100 %",
    ]  # fmt: skip
    page.get_by_role("button", name="remove the lock of IP after check", exact=True).click()
    assert page.inner_text("#told") == ""
    choose_board(page, ["king of clubs", "eight of hearts", "five of hearts"])
    expect(page.locator("#told")).to_contain_text("the locks are gone")
    assert page.is_hidden("#locks")


@pytest.mark.parametrize("board", ["KC 8H 5H 2S", "kc8h,5h 2s"])
def test_a_board_is_read_as_the_solver_reads_it(address: str, page: Any, tmp_path: Path, board: str) -> None:
    open_spot(page, address, tmp_path, "1", board=board)
    picked = page.locator("#board .deck .picked .card")
    assert {one.get_attribute("aria-label") for one in picked.all()} == {
        "king of clubs", "eight of hearts", "five of hearts", "two of spades",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"board": "Kx 8h 5h"}, "Kx is no card"),
        ({"board": "Kc 8h 5h 2"}, "write two letters for each"),
        ({"board": "Kc 8h kc"}, "a card is twice"),
        ({"board": "Kc 8h 5h 2s 3s 4s"}, "at most 5"),
        ({"bet_sizes": {"flop": None}}, "bet_sizes of the flop"),
        ({"bet_sizes": "50%"}, "bet_sizes is no object"),
        ({"bet_sizes": {"oop": 3}}, "bet_sizes.oop is no object"),
        ({"range_ip": 7}, "range_ip is no text"),
        ({"rake": 5}, "'rake' is not a field of a spot"),
        ({"bet_sizes": {"preflop": {"bet": "50%"}}}, "'preflop' is not a street"),
        ({"bet_sizes": {"oop": {"trun": {"bet": "50%"}}}}, "bet_sizes.oop: 'trun' is not a street"),
        ({"bet_sizes": {"oop": {}, "turn": {"bet": "50%"}}}, "players and streets side by side"),
    ],
)
def test_a_file_that_cannot_be_read_touches_nothing(
    address: str, page: Any, tmp_path: Path, change: dict[str, Any], words: str
) -> None:
    open_room(page, address)
    before = page.evaluate("sessionStorage.getItem('holdem.solve')")
    (tmp_path / "bad.json").write_text(json.dumps({**SPOT, **change}), encoding="utf-8")
    page.set_input_files("#file", tmp_path / "bad.json")
    expect(page.locator("#told")).to_contain_text(words)
    assert page.evaluate("sessionStorage.getItem('holdem.solve')") == before
    assert "237 and 287 hands" in estimated(page)


def test_of_a_file_of_spots_the_first_is_taken_and_said_so(address: str, page: Any, tmp_path: Path) -> None:
    open_room(page, address)
    (tmp_path / "two.json").write_text(json.dumps({"spots": [{**SPOT, "pot": 61}, SPOT]}), encoding="utf-8")
    page.set_input_files("#file", tmp_path / "two.json")
    expect(page.locator("#told")).to_contain_text("the first of 2 spots in two.json")
    assert page.input_value("#pot") == "61"


def test_every_field_that_the_solver_reads_is_known_to_the_page() -> None:
    """And what it does not read, but lets pass."""
    known = "".join((STATIC / "solve" / name).read_text(encoding="utf-8") for name in ("files.js", "spot_form.js"))
    with pytest.raises(ConfigError) as refused:
        Spot.from_plain({"no such field": 1})
    fields = str(refused.value).partition("they are ")[2].split(", ")
    assert len(fields) == 13
    assert [name for name in [*fields, *INFORMATION] if f'"{name}"' not in known] == []


def test_locks_of_a_file_name_their_hands(address: str, page: Any, tmp_path: Path) -> None:
    hands = {"AA": {"Check": 1}, "KK,QQ": {"Check": 1}}
    lock = {"node": "", "strategy": {"Check": 0.3, "Bet(40)": 0.7}, "hands": hands}
    open_spot(page, address, tmp_path, "1", locks=[lock])
    expect(page.locator("#locks")).to_contain_text("AA, KK, QQ in their own way")


def test_a_hand_that_meets_none_has_no_bar(address: str, page: Any, tmp_path: Path) -> None:
    lock = {"node": "", "strategy": {"Check": 1}}
    open_spot(page, address, tmp_path, "1", board="Kh 8h 5h 2s", range_oop="AsAh", range_ip="AsKs, TT", locks=[lock])
    solve(page)
    go(page, "check")
    page.click("#grid .cell[data-name=AKs]")
    assert page.locator("#detail .combos .combo").count() == 1
    assert page.locator("#detail .combos .mix").count() == 0
    page.click("#grid .cell[data-name=TT]")
    assert page.locator("#detail .combos .mix").count() == 6
    for key in ("composition", "all", "lock"):
        page.click(f"#tabs [data-value={key}]")
    solve(page, "button:text-is('Lock each hand as it is solved and solve again')")


def test_all_hands_are_sorted_as_cards_and_hands_are_worth(address: str, page: Any, tmp_path: Path) -> None:
    open_spot(page, address, tmp_path, "1", range_oop="88, AKs, QJs, JTs, T9s", range_ip="88, AKs")
    solve(page)
    grid = page.locator("#grid")
    assert (grid.get_attribute("role"), grid.locator("[aria-pressed=true]").count()) == ("group", 1)
    assert page.get_attribute("#detail", "aria-live") == "polite"
    page.click("#tabs [data-value=all]")
    assert page.get_attribute("#detail", "aria-live") == "off", "a long table is not read aloud"
    for heading, column, first, last in (("hand", 1, "A♠K♠", "8♦8♣"), ("made", 5, "set", "nothing")):
        page.click(f"#detail th button:text-is('{heading}')")
        cells = page.locator(f"#detail tbody td:nth-child({column})").all_inner_texts()
        assert (cells[0], cells[-1]) == (first, last)
    page.click("#tabs [data-value=composition]")
    bar = page.locator("#detail .mix").first
    assert bar.get_attribute("role") == "img"
    assert re.fullmatch(r"check [\d.]+ %(, bet 40 [\d.]+ %)?.*", bar.get_attribute("aria-label"))


def test_the_focus_stays_where_something_was_taken_away(address: str, page: Any, tmp_path: Path) -> None:
    locks = [{"node": node, "strategy": {"Check": 1}} for node in ("", "check")]
    open_spot(page, address, tmp_path, "1", locks=locks)
    focused = "document.activeElement.getAttribute('aria-label') ?? document.activeElement.id"
    page.locator("#locks .lock button").first.click()
    expect(page.locator("#locks .lock")).to_have_count(1)
    assert page.evaluate(focused).startswith("remove the lock of IP")
    page.keyboard.press("Enter")
    assert page.evaluate(focused) == "start"
    page.locator("#board .slots button").last.click()
    expect(page.locator("#board .slots button")).to_have_count(3)
    assert page.evaluate("document.activeElement.closest('.slots') !== null")
    for _ in range(3):
        page.keyboard.press("Enter")
    expect(page.locator("#board .slots button")).to_have_count(0)
    assert page.evaluate("document.activeElement.closest('.deck') !== null")


def test_a_file_says_how_its_solve_ended(address: str, page: Any, tmp_path: Path) -> None:
    solution = solve_subgame(SPOT, target_percent=1.0)
    save_solution(solution, tmp_path / "a.solve")
    open_room(page, address)
    page.set_input_files("#file", tmp_path / "a.solve")
    page.wait_for_selector(".step.now")
    assert figures(page)["Ended"] == "the target is reached"
    for player in ("oop", "ip"):
        range_text(page, player, str(Range.parse(str(SPOT[f"range_{player}"]))))
    expect(page.locator("#stale")).to_be_hidden()


def test_a_file_with_finer_weights_is_not_of_the_ranges_that_are_kept(address: str, page: Any, tmp_path: Path) -> None:
    solution = solve_subgame({**SPOT, "range_oop": "AA, KQs:0.1234567, TT:0.00321"}, target_percent=1.0)
    save_solution(solution, tmp_path / "a.solve")
    open_room(page, address)
    page.set_input_files("#file", tmp_path / "a.solve")
    expect(page.locator("#told")).to_contain_text("more digits than are kept here")
    assert page.input_value("#oop textarea") == "AA, TT:0.00321, KQs:0.12346"
    expect(page.locator("#stale")).to_be_visible()


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
