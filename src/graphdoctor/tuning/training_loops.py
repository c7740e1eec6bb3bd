"""The loop and the function of a training step, and marks in the loop of a copy."""

import ast
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from graphdoctor.model import Edit
from graphdoctor.source.functions import Function
from graphdoctor.source.module import Module

Loop = ast.For | ast.While
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


def loop_at(module: Module, line: int, name: str) -> Loop | None:
    """The innermost loop around a line whose body has it, within the function there."""
    around = function_at(module, line, name)
    root: ast.AST = around.node if around is not None else module.tree
    found = [node for node in _own_nodes(root) if isinstance(node, Loop) and _has(node.body, line)]
    return max(found, key=lambda loop: loop.lineno, default=None)


def function_at(module: Module, line: int, name: str) -> Function | None:
    """The function of this name around a line, its decorators included."""
    found = [
        function
        for function in module.functions.values()
        if function.name == name and function.ref.line <= line <= (function.node.end_lineno or line)
    ]
    return max(found, key=lambda function: function.node.lineno, default=None)


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


def _has(body: Sequence[ast.stmt], line: int) -> bool:
    return any(each.lineno <= line <= (each.end_lineno or each.lineno) for each in body)


def _own_nodes(root: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a function or module, without those of functions in it."""
    waiting = list(ast.iter_child_nodes(root))
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            waiting += ast.iter_child_nodes(node)
