"""Literals, displays, texts."""

from __future__ import annotations

import ast

from graphdoctor.dryrun.iterating import element, items_of, settled
from graphdoctor.dryrun.joining import MISSING, join, perhaps_replaced
from graphdoctor.dryrun.machine import Machine, expression
from graphdoctor.dryrun.members import as_key
from graphdoctor.dryrun.staging import is_one_tensor
from graphdoctor.dryrun.texts import text_of
from graphdoctor.dryrun.values import REST, UNKNOWN, Dictionary, Known, Sequence, Value

LONGEST_DISPLAY = 2_000
KINDS: dict[type[ast.AST], str] = {ast.List: "list", ast.Tuple: "tuple", ast.Set: "set"}


@expression(ast.Constant)
def evaluate_constant(machine: Machine, node: ast.Constant) -> Value:
    return Known(node.value)


@expression(ast.List, ast.Tuple, ast.Set)
def evaluate_display(machine: Machine, node: ast.List) -> Value:
    kind = KINDS[node.__class__]
    origin = machine.origin(node)
    if len(node.elts) > LONGEST_DISPLAY:
        return Sequence(kind, None, origin, machine.evaluate(node.elts[0]), len(node.elts))
    items: list[Value] = []
    for part in node.elts:
        if part.__class__ is not ast.Starred:
            items.append(machine.evaluate(part))
            continue
        assert isinstance(part, ast.Starred)
        value = settled(machine.evaluate(part.value))
        if is_one_tensor(machine, value):
            machine.log.use("unpack", part.value, value)
        spread = items_of(machine, value)
        if spread is None:
            typical: Value = element(machine, value, part)
            for item in items:
                typical = join(typical, item)
            return Sequence(kind, None, origin, typical)
        items += spread
    return Sequence(kind, tuple(items), origin)


@expression(ast.Dict)
def evaluate_dict(machine: Machine, node: ast.Dict) -> Value:
    cells: dict[object, Value] = {}
    for key_node, value_node in zip(node.keys, node.values, strict=True):
        value = machine.evaluate(value_node)
        if key_node is None:
            if not isinstance(value, Dictionary) or REST in value.cells:
                cells.update(perhaps_replaced(cells, UNKNOWN))
            cells.update(value.cells if isinstance(value, Dictionary) else {REST: UNKNOWN})
            continue
        key = as_key(machine.evaluate(key_node))
        if isinstance(key, Known):
            cells[key.value] = value
        else:
            cells[REST] = join(cells.get(REST, MISSING), value)
    return Dictionary(cells, machine.origin(node))


@expression(ast.JoinedStr)
def evaluate_text(machine: Machine, node: ast.JoinedStr) -> Value:
    parts: list[tuple[Value, ast.AST]] = []
    for part in node.values:
        if isinstance(part, ast.FormattedValue):
            parts.append((machine.evaluate(part.value), part))
        else:
            parts.append((machine.evaluate(part), part))
    if all(isinstance(part, Known) for part, _ in parts):
        return Known("".join(str(part.value) for part, _ in parts))  # type: ignore[attr-defined]
    return text_of(machine, parts, "f-string", node)


@expression(ast.Starred)
def evaluate_starred(machine: Machine, node: ast.Starred) -> Value:
    return machine.evaluate(node.value)
