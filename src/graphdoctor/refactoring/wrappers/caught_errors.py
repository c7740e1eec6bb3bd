"""`try` around operations of TensorFlow → run by Python from inside the graph, which catches errors."""

import ast
import textwrap
from collections.abc import Iterator, Sequence

from graphdoctor.model import Edit
from graphdoctor.refactoring.syntax.bodies import Body, own_name
from graphdoctor.refactoring.syntax.imports import tensorflow_at
from graphdoctor.refactoring.syntax.statements import free_name, has_long_texts, is_docstring
from graphdoctor.refactoring.wrappers.attribute_stores import WITHOUT_PYTHON
from graphdoctor.source.module import Module
from graphdoctor.source.scopes import parameters

NAMES = ("attempt", "attempt_in_python")
MOST_TENSORS = 3
# They mean something else in a function inside the function.
OF_THE_FUNCTION = (ast.Global, ast.Nonlocal, ast.Yield, ast.YieldFrom, ast.Await)


def caught_in_python(modules: Sequence[Module], body: Body) -> list[tuple[Edit, ...]]:
    """The ways to run a function that returns one tensor by `tf.py_function`, with what it is given.

    Its result has the dtype of the first tensor, and any shape, or that of one of them. There is no way for a
    graph function itself, and where no Python runs beside the graph.
    """
    node, home = body.function.node, body.home
    found = tensorflow_at(home, body.scope)
    name = free_name(body, *NAMES)
    if not isinstance(node, ast.FunctionDef) or node.decorator_list or found is None or name is None:
        return []
    if node.args.vararg or node.args.kwarg:
        return []
    if any(word in module.text for module in modules for word in WITHOUT_PYTHON):
        return []
    statements = node.body[1:] if is_docstring(node.body[0]) else node.body
    tensors = list(_given(body, node))
    if not 0 < len(tensors) <= MOST_TENSORS or not statements or not _returns_one_tensor(body):
        return []
    if has_long_texts(*statements) or any(isinstance(p, OF_THE_FUNCTION) for p in ast.walk(node)):
        return []
    first, last = statements[0], statements[-1].end_lineno or statements[-1].lineno
    indent = home.lines[first.lineno - 1][: first.col_offset]
    if indent.strip():
        return []
    lines = textwrap.indent("\n".join(home.lines[first.lineno - 1 : last]), "    ")
    inputs, gap = ", ".join(tensors), "\n" if statements is not node.body else ""
    called = f"{found[0]}.py_function({name}, [{inputs}], {tensors[0]}.dtype)"
    shaped = [f"{found[0]}.ensure_shape({called}, {tensor}.shape)" for tensor in reversed(tensors)]
    inner = f"{gap}{indent}def {name}({inputs}):\n{lines}\n\n"
    texts = [f"{inner}{indent}return {result}\n" for result in (called, *shaped)]
    return [(home.replace_lines(first.lineno, last, text), *found[1]) for text in texts]


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
