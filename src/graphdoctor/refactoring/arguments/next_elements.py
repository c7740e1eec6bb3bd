"""`next(iterator)` in a graph function → taken by its caller, or by Python when the graph runs."""

import ast
from collections.abc import Callable, Sequence
from typing import TypeGuard

from graphdoctor.model import Edit
from graphdoctor.refactoring.syntax.expressions import is_number_literal
from graphdoctor.refactoring.syntax.graph_functions import decorator_of, has_option
from graphdoctor.refactoring.syntax.imports import tensorflow_at
from graphdoctor.refactoring.syntax.parameters import more_arguments, more_parameters
from graphdoctor.refactoring.syntax.statements import drop_statement
from graphdoctor.source.calls import called_name
from graphdoctor.source.functions import Function
from graphdoctor.source.module import Module
from graphdoctor.source.resolving import attribute_values, bindings_of, called_function, calls_of
from graphdoctor.source.scopes import Scope
from graphdoctor.source.surroundings import Body, body_around, own_name, statement_of

COUNTERS = ("itertools.count", "builtins.range")
PASSED_ON = ("builtins.iter", "itertools.cycle", "itertools.chain")
NAMES = ("batch", "element", "taken", "given", "another")
SKIPPED = (ast.IfExp, ast.BoolOp, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
PLAIN = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr, ast.Return, ast.With)

IsTraced = Callable[[Module, ast.AST | None], bool]


def taken_by_caller(
    modules: Sequence[Module], function: Function, is_traced: IsTraced, as_tensor: bool = False
) -> tuple[Edit, ...] | None:
    """The edits that make what `next` gives in a graph function an argument of it.

    All the `next` of the function are moved together, in their order. None unless each runs once in each
    call, and every use of the function is a call that is not traced itself and can name the iterator.
    """
    body, decorator = Body(function), decorator_of(function)
    alone = function.decorators == [decorator]
    if decorator is None or not alone or has_option(decorator, "input_signature"):
        return None
    taken = [each.node for each in function.home.walk.calls if _is_next(each.node, body)]
    names = _names(body, taken)
    if not taken or names is None or not all(_comes_from_outside(body, each) for each in taken):
        return None
    edits = [more_parameters(function, names)]
    edits += [_read_from(body, *pair) for pair in zip(taken, names, strict=True)]
    calls = list(calls_of(modules, function))
    for module, call in calls:
        around = body_around(module, call) if call is not None else None
        if call is None or (around is not None and is_traced(module, around.function.node)):
            return None
        edits += _given(body, module, call, dict(zip(names, taken, strict=True)), as_tensor)
    known = tuple(edit for edit in edits if edit is not None)
    return known if calls and len(known) == len(edits) else None


def _given(
    body: Body, module: Module, call: ast.Call, taken: dict[str, ast.Call], as_tensor: bool
) -> tuple[Edit | None, ...]:
    """The edits that let a call give each element; None among them where the caller has not what it needs."""
    found = tensorflow_at(module, module.scope_at(call)) if as_tensor else ("", ())
    iterators = [_as_the_caller_says(body, each.args[0], module, call) for each in taken.values()]
    if found is None or not all(iterators):
        return (None,)
    texts = (f"{found[0]}.constant(next({each}))" if as_tensor else f"next({each})" for each in iterators)
    return more_arguments(module, call, dict(zip(taken, texts, strict=True))), *found[1]


def _is_next(node: ast.AST, body: Body) -> TypeGuard[ast.Call]:
    """Whether a function itself takes something from an iterator there."""
    named = called_name(node, body.scope) == "builtins.next" and body.function.node in body.ancestors(node)
    return named and isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords


def _comes_from_outside(body: Body, taken: ast.Call) -> bool:
    """Whether a `next` runs once in each call, and its iterator is there before the call."""
    node, scope = body.function.node, body.scope
    around = [each for each in body.ancestors(taken) if each is not node]
    own, *outer = [each for each in around if isinstance(each, ast.stmt)]
    always = isinstance(own, PLAIN) and all(isinstance(each, ast.With) for each in outer)
    always = always and not any(isinstance(each, SKIPPED) for each in around)
    root = taken.args[0]
    while isinstance(root, ast.Attribute):
        root = root.value
    local = isinstance(root, ast.Name) and root.id in scope.bindings and root.id != own_name(body)
    early = any(each.lineno < taken.lineno for each in body.function.returns)
    return isinstance(root, ast.Name) and always and not local and not early


