"""Makes the pictures of the pages in docs/web.md, with a real server and a real browser, at the three sizes of tests.

    python -m docs.make_page_pictures                 # of runs/blueprint and its first snapshot
    python -m docs.make_page_pictures runs/overnight

It needs the Chromium of the system and the extra `browser`, as `make test-web` does. Hands that are played for it go to
a temporary folder.
"""

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from docs.make_pictures import FOLDER, flatten
from tests.browser.chromium import SIZES, open_browser, open_page
from tests.browser.serving import serving
from tests.browser.solve_room import estimated, go, solve

COLOURS = 256
HANDS = 4
PAUSE_MS = 300
LINE = "SB raise 2bb, BB call | Ks7d2c"


def make(run: str) -> None:
    """All rooms at all sizes."""
    with served(run) as address, open_browser() as browser:
        for size in SIZES:
            with open_page(browser, size, color_scheme="light") as page:
                play(page, address, size)
                review(page, address, size)
                solve_a_turn(page, address, size)
                strategies(page, address, Path(run), size)


@contextmanager
def served(run: str) -> Iterator[str]:
    """`holdem serve` with the same cards every time; its hands are not kept."""
    with tempfile.TemporaryDirectory() as folder:
        hands = str(Path(folder) / "session.phhs")
        with serving(Path(folder) / "log", "--policy", run, "--seed", "7", "--history", hands) as address:
            yield address


def play(page: Any, address: str, size: str) -> None:
    """Some hands called down, and one on its flop with the coach beside it."""
    page.goto(address)
    hands = 0
    while hands < HANDS or page.locator(".board .card:not(.slot)").count() == 0:
        page.wait_for_selector("#call:not([disabled]), #next:not([hidden])")
        if page.is_visible("#next"):
            hands += 1
        page.keyboard.press("Enter" if page.is_visible("#next") else "c")
        page.wait_for_timeout(PAUSE_MS)
    page.wait_for_selector("#call:not([disabled])")
    page.keyboard.press("w")
    page.wait_for_selector("#advice .decision")
    _picture(page, f"play_{size}")


def review(page: Any, address: str, size: str) -> None:
    """The worst decision of the hands that were played."""
    page.goto(f"{address}/review")
    page.wait_for_selector("#hands tbody tr")
    page.click("#begin")
    page.wait_for_selector("#summary table")
    page.wait_for_selector("#begin", state="visible")
    if page.locator("#mistakes tbody tr button").count():
        page.locator("#mistakes tbody tr button").first.click()
        page.wait_for_selector("#coach .decision")
    page.evaluate("scrollTo(0, 0)")
    _picture(page, f"review_{size}")


def solve_a_turn(page: Any, address: str, size: str) -> None:
    """The spot that the page begins with: painted, and solved."""
    page.goto(f"{address}/solve")
    estimated(page)
    _picture(page, f"paint_{size}")
    solve(page)
    go(page, "check")
    page.evaluate("scrollTo(0, 0)")
    _picture(page, f"solve_{size}")


def strategies(page: Any, address: str, run: Path, size: str) -> None:
    """A line to the flop, and the run beside its first snapshot."""
    place = {"policy": run.name, "line": LINE}
    page.goto(f"{address}/strategy?{urlencode(place)}")
    page.wait_for_selector("#ranges .player")
    _picture(page, f"strategy_{size}")
    snapshot = page.locator(f"#with option[value^='{run.name}/snapshots']").first.get_attribute("value")
    page.goto(f"{address}/strategy?{urlencode({'policy': run.name, 'line': '', 'with': snapshot})}")
    page.wait_for_selector("#grid-difference .cell")
    _picture(page, f"compare_{size}")


def _picture(page: Any, name: str) -> None:
    path = FOLDER / f"{name}.png"
    page.screenshot(path=path)
    flatten(path, COLOURS)


if __name__ == "__main__":
    make(*(sys.argv[1:] or ["runs/blueprint"]))
