"""Ctrl+C and SIGTERM that let work end cleanly: the first asks, a second Ctrl+C does not wait."""

import signal
import threading
from types import FrameType, TracebackType
from typing import Any

EXIT_STATUS = {signal.SIGINT: 130, signal.SIGTERM: 143}


class StopSignals:
    """`with StopSignals() as stop:` — `stop.received` is the signal that asked to stop, or None."""

    def __init__(self) -> None:
        self.received: signal.Signals | None = None
        self._previous: dict[signal.Signals, Any] = {}

    def __enter__(self) -> "StopSignals":
        # Only the main thread may set handlers; elsewhere (a notebook's worker, say) Ctrl+C acts as it always does.
        if threading.current_thread() is threading.main_thread():
            for number in EXIT_STATUS:
                self._previous[number] = signal.signal(number, self._on_signal)
        return self

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        if self.received is not None:
            signal.signal(number, signal.SIG_DFL)
            signal.raise_signal(number)
        self.received = signal.Signals(number)

    @property
    def exit_status(self) -> int:
        """128 + signal, or 0 if there was none."""
        return EXIT_STATUS[self.received] if self.received is not None else 0

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number, handler in self._previous.items():
            signal.signal(number, handler)
