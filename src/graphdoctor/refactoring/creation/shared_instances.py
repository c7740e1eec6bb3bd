"""Objects made again and again, each with a graph function of its own → one for each set of arguments."""

import ast
from collections.abc import Iterator, Sequence

from graphdoctor.model import Edit
from graphdoctor.refactoring.creation.graph_wrappings import remembered
from graphdoctor.refactoring.creation.hoisting import hoist_value
from graphdoctor.refactoring.syntax.imports import import_of
from graphdoctor.refactoring.syntax.temporaries import name_for
from graphdoctor.source.calls import all_given, called_name
from graphdoctor.source.def_use import Kind, Use
from graphdoctor.source.functions import Function
from graphdoctor.source.module import Module
from graphdoctor.source.names import dotted_name
from graphdoctor.source.resolving import (
    accesses_of,
    called_function,
    changes,
    class_around,
    definition_of,
    has_name,
    init_of,
    is_self,
    only_value,
)
from graphdoctor.source.scopes import Placed, Scope
from graphdoctor.source.surroundings import around, first_line, is_docstring, target_of

BASES = ("builtins.object", "tensorflow.Module")
TENSORS = ("tensorflow.constant", "tensorflow.convert_to_tensor", "tensorflow.cast")
STATELESS = (*TENSORS, "builtins.int", "builtins.float", "builtins.bool", "builtins.str", "builtins.tuple")
COPIES = ("builtins.dict", "builtins.list", "builtins.set")
ASKED = (Use.ELEMENT, Use.COMPUTED)
ASKING = ("get", "items", "keys", "values", "index", "count")
HOLDING = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp, ast.GeneratorExp)
PURE = {
    f"builtins.{name}"
    for name in (
        *("len", "min", "max", "sum", "abs", "round", "sorted", "reversed", "range", "enumerate", "zip"),
        *("dict", "list", "tuple", "set", "int", "float", "str", "bool", "any", "all", "next", "iter"),
    )
}
PURE_METHODS = (*ASKING, "lower", "upper", "split", "copy")
NUMBERS = ("builtins.int", "builtins.float", "builtins.str", "builtins.bool", "builtins.len")
BINDS = ("import", "function", "class", "value")
LEFT = (
    *(ast.Yield, ast.YieldFrom, ast.Await, ast.Global, ast.Nonlocal),
    *(ast.Try, ast.With, ast.Raise, ast.Delete),
)
Edits = tuple[Edit, ...]


def object_made_once(modules: Sequence[Module], method: Function) -> Edits | None:
    """The edits that make the object of a method once: before the loop, or once for each set of arguments.

    None where it is made in several places, or may be changed: then each is an object of its own.
    """
    owner = method.owner
    if owner is None or not _never_changes(modules, method.home, owner):
        return None
    made = list(_makings(modules, owner))
    if len(made) != 1:
        return None
    module, call, placed = made[0]
    if not all(isinstance(each, ast.Name | ast.Attribute | ast.Constant) for each in all_given(call)):
        return None
    if placed.loops:
        return hoist_value(module, call, name_for(call))
    return _class_remembered(module, call) if placed.scope.function is not None else None


def made_once_for_each(modules: Sequence[Module], module: Module, given: ast.expr) -> Edits | None:
    """The edits that let the class, or the function that makes an argument, remember what it made.

    None where objects may be changed, or a function may make another one of the same arguments.
    """
    call = _making_of(module, given)
    if call is None:
        return None
    owner = _class_of(call, module.scope_at(call))
    if owner is not None:
        return _class_remembered(module, call) if _never_changes(modules, *owner) else None
    factory = called_function(call, module.scope_at(call))
    if factory is None or factory.owner is not None or not _is_pure(modules, factory):
        return None
    return remembered(factory)


def is_made_of_numbers(module: Module, given: ast.expr) -> bool:
    """Whether the source shows that all that makes an object can be looked up: numbers and texts."""
    call = _making_of(module, given)
    return call is not None and all(_is_number(each, module.scope_at(call)) for each in all_given(call))


