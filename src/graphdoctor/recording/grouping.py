"""Traces → the functions they belong to, as a user would name them."""

import enum
from collections import defaultdict
from collections.abc import Iterable

import msgspec

from graphdoctor.model import FunctionRef
from graphdoctor.recording.format import Trace
from graphdoctor.recording.places import function_of

PIPELINE = "input pipeline"


class Origin(enum.Enum):
    """Whose function it is."""

    FUNCTION = "function"  # what the program made a graph function by tf.function, and calls itself
    DATASET = "dataset"  # the program's own, given to a dataset's `map` and the like
    KERAS = "keras"  # the step that Keras makes for `fit`, `predict` and the like
    LIBRARY = "library"  # anything else inside a library: its own pipelines and helpers


class Group(msgspec.Struct, frozen=True):
    """One function; a library's functions are distinguished by the user's line that led to them."""

    function: FunctionRef
    origin: Origin
    site: tuple[str, int, str | None] | None = None


def group_traces(traces: Iterable[Trace]) -> dict[Group, list[Trace]]:
    """The traces of each function, in the order in which they began."""
    groups: dict[Group, list[Trace]] = defaultdict(list)
    for trace in sorted(traces, key=lambda trace: trace.number):
        group = _group(trace)
        if group is not None:
            groups[group].append(trace)
    return groups


def is_counted(trace: Trace) -> bool:
    """Whether a trace is one of a function that a report names; TensorFlow's own set-up of variables is not.

    Headline, table and JSON count these, so that their numbers agree.
    """
    return _group(trace) is not None


def _group(trace: Trace) -> Group | None:
    frame = trace.frame
    site = (frame.place.path, frame.place.line, frame.entered or None) if frame else None
    dataset = trace.origin == "dataset"
    if not trace.library:
        if dataset:
            return Group(function_of(trace.function), Origin.DATASET, site)
        origin = Origin.KERAS if trace.origin == "keras" else Origin.FUNCTION
        return Group(function_of(trace.function), origin)
    if trace.object == 0 or frame is None:  # TensorFlow's own set-up of variables
        return None

    def at_frame(name: str) -> FunctionRef:
        return FunctionRef(name=name, path=frame.place.path, line=frame.place.line)

    if trace.direct and not dataset:
        return Group(at_frame(trace.function.name), Origin.FUNCTION, site)
    origin = Origin.KERAS if trace.origin == "keras" else Origin.LIBRARY
    inner = PIPELINE if dataset else trace.function.name.rpartition(".")[2]
    return Group(at_frame(f"{frame.entered}:{inner}" if frame.entered else inner), origin, site)
