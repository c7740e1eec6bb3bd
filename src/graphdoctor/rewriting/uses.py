"""How a function uses one of its parameters: would a tensor do in place of a Python number?"""

import ast
import dataclasses

from graphdoctor.rewriting.literals import is_number_literal
from graphdoctor.source.functions import Function
from graphdoctor.source.names import dotted_name

# These take a tensor of any number type where a Python number stood.
ACCEPTS_ANY_NUMBER = {"tensorflow.cast", "tensorflow.print", "tensorflow.summary.scalar",
                      "builtins.float", "builtins.int"}  # fmt: skip
SUMMARIES = "tensorflow.summary."
STEP_DTYPE = "int64"  # of `tf.summary.scalar(…, step=step)`: no other is taken


@dataclasses.dataclass(frozen=True, slots=True)
class NumberUse:
    """Whether a tensor would do; the expressions whose dtype it must have, and dtypes that are demanded."""

    tensor_would_do: bool
    partners: tuple[ast.expr, ...] = ()
    dtypes: frozenset[str] = frozenset()


def number_use(function: Function, parameter: str) -> NumberUse:
    """How a function uses a parameter that is given as a Python number."""
    if all(binding.kind != "parameter" for binding in function.scope.bindings.get(parameter, ())):
        return NumberUse(False)  # a part of an argument, or one of many in `**options`
    parents = {child: node for node in ast.walk(function.node) for child in ast.iter_child_nodes(node)}
    partners: list[ast.expr] = []
    names = [n for n in ast.walk(function.node) if isinstance(n, ast.Name) and n.id == parameter]
    steps = {name for name in names if _is_summary_step(parents.get(name), parents, function)}
    for name in names:
        stored = isinstance(name.ctx, ast.Store)
        if name not in steps and (stored or not _climb(name, parents, function, partners)):
            return NumberUse(False)
    return NumberUse(True, tuple(partners), frozenset({STEP_DTYPE} if steps else ()))


def _is_summary_step(node: ast.AST | None, parents: dict[ast.AST, ast.AST], function: Function) -> bool:
    call = parents.get(node) if isinstance(node, ast.keyword) and node.arg == "step" else None
    called = dotted_name(call.func, function.scope) if isinstance(call, ast.Call) else None
    return called is not None and called.startswith(SUMMARIES)


def _climb(
    node: ast.expr,
    parents: dict[ast.AST, ast.AST],
    function: Function,
    partners: list[ast.expr],
) -> bool:
    """Follow a value outwards through arithmetic; collect what it meets; False where Python needs it."""
    parent = parents.get(node)
    if isinstance(parent, ast.keyword):
        node, parent = parent.value, parents.get(parent)
    if isinstance(parent, ast.Call):
        return node is not parent.func and _accepts(parent, function)
    if isinstance(parent, ast.BinOp):
        other = parent.right if parent.left is node else parent.left
        if is_number_literal(other):
            return _climb(parent, parents, function, partners)
        partners.append(other)
        return True
    return isinstance(parent, ast.Expr)


def _accepts(call: ast.Call, function: Function) -> bool:
    return dotted_name(call.func, function.scope) in ACCEPTS_ANY_NUMBER
