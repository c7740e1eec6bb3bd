"""What a value gives when it is iterated over."""

import ast
from typing import Any, Final

from graphdoctor.dryrun.core.arguments import Arguments
from graphdoctor.dryrun.core.context import LoopRun
from graphdoctor.dryrun.core.machine import Machine
from graphdoctor.dryrun.values import (
    NOTHING,
    NOWHERE,
    OPEN,
    UNKNOWN,
    AbstractNumber,
    AbstractString,
    Array,
    Cells,
    Class,
    Constant,
    Dataset,
    Dictionary,
    Function,
    Generator,
    GraphFunction,
    Instance,
    LibraryObject,
    Numeric,
    Opaque,
    Origin,
    Sequence,
    Shape,
    StaticShape,
    Tensor,
    Union,
    Unknown,
    Value,
    Variable,
    Variables,
)
from graphdoctor.dryrun.values.class_membership import key_given, members_of
from graphdoctor.dryrun.values.joining import alternatives, changing_size, element_of, join_all, python_type
from graphdoctor.dryrun.values.structures import rebuilt
from graphdoctor.source.nodes import spelled

MOST_FEW: Final = 4
THEMSELVES: Final = (Class, Function, GraphFunction, Instance, LibraryObject, Tensor, Variable)


def settled(value: Value) -> Value:
    """The one alternative that can be iterated over, where the others are None."""
    if isinstance(value, Union):
        real = [each for each in alternatives(value) if not isinstance(each, Constant)]
        return real[0] if len(real) == 1 else UNKNOWN
    return value


def iterated(machine: Machine, value: Value, node: ast.AST) -> Value:
    """What is gone through when a value is iterated over: of a project's class, what `__iter__` gives."""
    value = settled(value)
    if not isinstance(value, Instance) or not isinstance(value.cls.find("__iter__"), Function):
        return value
    given = machine.call_method(value, "__iter__", Arguments(), node)
    return settled(given)


def may_be_tensor(value: Value) -> bool:
    """Whether it is unknown if AutoGraph finds a tensor here: it is unknown, or `range` of what is."""
    if isinstance(value, Sequence):
        return bool(value.cells.get("open"))
    return isinstance(value, (Unknown, Union))


def items_of(machine: Machine, value: Value) -> tuple[Value, ...] | None:
    """All elements in order, where they are known one by one."""
    if isinstance(value, Sequence):
        return value.items
    if isinstance(value, Dictionary):
        return tuple(map(key_given, value.entries)) if value.exact else None
    if isinstance(value, Class):
        return members_of(machine, value, None)
    if isinstance(value, Variables) and value.early:
        return ()
    if isinstance(value, Constant) and isinstance(value.value, str) and len(value.value) <= 20:
        return tuple(map(Constant, value.value))
    if isinstance(value, StaticShape) and value.dimensions is not None:
        return sizes_of(machine, value)
    return None


def sizes_of(machine: Machine, shape: StaticShape) -> tuple[Value, ...]:
    """The dimensions of a shape as Python sees them: numbers, and None for what is open."""
    return tuple(size_at(machine, shape, axis, None) for axis in range(len(shape.dimensions or ())))


def size_at(machine: Machine, shape: StaticShape, axis: int, node: ast.AST | None) -> Value:
    """`x.shape[axis]`, read by this expression."""
    from graphdoctor.dryrun.values.open_sizes import OpenSize

    assert shape.dimensions is not None
    size = shape.dimensions[axis]
    if isinstance(size, int):
        return Constant(size)
    if isinstance(size, AbstractNumber):
        return size
    if machine.graph is None and isinstance(shape.of, Tensor):
        return AbstractNumber("int")  # what is eager has all its sizes
    at = node or shape.node
    tensor = spelled(shape.node.value) if isinstance(shape.node, ast.Attribute) else ""
    origin = machine.origin(at) if at is not None else NOWHERE
    return OpenSize(tensor, shape.first + axis % len(shape.dimensions), origin)


def count_of(value: Value) -> int | None:
    """How many elements it has, where that is known."""
    if isinstance(value, Sequence):
        return len(value.items) if value.items is not None else value.count
    if isinstance(value, (Numeric, Variable)) and value.shape and isinstance(value.shape[0], int):
        return value.shape[0]
    if isinstance(value, Dataset):
        return value.iterations
    if isinstance(value, Constant) and isinstance(value.value, str):
        return len(value.value)
    if isinstance(value, Dictionary):
        return len(value.entries) if value.exact else None
    return None


