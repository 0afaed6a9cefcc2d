"""The pages in a real browser: a hand with the keyboard, the strategy of a class, and no error on the way."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.web.pages import Served, jam_or_fold_table, served


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Served]:
    with served(jam_or_fold_table(tmp_path), tmp_path) as running:
        yield running


def test_a_hand_with_the_keyboard_and_a_look_at_the_other_pages(server: Served, phone: Any) -> None:
    page = phone
    page.goto(server.address)
    page.wait_for_selector("#call:not([disabled])")
    page.keyboard.press("w")
    page.wait_for_selector(".decision")
    page.keyboard.press("p")
    assert page.inner_text("#raise").startswith("Raise to 300")
    page.keyboard.press("r")
    while not page.is_visible("#next"):
        page.wait_for_selector("#call:not([disabled]), #next:not([hidden])")
        page.keyboard.press("c")
    assert page.locator(".board .card:not(.slot)").count() == 5
    assert page.locator(".seat .card.back").count() == 0 or "mucks" in page.inner_text("#log")
    assert page.inner_text("#hands") == "1"
    page.keyboard.press("Enter")
    page.wait_for_selector("#log h3:nth-of-type(2)")
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= 390, "the page is wider than the phone"

    page.goto(f"{server.address}/strategy")
    page.click(".cell[data-name=AKs]")
    assert "AKs, 4 hands" in page.inner_text("#hands")
    page.click(".step.now button:last-child")
    page.wait_for_selector(".step:nth-child(2).now")
    assert "SB+raise+10bb+all-in" in page.url
    assert page.evaluate("document.documentElement.scrollWidth") <= 390

    page.goto(f"{server.address}/training")
    page.get_by_text("there is no run").wait_for()
    [stored] = [stored for stored in server.hands(2) if "300" in str(stored.hand.records)][:1]
    assert stored.hand.is_over
