"""Log lines as users see them: `LEVEL: text`, one unwrapped line each, on stderr and in the run's own file."""

import logging
import sys
from pathlib import Path

from holdem.errors import ConfigError

LOGGER = logging.getLogger("holdem")
LEVELS = ("debug", "info", "warning", "error")

_FORMAT = logging.Formatter("%(levelname)s: %(message)s")


class _AnyName(logging.Filter):
    """Names of files may hold bytes that are no text: such a line is written with escapes instead of failing."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg, record.args = _as_text(record.getMessage()), ()
        if record.exc_info and not record.exc_text:
            record.exc_text = _as_text(_FORMAT.formatException(record.exc_info))
        return True


def _as_text(words: str) -> str:
    return words.encode("utf-8", "backslashreplace").decode("utf-8")


LOGGER.addFilter(_AnyName())


def start_logging(level: str = "info") -> None:
    """Send log lines to stderr; calling it again only changes the level."""
    if level.lower() not in LEVELS:
        raise ConfigError(f"--log-level {level!r} is not known; use {', '.join(LEVELS)}")
    LOGGER.setLevel(level.upper())
    LOGGER.propagate = False
    if not any(isinstance(handler, _StderrHandler) for handler in LOGGER.handlers):
        handler = _StderrHandler()
        handler.setFormatter(_FORMAT)
        LOGGER.addHandler(handler)


class _StderrHandler(logging.StreamHandler):  # type: ignore[type-arg]
    """Writes to whatever stderr is now, so that a live display can move its lines aside."""

    def __init__(self) -> None:
        super().__init__(sys.stderr)

    def emit(self, record: logging.LogRecord) -> None:
        self.stream = sys.stderr
        super().emit(record)


def log_into(path: Path) -> logging.Handler:
    """Write log lines into a file as well; pass the result to `stop_logging_into`."""
    handler = logging.FileHandler(path, encoding="utf-8")
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s: %(message)s"))
    LOGGER.addHandler(handler)
    return handler


def stop_logging_into(handler: logging.Handler) -> None:
    """Close a file that `log_into` opened."""
    LOGGER.removeHandler(handler)
    handler.close()
