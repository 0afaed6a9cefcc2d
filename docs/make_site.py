"""A hook of mkdocs: documents, programs and settings outside of `docs/` are pages of the site too.

In the repository a page links to `../examples/solve_a_spot.py` or to `../CHANGELOG.md`. On the site the same file is a
page under `repository/`, Markdown as it is and anything else as a block of code, and links are turned to it. Only files
that a document links to, or that the navigation names, get a page.
"""

import os
import posixpath
import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

CHECKOUT = Path(__file__).parents[1]
PLACE = "repository"
LINK = re.compile(r"\]\(([^)\s#]+)(#[^)\s]+)?\)")
LANGUAGES = {".py": "python", ".yaml": "yaml", ".sh": "bash", ".json": "json"}


def on_config(config: Any) -> Any:
    """Name headings as GitHub does, so that one link with an anchor works in both places."""
    config.mdx_configs["toc"]["slugify"] = _slug
    return config


def _slug(heading: str, separator: str) -> str:
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", separator)


def on_files(files: Files, config: Any) -> Files:
    """Add a page for each document at the top of the checkout, and for each other file that a document links to."""
    documents = [*sorted(CHECKOUT.glob("*.md")), *sorted((CHECKOUT / "docs").glob("*.md"))]
    linked = {target for document in documents for target in _linked_files(document)}
    for path in sorted({*CHECKOUT.glob("*.md"), *linked}):
        files.append(File.generated(config, _page_of(path), content=_markdown(path)))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Turn the links of a page to files of the checkout into links to pages of the site."""
    source = _source_of(page.file.src_uri)
    folder = posixpath.dirname(page.file.src_uri)

    def turned(link: re.Match[str]) -> str:
        target = _target(source, link.group(1))
        if target is None:
            return link.group(0)
        return f"]({posixpath.relpath(_page_of(target), folder)}{link.group(2) or ''})"

    return LINK.sub(turned, markdown)


def _linked_files(document: Path) -> set[Path]:
    targets = (_target(document, link) for link, _ in LINK.findall(document.read_text(encoding="utf-8")))
    return {target for target in targets if target is not None and not target.is_relative_to(CHECKOUT / "docs")}


def _target(document: Path, link: str) -> Path | None:
    """The file of the checkout that a link leads to; None for anything else."""
    target = Path(os.path.normpath(document.parent / link))
    return target if target.is_file() and target.is_relative_to(CHECKOUT) else None


def _page_of(path: Path) -> str:
    """Where a file of the checkout is on the site, among its sources."""
    if path.is_relative_to(CHECKOUT / "docs"):
        return path.relative_to(CHECKOUT / "docs").as_posix()
    name = f"{PLACE}/{path.relative_to(CHECKOUT).as_posix()}"
    return name if path.suffix == ".md" else f"{name}.md"


def _source_of(page: str) -> Path:
    """The file of the checkout that a page shows."""
    if not page.startswith(f"{PLACE}/"):
        return CHECKOUT / "docs" / page
    path = CHECKOUT / page.removeprefix(f"{PLACE}/")
    return path if path.exists() else path.with_suffix("")


def _markdown(path: Path) -> str:
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        return text
    name = path.relative_to(CHECKOUT).as_posix()
    return f"# {name}\n\n```{LANGUAGES.get(path.suffix, 'text')}\n{text.rstrip()}\n```\n"
