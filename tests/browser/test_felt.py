"""The table in a real browser: what lies on it lies side by side, with any number of seats, at three sizes."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.browser.chromium import SIZES, open_page
from tests.web.pages import Served, jam_or_fold_table, served
from tests.web.review.visits import write_jams

SHOW = """async (count) => {
  const { showFelt } = await import("/static/widgets/felt.js");
  const names = { 2: ["SB", "BB"], 3: ["SB", "BB", "BTN"] }[count] ?? ["SB", "BB", "UTG", "HJ", "CO", "BTN"];
  const seats = Array.from({ length: count }, (_, seat) => ({
    name: seat ? `bot ${seat}` : "you", position: names[seat], button: seat === count - 1, stack: 9900, bet: 1000,
    live: true, cards: ["8h", "9s"], last: "post blind 1,000", won: 0,
  }));
  const felt = document.getElementById("felt");
  showFelt(felt, { seats, street: "river", pot: 10000, board: ["Ks", "7d", "2c", "5h", "9c"] }, 0);
}"""
"""A table at which everybody has bet and shows cards; nobody has to play until it comes about."""

OVERLAPS = """() => {
  const things = ".seat .plate, .seat .last, .seat .card, .bet, .pot, .board .card, .controls, .walk";
  const all = [...document.querySelectorAll(things)];
  const stays = (one) => one.className !== "panel walk" || getComputedStyle(one).position !== "sticky";
  const shown = all.filter((one) => one.checkVisibility({ visibilityProperty: true }) && stays(one));
  const boxes = shown.map((one) => [one, one.getBoundingClientRect()]);
  const found = [];
  boxes.forEach(([one, a], at) => boxes.slice(at + 1).forEach(([other, b]) => {
    const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    const plateOnOwnCards = one.matches(".seat .card") && one.closest(".seat") === other.closest(".seat");
    if (wide > 1 && high > 1 && !plateOnOwnCards) found.push(`${one.textContent} on ${other.textContent}`);
  }));
  const outside = boxes.filter(([, box]) => box.left < 0 || box.right > innerWidth).map(([one]) => one.textContent);
  return [...found, ...outside];
}"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("felt")
    plan = jam_or_fold_table(folder)
    write_jams(folder / "runs" / "jam" / "hands" / "jams.phhs")
    with served(plan, folder) as running:
        yield running


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("room", ["/", "/review"])
def test_nothing_on_the_table_lies_on_something_else(server: Served, browser: Any, size: str, room: str) -> None:
    with open_page(browser, size) as page:
        page.goto(server.address + room)
        page.wait_for_selector(".seat.you .card")
        for seats in range(2, 7):
            page.evaluate(SHOW, seats)
            assert page.evaluate(OVERLAPS) == [], seats
        assert page.errors == []


def test_the_column_beside_the_table_keeps_its_width(server: Served, page: Any) -> None:
    page.goto(server.address)
    page.wait_for_selector("#call:not([disabled])")
    before = page.locator(".side").bounding_box()["width"]
    page.evaluate(
        """async () => {
          const { decisionView } = await import("/static/widgets/coach.js");
          const option = { action: "raise to 9,750 all-in", frequency: 0.5, ev: -12345, ev_error: 1234, colour: "red" };
          const decision = { board: "", hole_cards: "8h9s", street: "preflop", chosen: option, actions: [option],
            method: "search", iterations: 100, note: "bets 33%, all-in", ev_source: "the solve", accuracy_words: "",
            caveats: ["a hand that gets here rarely, whose strategy the solve has hardly looked at"] };
          document.getElementById("advice").append(decisionView(decision));
        }"""
    )
    assert page.locator(".side").bounding_box()["width"] == before
    inside = page.locator("#advice .option").bounding_box()
    words = page.locator("#advice .worth").bounding_box()
    assert words["x"] + words["width"] <= inside["x"] + inside["width"]
