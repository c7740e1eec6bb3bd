"""A process of its own that hands on what another writes to standard error, without TensorFlow's log noise.

Of its own, because what TensorFlow says before it ends the process (on a processor that it was not built
for, say) must still come out, and because TensorFlow may write while no thread of Python's can run.
"""

import os
import pathlib
import select
import subprocess
import sys

from graphdoctor.log_filter.lines import without_log_noise

_PACKAGES = str(pathlib.Path(__file__).resolve().parents[2])
_PROGRAM = (
    "import sys; sys.path.insert(0, sys.argv[1]); "
    "from graphdoctor.log_filter.forwarding import forward; forward(sys.argv[2].encode())"
)


def start_forwarding(mark: str) -> "subprocess.Popen[bytes]":
    """The process: it hands on what comes to its standard input, and answers a byte to each mark in it."""
    return subprocess.Popen(
        [sys.executable or "", "-I", "-S", "-c", _PROGRAM, _PACKAGES, mark],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        bufsize=0,
        start_new_session=True,  # a Ctrl-C is not meant for it
    )


def forward(mark: bytes) -> None:
    """Hand on to standard error, line by line; what stands before a mark is written before its answer."""
    held = b""
    while data := os.read(0, 65536):
        *finished, held = (held + data).split(mark)
        for text in finished:
            _write(text)
            os.write(1, b".")
        lines, newline, held = held.rpartition(b"\n")
        _write(lines + newline)
    _write(held)


def _write(text: bytes) -> None:
    left = without_log_noise(text.decode("latin-1")).encode("latin-1")  # every byte as it was
    while left:
        select.select([], [2], [])  # a terminal may have been reported not to block
        left = left[os.write(2, left) :]
