"""Facts about runs, made by hand."""

import itertools
import pathlib
from typing import Any

import msgspec

from graphdoctor.model import FunctionRef
from graphdoctor.recording import Argument, History, Recording, Site, Trace, histories
from graphdoctor.recording.events import CallCount, End, Header

STEP = FunctionRef(name="step", path="train.py", line=3)


def header(**changes: Any) -> Header:
    """The first line of a recording."""
    given: dict[str, Any] = {
        "format": "graphdoctor-recording",
        "version": 1,
        "graphdoctor": "0.1.0",
        "tensorflow": "2.21.0",
        "python": "3.11.7",
        "program": ("train.py",),
        "directory": "/nowhere",
        "process": 1,
        "time": 0.0,
    }
    return Header(**{**given, **changes})


def tensor(path: str, *shape: int | None, dtype: str = "float32") -> Argument:
    """A tensor argument."""
    return Argument(path=path, kind="tensor", type="TensorSpec", dtype=dtype, shape=shape)


def value(path: str, given: Any) -> Argument:
    """A Python value, compared by ==."""
    return Argument(path=path, kind="value", type=type(given).__name__, text=repr(given))


def thing(path: str, identity: int, kind: str = "Config") -> Argument:
    """A Python object, compared by identity."""
    return Argument(path=path, kind="object", type=kind, identity=identity)


_numbers = itertools.count(1)


def make_trace(*arguments: Argument, **changes: Any) -> Trace:
    """One trace of `step` that took half a second."""
    given: dict[str, Any] = {
        "number": next(_numbers),
        "function": STEP,
        "object": 1,
        "library": False,
        "seconds": 0.5,
        "own_seconds": 0.5,
        "passes": "VARIABLE_CREATION",
        "site": Site("train.py", 9, "<module>"),
        "operations": 7,
        "fingerprint": "same",
    }
    return Trace(arguments=arguments, **{**given, **changes})


def make_recording(*traces: Trace, calls: int | None = None, **end: Any) -> Recording:
    """A recording that came to its end."""
    counts = (CallCount("train.py", 3, calls),) if calls is not None else ()
    return Recording(
        path="recording.jsonl",
        header=header(),
        traces=traces,
        problems=(),
        end=End(seconds=10.0, calls=counts, **end),
    )


def write_recording(path: pathlib.Path, recording: Recording) -> None:
    """The recording as a file."""
    events = [recording.header, *recording.traces, *([recording.end] if recording.end else [])]
    path.write_bytes(b"".join(msgspec.json.encode(event) + b"\n" for event in events))


def make_history(*traces: Trace, calls: int | None = None, **end: Any) -> History:
    """The history of `step`."""
    (history,) = histories([make_recording(*traces, calls=calls, **end)])
    return history
