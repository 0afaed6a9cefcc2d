"""The programs in docs/python.md run one after the other, and say what the page says."""

import re
from pathlib import Path
from typing import Any

import pytest

from tests.table.policies import save_jam_or_fold

PAGE = Path(__file__).parents[1] / "docs" / "python.md"


def test_every_program_runs_and_its_remarks_are_true(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    save_jam_or_fold(tmp_path / "runs" / "blueprint")
    programs = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    names: dict[str, Any] = {}
    for program in programs:
        exec(program, names)
    remarks = dict(re.findall(r"^(\S.*?)  # (.*)$", "\n".join(programs), re.MULTILINE))
    royal, aces, ranges = (
        next(line for line in remarks if word in line) for word in ("evaluate(", '"KK"', "str(Range")
    )
    assert eval(royal, names) == int(remarks[royal].split(",")[0])
    assert f"{eval(aces, names):.7f}".startswith(remarks[aces].split("...")[0])
    assert repr(eval(ranges, names)) == remarks[ranges]
    assert sum(names["policy"].probabilities(0, 0)) == pytest.approx(1.0)
