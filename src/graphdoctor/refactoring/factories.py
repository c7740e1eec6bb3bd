"""`step = make_step(model, optimizer)` once more, after a change that the traced step does not see."""

import ast

from graphdoctor.model import Edit
from graphdoctor.refactoring.compiling import blocks_of
from graphdoctor.refactoring.resolving import called_function
from graphdoctor.source.functions import Function
from graphdoctor.source.module import Module
from graphdoctor.source.names import dotted_name
from graphdoctor.source.scopes import Scope

OPTIMIZERS = ("keras.optimizers.", "tensorflow.keras.optimizers.", "tensorflow.optimizers.")


def made_again_by_factory(function: Function, module: Module, changed: ast.AST) -> Edit | None:
    """The line that called the factory of an inner function, again after what was changed in the same block.

    Optimizers that it was given are made anew, of their own settings: under Keras 3 one that is built knows
    the variables of then, and no others. None where several lines call the factory.
    """
    factory = function.placed.scope.function
    returned = module.functions.get(factory.node) if factory is not None else None
    if returned is None or [ast.unparse(each.value or each) for each in returned.returns] != [function.name]:
        return None
    for block in blocks_of(module.tree):
        here = [each for each in block if any(node is changed for node in ast.walk(each))]
        made = [each for each in ast.walk(module.tree) if _calls(each, module, returned)]
        if (
            not here
            or not isinstance(here[0], ast.Assign)
            or made != [each for each in made if each in block]
        ):
            continue
        if len(made) == 1 and isinstance(made[0], ast.Assign) and made[0].lineno < here[0].lineno:
            return _again(module, made[0], here[0])
    return None


def _calls(node: ast.AST, module: Module, factory: Function) -> bool:
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
