"""Build a graph function again after a change that its trace does not see."""

import ast

from graphdoctor.model import Edit
from graphdoctor.refactoring.syntax.graph_functions import wrapping_of
from graphdoctor.source.calls import all_given, called_name
from graphdoctor.source.def_use import place_of
from graphdoctor.source.functions import Function
from graphdoctor.source.module import Module
from graphdoctor.source.resolving import called_function, class_around, is_self, only_value
from graphdoctor.source.surroundings import (
    around,
    block_of,
    indent_of,
    last_line,
    name_given,
    statement_around,
    target_of,
)

OPTIMIZERS = ("keras.optimizers.", "tensorflow.optimizers.")
HANDING_ON = (ast.Assign, ast.Return, ast.keyword)


def wrapped_again(function: Function, module: Module, changed: ast.AST) -> Edit | None:
    """`self.step = tf.function(self._step)` again, after what a method of the same object changed.

    At the top of a file the same, with a name. None where the graph function has another name elsewhere.
    """
    wrapping = wrapping_of(function) if function.home is module else None
    made = statement_around(module, wrapping) if wrapping is not None else None
    target, here = target_of(made, wrapping), _assignment(module, changed)
    if made is None or here is None or not isinstance(target, ast.Name | ast.Attribute):
        return None
    scopes = [module.scope_at(each) for each in (made, here)]
    if isinstance(target, ast.Attribute):
        owner = class_around(scopes[0])
        same = is_self(target.value) and owner is not None and owner is class_around(scopes[1])
    else:
        same = scopes[0] is scopes[1] is module.walk.root
    place, indent = place_of(target), indent_of(module, here)
    parts = (each.value for each in ast.walk(module.tree) if isinstance(each, HANDING_ON))
    if not same or indent is None or any(each is not None and place_of(each) == place for each in parts):
        return None
    text = f"{indent}{module.source_of(target)} = {module.source_of(wrapping or made)}\n"
    return module.insert_after(last_line(here), text)


def _assignment(module: Module, node: ast.AST) -> ast.Assign | None:
    return next((each for each in (node, *around(module, node)) if isinstance(each, ast.Assign)), None)


def made_again_by_factory(function: Function, module: Module, changed: ast.AST) -> Edit | None:
    """The line that called the factory of an inner function, again after what was changed in the same block.

    Optimizers that it was given are made again, of their own settings: under Keras 3 one that is built knows
    the variables of then, and no others. None where several lines call the factory.
    """
    outer, here = function.placed.scope.function, _assignment(module, changed)
    factory = module.functions.get(outer.node) if outer is not None else None
    if factory is None or [getattr(each.value, "id", "") for each in factory.returns] != [function.name]:
        return None
    calls = [
        placed.node
        for placed in module.walk.calls
        if isinstance(placed.node, ast.Call)
        if (found := called_function(placed.node, placed.scope)) is not None and found.node is factory.node
    ]
    made = statement_around(module, calls[0]) if len(calls) == 1 else None
    if made is None or here is None or made not in block_of(module, here) or made.lineno >= here.lineno:
        return None
    return _again(module, made, calls[0], here)


def _again(module: Module, made: ast.stmt, call: ast.expr, here: ast.Assign) -> Edit | None:
    given, scope, indent = getattr(made, "value", None), module.scope_at(made), indent_of(module, here)
    if not isinstance(given, ast.Call) or given is not call or not name_given(made, call) or indent is None:
        return None
    if not all(isinstance(each, ast.Name | ast.Constant) for each in all_given(given)):
        return None
    names = [
        each.id
        for each in all_given(given)
        if isinstance(each, ast.Name) and each.id in scope.bindings
        if called_name(only_value(each, scope), scope).startswith(OPTIMIZERS)
    ]
    lines = [f"{name} = type({name}).from_config({name}.get_config())" for name in dict.fromkeys(names)]
    text = "".join(f"{indent}{line}\n" for line in (*lines, module.source_of(made)))
    return module.insert_after(last_line(here), text)
