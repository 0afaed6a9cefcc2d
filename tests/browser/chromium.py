"""Pages in a real browser: Playwright with the Chromium of the system; nothing is downloaded for it.

A test with the fixture `page` fails on any error in the console; `SIZES` are the three screens that pages are made for.
"""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

PATIENCE_MS = 300_000
"""Kernels may have to be compiled first."""
SIZES = {"desktop": (1440, 900), "laptop": (1366, 650), "phone": (390, 844)}
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
WHY_NOT = "make test-web needs a Chromium of the system (apt-get install chromium) and the extra browser"


@contextmanager
def open_browser() -> Iterator[Any]:
    """A Chromium without a window; a test fails where there is none, since only `make test-web` asks for one."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        pytest.fail(WHY_NOT)
    if CHROMIUM is None:
        pytest.fail(WHY_NOT)
    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def open_page(browser: Any, size: str = "desktop", **options: Any) -> Iterator[Any]:
    """A page at one of the sizes, with a visitor of its own; errors of scripts are collected in `page.errors`."""
    width, height = SIZES[size]
    touch = {"has_touch": True, "is_mobile": True} if size == "phone" else {}
    visitor = browser.new_context(
        viewport={"width": width, "height": height}, reduced_motion="reduce", **touch, **options
    )
    page = visitor.new_page()
    page.set_default_timeout(PATIENCE_MS)
    page.errors = []
    page.on("pageerror", lambda error: page.errors.append(str(error)))
    page.on("console", lambda message: message.type == "error" and page.errors.append(message.text))
    try:
        yield page
    finally:
        visitor.close()


def off_screen(page: Any) -> list[str]:
    """Buttons and inputs that are shown and can be used, but lie left or right of the screen, in words."""
    return list(
        page.evaluate(
            """() => [...document.querySelectorAll("button, input, select, a")]
              .filter((one) => one.checkVisibility() && !one.disabled && !one.closest(".scrolls"))
              .map((one) => [one, one.getBoundingClientRect()])
              .filter(([, box]) => box.left < -1 || box.right > innerWidth + 1)
              .map(([one]) => one.id || one.textContent)"""
        )
    )
