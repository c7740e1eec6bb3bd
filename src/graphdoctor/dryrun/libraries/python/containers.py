"""Methods of lists, tuples, sets, dicts and texts."""

import ast
from collections.abc import Callable
from typing import Any

from graphdoctor.dryrun.core.arguments import Arguments
from graphdoctor.dryrun.core.folding import TooLargeError, fold
from graphdoctor.dryrun.core.heap import forget_items, forget_length
from graphdoctor.dryrun.core.items import note_change
from graphdoctor.dryrun.core.machine import Machine
from graphdoctor.dryrun.libraries.registry import Call, attributes, function, methods
from graphdoctor.dryrun.libraries.tables.names import names
from graphdoctor.dryrun.staleness.bounds import is_lasting, is_reset
from graphdoctor.dryrun.values import (
    NONE,
    NOTHING,
    REST,
    UNKNOWN,
    AbstractNumber,
    AbstractString,
    Constant,
    Dictionary,
    GraphFunction,
    Method,
    Origin,
    Sequence,
    Setting,
    Value,
    Variables,
    View,
    is_none,
    known_int,
)
from graphdoctor.dryrun.values.class_membership import as_key, key_given
from graphdoctor.dryrun.values.iteration import (
    chosen,
    consume,
    distinct,
    element,
    items_of,
    iterated,
    settled,
)
from graphdoctor.dryrun.values.joining import MISSING, element_of, join, join_all, perhaps_replaced
from graphdoctor.dryrun.values.printed_content import is_text, text_of
from graphdoctor.source.nodes import spelled

GROWING = ("append", "add", "insert", "appendleft")
ASKING = names("methods that only ask")
SETS: dict[str, Callable[[dict[Any, Any], list[Any]], list[Any]]] = {
    "difference_update": lambda known, given: [key for key in known if key not in given],
    "intersection_update": lambda known, given: [key for key in known if key in given],
    "symmetric_difference_update": lambda known, given: [
        *(key for key in known if key not in given),
        *(key for key in given if key not in known),
    ],
}
TEXT_TO_NUMBER = ("find", "index", "count", "rfind")
TEXT_TO_FLAG = ("startswith", "endswith", "isdigit", "isalpha", "isupper", "islower")


@attributes(Sequence)
def sequence_attribute(machine: Machine, holder: Sequence, name: str, node: ast.AST) -> Value:
    fields = holder.fields
    if fields is not None and name in fields.names and holder.items is not None:
        return holder.items[fields.names.index(name)]
    return Method(holder, name)


@methods(Sequence)
def sequence_method(
    machine: Machine, receiver: Sequence, name: str, arguments: Arguments, node: ast.AST
) -> Value:
    if name in GROWING:
        value = arguments.get(1 if name == "insert" else 0, "item")
        value = chosen(value) if machine.may else value
        _note(machine, receiver, value, node, "append")
        receiver.bounded = receiver.bounded or is_reset(machine, node)
        _grow(machine, receiver, [value], _place(receiver, name, arguments))
        return NONE
    if name in ("extend", "update"):
        extend(machine, receiver, iterated(machine, arguments.get(0, "items"), node), node)
        return NONE
    if name in ("pop", "popleft", "remove", "clear", "discard"):
        return _shrink(machine, receiver, name, arguments, node)
    if name in ("index", "count"):
        return AbstractNumber("int")
    if name == "rotate" or name in SETS:
        _note(machine, receiver, NONE, node, "append")
        _rearrange(machine, receiver, name, arguments, node)
        return NONE
    if name == "copy":
        made = Sequence(
            receiver.kind, receiver.items, machine.origin(node), receiver.cells["element"], receiver.count
        )
        made.cells["grows"] = receiver.grows
        return made
    if name == "_replace" and receiver.fields is not None and receiver.items is not None:
        pairs = zip(receiver.fields.names, receiver.items, strict=True)
        items = tuple(arguments.keywords.get(field, item) for field, item in pairs)
        return Sequence("tuple", items, machine.origin(node), fields=receiver.fields)
    if name == "_asdict" and receiver.fields is not None and receiver.items is not None:
        pairs = zip(receiver.fields.names, receiver.items, strict=True)
        return Dictionary(dict(pairs), machine.origin(node))
    if name in ("sort", "reverse"):
        if receiver.items is not None and len(receiver.items) > 1:
            if name == "reverse":
                machine.heap.put(receiver.cells, "items", receiver.items[::-1])
            else:
                forget_length(machine.heap, receiver, None, NOTHING)
        return NONE
    if name not in ASKING:
        forget_items(machine.heap, receiver)
    return UNKNOWN


