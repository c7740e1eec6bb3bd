"""Python's built-in functions."""

import ast
import itertools
from typing import Any

from graphdoctor.dryrun.control.conditions import truth
from graphdoctor.dryrun.control.flow import NEXT, Flow
from graphdoctor.dryrun.control.staging import has_features, is_symbolic, may_be_list
from graphdoctor.dryrun.core.arguments import Arguments
from graphdoctor.dryrun.core.context import LoopRun
from graphdoctor.dryrun.core.folding import fold
from graphdoctor.dryrun.core.machine import Machine
from graphdoctor.dryrun.core.operators import stepped_by
from graphdoctor.dryrun.libraries.numpy_arrays import few_array
from graphdoctor.dryrun.libraries.registry import Call, call_method, family, function
from graphdoctor.dryrun.tracing.operations import left, operate
from graphdoctor.dryrun.values import (
    FALSE,
    NONE,
    NOTHING,
    REST,
    UNKNOWN,
    AbstractNumber,
    Array,
    Constant,
    Dataset,
    Dictionary,
    Entries,
    Generator,
    GraphFunction,
    Identity,
    Instance,
    Library,
    LibraryObject,
    Numeric,
    Origin,
    Sequence,
    Setting,
    StaticShape,
    Stepped,
    Tensor,
    Unknown,
    Value,
    Variable,
    computed_number,
    is_few,
    is_none,
    terms,
)
from graphdoctor.dryrun.values.file_locations import PLACE, place_in
from graphdoctor.dryrun.values.iteration import (
    consume,
    count_of,
    element,
    is_typical_weight,
    items_of,
    iterated,
    may_be_tensor,
    sequence_of,
    settled,
)
from graphdoctor.dryrun.values.joining import changing_size, element_of, join, join_all
from graphdoctor.dryrun.values.open_sizes import OpenSize, note_open_size
from graphdoctor.dryrun.values.printed_content import text_of
from graphdoctor.dryrun.values.slicing import fixed_distance
from graphdoctor.source.nodes import spelled

LONGEST_RANGE = 12
STEADY = "steady"  # what a generator gives again and again
ITERATORS = ("dataset iterator", "iterator")
NUMBERS = {"int": int, "float": float, "str": str, "bool": bool}
# Run on 2.21: AutoGraph converts `int`, `float`, `abs`, `len`, `sorted`, `range`, `print`, `enumerate`,
# `zip`, `map`, `filter`, `any`, `all` and `next`, but of these only the first six take tensors.


def use_of_tensor(call: Call, how: str, values: list[Value]) -> None:
    """Write down that a function of Python's needs the value of the first tensor among its arguments."""
    position, value = next((i, v) for i, v in enumerate(values) if is_symbolic(call.machine, v))
    if how == "iteration" and may_be_list(call.machine, value):
        return
    given = call.arguments.nodes.get(position) if len(call.arguments.positional) >= len(values) else None
    call.machine.log.use(how, call.node, value, call.last, given)


@function("builtins.print")
def print_(call: Call) -> Value:
    if not has_features(call.machine):
        call.machine.log.effect("print", "print", call.node, tuple(call.arguments.positional))
    return NONE


@function("builtins.input")
def input_(call: Call) -> Value:
    call.machine.log.effect("input", "input", call.node)
    return AbstractNumber("str", frozenset(call.machine.loops))


@function("builtins.open")
def open_(call: Call) -> Value:
    mode = call.get(1, "mode", Constant("r"))
    letters = mode.value if isinstance(mode, Constant) and isinstance(mode.value, str) else ""
    if any(letter in letters for letter in "wax+"):
        call.machine.log.effect("write", "open", call.node, tuple(call.arguments.positional))
    made = LibraryObject("file", "builtins.file", call.origin, {})
    if letters and "b" not in letters:
        made.cells["element"] = AbstractNumber("str")
        made.cells[PLACE] = place_in(call.get(0, "file"))
    return made


