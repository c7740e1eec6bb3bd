"""The lines that TensorFlow writes about itself when it starts.

TF_CPP_MIN_LOG_LEVEL cannot turn them all off: some are written before TensorFlow reads it, and whether
they come depends on the processor. A program's own lines in the same form (`absl.logging` of Python
writes them with a date and a `.py` file) are no log noise, and neither are TensorFlow's other messages.
"""

import re

# The files of TensorFlow, XLA and TSL that speak at the start of a process, and never of the user's program.
_SOURCES = (
    "computation_placer.cc",  # "computation placer already registered"
    "cpu_feature_guard.cc",  # "This TensorFlow binary is optimized to use available CPU instructions"
    "cuda_blas.cc",  # "Unable to register cuBLAS factory"; likewise the next two
    "cuda_dnn.cc",
    "cuda_fft.cc",
    "cudart_stub.cc",  # "Could not find cuda drivers on your machine"
    "device_compiler.h",  # "Compiled cluster using XLA!"
    "profiler_session.cc",  # "Profiler session started": the account of time opens short ones
    "port.cc",  # "oneDNN custom operations are on"
    "service.cc",  # "XLA service 0x… initialized for platform Host"
)
# With absl's stamp as it is before absl knows the time zone, or with TensorFlow's own as of 2.16.
_STAMP = r"(?:[IWE]0000 00:00:\d+\.\d+ +\d+ |\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+: [IWE] )"
_SOURCE = rf"(?:[\w.-]+/)*(?:{'|'.join(map(re.escape, _SOURCES))}):\d+\] "
_WHOLE = (
    r"WARNING: All log messages before absl::InitializeLog\(\) is called are written to STDERR",
    # The rest of the message of cpu_feature_guard.cc, which has no stamp of its own.
    r"To enable the following instructions: .* rebuild TensorFlow with the appropriate compiler flags\.",
)
_LOG_NOISE = re.compile(rf"^(?:{_STAMP}{_SOURCE}.*|{'|'.join(_WHOLE)})(?:\n|\Z)", re.MULTILINE)
_LOG = re.compile(rf"^{_STAMP}(?:[\w.-]+/)*[\w.-]+\.(?:cc|h):\d+\] .*(?:\n|\Z)", re.MULTILINE)


def without_log_noise(text: str) -> str:
    """A program's output without the lines of TensorFlow's start."""
    return _LOG_NOISE.sub("", text)


def without_log(text: str) -> str:
    """A program's output without any line of TensorFlow's own log, of its start or later.

    TensorFlow 2.16 writes some although TF_CPP_MIN_LOG_LEVEL=3 asks it not to.
    """
    return _LOG.sub("", without_log_noise(text))
