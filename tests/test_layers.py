"""Data flows one way: no module imports from a layer to its right or itself in a circle, and rooms are small.

Lazy imports count like all others; imports under `TYPE_CHECKING` are for readers and count for the layers alone.
"""

import ast
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import holdem

PACKAGE = Path(holdem.__file__).parent
FLOW = "cards game abstraction policy mccfr blueprint evaluation realtime table web cli"
LAYERS = tuple(FLOW.split())
FLOOR = ("__init__", "types", "errors", "util")
FILES = sorted(PACKAGE.rglob("*.py"))
LARGEST_ROOM = 16
"""Modules of a folder; `cli` has one for each verb, and kernels are listed by nobody."""


def module_of(path: Path) -> str:
    """The dotted name of a file."""
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_of(path): path for path in FILES}


def layer_of(module: str) -> int:
    """Place in the flow; the floor is below everything."""
    parts = module.split(".")[1:]
    return -1 if not parts or parts[0] in FLOOR else LAYERS.index(parts[0])


def imported(path: Path, for_readers: bool = True) -> set[str]:
    """The modules of the package that a file imports, at its top or inside a function."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    skipped = {id(inner) for node in ast.walk(tree) if _is_for_readers(node) for inner in ast.walk(node)}
    found = set()
    for node in ast.walk(tree):
        if id(node) not in skipped or for_readers:
            found |= set(_names(node, path))
    return found - {module_of(path)}


def _is_for_readers(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def _names(node: ast.AST, path: Path) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names if alias.name in MODULES)
    elif isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "holdem":
        assert node.level == 0, f"{path}: relative import"
        for alias in node.names:
            inner = f"{node.module}.{alias.name}"
            yield inner if inner in MODULES else node.module


@pytest.mark.parametrize("module", MODULES)
def test_imports_point_left(module: str) -> None:
    for name in imported(MODULES[module]):
        assert layer_of(name) <= layer_of(module), f"{module} imports {name}"


def test_no_module_imports_itself_in_a_circle() -> None:
    """Take away modules that import nothing that is left, again and again: what stays is in a circle or behind one."""
    left = {module: imported(path, for_readers=False) & set(MODULES) for module, path in MODULES.items()}
    while free := [module for module, names in left.items() if not names & set(left)]:
        for module in free:
            del left[module]
    assert not left


@pytest.mark.parametrize("module", [name for name in MODULES if ".kernels." in name])
def test_whatever_a_kernel_imports_is_in_a_folder_of_kernels(module: str) -> None:
    for name in imported(MODULES[module]):
        assert ".kernels" in name or name in ("holdem.util.jit", "holdem.util.arrays"), f"{module} imports {name}"


def test_the_types_of_arrays_hold_nothing_that_a_kernel_could_compile_in() -> None:
    """Kernels import them for their signatures; a constant there would not change the name of the compile cache."""
    tree = ast.parse(MODULES["holdem.util.arrays"].read_text(encoding="utf-8"))
    for node in tree.body[1:]:
        if not isinstance(node, ast.Import | ast.ImportFrom):
            assert isinstance(node, ast.Assign)
            assert ast.unparse(node.value).startswith("npt.NDArray["), ast.unparse(node)


@pytest.mark.parametrize("module", MODULES)
def test_an_array_type_has_one_name(module: str) -> None:
    """`Floats` once meant four bytes in some modules and eight in others."""
    tree = ast.parse(MODULES[module].read_text(encoding="utf-8"))
    for node in tree.body:
        if isinstance(node, ast.Assign) and module != "holdem.util.arrays":
            assert not ast.unparse(node.value).startswith("npt.NDArray["), f"{module}: {ast.unparse(node)}"


@pytest.mark.parametrize("folder", sorted({path.parent for path in FILES} - {PACKAGE / "cli"}), ids=lambda f: f.name)
def test_rooms_are_small_and_say_what_is_in_them(folder: Path) -> None:
    modules = [path for path in folder.glob("*.py") if path.name != "__init__.py"]
    assert folder.name == "kernels" or len(modules) <= LARGEST_ROOM
    docstring = ast.get_docstring(ast.parse((folder / "__init__.py").read_text(encoding="utf-8")))
    assert docstring is not None and len(docstring) > 40, f"{folder} does not say what is in it"


def digest_of(source: Path) -> str:
    """The name of the compile cache of a copy of the package."""
    code = "from holdem.util.jit import kernel_digest; print(kernel_digest())"
    command = [sys.executable, "-c", code]
    result = subprocess.run(command, cwd=source, capture_output=True, text=True, check=True, env={"PYTHONPATH": "."})
    return result.stdout.strip()


@pytest.mark.parametrize(
    ("file", "before", "after"),
    [
        ("realtime/multiway/kernels/arrays.py", "BIAS = 5.0", "BIAS = 500.0"),
        ("mccfr/kernels/node_records.py", "SLOT_SHIFT, SLOT_MASK = 12, 63", "SLOT_SHIFT, SLOT_MASK = 13, 63"),
    ],
)
def test_a_constant_that_a_kernel_compiles_in_changes_the_cache(
    file: str, before: str, after: str, tmp_path: Path
) -> None:
    copy = tmp_path / "holdem"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__", "static"))
    unchanged = digest_of(tmp_path)
    text = (copy / file).read_text(encoding="utf-8")
    assert before in text
    (copy / file).write_text(text.replace(before, after), encoding="utf-8")
    assert digest_of(tmp_path) != unchanged