@function("builtins.range")
def range_(call: Call) -> Value:
    machine, values = call.machine, call.arguments.positional
    origin = call.origin
    for value in values:
        if note_open_size(machine, value, call.node, "range"):
            return Sequence("range", None, origin, AbstractNumber("int"))
    if any(is_symbolic(machine, value) for value in values):
        if not machine.unconverted:
            return operate(
                machine, "range", values, call.node, "int32", (AbstractNumber("int"),), tensor=True
            )
        use_of_tensor(call, "range", values)
        return UNKNOWN
    if values and all(isinstance(value, Constant) and isinstance(value.value, int) for value in values):
        bounds = [value.value for value in values[:3]]  # type: ignore[attr-defined]
        numbers = range(*bounds) if bounds[2:] != [0] else range(0)
        if not numbers and any(isinstance(value, Setting) for value in values):
            return Sequence(
                "range", None, origin, AbstractNumber("int")
            )  # who sets the option has some iterations
        if len(numbers) <= LONGEST_RANGE:
            return Sequence("range", tuple(map(Constant, numbers)), origin)
        return Sequence("range", None, origin, AbstractNumber("int"), len(numbers))
    length = fixed_distance(*values) if len(values) == 2 else None
    if length is not None:
        return Sequence("range", None, origin, AbstractNumber("int"), length)
    made = Sequence("range", None, origin, AbstractNumber("int"))
    made.cells["open"] = any(isinstance(value, Unknown) for value in values)
    made.cells["grows"] = frozenset().union(*map(changing_size, values))
    return made


ITERABLE = (Constant, Sequence, Dictionary, Generator, Numeric, Variable, Instance)


@function("builtins.len")
def len_(call: Call) -> Value:
    machine, value = call.machine, settled(call.get(0, "obj"))
    if value == Library("sys.argv"):
        return Setting(1)  # the program alone, when nobody says more
    if isinstance(value, (Numeric, Variable)):
        if is_symbolic(machine, value) and machine.surely_unconverted and _is_one_tensor(value):
            machine.log.use("size", call.node, value, "len")  # run on 2.21: also where the size is known
        if value.shape is not None and value.shape and value.shape[0] is not None:
            size = value.shape[0]
            return Constant(size) if isinstance(size, int) else size
        if value.shape is None and not getattr(value, "open_rank", None):
            return AbstractNumber("int")  # it is unknown that it differs, even where the elements do
        if is_symbolic(machine, value) and not machine.unconverted:
            return operate(machine, "len", [value], call.node, "int32", ())
        return AbstractNumber("int", value.varies)
    if isinstance(value, Constant) and isinstance(value.value, (str, bytes)):
        return Constant(len(value.value))
    if isinstance(value, StaticShape) and value.dimensions is not None:
        return Constant(len(value.dimensions))
    count = count_of(value)
    if count is not None and not isinstance(value, Dataset):
        return Constant(count)
    if isinstance(value, Instance) and value.cls.find("__len__") is not None:
        given = machine.call_method(value, "__len__", Arguments(), call.node)
        if is_symbolic(machine, given):  # of an eager one, Python asks `__index__`
            machine.log.use("int", call.node, given, "__len__")
        return given
    if not isinstance(value, Sequence):
        return AbstractNumber("int", value.varies)
    grows = value.cells["grows"]  # also up to a bound
    if value.length is None or value.length.loops != grows:
        value.length = terms.unknown(grows, op=terms.LENGTH)
    return AbstractNumber("int", value.grows, terms.is_few(value.length), term=value.length)


def _is_one_tensor(value: Value) -> bool:
    """Whether it is a tensor for certain: what Keras gives a layer may be a list of them."""
    known = isinstance(value, Tensor) and not value.supposed and not value.annotated
    return known and (value.shape is not None or value.constant is not None or value.open_rank is not None)  # type: ignore[attr-defined]