def element(machine: Machine, value: Value, node: ast.AST, loop: LoopRun | None = None) -> Value:
    """A typical element; it differs at each iteration of the loop that takes one after the other."""
    loops = frozenset([loop]) if loop is not None else NOTHING
    if isinstance(value, Sequence):
        typical = element_of(value)
        return _row(value, loops) or varying(
            fresh(machine, typical, node) if value.cells.get("renewed") else typical,
            loops,
            _are_few(value.items, value.count),
            _lengths(value) > MOST_FEW,
        )
    if isinstance(value, Generator):
        return varying(generated(machine, value, node), loops)
    if isinstance(value, Array):
        return _array_element(machine, value, node, loops)
    if isinstance(value, (Tensor, Variable)):
        return _tensor_element(machine, value, node)
    if isinstance(value, Dataset):
        given = fresh(machine, value.element, node)
        if machine.graph is not None:
            return without_batch_size(given) if value.whole else given
        return with_sizes(given, NOTHING if value.even else loops)
    if isinstance(value, Dictionary):
        keys = [key_given(key) for key in value.entries]
        return varying(join_all(keys), loops, _are_names(keys)) if keys and value.complete else UNKNOWN
    if python_type(value) == "str":
        return AbstractNumber("str", loops | value.varies)
    if isinstance(value, StaticShape) and value.dimensions is not None:
        return join_all(sizes_of(machine, value))
    if isinstance(value, Instance):
        return _object_element(machine, value, node, loops)
    if isinstance(value, LibraryObject) and value.kind in ("iterator", "file"):
        few = value.cells.get("few") is True  # the same ones again and again
        given = varying(fresh(machine, value.cells.get("element", UNKNOWN), node), loops, few)
        return with_sizes(given, NOTHING if value.cells.get("even") else loops)
    if isinstance(value, Opaque):
        return value
    if isinstance(value, Variables):
        return join_all([_weight_of(each, value.kind) for each in _holders(value.of)])
    return UNKNOWN


def without_batch_size(value: Value) -> Value:
    """A batch as TensorFlow knows it while tracing, where the last one of the pipeline may be smaller."""

    def opened(part: Value) -> Value:
        return part.shaped((OPEN, *part.shape[1:])) if isinstance(part, Tensor) and part.shape else part

    return rebuilt(value, opened)


def _holders(holder: Value) -> list[Value]:
    """All that has variables: several models, where their variables were put together."""
    if isinstance(holder, Sequence):
        return [each for member in holder.members for each in _holders(member)] or [UNKNOWN]
    return [holder]


def _weight_of(holder: Value, kind: str) -> Variable:
    """One of its variables, and it is unknown which: it stands for all of this kind."""
    dtype = None if is_plain_module(holder) else "float32"
    found = Variable(dtype, None, getattr(holder, "origin", NOWHERE))
    found.cells.update(of=holder, kind=kind)
    return found


def is_typical_weight(value: Value) -> bool:
    """Whether it stands for all variables of an object."""
    return isinstance(value, Variable) and "kind" in value.cells


def chosen(value: Value) -> Value:
    """What a condition lets through, it is unknown when: of an object's variables, it is some."""
    if not is_typical_weight(value):
        return value
    assert isinstance(value, Variable)
    some = Variable(value.dtype, value.shape, value.origin, value.trainable, value.name)
    some.cells["of"] = value.cells["of"]
    return some


def is_plain_module(holder: Value) -> bool:
    """Whether it is a `tf.Module` that is nothing of Keras: its variables are as the program makes them."""
    if not isinstance(holder, Instance):
        return False
    return holder.cls.derives("tensorflow.Module") and not holder.cls.derives("keras.")


def _with_sizes(shape: Shape, loops: frozenset[LoopRun]) -> Shape:
    if shape is None:
        return None
    sizes = [AbstractNumber("int", loops) if size is None else size for size in shape]
    if _is_of_pictures(shape):
        sizes[-1] = AbstractNumber("int")
    return tuple(sizes)


def _is_of_pictures(shape: tuple[int | AbstractNumber | None, ...]) -> bool:
    """Whether the channels of pictures are open: who decodes and resizes them need not say how many."""
    height, width = shape[-3:-1] if len(shape) in (3, 4) else (None, None)
    if height is None or width is None or shape[-1] is not None:
        return False
    return len(shape) == 4 or height == width


