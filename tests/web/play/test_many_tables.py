"""Twenty tables of one server at once: every hand is in the file once, and every page heard its own result."""

import random
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.web.pages import jam_or_fold_table, served
from tests.web.play.test_play_at_random import answer

TABLES, HANDS = 20, 6


def test_nothing_is_lost_at_many_tables(tmp_path: Path) -> None:
    plan = jam_or_fold_table(tmp_path, opponent=str(tmp_path / "runs" / "jam"))
    with served(plan, tmp_path) as server:

        def visit(number: int) -> list[tuple[int, int]]:
            draw, kept = random.Random(number), []
            with server.page() as page:
                for _ in range(HANDS):
                    while (message := page.until("turn", "over"))["type"] == "turn":
                        page.say(answer(message, draw))
                    kept.append((message["kept"]["number_in_file"], message["won"]))
                    page.say("" if len(kept) < HANDS else "q")
            return kept

        with ThreadPoolExecutor(TABLES) as pool:
            heard = [hand for kept in pool.map(visit, range(TABLES)) for hand in kept]
        stored = server.hands(TABLES * HANDS)
    assert Counter(number for number, _ in heard) == Counter(range(1, TABLES * HANDS + 1))
    for number, won in heard:
        assert stored[number - 1].hand.payoffs[0] == won