@function("builtins.int", "builtins.float", "builtins.bool", "builtins.str")
def number(call: Call) -> Value:
    machine, name, value = call.machine, call.last, call.get(0, "x", Constant(0))
    if isinstance(value, OpenSize) and name in ("int", "float"):
        note_open_size(machine, value, call.node, name)
        return AbstractNumber(name)
    values = list(call.arguments)
    if not values and not call.arguments.loose:
        return Constant(NUMBERS[name]())
    if len(values) > 1 or (isinstance(value, Constant) and call.arguments.keywords):
        return _converted(call, name)
    if isinstance(value, Constant):
        try:
            return stepped_by(name, Constant(fold(name, NUMBERS[name], value.value)), value)
        except Exception:
            return AbstractNumber(name)
    if isinstance(value, (Tensor, Variable)):
        return _number_of_tensor(call, name, value)
    if isinstance(value, Array):
        if value.number is not None and not value.paths and name != "str":
            number = NUMBERS[name](value.number)
            return Stepped(number, value.term) if value.term.parts else Constant(number)
        paths = left(machine, [value], name, call.node)
        return AbstractNumber(name, value.varies, few_array(value), paths)
    if name == "bool":
        known = truth(value)
        return Constant(known) if known is not None else AbstractNumber("bool", value.varies)
    if isinstance(value, AbstractNumber) and "str" not in (name, value.type):
        if name == "float" or value.type == "int":
            return AbstractNumber(name, value.varies, value.few, value.paths, value.term)
        return computed_number(name, name, [value], value.paths)
    return AbstractNumber(name, value.varies, is_few(value), getattr(value, "paths", None))


def _converted(call: Call, name: str) -> Value:
    """`int("101", 2)`, `str(data, "utf-8")`."""
    given, named = call.arguments.positional, call.arguments.keywords
    varies = frozenset().union(*(value.varies for value in call.arguments))
    if call.arguments.loose or not all(isinstance(value, Constant) for value in call.arguments):
        return AbstractNumber(name, varies)
    try:
        plain = {key: value.value for key, value in named.items()}  # type: ignore[attr-defined]
        return Constant(fold(name, NUMBERS[name], *(value.value for value in given), **plain))  # type: ignore[attr-defined]
    except Exception:
        return AbstractNumber(name)


def _number_of_tensor(call: Call, name: str, value: Value) -> Value:
    machine = call.machine
    if is_symbolic(machine, value):
        if name == "str":
            return text_of(machine, [(value, call.node)], "str")
        if name in ("int", "float") and not machine.unconverted:
            dtype = "int32" if name == "int" else "float32"
            return operate(machine, "Cast", [value], call.node, dtype, getattr(value, "shape", ()))
        machine.log.use(name, call.node, value, name, call.arguments.nodes.get(0))
        return AbstractNumber(name)
    paths = left(machine, [value], name, call.node)
    few = isinstance(value, (Tensor, Variable)) and value.dtype == "bool"
    return AbstractNumber(name, loops_of_reads(machine, value), few, paths)


def loops_of_reads(machine: Machine, value: Value) -> frozenset[LoopRun]:
    """The loops at whose iterations a tensor or variable has another value to read."""
    if isinstance(value, Tensor):
        return frozenset(loop for loop in machine.loops if loop in value.origin.loops)
    changes = isinstance(value, Variable) and (value.trainable is not False or value.cells.get("written"))
    return frozenset(machine.loops) if changes else NOTHING


