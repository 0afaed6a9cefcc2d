"""The Solve room as a person uses it: painting, choosing cards, solving, walking."""

import json
import re
from typing import Any

from tests.browser.chromium import PATIENCE_MS

PAINTERS = {"oop": "#oop", "ip": "#ip"}


def expect(what: Any) -> Any:
    """Playwright's assertions that wait; scripts of a test that wait inside the page are against its CSP."""
    from playwright.sync_api import expect as playwright_expect

    playwright_expect.set_options(timeout=PATIENCE_MS)
    return playwright_expect(what)


def open_room(page: Any, address: str) -> None:
    """The page, when it has said what its first spot will take."""
    page.goto(f"{address}/solve")
    estimated(page)


def said(page: Any) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Lists that fill with the messages that a page sends and hears; call it before the page is opened."""
    sent: list[dict[str, Any]] = []
    heard: list[dict[str, Any]] = []

    def listen(socket: Any) -> None:
        socket.on("framesent", lambda text: sent.append(json.loads(text)))
        socket.on("framereceived", lambda text: heard.append(json.loads(text)))

    page.on("websocket", listen)
    return sent, heard


def estimated(page: Any) -> str:
    """What a solve will take, in words."""
    expect(page.locator("#estimate")).to_have_text(re.compile(" MB| GB"))
    return str(page.inner_text("#estimate"))


def cell(page: Any, player: str, name: str) -> Any:
    """One class of a painter."""
    return page.locator(f"{PAINTERS[player]} .cell[data-name='{name}']")


def drag(page: Any, player: str, *names: str) -> None:
    """A stroke of the mouse from class to class, with few events between them as of a quick hand."""
    for number, name in enumerate(names):
        box = cell(page, player, name).bounding_box()
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=2)
        if number == 0:
            page.mouse.down()
    page.mouse.up()


def range_text(page: Any, player: str, expected: str | None = None) -> str:
    """The range in words; with `expected`, once the server has put the last stroke into them."""
    field = f"{PAINTERS[player]} textarea"
    if expected is not None:
        expect(page.locator(field)).to_have_value(expected)
    return str(page.input_value(field))


def type_range(page: Any, player: str, text: str) -> None:
    """A range typed as text."""
    page.fill(f"{PAINTERS[player]} textarea", text)
    page.press(f"{PAINTERS[player]} textarea", "Enter")


def choose_board(page: Any, cards: list[str]) -> None:
    """A board, card by card."""
    page.click("#board [aria-label='clear the board']")
    for card in cards:
        page.click(f"#board .deck button:has([aria-label='{card}'])")


def solve(page: Any, button: str = "#start") -> None:
    """A click that solves, to the end of the solve and the node that is then shown."""
    stops = int(page.get_attribute("#figures", "data-stops") or 0)
    page.click(button)
    page.wait_for_selector(f"#figures[data-stops='{stops + 1}']", state="attached")
    page.wait_for_selector("#go-on", state="visible")
    page.wait_for_selector("#solution[aria-busy='false']", state="attached")
    page.wait_for_selector(".step.now")


def figures(page: Any) -> dict[str, str]:
    """The figures of a solve by name."""
    names, values = page.locator("#figures dt").all_inner_texts(), page.locator("#figures dd").all_inner_texts()
    return dict(zip(names, values, strict=True))


def number(text: str) -> float:
    """The number in a text such as `0.43 %`."""
    found = re.search(r"-?[\d,]*\.?\d+", text)
    assert found, text
    return float(found[0].replace(",", ""))


def shown_frequencies(page: Any) -> dict[str, float]:
    """Frequencies of the decision that is shown, by the words of its actions."""
    buttons = page.locator(".step.now button:not(.head)")
    texts = [button.inner_text().split("\n") for button in buttons.all()]
    return {words[0].strip(): number(words[-1]) / 100 for words in texts}


def go(page: Any, *words: str) -> None:
    """Walk: an action by its words, or a card by its name in words."""
    for word in words:
        before = page.locator(".steps > *").count()
        if " of " in word:
            page.click(f".step.deal button:has([aria-label='{word}'])")
        else:
            page.click(f".step.now button:has-text('{word}')")
        expect(page.locator(".steps > *")).to_have_count(before + 1)
