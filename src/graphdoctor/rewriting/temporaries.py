"""An object that nobody keeps → one with a name, on the line before."""

import ast

from graphdoctor.model import Edit
from graphdoctor.rewriting.making import name_for
from graphdoctor.source.module import Module


def keep(module: Module, call: ast.AST) -> tuple[Edit, ...] | None:
    """The edits that give what a call makes a name, before the statement that uses it."""
    statements = [
        each
        for each in ast.walk(module.tree)
        if isinstance(each, ast.stmt) and any(part is call for part in ast.walk(each))
    ]
    statement = statements[-1] if statements else None
    plain = isinstance(statement, ast.Expr | ast.Assign | ast.AugAssign | ast.AnnAssign | ast.Return)
    if not isinstance(call, ast.Call) or statement is None or not plain:
        return None
    inner = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.NamedExpr)
    if any(isinstance(part, inner) and call in ast.walk(part) for part in ast.walk(statement)):
        return None
    name, scope = name_for(call), module.scope_at(call)
    indent = module.lines[statement.lineno - 1][: statement.col_offset]
    if indent.strip() or scope.lookup(name) is not None:
        return None
    line = module.insert(statement.lineno, 1, f"{indent}{name} = {module.source_of(call)}\n")
    return line, module.replace(call, name)
