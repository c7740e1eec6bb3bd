"""Python loops → loops of the graph; loops without `else`."""

import ast

from graphdoctor.model import Edit
from graphdoctor.refactoring.control_flow.match_statement import dedented
from graphdoctor.refactoring.syntax.statements import insert_lines
from graphdoctor.refactoring.tensor_arguments.parameter_uses import state_use
from graphdoctor.source.names import dotted_name, module_alias
from graphdoctor.source.surroundings import LOOPS, NESTED, Body, free_name, indent_of


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
    """The edit that makes TensorFlow run a `for`, whose body can take the iteration's number as a tensor."""
    name = loop.target.id if isinstance(loop, ast.For) and isinstance(loop.target, ast.Name) else ""
    fills = any(isinstance(part, ast.Attribute) and part.attr == "append" for part in ast.walk(loop))
    written = to_graph_loop(body, loop)
    if not name or fills or written is None or not state_use(body.function, name, "int").tensor_would_do:
        return None
    return written[1]


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


LoopStatement = ast.For | ast.While


def loop_of_else(body: Body, node: ast.AST) -> LoopStatement | None:
    """The loop whose `else` begins with a node."""
    loop = body.parents.get(node)
    return loop if isinstance(loop, ast.For | ast.While) else None


def without_else(body: Body, loop: LoopStatement) -> tuple[Edit, ...] | None:
    """The edits that put what follows `else` behind the loop; under a flag, where a `break` goes past it."""
    first, last = loop.orelse[0], loop.orelse[-1]
    above = range(first.lineno - 1, loop.body[-1].end_lineno or 0, -1)
    keyword = next((line for line in above if body.home.lines[line - 1].strip() == "else:"), None)
    if keyword is None:
        return None
    breaks = list(_breaks(loop.body))
    if breaks:
        return _with_flag(body, loop, keyword, breaks)
    step = first.col_offset - loop.col_offset
    end = last.end_lineno or last.lineno
    lines = body.home.lines[keyword:end]
    text = "".join(f"{dedented(line, step)}\n" for line in lines)
    return (body.home.replace_lines(keyword, end, text),)


def _breaks(block: list[ast.stmt]) -> list[ast.Break]:
    """The `break`s that leave this loop."""
    found: list[ast.Break] = []
    waiting: list[ast.AST] = list(block)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Break):
            found.append(node)
        elif isinstance(node, LOOPS):
            waiting += node.orelse
        elif not isinstance(node, NESTED):
            waiting += ast.iter_child_nodes(node)
    return found


def _with_flag(
    body: Body, loop: LoopStatement, keyword: int, breaks: list[ast.Break]
) -> tuple[Edit, ...] | None:
    tensorflow = module_alias("tensorflow", body.scope)
    flag = free_name(body, "completed", "ran_through")
    indents = [indent_of(body.home, each) for each in breaks]
    begins = insert_lines(body.home, loop, f"{flag} = {tensorflow}.constant(True)")
    if tensorflow is None or flag is None or begins is None or None in indents:
        return None
    column = body.home.lines[keyword - 1].index("else:") + 1
    return (
        begins,
        *(
            body.home.replace(each, f"{flag} = {tensorflow}.constant(False)\n{indent}break")
            for each, indent in zip(breaks, indents, strict=True)
        ),
        body.home.replace_columns(keyword, column, column + len("else:"), f"if {flag}:"),
    )
