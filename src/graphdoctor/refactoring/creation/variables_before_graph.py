"""A model that a graph function is given before it has variables → called once, before the graph function."""

import ast

from graphdoctor.model import Edit
from graphdoctor.refactoring.syntax.expressions import with_others
from graphdoctor.refactoring.syntax.statements import insert_lines
from graphdoctor.source.calls import bind_arguments
from graphdoctor.source.functions import Function
from graphdoctor.source.scopes import parameters
from graphdoctor.source.surroundings import Body, statement_of


def called_before(caller: Body, call: ast.AST, step: Function, inner: ast.AST) -> Edit | None:
    """`if not model.built: model(x)` before `step(model, x)`, where the step calls `model(x)` first.

    None where the step computes what it gives to the model: the caller does not have that.
    """
    statement = statement_of(caller, call)
    if statement is None or not isinstance(call, ast.Call) or not isinstance(inner, ast.Call):
        return None
    given = bind_arguments(call, step)
    own = {each.arg for each in parameters(step.node) if len(step.scope.bindings[each.arg]) == 1}
    if not isinstance(inner.func, ast.Name) or not _has_only(inner, own):
        return None
    asked = {part.id for part in ast.walk(inner) if isinstance(part, ast.Name)}
    values = [given.get(name) for name in asked]
    if not all(isinstance(each, ast.Name) and caller.scope.lookup(each.id) for each in values):
        return None
    model, first = ast.unparse(given[inner.func.id]), ast.unparse(with_others(inner, given))
    return insert_lines(caller.home, statement, f"if not {model}.built:", f"    {first}")


def _has_only(call: ast.Call, names: set[str]) -> bool:
    """Whether a call has nothing but these names and constants."""
    values = [call.func, *call.args, *(keyword.value for keyword in call.keywords)]
    return all(
        isinstance(each, ast.Constant) or (isinstance(each, ast.Name) and each.id in names) for each in values
    )
