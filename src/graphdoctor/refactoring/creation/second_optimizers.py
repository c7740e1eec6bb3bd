"""One optimizer for two models → a second one beside it, for the second model."""

import ast
from collections.abc import Iterator, Sequence

from graphdoctor.model import Edit
from graphdoctor.refactoring.syntax.bodies import Body, body_around
from graphdoctor.refactoring.syntax.function_flow import has_name
from graphdoctor.refactoring.syntax.resolving import DEFINITIONS, attribute_values, class_around, is_self
from graphdoctor.refactoring.syntax.statements import indent_of, insert_lines_after
from graphdoctor.source.functions import Function
from graphdoctor.source.module import Module

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
    text = texts.pop() if len(texts) == 1 else None
    kept = _kept(modules, own[0][0], own[0][1]) if own and text is not None else None
    if kept is None or text is None:
        return None
    name = _second(text)
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
    names = {ast.unparse(call.func).rpartition(".")[2] for _, call in calls}
    name = names.pop() if len(names) == 1 else None
    found = [each for module in modules for each in module.functions.values() if each.name == name]
    plain = len(found) == 1 and isinstance(found[0].node, ast.FunctionDef)
    return found[0] if plain and not getattr(found[0].node, "decorator_list", ()) else None


def _applied_in(helper: Function) -> list[tuple[Module, ast.expr]]:
    """What a function applies gradients with, wherever it names that."""
    called = [
        each.func.value
        for each in ast.walk(helper.node)
        if isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute)
        if each.func.attr in ("apply_gradients", "apply", "minimize")
    ]
    text = ast.unparse(called[0]) if len(called) == 1 else None
    parts = (each for each in ast.walk(helper.node) if isinstance(each, ast.Name | ast.Attribute))
    return [(helper.home, each) for each in parts if ast.unparse(each) == text]


def _kept(modules: Sequence[Module], module: Module, used: ast.expr) -> Kept | None:
    """The one statement that gives an attribute of `self`, or a name that all see, the optimizer."""
    if isinstance(used, ast.Attribute) and is_self(used.value):
        owner = class_around(module.scope_at(used))
        found = [
            (home, each)
            for home, family in _family(modules, owner)
            if attribute_values(family, used.attr)
            for each in _assigning(family, ast.unparse(used))
        ]
        return found[0] if len(found) == 1 else None
    bound = module.scope_at(used).lookup(used.id) if isinstance(used, ast.Name) else None
    if bound is None or len(bound[1]) != 1 or bound[1][0].kind != "value" or bound[0].home is not module:
        return None
    found = [(module, each) for each in _assigning(bound[0].node, ast.unparse(used))]
    return found[0] if len(found) == 1 else None


def _family(modules: Sequence[Module], owner: ast.ClassDef | None) -> Iterator[tuple[Module, ast.ClassDef]]:
    """A class, those that it inherits from, and those that inherit from it, as far as names tell."""
    classes = [(m, each) for m in modules for each in ast.walk(m.tree) if isinstance(each, ast.ClassDef)]
    names, before = {owner.name} if owner is not None else set[str](), 0
    while len(names) != before:
        before = len(names)
        for _, each in classes:
            bases = {ast.unparse(base).rpartition(".")[2] for base in each.bases}
            known = {other.name for _, other in classes}
            if each.name in names:
                names |= bases & known
            elif bases & names:
                names.add(each.name)
    yield from ((m, each) for m, each in classes if each.name in names)


def _assigning(holder: ast.AST, text: str) -> list[ast.Assign]:
    return [
        each
        for each in ast.walk(holder)
        if isinstance(each, ast.Assign) and [ast.unparse(target) for target in each.targets] == [text]
    ]


def _made_beside(kept: Kept, made: ast.AST, name: str) -> Edit | None:
    """The line that makes the second one: by the same call, or as a copy of one that was given."""
    module, statement = kept
    first = ast.unparse(statement.targets[0])
    text = module.source_of(made) if statement.value is made else f"{first}.from_config({first}.get_config())"
    around = body_around(module, statement)
    if around is not None:
        return insert_lines_after(around.home, statement, f"{name} = {text}")
    last = statement.end_lineno or statement.lineno
    alone = not statement.col_offset and ";" not in module.lines[last - 1]
    return module.insert_after(last, f"{name} = {text}\n") if alone else None


def _handed(
    helper: Function, own: Sequence[tuple[Module, ast.expr]], calls: Sequence[Site], name: str
) -> tuple[Edit, ...] | None:
    """The edits that hand the second one to the function that applies, which takes the first without it."""
    node, module, body = helper.node, helper.home, Body(helper)
    given = "optimizer" if helper.scope.lookup("optimizer") is None else "using"
    if not isinstance(node, DEFINITIONS) or helper.scope.lookup(given) is not None:
        return None
    taken = node.args
    if (
        taken.vararg
        or taken.kwarg
        or taken.kwonlyargs
        or not taken.args
        or indent_of(body.home, node.body[0]) is None
    ):
        return None
    last = taken.defaults[-1] if taken.defaults else taken.args[-1]
    edits = [module.replace(last, f"{module.source_of(last)}, {given}=None")]
    edits += [home.replace(each, f"({given} or {ast.unparse(each)})") for home, each in own]
    for home, call in calls:
        if any(isinstance(each, ast.Starred) for each in call.args) or not _sees(home, call, name):
            return None
        ends = [*call.args, *(keyword.value for keyword in call.keywords)]
        if not ends:
            return None
        final = max(ends, key=lambda each: (each.end_lineno or 0, each.end_col_offset or 0))
        edits.append(home.replace(final, f"{home.source_of(final)}, {given}={name}"))
    return tuple(edits)


def _sees(module: Module, call: ast.Call, name: str) -> bool:
    """Whether the place of a call has the object that the optimizer is kept by."""
    if not name.startswith("self."):
        return module.scope_at(call).lookup(name.removeprefix("second_")) is not None
    return isinstance(call.func, ast.Attribute) and is_self(call.func.value)