@function(
    "builtins.list",
    "builtins.tuple",
    "builtins.set",
    "builtins.frozenset",
    "builtins.sorted",
    "builtins.reversed",
    "builtins.iter",
)
def collection(call: Call) -> Value:
    machine = call.machine
    kind = {"sorted": "list", "reversed": "iterator", "iter": "iterator", "frozenset": "set"}.get(
        call.last, call.last
    )
    if not call.arguments.has(0, "iterable") and not call.arguments.loose:
        return Sequence(kind, (), call.origin)
    value = settled(call.get(0, "iterable"))
    if call.last == "sorted" and not is_symbolic(machine, value):
        return _sorted(call, value)
    if is_symbolic(machine, value) and call.last != "sorted":
        use_of_tensor(call, "iteration", [value])
        return UNKNOWN
    if isinstance(value, Dataset) and call.last == "iter":
        made = LibraryObject("dataset iterator", "tensorflow.data.Iterator", call.origin, {})
        made.cells["element"] = value.element
        return made
    if call.last == "iter" and (isinstance(value, Generator) or _is_iterator(value)):
        return value
    if call.last == "iter" and isinstance(value, LibraryObject) and value.kind in ITERATORS:
        return value
    if (
        isinstance(value, Unknown)
        or is_none(value)
        or (call.last == "iter" and not isinstance(value, ITERABLE))
    ):
        return UNKNOWN
    made_sequence = sequence_of(machine, kind, value, call.node)
    if isinstance(value, Sequence) and value.kind == "set" and kind != "set" and len(value.items or ()) > 1:
        return Sequence(kind, None, call.origin, element_of(value), len(value.items or ()))
    if call.last in ("sorted", "reversed") and made_sequence.items is not None:
        return Sequence(kind, made_sequence.items[::-1], call.origin)
    return made_sequence


def _sorted(call: Call, value: Value) -> Value:
    """`sorted(value, key=…, reverse=…)`: in an order that is known, or in none."""
    machine, key = call.machine, call.arguments.keywords.get("key", NONE)
    reverse = call.arguments.keywords.get("reverse", FALSE)
    if isinstance(value, Unknown) or is_none(value):
        if not is_none(key):
            _call_back(call, key, [UNKNOWN])
        return UNKNOWN
    made = sequence_of(machine, "list", value, call.node)
    items = made.items
    if items is None:
        if not is_none(key):
            _call_back(call, key, [element(machine, made, call.node)])
        return made
    ranks = ranks_of(call, items, key)
    if ranks is not None and isinstance(reverse, Constant) and not call.arguments.loose:
        try:
            order = sorted(range(len(items)), key=ranks.__getitem__, reverse=bool(reverse.value))
            return Sequence("list", tuple(items[place] for place in order), call.origin)
        except TypeError:
            pass
    if len(items) < 2:
        return made
    return Sequence("list", None, call.origin, element_of(made), len(items))


def ranks_of(call: Call, items: tuple[Value, ...] | list[Value], key: Value) -> list[Any] | None:
    """What decides the order of some values; None if unknown."""
    given = list(items) if is_none(key) else [_call_back(call, key, [item]) for item in items]
    if all(isinstance(item, Constant) for item in given):
        return [item.value for item in given]  # type: ignore[attr-defined]
    rows = [item.items for item in given if isinstance(item, Sequence) and item.items]
    firsts = [row[0].value for row in rows if isinstance(row[0], Constant)]
    try:
        alone = len(firsts) == len(given) and len(set(firsts)) == len(firsts)
    except TypeError:
        return None
    return firsts if alone else None


@function("builtins.dict", "collections.OrderedDict")
def dict_(call: Call) -> Value:
    cells: dict[object, Value] = {}
    first = call.get(0, "iterable")
    if isinstance(first, Dictionary):
        cells = Entries(first.cells)
    elif isinstance(first, Sequence) and first.items is not None:
        for pair in first.items:
            if (
                isinstance(pair, Sequence)
                and pair.items
                and len(pair.items) == 2
                and isinstance(pair.items[0], Constant)
            ):
                cells[pair.items[0].value] = pair.items[1]
            else:
                cells[REST] = UNKNOWN
    elif call.arguments.positional:
        cells[REST] = UNKNOWN
    cells.update(call.arguments.keywords)
    if call.arguments.loose:
        cells[REST] = UNKNOWN
    return Dictionary(cells, call.origin)


