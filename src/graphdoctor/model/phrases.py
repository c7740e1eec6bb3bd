"""What changed between two traces, in words."""

from graphdoctor.model.difference import Change

PHRASES = {
    Change.STRUCTURE: "has another structure",
    Change.PYTHON_VALUE: "is a Python value",
    Change.OBJECT_IDENTITY: "is another object",
    Change.DTYPE: "has another dtype",
    Change.RANK: "has another rank",
    Change.SHAPE: "has another shape",
}


def phrase(argument: str | None, change: Change, axis: int | None = None) -> str:
    """`step` is a Python value; `frames` has another shape on axis 1."""
    if change is Change.NEW_FUNCTION_OBJECT:
        return "another Function object of the same definition was called"
    if change is Change.CONTEXT:
        return "its context changed"
    on_axis = "" if axis is None else f" on axis {axis}"
    return f"`{argument}` {PHRASES[change]}{on_axis}"