def _making_of(module: Module, given: ast.expr) -> ast.Call | None:
    """The call that makes an argument, where it is written, or where its one name gets it."""
    value = given if isinstance(given, ast.Call) else only_value(given, module.scope_at(given))
    return value if isinstance(value, ast.Call) else None


def _is_number(node: ast.expr, scope: Scope) -> bool:
    if isinstance(node, ast.Constant):
        return True
    if isinstance(node, ast.Call):
        return called_name(node, scope) in NUMBERS
    found = scope.lookup(node.id) if isinstance(node, ast.Name) else None
    for each in found[1] if found is not None else ():
        called = called_name(each.value, scope)
        counted = called == "builtins.range" or (called == "builtins.enumerate" and each.index == 0)
        written = each.kind == "value" and isinstance(each.value, ast.Constant)
        if not written and not (each.kind == "item" and counted):
            return False
    return found is not None


def _class_of(call: ast.Call, scope: Scope) -> tuple[Module, ast.ClassDef] | None:
    found = definition_of(call.func.id, scope) if isinstance(call.func, ast.Name) else None
    return (found[0], found[1]) if found is not None and isinstance(found[1], ast.ClassDef) else None


def _class_remembered(module: Module, call: ast.Call) -> Edits | None:
    """A function beside the class that makes one object for each set of arguments, and remembers it."""
    found, top = import_of(module, module.scope_at(call), "functools"), [*around(module, call)][-2]
    maker = f"{name_for(call)}_of"
    if found is None or not isinstance(call.func, ast.Name) or has_name(module, maker):
        return None
    bound = module.walk.root.only(call.func.id)
    line = first_line(top)
    if bound is None or getattr(bound.node, "lineno", line) >= getattr(top, "lineno", line):
        return None
    text = f"{maker} = {found[0]}.lru_cache(maxsize=None)({call.func.id})\n\n\n"
    return module.insert(line, 1, text), module.replace(call.func, maker), *found[1]


def _makings(modules: Sequence[Module], owner: ast.ClassDef) -> Iterator[tuple[Module, ast.Call, Placed]]:
    """Where a class is called by its name."""
    for module in modules:
        for placed in module.walk.calls if owner.name in module.text else ():
            found = _class_of(placed.node, placed.scope) if isinstance(placed.node, ast.Call) else None
            if isinstance(placed.node, ast.Call) and found is not None and found[1] is owner:
                yield module, placed.node, placed


def _never_changes(modules: Sequence[Module], home: Module, owner: ast.ClassDef) -> bool:
    """Whether an object holds what it is given and tensors, and nobody gives it anything else later."""
    init = init_of(owner)
    if init is None or owner.decorator_list or owner.keywords:
        return False
    if any(dotted_name(base, home.walk.root) not in BASES for base in owner.bases):
        return False
    kept = [_kept(modules, home, each) for each in init.body if not is_docstring(each)]
    names = {name for name in kept if name}
    if None in kept or not names:
        return False
    inside = {id(part) for part in ast.walk(init)}
    changed = ((module, one.node) for module, one in accesses_of(modules, names) if changes(one))
    return all(_is_of_another(module, node, owner) for module, node in changed if id(node) not in inside)


def _kept(modules: Sequence[Module], home: Module, statement: ast.stmt) -> str | None:
    """The attribute that a line of `__init__` sets to what has no state; empty for `super().__init__()`."""
    if isinstance(statement, ast.Expr):
        return "" if _is_made_by_base(statement.value) else None
    target = target_of(statement)
    if not isinstance(target, ast.Attribute) or not isinstance(statement, ast.Assign):
        return None
    scope, value = home.scope_at(statement), statement.value
    copied = called_name(value, scope) in COPIES
    if isinstance(value, HOLDING) or (copied and not _is_only_asked(modules, target.attr)):
        return None
    calls = [
        part for part in ast.walk(value) if isinstance(part, ast.Call) and not (copied and part is value)
    ]
    return target.attr if all(called_name(call, scope) in STATELESS for call in calls) else None


