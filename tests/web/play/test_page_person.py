"""Advice at a page: no move waits for it, and what is found too late is not shown."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from holdem.game.agent import Observation
from holdem.realtime.search.decision import Decision
from holdem.table.advice.advisor import Advisor
from holdem.table.person.table import PersonTable
from tests.waiting import PATIENCE_SECONDS, wait_for
from tests.web.pages import Served, jam_or_fold_table, served


@dataclass
class Thinker:
    """Makes decisions of another advisor, and takes as long as a test wants."""

    advisor: Advisor
    begun: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    may_end: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))

    def decide(self, observation: Observation) -> Decision:
        self.begun.release()
        assert self.may_end.acquire(timeout=PATIENCE_SECONDS)
        return self.advisor.decide(observation)


THINKERS: list[Thinker] = []


class ThinkingTable(PersonTable):
    """A table whose advisor thinks."""

    @contextmanager
    def advisor(self) -> Iterator[Advisor | None]:
        with super().advisor() as advisor:
            assert advisor is not None
            THINKERS.append(Thinker(advisor))
            yield Advisor(THINKERS[-1].decide)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Served]:
    plan = jam_or_fold_table(tmp_path)
    THINKERS.clear()
    with served(ThinkingTable(plan.profile, plan.game, plan.search, plan.policy), tmp_path) as running:
        yield running


def test_a_move_does_not_wait_for_advice_which_is_dropped_then(server: Served) -> None:
    with server.page() as page:
        page.until("turn")
        [thinker] = THINKERS
        page.say("w")
        assert thinker.begun.acquire(timeout=PATIENCE_SECONDS)
        page.say("c")  # while the advisor thinks
        assert page.until("table")["log"][0]["words"] == "you check"
        assert page.until("turn", "over")["type"] == "turn"
        thinker.may_end.release(2)
        page.say("w")
        found = page.until("advice")
        assert [one["street"] for one in found["decisions"]] == ["flop"]
        assert sum('"advice"' in text and '"decisions"' in text for text in page.texts) == 1, "the first one came late"


def test_who_leaves_while_the_advisor_thinks(server: Served) -> None:
    with server.page() as page:
        page.until("turn")
        [thinker] = THINKERS
        page.say("w")
        page.say("w")
        assert thinker.begun.acquire(timeout=PATIENCE_SECONDS)
    thinker.may_end.release(2)  # or one, if the server hears of the leaving before the second wish is looked at
    wait_for(lambda: server.sessions.running == 0)
    server.hands(1)
