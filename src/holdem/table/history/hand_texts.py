"""A file of hands as texts, hand by hand: each is read when it is asked for, so that a large file opens at once.

Files may come from anybody. What reading a hand can cost is bounded by its length, and TOML's keys of many parts, whose
reading takes the square of their number, are in no hand; whoever reads many hands counts their time (`ReadingTime`). A
hand that cannot be read hides only itself.
"""

import re
import sys
import time
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path

from holdem.errors import ArtifactError, ConfigError, HoldemError
from holdem.game.phh import SECTION, unit_of
from holdem.table.history.hand_history import HEADER, StoredHand, parse_history, read_content, whole_text
from holdem.util.logs import LOGGER
from holdem.util.words import counted

LONGEST_HAND = 16_000
"""Letters; the longest hands of six seats have a few thousand."""
MOST_HANDS = 20_000
MOST_NAMES = 100
READING_SECONDS = 5.0
"""Of computing, for the hands that one request looks at; a hundred hands of people take a tenth of a second."""
_NUMBERED = re.compile(r"[ \t]*\[(\d{1,9})\]")
_PLAYERS = re.compile(r"^players[ \t]*=[ \t]*\[[^\n]{1,2000}\][ \t]*$", re.MULTILINE)
_DOTTED = re.compile(r"""(?:\.[ \t]*(?:[\w-]+|"(?:\\.|[^"\\\n])*"|'[^'\n]*')[ \t]*){20}""")
_VARIANT = re.compile(r"^[ \t]*variant[ \t]*=", re.MULTILINE)


class ReadingTime:
    """The computing that is left for hands of a file, from now on: nobody waits for one that was made to be slow."""

    def __init__(self, name: str) -> None:
        self._name, self._until = name, time.thread_time() + READING_SECONDS

    def check(self) -> None:
        """Raise if it is used up; to be called before every hand."""
        if time.thread_time() > self._until:
            raise ArtifactError(f"the hands of {self._name:.100} take too long to read; hands of people do not")


@dataclass(frozen=True)
class HandTexts:
    """The hands of a file, counted from 1."""

    name: str
    texts: tuple[str, ...]
    players: tuple[str, ...]
    """Names that occur, sorted; the first hundred."""
    older: int = 0
    """Hands of the file before the first text, which are not read."""

    @classmethod
    def split(cls, content: bytes, name: str, most: int | None = None) -> "HandTexts":
        """The hands of a `.phhs` file, or the one of a `.phh` file; ArtifactError if there are none or too many."""
        most = MOST_HANDS if most is None else most
        text = whole_text(content, name)
        starts = [found.start() for found in SECTION.finditer(text)]
        if not starts and not text.strip():
            raise ArtifactError(f"{name} is empty; give a .phh or .phhs file")
        if not starts and not _VARIANT.search(text) and any(_is_content(line) for line in text.splitlines()):
            raise ArtifactError(f"{name} is not a hand history in PHH; give a .phh or .phhs file")
        if len(starts) > most:
            raise ArtifactError(f"{name} has {len(starts):,} hands, and {most:,} can be read; split it")
        if starts:
            texts = _cut(text, starts)
        else:
            texts = (text,) if _VARIANT.search(text) else ()
        return cls(name, texts, _players(text, name))

    @classmethod
    def of_file(cls, path: Path) -> "HandTexts":
        """All hands of a file that a user named, however many."""
        return cls.split(read_content(path), str(path), sys.maxsize)

    @classmethod
    def newest(cls, content: bytes, name: str) -> "HandTexts":
        """The newest hands at the end of a file that this project wrote, where hands are numbered one by one.

        `content` may begin within a hand. ArtifactError where there is no numbered hand.
        """
        text = whole_text(HEADER + content[content.find(b"\n[") + 1 :], name)
        starts = [found.start() for found in SECTION.finditer(text)][-MOST_HANDS:]
        number = _NUMBERED.match(text, starts[0]) if starts else None
        if number is None:
            raise ArtifactError(f"{name} is too large, and its hands are not numbered; split it")
        return cls(name, _cut(text, starts), _players(text, name), int(number[1]) - 1)

    def __len__(self) -> int:
        """Hands of the file, the older ones too."""
        return self.older + len(self.texts)

    @cached_property
    def unit(self) -> int:
        """Our chips in one of the file's, the same for all of its hands, so that their chips can be compared."""
        return max((unit_of(text) for text in self.texts if len(text) <= LONGEST_HAND), default=1)

    def hand(self, number: int) -> StoredHand:
        """One hand, played again under the rules."""
        if not 1 <= number <= len(self):
            raise ConfigError(f"{self.name} has {counted(len(self), 'hand')}; {number} is not one of them")
        if number <= self.older:
            raise ConfigError(f"hand {number} is too far back in {self.name}; give the file to `holdem replay`")
        text, what = self.texts[number - self.older - 1], f"hand {number} of {self.name}"
        if len(text) > LONGEST_HAND:
            raise ArtifactError(f"{what} has {len(text):,} letters, and no hand has more than {LONGEST_HAND:,}")
        if _DOTTED.search(text):
            raise ArtifactError(f"{what} is not a hand in PHH: it has a key of many parts")
        try:
            [stored] = parse_history(text, what, self.unit)
        except HoldemError:
            raise
        except Exception as error:  # files of others can be wrong in any way; only this hand cannot be shown
            LOGGER.info("%s", what, exc_info=error)
            raise ArtifactError(f"{what} cannot be read ({type(error).__name__}); check its fields") from None
        return stored


def _cut(text: str, starts: Sequence[int]) -> tuple[str, ...]:
    """The parts that begin at some places."""
    return tuple(text[start:end] for start, end in pairwise([*starts, len(text)]))


def _is_content(line: str) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith("#")


def _players(text: str, name: str) -> tuple[str, ...]:
    """Names from the lines that have them, without reading all the hands."""
    names: set[str] = set()
    left = ReadingTime(name)
    for line in sorted({found.group() for found in _PLAYERS.finditer(text)})[:MOST_HANDS]:
        left.check()
        if _DOTTED.search(line):
            continue
        try:
            players = tomllib.loads(line)["players"]
        except (ValueError, RecursionError):
            continue
        names |= {name for name in players if isinstance(name, str)}
        if len(names) >= MOST_NAMES:
            break
    return tuple(sorted(names)[:MOST_NAMES])
