"""A retrace in one line, for people who watch it happen."""

from graphdoctor.model import Change, Difference
from graphdoctor.model.phrases import phrase
from graphdoctor.recording.history import Retrace


def reason(retrace: Retrace) -> str:
    """`step` is a Python value: now 4, before 3."""
    if not retrace.differences:
        return "nothing in its arguments differs from an earlier trace"
    return "; ".join(map(_phrase, retrace.differences))


def _phrase(difference: Difference) -> str:
    words = phrase(difference.argument, difference.change, difference.axis)
    compared = f"now {difference.now}, before {difference.before}"
    if difference.change is Change.NEW_FUNCTION_OBJECT:
        return words
    return f"{words}{',' if difference.change is Change.CONTEXT else ':'} {compared}"