def _is_made_by_base(call: ast.expr) -> bool:
    """Whether it is `super().__init__(…)`."""
    method = call.func if isinstance(call, ast.Call) else None
    made = method.value if isinstance(method, ast.Attribute) and method.attr == "__init__" else None
    return isinstance(made, ast.Call) and getattr(made.func, "id", "") == "super"


def _is_only_asked(modules: Sequence[Module], attribute: str) -> bool:
    """Whether a list or dict is only asked for its elements, and has no other name to change it by."""
    found = [one for _, one in accesses_of(modules, (attribute,)) if not one.place.isidentifier()]
    whole = [one for one in found if not one.place.endswith("[]")]
    reads = [one for one in whole if one.kind is Kind.READ]
    asked = all(one.use in ASKED or (one.use is Use.METHOD and one.method in ASKING) for one in reads)
    return asked and not any(map(changes, (one for one in whole if one.kind is Kind.CHANGE)))


def _is_of_another(module: Module, attribute: ast.AST, owner: ast.ClassDef) -> bool:
    """Whether an attribute is that of another class, or of an object of one that does not inherit it."""
    holder, scope = getattr(attribute, "value", None), module.scope_at(attribute)
    if not isinstance(holder, ast.Name):
        return False
    found = definition_of(holder.id, scope)
    other = class_around(scope) if is_self(holder) else found[1] if found is not None else None
    if not isinstance(other, ast.ClassDef) or other is owner:
        return False
    parts = [part for base in other.bases for part in ast.walk(base)]
    return owner.name not in {getattr(part, "id", getattr(part, "attr", "")) for part in parts}


def _is_pure(modules: Sequence[Module], factory: Function) -> bool:
    """Whether a function makes an object that never changes, of its arguments and of what nobody changes."""
    scope, node = factory.scope, factory.node
    returned = [_making_of(factory.home, each.value) if each.value else None for each in factory.returns]
    made = [_class_of(each, scope) if each is not None else None for each in returned]
    if not made or any(each is None or not _never_changes(modules, *each) for each in made):
        return False
    body = node.body if isinstance(node.body, list) else [node.body]
    parts = [part for statement in body for part in ast.walk(statement)]
    return all(_is_harmless(modules, part, scope) for part in parts)


def _is_harmless(modules: Sequence[Module], part: ast.AST, scope: Scope) -> bool:
    if isinstance(part, LEFT):
        return False
    if isinstance(part, ast.Call):
        asked = isinstance(part.func, ast.Attribute) and part.func.attr in PURE_METHODS
        return asked or called_name(part, scope) in PURE or _class_of(part, scope) is not None
    read = isinstance(getattr(part, "ctx", None), ast.Load)
    if isinstance(part, ast.Attribute):
        found = scope.only(part.value.id) if isinstance(part.value, ast.Name) else None
        imported = found is not None and found.kind == "import" and not _is_changed(modules, part.attr)
        return read and (part.attr in PURE_METHODS or imported)
    if isinstance(part, ast.Name) and read:
        return _is_lasting(modules, part.id, scope)
    return read or not isinstance(part, ast.Subscript)


def _is_lasting(modules: Sequence[Module], name: str, scope: Scope) -> bool:
    """Whether a name is the function's own, or one of the file's that is bound once and never changed."""
    found, bound = scope.lookup(name), scope.only(name)
    if found is None or found[0].within(scope):
        return True
    once = bound is not None and bound.kind in BINDS and isinstance(found[0].node, ast.Module)
    return once and not _is_changed(modules, name)


def _is_changed(modules: Sequence[Module], name: str) -> bool:
    """Whether anything in the project changes what has this name, after it was made."""
    return any(changes(one) for _, one in accesses_of(modules, (name,)))
