"""Names: where they live, reading and writing them."""

import ast
import builtins
from typing import Any, Final

from graphdoctor.dryrun.control.self_closing_guards import note_read
from graphdoctor.dryrun.core.context import Scope, SourceModule
from graphdoctor.dryrun.core.machine import Machine, expression
from graphdoctor.dryrun.gradients.rebound_variables import replacing
from graphdoctor.dryrun.staleness.captured_state import (
    captured,
    note_hidden,
    note_late_binding,
    note_rebinding,
)
from graphdoctor.dryrun.staleness.recurrences import STEPPING, moved_on, stepped
from graphdoctor.dryrun.staleness.state_readers import CONTAINERS
from graphdoctor.dryrun.values import (
    UNKNOWN,
    AbstractNumber,
    Class,
    Function,
    GraphFunction,
    Library,
    Module,
    Value,
)
from graphdoctor.source.unbound import GIVEN, bound_names

# What nobody changes in place, and no graph makes a constant of.
NEVER_CHANGED: Final = frozenset((Library, Module, Class, Function, GraphFunction))
BUILTINS: Final[dict[str, Value]] = {name: Library(f"builtins.{name}") for name in dir(builtins)}


def holder_of(machine: Machine, name: str) -> Scope | None:
    """The scope in which a name that is read here is found."""
    activation = machine.activations[-1]
    scope = activation.scope
    if name not in scope.global_names:
        if name in scope.cells:
            return scope
        outer = scope.parent
        while outer is not None:
            if outer.kind != "class" and name in outer.cells:
                return outer
            outer = outer.parent
    top = activation.module.scope
    return top if name in top.cells else None


@expression(ast.Name)
def evaluate_name(machine: Machine, node: ast.Name) -> Value:
    name = node.id
    activation = machine.activations[-1]
    scope = activation.scope
    value: Any = scope.cells.get(name)
    kind = value.__class__
    if value is not None and name not in scope.global_names:
        if machine.reading is not None:
            note_read(machine, scope.cells, name, value)
        if scope.kind == "module":
            machine.log.readers.note(machine, scope, name, value, node)
        elif kind in CONTAINERS:
            machine.log.readers.note_container(machine, value, node)
        if machine.loops and kind in STEPPING:
            return stepped(machine, value, scope.cells, name)
        return value  # type: ignore[no-any-return]
    holder = holder_of(machine, name)
    if holder is None:
        found = BUILTINS.get(name)
        if found is None and is_bound_nowhere(activation.module, name):
            machine.end()
        return found or UNKNOWN
    value = holder.cells[name]
    if machine.reading is not None:
        note_read(machine, holder.cells, name, value)
    if value.__class__ not in NEVER_CHANGED:
        machine.log.readers.note(machine, holder, name, value, node)
        if machine.graphs:
            kind = "global" if holder.kind == "module" else "cell"
            captured(machine, holder.cells, name, value, node, kind, name, holder.graph)
    function = activation.function
    if function is not None and (function.origin.loops or function.node.__class__ is ast.Lambda):
        note_late_binding(machine, function, holder, name, node)
    if machine.loops and value.__class__ in STEPPING:
        return stepped(machine, value, holder.cells, name)
    return value  # type: ignore[no-any-return]


def is_bound_nowhere(module: SourceModule, name: str) -> bool:
    """Whether nothing in a module of Python gives a name its value; shells may, in a notebook."""
    bound = bound_names(module.syntax.tree) if module.path.endswith(".py") else None
    return bound is not None and name not in bound and name not in GIVEN


def bind_name(machine: Machine, name: str, value: Value, node: ast.AST, counted: bool = False) -> None:
    """Give a name its value, in the scope where Python would; `counted`: by `+=`."""
    activation = machine.activations[-1]
    scope = _target_scope(machine, name)
    own = scope is activation.scope
    if not own and scope.kind != "comprehension" and machine.is_outer(scope.graph):
        note_rebinding(machine, scope, name, value, node, counted)
    elif not own and machine.graph is not None:
        note_hidden(machine, scope, name, value, node, counted)
    if own:
        activation.bound[name] = node
    cells = scope.cells
    if not own or not activation.passing:
        machine.note_written(cells, name, node)
    else:
        machine.stamps[id(cells), name] = machine.steps
    old = cells.get(name)
    if value.__class__ is AbstractNumber:
        value = moved_on(machine, value, cells, name)
    machine.heap.put(cells, name, value if old is None else replacing(machine, value, old, node))


def _target_scope(machine: Machine, name: str) -> Scope:
    here = scope = machine.activations[-1].scope
    if here.kind == "function" and not here.global_names and not here.outer_names:
        return here
    while scope.kind == "comprehension" and scope.parent is not None:
        scope = scope.parent
    if name in scope.global_names:
        return machine.module.scope
    if name in scope.outer_names:
        outer = scope.parent
        while outer is not None and (name not in outer.cells or outer.kind == "class"):
            outer = outer.parent
        return outer or scope
    return here


@expression(ast.NamedExpr)
def evaluate_walrus(machine: Machine, node: ast.NamedExpr) -> Value:
    value = machine.evaluate(node.value)
    scope = machine.scope
    while scope.kind == "comprehension" and scope.parent is not None:
        scope = scope.parent
    machine.heap.put(scope.cells, node.target.id, value)
    return value
