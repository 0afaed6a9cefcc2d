"""Log lines about files whose names are no text."""

import logging
import os
from pathlib import Path

import pytest

from holdem.errors import ArtifactError
from holdem.util.logs import LOGGER, log_into, stop_logging_into


def test_names_that_are_no_text_are_escaped(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """In the line, in its arguments and in the traceback; the file takes it, and so does whoever captures lines."""
    name = os.fsdecode(b"twin\xff")
    handler = log_into(tmp_path / "train.log")
    try:
        with caplog.at_level(logging.WARNING, logger="holdem"):
            LOGGER.addHandler(caplog.handler)
            LOGGER.warning(f"passed over: {name}")
            try:
                raise ArtifactError(f"{name} cannot be read")
            except ArtifactError as error:
                LOGGER.warning("%s of %d", name, 3, exc_info=error)
    finally:
        LOGGER.removeHandler(caplog.handler)
        stop_logging_into(handler)
    written = (tmp_path / "train.log").read_text(encoding="utf-8")
    assert "passed over: twin\\udcff\n" in written
    assert "twin\\udcff of 3" in written
    assert "ArtifactError: twin\\udcff cannot be read" in written
    assert caplog.text.encode("utf-8")
