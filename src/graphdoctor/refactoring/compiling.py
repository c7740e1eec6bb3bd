"""What makes a graph function, once more, so that it is traced anew: `tf.function(…)`, `model.compile(…)`."""

import ast

from graphdoctor.model import Edit
from graphdoctor.refactoring.decorators import wrapping_of
from graphdoctor.refactoring.resolving import class_around, is_self
from graphdoctor.source.functions import Function
from graphdoctor.source.module import Module


def compiled_again(module: Module, changed: ast.AST, trained: ast.AST) -> Edit | None:
    """The statement that compiled a model, again after the one that changed what it trains.

    `trained` is the call of `fit`; None unless all stand in one block, and one `compile` of that model there.
    """
    method = trained.func if isinstance(trained, ast.Call) else None
    if not isinstance(method, ast.Attribute):
        return None
    wanted = f"{ast.unparse(method.value)}.compile"
    for block in blocks_of(module.tree):
        here = [each for each in block if any(node is changed for node in ast.walk(each))]
        before = [each for each in block if here and each.lineno < here[0].lineno and _calls(each, wanted)]
        if len(before) == 1 and isinstance(here[0], (ast.Assign, ast.For)):
            last = here[0].end_lineno or here[0].lineno
            indent = " " * here[0].col_offset
            return module.insert_after(last, f"{indent}{module.source_of(before[0])}\n")
    return None


def wrapped_again(function: Function, module: Module, changed: ast.AST) -> Edit | None:
    """`self.step = tf.function(self._step)` again, after what a method of the same object changed.

    At the top of a file the same, with a name. None where the graph function has another name elsewhere.
    """
    wrapping = wrapping_of(function)
    made = [each for each in _statements(module.tree) if wrapping is not None and each.value is wrapping]
    here = [each for each in _statements(module.tree) if any(node is changed for node in ast.walk(each))]
    if function.home is not module or len(made) != 1 or len(here) != 1 or len(made[0].targets) != 1:
        return None
    target, scopes = made[0].targets[0], [module.scope_at(each) for each in (made[0], here[0])]
    owned = isinstance(target, ast.Attribute) and is_self(target.value)
    if owned and (class_around(scopes[0]) is None or class_around(scopes[0]) is not class_around(scopes[1])):
        return None
    if not owned and not (isinstance(target, ast.Name) and scopes[0] is scopes[1] is module.walk.root):
        return None
    spelled = ast.unparse(target)
    handed_on = [
        each
        for each in ast.walk(module.tree)
        if isinstance(each, ast.Assign | ast.Return | ast.keyword) and each.value is not None
        if ast.unparse(each.value) == spelled
    ]
    indent = module.lines[here[0].lineno - 1][: here[0].col_offset]
    if handed_on or indent.strip():
        return None
    text = f"{indent}{spelled} = {module.source_of(made[0].value)}\n"
    return module.insert_after(here[0].end_lineno or here[0].lineno, text)


def _statements(tree: ast.AST) -> list[ast.Assign]:
    return [each for each in ast.walk(tree) if isinstance(each, ast.Assign)]


def blocks_of(tree: ast.AST) -> list[list[ast.stmt]]:
    """The statements of each function, class and branch, but for those under `else`."""
    bodies = [getattr(node, "body", None) for node in ast.walk(tree)]
    return [body for body in bodies if isinstance(body, list)]


def _calls(statement: ast.stmt, wanted: str) -> bool:
    call = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(call, ast.Call) and ast.unparse(call.func) == wanted