FEW_ROWS = 4


@function("itertools.zip_longest")
def zip_longest(call: Call) -> Value:
    machine, origin = call.machine, call.origin
    values = [iterated(machine, value, call.node) for value in call.arguments.positional]
    if call.arguments.loose:
        return UNKNOWN
    fill = call.arguments.keywords.get("fillvalue", NONE)
    lists = [items for value in values if (items := items_of(machine, value)) is not None]
    if len(lists) == len(values) and not _shares_iterator(values):
        rows = itertools.zip_longest(*lists, fillvalue=fill)
        return Sequence("iterator", tuple(Sequence("tuple", row, origin) for row in rows), origin)
    parts = tuple(join(element(machine, value, call.node), fill) for value in values)
    return Sequence("iterator", None, origin, Sequence("tuple", parts, origin))


def _shares_iterator(values: list[Value]) -> bool:
    """Whether the same iterator is asked from several places: `zip(it, it)`."""
    iterators = [id(value) for value in values if _is_iterator(value)]
    return len(set(iterators)) < len(iterators)


@function("builtins.enumerate", "builtins.zip")
def together(call: Call) -> Value:
    machine, origin = call.machine, call.origin
    if call.arguments.loose:
        spread = call.arguments.rows
        return _columns(spread, origin) if spread is not None and call.last == "zip" else UNKNOWN
    values = [iterated(machine, value, call.node) for value in call.arguments.positional]
    if call.last == "enumerate":
        start = call.get(1, "start", Constant(0))
        values = values[:1]
        begins = isinstance(start, Constant) and isinstance(start.value, int)
        first = start.value if begins else 0  # type: ignore[attr-defined]
        if not begins:
            parts = [
                AbstractNumber("int", start.varies),
                *(element(machine, value, call.node) for value in values),
            ]
            return Sequence("iterator", None, origin, Sequence("tuple", tuple(parts), origin))
        if values and isinstance(values[0], Generator) and values[0].function is not None:
            counted = values[0]
            return Generator(counted.function, counted.arguments, counted.origin, first=first)
    if any(is_symbolic(machine, value) for value in values):
        use_of_tensor(call, "iteration", values)
    if any(isinstance(value, Dataset) for value in values):
        return _datasets_together(call, values)
    if _shares_iterator(values):
        return _interleaved(machine, values, call.node)
    lists = [items_of(machine, value) for value in values]
    counts = [count_of(value) for value in values]
    count = min((c for c in counts if c is not None), default=None) if None not in counts else None
    if lists and all(items is not None for items in lists):
        rows = [list(row) for row in zip(*lists, strict=False)]
        if call.last == "enumerate":
            rows = [[Constant(first + position), *row] for position, row in enumerate(rows)]
        return Sequence("iterator", tuple(Sequence("tuple", tuple(row), origin) for row in rows), origin)
    parts = [element(machine, value, call.node) for value in values]
    shortest = min((len(items) for items in lists if items is not None), default=None)
    if call.last == "zip" and shortest is not None and shortest <= FEW_ROWS:
        rows = [
            [items[n] if items else part for items, part in zip(lists, parts, strict=True)]
            for n in range(shortest)
        ]
        return Sequence("iterator", tuple(Sequence("tuple", tuple(row), origin) for row in rows), origin)
    if call.last == "enumerate":
        parts = [AbstractNumber("int"), *parts]
    made = Sequence("iterator", None, origin, Sequence("tuple", tuple(parts), origin), count)
    made.cells["open"] = any(map(may_be_tensor, values))
    return made


