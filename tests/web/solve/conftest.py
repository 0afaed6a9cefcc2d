"""A server whose pages solve."""

from collections.abc import Iterator

import pytest

from holdem.web.solve import estimator
from holdem.web.solve.rooms import SolveRooms
from tests.cli.runs import Run, make_runner
from tests.waiting import PATIENCE_SECONDS
from tests.web.pages import Served, jam_or_fold_table, served
from tests.web.solve.solve_pages import SolvePageScript, solve_page

MOST_BYTES = 300_000_000


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("solves")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(estimator, "PATIENCE_SECONDS", PATIENCE_SECONDS)  # its process starts with the first question
        with served(jam_or_fold_table(folder), folder, solves=SolveRooms(2, MOST_BYTES)) as running:
            yield running


@pytest.fixture
def page(server: Served) -> Iterator[SolvePageScript]:
    with solve_page(server.address) as script:
        yield script


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """The command line in this process."""
    return make_runner(monkeypatch, capsys)
