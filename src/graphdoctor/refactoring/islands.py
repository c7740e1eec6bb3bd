"""Statements that need the values of tensors, run by Python from inside the graph: `tf.py_function`."""

import ast

from graphdoctor.model import Edit
from graphdoctor.refactoring.bodies import Body
from graphdoctor.refactoring.statements import statement_of
from graphdoctor.source.names import module_alias
from graphdoctor.source.scopes import parameters

READS = ("numpy", "item", "tolist")


def in_python(body: Body, node: ast.AST) -> Edit | None:
    """A call whose result nobody takes, made by Python at each run of the graph; the last way there is."""
    statement, tensorflow = statement_of(body, node), module_alias("tensorflow", body.scope)
    call = statement.value if isinstance(statement, ast.Expr) else None
    if tensorflow is None or not isinstance(call, ast.Call) or call.lineno != call.end_lineno:
        return None
    given = [each for part in ast.walk(call) if isinstance(part, ast.Call) for each in _arguments(part)]
    given += [
        part.value
        for part in ast.walk(call)
        if isinstance(part, ast.Attribute) and part.attr in READS and isinstance(part.value, ast.Name)
    ]
    first = next(parameters(body.function.node), None)
    own = first.arg if first is not None and body.function.owner is not None else None
    local = {name.id for name in given if name.id in body.scope.bindings and name.id != own}
    if not local:
        return None
    names = ", ".join(sorted(local))
    text = f"{tensorflow}.py_function(lambda {names}: {body.home.source_of(call)}, [{names}], [])"
    return body.home.replace(call, text)


def _arguments(call: ast.Call) -> list[ast.Name]:
    given = (*call.args, *(keyword.value for keyword in call.keywords))
    return [each for each in given if isinstance(each, ast.Name)]
