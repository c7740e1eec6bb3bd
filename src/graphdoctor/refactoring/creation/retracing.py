"""Build a graph function again after a change that its trace does not see."""

import ast

from graphdoctor.model import Edit
from graphdoctor.refactoring.syntax.graph_functions import wrapping_of
from graphdoctor.refactoring.syntax.resolving import called_function, class_around, is_self
from graphdoctor.source.functions import Function
from graphdoctor.source.module import Module
from graphdoctor.source.names import dotted_name
from graphdoctor.source.scopes import Scope


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


OPTIMIZERS = ("keras.optimizers.", "tensorflow.keras.optimizers.", "tensorflow.optimizers.")


def made_again_by_factory(function: Function, module: Module, changed: ast.AST) -> Edit | None:
    """The line that called the factory of an inner function, again after what was changed in the same block.

    Optimizers that it was given are made again, of their own settings: under Keras 3 one that is built knows
    the variables of then, and no others. None where several lines call the factory.
    """
    factory = function.placed.scope.function
    returned = module.functions.get(factory.node) if factory is not None else None
    if returned is None or [ast.unparse(each.value or each) for each in returned.returns] != [function.name]:
        return None
    for block in blocks_of(module.tree):
        here = [each for each in block if any(node is changed for node in ast.walk(each))]
        made = [each for each in ast.walk(module.tree) if _calls_factory(each, module, returned)]
        if (
            not here
            or not isinstance(here[0], ast.Assign)
            or made != [each for each in made if each in block]
        ):
            continue
        if len(made) == 1 and isinstance(made[0], ast.Assign) and made[0].lineno < here[0].lineno:
            return _again(module, made[0], here[0])
    return None


def _calls_factory(node: ast.AST, module: Module, factory: Function) -> bool:
    """Whether a statement is, or holds, a call of the factory; only a plain one can be written again."""
    if not isinstance(node, ast.stmt) or isinstance(node, ast.FunctionDef | ast.ClassDef):
        return False
    calls = [part for part in ast.walk(node) if isinstance(part, ast.Call)]
    found = (called_function(call, module.scope_at(call)) for call in calls)
    return any(each is not None and each.node is factory.node for each in found)


def _again(module: Module, made: ast.Assign, here: ast.Assign) -> Edit | None:
    call, target, scope = made.value, made.targets[0], module.scope_at(made)
    indent = module.lines[here.lineno - 1][: here.col_offset]
    if not isinstance(call, ast.Call) or not isinstance(target, ast.Name) or indent.strip():
        return None
    given = [*call.args, *(each.value for each in call.keywords)]
    if len(made.targets) != 1 or not all(isinstance(each, ast.Name | ast.Constant) for each in given):
        return None
    names = [each.id for each in given if isinstance(each, ast.Name) and _is_optimizer(each.id, scope)]
    lines = [f"{name} = type({name}).from_config({name}.get_config())" for name in dict.fromkeys(names)]
    text = "".join(f"{indent}{line}\n" for line in (*lines, module.source_of(made)))
    return module.insert_after(here.end_lineno or here.lineno, text)


def _is_optimizer(name: str, scope: Scope) -> bool:
    values = [each.value for each in scope.bindings.get(name, [])]
    made = [dotted_name(each.func, scope) or "" for each in values if isinstance(each, ast.Call)]
    return len(values) == 1 and len(made) == 1 and made[0].startswith(OPTIMIZERS)
