"""What staged branches and loops carry: the names, attributes and items that their text sets."""

import ast
from collections.abc import Iterable

from graphdoctor.dryrun.core.machine import Machine
from graphdoctor.dryrun.tracing.operations import paths_of
from graphdoctor.dryrun.values import (
    REST,
    Cells,
    Constant,
    Dictionary,
    Given,
    Instance,
    Opaque,
    Tensor,
    Value,
)
from graphdoctor.dryrun.values.dtypes import dtype_of
from graphdoctor.dryrun.values.joining import MISSING, python_type, same
from graphdoctor.source.def_use import DefUse, def_use_of
from graphdoctor.source.nodes import spelled
from graphdoctor.source.remembering import remembered

NESTED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


class Carried:
    """A name, or `self.h` or `d["a"]` of a name, that staged code sets: its cell and its value before.

    `is_open`: what holds it may have more than we know, so that a missing value means nothing.
    """

    __slots__ = ("before", "cells", "is_name", "is_open", "key", "name")

    def __init__(self, cells: Cells, key: object, name: str, is_name: bool, is_open: bool = False) -> None:
        self.cells = cells
        self.key = key
        self.name = name
        self.is_name = is_name
        self.is_open = is_open
        self.before: Value = cells.get(key, MISSING)


def carried_by(machine: Machine, statements: Iterable[ast.AST]) -> list[Carried]:
    """What the text of some statements sets, functions inside left out; AutoGraph looks at no more."""
    cells = machine.scope.cells
    found: dict[str, Carried] = {}
    for target in _targets(tuple(statements)):
        if isinstance(target, ast.FunctionDef):
            found.setdefault(target.name, Carried(cells, target.name, target.name, True))
        elif isinstance(target, ast.Name):
            found.setdefault(target.id, Carried(cells, target.id, target.id, True))
        elif isinstance(target, (ast.Attribute, ast.Subscript)) and isinstance(target.value, ast.Name):
            part = _part(machine, cells.get(target.value.id), target)
            if part is not None:
                found.setdefault(part.name, part)
    return list(found.values())


@remembered(4096)
def _targets(statements: tuple[ast.AST, ...]) -> tuple[ast.expr | ast.FunctionDef, ...]:
    found: list[ast.expr | ast.FunctionDef] = []
    todo = list(statements)
    for current in todo:  # it grows meanwhile
        if (
            isinstance(current, (ast.Name, ast.Attribute, ast.Subscript))
            and isinstance(current.ctx, ast.Store)
        ) or isinstance(current, ast.FunctionDef):
            found.append(current)
        if not isinstance(current, NESTED):
            todo += ast.iter_child_nodes(current)
    return tuple(found)


def _part(machine: Machine, holder: object, target: ast.Attribute | ast.Subscript) -> Carried | None:
    name = spelled(target)
    if isinstance(target, ast.Attribute) and isinstance(holder, Instance):
        is_open = holder.unknown_start or bool(holder.cls.libraries) or holder.cls.is_open
        is_open = is_open or holder.cls.find(target.attr) is not None
        return Carried(holder.cells, target.attr, name, False, is_open)
    if isinstance(holder, Dictionary) and isinstance(target, ast.Subscript) and is_plain_key(target.slice):
        constant = target.slice.value if isinstance(target.slice, ast.Constant) else None
        key = constant if constant is not None else _key(machine, target.slice)
        return Carried(holder.cells, key, name, False, REST in holder.cells or constant is None)
    return None


def is_plain_key(key: ast.expr) -> bool:
    """Whether AutoGraph carries `d[key]`: a constant, a name, an attribute of one (run on 2.21)."""
    while isinstance(key, ast.Attribute):
        key = key.value
    return isinstance(key, (ast.Constant, ast.Name))


def _key(machine: Machine, key: ast.expr) -> object:
    found = machine.evaluate(key)
    return found.value if isinstance(found, Constant) else REST


def become_tensors(machine: Machine, carried: list[Carried], node: ast.AST) -> None:
    """A number that a loop changes is a tensor in it; what was a tensor belongs to the loop's graph."""
    for each in carried:
        value = each.cells.get(each.key)
        if isinstance(value, Tensor):
            machine.heap.put(each.cells, each.key, value.moved(machine.origin(node)))
        elif isinstance(value, (Given, Opaque)):
            paths = paths_of(machine, value)
            if paths:
                answer = isinstance(value, Opaque) and value.gradient
                machine.heap.put(each.cells, each.key, Opaque(paths, answer, machine.origin(node)))
        elif isinstance(value, Value) and python_type(value):
            machine.heap.put(each.cells, each.key, Tensor(dtype_of(value), (), machine.origin(node)))


def move_out(machine: Machine, carried: list[Carried], before: dict[object, Value]) -> None:
    """What staged code left belongs to the graph around it, as tensors."""
    cells = machine.scope.cells
    places = [(cells, name, before.get(name, MISSING)) for name in list(cells)]
    places += [(each.cells, each.key, each.before) for each in carried if not each.is_name]
    for holder, key, old in places:
        value = holder.get(key)
        if old is value or not isinstance(value, Value):
            continue
        if isinstance(value, Tensor) and value.graph is not None and value.graph is not machine.graph:
            machine.heap.put(holder, key, value.moved(machine.origin(value.origin.node or ast.Pass())))
        elif python_type(value) and (old is MISSING or not same(old, value)):
            origin = machine.origin(machine.activation.node or ast.Pass())
            if old is not MISSING or not isinstance(value, Constant):
                machine.heap.put(holder, key, Tensor(dtype_of(value), (), origin))


def is_read_later(machine: Machine, name: str, after: ast.stmt) -> bool:
    """Whether a name may be read after a statement, before it is set again: AutoGraph asks the same."""
    return bool(_def_use(machine).reads_after(after, name, nested=False))


def is_handed_on(machine: Machine, name: str, loop: ast.For | ast.While) -> bool:
    """Whether a loop hands a name on, to its next iteration or to the code after it."""
    return bool(_def_use(machine).reads_from(loop, name))


def _def_use(machine: Machine) -> DefUse:
    function = machine.activation.function
    return def_use_of(function.node if function is not None else machine.module.syntax.tree)
