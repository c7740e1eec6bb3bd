"""The seconds that a program spends on purpose, measured by itself and left for the benchmark."""

import atexit
import contextlib
import os
import time

spent = 0.0


@contextlib.contextmanager
def cost():
    """What happens inside is the cost to be found."""
    global spent
    begun = time.perf_counter()
    try:
        yield
    finally:
        spent += time.perf_counter() - begun


@atexit.register
def _leave():
    if "INJECTED" in os.environ:
        with open(os.environ["INJECTED"], "w") as file:
            file.write(str(spent))
