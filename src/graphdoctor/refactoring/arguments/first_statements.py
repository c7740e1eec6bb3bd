"""What a graph function does first in Python → done before the graph begins, at each call.

`def step(self)` draws a batch and gives it to `_graph_step`, which is the graph function now.
"""

import ast

from graphdoctor.model import Edit
from graphdoctor.refactoring.syntax.graph_functions import decorator_of, has_option
from graphdoctor.source.def_use import names_read, place_of
from graphdoctor.source.functions import Function
from graphdoctor.source.resolving import has_name
from graphdoctor.source.scopes import parameters
from graphdoctor.source.surroundings import has_long_texts, indent_of, is_docstring, last_line


def done_before(function: Function, line: int) -> tuple[Edit, ...] | None:
    """The edits that leave the statements up to the one on a line outside of the graph.

    None where they are more than plain assignments, or more is done with the function than calling it.
    """
    node, module, decorator = function.node, function.home, decorator_of(function)
    if not isinstance(node, ast.FunctionDef) or decorator is None or not _may_be_split(function, decorator):
        return None
    name, this = f"_graph_{node.name.strip('_')}", function.receiver
    statements = node.body[1:] if is_docstring(node.body[0]) else node.body
    first = [each for each in statements if each.lineno <= line]
    rest = statements[len(first) :]
    if not first or not rest or not all(map(_is_plain, first)) or has_name(module, name):
        return None
    indent, outer, last = indent_of(module, rest[0]), indent_of(module, node), last_line(first[-1])
    if indent is None or outer is None or not line <= last < rest[0].lineno:
        return None
    given = [each for each in _passed(function, first, rest) if each != this]
    called, taken = (f"{this}.{name}", [this, *given]) if this else (name, given)
    text = (
        f"{indent}return {called}({', '.join(given)})\n\n{outer}@{module.source_of(decorator)}\n"
        f"{outer}def {name}({', '.join(taken)}):\n"
    )
    cut = module.replace_lines(decorator.lineno, last_line(decorator), "")
    return cut, module.insert_after(last, text)


def _may_be_split(function: Function, decorator: ast.expr) -> bool:
    """Whether a graph function is decorated by nothing else, only called, and takes what it names."""
    plain = function.decorators == [decorator] and not function.is_static and not function.is_open_ended
    said = has_option(decorator, "input_signature") or has_long_texts(decorator)
    return plain and not said and not _is_asked(function)


def _passed(function: Function, first: list[ast.stmt], rest: list[ast.stmt]) -> list[str]:
    """The parameters, and the names that the first statements give a value, that the others read."""
    parts = (part for each in first for part in ast.walk(each) if isinstance(part, ast.Name))
    known = [each.arg for each in parameters(function.node)]
    known += [part.id for part in parts if isinstance(part.ctx, ast.Store)]
    read = {name for statement in rest for name in names_read(statement)}
    return [name for name in dict.fromkeys(known) if name in read]


def _is_asked(function: Function) -> bool:
    """Whether a method of the graph function itself is used: `step.get_concrete_function`."""
    return any(
        isinstance(part, ast.Attribute) and place_of(part.value).rpartition(".")[2] == function.name
        for part in ast.walk(function.home.tree)
    )


def _is_plain(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Assign | ast.AnnAssign | ast.AugAssign | ast.Expr) and not any(
        isinstance(part, ast.Yield | ast.YieldFrom | ast.Await) for part in ast.walk(statement)
    )
