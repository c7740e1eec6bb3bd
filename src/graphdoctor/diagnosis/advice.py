"""What to change, ranked by the seconds that it would have saved in the steps that were run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from graphdoctor.diagnosis.measurements import Phase
from graphdoctor.model import Change, Difference
from graphdoctor.recording import History, Recording, Retrace, histories
from graphdoctor.recording.format import (
    CALLBACKS,
    EAGER_OPERATIONS,
    INPUT,
    OTHER_PYTHON,
    SAVING,
    Compilations,
)

SHOWN = 6
FIXES = {
    Change.SHAPE: "give the step an `input_signature` with `None` {axes}"
    " (`batching.signature(dataset)`): one trace for all lengths; or pad to planned lengths",
    Change.RANK: "give every batch the same rank",
    Change.DTYPE: "give every batch the same dtype",
    Change.STRUCTURE: "give every batch the same structure",
    Change.PYTHON_VALUE: "pass a tensor instead of a Python value",
    Change.OBJECT_IDENTITY: "pass tensors, or the same object every time",
    Change.NEW_FUNCTION_OBJECT: "make the tf.function once, outside the loop",
    Change.CONTEXT: "call the step always under the same device, strategy and graph",
}
REMAINDER = "drop the last incomplete batch (`drop_remainder=True`), or fill it up and mask it"
PAD = "XLA compiles every new shape behind one trace: pad to few planned lengths"


# What to do about a part of the time inside a step that is no graph's.
ABOUT_PARTS = {
    EAGER_OPERATIONS: "decorate the step with `@tf.function`",
    INPUT: "run no Python per element, `cache()` what stays the same, make the stages cheaper",
    CALLBACKS: "log every few hundred steps",
    SAVING: "save less often",
    OTHER_PYTHON: "move it out of the step, or write it with TensorFlow operations",
}
LEAST_ADVISED = 0.1
# A wait that is shorter than this is that of Python itself.
LEAST_WAIT = 0.002


class Advice(msgspec.Struct, frozen=True):
    """What to change, and the seconds that it would have saved."""

    seconds: float
    cause: str
    fix: str = msgspec.field(name="cure")


def advise(recording: Recording) -> tuple[Advice, ...]:
    """One piece of advice per function and kind of change, the costliest first."""
    found = [*_about_traces(histories((recording,))), *_about_compilations(recording)]
    return tuple(sorted(found, key=lambda advice: -advice.seconds))


def advise_on_time(phases: Iterable[Phase]) -> tuple[Advice, ...]:
    """What the later steps lost to waiting for input, and to all that is not the model."""
    return tuple(one for phase in phases for one in (*_about_input(phase), *_about_parts(phase)))


def _about_input(phase: Phase) -> Iterator[Advice]:
    known = phase.input_wait if len(phase.steps) > 1 else None
    if known is not None and known[1] > LEAST_ADVISED and known[0] > LEAST_WAIT:
        waited = known[0] * (len(phase.steps) - 1)
        yield Advice(round(waited, 6), f"{phase.name} waited for its input", ABOUT_PARTS[INPUT])


def _about_parts(phase: Phase) -> Iterator[Advice]:
    total = sum(part.seconds for part in phase.parts.values())
    for name, part in phase.parts.items():
        if name in ABOUT_PARTS and name != INPUT and part.seconds > max(LEAST_ADVISED * total, 0.05):
            where = f" at {part.path}:{part.line}" if part.path else ""
            yield Advice(round(part.seconds, 6), f"{phase.name} spent it on {name}{where}", ABOUT_PARTS[name])


def _about_traces(found: Iterable[History]) -> Iterator[Advice]:
    for history in found:
        for change, fix in FIXES.items():
            retraces = [one for one in history.alarming if _kind(one) is change]
            if retraces:
                seconds = sum(one.trace.own_seconds for one in retraces)
                fix = _shape_fix(retraces) if change is Change.SHAPE else fix
                yield Advice(round(seconds, 6), _cause(history, change, retraces), fix)


def _shape_fix(retraces: list[Retrace]) -> str:
    """What to do about shapes: where only the number of rows changes, another thing than for lengths."""
    differences = [one for retrace in retraces for one in retrace.differences if one.change is Change.SHAPE]
    axes = sorted({one.axis for one in differences if one.axis is not None})
    if axes == [0]:
        return REMAINDER
    axis_names = " and ".join(map(str, axes))
    named = f"on {'axis' if len(axes) == 1 else 'axes'} {axis_names}" if axes else "where they vary"
    return FIXES[Change.SHAPE].format(axes=named)


def _kind(retrace: Retrace) -> Change | None:
    """The coarsest kind of change: with another structure, other shapes are a consequence."""
    kinds = [difference.change for difference in retrace.differences]
    return min(kinds, key=list(Change).index, default=None)


def _cause(history: History, change: Change, retraces: list[Retrace]) -> str:
    place = f"{history.function.name} ({history.function.path}:{history.function.line})"
    often = "once more" if len(retraces) == 1 else f"{len(retraces)} more times"
    values: dict[str, dict[str, None]] = {}
    for retrace in retraces:
        for difference in retrace.differences:
            if difference.change is change:
                values.setdefault(_named(difference), {}).update(
                    {difference.before: None, difference.now: None}
                )
    changes = "; ".join(f"{name}: {_few(list(seen))}" for name, seen in values.items())
    return f"{place} was traced {often}: {changes}"


def _few(values: list[str]) -> str:
    return ", ".join(values[:SHOWN]) + (", …" if len(values) > SHOWN else "")


def _named(difference: Difference) -> str:
    axis = "" if difference.axis is None else f" axis {difference.axis}"
    return f"`{difference.argument}`{axis}" if difference.argument else difference.change.value.lower()


def _about_compilations(recording: Recording) -> Iterator[Advice]:
    names = {trace.number: trace.function for trace in recording.traces}
    for one in recording.compilations:
        if len(one.shapes) > 1 and one.trace in names:
            function = names[one.trace]
            place = f"{function.name} ({function.path}:{function.line})"
            shapes = _few([shape.shapes for shape in one.shapes])
            cause = f"{place} was compiled {len(one.shapes)} times: {shapes}"
            yield Advice(round(compiling_seconds(one), 6), cause, PAD)


def compiling_seconds(compilations: Compilations) -> float:
    """What the compilations after the first took, as far as calls without one tell."""
    warm = [shape.best_seconds for shape in compilations.shapes if shape.calls > 1]
    if not warm:
        return 0.0
    usual = sum(warm) / len(warm)
    later = compilations.shapes[1:]
    return sum(max(one.first_seconds - (one.best_seconds if one.calls > 1 else usual), 0.0) for one in later)
