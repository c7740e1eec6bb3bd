"""A retrace in one line, for people who watch it happen."""

from graphdoctor.model import Change, Difference
from graphdoctor.recording.history import Retrace

PHRASES = {
    Change.STRUCTURE: "has another structure",
    Change.PYTHON_VALUE: "is a Python value",
    Change.OBJECT_IDENTITY: "is another object",
    Change.DTYPE: "has another dtype",
    Change.RANK: "has another rank",
    Change.SHAPE: "has another shape",
}


def reason(retrace: Retrace) -> str:
    """`step` is a Python value: now 4, before 3."""
    if not retrace.differences:
        return "nothing in its arguments differs from an earlier trace"
    return "; ".join(map(_phrase, retrace.differences))


def _phrase(difference: Difference) -> str:
    if difference.change is Change.NEW_FUNCTION_OBJECT:
        return "another Function object of the same definition was called"
    compared = f"now {difference.now}, before {difference.before}"
    if difference.change is Change.CONTEXT:
        return f"its context changed, {compared}"
    axis = "" if difference.axis is None else f" on axis {difference.axis}"
    return f"`{difference.argument}` {PHRASES[difference.change]}{axis}: {compared}"
