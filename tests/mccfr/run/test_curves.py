"""Curves from event files, beside TensorBoard's own reader."""

import struct
from pathlib import Path

import pytest
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from holdem.mccfr.run.curves import EventFile, Points, run_curves
from holdem.mccfr.run.telemetry import TensorBoard


def write(run: Path, first: int = 1, last: int = 50) -> Path:
    board = TensorBoard(run / "tensorboard", {"settings": "a text, which is no curve"})
    for iteration in range(first, last + 1):
        board.scalars(iteration, {"Training/Utility": 1.0 / iteration, "Performance/Speed": 1e9 + iteration})
    board.close()
    return max((run / "tensorboard").iterdir(), key=lambda path: path.stat().st_mtime_ns)


def as_tensorboard_reads(file: Path) -> dict[str, Points]:
    accumulator = EventAccumulator(str(file), size_guidance={"scalars": 0})
    accumulator.Reload()
    names = accumulator.Tags()["scalars"]
    return {name: [(event.step, event.value) for event in accumulator.Scalars(name)] for name in names}


def test_as_tensorboard_reads_it(tmp_path: Path) -> None:
    file = write(tmp_path)
    found = EventFile(file).read()
    assert len(found["Training/Utility"]) == 50
    assert found == as_tensorboard_reads(file)


def test_a_file_that_grows_is_read_on(tmp_path: Path) -> None:
    whole = write(tmp_path).read_bytes()
    growing = tmp_path / "events.out.tfevents.growing"
    events = EventFile(growing)
    lengths = []
    for start in range(0, len(whole), 97):
        with growing.open("ab") as file:
            file.write(whole[start : start + 97])
        lengths.append(len(events.read().get("Training/Utility", [])))
    assert lengths == sorted(lengths)
    assert lengths[-1] == 50
    assert events.read() == as_tensorboard_reads(growing)


def test_a_file_that_was_replaced_is_read_again(tmp_path: Path) -> None:
    file = write(tmp_path / "a")
    events = EventFile(file)
    events.read()
    write(tmp_path / "b", 7, 9).replace(file)
    assert events.read() == as_tensorboard_reads(file)


@pytest.mark.parametrize("place", [3, 9, 200, 1500, -5])
def test_damage_ends_the_curves_and_nothing_else(tmp_path: Path, place: int) -> None:
    file = write(tmp_path)
    whole = as_tensorboard_reads(file)
    content = bytearray(file.read_bytes())
    content[place] ^= 0x55
    file.write_bytes(content)
    for name, points in EventFile(file).read().items():
        assert points == whole[name][: len(points)]


@pytest.mark.parametrize("content", [b"", b"no event file", struct.pack("<Q", 1 << 62) * 4])
def test_what_is_no_event_file_has_no_curves(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "file").write_bytes(content)
    assert EventFile(tmp_path / "file").read() == {}
    assert EventFile(tmp_path / "nowhere").read() == {}
    assert EventFile(tmp_path).read() == {}


def test_where_a_run_went_on_from_an_earlier_point_the_later_file_counts(tmp_path: Path) -> None:
    first, second = write(tmp_path / "a", 1, 50), write(tmp_path / "b", 31, 60)
    folder = tmp_path / "run" / "tensorboard"
    folder.mkdir(parents=True)
    first.rename(folder / "events.out.tfevents.1")
    second.rename(folder / "events.out.tfevents.2")
    points = run_curves(tmp_path / "run")["Training/Utility"]
    assert [iteration for iteration, _ in points] == list(range(1, 61))