def with_sizes(value: Value, loops: frozenset[LoopRun]) -> Value:
    """An element of a dataset in eager code: what is open in the pipeline has a size, another each time."""

    def sized(part: Value) -> Value:
        if isinstance(part, Tensor):
            copied = part.shaped(_with_sizes(part.shape, loops))
            copied.open_rank = None
            return copied
        if isinstance(part, Array) and part.shape is not None:
            return Array(part.dtype, _with_sizes(part.shape, loops), part.origin, part.paths, part.varies)
        return part

    return rebuilt(value, sized)


def _are_names(keys: list[Value]) -> bool:
    return len(keys) <= MOST_FEW or all(
        isinstance(key, Constant) and isinstance(key.value, str) for key in keys
    )


def _row(table: Sequence, loops: frozenset[LoopRun]) -> Value | None:
    """A typical row of rows that are alike: each of its columns has few values, or many, by itself."""
    typical = element_of(table) if loops else UNKNOWN
    if isinstance(typical, Dictionary):
        return _entry_by_entry(table, typical, loops)
    rows = [item.items for item in table.items or () if isinstance(item, Sequence) and item.items is not None]
    if not isinstance(typical, Sequence) or typical.items is None or typical.kind not in ("tuple", "list"):
        return None
    if len(rows) != len(table.items or ()) or {len(typical.items)} != set(map(len, rows)):
        return None
    columns = zip(typical.items, zip(*rows, strict=True), strict=True)
    items = tuple(varying(each, loops, _are_few(column, None)) for each, column in columns)
    return Sequence(typical.kind, items, typical.origin, fields=typical.fields)


def _entry_by_entry(table: Sequence, typical: Dictionary, loops: frozenset[LoopRun]) -> Value | None:
    """A typical dict of several that have the same keys."""
    rows = [item for item in table.items or () if isinstance(item, Dictionary)]
    if not rows or any(row.cells.keys() != typical.cells.keys() for row in rows):
        return None
    cells = {
        key: varying(value, loops, _are_few(tuple(row.cells[key] for row in rows), None))
        for key, value in typical.cells.items()
    }
    return _with_entries(typical, cells)


def _with_entries(value: Dictionary, cells: Cells) -> Dictionary:
    """A dict like this one that has these entries; the same one, where they are its own."""
    if all(cells[key] is known for key, known in value.cells.items()):
        return value
    made = value.like(cells)
    made.grows = value.grows
    return made


def _are_few(items: tuple[Value, ...] | None, count: int | None) -> bool:
    if items is None:
        return count is not None and count <= MOST_FEW
    if items and all(isinstance(item, Constant) and isinstance(item.value, str) for item in items):
        return True  # names: somebody has written each of them down
    return len({item.value if isinstance(item, Constant) else id(item) for item in items}) <= MOST_FEW


def _lengths(sequence: Sequence) -> int:
    """How many different lengths the lists in a list have."""
    parts = [item for item in sequence.items or () if isinstance(item, Sequence)]
    return len({len(part.items) for part in parts if part.items is not None})


def growth_of(value: Value) -> frozenset[LoopRun]:
    """The loops at whose iterations it has another number of elements."""
    if isinstance(value, Sequence):
        return value.grows
    if isinstance(value, AbstractNumber) and value.type == "str":
        return NOTHING if isinstance(value, AbstractString) and value.even else value.varies
    return changing_size(value.shape[0]) if isinstance(value, Numeric) and value.shape else NOTHING


def varying(value: Value, loops: frozenset[LoopRun], few: bool = False, uneven: bool = False) -> Value:
    """The value, as one that differs at the iterations of some loops; `uneven`: in its length, too."""
    if not loops:
        return value
    if isinstance(value, AbstractNumber):
        return AbstractNumber(
            value.type, value.varies | loops, (value.few and few) or value.type == "bool", value.paths
        )
    if isinstance(value, Sequence) and value.items is not None and value.kind in ("tuple", "list"):
        items = tuple(varying(item, loops, few) for item in value.items)
        return Sequence(value.kind, items, value.origin, fields=value.fields)
    if isinstance(value, Dictionary):
        return _with_entries(value, {key: varying(item, loops, few) for key, item in value.cells.items()})
    if isinstance(value, Sequence) and value.items is None and (uneven or value.grows):
        made = Sequence(value.kind, None, value.origin, value.cells["element"])
        made.cells["grows"] = value.grows | loops
        return made
    if isinstance(value, Numeric) and value.shape is not None:
        return _varying_shape(value, loops)
    return value