def _names(body: Body, taken: Sequence[ast.Call]) -> list[str] | None:
    """The parameters: as the function itself calls what it takes, or names that are free."""
    free = [name for name in NAMES if body.scope.lookup(name) is None]
    names = [_own_target(body, each) or (free.pop(0) if free else "") for each in taken]
    return names if all(names) and len(set(names)) == len(names) else None


def _own_target(body: Body, taken: ast.Call) -> str:
    """The one name that a statement gives to what it takes, where nothing before has it."""
    statement = statement_of(body, taken)
    if not isinstance(statement, ast.Assign) or statement.value is not taken or len(statement.targets) != 1:
        return ""
    target = statement.targets[0]
    first = isinstance(target, ast.Name) and body.scope.bindings[target.id][0].node in (statement, target)
    return target.id if isinstance(target, ast.Name) and first else ""


def _read_from(body: Body, taken: ast.Call, name: str) -> Edit | None:
    """The edit that reads the parameter; the statement that only gave it this name goes."""
    statement = statement_of(body, taken)
    named = statement is not None and name == _own_target(body, taken)
    return drop_statement(body.home, statement) if statement and named else body.home.replace(taken, name)


def _as_the_caller_says(body: Body, iterator: ast.expr, module: Module, call: ast.Call) -> str | None:
    """The iterator as it is written where the function is called; None where nothing there names it."""
    this, home = own_name(body), body.home
    text = home.source_of(iterator)
    root, dot, rest = text.partition(".")
    if root == this and dot and isinstance(call.func, ast.Attribute):
        return f"{module.source_of(call.func.value)}.{rest}"
    meant, here = body.scope.lookup(root), module.scope_at(call).lookup(root)
    return text if meant is not None and here is not None and meant[0] is here[0] else None


def taken_by_the_graph(module: Module, node: ast.AST, dtype: str) -> tuple[Edit, ...] | None:
    """The edits that take one element at each call, through `tf.py_function`."""
    found = tensorflow_at(module, module.scope_at(node))
    if found is None or not isinstance(node, ast.Call) or len(node.args) != 1:
        return None
    tensorflow, imports = found
    text = f"{tensorflow}.py_function(lambda: {module.source_of(node)}, [], {tensorflow}.{dtype})"
    return (module.replace(node, text), *imports)


def gives_numbers(iterator: ast.expr, function: Function) -> bool:
    """Whether the source shows that an iterator gives Python's numbers."""
    values = _values(iterator, function)
    return bool(values) and all(_are_numbers(value, scope) for value, scope in values)


def _values(iterator: ast.expr, function: Function) -> list[tuple[ast.expr, Scope]]:
    if isinstance(iterator, ast.Attribute):
        owner = function.owner
        values = attribute_values(owner, iterator.attr) if owner is not None else []
        return [(each, function.home.scope_at(each)) for each in values]
    found = bindings_of(iterator.id, function.scope) if isinstance(iterator, ast.Name) else None
    return [(each.value, found[0]) for each in found[1] if each.value is not None] if found else []


def _are_numbers(value: ast.expr, scope: Scope) -> bool:
    if isinstance(value, ast.List | ast.Tuple):
        return bool(value.elts) and all(map(is_number_literal, value.elts))
    if not isinstance(value, ast.Call):
        return False
    name = called_name(value, scope)
    if name in COUNTERS:
        return True
    if name in PASSED_ON:
        return bool(value.args) and all(_are_numbers(each, scope) for each in value.args)
    made = called_function(value, scope)
    yields = [each for each in ast.walk(made.node) if isinstance(each, ast.Yield)] if made is not None else []
    return bool(yields) and all(each.value is not None and is_number_literal(each.value) for each in yields)
