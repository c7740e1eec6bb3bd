"""A model whose `trainable` is changed after `compile` → compiled again with what it was compiled with."""

import ast
import re
from collections.abc import Sequence

from graphdoctor.model import Edit
from graphdoctor.refactoring.creation.compile_calls import compilings
from graphdoctor.refactoring.creation.retracing import blocks_of
from graphdoctor.refactoring.syntax.bodies import Body, body_around, own_name
from graphdoctor.source.calls import bind_arguments
from graphdoctor.source.functions import Function
from graphdoctor.source.module import Module
from graphdoctor.source.names import dotted_name
from graphdoctor.source.scopes import Scope
from graphdoctor.source.sites import Site

OWN_COMPILE = re.compile(r"\bdef compile\(")
LIBRARY = (
    "keras.",
    "tensorflow.keras.",
    "tensorflow.optimizers.",
    "tensorflow.losses.",
    "tensorflow.metrics.",
)


def compiled_as_before(modules: Sequence[Module], changed: Site, trained: Site) -> Edit | None:
    """The lines after a change that compile the model again; `trained` is its `fit`.

    Keras 3 keeps what it was given. None where it may not make that again: functions of the program's own;
    and where the change does not name the model, or may be made while `fit` runs.
    """
    module, statement = changed[0], _statement(*changed)
    method = trained[1].func if isinstance(trained[1], ast.Call) else None
    if statement is None or not isinstance(method, ast.Attribute) or module.keras_generation != 3:
        return None
    model = _model_there(modules, changed, trained, method.value)
    own = any(OWN_COMPILE.search(each.text) for each in modules)
    compiled = [(found, each.scope_at(found)) for each in modules for found in compilings(each)]
    if model is None or own or not compiled or not all(_keras_can_make(*each) for each in compiled):
        return None
    indent = module.lines[statement.lineno - 1][: statement.col_offset]
    if indent.strip():
        return None
    text = (
        f"{indent}if {model}.compiled:\n"
        f"{indent}    {model}.compile_from_config({model}.get_compile_config())\n"
    )
    return module.insert_after(statement.end_lineno or statement.lineno, text)


def _statement(module: Module, changed: ast.AST) -> ast.stmt | None:
    """The assignment, or the loop over layers around it; None where that does more."""
    around = [
        each
        for block in blocks_of(module.tree)
        for each in block
        if isinstance(each, ast.Assign | ast.For) and any(node is changed for node in ast.walk(each))
    ]
    assigned = next((each for each in around if isinstance(each, ast.Assign)), None)
    if assigned is None:
        return None
    root = ast.unparse(assigned.targets[0]).partition(".")[0]
    loops = [each for each in around if isinstance(each, ast.For) and ast.unparse(each.target) == root]
    if not loops:
        return assigned
    return loops[0] if len(loops) == 1 and not loops[0].orelse and _only_freezes(loops[0].body) else None


def _only_freezes(statements: Sequence[ast.stmt]) -> bool:
    return all(
        (isinstance(each, ast.Assign) and ast.unparse(each.targets[0]).endswith(".trainable"))
        or (isinstance(each, ast.If | ast.For) and _only_freezes([*each.body, *each.orelse]))
        for each in statements
    )


def _model_there(modules: Sequence[Module], changed: Site, trained: Site, receiver: ast.expr) -> str | None:
    """What the model is called where the change is made; None where nobody says for sure."""
    spelled = ast.unparse(receiver)
    here, there = body_around(*changed), body_around(*trained)
    if here is None or there is None:
        same = here is None and there is None and changed[0] is trained[0]
        return spelled if same and _is_one_object(receiver, changed[0].walk.root) else None
    if here.function.node is there.function.node:
        return spelled if _is_one_object(receiver, here.scope) else None
    if not _is_only_called(modules, here.function):
        return None
    owner, this = here.function.owner, own_name(here)
    if owner is not None and owner is there.function.owner and this == own_name(there):
        return spelled if spelled.startswith(f"{this}.") else None
    return _as_parameter(here, there, spelled)


def _is_one_object(receiver: ast.expr, scope: Scope) -> bool:
    """Whether a name stands for the same object throughout; attributes are taken for such."""
    root = receiver
    while isinstance(root, ast.Attribute):
        root = root.value
    found = scope.lookup(root.id) if isinstance(root, ast.Name) else None
    return found is not None and len(found[1]) == 1


def _is_only_called(modules: Sequence[Module], function: Function) -> bool:
    """Whether a function is called by its name and never given away, and no callback of Keras' has it."""
    bases = [ast.unparse(each) for each in function.owner.bases] if function.owner is not None else []
    if any("Callback" in each for each in bases):
        return False
    for module in modules:
        called = {each.node.func for each in module.walk.calls if isinstance(each.node, ast.Call)}
        for part in ast.walk(module.tree):
            name = part.attr if isinstance(part, ast.Attribute) else getattr(part, "id", None)
            if name == function.name and isinstance(part, ast.expr) and part not in called:
                return False
    return True


def _as_parameter(here: Body, there: Body, spelled: str) -> str | None:
    """The one parameter for which each call next to `fit` gives the model."""
    calls = [
        each
        for each in ast.walk(there.function.node)
        if isinstance(each, ast.Call) and ast.unparse(each.func).rpartition(".")[2] == here.function.name
    ]
    named = {
        name
        for call in calls
        for name, given in bind_arguments(call, here.function).items()
        if ast.unparse(given) == spelled and len(here.scope.bindings.get(name, [])) == 1
    }
    return named.pop() if len(named) == 1 else None


def _keras_can_make(call: ast.Call, scope: Scope) -> bool:
    """Whether Keras can make all that `compile` was given again, from the names and numbers of it."""
    given = [*call.args, *(each.value for each in call.keywords if each.arg is not None)]
    whole = len(given) == len(call.args) + len(call.keywords)
    return whole and all(_is_known_to_keras(each, scope) for each in given)


def _is_known_to_keras(given: ast.expr, scope: Scope, depth: int = 0) -> bool:
    if isinstance(given, ast.Constant):
        return True
    if isinstance(given, ast.List | ast.Tuple):
        return all(_is_known_to_keras(each, scope, depth) for each in given.elts)
    if isinstance(given, ast.Dict):
        return all(_is_known_to_keras(each, scope, depth) for each in given.values)
    if isinstance(given, ast.Call):
        name = dotted_name(given.func, scope) or ""
        return name.startswith(LIBRARY)
    found = scope.lookup(given.id) if isinstance(given, ast.Name) and depth < 2 else None
    value = found[1][0].value if found is not None and len(found[1]) == 1 else None
    return value is not None and _is_known_to_keras(value, scope, depth + 1)