def _interleaved(machine: Machine, values: list[Value], node: ast.AST) -> Value:
    """`zip(it, it)`: each place takes the next element of the same iterator."""
    origin, first = machine.origin(node), values[0]
    items, width = items_of(machine, first), len(values)
    if items is not None and all(value is first for value in values):
        rows = [items[place : place + width] for place in range(0, len(items) - width + 1, width)]
        consume(machine, first)
        return Sequence("iterator", tuple(Sequence("tuple", row, origin) for row in rows), origin)
    parts = tuple(element(machine, value, node) for value in values)
    return Sequence("iterator", None, origin, Sequence("tuple", parts, origin))


def _columns(rows: Sequence, origin: Origin) -> Value:
    """`zip(*rows)` of an unknown number of rows that are alike: a tuple for each of their places."""
    row = element_of(rows)
    if not isinstance(row, Sequence) or row.items is None:
        return UNKNOWN
    columns = tuple(Sequence("tuple", None, origin, item, rows.count) for item in row.items)
    for column in columns:
        column.cells["grows"] = rows.grows
    return Sequence("iterator", columns, origin)


def _datasets_together(call: Call, values: list[Value]) -> Value:
    """`enumerate(dataset)` and `zip(a, b)`: in eager code Python's, under AutoGraph the dataset's."""
    machine, origin = call.machine, call.origin
    parts = [element(machine, value, call.node) for value in values]
    if machine.graph is not None and not machine.unconverted:
        if call.last == "enumerate":
            parts = [Tensor("int64", (), origin), *parts]
        return Dataset(Sequence("tuple", tuple(parts), origin), origin)
    if call.last == "enumerate":
        parts = [AbstractNumber("int"), *parts]
    count = count_of(values[0])
    made = Sequence("iterator", None, origin, Sequence("tuple", tuple(parts), origin), count)
    made.cells["renewed"] = True
    return made


@function("builtins.map", "builtins.filter")
def mapped(call: Call) -> Value:
    machine, origin = call.machine, call.origin
    callee, *values = call.arguments.positional or [UNKNOWN]
    if any(is_symbolic(machine, value) for value in values):
        use_of_tensor(call, "iteration", [UNKNOWN, *values])
    lists = [items_of(machine, iterated(machine, value, call.node)) for value in values]
    if call.last == "map" and lists and all(items is not None and len(items) <= 8 for items in lists):
        rows = list(zip(*lists, strict=False))
        return Sequence("iterator", tuple(_call_back(call, callee, list(row)) for row in rows), origin)
    given = _called_on_each(call, callee, values)
    count = count_of(values[0]) if values and call.last == "map" else None
    if call.last == "filter":
        given = element(machine, settled(values[0]), call.node) if values else UNKNOWN
    return Sequence("iterator", None, origin, given, count)


def _called_on_each(call: Call, callee: Value, values: list[Value]) -> Value:
    """What `map` gives: its calls are the iterations of a loop."""
    from graphdoctor.dryrun.control.loops import run_typical_iterations

    machine = call.machine
    found: list[Value] = []
    count = count_of(settled(values[0])) if len(values) == 1 else None
    loop = LoopRun(call.node, machine.module, count, machine.activation)

    def iteration() -> Flow:
        parts = [element(machine, settled(value), call.node, loop) for value in values]
        found.append(_call_back(call, callee, parts))
        return NEXT

    if machine.graph is not None:
        parts = [element(machine, settled(value), call.node) for value in values]
        return _call_back(call, callee, parts)
    run_typical_iterations(machine, loop, None, None, None, iteration)
    return join_all(found)


def _call_back(call: Call, callee: Value, values: list[Value]) -> Value:
    """Python's own `map` calls the function as it is: AutoGraph does not convert it."""
    from graphdoctor.dryrun.libraries.tensorflow.control_flow import call_unconverted

    return call_unconverted(call.machine, callee, values, call.node, call.last)


