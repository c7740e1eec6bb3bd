"""Python's built-in functions."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from graphdoctor.dryrun.arguments import Arguments
from graphdoctor.dryrun.attributes import attributes_of, get_attribute, set_attribute
from graphdoctor.dryrun.conditions import truth
from graphdoctor.dryrun.context import LoopRun
from graphdoctor.dryrun.dtypes import mixed_dtype
from graphdoctor.dryrun.guards import note_read
from graphdoctor.dryrun.iterating import count_of, element, items_of, may_be_tensor, sequence_of, settled
from graphdoctor.dryrun.joining import join_all, python_type
from graphdoctor.dryrun.library.tables import methods as methods_of
from graphdoctor.dryrun.machine import Machine
from graphdoctor.dryrun.models.registry import Call, family, function
from graphdoctor.dryrun.operations import left, note_leak, operate
from graphdoctor.dryrun.sizes import OpenSize, note_open_size
from graphdoctor.dryrun.staging import has_features, is_symbolic, may_be_list
from graphdoctor.dryrun.texts import text_of
from graphdoctor.dryrun.values import (
    FALSE,
    NONE,
    NOTHING,
    REST,
    TRUE,
    UNKNOWN,
    Array,
    BoundMethod,
    Class,
    Dataset,
    Descriptor,
    Dictionary,
    Function,
    Generator,
    GraphFunction,
    Instance,
    Known,
    Library,
    LibraryObject,
    Method,
    Numeric,
    Scalar,
    Sequence,
    Super,
    Tensor,
    Unknown,
    Value,
    Variable,
)

LONGEST_RANGE = 12
MOST_FEW = 4
REDUCTIONS: dict[str, Callable[[list[Any]], Any]] = {
    "sum": sum, "max": max, "min": min, "any": any, "all": all,
}  # fmt: skip
NUMBERS = {"int": int, "float": float, "str": str, "bool": bool}
# Run on 2.21: AutoGraph converts `int`, `float`, `abs`, `len`, `sorted`, `range`, `print`, `enumerate`,
# `zip`, `map`, `filter`, `any`, `all` and `next`, but of these only the first six take tensors.
REFUSING = (
    "sum",
    "max",
    "min",
    "any",
    "all",
    "zip",
    "enumerate",
    "map",
    "filter",
    "list",
    "tuple",
    "set",
    "reversed",
    "iter",
    "dict",
    "frozenset",
)


def _use_of_tensor(call: Call, how: str, values: list[Value]) -> None:
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
    return Scalar("str", frozenset(call.machine.loops))


@function("builtins.open")
def open_(call: Call) -> Value:
    mode = call.get(1, "mode", Known("r"))
    letters = mode.value if isinstance(mode, Known) and isinstance(mode.value, str) else ""
    if any(letter in letters for letter in "wax+"):
        call.machine.log.effect("write", "open", call.node, tuple(call.arguments.positional))
    made = LibraryObject("file", "builtins.file", call.machine.origin(call.node), {})
    if letters and "b" not in letters:
        made.cells["element"] = Scalar("str")
    return made


@function("builtins.range")
def range_(call: Call) -> Value:
    machine, values = call.machine, call.arguments.positional
    origin = machine.origin(call.node)
    for value in values:
        if note_open_size(machine, value, call.node, "range"):
            return Sequence("range", None, origin, Scalar("int"))
    if any(is_symbolic(machine, value) for value in values):
        if not machine.unconverted:
            return operate(machine, "range", values, call.node, "int32", (Scalar("int"),), tensor=True)
        _use_of_tensor(call, "range", values)
        return UNKNOWN
    if values and all(isinstance(value, Known) and isinstance(value.value, int) for value in values):
        numbers = range(*(value.value for value in values[:3])) if _step(values) else range(0)  # type: ignore[attr-defined]
        if len(numbers) <= LONGEST_RANGE:
            return Sequence("range", tuple(map(Known, numbers)), origin)
        return Sequence("range", None, origin, Scalar("int"), len(numbers))
    made = Sequence("range", None, origin, Scalar("int", few=_few(values)))
    made.cells["open"] = any(isinstance(value, Unknown) for value in values)
    made.cells["grows"] = frozenset().union(*(v.varies for v in values if not getattr(v, "few", False)))
    return made


def _step(values: list[Value]) -> bool:
    return len(values) < 3 or getattr(values[2], "value", 1) != 0


def _few(values: list[Value]) -> bool:
    return False


@function("builtins.len")
def len_(call: Call) -> Value:
    machine, value = call.machine, settled(call.get(0, "obj"))
    if isinstance(value, Numeric | Variable):
        if value.shape is not None and value.shape and value.shape[0] is not None:
            size = value.shape[0]
            return Known(size) if isinstance(size, int) else size
        if is_symbolic(machine, value) and not machine.unconverted:
            return operate(machine, "len", [value], call.node, "int32", ())
        if is_symbolic(machine, value) and (value.shape or getattr(value, "open_rank", None)):
            machine.log.use("size", call.node, value, "len")
            return Scalar("int")
        return Scalar("int", value.varies)
    if isinstance(value, Known) and isinstance(value.value, str | bytes):
        return Known(len(value.value))
    count = count_of(value)
    if count is not None and not isinstance(value, Dataset):
        return Known(count)
    if isinstance(value, Instance) and value.cls.find("__len__") is not None:
        given = machine.call(get_attribute(machine, value, "__len__", call.node), Arguments(), call.node)
        if is_symbolic(machine, given) or isinstance(given, Tensor):
            machine.log.use("int", call.node, given, "__len__")
        return given
    return Scalar("int", value.grows if isinstance(value, Sequence) else value.varies)


@function("builtins.int", "builtins.float", "builtins.bool", "builtins.str")
def number(call: Call) -> Value:
    machine, name, value = call.machine, call.last, call.get(0, "x", Known(0))
    if isinstance(value, OpenSize) and name in ("int", "float"):
        note_open_size(machine, value, call.node, name)
        return Scalar(name)
    if isinstance(value, Known):
        try:
            return Known(NUMBERS[name](value.value))
        except Exception:
            return Scalar(name)
    if isinstance(value, Tensor | Variable):
        return _number_of_tensor(call, name, value)
    if isinstance(value, Array):
        paths = left(machine, [value], name, call.node)
        return Scalar(name, value.varies, paths=paths)
    if name == "bool":
        known = truth(value)
        return Known(known) if known is not None else Scalar("bool", value.varies)
    few = bool(getattr(value, "few", False))
    linear = value.linear if isinstance(value, Scalar) and name == "int" and value.type == "int" else None
    return Scalar(name, value.varies, few, getattr(value, "paths", None), linear)


def _number_of_tensor(call: Call, name: str, value: Value) -> Value:
    machine = call.machine
    if is_symbolic(machine, value):
        if name == "str":
            return text_of(machine, [(value, call.node)], "str")
        if name in ("int", "float") and not machine.unconverted:
            dtype = "int32" if name == "int" else "float32"
            return operate(machine, "Cast", [value], call.node, dtype, getattr(value, "shape", ()))
        machine.log.use(name, call.node, value, name, call.arguments.nodes.get(0))
        return Scalar(name)
    if isinstance(value, Tensor):
        note_leak(machine, value, call.node)
    paths = left(machine, [value], name, call.node)
    return Scalar(name, read_anew(machine, value), paths=paths)


def read_anew(machine: Machine, value: Value) -> frozenset[LoopRun]:
    """The loops at whose turns a tensor or variable has another value to read."""
    if isinstance(value, Tensor):
        return frozenset(loop for loop in machine.loops if loop in value.origin.loops)
    changes = isinstance(value, Variable) and (value.trainable is not False or value.cells.get("written"))
    return frozenset(machine.loops) if changes else NOTHING


@function("builtins.abs", "builtins.round", "builtins.pow", "builtins.divmod")
def arithmetic(call: Call) -> Value:
    value = call.get(0, "x")
    if isinstance(value, Known):
        try:
            known = [v.value for v in call.arguments.positional if isinstance(v, Known)]
            if len(known) == len(call.arguments.positional) and call.last in ("abs", "round"):
                return Known(abs(*known) if call.last == "abs" else round(*known))
        except Exception:
            return UNKNOWN
    if isinstance(value, Numeric | Variable):
        lost = "Round" if call.last == "round" else ""
        if call.last == "round" and is_symbolic(call.machine, value):
            call.machine.log.use("round", call.node, value, "round")
        return operate(call.machine, call.last, [value], call.node, value.dtype, value.shape, lost)
    return Scalar(python_type(value) or "number", value.varies) if python_type(value) else UNKNOWN


@function("builtins.sum", "builtins.max", "builtins.min", "builtins.any", "builtins.all")
def reduction(call: Call) -> Value:
    machine = call.machine
    values = call.arguments.positional
    first = settled(values[0]) if values else UNKNOWN
    if is_symbolic(machine, first) and len(values) == 1:
        _use_of_tensor(call, "iteration", values)
        return UNKNOWN
    if len(values) > 1 and call.last in ("max", "min"):
        return _reduce(call, values)
    items = items_of(machine, first)
    if items is not None:
        return _reduce(call, list(items))
    typical = element(machine, first, call.node)
    if isinstance(typical, Tensor):
        paths_from = [typical]
        return operate(machine, call.last, paths_from, call.node, typical.dtype, typical.shape)
    if python_type(typical):
        return Scalar("bool" if call.last in ("any", "all") else python_type(typical), typical.varies)
    return UNKNOWN


def _reduce(call: Call, items: list[Value]) -> Value:
    machine = call.machine
    if items and all(isinstance(item, Known) for item in items):
        try:
            plain = [item.value for item in items]  # type: ignore[attr-defined]
            return Known(REDUCTIONS[call.last](plain))
        except Exception:
            return UNKNOWN
    tensors = [item for item in items if isinstance(item, Tensor | Variable)]
    if tensors:
        compares = call.last in ("max", "min", "any", "all") and len(items) > 1
        if compares and any(is_symbolic(machine, t) for t in tensors):
            _use_of_tensor(call, "bool", items)
            return UNKNOWN
        return operate(machine, call.last, items, call.node, mixed_dtype(items), tensors[0].shape)
    if items and all(python_type(item) for item in items):
        kind = "bool" if call.last in ("any", "all") else python_type(join_all(items)) or "number"
        bounded = call.last == "min" and any(_is_small(item) for item in items)
        return Scalar(kind, frozenset().union(*(item.varies for item in items)), few=bounded)
    return UNKNOWN if items else Known(0 if call.last == "sum" else call.last == "all")


def _is_small(value: Value) -> bool:
    """Whether it bounds a count to a few values: `min(step, 2)`."""
    return isinstance(value, Known) and isinstance(value.value, int) and abs(value.value) <= MOST_FEW


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
        return Sequence(kind, (), machine.origin(call.node))
    value = settled(call.get(0, "iterable"))
    if "key" in call.arguments.keywords:
        _call_back(call, call.arguments.keywords["key"], [element(machine, value, call.node)])
    if is_symbolic(machine, value) and call.last != "sorted":
        _use_of_tensor(call, "iteration", [value])
        return UNKNOWN
    if isinstance(value, Dataset) and call.last == "iter":
        made = LibraryObject("dataset iterator", "tensorflow.data.Iterator", machine.origin(call.node), {})
        made.cells["element"] = value.element
        return made
    if call.last == "iter" and (isinstance(value, Generator) or _is_iterator(value)):
        return value
    if isinstance(value, Unknown):
        return UNKNOWN
    made_sequence = sequence_of(machine, kind, value, call.node)
    if call.last in ("sorted", "reversed") and made_sequence.items is not None:
        if call.last == "reversed":
            return Sequence(kind, made_sequence.items[::-1], machine.origin(call.node))
        if not all(isinstance(item, Known) for item in made_sequence.items):
            return made_sequence
        try:
            items = tuple(sorted(made_sequence.items, key=lambda item: item.value))  # type: ignore[attr-defined]
            return Sequence(kind, items, machine.origin(call.node))
        except TypeError:
            return made_sequence
    return made_sequence


@function("builtins.dict", "collections.OrderedDict")
def dict_(call: Call) -> Value:
    cells: dict[object, Value] = {}
    first = call.get(0, "iterable")
    if isinstance(first, Dictionary):
        cells.update(first.cells)
    elif isinstance(first, Sequence) and first.items is not None:
        for pair in first.items:
            if (
                isinstance(pair, Sequence)
                and pair.items
                and len(pair.items) == 2
                and isinstance(pair.items[0], Known)
            ):
                cells[pair.items[0].value] = pair.items[1]
            else:
                cells[REST] = UNKNOWN
    elif call.arguments.positional:
        cells[REST] = UNKNOWN
    cells.update(call.arguments.keywords)
    if call.arguments.loose:
        cells[REST] = UNKNOWN
    return Dictionary(cells, call.machine.origin(call.node))


@function("builtins.enumerate", "builtins.zip", "itertools.zip_longest")
def together(call: Call) -> Value:
    machine, origin = call.machine, call.machine.origin(call.node)
    values = [settled(value) for value in call.arguments.positional]
    if call.last == "enumerate":
        start = call.get(1, "start", Known(0))
        values = values[:1]
    if any(is_symbolic(machine, value) for value in values):
        _use_of_tensor(call, "iteration", values)
    if any(isinstance(value, Dataset) for value in values):
        return _datasets_together(call, values)
    lists = [items_of(machine, value) for value in values]
    counts = [count_of(value) for value in values]
    count = min((c for c in counts if c is not None), default=None) if None not in counts else None
    if lists and all(items is not None for items in lists):
        rows = [list(row) for row in zip(*lists, strict=False)]
        if call.last == "enumerate":
            first = start.value if isinstance(start, Known) and isinstance(start.value, int) else 0
            rows = [[Known(first + position), *row] for position, row in enumerate(rows)]
        return Sequence("iterator", tuple(Sequence("tuple", tuple(row), origin) for row in rows), origin)
    parts = [element(machine, value, call.node) for value in values]
    if call.last == "enumerate":
        parts = [Scalar("int"), *parts]
    made = Sequence("iterator", None, origin, Sequence("tuple", tuple(parts), origin), count)
    made.cells["open"] = any(map(may_be_tensor, values))
    return made


def _datasets_together(call: Call, values: list[Value]) -> Value:
    """`enumerate(dataset)` and `zip(a, b)`: in eager code Python's, under AutoGraph the dataset's."""
    machine, origin = call.machine, call.machine.origin(call.node)
    parts = [element(machine, value, call.node) for value in values]
    if machine.graph is not None and not machine.unconverted:
        if call.last == "enumerate":
            parts = [Tensor("int64", (), origin), *parts]
        return Dataset(Sequence("tuple", tuple(parts), origin), origin)
    if call.last == "enumerate":
        parts = [Scalar("int"), *parts]
    count = count_of(values[0])
    return Sequence("iterator", None, origin, Sequence("tuple", tuple(parts), origin), count)


@function("builtins.map", "builtins.filter")
def mapped(call: Call) -> Value:
    machine, origin = call.machine, call.machine.origin(call.node)
    callee, *values = call.arguments.positional or [UNKNOWN]
    if any(is_symbolic(machine, value) for value in values):
        _use_of_tensor(call, "iteration", [UNKNOWN, *values])
    lists = [items_of(machine, settled(value)) for value in values]
    if call.last == "map" and lists and all(items is not None and len(items) <= 8 for items in lists):
        rows = list(zip(*lists, strict=False))
        return Sequence("iterator", tuple(_call_back(call, callee, list(row)) for row in rows), origin)
    parts = [element(machine, settled(value), call.node) for value in values]
    given = _call_back(call, callee, parts)
    count = count_of(values[0]) if values and call.last == "map" else None
    return Sequence("iterator", None, origin, given if call.last == "map" else (parts or [UNKNOWN])[0], count)


def _call_back(call: Call, callee: Value, values: list[Value]) -> Value:
    """Python's own `map` calls the function as it is: AutoGraph does not convert it."""
    from graphdoctor.dryrun.models.callbacks import call_unconverted

    return call_unconverted(call.machine, callee, values, call.node, call.last)


