"""Whether the body of a loop can be a function: it leaves nothing, and changes nothing but its names."""

import ast
from collections.abc import Iterator

from graphdoctor.refactoring.while_loops.loop_counts import Count, CountedLoop
from graphdoctor.source.def_use import names_read
from graphdoctor.source.names import dotted_name
from graphdoctor.source.surroundings import LOOPS, Body, stored_names

LEAVES = (
    ast.Return,
    ast.Yield,
    ast.YieldFrom,
    ast.Await,
    ast.Global,
    ast.Nonlocal,
    ast.Delete,
    ast.NamedExpr,
)
# Functions of Python's that need a number while tracing.
NUMBERS = tuple(f"builtins.{name}" for name in ("int", "float", "range", "str", "print", "bool", "round"))
# What these change is a variable or a metric, which a loop of the graph may do.
CHANGES = ("assign", "assign_add", "assign_sub", "scatter_nd_update", "update_state", "apply_gradients")


def can_be_function(body: Body, loop: CountedLoop, count: Count, lists: list[str], own: set[str]) -> bool:
    """Whether a function of the loop's names could do the same.

    `lists` are those that it fills once at each iteration, `own` those that an iteration makes for itself.
    """
    inside = {node for statement in loop.body for node in ast.walk(statement)}
    if any(isinstance(node, LEAVES) or _is_super(node) for node in inside):
        return False
    if any(_leaves_loop(body, loop, node) for node in inside):
        return False
    return all(_changes_only_names(body, node, lists, own) for node in inside) and not _asks_iteration(
        body, loop, count, own
    )


def _is_super(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and node.id == "super"


def _leaves_loop(body: Body, loop: CountedLoop, node: ast.AST) -> bool:
    """Whether a `break` or `continue` belongs to this loop."""
    if not isinstance(node, ast.Break | ast.Continue):
        return False
    return next(outer for outer in body.ancestors(node) if isinstance(outer, LOOPS)) is loop


def _changes_only_names(body: Body, node: ast.AST, lists: list[str], own: set[str]) -> bool:
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id in own:
        return not isinstance(node.ctx, ast.Del)
    if isinstance(node, ast.Attribute | ast.Subscript):
        return isinstance(node.ctx, ast.Load)
    if not isinstance(node, ast.Expr) or isinstance(node.value, ast.Constant):
        return True
    if not isinstance(node.value, ast.Call):
        return False
    called = node.value.func
    if isinstance(called, ast.Attribute) and isinstance(called.value, ast.Name) and called.value.id in own:
        return called.attr in ("append", "extend", "insert")
    if isinstance(called, ast.Attribute) and isinstance(called.value, ast.Name) and called.value.id in lists:
        return called.attr == "append"
    if isinstance(called, ast.Attribute) and called.attr in CHANGES:
        return True
    return (dotted_name(called, body.scope) or "").startswith("tensorflow.")


def _asks_iteration(body: Body, loop: CountedLoop, count: Count, own: set[str]) -> bool:
    """Whether Python needs the number of an iteration, which is a tensor in the graph."""
    counters = count.counters(loop)
    for node in (part for statement in loop.body for part in ast.walk(statement)):
        needs = isinstance(node, ast.Call) and dotted_name(node.func, body.scope) in NUMBERS
        if needs and names_read(node) & (counters | stored_names(loop.body) - own):
            return True
        if isinstance(node, ast.JoinedStr) and names_read(node) & counters:
            return True
    return False


def python_tests(loop: CountedLoop) -> Iterator[tuple[ast.AST, ast.expr]]:
    """The tests that Python decides in a loop, each with what asks for it."""
    for node in (part for statement in loop.body for part in ast.walk(statement)):
        if isinstance(node, ast.If | ast.IfExp | ast.While | ast.Assert):
            yield node, node.test
