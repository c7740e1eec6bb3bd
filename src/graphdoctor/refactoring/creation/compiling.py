"""`model.compile(…)`: called again only when it is needed, and after what it does not see otherwise."""

import ast
from collections.abc import Iterator, Sequence

from graphdoctor.model import Edit
from graphdoctor.refactoring.syntax.statements import insert_lines_after
from graphdoctor.source.calls import all_given, bind_arguments, called_name, method_name
from graphdoctor.source.def_use import place_of
from graphdoctor.source.functions import Function
from graphdoctor.source.module import Module
from graphdoctor.source.names import dotted_name
from graphdoctor.source.resolving import base_names, call_of, called_function, uses_of
from graphdoctor.source.scopes import Scope
from graphdoctor.source.sites import Site
from graphdoctor.source.surroundings import (
    Body,
    around,
    block_of,
    body_around,
    has_long_texts,
    indent_of,
    last_line,
    own_name,
    parents_of,
)

SHIFT = "    "
# Without momentum it keeps nothing from step to step but their number: a new one goes on as the old one.
FORGETFUL = ("keras.optimizers.SGD", "tensorflow.optimizers.SGD")
RATES = ("learning_rate", "lr")
LIBRARY = ("keras.", "tensorflow.")
OF_KERAS = ("keras.", "tensorflow.optimizers.", "tensorflow.losses.", "tensorflow.metrics.")
WRITTEN = (ast.Constant, ast.List, ast.Tuple, ast.Dict, ast.keyword, ast.expr_context)


def compiled_when_needed(modules: Sequence[Module], module: Module, call: ast.AST) -> Edit | None:
    """The edit that compiles a model again only for another optimizer, and else sets its learning rate.

    None where what else `compile` is given may differ, or something is frozen or thawed: that needs it.
    """
    method = call.func if isinstance(call, ast.Call) else None
    statement = parents_of(module).get(call)
    if not isinstance(call, ast.Call) or not isinstance(method, ast.Attribute):
        return None
    optimizer = _optimizer(call)
    if optimizer is None or not isinstance(statement, ast.Expr) or any(map(_freezes, modules)):
        return None
    others = [each for each in all_given(call) if each is not optimizer]
    if any(each.arg is None for each in call.keywords) or not all(_is_fixed(module, each) for each in others):
        return None
    model = module.source_of(method.value)
    if _is_kept(module, optimizer):
        test = f'getattr({model}, "optimizer", None) is not {module.source_of(optimizer)}'
        return _under(module, statement, test)
    rate = _rate_alone(module, optimizer)
    compiled = [each for other in modules for each in _compilings(other)]
    if rate is None or len(compiled) != 1 or any(map(_has_schedules, modules)):
        return None
    setting = f"{model}.optimizer.learning_rate = {module.source_of(rate)}"
    return _under(module, statement, f'getattr({model}, "optimizer", None) is None', setting)


def _optimizer(call: ast.Call) -> ast.expr | None:
    named = next((each.value for each in call.keywords if each.arg == "optimizer"), None)
    first = call.args[0] if call.args and not isinstance(call.args[0], ast.Starred) else None
    return named or first


def _is_fixed(module: Module, given: ast.expr) -> bool:
    """Whether nothing that a call computes or is given goes into an argument."""
    scope = module.scope_at(given)
    return all(_is_fixed_part(part, scope) for part in ast.walk(given))


def _is_fixed_part(part: ast.AST, scope: Scope) -> bool:
    if isinstance(part, ast.Attribute | ast.Call):
        name = dotted_name(part.func if isinstance(part, ast.Call) else part, scope)
        return (name or "").startswith(LIBRARY)
    if isinstance(part, ast.Name):
        found, bound = scope.lookup(part.id), scope.only(part.id)
        at_top = found is not None and bound is not None and isinstance(found[0].node, ast.Module)
        defined = bound is not None and bound.kind in ("import", "function", "class")
        written = bound is not None and isinstance(bound.value, ast.Constant)
        return found is None or (at_top and (defined or written))
    return isinstance(part, WRITTEN)


