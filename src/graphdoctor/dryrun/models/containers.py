"""Methods of lists, tuples, sets, dicts and texts."""

from __future__ import annotations

import ast

from graphdoctor.dryrun.arguments import Arguments
from graphdoctor.dryrun.begun_anew import is_begun_anew
from graphdoctor.dryrun.caches import is_lasting
from graphdoctor.dryrun.heap import forget_length
from graphdoctor.dryrun.items import note_change
from graphdoctor.dryrun.iterating import element, items_of, settled
from graphdoctor.dryrun.joining import MISSING, element_of, join, join_all, perhaps_replaced
from graphdoctor.dryrun.machine import Machine
from graphdoctor.dryrun.members import as_key, key_given
from graphdoctor.dryrun.models.registry import Call, attributes, function, methods
from graphdoctor.dryrun.texts import is_text, text_of
from graphdoctor.dryrun.values import (
    NONE,
    NOTHING,
    REST,
    UNKNOWN,
    Dictionary,
    GraphFunction,
    Known,
    Method,
    Origin,
    Scalar,
    Sequence,
    Setting,
    Text,
    Value,
    Variables,
)
from graphdoctor.source.nodes import spelled

GROWING = ("append", "add", "insert", "appendleft")
TEXT_TO_NUMBER = ("find", "index", "count", "rfind")
TEXT_TO_FLAG = ("startswith", "endswith", "isdigit", "isalpha", "isupper", "islower")


@attributes(Sequence)
def sequence_attribute(machine: Machine, holder: Sequence, name: str, node: ast.AST) -> Value:
    if name in holder.fields and holder.items is not None:
        return holder.items[holder.fields.index(name)]
    return Method(holder, name)


@methods(Sequence)
def sequence_method(
    machine: Machine, receiver: Sequence, name: str, arguments: Arguments, node: ast.AST
) -> Value:
    if name in GROWING:
        value = arguments.get(1 if name == "insert" else 0, "item")
        _note(machine, receiver, value, node, "append")
        receiver.bounded = receiver.bounded or is_begun_anew(machine, node)
        _grow(machine, receiver, [value])
        return NONE
    if name in ("extend", "update"):
        extend(machine, receiver, settled(arguments.get(0, "items")), node)
        return NONE
    if name in ("pop", "popleft", "remove", "clear", "discard"):
        return _shrink(machine, receiver, name, arguments, node)
    if name in ("index", "count"):
        return Scalar("int")
    if name == "copy":
        made = Sequence(
            receiver.kind, receiver.items, machine.origin(node), receiver.cells["element"], receiver.count
        )
        made.cells["grows"] = receiver.grows
        return made
    if name == "_replace" and receiver.fields and receiver.items is not None:
        pairs = zip(receiver.fields, receiver.items, strict=True)
        items = tuple(arguments.keywords.get(field, item) for field, item in pairs)
        return Sequence("tuple", items, machine.origin(node), fields=receiver.fields)
    if name == "_asdict" and receiver.items is not None:
        return Dictionary(dict(zip(receiver.fields, receiver.items, strict=True)), machine.origin(node))
    if name in ("sort", "reverse"):
        if receiver.items is not None and len(receiver.items) > 1:
            forget_length(machine.heap, receiver, None, NOTHING)
        return NONE
    return UNKNOWN


def _note(machine: Machine, receiver: Sequence | Dictionary, value: Value, node: ast.AST, what: str) -> None:
    called = node.func.value if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else None
    if value is not NONE:
        machine.log.readers.note_filling(called)
    name = spelled(called) if called is not None else "list"
    note_change(machine, receiver, value, node, what, name)


def _grow(machine: Machine, receiver: Sequence, values: list[Value]) -> None:
    for value in values:
        machine.log.kept(value)
    if receiver.items is not None and len(receiver.items) + len(values) <= 64:
        machine.heap.put(receiver.cells, "items", receiver.items + tuple(values))
    else:
        for value in values:
            forget_length(machine.heap, receiver, value, frozenset(_own_loops(machine, receiver)))


def _own_loops(machine: Machine, receiver: Sequence) -> list:  # type: ignore[type-arg]
    """The loops that run while the list lives: at each of their turns it gets longer."""
    return [loop for loop in machine.loops if loop not in receiver.origin.loops]


def extend(machine: Machine, receiver: Sequence, values: Value, node: ast.AST) -> None:
    """`items.extend(values)`, `items += values`."""
    items = items_of(machine, values)
    if isinstance(values, Variables) and values.early:
        machine.heap.put(receiver.cells, "early", values)
    if items is not None:
        for item in items:
            _note(machine, receiver, item, node, "append")
        _grow(machine, receiver, list(items))
        return
    typical = element(machine, values, node)
    _note(machine, receiver, typical, node, "append")
    forget_length(machine.heap, receiver, typical, frozenset(_own_loops(machine, receiver)))


def _shrink(machine: Machine, receiver: Sequence, name: str, arguments: Arguments, node: ast.AST) -> Value:
    _note(machine, receiver, NONE, node, "append")
    receiver.bounded = True
    items = receiver.items
    if name == "clear":
        machine.heap.put(receiver.cells, "items", ())
        return NONE
    position = arguments.get(0, "index", Known(-1 if name == "pop" else 0))
    if (
        items
        and name in ("pop", "popleft")
        and isinstance(position, Known)
        and isinstance(position.value, int)
    ) and -len(items) <= position.value < len(items):
        kept = list(items)
        taken = kept.pop(position.value)
        machine.heap.put(receiver.cells, "items", tuple(kept))
        return taken
    typical = element_of(receiver)
    if items:
        forget_length(machine.heap, receiver, None, NOTHING)
    return typical if name.startswith("pop") else NONE


