"""A person who knows such tools and has read nothing: `holdem train`, `holdem serve`, a browser, all of them real.

Two ranges are painted and a turn solved; the tree is walked; some hands are played, with a reload in the middle of one;
the worst mistakes are looked at; two snapshots are compared, and a line of the blueprint is solved.
"""

import re
import subprocess
from collections.abc import Iterator
from typing import Any

import pytest

from tests.browser.serving import HOLDEM, serving
from tests.browser.solve_room import choose_board, drag, estimated, figures, go, number, solve
from tests.built_buckets import small_buckets

HANDS = 8
# The bot may fold the next hand at once, and then the button is hidden for a moment only.
DEALT = "over => document.querySelector('#next').hidden || document.querySelector('#hands').innerText !== over"
TURN = "#call:not([disabled])"
TURN_OR_END = f"{TURN}, #next:not([hidden])"
TRAINING_SECONDS = "20"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """`holdem serve` over a run that was trained for some seconds."""
    folder = tmp_path_factory.mktemp("workshop")
    train = ["train", "--buckets", str(small_buckets()), "--time-budget", TRAINING_SECONDS, "--snapshot-interval", "8"]
    subprocess.run([*HOLDEM, *train, "--logdir", "runs/blueprint"], cwd=folder, check=True, capture_output=True)
    log = folder / "serve.log"
    with serving(log, folder=folder) as address:
        yield address
    assert "Traceback" not in log.read_text()


def test_solve_play_reload_and_learn(address: str, page: Any) -> None:
    paint_and_solve(page, address)
    played = play_a_session(page, address)
    look_at_mistakes(page, played)
    compare_and_solve_a_line(page, address)


def paint_and_solve(page: Any, address: str) -> None:
    page.goto(address)
    page.click("nav >> text=Solve")
    estimated(page)
    for player in ("oop", "ip"):
        page.click(f"#{player} button:text-is('Clear')")
    drag(page, "oop", "AA", "77")
    drag(page, "oop", "AKs", "ATs")
    drag(page, "ip", "AA", "66")
    drag(page, "ip", "AKo", "ATo")
    drag(page, "ip", "KQs", "KTs")
    choose_board(page, ["queen of hearts", "nine of clubs", "four of hearts", "two of diamonds"])
    estimated(page)
    solve(page)
    shown = figures(page)
    assert number(shown["Exploitability"]) <= 0.5
    assert page.locator("#grid .cell").count() == 169
    go(page, "check", "check", "eight of spades")
    assert page.locator(".step.now").inner_text().startswith("OOP")


def play_a_session(page: Any, address: str) -> int:
    """Hands that are called down, with a reload in the middle of one; how many were played."""
    page.click("nav >> text=Play")
    reloaded = advised = False
    for hand in range(HANDS):
        page.wait_for_selector(TURN_OR_END)
        while not page.is_visible("#next"):
            if not reloaded:
                cards, pot = own_cards(page), page.inner_text(".pot")
                page.reload()
                page.wait_for_selector(TURN)
                assert (own_cards(page), page.inner_text(".pot")) == (cards, pot)
                reloaded = True
            elif not advised:
                page.keyboard.press("w")
                page.wait_for_selector("#advice .decision")
                advised = True
            page.keyboard.press("c")
            page.wait_for_selector(TURN_OR_END)
        assert page.inner_text("#hands") == str(hand + 1)
        page.keyboard.press("Enter")
        page.wait_for_function(DEALT, arg=str(hand + 1))
    assert reloaded and advised
    return HANDS


def own_cards(page: Any) -> list[str]:
    return list(page.eval_on_selector_all(".seat.you .card", "all => all.map((one) => one.ariaLabel)"))


def look_at_mistakes(page: Any, played: int) -> None:
    with page.expect_popup() as opened:  # the table stays where it is
        page.click("#hand-list li:last-child a")
    page = opened.value
    page.get_by_text("Hand 1, step 1").wait_for()
    assert page.locator("#hands tbody tr").count() in (played, played + 1)  # the bot may have folded the next one
    page.select_option("#milliseconds", "200")
    page.click("#begin")
    page.wait_for_selector("#summary table")
    page.wait_for_selector("#begin", state="visible")
    found = re.search(r"\d+ hands?, (\d+) decisions", page.inner_text("#so-far"))
    assert found, "hands without a decision are left out"
    page.wait_for_selector(f"#mistakes[data-decisions='{found[1]}']")
    clear, unclear = losses(page, ":not(.unclear)"), losses(page, ".unclear:not(.guessed)")
    guessed = losses(page, ".guessed")
    lost = clear + unclear + guessed
    assert lost, "whoever calls everything down makes mistakes"
    assert all(part == sorted(part, reverse=True) for part in (clear, unclear, guessed))
    assert bool(guessed) == ("Not counted" in page.inner_text("#mistakes"))
    assert min(lost) >= 0
    page.locator("#mistakes tbody tr button").first.click()
    page.wait_for_selector("#coach .decision")
    assert f"−{round(lost[0]):,}" in page.inner_text("#marks .now")
    page.close()


def losses(page: Any, kind: str) -> list[float]:
    """Of the listed mistakes of a kind, in their order."""
    rows = page.locator(f"#mistakes tbody tr[data-lost]{kind}").all()
    return [float(row.get_attribute("data-lost")) for row in rows]


def compare_and_solve_a_line(page: Any, address: str) -> None:
    page.click("nav >> text=Strategy")
    page.wait_for_selector("#grid .cell")
    other = page.locator("#with option", has_text="snapshots").first.get_attribute("value")
    page.select_option("#with", other)
    page.wait_for_selector("#grid-difference .cell")
    page.goto(f"{address}/strategy?policy=blueprint&line=SB raise 2bb, BB call | Ks7d2c")
    page.wait_for_selector("#ranges .player")
    page.click("#solve")
    page.get_by_text("OOP is BB, IP is SB").wait_for()  # until then it is the spot that the page has kept
    estimated(page)
    assert page.get_attribute("#groups", "aria-pressed") == "true", "a wide flop is solved in groups"
    page.fill("#limit", "20")
    solve(page)
    assert number(figures(page)["Exploitability within the groups"]) < 20
