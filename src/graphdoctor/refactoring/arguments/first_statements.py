"""What a graph function does first in Python → done before the graph begins, at each call.

`def step(self)` draws a batch and gives it to `_graph_step`, which is the graph function now.
"""

import ast

from graphdoctor.model import Edit
from graphdoctor.refactoring.syntax.bodies import Body, own_name
from graphdoctor.refactoring.syntax.function_flow import has_name
from graphdoctor.refactoring.syntax.graph_functions import decorator_of, has_option
from graphdoctor.refactoring.syntax.statements import has_long_texts, indent_of, is_docstring
from graphdoctor.source.functions import Function
from graphdoctor.source.scopes import parameters


def done_before(function: Function, line: int) -> tuple[Edit, ...] | None:
    """The edits that leave the statements up to the one on a line outside of the graph.

    None where they are more than plain assignments, or more is done with the function than calling it.
    """
    node, module, body = function.node, function.home, Body(function)
    if not isinstance(node, ast.FunctionDef) or node.args.vararg or node.args.kwarg or function.is_static:
        return None
    decorator = decorator_of(function)
    name, alone = f"_graph_{node.name.strip('_')}", node.decorator_list == [decorator]
    if decorator is None or not alone or has_name(module, name) or has_option(decorator, "input_signature"):
        return None
    statements = node.body[1:] if is_docstring(node.body[0]) else node.body
    first = [each for each in statements if each.lineno <= line]
    rest = statements[len(first) :]
    if not first or not rest or not all(map(_is_plain, first)) or _is_asked(function):
        return None
    indent = indent_of(body.home, rest[0])
    if indent is None or indent_of(body.home, node) is None or has_long_texts(decorator):
        return None
    if (first[-1].end_lineno or 0) < line or (first[-1].end_lineno or 0) >= rest[0].lineno:
        return None
    this = own_name(body)
    given = [each for each in _known_then(function, first) if each != this and _reads(rest, each)]
    called = f"{this}.{name}" if this is not None else name
    taken = [this, *given] if this is not None else given
    outer = module.lines[node.lineno - 1][: node.col_offset]
    text = (
        f"{indent}return {called}({', '.join(given)})\n\n{outer}@{module.source_of(decorator)}\n"
        f"{outer}def {name}({', '.join(taken)}):\n"
    )
    cut = module.replace_lines(decorator.lineno, decorator.end_lineno or decorator.lineno, "")
    return cut, module.insert_after(first[-1].end_lineno or line, text)


def _is_asked(function: Function) -> bool:
    """Whether a method of the graph function itself is used: `step.get_concrete_function`."""
    return any(
        isinstance(part, ast.Attribute) and ast.unparse(part.value).rpartition(".")[2] == function.name
        for part in ast.walk(function.home.tree)
    )


def _is_plain(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Assign | ast.AnnAssign | ast.AugAssign | ast.Expr) and not any(
        isinstance(part, ast.Yield | ast.YieldFrom | ast.Await) for part in ast.walk(statement)
    )


def _known_then(function: Function, first: list[ast.stmt]) -> list[str]:
    """The parameters, and the names that the first statements give a value."""
    own = [each.arg for each in parameters(function.node)]
    stored = (
        part.id
        for each in first
        for part in ast.walk(each)
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
    )
    return list(dict.fromkeys([*own, *stored]))


def _reads(rest: list[ast.stmt], name: str) -> bool:
    return any(isinstance(part, ast.Name) and part.id == name for each in rest for part in ast.walk(each))