def _freezes(module: Module) -> bool:
    """Whether a module says anywhere what is to be trained."""
    return any(
        (isinstance(part, ast.Attribute) and part.attr == "trainable" and isinstance(part.ctx, ast.Store))
        or (isinstance(part, ast.Constant) and part.value == "trainable")
        for part in ast.walk(module.tree)
    )


def _has_schedules(module: Module) -> bool:
    """Whether a module names the learning rate schedules of Keras."""
    names = (getattr(part, "attr", getattr(part, "name", "")) for part in ast.walk(module.tree))
    modules = (getattr(part, "module", "") for part in module.tree.body)
    return any("schedules" in str(each).split(".") for each in (*names, *modules))


def _is_kept(module: Module, optimizer: ast.expr) -> bool:
    """Whether the optimizer has a name, and is not made again under it just before."""
    scope = module.scope_at(optimizer)
    found = scope.lookup(optimizer.id) if isinstance(optimizer, ast.Name) else None
    if found is None:
        return False
    made = [called_name(each.value, scope) for each in found[1] if isinstance(each.value, ast.Call)]
    return found[0] is not scope or all(each == "builtins.getattr" for each in made)


def _rate_alone(module: Module, optimizer: ast.expr) -> ast.expr | None:
    """The learning rate of `SGD(rate)`, where nothing else is said of it."""
    known = called_name(optimizer, module.scope_at(optimizer)) in FORGETFUL
    given = all_given(optimizer) if isinstance(optimizer, ast.Call) and known else []
    named = isinstance(optimizer, ast.Call) and all(each.arg in RATES for each in optimizer.keywords)
    plain = len(given) == 1 and named and not isinstance(given[0], ast.Call | ast.Lambda | ast.Starred)
    return given[0] if plain else None


def _compilings(module: Module) -> Iterator[ast.Call]:
    """Where models are compiled; a pattern is no model."""
    for placed in module.walk.calls:
        pattern = called_name(placed.node, placed.scope) == "re.compile"
        if isinstance(placed.node, ast.Call) and method_name(placed.node) == "compile" and not pattern:
            yield placed.node


def _under(module: Module, statement: ast.Expr, test: str, otherwise: str = "") -> Edit | None:
    """The statement under an `if`, with what is done else."""
    last, indent = last_line(statement), indent_of(module, statement)
    lines = module.text.splitlines(keepends=True)[statement.lineno - 1 : last]
    alone = lines[-1].rstrip().endswith(")") and ";" not in lines[-1]
    if indent is None or not alone or has_long_texts(statement):
        return None
    body = "".join(f"{SHIFT}{line}" if line.strip() else line for line in lines).rstrip("\r\n")
    end = f"\n{indent}else:\n{indent}{SHIFT}{otherwise}\n" if otherwise else "\n"
    return module.replace_lines(statement.lineno, last, f"{indent}if {test}:\n{body}{end}")


def compiled_again(module: Module, changed: ast.AST, trained: ast.AST) -> Edit | None:
    """The statement that compiled a model, again after the one that changed what it trains.

    `trained` is the call of `fit`; None unless all stand in one block, and one `compile` of that model there.
    """
    method = trained.func if isinstance(trained, ast.Call) else None
    for here in (changed, *around(module, changed)) if isinstance(method, ast.Attribute) else ():
        if not isinstance(here, ast.Assign | ast.For):
            continue
        block = block_of(module, here)
        before = [each for each in block[: block.index(here)] if _compiles(each, method)]
        if len(before) == 1:
            text = f"{' ' * here.col_offset}{module.source_of(before[0])}\n"
            return module.insert_after(last_line(here), text)
    return None