def _varying_shape(value: Numeric, loops: frozenset[LoopRun]) -> Value:
    """Sizes that differ among the elements differ at each iteration."""
    assert value.shape is not None
    if not any(isinstance(size, AbstractNumber) and size.varies for size in value.shape):
        return value
    shape = tuple(
        AbstractNumber("int", size.varies | loops, size.few)
        if isinstance(size, AbstractNumber) and size.varies
        else size
        for size in value.shape
    )
    if isinstance(value, Tensor):
        return value.shaped(shape)
    return Array(value.dtype, shape, value.origin, value.paths, value.varies | loops)


def fresh(machine: Machine, value: Value, node: ast.AST) -> Value:
    """The same description of another object: what a dataset gives again at each iteration."""
    origin = machine.origin(node)

    def made(part: Value) -> Value:
        if isinstance(part, Tensor):
            return part.moved(machine.origin(node))
        if isinstance(part, Array):
            return Array(part.dtype, part.shape, machine.origin(node), part.paths, part.varies)
        return part

    return rebuilt(value, made, origin)


def _array_element(machine: Machine, value: Array, node: ast.AST, loops: frozenset[LoopRun]) -> Value:
    shape = value.shape[1:] if value.shape else None
    made = Array(value.dtype, shape, machine.origin(node), value.paths, value.varies | loops)
    made.few = value.few
    return made


def _tensor_element(machine: Machine, value: Tensor | Variable, node: ast.AST) -> Value:
    from graphdoctor.dryrun.tracing.operations import operate

    shape = value.shape[1:] if value.shape else None
    made = operate(machine, "iteration", [value], node, value.dtype, shape)
    if isinstance(made, Tensor) and isinstance(value, Tensor):
        made.supposed = value.supposed
    return made


def _object_element(machine: Machine, value: Instance, node: ast.AST, loops: frozenset[LoopRun]) -> Value:
    if value.cls.find("__next__") is not None:
        return varying(machine.call_method(value, "__next__", Arguments(), node), loops)
    if value.cls.find("__iter__") is not None:
        return element(machine, iterated(machine, value, node), node, next(iter(loops), None))
    if value.cls.find("__getitem__") is not None:
        index = Arguments([AbstractNumber("int", loops)])
        return machine.call_method(value, "__getitem__", index, node)
    return UNKNOWN


def generated(machine: Machine, value: Generator, node: ast.AST) -> Value:
    """What a generator yields, taken together."""
    from graphdoctor.dryrun.control.generators import all_yields

    return element_of(all_yields(machine, value, node))


def sequence_of(machine: Machine, kind: str, value: Value, node: ast.AST) -> Sequence:
    """`list(value)`, `tuple(value)`, `set(value)`."""
    origin: Origin = machine.origin(node)
    value = iterated(machine, value, node)
    if isinstance(value, Generator):
        from graphdoctor.dryrun.control.generators import all_yields

        value = all_yields(machine, value, node)
    items = items_of(machine, value)
    if kind == "set" and isinstance(value, Constant) and isinstance(value.value, str):
        items = tuple(map(Constant, dict.fromkeys(value.value)))
    if items is not None:
        if kind != "iterator":
            consume(machine, value)
        known = distinct(items) if kind == "set" else items
        if known is not None:
            return Sequence(kind, known, origin)
        return Sequence(kind, None, origin, element_of(Sequence("list", items, origin)))
    repeats = kind == "set" and not (isinstance(value, Sequence) and value.kind == "set")
    count = None if repeats else count_of(value)
    made = Sequence(kind, None, origin, element(machine, value, node), count)
    made.cells["grows"] = growth_of(value)
    return made


def consume(machine: Machine, value: Value) -> None:
    """Somebody has gone through a value: an iterator has nothing left then."""
    if isinstance(value, Sequence) and value.kind == "iterator" and value.items:
        machine.heap.put(value.cells, "items", ())


def distinct(items: tuple[Value, ...]) -> tuple[Value, ...] | None:
    """The elements of a set, each of them once; None where it is unknown which of them are equal."""
    found: dict[Any, Value] = {}
    for item in items:
        if isinstance(item, Constant):
            found.setdefault(("value", item.value), item)
        elif isinstance(item, THEMSELVES) or len(items) == 1:
            found.setdefault(("object", id(item)), item)
        else:
            return None
    return tuple(found.values())
