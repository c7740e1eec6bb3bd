"""Whether an expression that runs again gives another value: what it draws or is given."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from graphdoctor.dryrun.arguments import Arguments
from graphdoctor.dryrun.values import Array, DType, Known, Library, Tensor, Value
from graphdoctor.source.module import Module
from graphdoctor.source.names import dotted_name
from graphdoctor.source.remembering import remembered
from graphdoctor.source.scopes import Binding, Scope

LIBRARIES = ("tensorflow.", "numpy.", "keras.", "math.")
# The same number everywhere: who gives them another size has other arguments as well, and a new trace.
UNIFORM = ("zeros", "ones", "zeros_like", "ones_like", "eye")
DRAWN = (".random", "timestamp")
PLAIN = tuple(f"builtins.{name}" for name in ("len", "range", "int", "float", "list", "tuple"))
CONVERSIONS = ("array", "asarray", "cast", "constant", "convert_to_tensor")
DEEPEST = 4


@remembered(256)
def may_differ(syntax: Module, node: ast.AST) -> bool:
    """Whether it draws, or hangs on what it is given: a parameter, an element, an attribute, a call."""
    return not isinstance(node, ast.expr) or _may_differ(node, syntax.scope_at(node), 0)


def note_recipe(name: str, arguments: Arguments, result: Value, node: ast.AST) -> None:
    """Note of which known numbers a function has computed an array or eager tensor."""
    if not isinstance(result, (Array, Tensor)) or result.origin.node is not node or arguments.loose:
        return
    if result.origin.graph is not None or any(word in name for word in DRAWN):
        return
    parts = [_ingredient(value) for value in (*arguments.positional, *arguments.keywords.values())]
    if all(part is not None for part in parts):
        result.origin.recipe = (name, *parts, *arguments.keywords)


def _ingredient(value: Value) -> tuple[object, ...] | None:
    if isinstance(value, Known):
        return (type(value.value), value.value)
    if isinstance(value, (DType, Library)):
        return (value.name,)
    return value.origin.recipe if isinstance(value, (Array, Tensor)) else None


def draws(syntax: Module, node: ast.AST) -> bool:
    """Whether its own text draws a random number, or asks the clock."""
    calls = [part for part in ast.walk(node) if isinstance(part, ast.Call)]
    names = [dotted_name(call.func, syntax.scope_at(call)) or "" for call in calls]
    return any(word in name for name in names for word in DRAWN)


def _may_differ(node: ast.AST, scope: Scope, depth: int) -> bool:
    if isinstance(node, ast.Call):
        return _call_may_differ(node, scope, depth)
    if isinstance(node, ast.Name):
        return _name_may_differ(node.id, scope, depth)
    if isinstance(node, ast.Attribute):
        return not (dotted_name(node, scope) or "").startswith(LIBRARIES)
    parts = (part for part in ast.iter_child_nodes(node) if not isinstance(part, ast.expr_context))
    return any(_may_differ(part, scope, depth) for part in parts if isinstance(part, ast.expr))


def _call_may_differ(node: ast.Call, scope: Scope, depth: int) -> bool:
    name = dotted_name(node.func, scope) or ""
    if not name.startswith(LIBRARIES) and name not in PLAIN:
        return True
    if any(word in name for word in DRAWN):
        return True
    given = [*node.args, *(keyword.value for keyword in node.keywords)]
    uniform = name.rpartition(".")[2] in UNIFORM
    return not uniform and any(_may_differ(value, scope, depth) for value in given)


def _name_may_differ(name: str, scope: Scope, depth: int) -> bool:
    """A name is the same again where each value that it gets is, or what that was is only converted."""
    bindings = list(_bindings(name, scope))
    if not bindings or depth > DEEPEST:
        return True
    if any(binding.kind not in ("value", "import") for _, binding in bindings):
        return True
    values = [(home, binding.value) for home, binding in bindings if binding.value is not None]
    own = [_mentions(value, name) for _, value in values]
    return any(
        not _is_conversion(value, home) if is_own else _may_differ(value, home, depth + 1)
        for (home, value), is_own in zip(values, own, strict=True)
    )


def _bindings(name: str, scope: Scope) -> Iterator[tuple[Scope, Binding]]:
    """Where a name gets its values: also in the functions that call it `global` or `nonlocal`."""
    found = scope.lookup(name)
    for binding in found[1] if found is not None else ():
        if found is not None and not isinstance(binding.node, (ast.Global, ast.Nonlocal)):
            yield found[0], binding
    for inner in scope.home.walk.scopes.values() if scope.home is not None else ():
        if name in inner.outer_names:
            yield from ((inner, binding) for binding in inner.bindings.get(name, ()))


def _is_conversion(node: ast.expr, scope: Scope) -> bool:
    name = dotted_name(node.func, scope) if isinstance(node, ast.Call) else None
    return (name or "").startswith(LIBRARIES) and (name or "").rpartition(".")[2] in CONVERSIONS


def _mentions(node: ast.AST, name: str) -> bool:
    return any(isinstance(part, ast.Name) and part.id == name for part in ast.walk(node))
