"""The curves of a run, read from its TensorBoard files: what the training page and reports draw.

An event file is a row of records: length, checksum of the length, protocol buffer, checksum of that. A file that still
grows ends in half a record, which is read the next time. Reading needs no TensorBoard, only the writer's own messages.
"""

import struct
from functools import lru_cache
from pathlib import Path
from typing import Any

from holdem.mccfr.run.directory import TENSORBOARD_NAME
from holdem.util.files.regular import open_regular

Points = list[tuple[int, float]]
"""Iteration and value, in the order in which they were written."""

MOST_EVENT_BYTES = 1 << 28
"""Of an event file; those of a week of training have some megabytes."""
_LENGTH, _CHECKSUM = struct.Struct("<Q"), struct.Struct("<I")
_HEAD_BYTES = _LENGTH.size + _CHECKSUM.size


def run_curves(run: Path) -> dict[str, Points]:
    """Every scalar of a run; where it went on from an earlier point, the later file counts."""
    curves: dict[str, Points] = {}
    for file in sorted((run / TENSORBOARD_NAME).glob("events.out.tfevents*")):
        for name, points in _event_file(file).read().items():
            before = [point for point in curves.get(name, []) if points and point[0] < points[0][0]]
            curves[name] = before + points
    return curves


@lru_cache(maxsize=64)
def _event_file(path: Path) -> "EventFile":
    """It remembers how far it has read, so that a look at a growing file is cheap."""
    return EventFile(path)


class EventFile:
    """The scalars of one file. What is no event file, too large for one of ours or damaged ends where it goes wrong."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._identity: tuple[int, int] | None = None
        self._place = 0
        self._scalars: dict[str, Points] = {}

    def read(self) -> dict[str, Points]:
        """All scalars up to now."""
        try:
            with open_regular(self.path) as file:
                self._start_again_if_replaced()
                file.seek(self._place)
                self._take(file.read(MOST_EVENT_BYTES - self._place))
        except OSError:
            return {}
        return {name: list(points) for name, points in self._scalars.items()}

    def _start_again_if_replaced(self) -> None:
        status = self.path.stat()
        identity = status.st_dev, status.st_ino
        if identity != self._identity or status.st_size < self._place:
            self._identity, self._place, self._scalars = identity, 0, {}

    def _take(self, content: bytes) -> None:
        # Imported here: most commands read no curves.
        from google.protobuf.message import DecodeError  # type: ignore[import-untyped]
        from tensorboardX.proto.event_pb2 import Event

        place = 0
        while (record := _record_at(content, place)) is not None:
            try:
                self._add(Event.FromString(record))
            except DecodeError:
                break
            place += _HEAD_BYTES + len(record) + _CHECKSUM.size
        self._place += place

    def _add(self, event: Any) -> None:
        for value in event.summary.value:
            if value.HasField("simple_value"):
                self._scalars.setdefault(value.tag, []).append((event.step, value.simple_value))


def _record_at(content: bytes, place: int) -> bytes | None:
    """The record that begins there; None at the end, at half a record, and where a checksum is wrong."""
    from tensorboardX.record_writer import masked_crc32c

    head = content[place : place + _HEAD_BYTES]
    if len(head) < _HEAD_BYTES or masked_crc32c(head[: _LENGTH.size]) != _CHECKSUM.unpack_from(head, _LENGTH.size)[0]:
        return None
    (length,) = _LENGTH.unpack_from(head)
    end = place + _HEAD_BYTES + length
    if end + _CHECKSUM.size > len(content):
        return None
    record = content[place + _HEAD_BYTES : end]
    return record if masked_crc32c(record) == _CHECKSUM.unpack_from(content, end)[0] else None
