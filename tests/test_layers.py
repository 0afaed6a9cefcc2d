"""Data flows one way: no module imports from a layer to its right (docs/architecture.md)."""

import ast
from pathlib import Path

import pytest

import holdem

PACKAGE = Path(holdem.__file__).parent
LAYERS = ("cards", "game", "abstraction", "mccfr", "evaluation", "realtime", "table", "web", "cli")
FLOOR = ("__init__", "types", "errors", "util")
MODULES = sorted(PACKAGE.rglob("*.py"))


def layer_of(parts: tuple[str, ...]) -> int:
    """Place in the flow; the floor is below everything."""
    return -1 if not parts or parts[0] in FLOOR else LAYERS.index(parts[0])


def imported_modules(path: Path) -> list[tuple[str, ...]]:
    names: list[str] = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, f"{path}: relative import"
            names += [f"{node.module}.{alias.name}" for alias in node.names]
    return [tuple(name.split(".")[1:]) for name in names if name.split(".")[0] == "holdem"]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_point_left(path: Path) -> None:
    own = layer_of(path.relative_to(PACKAGE).with_suffix("").parts)
    for parts in imported_modules(path):
        if parts[:1] == ("__version__",):
            continue
        assert layer_of(parts) <= own, f"{path.name} imports holdem.{'.'.join(parts)}"
