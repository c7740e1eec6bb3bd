"""Control flow of a traced body that depends on tensors."""

import ast
import dataclasses
from collections.abc import Iterator

from graphdoctor.source.bodies import Body
from graphdoctor.source.flow import Flow, flow_of
from graphdoctor.source.kind import Kind
from graphdoctor.source.loops import is_graph_loop

LOOPS = (ast.For, ast.While)
NESTED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


@dataclasses.dataclass(frozen=True, slots=True)
class Decision:
    """A place where Python needs the value of a tensor, and what it is called."""

    node: ast.AST
    tensor: ast.expr
    what: str


def tensor_decisions(body: Body) -> Iterator[Decision]:
    """Every `if`, `while`, `for`, conditional expression and `assert` that a tensor decides.

    AutoGraph turns them into operations; without it they raise.
    """
    for branch in body.of(ast.If):
        if is_tensor_test(body, branch.test):
            yield Decision(branch, branch.test, "`if`")
    for loop in body.of(ast.While):
        if is_tensor_test(body, loop.test):
            yield Decision(loop, loop.test, "`while`")
    for choice in body.of(ast.IfExp):
        if is_tensor_test(body, choice.test):
            yield Decision(choice, choice.test, "conditional expression")
    for turn in body.of(ast.For):
        if is_graph_loop(turn, body.scope):
            yield Decision(turn, turn.iter, "`for`")


def is_tensor_test(body: Body, test: ast.expr) -> bool:
    """Whether a condition is a tensor; `x is None or …` may never come to the tensor."""
    if isinstance(test, ast.BoolOp):
        return all(body.kind(value) is Kind.TENSOR for value in test.values)
    return body.kind(test) is Kind.TENSOR


def graph_branches(body: Body) -> Iterator[ast.If]:
    """The `if` statements that AutoGraph turns into `tf.cond`."""
    if body.converted:
        for branch in body.of(ast.If):
            if is_tensor_test(body, branch.test):
                yield branch


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


def in_graph_loop(body: Body, node: ast.AST) -> ast.For | ast.While | None:
    """The innermost graph loop around a node."""
    for outer in body.ancestors(node):
        if isinstance(outer, LOOPS) and is_graph_loop(outer, body.scope):
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


def leaves(statements: list[ast.stmt]) -> bool:
    """Whether a block always ends the function or the turn of the loop."""
    if not statements:
        return False
    last = statements[-1]
    if isinstance(last, ast.Return | ast.Raise | ast.Break | ast.Continue):
        return True
    if isinstance(last, ast.If):
        return leaves(last.body) and leaves(last.orelse)
    return isinstance(last, ast.With) and leaves(last.body)


def is_read_after(body: Body, name: str, statement: ast.stmt) -> bool:
    """Whether a value that a statement gives a name is read after it."""
    flow, found = flow_of(body.scope), body.scope.lookup(name)
    if flow is None or found is None or flow.paths.get(statement) is None:
        return False
    inside = set(ast.walk(statement))
    return any(
        use not in inside
        and _can_follow(flow, statement, use)
        and any(binding.node in inside for binding in flow.reaching(use, found[1]))
        for use in body.loads.get(name, ())
    )


def _can_follow(flow: Flow, statement: ast.stmt, use: ast.AST) -> bool:
    path, place = flow.paths.get(use), flow.paths[statement]
    return path is not None and flow.comes_before(place, path)


def is_bound_before(body: Body, name: str, statement: ast.stmt) -> bool:
    """Whether a name may have a value when a statement begins."""
    flow = flow_of(body.scope)
    found = body.scope.lookup(name)
    if flow is None or found is None or found[0] is not body.scope:
        return True
    place = flow.paths.get(statement)
    if place is None:
        return True
    for binding in found[1]:
        path = flow.path_of(binding)
        if path is None or not path or flow.comes_before(path, place):
            return True
        if any(loop in flow.loops.get(binding.node, ()) for loop in flow.loops[statement]):
            return True
    return False
