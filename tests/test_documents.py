"""What the documents name exists: files, modules, imports, benchmarks, targets of make, links and their anchors.

Python blocks are not run, since most need a trained blueprint; each name that they import is looked up.
"""

import ast
import importlib
import re
from fnmatch import fnmatch
from pathlib import Path

import pytest

from holdem.cli.verbs import VERBS

CHECKOUT = Path(__file__).parents[1]
DOCUMENTS = sorted([*CHECKOUT.glob("*.md"), *(CHECKOUT / "docs").glob("*.md")])
FOLDERS = "assets|benchmarks|configs|docs|examples|src|tests"
MADE_BY_COMMANDS = ("assets/abstraction/*.pkl", "assets/models/*")
"""Files of the checkout that commands write."""

PATH = re.compile(rf"(?<![\w./-])((?:{FOLDERS})/[\w./*-]*[\w*]/?)")
PYTHON_FILE = re.compile(r"(?<![\w./*-])((?:\w+/)*\w+\.py)\b")
MODULE = re.compile(r"(?<![\w./-])(holdem(?:\.[A-Za-z_]\w*)+)")
OTHER_NAMES = re.compile(r"holdem\.(?:nolimit|limit)\b")
"""Games of the ACPC are called `holdem.nolimit.2p.reverse_blinds`."""
LINK = re.compile(r"\]\(([^)\s]+)\)")
PYTHON_BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
BLOCK = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)

every_document = pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)


@every_document
def test_paths_exist(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    for path in PATH.findall(text):
        made = any(fnmatch(path, pattern) for pattern in MADE_BY_COMMANDS)
        assert made or any(CHECKOUT.glob(path)), f"{document.name} names {path}"


@every_document
def test_python_files_exist(document: Path) -> None:
    """A path from the checkout, or from the package as in `util/jit.py`; a bare name is that of one file only."""
    for path in PYTHON_FILE.findall(document.read_text(encoding="utf-8")):
        if "/" in path:
            found = any((root / path).is_file() for root in (CHECKOUT, CHECKOUT / "src" / "holdem"))
        else:
            found = len(_files_called(path)) == 1
        assert found, f"{document.name} names {path}"


def _files_called(name: str) -> list[Path]:
    return [path for folder in FOLDERS.split("|") for path in (CHECKOUT / folder).rglob(name)]


@every_document
def test_modules_and_their_members_exist(document: Path) -> None:
    for name in MODULE.findall(document.read_text(encoding="utf-8")):
        if not OTHER_NAMES.match(name):
            assert _exists(name), f"{document.name} names {name}"


def _exists(name: str) -> bool:
    """Whether a dotted name is a module, or a member of one."""
    parts = name.split(".")
    known = [count for count in range(1, len(parts) + 1) if _is_module(".".join(parts[:count]))]
    thing: object = importlib.import_module(".".join(parts[: known[-1]]))
    for member in parts[known[-1] :]:
        if not hasattr(thing, member):
            return False
        thing = getattr(thing, member)
    return True


def _is_module(name: str) -> bool:
    path = CHECKOUT.joinpath("src", *name.split("."))
    return path.with_suffix(".py").is_file() or (path / "__init__.py").is_file()


@every_document
def test_imports_in_python_blocks_work(document: Path) -> None:
    for block in PYTHON_BLOCK.findall(document.read_text(encoding="utf-8")):
        for node in ast.walk(ast.parse(block)):
            if isinstance(node, ast.ImportFrom) and node.module:
                module = importlib.import_module(node.module)
                for alias in node.names:
                    assert hasattr(module, alias.name), f"{document.name} imports {alias.name} from {node.module}"


@every_document
def test_benchmarks_verbs_and_targets_exist(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    for name in re.findall(r"python -m benchmarks (?!-)([a-z_]+)", text):
        assert (CHECKOUT / "benchmarks" / f"bench_{name.removeprefix('bench_')}.py").is_file(), name
    targets = re.findall(r"^([a-z-]+):", (CHECKOUT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    assert set(re.findall(r"(?:^|`)make ([a-z-]+)", text, re.MULTILINE)) <= set(targets)
    assert set(re.findall(r"(?:^|`)holdem ([a-z][a-z-]*)", text, re.MULTILINE)) <= set(VERBS)


@every_document
def test_links_lead_somewhere(document: Path) -> None:
    for link in LINK.findall(BLOCK.sub("", document.read_text(encoding="utf-8"))):
        if link.startswith(("http://", "https://")):
            continue
        file, _, anchor = link.partition("#")
        target = document.parent / file if file else document
        assert target.exists(), f"{document.name} links to {link}"
        assert not anchor or anchor in _anchors(target), f"{document.name} links to {link}"


def _anchors(document: Path) -> set[str]:
    """What GitHub makes of headings: small letters, hyphens for spaces, no other signs."""
    text = BLOCK.sub("", document.read_text(encoding="utf-8"))
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_names_of_earlier_documents_lead_to_where_their_content_is() -> None:
    """Each name is of no file at that place, and its row has a link; that links lead somewhere is tested above."""
    text = (CHECKOUT / "docs" / "troubleshooting.md").read_text(encoding="utf-8")
    _, _, index = text.partition("## Where to find it by its earlier name")
    rows = re.findall(r"^\| (`.+?`) \| (.+) \|$", index, re.MULTILINE)
    assert len(rows) >= 10
    for names, place in rows:
        assert LINK.search(place), f"{names} leads nowhere"
        for name in re.findall(r"`([^`]+)`", names):
            assert not (CHECKOUT / name).exists(), f"{name} exists, and needs no row"
