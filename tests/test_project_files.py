"""The files around the code agree with each other: Makefile, continuous integration, hooks, and what they run."""

import re
import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

CHECKOUT = Path(__file__).parents[1]
MAKEFILE = (CHECKOUT / "Makefile").read_text(encoding="utf-8")
RECIPES = dict(re.findall(r"^([a-z-]+):.*\n((?:\t.*\n)*)", MAKEFILE, re.MULTILINE))
"""Target of make → its lines."""


def plain(name: str) -> dict[str, Any]:
    content: dict[str, Any] = yaml.safe_load((CHECKOUT / name).read_text(encoding="utf-8"))
    return content


def steps_of(workflow: dict[str, Any]) -> list[dict[str, Any]]:
    return [step for job in workflow["jobs"].values() for step in job["steps"]]


@pytest.mark.skipif(shutil.which("make") is None, reason="there is no make")
def test_make_lists_every_target() -> None:
    text = subprocess.run(["make", "help"], cwd=CHECKOUT, capture_output=True, text=True, check=True).stdout
    (phony,) = re.findall(r"^\.PHONY: (.+)$", MAKEFILE, re.MULTILINE)
    assert re.findall(r"^  make ([a-z-]+) +\S", text, re.MULTILINE) == phony.split() == list(RECIPES)


def test_every_system_and_python_is_tested() -> None:
    matrix = plain(".github/workflows/ci.yml")["jobs"]["test"]["strategy"]["matrix"]
    assert matrix["system"] == ["ubuntu-latest", "macos-latest", "windows-latest"]
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["requires-python"] == f">={matrix['python'][0]}"
    assert matrix["python"] == ["3.11", "3.12", "3.13"]


def test_continuous_integration_runs_targets_that_exist() -> None:
    workflow = plain(".github/workflows/ci.yml")
    lines = "\n".join(step.get("run", "") for step in steps_of(workflow))
    named = set(re.findall(r"^make ([a-z-]+)", lines, re.MULTILINE))
    named |= set(workflow["jobs"]["many-processes"]["strategy"]["matrix"]["target"])
    script = (CHECKOUT / ".ci" / "run").read_text(encoding="utf-8")
    assert named == {"setup", *re.findall(r"^make ([a-z-]+)", script, re.MULTILINE)} and named <= set(RECIPES)


def test_the_folder_of_compiled_kernels_is_kept_by_their_content() -> None:
    steps = plain(".github/workflows/ci.yml")["jobs"]["test"]["steps"]
    (cache,) = [step["with"] for step in steps if step.get("uses", "").startswith("actions/cache@")]
    assert "hashFiles('src/holdem/**/kernels/**')" in cache["key"]
    assert f"HOLDEM_CACHE=$GITHUB_WORKSPACE/{cache['path']}" in "\n".join(step.get("run", "") for step in steps)


def test_windows_runs_what_make_test_runs() -> None:
    """Where there is no make, the workflow spells the commands out."""
    (step,) = [
        s for s in steps_of(plain(".github/workflows/ci.yml")) if s.get("name") == "make test, where there is no make"
    ]
    recipe = (RECIPES["lint"] + RECIPES["test"]).replace("\t$(RUN)", ".venv/Scripts/python")
    assert step["run"].splitlines() == recipe.splitlines()


def test_hooks_run_a_target_of_make() -> None:
    hooks = [hook for source in plain(".pre-commit-config.yaml")["repos"] for hook in source["hooks"]]
    assert [hook["entry"] for hook in hooks] == ["make lint"]
    for tool in ("ruff check", "ruff format --check", "mypy"):
        assert tool in RECIPES["lint"] and tool in hooks[0]["name"]


def test_coverage_leaves_out_compiled_code_and_files_that_git_ignores() -> None:
    settings = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["coverage"]["run"]
    assert settings["omit"] == ["*/kernels/*"] and "subprocess" in settings["patch"]
    assert "coverage run -m pytest" in RECIPES["coverage"] and "coverage html" in RECIPES["coverage"]
    ignored = (CHECKOUT / ".gitignore").read_text(encoding="utf-8").splitlines()
    assert "htmlcov/" in ignored and ".coverage*" in ignored
