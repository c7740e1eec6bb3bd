"""Traces → the functions they belong to, as a user would name them."""

import enum
from collections import defaultdict
from collections.abc import Iterable

import msgspec

from graphdoctor.model import FunctionRef
from graphdoctor.recording.events import Trace


class Origin(enum.Enum):
    """Whose function it is."""

    FUNCTION = "function"  # what the program made a graph function by tf.function, and calls itself
    DATASET = "dataset"  # the program's own, given to a dataset's `map` and the like
    KERAS = "keras"  # the step that Keras makes for `fit`, `predict` and the like
    LIBRARY = "library"  # anything else inside a library: its own pipelines and helpers


class Group(msgspec.Struct, frozen=True):
    """One function; a library's functions are told apart by the user's line that led to them."""

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


def _group(trace: Trace) -> Group | None:
    site = (trace.site.path, trace.site.line, trace.site.entered) if trace.site else None
    if not trace.library:
        if trace.dataset:
            return Group(trace.function, Origin.DATASET, site)
        return Group(trace.function, Origin.FUNCTION)
    if trace.object == 0 or trace.site is None:  # TensorFlow's own set-up of variables
        return None
    if trace.direct and not trace.dataset:
        ref = FunctionRef(name=trace.function.name, path=trace.site.path, line=trace.site.line)
        return Group(ref, Origin.FUNCTION, site)
    origin = Origin.KERAS if trace.keras and not trace.dataset else Origin.LIBRARY
    inner = "input pipeline" if trace.dataset else trace.function.name.rpartition(".")[2]
    name = f"{trace.site.entered}:{inner}" if trace.site.entered else inner
    return Group(FunctionRef(name=name, path=trace.site.path, line=trace.site.line), origin, site)
