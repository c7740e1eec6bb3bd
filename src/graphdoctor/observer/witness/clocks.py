"""Clocks that run faster: what a program prints otherwise then, it has read from a clock."""

import contextlib
import os
import sys
import sysconfig
import time
from collections.abc import Callable
from typing import Any

FACTOR = 100  # so that a time that is printed in whole seconds changes, too
CLOCKS = ("time", "monotonic", "perf_counter", "process_time", "thread_time")
STANDARD = sysconfig.get_path("stdlib") + os.sep
INSTALLED = sysconfig.get_path("purelib") + os.sep  # below the former


def hasten_clocks() -> None:
    """Let the clocks of `time` run faster from now on, but for the standard library, which waits by them."""
    for name in CLOCKS:
        for clock in (name, f"{name}_ns"):
            with contextlib.suppress(Exception):
                setattr(time, clock, _hastened(getattr(time, clock)))


def _hastened(clock: Callable[[], Any]) -> Callable[[], Any]:
    begun = clock()

    def hastened() -> Any:
        now = clock()
        file = sys._getframe(1).f_code.co_filename
        waits = file.startswith(STANDARD) and not file.startswith(INSTALLED)
        return now if waits else begun + (now - begun) * FACTOR

    return hastened