def _compiles(statement: ast.stmt, trained: ast.AST | None) -> bool:
    """Whether a statement is `model.compile(…)`, of the model that is trained."""
    method = getattr(statement.value, "func", None) if isinstance(statement, ast.Expr) else None
    model = place_of(method.value) if isinstance(method, ast.Attribute) and method.attr == "compile" else ""
    return bool(model) and isinstance(trained, ast.Attribute) and model == place_of(trained.value)


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
    own = any(function.name == "compile" for each in modules for function in each.functions.values())
    compiled = [(found, each.scope_at(found)) for each in modules for found in _compilings(each)]
    if model is None or own or not compiled or not all(_keras_can_make(*each) for each in compiled):
        return None
    again = f"    {model}.compile_from_config({model}.get_compile_config())"
    return insert_lines_after(module, statement, f"if {model}.compiled:", again)


def _statement(module: Module, changed: ast.AST) -> ast.stmt | None:
    """The assignment, or the loop over layers around it; None where that does more."""
    outside = [changed, *around(module, changed)]
    assigned = next((each for each in outside if isinstance(each, ast.Assign)), None)
    if assigned is None:
        return None
    root = place_of(assigned.targets[0]).partition(".")[0]
    loops = [each for each in outside if isinstance(each, ast.For) and place_of(each.target) == root]
    if not loops:
        return assigned
    return loops[0] if len(loops) == 1 and not loops[0].orelse and _only_freezes(loops[0].body) else None


def _only_freezes(statements: Sequence[ast.stmt]) -> bool:
    return all(
        (isinstance(each, ast.Assign) and getattr(each.targets[0], "attr", "") == "trainable")
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
        return spelled if this is not None and place_of(receiver).startswith(f"{this}.") else None
    return _as_parameter(here, there, receiver)


def _is_one_object(receiver: ast.expr, scope: Scope) -> bool:
    """Whether a name stands for the same object throughout; attributes are taken for such."""
    return scope.only(place_of(receiver).partition(".")[0]) is not None


def _is_only_called(modules: Sequence[Module], function: Function) -> bool:
    """Whether a function is called by its name and never given away, and no callback of Keras' has it."""
    bases = base_names(function.owner, function.home.walk.root) if function.owner is not None else ()
    uses = ((module, use) for module in modules for use in uses_of([module], function.name))
    of_keras = any(each.startswith("keras.callbacks.") for each in bases)
    return not of_keras and all(call_of(*use) is not None for use in uses)


def _as_parameter(here: Body, there: Body, receiver: ast.expr) -> str | None:
    """The one parameter for which each call next to `fit` gives the model."""
    named: set[str] = set()
    for call in ast.walk(there.function.node):
        found = called_function(call, there.scope) if isinstance(call, ast.Call) else None
        if isinstance(call, ast.Call) and found is not None and found.node is here.function.node:
            given = bind_arguments(call, here.function).items()
            named |= {name for name, value in given if ast.unparse(value) == ast.unparse(receiver)}
    alone = {name for name in named if len(here.scope.bindings.get(name, [])) == 1}
    return alone.pop() if len(alone) == 1 else None


def _keras_can_make(call: ast.Call, scope: Scope) -> bool:
    """Whether Keras can make all that `compile` was given again, from the names and numbers of it."""
    plain = all(each.arg is not None for each in call.keywords)
    return plain and all(_is_known_to_keras(each, scope) for each in all_given(call))


def _is_known_to_keras(given: ast.expr, scope: Scope, depth: int = 0) -> bool:
    if isinstance(given, ast.Constant):
        return True
    if isinstance(given, ast.List | ast.Tuple | ast.Dict):
        parts = given.values if isinstance(given, ast.Dict) else given.elts
        return all(_is_known_to_keras(each, scope, depth) for each in parts)
    if isinstance(given, ast.Call):
        return called_name(given, scope).startswith(OF_KERAS)
    bound = scope.only(given.id) if isinstance(given, ast.Name) and depth < 2 else None
    value = bound.value if bound is not None else None
    return value is not None and _is_known_to_keras(value, scope, depth + 1)
