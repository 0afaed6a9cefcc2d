"""The ranges of the Solve room: painted and typed, undone, kept, and read by a server that is slow or away."""

import re
import time
from typing import Any

from tests.browser.chromium import open_page
from tests.browser.solve_room import (
    cell,
    choose_board,
    drag,
    estimated,
    expect,
    open_room,
    range_text,
    solve,
    type_range,
)


def test_text_both_ways_undo_suits_and_reload(address: str, page: Any) -> None:
    open_room(page, address)
    type_range(page, "oop", "AA, AKs:0.25, 7h6h")
    range_text(page, "oop", "AA, AKs:0.25, 7h6h")
    expect(cell(page, "oop", "AKs")).to_have_attribute("title", "AKs: 25 %")  # painted when the server has read it
    drag(page, "oop", "KK", "QQ")
    range_text(page, "oop", "QQ+, AKs:0.25, 7h6h")
    page.keyboard.press("Control+z")
    range_text(page, "oop", "AA, AKs:0.25, 7h6h")
    page.keyboard.press("Control+Shift+z")
    range_text(page, "oop", "QQ+, AKs:0.25, 7h6h")
    drag(page, "oop", "KK")  # a stroke that begins on the brush's own weight erases
    range_text(page, "oop", "AA, QQ, AKs:0.25, 7h6h")
    cell(page, "oop", "AKs").click(modifiers=["Control"])
    page.fill("dialog [aria-label='weight of AhKh in per cent']", "0")
    page.click("dialog button:text-is('Use')")
    expect(page.locator("#oop textarea")).to_have_value(re.compile("AsKs:0.25"))
    text = range_text(page, "oop")
    assert "AhKh" not in text
    type_range(page, "ip", "A9z")
    page.get_by_text("is not a hand or range").wait_for()
    assert "400" in page.errors.pop()  # which the browser notes, too
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.reload()
    estimated(page)
    assert range_text(page, "oop") == text
    assert len([url for url in asked if "/data/range" in url]) <= 4, "each range is put into words once or twice"
    assert page.is_disabled("#oop [aria-label='undo (Ctrl+Z)']")


def test_a_space_bar_that_is_held_paints_once(address: str, page: Any) -> None:
    open_room(page, address)
    type_range(page, "oop", "AA")
    range_text(page, "oop", "AA")
    cell(page, "oop", "KK").focus()
    for _ in range(2):
        page.keyboard.down(" ")
    page.keyboard.up(" ")
    range_text(page, "oop", "KK+")


def test_hands_that_touch_the_board_are_struck_out(address: str, page: Any) -> None:
    open_room(page, address)
    choose_board(page, ["ace of clubs", "ace of hearts", "ace of diamonds", "ace of spades"])
    assert "blocked" in cell(page, "oop", "AKo").get_attribute("class")
    assert "blocked" not in cell(page, "oop", "KK").get_attribute("class")


def test_a_finger_paints_on_the_phone(address: str, phone: Any) -> None:
    page = phone
    open_room(page, address)
    page.tap("#paint-ip")
    page.tap("#ip button:text-is('Clear')")
    cell(page, "ip", "88").scroll_into_view_if_needed()
    start, end = (cell(page, "ip", name).bounding_box() for name in ("AA", "TT"))
    scrolled = page.evaluate("scrollY")
    finger = page.context.new_cdp_session(page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})

    middle = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in (start, end)]
    touch("touchStart", middle[0])
    for step in (0.25, 0.5, 0.75, 1.0):
        touch("touchMove", tuple(a + (b - a) * step for a, b in zip(*middle, strict=True)))
    touch("touchEnd")
    range_text(page, "ip", "TT+")
    assert page.evaluate("scrollY") == scrolled, "painting does not scroll"


