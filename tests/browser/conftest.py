"""One browser for all tests; a page for each."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from holdem.web.solve import estimator
from tests.browser.chromium import open_browser, open_page
from tests.waiting import PATIENCE_SECONDS
from tests.web.pages import jam_or_fold_table, served


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All tests of this folder need a browser."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session", autouse=True)
def patient_estimates() -> Iterator[None]:
    """Their process starts with the first question, for which a busy machine needs long."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(estimator, "PATIENCE_SECONDS", PATIENCE_SECONDS)
        yield


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    with open_browser() as started:
        yield started


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Of a server that knows one small policy, for tests that need no other."""
    folder = tmp_path_factory.mktemp("server")
    with served(jam_or_fold_table(folder), folder) as running:
        yield running.address


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    with open_page(browser) as opened:
        yield opened
        assert opened.errors == []


@pytest.fixture
def phone(browser: Any) -> Iterator[Any]:
    with open_page(browser, "phone") as opened:
        yield opened
        assert opened.errors == []


@pytest.fixture
def laptop(browser: Any) -> Iterator[Any]:
    with open_page(browser, "laptop") as opened:
        yield opened
        assert opened.errors == []
