"""Hand histories that survive anything: one `.phhs` file (PHH, many hands), one write and one flush to disk a hand.

A hand is written behind the last one and ends with a comment that says it is whole; nothing in the file is ever
overwritten. Whatever is behind the last such comment when the file is opened again was cut off by a kill or a full
disk: it moves to a file of its own beside it, so that every hand in the file can be read. Hands from elsewhere that
somebody put behind it stay. pokerkit reads the files too.
"""

import codecs
import json
import os
import re
import sys
import threading
import tomllib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from holdem.errors import ArtifactError, HoldemError
from holdem.game.hand import Hand
from holdem.game.phh import SECTION, from_phh, from_phhs, to_phh, told_payoffs, unit_of
from holdem.game.records import Record
from holdem.game.replay import replay
from holdem.table.history.observed_hand import ObservedHand
from holdem.types import playable_stack
from holdem.util.logs import LOGGER

HEADER = b"# Hands in PHH, the Poker Hand History format; written by holdem, read by pokerkit and `holdem replay`.\n\n"
END_OF_HAND = b"# end of hand "
_END = re.compile(rb"^" + END_OF_HAND + rb"(\d{1,9})\n", re.MULTILINE)
_NUMBERED = re.compile(rb"^\[(\d{1,9})\]", re.MULTILINE)
_ANY_SECTION = re.compile(SECTION.pattern.encode(), re.MULTILINE)
_NO_CONTENT = re.compile(rb"(?:[ \t\r]*(?:#[^\n]*)?\n)*")


@dataclass(frozen=True)
class StoredHand:
    """A hand of a file: its name there, the hand played again under the rules, and the fields beside it."""

    name: str
    hand: Hand
    fields: Mapping[str, Any]
    unit: int = 1
    """Our chips in one of the fields."""

    @property
    def players(self) -> tuple[str, ...]:
        """Names by seat; `seat 3` where the file has none."""
        count = self.hand.num_seats
        names = self.fields.get("players")
        if not isinstance(names, list) or len(names) != count:
            return tuple(f"seat {seat}" for seat in range(count))
        return tuple(str(names[self.hand.position(seat)]) for seat in range(count))

    @property
    def stack_blinds(self) -> float:
        """How deep the players could play, in big blinds."""
        return playable_stack(self.hand.starting_stacks) / max(self.hand.config.big_blind, 1)

    @property
    def payoffs(self) -> tuple[int, ...] | None:
        """Chips that each seat won, less the rake if the file tells of one; None for a hand without an end."""
        return told_payoffs(self.hand, self.fields, self.unit) if self.hand.is_over else None

    @property
    def hero(self) -> int | None:
        """The seat from which the hand was seen, if the file says so."""
        seat = self.fields.get("_hero_seat")
        return seat if type(seat) is int and 0 <= seat < self.hand.num_seats else None


