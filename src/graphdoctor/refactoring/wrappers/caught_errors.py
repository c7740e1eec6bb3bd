"""`try` around operations of TensorFlow → run by Python from inside the graph, which catches errors."""

import ast
import textwrap
from collections.abc import Iterator, Sequence

from graphdoctor.model import Edit
from graphdoctor.refactoring.syntax.imports import tensorflow_at
from graphdoctor.refactoring.wrappers.attribute_stores import is_without_python
from graphdoctor.source.module import Module
from graphdoctor.source.scopes import parameters
from graphdoctor.source.surroundings import (
    Body,
    free_name,
    has_long_texts,
    indent_of,
    is_docstring,
    last_line,
    own_name,
)

NAMES = ("attempt", "attempt_in_python")
MOST_TENSORS = 3
# They mean something else in a function inside the function.
OF_THE_FUNCTION = (ast.Global, ast.Nonlocal, ast.Yield, ast.YieldFrom, ast.Await)


def caught_in_python(modules: Sequence[Module], body: Body) -> list[tuple[Edit, ...]]:
    """The ways to run a function that returns one tensor by `tf.py_function`, with what it is given.

    Its result has the dtype of the first tensor, and any shape, or that of one of them. There is no way for a
    graph function itself, and where no Python runs beside the graph.
    """
    node, home, found = body.function.node, body.home, tensorflow_at(body.home, body.scope)
    name = free_name(body, *NAMES)
    if not isinstance(node, ast.FunctionDef) or found is None or name is None or not _may_be_inside(body):
        return []
    statements = node.body[1:] if is_docstring(node.body[0]) else node.body
    tensors, indent = list(_given(body, node)), indent_of(home, statements[0]) if statements else None
    if not 0 < len(tensors) <= MOST_TENSORS or indent is None or is_without_python(modules):
        return []
    first, last = statements[0].lineno, last_line(statements[-1])
    lines = textwrap.indent("\n".join(home.lines[first - 1 : last]), "    ")
    inputs, gap = ", ".join(tensors), "\n" if statements is not node.body else ""
    called = f"{found[0]}.py_function({name}, [{inputs}], {tensors[0]}.dtype)"
    shaped = [f"{found[0]}.ensure_shape({called}, {tensor}.shape)" for tensor in reversed(tensors)]
    inner = f"{gap}{indent}def {name}({inputs}):\n{lines}\n\n"
    texts = [f"{inner}{indent}return {result}\n" for result in (called, *shaped)]
    return [(home.replace_lines(first, last, text), *found[1]) for text in texts]


def _may_be_inside(body: Body) -> bool:
    """Whether a function that returns one tensor can do the same inside itself."""
    function, parts = body.function, list(ast.walk(body.function.node))
    plain = not function.decorators and not function.is_open_ended and not has_long_texts(function.node)
    inside = not any(isinstance(each, OF_THE_FUNCTION) for each in parts)
    return plain and inside and _returns_one_tensor(body)


def _given(body: Body, node: ast.FunctionDef) -> Iterator[str]:
    """The parameters that have no default: what has one is a setting of Python's."""
    own = node.args
    settings = {each.arg for each in own.args[len(own.args) - len(own.defaults) :]}
    settings |= {each.arg for each, given in zip(own.kwonlyargs, own.kw_defaults, strict=True) if given}
    this = own_name(body)
    return (each.arg for each in parameters(node) if each.arg not in settings and each.arg != this)


def _returns_one_tensor(body: Body) -> bool:
    returned = [each.value for each in body.function.returns]
    several = (ast.Tuple, ast.List, ast.Dict, ast.Constant)
    return bool(returned) and not any(each is None or isinstance(each, several) for each in returned)
