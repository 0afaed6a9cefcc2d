"""The review room in a real browser: a file dropped on the page, a hand to its end, mistakes sorted and looked at."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from holdem.game import Action, Game
from holdem.table.history.hand_history import HandHistory
from tests.browser.chromium import SIZES, off_screen, open_page
from tests.table.policies import random_policy
from tests.web.pages import Served, jam_or_fold_table, served
from tests.web.review.visits import FOLD, JAMS, review, write_jams

SMALL_CHIPS = """
variant = "NT"
antes = [0, 0]
blinds_or_straddles = [1, 2]
min_bet = 2
starting_stacks = [20, 20]
actions = ["d dh p1 ????", "d dh p2 AhAd", "p2 f"]
players = ["you", "me"]
"""
DROP = """(text) => {
  const given = new DataTransfer();
  given.items.add(new File([text], "dropped.phhs"));
  const how = { dataTransfer: given, bubbles: true, cancelable: true };
  for (const kind of ["dragenter", "dragover", "drop"])
    document.querySelector("main").dispatchEvent(new DragEvent(kind, how));
}"""

REMEMBER_STEPS = """() => {
  window.seen = [];
  const where = document.querySelector("#where");
  new MutationObserver(() => seen.push(where.textContent)).observe(where, { childList: true });
}"""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Served]:
    with served(jam_or_fold_table(tmp_path), tmp_path) as running:
        yield running


@pytest.fixture
def jams(tmp_path: Path) -> Path:
    return write_jams(tmp_path / "jams.phhs")


def drop(page: Any, server: Served, jams: Path) -> None:
    page.goto(f"{server.address}/review")
    page.get_by_text("There are no hands yet").wait_for()
    page.evaluate(DROP, jams.read_text(encoding="utf-8"))
    page.wait_for_selector(".seat.you .card")


def test_a_dropped_file_is_stepped_through_with_the_keyboard(server: Served, page: Any, jams: Path) -> None:
    drop(page, server, jams)
    assert page.is_hidden("#drop")
    assert page.locator("#hands tbody tr").count() == len(JAMS)
    assert "step 1 of" in page.inner_text("#where")
    assert page.locator(".seat .card.back").count() == 2
    assert page.locator(".board .card:not(.slot)").count() == 0
    page.keyboard.press("End")
    assert page.locator(".board .card:not(.slot)").count() == 5
    assert page.is_disabled("#on")
    assert page.locator("#log button.ahead").count() == 0
    page.keyboard.press("Home")
    steps = page.locator("#log button").count()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    assert "step 3 of" in page.inner_text("#where")
    assert page.locator("#log button").count() == steps
    page.keyboard.press("Home")
    page.keyboard.press("d")
    assert page.locator("#marks .now").inner_text() == "preflop: call 900 all-in"
    page.keyboard.press("n")
    page.get_by_text("Hand 2, step 1").wait_for()
    assert page.is_disabled("#earlier") is False
    page.evaluate(REMEMBER_STEPS)
    page.keyboard.press(" ")
    page.get_by_text("Hand 2, step 5").wait_for()
    assert [f"step {number} of" in words for number, words in enumerate(page.evaluate("seen"), 2)] == [True] * 4
    page.reload()
    page.get_by_text("Hand 2, step 1").wait_for()  # the address says which file and hand


def test_letters_are_no_keys_where_that_is_switched_off(server: Served, page: Any, jams: Path) -> None:
    drop(page, server, jams)
    page.uncheck("#keys")
    page.click("#where")
    page.keyboard.press("n")
    page.keyboard.press("ArrowRight")  # is no letter
    page.get_by_text("Hand 1, step 2").wait_for()
    page.goto(server.address)
    page.wait_for_selector("#call:enabled")
    assert not page.is_checked("#keys")
    page.keyboard.press("c")
    assert page.is_enabled("#call")
    page.check("#keys")
    page.keyboard.press("c")
    page.locator("#log p", has_text=re.compile("you (check|call)")).first.wait_for()


def test_small_chips_are_told_with_two_digits(server: Served, page: Any, tmp_path: Path) -> None:
    """Blinds of 1 and 2: whole chips would call a loss of a quarter of a blind nothing."""
    file = tmp_path / "small.phhs"
    file.write_text(SMALL_CHIPS, encoding="utf-8")
    drop_and_review(server, page, file, decisions=1)
    cell = page.locator("#mistakes tbody tr[data-lost] td.number").first.inner_text()
    assert re.match(r"−\d+\.\d\d", cell), cell
    page.locator("#mistakes tbody tr[data-lost] button").first.click()
    page.locator("#coach .worth").first.wait_for()  # the hand is asked for again
    worth = page.locator("#coach .worth").all_inner_texts()
    assert any(re.fullmatch(r"[+−]\d+\.\d\d( ± \d+\.\d\d)?", words) for words in worth), worth


def test_lines_of_the_log_are_reached_with_the_keyboard(server: Served, page: Any, jams: Path) -> None:
    drop(page, server, jams)
    lines = page.locator("#log button")
    step = int(lines.last.get_attribute("data-step"))
    assert step > 0
    lines.last.focus()
    for key in ("Enter", " "):
        page.keyboard.press(key)
        page.get_by_text(f"step {step + 1} of").wait_for()
        assert lines.last.get_attribute("aria-current") == "step"
        assert page.evaluate("document.activeElement.matches('#log button:last-child')")
        page.keyboard.press("Home")
    assert page.locator("#log [aria-current]").first.get_attribute("data-step") == "0"


def drop_and_review(server: Served, page: Any, jams: Path, decisions: int = 5) -> None:
    """By the blueprint alone, until its mistakes are listed."""
    drop(page, server, jams)
    page.select_option("#milliseconds", "0")
    page.click("#begin")
    page.wait_for_selector("#summary table")
    page.wait_for_selector(f"#mistakes[data-decisions='{decisions}'] tbody tr[data-lost]")


def test_mistakes_are_sorted_and_a_click_shows_the_decision(server: Served, page: Any, jams: Path) -> None:
    drop_and_review(server, page, jams)
    lost = [float(row.get_attribute("data-lost")) for row in page.locator("#mistakes tbody tr").all()]
    assert lost == sorted(lost, reverse=True)
    assert len(lost) >= 3
    assert "5 hands, 5 decisions" in page.inner_text("#so-far")
    assert "BB" in page.inner_text("#summary")
    assert "in all" in page.inner_text("#summary")
    number = page.locator("#mistakes tbody tr").first.locator("button").inner_text()
    page.locator("#mistakes tbody tr").first.locator("button").press("Enter")
    page.get_by_text(f"Hand {number}, step").wait_for()
    page.wait_for_selector("#coach .decision")
    rounded = f"−{int(lost[0] + 0.5):,}"  # as JavaScript rounds
    assert page.locator("#marks .now .lost").inner_text().split() == [rounded, "clear"]
    assert page.locator("#hands tr.now .lost-cell").inner_text().split() == [rounded, "clear"]
    assert page.locator(".seat.you.active").count() == 1


def test_an_estimate_below_zero_is_no_loss_and_no_mistake(tmp_path: Path, server: Served, page: Any) -> None:
    """Two folds that by luck of the deals seem to win a few chips against the best action."""
    folder = server.runs / "jam" / "hands"
    folder.mkdir()
    write_jams(folder / "luck.phhs", [("Qc2d", FOLD), ("7s6s", FOLD)])
    page.goto(f"{server.address}/review")
    page.wait_for_selector(".seat.you .card")
    name = page.input_value("#file")
    found = [one for one in review(server, {"file": name, "milliseconds": 0}) if one["type"] == "decision"]
    assert all(one["lost"] == 0 and one["counted"] and not one["clear"] for one in found)
    page.select_option("#milliseconds", "0")
    page.click("#begin")
    page.wait_for_selector("#summary table")
    lost = page.locator("#summary tbody td:last-child").all_inner_texts()
    assert [words.split(" ± ")[0] for words in lost] == ["0", "0", "0"]
    page.get_by_text("No clear mistake").wait_for()
    page.wait_for_selector("#hands .lost-cell:text-is('✓') >> nth=1")
    assert page.locator("#mistakes [data-lost]").count() == 0


def test_clear_mistakes_come_first_with_what_the_coach_doubts(server: Served, page: Any, jams: Path) -> None:
    drop_and_review(server, page, jams)
    asked = {"file": page.input_value("#file"), "milliseconds": 0}
    clear = sorted(one["lost"] for one in review(server, asked) if one["type"] == "decision" and one["clear"])
    rows = page.locator("#mistakes tbody tr[data-lost]:not(.unclear)")
    listed = rows.evaluate_all("rows => rows.map((row) => Number(row.dataset.lost))")
    assert listed == clear[::-1]
    page.locator("#mistakes tbody tr").first.locator("button").press("Enter")
    caveat = page.locator("#coach .caveat").first
    caveat.wait_for(state="visible")
    assert "gives up" in caveat.inner_text()
    assert page.get_by_text("you are dealt ").first.inner_text().startswith("you are dealt ")


def test_no_summary_of_another_review_stands_beside_a_new_one(server: Served, page: Any, jams: Path) -> None:
    drop_and_review(server, page, jams)
    begun = """() => {
      document.querySelector("#begin").click();
      return ["#summary", "#mistakes"].map((name) => document.querySelector(name).textContent);
    }"""
    page.wait_for_selector("#begin:enabled")  # when the server has closed the review before
    assert page.evaluate(begun) == ["", ""]
    page.wait_for_selector("#summary table")


def test_a_hand_that_was_just_played_opens_by_its_link(server: Served, page: Any) -> None:
    with server.page() as played:
        played.play_hand()
        played.say("")
        played.play_hand("a")
    server.sessions.close()
    page.goto(f"{server.address}/review?file=hands.phhs&hand=2")
    page.get_by_text("Hand 2, step 1").wait_for()
    assert page.locator("#hands tr.now button").inner_text() == "2"


def test_the_newest_hand_is_shown_and_each_is_compared_with_the_policy_for_its_seats(tmp_path: Path, page: Any) -> None:
    """Hands of three seats, then some of two, in one file."""
    plan = jam_or_fold_table(tmp_path)
    random_policy("three players").save(tmp_path / "runs" / "three")
    path = tmp_path / "runs" / "jam" / "hands" / "both.phhs"
    with HandHistory.open(path) as history:
        hand = Game(random_policy("three players").config).new_hand(seed=1)
        while not hand.is_over:
            hand.act(Action.check_or_call())
        history.append(hand, hero_seat=0)
    write_jams(path)
    with served(plan, tmp_path) as server:
        page.goto(f"{server.address}/review")
        page.get_by_text(f"Hand {len(JAMS) + 1}, step 1").wait_for()
        offered = page.locator("#policy option").all_inner_texts()
        assert offered == ["the fitting one for each hand", "jam, 2 seats", "three, 3 seats"]
        page.select_option("#milliseconds", "0")
        page.click("#begin")
        page.wait_for_selector("#summary table")
        assert page.inner_text("#so-far").startswith("6 hands, ")
        assert "left out" not in page.inner_text("#so-far")
        page.select_option("#scope", "hand")
        page.click("#begin")
        page.get_by_text("1 hand, 1 decision").wait_for()


def test_what_is_no_history_gets_a_sentence_and_the_page_goes_on(server: Served, browser: Any, jams: Path) -> None:
    with open_page(browser) as page:
        page.goto(f"{server.address}/review")
        page.set_input_files("#bring", {"name": "a.txt", "mimeType": "text/plain", "buffer": b"x"})
        page.get_by_text("not a hand history by its name").wait_for()
        page.set_input_files("#bring", {"name": "a.phhs", "mimeType": "text/plain", "buffer": b"dear reader"})
        page.get_by_text("is not a hand history in PHH").wait_for()
        page.set_input_files("#bring", jams)
        page.wait_for_selector(".seat.you .card")
        assert page.inner_text("#told") == ""


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_three_sizes(server: Served, browser: Any, jams: Path, size: str, scheme: str) -> None:
    with open_page(browser, size, color_scheme=scheme) as page:
        drop(page, server, jams)
        page.click("#last")
        assert off_screen(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= SIZES[size][0]
        page.evaluate("scrollTo(0, 0)")
        bottom = page.locator("#run").bounding_box()
        assert bottom["y"] + bottom["height"] <= SIZES[size][1], "the buttons of the replay are below the screen"
        unnamed = page.evaluate(
            """() => [...document.querySelectorAll("button, select, input")]
              .filter((one) => one.checkVisibility() && !one.labels?.length)
              .filter((one) => !one.getAttribute("aria-label") && !one.textContent.trim()).map((one) => one.id)"""
        )
        assert unnamed == []
        assert page.errors == []


def test_a_page_of_hands_that_comes_late_changes_no_hand(server: Served, page: Any, jams: Path) -> None:
    one = jams.read_text(encoding="utf-8").split("[1]\n")[1].split("[2]")[0]
    jams.write_text("".join(f"[{number}]\n{one}" for number in range(1, 151)), encoding="utf-8")
    drop(page, server, jams)
    page.click("#hands tr[data-number='100'] button")
    page.get_by_text("Hand 100,").wait_for()
    held: list[Any] = []
    page.route("**/data/hands?*first=101*", lambda route: held.append(route))
    page.keyboard.press("n")
    while not held:
        page.wait_for_timeout(10)
    page.click("#hands tr[data-number='7'] button")
    page.get_by_text("Hand 7,").wait_for()
    held[0].continue_()
    page.wait_for_timeout(500)
    assert "Hand 7," in page.inner_text("#where")


def test_hands_that_cannot_be_read_are_stepped_over(server: Served, page: Any, jams: Path) -> None:
    one = jams.read_text(encoding="utf-8").split("[1]\n")[1].split("[2]")[0]
    broken = {1, 3, 4, *range(99, 103), 110}
    hands = [one.replace("'NT'", "'PO'") if number in broken else one for number in range(1, 111)]
    jams.write_text("".join(f"[{number}]\n{hand}" for number, hand in enumerate(hands, start=1)), encoding="utf-8")
    drop(page, server, jams)
    page.get_by_text("Hand 2,").wait_for()
    page.keyboard.press("n")
    page.get_by_text("Hand 5,").wait_for()
    page.click("#earlier")
    page.get_by_text("Hand 2,").wait_for()
    page.keyboard.press("p")
    page.get_by_text("no hand before this one can be read").wait_for()
    page.click("#hands tr[data-number='98'] button")
    page.get_by_text("Hand 98,").wait_for()
    page.click("#later")
    page.get_by_text("Hand 103,").wait_for()
    page.keyboard.press("p")
    page.get_by_text("Hand 98,").wait_for()
    assert page.locator("#hands tr.now button").inner_text() == "98"


def test_the_first_hand_that_can_be_read_is_looked_for_behind_the_first_page(
    server: Served, page: Any, jams: Path
) -> None:
    one = jams.read_text(encoding="utf-8").split("[1]\n")[1].split("[2]")[0]
    hands = [one.replace("'NT'", "'PO'")] * 110 + [one] * 2
    jams.write_text("".join(f"[{number}]\n{hand}" for number, hand in enumerate(hands, start=1)), encoding="utf-8")
    drop(page, server, jams)
    page.get_by_text("Hand 111, step 1").wait_for()
    assert page.locator("#hands tr.now button").inner_text() == "111"
    assert page.inner_text("#told") == ""
    page.keyboard.press("n")
    page.get_by_text("Hand 112,").wait_for()


def test_an_address_of_no_hand_leaves_a_page_that_can_be_used(server: Served, browser: Any) -> None:
    """A file that the server does not keep any more, and a hand that the file does not have."""
    write_jams(server.runs / "jam" / "hands" / "jams.phhs")
    name = "jam/hands/jams.phhs"
    with open_page(browser) as page:  # the console has the refusals
        page.goto(f"{server.address}/review?file=brought:gone&hand=2")
        page.get_by_text("the file that was brought is not kept any more").wait_for()
        assert page.evaluate("document.getElementById('file').selectedIndex") == -1
        page.select_option("#file", name)
        page.get_by_text(f"Hand {len(JAMS)}, step 1").wait_for()
        page.goto(f"{server.address}/review?file={name}&hand=999")
        page.get_by_text(f"jams.phhs has {len(JAMS)} hands; 999 is not one of them").wait_for()
        page.get_by_text(f"Hand {len(JAMS)}, step 1").wait_for()
        assert page.inner_text("#hands-title") == f"{len(JAMS)} hands"
        page.keyboard.press("p")
        page.get_by_text(f"Hand {len(JAMS) - 1},").wait_for()


def test_a_hand_without_the_one_who_is_watched_says_so(server: Served, page: Any, jams: Path) -> None:
    text = jams.read_text(encoding="utf-8")
    jams.write_text(text.replace('["you", "bot"]', '["Ann", "bot"]', 1), encoding="utf-8")
    drop(page, server, jams)
    page.select_option("#player", "Ann")
    page.get_by_text("not in this hand").first.wait_for()
    assert page.locator("#hands td", has_text="not in this hand").count() == len(JAMS) - 1
    page.keyboard.press("n")
    page.get_by_text("Ann is not in this hand").wait_for()
    assert page.locator(".seat.you").count() == 0


def test_space_opens_what_the_coach_says_of_its_search(server: Served, page: Any, jams: Path) -> None:
    drop_and_review(server, page, jams)
    page.locator("#mistakes tbody tr").first.locator("button").press("Enter")
    page.locator("#coach summary").press(" ")
    assert page.locator("#coach details[open]").count() == 1
    assert page.get_attribute("#run", "aria-label") == "play", "the hand stays where it is"


def test_a_file_without_a_server_is_a_sentence_and_can_be_chosen_again(
    server: Served, browser: Any, jams: Path
) -> None:
    with open_page(browser) as page:  # the console has what was lost
        page.goto(f"{server.address}/review")
        page.get_by_text("There are no hands yet").wait_for()
        page.route("**/data/histories?*", lambda route: route.abort())
        page.set_input_files("#bring", jams)
        page.get_by_text("the server does not answer").wait_for()
        assert page.input_value("#bring") == "", "the same file is another choice"


def test_a_file_that_does_not_open_leaves_the_one_that_is_there(server: Served, browser: Any, jams: Path) -> None:
    with open_page(browser) as page:  # the console has the refusal
        drop(page, server, jams)
        gone = write_jams(server.runs / "jam" / "hands" / "gone.phhs")
        page.reload()
        page.wait_for_selector(".seat.you .card")
        gone.unlink()
        opened = page.input_value("#file")
        page.select_option("#file", "jam/hands/gone.phhs")
        page.get_by_text("there is no file called").wait_for()
        assert page.input_value("#file") == opened
        page.keyboard.press("n")
        page.get_by_text("Hand 2,").wait_for()
