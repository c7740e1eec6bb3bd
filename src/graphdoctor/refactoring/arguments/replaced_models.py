"""A model that another one replaces in an attribute → an argument of the graph function that uses it."""

import ast
from collections.abc import Iterator, Sequence

from graphdoctor.model import Edit
from graphdoctor.refactoring.syntax.bodies import Body, own_name
from graphdoctor.refactoring.syntax.graph_functions import decorator_of, has_option
from graphdoctor.refactoring.syntax.parameters import one_more_argument, one_more_parameter
from graphdoctor.refactoring.syntax.resolving import called_function, definition_of
from graphdoctor.source.functions import Function
from graphdoctor.source.module import Module
from graphdoctor.source.scopes import Scope


def passed(modules: Sequence[Module], method: Function, attribute: str) -> tuple[Edit, ...] | None:
    """The edits that give `self.opponent` to a decorated method at each call, in place of its own reading.

    A graph function keeps one trace for each object that it is given. None unless every use of the method is
    a call on an object of its class.
    """
    this, home, owner = own_name(Body(method)), method.home, method.owner
    decorator = decorator_of(method)
    if this is None or owner is None or decorator is None or has_option(decorator, "input_signature"):
        return None
    reads = [
        part
        for part in ast.walk(method.node)
        if isinstance(part, ast.Attribute) and ast.unparse(part) == f"{this}.{attribute}"
    ]
    stored = any(not isinstance(each.ctx, ast.Load) for each in reads)
    if not reads or stored or method.scope.lookup(attribute) is not None:
        return None
    calls = list(calls_of_method(modules, method, owner))
    edits = [one_more_parameter(method, attribute), *(home.replace(each, attribute) for each in reads)]
    for module, call in calls:
        holder = call.func.value if call is not None and isinstance(call.func, ast.Attribute) else None
        if call is None or holder is None:
            return None
        value = f"{module.source_of(holder)}.{attribute}"
        edits.append(one_more_argument(module, call, attribute, value))
    known = tuple(edit for edit in edits if edit is not None)
    return known if calls and len(known) == len(edits) else None


def calls_of_method(
    modules: Sequence[Module], method: Function, owner: ast.ClassDef
) -> Iterator[tuple[Module, ast.Call | None]]:
    """The calls of a method on objects of its class; None for any other use of its name."""
    for module in modules:
        if method.name not in module.text:
            continue
        called = {
            placed.node.func: (placed.node, placed.scope)
            for placed in module.walk.calls
            if isinstance(placed.node, ast.Call)
        }
        for part in ast.walk(module.tree):
            if isinstance(part, ast.Attribute) and part.attr == method.name:
                call, scope = called.get(part, (None, None))
                own = scope is not None and _is_object_of(part.value, scope, owner)
                plain = call is not None and not any(isinstance(each, ast.Starred) for each in call.args)
                yield module, call if own and plain else None


def calls_of_function(
    modules: Sequence[Module], function: Function
) -> Iterator[tuple[Module, ast.Call | None]]:
    """The calls of a function by its name; None for any other use of it."""
    for module in modules:
        if function.name not in module.text:
            continue
        called = {
            placed.node.func: placed for placed in module.walk.calls if isinstance(placed.node, ast.Call)
        }
        for part in ast.walk(module.tree):
            if not _names_it(part, function.name):
                continue
            placed = called.get(part) if isinstance(part, ast.expr) else None
            call = placed.node if placed is not None else None
            found = called_function(call, placed.scope) if placed and isinstance(call, ast.Call) else None
            if found is not None and found.node is not function.node:
                continue
            plain = isinstance(call, ast.Call) and not any(
                isinstance(each, ast.Starred) for each in call.args
            )
            yield module, call if found is not None and plain and isinstance(call, ast.Call) else None


def _names_it(node: ast.AST, name: str) -> bool:
    """Whether a node reads a name, imports it under another one, or asks a module for it."""
    loaded = isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load)
    renamed = isinstance(node, ast.alias) and node.name == name and node.asname is not None
    return loaded or renamed or (isinstance(node, ast.Attribute) and node.attr == name)


def _is_object_of(holder: ast.expr, scope: Scope, owner: ast.ClassDef) -> bool:
    """Whether a name stands for an object of a class: `self` in it, or what the class was called for."""
    if not isinstance(holder, ast.Name):
        return False
    found = scope.lookup(holder.id)
    if found is None or len(found[1]) != 1:
        return False
    home, (binding,) = found
    if binding.kind == "parameter":
        method = home.home.functions.get(home.node) if home.home is not None else None
        return method is not None and method.owner is owner and own_name(Body(method)) == holder.id
    value = binding.value if binding.index is None else None
    named = (
        definition_of(value.func.id, home)
        if isinstance(value, ast.Call) and isinstance(value.func, ast.Name)
        else None
    )
    return named is not None and named[1] is owner
