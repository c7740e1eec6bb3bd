"""Traces of a dry run → those that a program goes on repeating, and what makes it do so.

A dry run does not count: it knows what differs at each iteration of a loop, and a few iterations by their
values.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from graphdoctor.model import Change, Difference
from graphdoctor.recording.differences import compare
from graphdoctor.recording.format import MUST, PROGRAM, Argument, Loop, Place, Trace, Variation
from graphdoctor.recording.history import Retrace

# So many values, shapes or objects are a choice: a graph for each of them is wanted.
FEW = {
    Change.PYTHON_VALUE: 4,
    Change.OBJECT_IDENTITY: 4,
    Change.SHAPE: 4,
    Change.RANK: 2,
    Change.STRUCTURE: 3,
    Change.DTYPE: 1,
    Change.NEW_FUNCTION_OBJECT: 2,
}
CHANGES = {
    "value": Change.PYTHON_VALUE,
    "identity": Change.OBJECT_IDENTITY,
    "shape": Change.SHAPE,
    "length": Change.STRUCTURE,
    "dtype": Change.DTYPE,
}
NUMBERS = ("int", "float", "complex")
RELAXING = ("reduce_retracing", "experimental_relax_shapes")


class Aspect(NamedTuple):
    """Something of an argument that is part of the key of a trace."""

    argument: str
    change: Change
    axis: int | None = None


def predicted_retraces(traces: Iterable[Trace]) -> tuple[Retrace, ...]:
    """The traces that will come again and again, in order, each with all that is to blame."""
    reported = sorted(traces, key=lambda trace: trace.number)
    found: dict[int, dict[Aspect | None, Difference]] = defaultdict(dict)
    for trace in reported:
        for difference in _at_each_iteration(trace):
            found[trace.number].setdefault(_aspect(difference), difference)
    for same_call in _by_call(reported):
        for trace, difference in _among_values(same_call):
            found[trace.number].setdefault(_aspect(difference), difference)
    needless = set()
    for trace, difference in _for_nothing(reported):
        needless.add(trace.number)
        found[trace.number].setdefault(_aspect(difference), difference)
    return tuple(
        Retrace(trace, trace, tuple(found[trace.number].values()), None, trace.number in needless or None)
        for trace in reported
        if trace.number in found
    )


def _aspect(difference: Difference) -> Aspect | None:
    if difference.argument is None:
        return None
    return Aspect(difference.argument, difference.change, difference.axis)


def _at_each_iteration(trace: Trace) -> Iterator[Difference]:
    """What differs at each iteration of a loop around the call."""
    if trace.anew is not None and _is_long(trace.anew.turns, Change.NEW_FUNCTION_OBJECT):
        yield Difference(argument=None, change=Change.NEW_FUNCTION_OBJECT, before="", now="")
    for argument, variation, change in changing(trace):
        if _is_many(variation, change):
            yield Difference(argument=argument.path, change=change, before="", now="", axis=variation.axis)


def changing(trace: Trace) -> Iterator[tuple[Argument, Variation, Change]]:
    """What differs at each iteration of a loop, and makes TensorFlow trace this function again."""
    for argument in trace.arguments:
        for variation in argument.varies:
            change = CHANGES[variation.what]
            no_tensor = change is not Change.PYTHON_VALUE or argument.kind != "tensor"
            if no_tensor and _matters(trace, change):
                yield argument, variation, change


def _is_many(variation: Variation, change: Change) -> bool:
    return not variation.few and _is_long(variation.turns, change)


def _is_long(iterations: int | None, change: Change) -> bool:
    return iterations is None or iterations > FEW[change]


def _matters(trace: Trace, change: Change) -> bool:
    """Whether a change like this makes TensorFlow trace this function again."""
    if "input_signature" in trace.options:
        return False
    if change is Change.DTYPE and trace.trace:
        return False  # what a graph hands on inside itself has the dtypes that it needs
    relaxed = any(trace.options.get(name) == "True" for name in RELAXING)
    return not (relaxed and change in (Change.SHAPE, Change.RANK))


def _by_call(traces: list[Trace]) -> Iterator[list[Trace]]:
    """The traces of one Function object that one and the same call led to, two or more."""
    groups: dict[object, list[Trace]] = defaultdict(list)
    for trace in traces:
        way: tuple[Place, ...] = tuple(frame.place for frame in trace.chain)
        groups[trace.object, trace.trace, way].append(trace)
    return (group for group in groups.values() if len(group) > 1)


def _among_values(traces: list[Trace]) -> Iterator[tuple[Trace, Difference]]:
    """What had more than a few different values, traced one by one."""
    seen: dict[Aspect, dict[str, Trace]] = defaultdict(dict)
    for trace in traces:
        for argument in trace.arguments:
            for aspect, text in _aspects(argument):
                seen[aspect].setdefault(text, trace)
    for aspect, values in seen.items():
        several = len(values) > 1 and _matters(traces[0], aspect.change)
        few = FEW[aspect.change] - _is_open(traces[-1])
        if several and (len(values) > few or (len(values) == few and _shapes(aspect, traces) > few)):
            yield from _reported(aspect, values)


def _shapes(aspect: Aspect, traces: list[Trace]) -> int:
    """How many shapes an argument had: two may be of one size along an axis and differ along another."""
    given = (a for trace in traces for a in trace.arguments if a.path == aspect.argument)
    return len({a.shape for a in given if a.shape is not None}) if aspect.change is Change.SHAPE else 0


def _for_nothing(traces: list[Trace]) -> Iterator[tuple[Trace, Difference]]:
    """Numbers of calls that the program makes one after the other, where the graph is the same for each."""
    before: dict[int, list[Trace]] = defaultdict(list)
    for trace in filter(_is_single_call, traces):
        for earlier in before[trace.object]:
            differences = compare(trace, earlier)
            numbers = {a.path for a in trace.arguments if a.kind == "value" and a.type in NUMBERS and a.text}
            other_call = [f.place for f in trace.chain] != [f.place for f in earlier.chain]
            if (
                other_call
                and trace.fingerprint == earlier.fingerprint
                and all(d.change is Change.PYTHON_VALUE and d.argument in numbers for d in differences)
            ):
                yield from ((trace, difference) for difference in differences)
                break
        before[trace.object].append(trace)


def _is_single_call(trace: Trace) -> bool:
    """Whether `python file.py` certainly comes to this call, and in no loop: its graph is known."""
    program = bool(trace.chain) and trace.chain[0].function == PROGRAM
    single = program and trace.reached == MUST and not any(frame.loops for frame in trace.chain)
    return single and not trace.trace and trace.origin == "function" and trace.fingerprint is not None


def _is_open(trace: Trace) -> bool:
    """Whether the innermost loop around a call has no end that we know."""
    loops: list[Loop] = [loop for frame in trace.chain for loop in frame.loops]
    return bool(loops) and loops[-1].turns is None


def _reported(aspect: Aspect, values: dict[str, Trace]) -> Iterator[tuple[Trace, Difference]]:
    before = ""
    for text, trace in values.items():
        if before:
            yield (
                trace,
                Difference(
                    argument=aspect.argument, change=aspect.change, before=before, now=text, axis=aspect.axis
                ),
            )
        before = text


def _aspects(argument: Argument) -> Iterator[tuple[Aspect, str]]:
    """What is known of an argument for certain, by the kind of change it would be."""
    path = argument.path
    if argument.kind == "value" and argument.type in NUMBERS and argument.text:
        yield Aspect(path, Change.PYTHON_VALUE), argument.text
    elif argument.kind in ("tensor", "array"):
        if argument.dtype:
            yield Aspect(path, Change.DTYPE), argument.dtype
        if argument.shape is not None:
            yield Aspect(path, Change.RANK), str(len(argument.shape))
            for axis, size in enumerate(argument.shape):
                if size is not None:
                    yield Aspect(path, Change.SHAPE, axis), str(size)
    elif argument.kind in ("list", "tuple", "dict") and argument.length:
        yield (
            Aspect(path, Change.STRUCTURE),
            ", ".join(argument.keys) or f"{argument.kind} of {argument.length}",
        )
