"""The documentation as a site: every page can be reached, and where mkdocs is installed, it builds without warnings."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

CHECKOUT = Path(__file__).parents[1]
SITE: dict[str, Any] = yaml.safe_load((CHECKOUT / "mkdocs.yml").read_text(encoding="utf-8"))


def pages(entries: list[Any]) -> Iterator[str]:
    for entry in entries:
        for content in entry.values():
            yield from [content] if isinstance(content, str) else pages(content)


def test_every_page_is_in_the_navigation_once() -> None:
    named = list(pages(SITE["nav"]))
    own = {path.name for path in (CHECKOUT / "docs").glob("*.md")}
    outside = {f"repository/{path.name}" for path in CHECKOUT.glob("*.md")}
    assert sorted(named) == sorted(own | outside)


def test_the_index_leads_to_every_page() -> None:
    index = (CHECKOUT / "docs" / "index.md").read_text(encoding="utf-8")
    for path in (*(CHECKOUT / "docs").glob("*.md"), *CHECKOUT.glob("*.md")):
        assert path.name == "index.md" or f"{path.name})" in index or f"{path.name}#" in index, path.name


def test_it_builds_without_a_warning_and_needs_no_network(tmp_path: Path) -> None:
    pytest.importorskip("mkdocs", reason="the extra docs is not installed; make docs installs it")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path)]
    subprocess.run(command, cwd=CHECKOUT, check=True, capture_output=True)
    page = (tmp_path / "tutorial.html").read_text(encoding="utf-8")
    assert 'href="repository/examples/write_an_agent.py.html"' in page
    for resource in (tmp_path / "index.html", tmp_path / "tutorial.html"):
        text = resource.read_text(encoding="utf-8")
        assert 'src="http' not in text and "fonts.googleapis" not in text
    assert "<code>" in (tmp_path / "repository" / "examples" / "write_an_agent.py.html").read_text(encoding="utf-8")
