"""`import` and `from … import`."""

import ast

from graphdoctor.dryrun.core.machine import Machine, statement
from graphdoctor.dryrun.core.scopes import bind_name
from graphdoctor.dryrun.libraries.canonical_names import public_names
from graphdoctor.dryrun.values import UNKNOWN, Library, Module, Unknown, Value


@statement(ast.Import)
def run_import(machine: Machine, node: ast.Import) -> None:
    for alias in node.names:
        value = machine.program.imported(machine, alias.name, 0, machine.module)
        if alias.asname is None and "." in alias.name:
            top = alias.name.partition(".")[0]
            value = machine.program.imported(machine, top, 0, machine.module)
            bind_name(machine, top, value, node)
        else:
            bind_name(machine, alias.asname or alias.name, value, node)


@statement(ast.ImportFrom)
def run_import_from(machine: Machine, node: ast.ImportFrom) -> None:
    base = machine.program.imported(machine, node.module or "", node.level, machine.module)
    for alias in node.names:
        if alias.name == "*":
            _import_all(machine, base)
            continue
        bind_name(machine, alias.asname or alias.name, _member(machine, base, node, alias.name), node)


def _member(machine: Machine, base: Value, node: ast.ImportFrom, name: str) -> Value:
    if isinstance(base, Library):
        return machine.program.library_member(machine, base.name, name)
    if isinstance(base, Module):
        return machine.attribute(base, name, node)
    if isinstance(base, Unknown) and node.level:
        dotted = f"{node.module}.{name}" if node.module else name
        return machine.program.imported(machine, dotted, node.level, machine.module)
    return UNKNOWN


def _import_all(machine: Machine, base: Value) -> None:
    if isinstance(base, Module):
        for name, value in list(base.module.scope.cells.items()):
            if isinstance(name, str) and not name.startswith("_"):
                machine.heap.put(machine.scope.cells, name, value)
    elif isinstance(base, Library):
        for name in sorted(public_names(base.name)):
            member = machine.program.library_member(machine, base.name, name)
            machine.heap.put(machine.scope.cells, name, member)
        machine.scope.cells.setdefault("__star__", base)