class HandHistory:
    """An open `.phhs` file: `with HandHistory.open(path) as history: history.append(hand)`."""

    def __init__(self, path: Path, descriptor: int, size: int, hands: int) -> None:
        """Use `HandHistory.open`."""
        self.path = path
        self.hands = hands
        """The number of the last hand in the file."""
        self._descriptor = descriptor
        self._size = size
        self._appending = threading.Lock()

    @classmethod
    def open(cls, path: Path | str) -> "HandHistory":
        """Open a file to append to it, or begin it; a torn last hand is moved aside with one log line.

        ArtifactError if another process writes to it, or if it is something else.
        """
        path = Path(path)
        return cls._of_file(path, _open_file(path))

    @classmethod
    def begin(cls, path: Path | str) -> "HandHistory":
        """Begin a new file; where the name is taken, `hands_2.phhs`, `hands_3.phhs` and so on.

        Processes that begin it at the same instant get one each: the system lets only one of them make a file.
        """
        path = free = Path(path)
        number = 1
        while True:
            try:
                return cls._of_file(free, _open_file(free, os.O_EXCL))
            except FileExistsError:
                number += 1
                free = path.with_stem(f"{path.stem}_{number}")

    @classmethod
    def _of_file(cls, path: Path, descriptor: int) -> "HandHistory":
        """The history of an open file, which nobody else may write to from now on."""
        try:
            _lock(descriptor, path)
            content = _read_all(descriptor)
            content = _without_torn_hand(descriptor, path, content)
            history = cls(path, descriptor, len(content), max(map(int, _NUMBERED.findall(content)), default=0))
            if not content:
                history._write(HEADER)
                _flush_folder(path.parent)
            elif not content.endswith(b"\n"):
                history._write(b"\n")
        except BaseException:
            os.close(descriptor)
            raise
        return history

    def append(
        self,
        hand: Hand | ObservedHand | Sequence[Record],
        *,
        players: Sequence[str] | None = None,
        hero_seat: int | None = None,
        extra: Mapping[str, Any] | None = None,
    ) -> int:
        """Write one hand and flush it to disk; its number in the file. Several threads may.

        `players` are names by seat and `hero_seat` the seat from which it was seen; an ObservedHand brings both.
        `extra` fields (strings, numbers, lists of them) are kept with an underscore before their names.
        """
        if isinstance(hand, ObservedHand):
            players = hand.players if players is None else players
            hero_seat = hand.seat if hero_seat is None else hero_seat
            hand = hand.records
        records = hand.records if isinstance(hand, Hand) else list(hand)
        content = f"{to_phh(records).rstrip()}\n{_extra_fields(records, players, hero_seat, extra or {})}"
        with self._appending:
            number = self.hands + 1
            self._write(f"[{number}]\n{content}{END_OF_HAND.decode()}{number}\n\n".encode())
            self.hands = number
        return number

    def close(self) -> None:
        """Let go of the file."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def __enter__(self) -> "HandHistory":
        return self

    def __exit__(self, *details: object) -> None:
        self.close()

    def _write(self, block: bytes) -> None:
        """Append and flush; on a full disk the file is cut back to what it was."""
        try:
            left = memoryview(block)
            while left:
                left = left[os.write(self._descriptor, left) :]
            os.fsync(self._descriptor)
        except OSError as error:
            with suppress(OSError):
                os.ftruncate(self._descriptor, self._size)
            raise ArtifactError(
                f"hand {self.hands + 1} cannot be written to {self.path} ({error.strerror}); those before it are whole"
            ) from None
        self._size += len(block)


def read_history(path: Path | str) -> list[StoredHand]:
    """All whole hands of a `.phhs` file, or the one of a `.phh` file, played again under the rules."""
    return parse_history(whole_text(read_content(path), str(path)), str(path))


def read_content(path: Path | str) -> bytes:
    """The bytes of a file that a user named."""
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise ArtifactError(f"{path} cannot be read ({error.strerror}); check the name") from None


def whole_text(content: bytes, name: str) -> str:
    """The text of a file without a torn last hand; `name` is for the sentence where it is no text."""
    content = content.removeprefix(codecs.BOM_UTF8)  # editors of Windows write it
    try:
        return content[: _whole_size(content)].decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise ArtifactError(f"{name} is not a text file; give a .phh or .phhs file") from None


def parse_history(text: str, name: str, unit: int | None = None) -> list[StoredHand]:
    """All hands in the text of a `.phhs` file, or the one of a `.phh` file, played again under the rules.

    `unit` is the file's, if the text is a part of it.
    """
    unit = unit_of(text) if unit is None else unit
    try:
        tables = tomllib.loads(text)
        if "variant" in tables:
            return [StoredHand("1", from_phh(text), tables, unit)]
        hands = from_phhs(text, unit)
    except HoldemError as error:
        raise ArtifactError(f"{name}: {error}") from None
    except (
        ValueError,
        ArithmeticError,
        RecursionError,
    ) as error:  # of TOML: numbers of thousands of digits, lists in lists
        raise ArtifactError(f"{name} is not a hand history in PHH: {error}") from None
    return [StoredHand(name, hand, fields, unit) for (name, fields), hand in zip(tables.items(), hands, strict=True)]


def _open_file(path: Path, flags: int = 0) -> int:
    """A file to append to; with O_EXCL a new one, or a FileExistsError."""
    flags |= os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return os.open(path, flags, 0o644)
    except OSError as error:
        if isinstance(error, FileExistsError) and path.parent.is_dir():
            raise
        raise ArtifactError(f"{path} cannot be written ({error.strerror}); give another file") from None


def _extra_fields(
    records: Sequence[Record], players: Sequence[str] | None, hero_seat: int | None, extra: Mapping[str, Any]
) -> str:
    """Lines of the fields that tell where a hand comes from."""
    now = datetime.now(UTC)
    lines = [f"year = {now.year}\nmonth = {now.month}\nday = {now.day}\ntime = {now:%H:%M:%S}\ntime_zone = 'UTC'\n"]
    if players is not None:
        start = replay(records[:1])
        lines.append(f"players = {_toml([players[start.seat_at(position)] for position in range(start.num_seats)])}\n")
    if hero_seat is not None:
        lines.append(f"_hero_seat = {hero_seat}\n")
    lines += [f"_{key} = {_toml(value)}\n" for key, value in extra.items()]
    return "".join(lines)


def _toml(value: Any) -> str:
    """Strings, numbers and lists of them are written in TOML as in JSON."""
    return json.dumps(value, ensure_ascii=False)


def _whole_size(content: bytes) -> int:
    """Bytes up to the end of the last whole hand; hands that somebody else wrote are taken as whole."""
    if not content.startswith(HEADER[: len(content)]):
        return len(content)
    ends = list(_END.finditer(content))
    size = ends[-1].end() if ends else len(HEADER) if content.startswith(HEADER) else 0
    written = {0} if not ends else {int(ends[-1][1]), max(map(int, _NUMBERED.findall(content[:size])), default=0)}
    rest = content[size:]
    if _are_hands_of_others(rest, {number + 1 for number in written}):
        return len(content)
    return size + len(rest) - len(rest.lstrip(b"\n"))


def _are_hands_of_others(rest: bytes, due: set[int]) -> bool:
    """Whether what is behind our last whole hand came from elsewhere: of ours it is one at most, with a number due."""
    begin = _NO_CONTENT.match(rest)
    assert begin is not None
    first = _ANY_SECTION.match(rest, begin.end())
    if first is None:
        return False
    is_ours = first[0].strip() in {b"[%d]" % number for number in due}
    return not is_ours or _ANY_SECTION.search(rest, first.end()) is not None


def _without_torn_hand(descriptor: int, path: Path, content: bytes) -> bytes:
    """The content that stays; the rest is moved to a file beside it, and a file that is not a history is refused."""
    size = _whole_size(content)
    if size < len(content):
        torn = path.with_name(path.name + ".torn")
        with torn.open("ab") as file:
            file.write(content[size:] + b"\n")
            file.flush()
            os.fsync(file.fileno())
        os.ftruncate(descriptor, size)
        os.fsync(descriptor)
        LOGGER.warning("%s: a torn last hand of %d bytes was moved to %s", path, len(content) - size, torn.name)
    elif not content.startswith(HEADER[: len(content)]):
        try:
            from_phhs(content.decode("utf-8"))
        except (HoldemError, UnicodeDecodeError) as error:
            raise ArtifactError(f"{path} is not a .phhs file that hands can be added to: {error}") from None
    return content[:size]


def _read_all(descriptor: int) -> bytes:
    os.lseek(descriptor, 0, os.SEEK_SET)
    blocks = []
    while block := os.read(descriptor, 1 << 20):
        blocks.append(block)
    return b"".join(blocks)


def _lock(descriptor: int, path: Path) -> None:
    """One writer at a time; the lock goes with the process."""
    try:
        if sys.platform == "win32":
            import msvcrt

            os.lseek(descriptor, 1 << 40, os.SEEK_SET)
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise ArtifactError(f"{path} is being written by another process; give another file") from None


def _flush_folder(folder: Path) -> None:
    """Make the name of a new file survive a power cut, where the system can."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
