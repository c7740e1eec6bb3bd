"""`model.compile(…)` once more, so that Keras traces its steps anew."""

import ast

from graphdoctor.model import Edit
from graphdoctor.source.module import Module


def compiled_again(module: Module, changed: ast.AST, trained: ast.AST) -> Edit | None:
    """The statement that compiled a model, again after the one that changed what it trains.

    `trained` is the call of `fit`; None unless all stand in one block, and one `compile` of that model there.
    """
    method = trained.func if isinstance(trained, ast.Call) else None
    if not isinstance(method, ast.Attribute):
        return None
    wanted = f"{ast.unparse(method.value)}.compile"
    for block in _blocks(module.tree):
        here = [each for each in block if any(node is changed for node in ast.walk(each))]
        before = [each for each in block if here and each.lineno < here[0].lineno and _calls(each, wanted)]
        if len(before) == 1 and isinstance(here[0], (ast.Assign, ast.For)):
            last = here[0].end_lineno or here[0].lineno
            indent = " " * here[0].col_offset
            return module.insert_after(last, f"{indent}{module.source_of(before[0])}\n")
    return None


def _blocks(tree: ast.AST) -> list[list[ast.stmt]]:
    bodies = [getattr(node, "body", None) for node in ast.walk(tree)]
    return [body for body in bodies if isinstance(body, list)]


def _calls(statement: ast.stmt, wanted: str) -> bool:
    call = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(call, ast.Call) and ast.unparse(call.func) == wanted
