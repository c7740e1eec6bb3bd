"""Facts about runs, made by hand."""

import itertools
import json
import pathlib
from typing import Any

from graphdoctor.model import Finding
from graphdoctor.recording import Argument, History, Recording, Trace, histories
from graphdoctor.recording.format import (
    AnyEvent,
    Calls,
    Definition,
    End,
    Frame,
    Header,
    Place,
    encode_event,
)
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.registry import find_rule

STEP = Definition(name="step", path="train.py", line=3)


def header(**changes: Any) -> Header:
    """The first line of a recording."""
    given: dict[str, Any] = {
        "graphdoctor": "0.1.0",
        "tensorflow": "2.21.0",
        "python": "3.11.7",
        "program": ("train.py",),
        "directory": "/nowhere",
        "process": 1,
        "time": 0.0,
    }
    return Header(**{**given, **changes})


def at(path: str, line: int, function: str = "<module>", entered: str = "") -> tuple[Frame, ...]:
    """The chain of which only the innermost frame is known."""
    return (Frame(function=function, place=Place(path=path, line=line), entered=entered),)


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
        "seconds": 0.5,
        "own_seconds": 0.5,
        "passes": "VARIABLE_CREATION",
        "chain": at("train.py", 9),
        "operations": 7,
        "fingerprint": "same",
    }
    return Trace(arguments=arguments, **{**given, **changes})


def make_recording(*events: AnyEvent, calls: int | None = None, **end: Any) -> Recording:
    """A recording that came to its end."""
    counts = (Calls(function=STEP, calls=calls),) if calls is not None else ()
    last = End(**{"seconds": 10.0, **end})
    return Recording(path="recording.jsonl", header=header(), events=(*events, *counts, last))


def write_recording(path: pathlib.Path, recording: Recording) -> None:
    """The recording as a file."""
    path.write_text(lines(recording.header, *recording.events))


def lines(*events: AnyEvent) -> str:
    """Events as a file holds them."""
    return "".join(json.dumps(encode_event(event)) + "\n" for event in events)


def make_history(*traces: Trace, calls: int | None = None, **end: Any) -> History:
    """The history of `step`."""
    (history,) = histories([make_recording(*traces, calls=calls, **end)])
    return history


def judged(rule: str, *traces: Trace, calls: int | None = None, **end: Any) -> list[Finding]:
    """What one rule says of some traces of `step`."""
    found = find_rule(rule)
    assert found is not None
    return list(found.judge(Facts([make_recording(*traces, calls=calls, **end)])))
