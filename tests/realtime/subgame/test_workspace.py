"""The arrays of a solve belong to the solver's room: whoever is outside asks for strategies and values."""

import ast
from pathlib import Path

import holdem

REALTIME = Path(holdem.__file__).parent / "realtime"
BENCHMARK = Path(__file__).parents[3] / "benchmarks" / "bench_search.py"
ARRAYS = {"workspace", "storage", "work", "works", "plan", "node_rows"}


def test_nobody_outside_reaches_into_the_arrays_of_a_solver() -> None:
    outside = [path for path in REALTIME.rglob("*.py") if not {"subgame", "kernels"} & set(path.parts)]
    assert len(outside) > 20
    for path in (*outside, BENCHMARK):
        reached = [node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if _reaches(node)]
        assert not reached, f"{path.name}: {ast.unparse(reached[0])}"


def _reaches(node: ast.AST) -> bool:
    """`solver.storage`, `search.solver.plan` and the like."""
    if not isinstance(node, ast.Attribute) or node.attr not in ARRAYS:
        return False
    owner = node.value
    return (owner.attr if isinstance(owner, ast.Attribute) else getattr(owner, "id", "")) == "solver"