@methods(Dictionary)
def dictionary_method(
    machine: Machine, receiver: Dictionary, name: str, arguments: Arguments, node: ast.AST
) -> Value:
    if name in ("keys", "values", "items"):
        return _view(receiver, name, machine.origin(node))
    if name in ("get", "pop", "setdefault"):
        return _lookup(machine, receiver, name, arguments, node)
    if name == "update":
        _update(machine, receiver, arguments, node)
        return NONE
    if name == "copy":
        return Dictionary(dict(receiver.cells), machine.origin(node), receiver.type)
    if name == "clear":
        for key in list(receiver.cells):
            machine.heap.remove(receiver.cells, key)
        return NONE
    return UNKNOWN


def _view(receiver: Dictionary, name: str, origin: Origin) -> Value:
    entries = receiver.entries
    pairs = [
        key_given(key)
        if name == "keys"
        else value
        if name == "values"
        else Sequence("tuple", (key_given(key), value), origin)
        for key, value in entries.items()
    ]
    if receiver.complete:
        return Sequence("iterator", tuple(pairs), origin)
    rest: Value = receiver.cells[REST]
    typical = (
        UNKNOWN
        if name == "keys"
        else rest
        if name == "values"
        else Sequence("tuple", (UNKNOWN, rest), origin)
    )
    return Sequence("iterator", None, origin, join_all([*pairs, typical]))


def _lookup(machine: Machine, receiver: Dictionary, name: str, arguments: Arguments, node: ast.AST) -> Value:
    from graphdoctor.dryrun.items import get_item

    key = as_key(arguments.get(0, "key"))
    default = arguments.get(1, "default")
    if isinstance(key, Known) and receiver.complete and key.value not in receiver.cells:
        if name == "setdefault":
            _note(machine, receiver, default, node, "item")
            machine.heap.put(receiver.cells, key.value, default)
            if isinstance(default, GraphFunction):
                default.looked_up = is_lasting(machine, receiver)
        return default
    value = get_item(machine, receiver, key, node)
    if name == "pop" and isinstance(key, Known):
        _note(machine, receiver, NONE, node, "item")
        machine.heap.remove(receiver.cells, key.value)
    certain = isinstance(key, Known) and key.value in receiver.cells
    return value if certain or name == "pop" or not arguments.has(1, "default") else join(value, default)


def _update(machine: Machine, receiver: Dictionary, arguments: Arguments, node: ast.AST) -> None:
    given = arguments.get(0, "other")
    cells = (
        dict(given.cells)
        if isinstance(given, Dictionary)
        else {}
        if not arguments.positional
        else {REST: UNKNOWN}
    )
    cells.update(arguments.keywords)
    if REST in cells or arguments.loose:
        cells = {**perhaps_replaced(receiver.cells, UNKNOWN), **cells}
    for key, value in cells.items():
        _note(machine, receiver, value, node, "item")
        machine.heap.put(
            receiver.cells, key, join(receiver.cells.get(key, MISSING), value) if key is REST else value
        )


@attributes(Known, Setting, Scalar, Text)
def text_attribute(machine: Machine, holder: Value, name: str, node: ast.AST) -> Value:
    return Method(holder, name)


@methods(Known, Setting, Scalar, Text)
def text_method(machine: Machine, receiver: Value, name: str, arguments: Arguments, node: ast.AST) -> Value:
    values = list(arguments)
    varies = frozenset().union(receiver.varies, *(value.varies for value in values))
    text = isinstance(receiver, Known) and isinstance(receiver.value, str)
    if text and all(isinstance(value, Known) for value in values) and not arguments.keywords:
        try:
            given = getattr(receiver.value, name)(*(value.value for value in values))  # type: ignore[attr-defined]
        except Exception:
            return UNKNOWN
        if isinstance(given, (list, tuple)):
            return Sequence("list", tuple(map(Known, given)), machine.origin(node))
        return Setting(given) if isinstance(receiver, Setting) else Known(given)
    if is_text(receiver) and name in ("format", "join", "replace", "strip", "lower", "upper"):
        shown = [part for value in values for part in (items_of(machine, value) or (value,))]
        parts = [receiver, *(shown if name == "join" else values)]
        return text_of(machine, [(part, node) for part in parts], name, node if name == "format" else None)
    if name in ("split", "splitlines", "partition"):
        words = Sequence("list", None, machine.origin(node), Scalar("str", varies))
        columns = name == "partition" or (name == "split" and bool(values))
        words.cells["grows"] = NOTHING if columns else varies
        return words
    if name in TEXT_TO_NUMBER:
        return Scalar("int", varies)
    if name in TEXT_TO_FLAG:
        return Scalar("bool", varies)
    if isinstance(receiver, Known) and receiver.value is None:
        return UNKNOWN
    return Scalar("str", varies) if text or getattr(receiver, "type", "") == "str" else UNKNOWN


@function("collections.deque")
def deque(call: Call) -> Value:
    given = call.get(0, "iterable")
    items = (
        items_of(call.machine, given)
        if isinstance(given, Sequence)
        else None
        if call.arguments.positional
        else ()
    )
    made = Sequence("list", items, call.machine.origin(call.node), None if items is not None else UNKNOWN)
    made.bounded = call.arguments.has(1, "maxlen")
    return made


@function("collections.defaultdict", "collections.Counter")
def default_dict(call: Call) -> Value:
    factory = call.get(0, "default_factory")
    made = call.machine.call(factory, Arguments(), call.node) if call.last == "defaultdict" else Scalar("int")
    return Dictionary({REST: made}, call.machine.origin(call.node), "defaultdict")
