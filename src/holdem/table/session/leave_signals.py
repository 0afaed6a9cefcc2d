"""Ctrl+C at a table: the first asks to leave at the end of the hand, the second at once.

"At once" still answers where an answer is due: the seat folds, or checks where that is free, and the hand is recorded.
So from the second on, a signal interrupts only thinking, pauses and waiting, which run inside
`with leave.interruptible():`. Where nothing can be interrupted, a third ends the process.
"""

import _thread
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType, TracebackType
from typing import Any

from holdem.util.signals import EXIT_STATUS


class LeaveNow(KeyboardInterrupt):
    """The second signal came while a seat was thinking, or a table paused or waited."""


class LeaveSignals:
    """`with LeaveSignals() as leave:` — `leave.after_hand` and `leave.now` tell what was asked."""

    def __init__(self, at_once: bool = False) -> None:
        """With `at_once` the first signal already means: leave at once."""
        self._at_once = at_once
        self.received: signal.Signals | None = None
        self.now = False
        self._interruptible = False
        self._previous: dict[signal.Signals, Any] = {}

    @property
    def after_hand(self) -> bool:
        """Whether to leave when the hand is over."""
        return self.received is not None

    @property
    def exit_status(self) -> int:
        """128 + signal, or 0 if there was none."""
        return EXIT_STATUS[self.received] if self.received is not None else 0

    @contextmanager
    def interruptible(self, really: bool = True) -> Iterator[None]:
        """Inside, a second signal raises `LeaveNow`; `really=False` switches that off inside an outer block."""
        before = self._interruptible
        try:
            self._interruptible = really
            yield
        finally:
            self._interruptible = before

    def soon(self, seconds: float) -> threading.Timer:
        """Interrupt what can be interrupted after some time, if the returned timer is not cancelled before."""
        timer = threading.Timer(seconds, _interrupt_main_thread)
        timer.daemon = True
        timer.start()
        return timer

    def pause(self, seconds: float) -> None:
        """Sleep, and wake up when asked to leave at once."""
        try:
            with self.interruptible():  # whatever comes from here on ends the pause; what came before is seen
                if not self.now:
                    time.sleep(seconds)
        except LeaveNow:
            return

    def __enter__(self) -> "LeaveSignals":
        if threading.current_thread() is threading.main_thread():
            for number in EXIT_STATUS:
                self._previous[number] = signal.signal(number, self._on_signal)
        return self

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        first, self.received = self.received is None, self.received or signal.Signals(number)
        if first and not self._at_once:
            return
        if self._interruptible:
            self.now = True
            raise LeaveNow
        if self.now:
            signal.signal(number, signal.SIG_DFL)
            signal.raise_signal(number)
        self.now = True

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number, handler in self._previous.items():
            signal.signal(number, handler)


def _interrupt_main_thread() -> None:
    """As Ctrl+C does it: a system call that the main thread waits in ends, where the platform can do that."""
    main = threading.main_thread().ident
    if hasattr(signal, "pthread_kill") and main is not None:
        signal.pthread_kill(main, signal.SIGINT)
    else:
        _thread.interrupt_main()