def _place(receiver: Sequence, name: str, arguments: Arguments) -> int | None:
    """Where a list gets a new element; None if unknown."""
    at = arguments.get(0, "index") if name == "insert" else Constant(0)
    if name in ("append", "add"):
        return len(receiver.items or ())
    return known_int(at)


def _rearrange(machine: Machine, receiver: Sequence, name: str, arguments: Arguments, node: ast.AST) -> None:
    """`queue.rotate(2)`, `names.difference_update(others)`."""
    items, given = receiver.items, arguments.get(0, "n", Constant(1))
    if name == "rotate":
        if items and isinstance(given, Constant) and isinstance(given.value, int):
            steps = given.value % len(items)
            machine.heap.put(
                receiver.cells, "items", items[len(items) - steps :] + items[: len(items) - steps]
            )
        elif items is None or len(items) > 1:
            forget_length(machine.heap, receiver, None, NOTHING)
        return
    others = items_of(machine, settled(given)) if len(arguments.positional) == 1 else None
    known = [*(items or ()), *(others or ())]
    if items is not None and others is not None and all(isinstance(item, Constant) for item in known):
        before = {item.value: item for item in items}  # type: ignore[attr-defined]
        left = SETS[name](before, [item.value for item in others])  # type: ignore[attr-defined]
        machine.heap.put(receiver.cells, "items", tuple(map(Constant, left)))
    else:
        extra = element(machine, settled(given), node) if name.startswith("symmetric") else None
        forget_length(machine.heap, receiver, extra, NOTHING)


def _note(machine: Machine, receiver: Sequence | Dictionary, value: Value, node: ast.AST, what: str) -> None:
    called = node.func.value if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else None
    if value is not NONE:
        machine.log.readers.note_filling(called)
    name = spelled(called) if called is not None else "list"
    note_change(machine, receiver, value, node, what, name)


def _grow(machine: Machine, receiver: Sequence, values: list[Value], at: int | None) -> None:
    """Put some more elements in at a place that is known, or not."""
    for value in values:
        machine.log.kept(value)
    items: tuple[Value, ...] | None = None
    if receiver.items is not None and at is not None and len(receiver.items) + len(values) <= 64:
        changed = list(receiver.items)
        changed[at:at] = values
        items = tuple(changed)
        room = receiver.cells.get("room")
        if receiver.kind == "set":
            items = distinct(items)
        elif room is not None and len(items) > room:
            items = items[len(items) - room :] if at else items[:room]
    if items is not None:
        machine.heap.put(receiver.cells, "items", items)
    else:
        for value in values:
            forget_length(machine.heap, receiver, value, frozenset(_own_loops(machine, receiver)))


def _own_loops(machine: Machine, receiver: Sequence) -> list:  # type: ignore[type-arg]
    """The loops that run while the list lives: at each of their iterations it gets longer."""
    return [loop for loop in machine.loops if loop not in receiver.origin.loops]