@function("builtins.next")
def next_(call: Call) -> Value:
    machine, value = call.machine, settled(call.get(0, "iterator"))
    loops = frozenset(machine.loops)
    if isinstance(value, LibraryObject) and value.kind == "dataset iterator":
        from graphdoctor.dryrun.iterating import fresh

        return fresh(machine, value.cells.get("element", UNKNOWN), call.node)
    python = (
        isinstance(value, Generator | Sequence)
        or (isinstance(value, Instance) and value.cls.find("__next__") is not None)
        or (isinstance(value, LibraryObject) and value.kind == "iterator")
    )
    if python:
        if machine.is_outer(getattr(value, "origin", None) and value.origin.graph):  # type: ignore[attr-defined]
            taken = call.arguments.nodes.get(0)
            name = ast.unparse(taken) if taken is not None else "iterator"
            machine.log.effect("next", name, call.node, (value,))
        if isinstance(value, Instance):
            method = get_attribute(machine, value, "__next__", call.node)
            return machine.call(method, Arguments(), call.node)
        if _is_iterator(value) and value.items is not None:  # type: ignore[attr-defined]
            return _taken(call, value)  # type: ignore[arg-type]
        from graphdoctor.dryrun.iterating import fresh, varying

        return varying(fresh(machine, element(machine, value, call.node), call.node), loops)
    return UNKNOWN


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
    return LibraryObject("object", "builtins.object", call.machine.origin(call.node), {})


