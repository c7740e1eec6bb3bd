"""Python loops → loops of the graph."""

import ast

from graphdoctor.model import Edit
from graphdoctor.refactoring.bodies import Body
from graphdoctor.refactoring.uses import state_use
from graphdoctor.source.names import dotted_name, module_alias


def to_graph_loop(body: Body, loop: ast.AST) -> tuple[str, Edit] | None:
    """The order and the edit that make TensorFlow run a loop: over `tf.range`, or a tensor."""
    tensorflow = module_alias("tensorflow", body.scope)
    if tensorflow is None or not isinstance(loop, ast.For | ast.While) or loop.orelse:
        return None
    if isinstance(loop, ast.While):
        if isinstance(loop.test, ast.Constant):
            text = f"{tensorflow}.constant({bool(loop.test.value)})"
        else:
            text = f"{tensorflow}.convert_to_tensor({body.home.source_of(loop.test)})"
        return "Let a tensor decide", body.home.replace(loop.test, text)
    over = loop.iter
    if isinstance(over, ast.Call):
        if dotted_name(over.func, body.scope) != "builtins.range":
            return None
        return "Loop over `tf.range`", body.home.replace(over.func, f"{tensorflow}.range")
    if not isinstance(over, ast.Name | ast.Attribute | ast.List) or not isinstance(loop.target, ast.Name):
        return None
    text = f"{tensorflow}.convert_to_tensor({body.home.source_of(over)})"
    return "Loop over a tensor", body.home.replace(over, text)


def count_in_graph(body: Body, loop: ast.AST) -> Edit | None:
    """The edit that makes TensorFlow run a `for`, where its body can take the turn's number as a tensor."""
    name = loop.target.id if isinstance(loop, ast.For) and isinstance(loop.target, ast.Name) else ""
    fills = any(isinstance(part, ast.Attribute) and part.attr == "append" for part in ast.walk(loop))
    written = to_graph_loop(body, loop)
    if not name or fills or written is None or not state_use(body.function, name, "int").tensor_would_do:
        return None
    return written[1]


def taken_apart(body: Body, over: ast.AST) -> Edit | None:
    """The edit that lets Python go through the rows of a tensor, whose number must be known while tracing."""
    tensorflow = module_alias("tensorflow", body.scope)
    if tensorflow is None or not isinstance(over, ast.expr) or isinstance(over, ast.Starred):
        return None
    return body.home.replace(over, f"{tensorflow}.unstack({body.home.source_of(over)})")


def test_of(loop: ast.AST) -> ast.expr | None:
    """The condition of a `while`."""
    return loop.test if isinstance(loop, ast.While) else None


def endless_in_graph(body: Body, loop: ast.AST) -> tuple[str, Edit] | None:
    """The condition that makes `while True` a loop of the graph, and the edit."""
    test, tensorflow = test_of(loop), module_alias("tensorflow", body.scope)
    if test is None or tensorflow is None:
        return None
    text = f"{tensorflow}.constant(True)"
    return text, body.home.replace(test, text)