def extend(machine: Machine, receiver: Sequence, values: Value, node: ast.AST) -> None:
    """`items.extend(values)`, `items += values`."""
    items = items_of(machine, values)
    if isinstance(values, Variables) and values.early:
        machine.heap.put(receiver.cells, "early", values)
    if items is not None:
        for item in items:
            _note(machine, receiver, item, node, "append")
        _grow(machine, receiver, list(items), len(receiver.items or ()))
        consume(machine, values)
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
    position = arguments.get(0, "index", Constant(-1 if name == "pop" else 0))
    if (
        items
        and name in ("pop", "popleft")
        and isinstance(position, Constant)
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
        made = Dictionary(receiver.cells, machine.origin(node), receiver.type)
        made.factory = receiver.factory
        return made
    if name in ("popitem", "move_to_end"):
        return _reorder(machine, receiver, name, arguments, node)
    if name == "clear":
        for key in list(receiver.cells):
            machine.heap.remove(receiver.cells, key)
        return NONE
    if name not in ASKING:
        forget_items(machine.heap, receiver)
    return UNKNOWN


def _reorder(machine: Machine, receiver: Dictionary, name: str, arguments: Arguments, node: ast.AST) -> Value:
    """`entries.popitem()`, `entries.move_to_end(key)`."""
    _note(machine, receiver, NONE, node, "item")
    heap, cells, keys = machine.heap, receiver.cells, list(receiver.entries)
    asked = arguments.get(0, "key") if name == "move_to_end" else None
    last = arguments.get(0 if asked is None else 1, "last", Constant(True))
    if receiver.exact and keys and isinstance(last, Constant):
        if asked is None:
            key = keys[-1 if last.value else 0]
            taken = Sequence("tuple", (key_given(key), cells[key]), machine.origin(node))
            heap.remove(cells, key)
            return taken
        if isinstance(asked, Constant) and asked.value in keys:
            rest = [key for key in keys if key != asked.value]
            held = {key: cells[key] for key in keys}
            for key in keys:
                heap.remove(cells, key)
            for key in [*rest, asked.value] if last.value else [asked.value, *rest]:
                heap.put(cells, key, held[key])
            return NONE
    value = join_all(cells.values())
    heap.doubt(cells, *keys)
    return NONE if asked is not None else Sequence("tuple", (UNKNOWN, value), machine.origin(node))


def _view(receiver: Dictionary, name: str, origin: Origin) -> Value:
    def all_of() -> list[Value]:
        return [
            key_given(key)
            if name == "keys"
            else value
            if name == "values"
            else Sequence("tuple", (key_given(key), value), origin)
            for key, value in receiver.entries.items()
        ]

    if receiver.complete:
        typical = join_all(all_of()) if receiver.perhaps else None
        return View(lambda: tuple(all_of()) if receiver.exact else None, origin, typical)
    pairs = all_of()
    rest: Value = receiver.cells[REST]
    typical = (
        UNKNOWN
        if name == "keys"
        else rest
        if name == "values"
        else Sequence("tuple", (UNKNOWN, rest), origin)
    )
    return Sequence("view", None, origin, join_all([*pairs, typical]))


def _lookup(machine: Machine, receiver: Dictionary, name: str, arguments: Arguments, node: ast.AST) -> Value:
    from graphdoctor.dryrun.core.items import get_item

    key = as_key(arguments.get(0, "key"))
    default = arguments.get(1, "default")
    if isinstance(key, Constant) and receiver.complete and key.value not in receiver.cells:
        if name == "setdefault":
            _note(machine, receiver, default, node, "item")
            machine.heap.put(receiver.cells, key.value, default)
            if isinstance(default, GraphFunction):
                default.looked_up = is_lasting(machine, receiver)
        return default
    certain = isinstance(key, Constant) and key.value in receiver.cells and key.value not in receiver.perhaps
    factory, receiver.factory = receiver.factory, None  # only `[…]` asks for it
    try:
        value = get_item(machine, receiver, key, node)
    finally:
        receiver.factory = factory
    if name == "pop":
        _note(machine, receiver, NONE, node, "item")
        if isinstance(key, Constant):
            machine.heap.remove(receiver.cells, key.value)
        else:
            machine.heap.doubt(receiver.cells, *receiver.entries)
    if certain or (name == "pop" and not arguments.has(1, "default")):
        return value
    if name == "setdefault":
        _note(machine, receiver, default, node, "item")
        place = key.value if isinstance(key, Constant) and key.value in receiver.cells else REST
        default = join(receiver.cells.get(place, MISSING), default)
        machine.heap.put(receiver.cells, place, default)
        return default
    return join(value, default)


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
    perhaps = given.perhaps - arguments.keywords.keys() if isinstance(given, Dictionary) else set()
    for key in perhaps:
        cells[key] = join(receiver.cells.get(key, MISSING), cells[key])
    perhaps -= receiver.entries.keys() - receiver.perhaps
    for key, value in cells.items():
        _note(machine, receiver, value, node, "item")
        machine.heap.put(
            receiver.cells, key, join(receiver.cells.get(key, MISSING), value) if key is REST else value
        )
    machine.heap.doubt(receiver.cells, *perhaps)


@attributes(Constant, Setting, AbstractNumber, AbstractString)
def text_attribute(machine: Machine, holder: Value, name: str, node: ast.AST) -> Value:
    return Method(holder, name)


@methods(Constant, Setting, AbstractNumber, AbstractString)
def text_method(machine: Machine, receiver: Value, name: str, arguments: Arguments, node: ast.AST) -> Value:
    values = list(arguments)
    varies = frozenset().union(receiver.varies, *(value.varies for value in values))
    text = isinstance(receiver, Constant) and isinstance(receiver.value, str)
    if text and all(isinstance(value, Constant) for value in values) and not arguments.keywords:
        given: Any = None
        try:
            method = getattr(type(receiver.value), name)  # type: ignore[attr-defined]
            given = fold(name, method, receiver.value, *(value.value for value in values))  # type: ignore[attr-defined]
        except TooLargeError:
            pass
        except Exception:
            return UNKNOWN
        if isinstance(given, (list, tuple)):
            return Sequence("list", tuple(map(Constant, given)), machine.origin(node))
        if given is not None:
            return Setting(given) if isinstance(receiver, Setting) else Constant(given)
    if is_text(receiver) and name in ("format", "join", "replace", "strip", "lower", "upper"):
        shown = [part for value in values for part in (items_of(machine, value) or (value,))]
        parts = [receiver, *(shown if name == "join" else values)]
        return text_of(machine, [(part, node) for part in parts], name, node if name == "format" else None)
    if name in ("split", "splitlines", "partition"):
        words = Sequence("list", None, machine.origin(node), AbstractNumber("str", varies))
        columns = name == "partition" or (name == "split" and bool(values))
        words.cells["grows"] = NOTHING if columns else varies
        return words
    if name in TEXT_TO_NUMBER:
        return AbstractNumber("int", varies)
    if name in TEXT_TO_FLAG:
        return AbstractNumber("bool", varies)
    if isinstance(receiver, Constant) and receiver.value is None:
        return UNKNOWN
    return AbstractNumber("str", varies) if text or getattr(receiver, "type", "") == "str" else UNKNOWN


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
    made = Sequence("list", items, call.origin, None if items is not None else UNKNOWN)
    made.bounded = call.arguments.has(1, "maxlen")
    room = call.get(1, "maxlen")
    if isinstance(room, Constant) and isinstance(room.value, int):
        made.cells["room"] = room.value
        if items is not None:
            made.cells["items"] = items[max(len(items) - room.value, 0) :]
    elif not is_none(room):
        forget_length(call.machine.heap, made, None, NOTHING)
        made.cells["room"] = 0
    return made


@function("collections.defaultdict", "collections.Counter")
def default_dict(call: Call) -> Value:
    factory = call.get(0, "default_factory")
    origin = call.origin
    if call.last == "Counter":
        return Dictionary({REST: AbstractNumber("int")}, origin, "defaultdict")
    cells: dict[Any, Value] = dict(call.arguments.keywords)
    if len(call.arguments.positional) > 1 or call.arguments.loose:
        cells[REST] = UNKNOWN
    made = Dictionary(cells, origin, "defaultdict")
    made.factory = None if is_none(factory) else factory
    return made
