"""Exceptions → what they say, and at which of the user's lines they arose."""

import re
import sys
import traceback
from collections.abc import Iterator
from typing import Any

from graphdoctor.observer.callsite import chain_at, is_library
from graphdoctor.observer.probe import Event, Probe
from graphdoctor.recording.format import Definition, Failure

FRAME = re.compile(r'File "([^"]+)", line (\d+), in (\S*)')
LONGEST_MESSAGE = 600


class ErrorProbe(Probe):
    """Adds to a failed trace what went wrong; tells of the exception that ended the program."""

    def ended(self, event: Event, graph: Any, error: BaseException | None) -> None:
        if error is not None:
            own = None if event["library"] else event["function"]
            event["failure"] = describe_error(error, trace=event["number"], function=own)

    def closing(self) -> Iterator[Failure]:
        error = getattr(sys, "last_value", None)
        if isinstance(error, Exception):
            yield describe_error(error)


def describe_error(error: BaseException, *, trace: int = 0, function: Definition | None = None) -> Failure:
    """The type, the essential words, and the innermost line of the user's own code."""
    text = str(error)
    place = _place_in_text(text) or _place_in_traceback(error)
    return Failure(
        type=type(error).__name__,
        text=_essence(text, type(error).__name__)[:LONGEST_MESSAGE],
        trace=trace,
        function=function,
        chain=chain_at(*place) if place else (),
        through=_libraries(text),
    )


def _essence(text: str, name: str) -> str:
    """What AutoGraph wraps in a report of its own: what follows the last `ValueError: ` of a line."""
    begins = list(re.finditer(rf"^\s*{re.escape(name)}: ", text, re.MULTILINE))
    if "in user code:" in text and begins:
        text = text[begins[-1].end() :]
    head, definition, rest = text.strip().partition(" was defined here:")
    # TensorFlow puts a whole stack between what happened and why.
    return f"{head} … {rest.strip().splitlines()[-1].strip()}" if definition and rest.strip() else head


def _libraries(text: str) -> str:
    """The library files that AutoGraph lists, such as an optimizer's or a layer's, shortened."""
    files = [path for path, *_ in FRAME.findall(text) if is_library(path)]
    return " ".join(dict.fromkeys("/".join(path.split("/")[-2:]) for path in files[-12:]))


def _place_in_text(text: str) -> tuple[str, int, str] | None:
    """AutoGraph lists the user's frames in the message; TensorFlow may append where a tensor was made."""
    if "in user code:" not in text:
        return None
    frames = FRAME.findall(text.partition(" was defined here:")[0])
    own = (frame for frame in reversed(frames) if not is_library(frame[0]))
    return next(((path, int(line), function) for path, line, function in own), None)


def _place_in_traceback(error: BaseException) -> tuple[str, int, str] | None:
    frames = traceback.extract_tb(error.__traceback__)
    own = (frame for frame in reversed(frames) if not is_library(frame.filename))
    return next(((frame.filename, frame.lineno or 0, frame.name) for frame in own), None)
