"""Control flow of a traced body that depends on tensors."""

import ast
from collections.abc import Iterator

from graphdoctor.source.bodies import Body
from graphdoctor.source.loops import is_graph_loop

LOOPS = (ast.For, ast.While)
NESTED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


def graph_loops(body: Body) -> Iterator[ast.For | ast.While]:
    """The loops that AutoGraph turns into `tf.while_loop`."""
    if body.converted:
        for kind in LOOPS:
            for loop in body.of(kind):
                assert isinstance(loop, LOOPS)
                if is_graph_loop(loop, body.scope):
                    yield loop


def loop_around(body: Body, node: ast.AST) -> ast.For | ast.While | None:
    """The innermost loop around a node."""
    for outer in body.ancestors(node):
        if isinstance(outer, LOOPS):
            return outer
    return None


def stored_names(statements: list[ast.stmt]) -> dict[str, list[ast.stmt]]:
    """The names that statements assign (also deeper inside), with the statements that do."""
    found: dict[str, list[ast.stmt]] = {}
    waiting: list[tuple[ast.AST, ast.stmt]] = [(statement, statement) for statement in reversed(statements)]
    while waiting:
        node, statement = waiting.pop()
        if isinstance(node, ast.stmt):
            statement = node
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.setdefault(node.id, []).append(statement)
        if not isinstance(node, NESTED):
            waiting.extend((child, statement) for child in reversed(list(ast.iter_child_nodes(node))))
    return found