@function("builtins.isinstance")
def isinstance_(call: Call) -> Value:
    value, classes = call.get(0, "obj"), call.get(1, "classes")
    wanted = list(classes.items or ()) if isinstance(classes, Sequence) else [classes]
    answers = [_is_instance(call, value, each) for each in wanted]
    if True in answers:
        return TRUE
    return FALSE if answers and all(answer is False for answer in answers) else Scalar("bool")


# What is no object of a class of the project's.
NO_OBJECTS = (Known, Scalar, Numeric, Sequence, Dictionary, Function, GraphFunction, BoundMethod, Library)


def _is_instance(call: Call, value: Value, cls: Value) -> bool | None:
    if isinstance(value, Unknown) or isinstance(cls, Unknown):
        return None
    if isinstance(value, Instance):
        if isinstance(cls, Class):
            return cls in value.cls.ancestry or (None if value.cls.is_open else False)
        if isinstance(cls, Library):
            known = any(name == cls.name for name in value.cls.libraries)
            return True if known else None if value.cls.libraries or value.cls.is_open else False
    if not isinstance(cls, Library):
        return False if isinstance(cls, Class) and isinstance(value, NO_OBJECTS) else None
    name = cls.name
    if isinstance(value, Tensor):
        if name in ("tensorflow.Tensor", "tensorflow.types.experimental.TensorLike"):
            return True
        return None if name.startswith(("tensorflow.", "keras.")) else False
    if isinstance(value, Array):
        return name == "numpy.ndarray" if name.startswith(("numpy.nd", "builtins.", "tensorflow.")) else None
    kind = python_type(value)
    if kind or (isinstance(value, Known) and value.value is None):
        return _is_python(kind, name)
    if isinstance(value, Sequence | Dictionary) and name.startswith(("tensorflow.", "keras.", "numpy.")):
        return False
    if isinstance(value, Sequence):
        return name == f"builtins.{value.kind}" if name.startswith("builtins.") else None
    if isinstance(value, Dictionary):
        return name in ("builtins.dict",) if name.startswith("builtins.") else None
    return None


