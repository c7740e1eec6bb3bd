"""What a program does beside computing that running it twice makes worth knowing."""

import contextlib
import os
import sys
import tempfile
from collections.abc import Callable, Sequence
from typing import Any

from graphdoctor.observer.tensorflow_internals import executing_eagerly

WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
MOST_FILES = 10
IGNORED = ("/dev/", "/proc/", "/sys/")
OF_LIBRARIES = (".keras", ".cache", ".config")  # below the home directory


def listen_to_doings(write: Callable[..., None], owned: Sequence[str]) -> None:
    """Tell of files opened for writing outside of the directories that the program owns, and of questions."""
    home = os.path.expanduser("~")
    ignored = [*owned, tempfile.gettempdir(), *(os.path.join(home, name) for name in OF_LIBRARIES)]
    places = tuple(os.path.realpath(path) + os.sep for path in ignored)
    reported: set[str] = set()

    def hear(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open" and len(reported) < MOST_FILES and isinstance(arguments[0], str):
            path, _, flags = arguments
            if isinstance(flags, int) and flags & WRITING and path not in reported:
                real = os.path.realpath(path)
                if not (real + os.sep).startswith(places + IGNORED) and "__pycache__" not in real:
                    reported.add(path)
                    write(kind="written", path=real)
        elif event == "builtins.input":
            write(kind="asked", prompt=str(arguments[0]) if arguments else "")

    def guarded(event: str, arguments: tuple[Any, ...]) -> None:
        with contextlib.suppress(Exception):
            hear(event, arguments)

    sys.addaudithook(guarded)


def listen_to_prints(write: Callable[..., None], printed: Callable[[int], None]) -> None:
    """Tell what is printed while a function is traced, and how many lines are printed at all."""
    stream = sys.stdout
    plain = stream.write

    def hearing_write(text: str) -> int:
        with contextlib.suppress(Exception):
            printed(text.count("\n"))
            if "tensorflow" in sys.modules and not executing_eagerly():
                write(kind="printed", text=text)
        return plain(text)

    with contextlib.suppress(AttributeError):
        stream.write = hearing_write  # type: ignore[method-assign]
