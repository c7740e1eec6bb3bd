"""Let TensorFlow start in this process without a word about itself."""

import atexit
import functools
import os
import sys

from graphdoctor.log_filter.filtering import LogNoiseFilter
from graphdoctor.log_filter.tensorflow_internals import run_first_operation_within
from graphdoctor.observer.instrumentation.importing import when_imported


@functools.cache  # once is enough
def hide_log_noise() -> None:
    """From here on TensorFlow's import and its first operation write no log noise to standard error.

    All else that is written meanwhile comes out. Where TF_CPP_MIN_LOG_LEVEL=0 is set, someone wants to
    read the log, and nothing is hidden.
    """
    # Information only: a warning or an error of TensorFlow's is no log noise.
    if os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "1") == "0" or "tensorflow" in sys.modules:
        return
    noise = LogNoiseFilter()
    atexit.register(noise.close)
    when_imported("tensorflow", lambda _: run_first_operation_within(noise), within=noise)
