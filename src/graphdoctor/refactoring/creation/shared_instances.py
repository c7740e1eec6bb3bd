"""Objects made again and again, each with a graph function of its own → one, where all are alike."""

import ast
from collections.abc import Iterator, Sequence

from graphdoctor.model import Edit
from graphdoctor.refactoring.creation.hoisting import hoist_value
from graphdoctor.refactoring.syntax.function_flow import accesses_of, changes, has_name
from graphdoctor.refactoring.syntax.imports import import_of
from graphdoctor.refactoring.syntax.resolving import class_around, definition_of, is_self, method_of
from graphdoctor.refactoring.syntax.statements import is_docstring
from graphdoctor.refactoring.syntax.temporaries import name_for
from graphdoctor.source.def_use import Kind, Use
from graphdoctor.source.functions import Function
from graphdoctor.source.module import Module
from graphdoctor.source.names import dotted_name
from graphdoctor.source.scopes import Placed

BASES = ("builtins.object", "tensorflow.Module")
TENSORS = ("tensorflow.constant", "tensorflow.convert_to_tensor", "tensorflow.cast")
STATELESS = (*TENSORS, "builtins.int", "builtins.float", "builtins.bool", "builtins.str", "builtins.tuple")
COPIES = ("builtins.dict", "builtins.list", "builtins.set")
ASKED = (Use.ELEMENT, Use.COMPUTED)
ASKING = ("get", "items", "keys", "values", "index", "count")
HOLDING = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp, ast.GeneratorExp)
Made = tuple[Module, ast.Call, Placed]


def object_made_once(modules: Sequence[Module], method: Function) -> tuple[Edit, ...] | None:
    """The edits that make the object of a method once: before the loop, or once for each set of arguments.

    None where it is made in several places, or may be changed: then each is an object of its own.
    """
    owner = method.owner
    if owner is None or not never_changes(modules, method.home, owner):
        return None
    made = list(_makings(modules, owner))
    if len(made) != 1:
        return None
    module, call, placed = made[0]
    given = [*call.args, *(each.value for each in call.keywords)]
    if any(not isinstance(each, ast.Name | ast.Attribute | ast.Constant) for each in given):
        return None
    if placed.loops:
        return hoist_value(module, call, name_for(call))
    return class_remembered(module, call, placed) if placed.scope.function is not None else None


def class_remembered(module: Module, call: ast.Call, placed: Placed) -> tuple[Edit, ...] | None:
    """A function beside the class that makes one object for each set of arguments, and remembers it."""
    found = import_of(module, placed.scope, "functools")
    top = next((s for s in module.tree.body if any(part is call for part in ast.walk(s))), None)
    maker = f"{name_for(call)}_of"
    if found is None or top is None or not isinstance(call.func, ast.Name) or has_name(module, maker):
        return None
    made_of = call.func.id
    bound = module.walk.root.bindings.get(made_of, [])
    if len(bound) != 1 or getattr(bound[0].node, "lineno", top.lineno) >= top.lineno:
        return None
    line = min([top.lineno, *(each.lineno for each in getattr(top, "decorator_list", []))])
    text = f"{maker} = {found[0]}.lru_cache(maxsize=None)({made_of})\n\n\n"
    return (module.insert(line, 1, text), module.replace(call.func, maker), *found[1])


def _makings(modules: Sequence[Module], owner: ast.ClassDef) -> Iterator[Made]:
    """Where a class is called by its name."""
    for module in modules:
        for placed in module.walk.calls if owner.name in module.text else ():
            call = placed.node
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name):
                found = definition_of(call.func.id, placed.scope)
                if found is not None and found[1] is owner:
                    yield module, call, placed


def never_changes(modules: Sequence[Module], home: Module, owner: ast.ClassDef) -> bool:
    """Whether an object holds what it is given and tensors, and nobody gives it anything else later."""
    init = method_of(owner, "__init__")
    if not isinstance(init, ast.FunctionDef) or owner.decorator_list or owner.keywords:
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
        return "" if ast.unparse(statement).startswith("super().__init__(") else None
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return None
    target, value = statement.targets[0], statement.value
    if not isinstance(target, ast.Attribute) or isinstance(value, HOLDING):
        return None
    copied = isinstance(value, ast.Call) and dotted_name(value.func, home.scope_at(value)) in COPIES
    if copied and not _is_only_asked(modules, target.attr):
        return None
    calls = [
        part for part in ast.walk(value) if isinstance(part, ast.Call) and not (copied and part is value)
    ]
    known = all(dotted_name(call.func, home.scope_at(call)) in STATELESS for call in calls)
    return target.attr if known else None


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
    return not any(owner.name in ast.unparse(base) for base in other.bases)