def _is_python(kind: str, name: str) -> bool | None:
    if name.startswith(("tensorflow.", "numpy.", "keras.")):
        return False
    if not name.startswith("builtins."):
        return None
    wanted = name.removeprefix("builtins.")
    return kind == wanted or (kind == "bool" and wanted == "int") or (None if kind == "number" else False)


@function("builtins.hasattr", "builtins.callable", "builtins.issubclass")
def unknown_answer(call: Call) -> Value:
    value = call.get(0, "obj")
    if call.last == "callable":
        known = isinstance(value, Function | GraphFunction | BoundMethod | Class | Library | Method)
        return (
            TRUE if known else FALSE if python_type(value) or isinstance(value, Numeric) else Scalar("bool")
        )
    name = call.get(1, "name")
    if isinstance(value, Instance) and isinstance(name, Known) and call.last == "hasattr":
        note_read(call.machine, value.cells, name.value, None)
        if name.value in value.cells or value.cls.find(str(name.value)) is not None:
            return TRUE
        simple = not value.cls.libraries and not value.cls.is_open and not value.unknown_start
        return FALSE if simple else Scalar("bool")
    if isinstance(value, Tensor) and isinstance(name, Known) and name.value == "numpy":
        return Known(value.graph is None)
    kinds = {Tensor: "tensorflow.Tensor", Variable: "tensorflow.Variable", Array: "numpy.ndarray"}
    if type(value) in kinds and isinstance(name, Known) and name.value in methods_of(kinds[type(value)]):
        return TRUE
    return Scalar("bool")


