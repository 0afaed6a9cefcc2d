"""Opens regular files and nothing else, and reads JSON that may be damaged or hostile.

A folder of results may come from anybody. A pipe in it would hang whoever opens it, a device would never end, and JSON
can be nested too deep, be too large, or hold text that no file can take again.
"""

import json
import os
import stat
from pathlib import Path
from typing import IO, Any

MAX_JSON_BYTES = 1 << 28


def open_regular(path: Path) -> IO[bytes]:
    """A regular file for reading; an OSError for anything else, without waiting for it."""
    return open(path, "rb", opener=_open_at_once)


def _open_at_once(path: str, flags: int) -> int:
    # Without O_NONBLOCK, opening a pipe that nobody writes to would wait for ever; it means nothing for a file.
    descriptor = os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
    mode = os.fstat(descriptor).st_mode
    if stat.S_ISREG(mode):
        return descriptor
    os.close(descriptor)
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(path)
    raise OSError(f"{path} is no regular file")


def is_there(path: Path) -> bool:
    """Whether a path exists; False for what no file can be called, such as a name of a thousand letters."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def read_json(path: Path) -> Any:
    """The content of a JSON file, or a ValueError if it cannot be read as one."""
    with open_regular(path) as file:
        if os.fstat(file.fileno()).st_size > MAX_JSON_BYTES:
            raise ValueError(f"it is larger than {MAX_JSON_BYTES:,} bytes")
        text = file.read().decode("utf-8")
    try:
        content = json.loads(text)
        if "\\u" in text:  # half of a surrogate pair can be spelt in JSON and not be written again
            json.dumps(content, ensure_ascii=False).encode("utf-8")
    except RecursionError:
        raise ValueError("it is nested too deep") from None
    return content
