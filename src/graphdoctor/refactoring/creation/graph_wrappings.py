"""`tf.function(f)` that each call makes again → kept beside `f`, by the object, or by its maker."""

import ast

from graphdoctor.model import Edit
from graphdoctor.refactoring.syntax.graph_functions import TF_FUNCTION
from graphdoctor.refactoring.syntax.imports import import_of, tensorflow_at
from graphdoctor.refactoring.syntax.statements import drop_statement, insert_lines_after
from graphdoctor.source.calls import called_name
from graphdoctor.source.def_use import names_read
from graphdoctor.source.functions import Function
from graphdoctor.source.module import Module
from graphdoctor.source.names import dotted_name
from graphdoctor.source.resolving import class_around, definition_of, has_attribute, init_of, is_self
from graphdoctor.source.scopes import Placed, Scope
from graphdoctor.source.surroundings import (
    around,
    first_line,
    indent_of,
    last_line,
    name_given,
    statement_around,
)

DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
MAKER = "graph_function_of"
Edits = tuple[Edit, ...]


def kept_by_closure(module: Module, call: ast.Call, placed: Placed) -> Edits | None:
    """`graph = tf.function(f)` in the function that a decorator returns → before it, where `f` is known.

    None unless all that it is made of are what the function around is given, and gives no other value.
    """
    inner = module.functions.get(placed.scope.node)
    outer = inner.placed.scope if inner is not None else None
    if inner is None or outer is None or not isinstance(outer.node, DEFINITIONS) or placed.loops:
        return None
    if not isinstance(inner.node, DEFINITIONS) or not _is_made_of_parameters(call, outer, placed.scope):
        return None
    statement = statement_around(module, call)
    given = name_given(statement, call)
    name = given or "graph_function"
    own = len(placed.scope.bindings.get(name, ()))
    if statement is None or indent_of(module, statement) is None or outer.lookup(name) is not None:
        return None
    after = drop_statement(module, statement) if given else module.replace(call, name)
    if after is None or own != bool(given):
        return None
    line = f"{' ' * inner.node.col_offset}{name} = {module.source_of(call)}\n\n"
    return module.insert(first_line(inner.node), 1, line), after


def _is_made_of_parameters(call: ast.Call, outer: Scope, inner: Scope) -> bool:
    """Whether a call reads parameters of the outer function, and nothing else of both."""
    names = names_read(call)
    own = [outer.bindings[name] for name in names if name in outer.bindings]
    given = all([binding.kind for binding in bindings] == ["parameter"] for bindings in own)
    return bool(own) and given and names.isdisjoint(inner.bindings)


def kept_wrapping(module: Module, call: ast.Call, placed: Placed) -> Edits | None:
    """`tf.function(f)` in a function → the same object each time: beside `f`, or in `__init__`."""
    scope, wrapped = placed.scope, call.args[0] if call.args else None
    if called_name(call, scope) != TF_FUNCTION or scope.function is None:
        return None
    if isinstance(wrapped, ast.Name):
        return _beside(module, call, wrapped, scope)
    if isinstance(wrapped, ast.Attribute) and is_self(wrapped.value):
        return _in_init(module, call, f"_graph_{wrapped.attr.lstrip('_')}", scope)
    if isinstance(wrapped, ast.Lambda):
        around_it = module.scope_at(call)
        if {name for name in names_read(call) if name in around_it.bindings} == {"self"}:
            return _in_init(module, call, "_graph_function", scope)
    return None


def _beside(module: Module, call: ast.Call, wrapped: ast.Name, scope: Scope) -> Edits | None:
    found, name = scope.only(wrapped.id), f"graph_{wrapped.id}"
    definition = found.node if found is not None else None
    if not isinstance(definition, ast.FunctionDef) or definition not in module.tree.body:
        return None
    options = [names_read(each) for each in (*call.args[1:], *call.keywords)]
    if scope.lookup(name) is not None or any(options):
        return None
    text = f"\n\n{name} = {module.source_of(call)}\n"
    return module.insert_after(last_line(definition), text), module.replace(call, name)


def _in_init(module: Module, call: ast.Call, name: str, scope: Scope) -> Edits | None:
    owner = class_around(scope)
    init = init_of(owner)
    if init is None or owner is None or scope.function is None or scope.function.node is init:
        return None
    text = f"self.{name} = {module.source_of(call)}"
    made = insert_lines_after(module, init.body[-1], text) if not has_attribute(owner, name) else None
    return (made, module.replace(call, f"self.{name}")) if made is not None else None


def remembering(module: Module, call: ast.Call, placed: Placed) -> Edits | None:
    """`tf.function(f)` for any `f` → a function beside that makes one for each `f`, and remembers it."""
    found, known = import_of(module, placed.scope, "functools"), tensorflow_at(module, placed.scope)
    wrapped = call.args[0] if len(call.args) == 1 else None
    if found is None or known is None or placed.scope.lookup(MAKER) is not None:
        return None
    if called_name(call, placed.scope) != TF_FUNCTION or not isinstance(wrapped, ast.Name | ast.Attribute):
        return None
    local = definition_of(wrapped.id, placed.scope) if isinstance(wrapped, ast.Name) else None
    if local is not None and local[1] not in module.tree.body:
        return None  # a new function at each call, which nobody meets again
    options = "".join(f", {module.source_of(each)}" for each in call.keywords)
    text = (
        f"@{found[0]}.lru_cache(maxsize=None)\ndef {MAKER}(function):\n"
        f"    return {known[0]}.function(function{options})\n\n\n"
    )
    made = module.insert(first_line([*around(module, call)][-2]), 1, text)
    return made, module.replace(call, f"{MAKER}({module.source_of(wrapped)})"), *found[1], *known[1]


def remembered(function: Function) -> Edits | None:
    """A factory or property that makes a graph function → one that remembers what it made."""
    module, node, scope = function.home, function.node, function.placed.scope
    found = import_of(module, scope, "functools")
    if not isinstance(node, ast.FunctionDef) or found is None:
        return None
    for decorator in node.decorator_list:
        if dotted_name(decorator, scope) == "builtins.property":
            return module.replace(decorator, f"{found[0]}.cached_property"), *found[1]
    if node.decorator_list or function.owner is not None:
        return None
    before = module.lines[node.lineno - 1][: node.col_offset]
    return module.insert(node.lineno, 1, f"{before}@{found[0]}.lru_cache(maxsize=None)\n"), *found[1]
