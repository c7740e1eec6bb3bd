"""A variable's name that is bound again → an assignment to the variable."""

import ast

from graphdoctor.model import Edit
from graphdoctor.refactoring.variables.state import METHODS
from graphdoctor.source.module import Module


def bound_by(module: Module, statement: ast.AST) -> str:
    """The name that a statement binds; empty where it is none, or several."""
    single = isinstance(statement, ast.Assign) and len(statement.targets) == 1
    return module.source_of(statement.targets[0]) if single and isinstance(statement, ast.Assign) else ""


def assigned(module: Module, statement: ast.AST | None) -> tuple[str, Edit] | None:
    """`x = x + 1` as `x.assign_add(1)`: the method, and the edit; None where nothing is computed."""
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return None
    value, target = statement.value, statement.targets[0]
    name = module.source_of(target)
    if not isinstance(target, ast.Name | ast.Attribute) or not isinstance(value, ast.BinOp | ast.Call):
        return None
    method = METHODS.get(type(value.op)) if isinstance(value, ast.BinOp) else None
    if isinstance(value, ast.BinOp) and method and module.source_of(value.left) == name:
        return method, module.replace(statement, f"{name}.{method}({module.source_of(value.right)})")
    return "assign", module.replace(statement, f"{name}.assign({module.source_of(value)})")
