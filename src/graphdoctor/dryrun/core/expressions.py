"""Literals, displays, texts."""

import ast
import re
from collections.abc import Callable
from typing import Any

from graphdoctor.dryrun.control.staging import is_one_tensor
from graphdoctor.dryrun.core.folding import LONGEST, TooLargeError, fold
from graphdoctor.dryrun.core.machine import Machine, expression
from graphdoctor.dryrun.values import (
    REST,
    UNKNOWN,
    AbstractNumber,
    AbstractString,
    Constant,
    Dictionary,
    Sequence,
    Value,
)
from graphdoctor.dryrun.values.class_membership import as_key
from graphdoctor.dryrun.values.iteration import distinct, element, items_of, iterated
from graphdoctor.dryrun.values.joining import MISSING, join, join_all, perhaps_replaced
from graphdoctor.dryrun.values.printed_content import text_of

CONVERSIONS: dict[int, Callable[[object], str]] = {114: repr, 97: ascii, 115: str}  # by their letters
LONGEST_DISPLAY = 2_000
KINDS: dict[type[ast.AST], str] = {ast.List: "list", ast.Tuple: "tuple", ast.Set: "set"}


@expression(ast.Constant)
def evaluate_constant(machine: Machine, node: ast.Constant) -> Value:
    return Constant(node.value)


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
        value = iterated(machine, machine.evaluate(part.value), part)
        if is_one_tensor(machine, value):
            machine.log.use("unpack", part.value, value)
        spread = items_of(machine, value)
        if spread is None:
            typical: Value = element(machine, value, part)
            for item in items:
                typical = join(typical, item)
            return Sequence(kind, None, origin, typical)
        items += spread
    if kind == "set":
        known = distinct(tuple(items))
        return Sequence(kind, known, origin, None if known is not None else join_all(items))
    return Sequence(kind, tuple(items), origin)


@expression(ast.Dict)
def evaluate_dict(machine: Machine, node: ast.Dict) -> Value:
    cells: dict[object, Value] = {}
    perhaps: set[object] = set()
    for key_node, value_node in zip(node.keys, node.values, strict=True):
        value = machine.evaluate(value_node)
        if key_node is None:
            if not isinstance(value, Dictionary) or REST in value.cells:
                cells.update(perhaps_replaced(cells, UNKNOWN))
            if isinstance(value, Dictionary):
                perhaps |= value.perhaps - cells.keys()
                cells.update(
                    {
                        key: join(cells.get(key, MISSING), item) if key in value.perhaps else item
                        for key, item in value.cells.items()
                    }
                )
            else:
                cells[REST] = UNKNOWN
            continue
        key = as_key(machine.evaluate(key_node))
        if isinstance(key, Constant):
            cells[key.value] = value
            perhaps.discard(key.value)
        else:
            cells[REST] = join(cells.get(REST, MISSING), value)
    made = Dictionary(cells, machine.origin(node))
    machine.heap.doubt(made.cells, *perhaps)
    return made


@expression(ast.JoinedStr)
def evaluate_text(machine: Machine, node: ast.JoinedStr) -> Value:
    parts: list[tuple[Value, ast.AST]] = []
    for part in node.values:
        if isinstance(part, ast.FormattedValue):
            parts.append((_formatted(machine, part), part))
        else:
            parts.append((machine.evaluate(part), part))
    if all(isinstance(part, Constant) for part, _ in parts):
        return _written([(part.value, at) for part, at in parts])  # type: ignore[attr-defined]
    made = text_of(machine, parts, "f-string", node)
    if isinstance(made, AbstractString):
        made.even = all(isinstance(part, Constant) or _width(at) is not None for part, at in parts)
    return made


def _written(parts: list[tuple[Any, ast.AST]]) -> Value:
    """A text of which all parts are known, as long as it is known how they are to be shown."""
    shown: list[str] = []
    for value, node in parts:
        spec = _spec(node)
        if spec is None:
            return AbstractNumber("str")
        try:
            shown.append(fold("format", format, value, spec) if spec else str(value))
        except (TypeError, ValueError, TooLargeError):
            return AbstractNumber("str")
    return Constant("".join(shown)) if sum(map(len, shown)) <= LONGEST else AbstractNumber("str")


def _spec(node: ast.AST) -> str | None:
    """How a part of a text is to be shown; None where the program computes it."""
    spec = node.format_spec if isinstance(node, ast.FormattedValue) else None
    if spec is None:
        return ""
    pieces = spec.values if isinstance(spec, ast.JoinedStr) else []
    if all(isinstance(piece, ast.Constant) for piece in pieces):
        return "".join(str(piece.value) for piece in pieces)  # type: ignore[attr-defined]
    return None


def _width(node: ast.AST) -> int | None:
    """The width that a part of a text is to have: 8 of `{k:08b}`."""
    found = re.match(r"(?:.?[<>=^])?[-+ ]?#?0?(\d+)", _spec(node) or "")
    return int(found[1]) if found else None


def _formatted(machine: Machine, part: ast.FormattedValue) -> Value:
    """What stands in braces, as its conversion says: `{name!r}`."""
    value = machine.evaluate(part.value)
    convert = CONVERSIONS.get(part.conversion)
    return Constant(convert(value.value)) if isinstance(value, Constant) and convert is not None else value


@expression(ast.Starred)
def evaluate_starred(machine: Machine, node: ast.Starred) -> Value:
    return machine.evaluate(node.value)
