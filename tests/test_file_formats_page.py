"""The programs in docs/file_formats.md open real files, and what they find is what this project finds."""

import re
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from holdem.mccfr.run.checkpoint import read_table
from holdem.policy.policy import AveragePolicy
from holdem.util.files.tables import CHUNK_BYTES, write_tables

CHECKOUT = Path(__file__).parents[1]
PAGE = (CHECKOUT / "docs" / "file_formats.md").read_text(encoding="utf-8")
OPEN_CHECKPOINT, OPEN_POLICY = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    source = CHECKOUT / "tests" / "data" / "files_of_0.1" / "leduc_run"
    return Path(shutil.copytree(source, tmp_path / "runs" / "blueprint"))


def executed(program: str) -> dict[str, Any]:
    names: dict[str, Any] = {}
    exec(program, names)
    return names


def test_a_checkpoint_opens_without_this_project(run: Path) -> None:
    found = executed(OPEN_CHECKPOINT)
    info, table = read_table(run / "checkpoint_final.pkl")
    assert found["checkpoint"]["iteration"] == info.iteration == 2_000
    assert np.array_equal(found["table"].reshape(-1, 2), table)


def test_so_does_one_with_blocks_of_zeros_left_out(run: Path) -> None:
    table = np.zeros(3 * CHUNK_BYTES // 4, dtype=np.int32)
    table[5], table[CHUNK_BYTES // 4 + 800 : CHUNK_BYTES // 4 + 900] = -7, np.arange(100)
    content = {"iteration": 1, "game": {"name": "none"}}
    write_tables(run / "checkpoint_final.pkl", "holdem checkpoint", 2, content, {"table": table})
    found = executed(OPEN_CHECKPOINT)
    assert [len(chunk) for chunk in found["stored"]["chunks"]] == [3, 3]
    assert np.array_equal(found["table"], table)


def test_damage_is_noticed(run: Path) -> None:
    path = run / "checkpoint_final.pkl"
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    with pytest.raises(AssertionError):
        executed(OPEN_CHECKPOINT)


def test_a_policy_opens_without_this_project(run: Path) -> None:
    found = executed(OPEN_POLICY)
    assert np.array_equal(found["probabilities"], AveragePolicy.load(run).table)
    assert found["manifest"]["iterations"] == 2_000