@function("builtins.next")
def next_(call: Call) -> Value:
    machine, value = call.machine, settled(call.get(0, "iterator"))
    loops = frozenset(machine.loops)
    if isinstance(value, LibraryObject) and value.kind == "dataset iterator":
        from graphdoctor.dryrun.libraries.tensorflow.datasets import next_element

        return next_element(machine, value, call.node)
    python = (
        isinstance(value, (Generator, Sequence))
        or (isinstance(value, Instance) and value.cls.find("__next__") is not None)
        or (isinstance(value, LibraryObject) and value.kind == "iterator")
    )
    if python:
        if machine.is_outer(getattr(value, "origin", None) and value.origin.graph):  # type: ignore[attr-defined]
            taken = call.arguments.nodes.get(0)
            name = spelled(taken) if taken is not None else "iterator"
            machine.log.effect("next", name, call.node, (value,))
        if isinstance(value, Instance):
            return machine.call_method(value, "__next__", Arguments(), call.node)
        if _is_iterator(value) and value.items is not None:  # type: ignore[attr-defined]
            return _taken(call, value)  # type: ignore[arg-type]
        from graphdoctor.dryrun.values.iteration import fresh, varying

        given = value.cells.get(STEADY) if isinstance(value, Generator) else None
        if given is None:
            given = element(machine, value, call.node)
            if isinstance(value, Generator) and _is_made_before_yielding(machine, given):
                value.cells[STEADY] = given  # the generator goes on from there, and does not begin again
        found = varying(fresh(machine, given, call.node), loops, few=True)
        return join(found, call.get(1, "default")) if call.arguments.has(1, "default") else found
    return UNKNOWN


def _is_made_before_yielding(machine: Machine, value: Value) -> bool:
    """Whether a generator makes a graph function once, and gives that again and again."""
    return isinstance(value, GraphFunction) and all(loop in machine.loops for loop in value.origin.loops)


def _is_iterator(value: Value) -> bool:
    return isinstance(value, Sequence) and value.kind == "iterator"


def _taken(call: Call, iterator: Sequence) -> Value:
    """The next element of an iterator whose elements are known, which has it no more."""
    if iterator.items:
        first, *rest = iterator.items
        call.machine.heap.put(iterator.cells, "items", tuple(rest))
        return first
    return call.arguments.positional[1] if len(call.arguments.positional) > 1 else UNKNOWN


@function("builtins.object")
def object_(call: Call) -> Value:
    """Something that is nothing but itself."""
    return LibraryObject("object", "builtins.object", call.origin, {})


@function("builtins.id")
def id_(call: Call) -> Value:
    return identity(call.machine, call.get(0, "obj"))


def identity(machine: Machine, value: Value) -> Value:
    """What distinguishes an object from all others; of a typical one, it is unknown which."""
    one = isinstance(value, (Instance, LibraryObject, Variable)) and not is_typical_weight(value)
    return Identity(value, one and not value.varies and all(loop.exact for loop in machine.loops))


@function("builtins.hash", "builtins.ord")
def whole_number(call: Call) -> Value:
    return AbstractNumber("int", call.get(0, "x").varies)


@function("builtins.repr", "builtins.format", "builtins.chr", "builtins.hex")
def text(call: Call) -> Value:
    value = call.get(0, "x")
    return text_of(call.machine, [(value, call.node)], call.last)


@function("builtins.slice")
def slice_(call: Call) -> Value:
    from graphdoctor.dryrun.values import Slice

    values = call.arguments.positional
    parts = [NONE, values[0], NONE] if len(values) == 1 else [*values, NONE, NONE, NONE][:3]
    return Slice((parts[0], parts[1], parts[2]))


@family("builtins.")
def other(call: Call) -> Value:
    """Exceptions and what is left; `list.append(rows, row)`, too."""
    receiver = call.get(0, "self")
    if call.name.count(".") == 2 and isinstance(receiver, (Sequence, Dictionary)):
        rest = Arguments(call.arguments.positional[1:], call.arguments.keywords, loose=call.arguments.loose)
        return call_method(call.machine, receiver, call.last, rest, call.node)
    return UNKNOWN
