"""Ctrl+C at a table: what the first, second and third signal do, really sent to this process."""

import signal
import subprocess
import sys
import time
from contextlib import AbstractContextManager

import pytest

from holdem.table.session.leave_signals import LeaveNow, LeaveSignals


def press() -> None:
    signal.raise_signal(signal.SIGINT)


def test_the_first_asks_and_the_second_interrupts_only_what_may_be_interrupted() -> None:
    with LeaveSignals() as leave:
        with leave.interruptible():
            press()
        assert leave.after_hand
        assert not leave.now
        press()
        assert leave.now
        with pytest.raises(LeaveNow), leave.interruptible():
            press()
    assert leave.exit_status == 130


def test_a_second_one_wakes_a_thinker() -> None:
    with LeaveSignals() as leave:
        press()
        with pytest.raises(LeaveNow), leave.interruptible():
            press()
        assert leave.now


def test_what_must_not_be_interrupted_inside_what_may_is_not() -> None:
    with LeaveSignals() as leave:
        press()
        with leave.interruptible():
            with leave.interruptible(really=False):
                press()
            assert leave.now


def test_at_once_means_the_first() -> None:
    with LeaveSignals(at_once=True) as leave, pytest.raises(LeaveNow), leave.interruptible():
        press()
    assert leave.after_hand
    assert leave.now


def test_a_pause_ends_early() -> None:
    with LeaveSignals() as leave:
        press()
        timer = leave.soon(0.05)
        start = time.monotonic()
        leave.pause(30.0)
        assert time.monotonic() - start < 20.0
        timer.cancel()
        leave.pause(30.0)  # it does not pause at all any more
        assert time.monotonic() - start < 20.0


def test_a_signal_that_comes_as_a_pause_begins_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    with LeaveSignals() as leave:
        press()
        interruptible = leave.interruptible

        def begin() -> AbstractContextManager[None]:
            press()  # the last moment at which it interrupts nothing
            return interruptible()

        monkeypatch.setattr(leave, "interruptible", begin)
        start = time.monotonic()
        leave.pause(30.0)
        assert time.monotonic() - start < 20.0


def test_handlers_are_given_back() -> None:
    before = signal.getsignal(signal.SIGINT)
    with LeaveSignals():
        assert signal.getsignal(signal.SIGINT) != before
    assert signal.getsignal(signal.SIGINT) == before


def test_a_third_ends_a_process_that_does_not_listen() -> None:
    code = (
        "import signal\nfrom holdem.table.session.leave_signals import LeaveSignals\n"
        "with LeaveSignals():\n    for _ in range(3):\n        signal.raise_signal(signal.SIGINT)\n    print('alive')\n"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert result.returncode == -signal.SIGINT
    assert "alive" not in result.stdout
