"""One optimizer for two models → a second one beside it, for the second model."""

import ast
from collections.abc import Iterator, Sequence

from graphdoctor.model import Edit
from graphdoctor.refactoring.creation.optimizers import APPLY
from graphdoctor.refactoring.syntax.parameters import one_more_argument
from graphdoctor.refactoring.syntax.statements import insert_lines_after
from graphdoctor.source.calls import all_given, has_stars, method_name
from graphdoctor.source.def_use import Kind, place_of
from graphdoctor.source.functions import Function
from graphdoctor.source.module import Module
from graphdoctor.source.resolving import (
    DEFINITIONS,
    attribute_values,
    class_around,
    def_use,
    has_name,
    is_self,
    only_value,
)
from graphdoctor.source.surroundings import indent_of, target_of

Site = tuple[Module, ast.Call]
Kept = tuple[Module, ast.Assign]


def second_beside(
    modules: Sequence[Module], made: ast.AST, sites: Sequence[Site], calls: Sequence[Site]
) -> tuple[Edit, ...] | None:
    """The edits that make an optimizer beside another, and use it where a second model is trained.

    `sites` apply the gradients of that model alone; where there are none, `calls` are those of the function
    around the place that applies all of them. None where it is not plain where the first one is kept.
    """
    places = [*sites, *calls]
    applied = [(module, call.func.value) for module, call in sites if isinstance(call.func, ast.Attribute)]
    if not places or len(applied) != len(sites):
        return None
    helper = _helper(modules, calls) if calls else None
    own = _applied_in(helper) if helper is not None else applied
    texts = {ast.unparse(each) for _, each in own}
    kept = _kept(modules, *own[0]) if len(texts) == 1 else None
    if kept is None:
        return None
    name = _second(texts.pop())
    makes = _made_beside(kept, made, name)
    if makes is None or any(has_name(module, name.rpartition(".")[2]) for module in modules):
        return None
    if not calls:
        return makes, *(module.replace(each, name) for module, each in applied)
    handed = _handed(helper, own, calls, name) if helper is not None else None
    return (makes, *handed) if handed is not None else None


def _second(text: str) -> str:
    holder, dot, name = text.rpartition(".")
    hidden = "_" if name.startswith("_") else ""
    return f"{holder}{dot}{hidden}second_{name.lstrip('_')}"


def _helper(modules: Sequence[Module], calls: Sequence[Site]) -> Function | None:
    """The one function that calls mean by their name, which no class overrides."""
    names = {getattr(call.func, "attr", getattr(call.func, "id", "")) for _, call in calls}
    found = [each for module in modules for each in module.functions.values() if {each.name} == names]
    plain = len(found) == 1 and isinstance(found[0].node, ast.FunctionDef) and not found[0].decorators
    return found[0] if plain else None


def _applied_in(helper: Function) -> list[tuple[Module, ast.expr]]:
    """What a function applies gradients with, wherever it names that."""
    calls = [each for each in ast.walk(helper.node) if method_name(each) in APPLY]
    place = place_of(calls[0].func.value) if len(calls) == 1 else ""  # type: ignore[attr-defined]
    reads = def_use(helper.home, helper.node).of(place, Kind.READ)
    return [(helper.home, one.node) for one in reads if isinstance(one.node, ast.expr)]


def _kept(modules: Sequence[Module], module: Module, used: ast.expr) -> Kept | None:
    """The one statement that gives an attribute of `self`, or a name that all see, the optimizer."""
    scope, holders = module.scope_at(used), list[tuple[Module, ast.AST]]()
    if isinstance(used, ast.Attribute) and is_self(used.value):
        family = _family(modules, class_around(scope))
        holders += [(home, each) for home, each in family if attribute_values(each, used.attr)]
    elif isinstance(used, ast.Name) and only_value(used, scope) is not None:
        bound = scope.lookup(used.id)
        holders += [(module, bound[0].node)] if bound is not None and bound[0].home is module else []
    found = [(home, each) for home, owner in holders for each in _assigning(owner, place_of(used))]
    return found[0] if len(found) == 1 else None


def _family(modules: Sequence[Module], owner: ast.ClassDef | None) -> Iterator[tuple[Module, ast.ClassDef]]:
    """A class, those that it inherits from, and those that inherit from it, as far as names tell."""
    classes = [(m, each) for m in modules for each in ast.walk(m.tree) if isinstance(each, ast.ClassDef)]
    known = {each.name for _, each in classes}
    names, before = {owner.name} if owner is not None else set[str](), 0
    while len(names) != before:
        before = len(names)
        for _, each in classes:
            bases = {place_of(base).rpartition(".")[2] for base in each.bases}
            if each.name in names:
                names |= bases & known
            elif bases & names:
                names.add(each.name)
    yield from ((m, each) for m, each in classes if each.name in names)


def _assigning(holder: ast.AST, place: str) -> list[ast.Assign]:
    parts = (each for each in ast.walk(holder) if isinstance(each, ast.Assign))
    return [each for each in parts if place_of(target_of(each) or each) == place]


def _made_beside(kept: Kept, made: ast.AST, name: str) -> Edit | None:
    """The line that makes the second one: by the same call, or as a copy of one that was given."""
    module, statement = kept
    first = ast.unparse(statement.targets[0])
    text = module.source_of(made) if statement.value is made else f"{first}.from_config({first}.get_config())"
    return insert_lines_after(module, statement, f"{name} = {text}")


def _handed(
    helper: Function, own: Sequence[tuple[Module, ast.expr]], calls: Sequence[Site], name: str
) -> tuple[Edit, ...] | None:
    """The edits that hand the second one to the function that applies, which takes the first without it."""
    node, module = helper.node, helper.home
    given = "optimizer" if helper.scope.lookup("optimizer") is None else "using"
    if not isinstance(node, DEFINITIONS) or helper.scope.lookup(given) is not None:
        return None
    taken = node.args
    open_ended = taken.vararg or taken.kwarg or taken.kwonlyargs or not taken.args
    if open_ended or indent_of(module, node.body[0]) is None:
        return None
    last = taken.defaults[-1] if taken.defaults else taken.args[-1]
    edits = [module.replace(last, f"{module.source_of(last)}, {given}=None")]
    edits += [home.replace(each, f"({given} or {ast.unparse(each)})") for home, each in own]
    for home, call in calls:
        more = one_more_argument(home, call, given, name) if all_given(call) and not has_stars(call) else None
        if more is None or not _sees(home, call, name):
            return None
        edits.append(more)
    return tuple(edits)


def _sees(module: Module, call: ast.Call, name: str) -> bool:
    """Whether the place of a call has the object that the optimizer is kept by."""
    if not name.startswith("self."):
        return module.scope_at(call).lookup(name.removeprefix("second_")) is not None
    return isinstance(call.func, ast.Attribute) and is_self(call.func.value)
