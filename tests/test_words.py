"""One word, one thing: no two classes of the package share a name."""

import ast
from pathlib import Path

import holdem

PACKAGE = Path(holdem.__file__).parent


def test_no_two_classes_share_a_name() -> None:
    """Private ones may: nobody outside of their file reads them."""
    places: dict[str, Path] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                other = places.setdefault(node.name, path)
                assert other == path, f"{node.name} is a class of {other} and of {path}"
    assert len(places) > 250