def test_a_second_finger_paints_nothing(address: str, phone: Any) -> None:
    page = phone
    open_room(page, address)
    page.tap("#oop button:text-is('Clear')")
    cell(page, "oop", "66").scroll_into_view_if_needed()
    boxes = {name: cell(page, "oop", name).bounding_box() for name in ("AA", "KK", "QQ", "66")}
    places = {
        name: {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2} for name, box in boxes.items()
    }
    hand = page.context.new_cdp_session(page)

    def touch(kind: str, *names: str) -> None:
        points = [{**places[name], "id": finger} for finger, name in enumerate(names)]
        hand.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", "AA")
    touch("touchStart", "AA", "66")  # a palm
    touch("touchMove", "KK", "66")
    touch("touchMove", "QQ", "66")
    touch("touchEnd")
    range_text(page, "oop", "QQ+")


def test_a_finger_opens_the_suits_and_presses_nothing_there(address: str, phone: Any) -> None:
    page = phone
    open_room(page, address)
    type_range(page, "oop", "AKs:0.25")
    range_text(page, "oop", "AKs:0.25")
    page.tap("#oop button:text-is('Suits')")
    for name in ("AKs", "99", "32o"):  # wherever the dialog lies above them
        cell(page, "oop", name).scroll_into_view_if_needed()
        cell(page, "oop", name).tap()
        page.get_by_role("dialog", name=f"Suits of {name}").wait_for()
        page.wait_for_timeout(100)
        expect(page.locator("dialog.suits h2")).to_have_text(f"Suits of {name}")
        assert page.locator("dialog.suits input").first.input_value() == ("25" if name == "AKs" else "0")
        page.tap("dialog.suits button:text-is('Use')")
        range_text(page, "oop", "AKs:0.25")


def test_the_later_of_two_presets_is_painted(address: str, page: Any) -> None:
    """However late the answer to the first one comes."""
    open_room(page, address)
    held: list[Any] = []
    page.route(
        "**/data/range", lambda route: held.append(route) if "KK" in route.request.post_data else route.continue_()
    )
    type_range(page, "oop", "KK")
    type_range(page, "oop", "QQ")
    range_text(page, "oop", "QQ")
    held[0].continue_()
    page.wait_for_timeout(300)
    range_text(page, "oop", "QQ")


def test_what_is_typed_comes_before_the_stroke_that_leaves_its_field(address: str, browser: Any) -> None:
    """However late the server reads it; a text that is no range stays where it is, and nothing is painted over it."""
    with open_page(browser) as page:  # the console has the refusal
        open_room(page, address)
        type_range(page, "oop", "KK")
        range_text(page, "oop", "KK")
        held: list[Any] = []
        typed = '{"text":"AA"}'
        page.route(
            "**/data/range", lambda route: held.append(route) if route.request.post_data == typed else route.continue_()
        )
        page.fill("#oop textarea", "AA")
        drag(page, "oop", "QQ")
        drag(page, "oop", "A5s", "A4s")
        while not held:
            page.wait_for_timeout(10)
        held[0].continue_()
        range_text(page, "oop", "AA, QQ, A5s-A4s")
        for expected in ("AA, QQ", "AA", "KK"):
            page.click("#oop button:text-is('↶')")
            range_text(page, "oop", expected)
        page.fill("#oop textarea", "TT")
        cell(page, "oop", "TT").click(modifiers=["Control"])
        expect(page.locator("dialog [aria-label='weight of TsTh in per cent']")).to_have_value("100")
        page.click("dialog button:text-is('Cancel')")
        page.fill("#oop textarea", "TT, zz")
        drag(page, "oop", "99")
        expect(page.locator("#oop .words .bad")).to_contain_text("'zz' is not a hand")
        page.wait_for_timeout(300)  # a stroke is put into words after a fifth of a second
        range_text(page, "oop", "TT, zz")


def test_a_click_erases_a_class_that_is_shown_in_full_beside_the_board(address: str, page: Any) -> None:
    """The hands of a blueprint's line that the board leaves, AKs beside the king of clubs."""
    open_room(page, address)
    choose_board(page, ["king of clubs", "eight of hearts", "five of hearts"])
    type_range(page, "oop", "AsKs, AhKh, AdKd, QQ")
    expect(cell(page, "oop", "AKs")).to_have_attribute("title", "AKs: 100 %")
    drag(page, "oop", "AKs")
    range_text(page, "oop", "QQ")