@function("builtins.getattr")
def getattr_(call: Call) -> Value:
    name = call.get(1, "name")
    if isinstance(name, Known) and isinstance(name.value, str):
        found = get_attribute(call.machine, call.get(0, "obj"), name.value, call.node)
        return found if not (isinstance(found, Unknown) and call.arguments.has(2, "default")) else UNKNOWN
    return UNKNOWN


@function("builtins.vars")
def vars_(call: Call) -> Value:
    return attributes_of(call.get(0, "object"))


@function("builtins.setattr")
def setattr_(call: Call) -> Value:
    name = call.get(1, "name")
    if isinstance(name, Known) and isinstance(name.value, str):
        target = ast.copy_location(
            ast.Attribute(ast.Name("object", ast.Load()), name.value, ast.Store()), call.node
        )
        set_attribute(call.machine, call.get(0, "obj"), target, call.get(2, "value"), call.node, False)
    return NONE


@function("builtins.super")
def super_(call: Call) -> Value:
    activation = call.machine.activation
    if len(call.arguments.positional) == 2:
        cls, receiver = call.arguments.positional
        return Super(cls, receiver) if isinstance(cls, Class) else UNKNOWN
    owner, inner = activation.owner, activation.receiver
    if owner is None:
        for outer in reversed(call.machine.activations):
            if outer.owner is not None:
                owner, inner = outer.owner, outer.receiver
                break
    return Super(owner, inner) if owner is not None and inner is not None else UNKNOWN


@function("builtins.type")
def type_(call: Call) -> Value:
    value = call.get(0, "object")
    if len(call.arguments.positional) == 1 and isinstance(value, Instance):
        return value.cls
    return UNKNOWN


@function("builtins.property", "builtins.staticmethod", "builtins.classmethod")
def descriptor(call: Call) -> Value:
    setter = call.get(1, "fset")
    return Descriptor(call.last, call.get(0, "fget"), setter if isinstance(setter, Function) else None)


@function("builtins.id", "builtins.hash", "builtins.ord")
def whole_number(call: Call) -> Value:
    return Scalar("int", call.get(0, "x").varies)


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
    """Exceptions and what is left."""
    return UNKNOWN
