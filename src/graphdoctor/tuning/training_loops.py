"""The loop and the function of a training step, and marks in the loop of a copy."""

from collections.abc import Sequence
from typing import NamedTuple

from graphdoctor.model import Edit
from graphdoctor.refactoring.syntax.loops import Loop, function_at, loop_at
from graphdoctor.source.functions import Function
from graphdoctor.source.module import Module

# A frame of the program: its module, the line in it, and the name of the function.
FrameAt = tuple[Module, int, str]


class Training(NamedTuple):
    """A loop in its module, and the function of a step; None where the step is written in the loop."""

    module: Module
    loop: Loop
    step: Function | None


def training_of(stack: Sequence[FrameAt]) -> Training | None:
    """The innermost loop on the way to a step, outermost frame first."""
    for index in reversed(range(len(stack))):
        module, line, name = stack[index]
        loop = loop_at(module, line, name)
        if loop is not None:
            following = stack[index + 1 : index + 2]
            return Training(module, loop, function_at(*following[0]) if following else None)
    return None


def marked(training: Training, mark: str, before: str) -> tuple[Edit, ...] | None:
    """A call of `mark` as the first statement of each iteration, and of `before` right before the loop."""
    module, loop = training.module, training.loop
    first = loop.body[0]
    if first.lineno == loop.lineno:  # `for …: statement`
        return (module.insert_before(first, f"{mark}(); "),)
    inside, outside = (" " * node.col_offset for node in (first, loop))
    if "\t" in module.lines[first.lineno - 1][: first.col_offset]:
        inside, outside = (module.lines[node.lineno - 1][: node.col_offset] for node in (first, loop))
    return (
        module.insert(loop.lineno, 1, f"{outside}{before}()\n"),
        module.insert(first.lineno, 1, f"{inside}{mark}()\n"),
    )