def test_a_typed_range_is_the_one_that_is_solved(address: str, browser: Any) -> None:
    """However late the server reads it; a text that is no range is refused, also from where it is not seen."""
    with open_page(browser) as page:  # the console has the refusal
        open_room(page, address)

        def late(route: Any) -> None:
            time.sleep(0.3)
            route.continue_()

        page.route("**/data/range", late)
        page.fill("#oop textarea", "AA, KK")
        page.click("#start")
        page.wait_for_selector("#go-on", state="visible")
        page.wait_for_selector(".step.now")
        expect(page.locator("#estimate")).to_contain_text("9 and 287 hands")  # six of aces, three of kings beside Kc
        page.unroute("**/data/range")
        page.click("#show-spot")
        fine = range_text(page, "ip")
        for text in ("AA, zz", "JJ,TT,A"):
            page.fill("#ip textarea", text)
            page.press("#ip textarea", "Tab")
            expect(page.locator("#estimate")).to_contain_text("IP: ")
            assert page.is_disabled("#start")
        page.fill("#ip textarea", fine)  # back to what it was before the text that is none
        page.press("#ip textarea", "Tab")
        expect(page.locator("#estimate")).to_contain_text("9 and 287 hands")
        assert page.is_enabled("#start")
        type_range(page, "ip", "QQ")
        expect(page.locator("#estimate")).to_contain_text("9 and 6 hands")
        assert page.is_enabled("#start")


def test_a_change_while_the_solve_is_asked_is_said(address: str, browser: Any) -> None:
    with open_page(browser) as page:  # the console has the refusal
        open_room(page, address)
        type_range(page, "oop", "AA")
        range_text(page, "oop", "AA")
        solve(page)
        assert page.is_hidden("#stale")
        page.click("#show-spot")
        page.fill("#oop textarea", "nonsense")
        page.press("#oop textarea", "Tab")
        page.click("#show-solution")
        expect(page.locator("#stale")).to_be_visible()


def test_the_dialog_of_suits_gives_the_focus_back_and_can_be_undone(address: str, page: Any) -> None:
    open_room(page, address)
    type_range(page, "oop", "AKs, QQ")
    range_text(page, "oop", "QQ, AKs")
    for button, expected in (("Cancel", "QQ, AKs"), ("Use", "QQ, AcKc, AdKd, AhKh")):
        cell(page, "oop", "AKs").focus()
        page.keyboard.press("Enter")
        page.fill("[aria-label='weight of AsKs in per cent']", "0")
        page.click(f"dialog.suits button:has-text('{button}')")
        assert page.evaluate("document.activeElement.dataset.name") == "AKs"
        expect(page.locator("#oop textarea")).to_have_value(expected)
    page.keyboard.press("Control+z")
    range_text(page, "oop", "QQ, AKs")


def test_what_is_cleared_stays_empty_and_a_lost_text_is_read_again(address: str, browser: Any) -> None:
    with open_page(browser) as page:  # the console has what was lost
        open_room(page, address)
        held: list[Any] = []
        page.route("**/data/range", lambda route: held.append(route))
        page.fill("#ip textarea", "KK")
        page.click("#ip button:text-is('Clear')")
        while not held:
            page.wait_for_timeout(10)
        held[0].continue_()
        page.wait_for_timeout(300)
        assert page.input_value("#ip textarea") == ""
        page.unroute("**/data/range")
        assert page.inner_text("#ip .count").startswith("0 combos")
        page.route("**/data/range", lambda route: route.abort())
        page.fill("#ip textarea", "KK")
        page.press("#ip textarea", "Tab")
        expect(page.locator("#estimate")).to_contain_text("IP: the server does not answer")
        page.unroute("**/data/range")
        page.fill("#target", "1")
        page.press("#target", "Tab")
        expect(page.locator("#estimate")).to_contain_text("237 and 3 hands")
