"""What runs eagerly in spite of standing in a traced function."""

import ast
import re

from graphdoctor.source.names import dotted_name
from graphdoctor.source.scopes import Scope

EAGER_CALLERS = {
    "tensorflow.py_function", "tensorflow.numpy_function", "tensorflow.compat.v1.py_func",
    "tensorflow.data.Dataset.from_generator",
}  # fmt: skip
EAGER_QUESTIONS = {"tensorflow.executing_eagerly", "tensorflow.config.functions_run_eagerly"}
GRAPH_QUESTIONS = {"tensorflow.inside_function"}
ASKS_FOR_GRAPH = re.compile(r"(?:^|_)(?:in|inside|is)_(?:tf_|a_)?(?:graph|function)|(?:^|_)is_symbolic")
DEBUGGING = re.compile(r"verbose|debug", re.IGNORECASE)


def runs_eagerly(call: ast.Call, scope: Scope) -> bool:
    """Whether the functions given to a call run eagerly, as those of `tf.py_function` do."""
    return dotted_name(call.func, scope) in EAGER_CALLERS


def is_eager_block(node: ast.With, scope: Scope) -> bool:
    """Whether a `with` block leaves the graph: `tf.init_scope`."""
    calls = [item.context_expr for item in node.items if isinstance(item.context_expr, ast.Call)]
    return any(dotted_name(call.func, scope) == "tensorflow.init_scope" for call in calls)


def eager_arms(node: ast.If, scope: Scope) -> list[list[ast.stmt]]:
    """The arms of an `if` that can run in a graph."""
    answer = _asks(node.test, scope)
    if answer is None and _debugs_eagerly(node):
        answer = True
    if answer is None:
        return [node.body, node.orelse]
    return [node.orelse] if answer else [node.body]


def _debugs_eagerly(node: ast.If) -> bool:
    """Whether an arm is for looking at values eagerly: `if verbose:` with a `.numpy()` in it."""
    return DEBUGGING.search(_last_name(node.test)) is not None and any(
        isinstance(part, ast.Attribute) and part.attr == "numpy"
        for statement in node.body
        for part in ast.walk(statement)
    )


def _last_name(node: ast.expr) -> str:
    return str(getattr(node, "attr", getattr(node, "id", "")))


def _asks(test: ast.expr, scope: Scope) -> bool | None:
    """True when the first arm runs only eagerly, False when the second does, None otherwise."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        answer = _asks(test.operand, scope)
        return None if answer is None else not answer
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        return True if any(_asks(value, scope) is True for value in test.values) else None
    if isinstance(test, ast.BoolOp):
        return False if any(_asks(value, scope) is False for value in test.values) else None
    if isinstance(test, ast.Call):
        called = dotted_name(test.func, scope)
        if called in EAGER_QUESTIONS:
            return True
        if called in GRAPH_QUESTIONS or ASKS_FOR_GRAPH.search(_last_name(test.func)):
            return False
        if called == "builtins.hasattr" and len(test.args) == 2:
            asked = test.args[1]
            return True if isinstance(asked, ast.Constant) and asked.value == "numpy" else None
        if called == "builtins.isinstance" and len(test.args) == 2:
            return True if _is_eager_type(test.args[1], scope) else None
    return None


def _is_eager_type(node: ast.expr, scope: Scope) -> bool:
    """`np.ndarray`, Python's own types, `EagerTensor`: none of them is a symbolic tensor."""
    if isinstance(node, ast.Tuple):
        return all(_is_eager_type(element, scope) for element in node.elts)
    name = dotted_name(node, scope) or ""
    plain = {"int", "float", "bool", "str", "list", "tuple", "dict", "set", "complex", "bytes"}
    return (
        name == "numpy.ndarray"
        or name.endswith("EagerTensor")
        or name in {f"builtins.{kind}" for kind in plain}
    )
