"""Reading and setting elements: `x[i]`."""

import ast
from typing import Any, Final

from graphdoctor.dryrun.control.carried_state import is_plain_key
from graphdoctor.dryrun.control.self_closing_guards import ANY, note_closing
from graphdoctor.dryrun.control.staging import is_symbolic
from graphdoctor.dryrun.core.arguments import Arguments
from graphdoctor.dryrun.core.heap import forget_length
from graphdoctor.dryrun.core.machine import Machine, expression
from graphdoctor.dryrun.gradients.rebound_variables import note_slicing, replacing
from graphdoctor.dryrun.staleness.bounds import is_asked_for, is_lasting
from graphdoctor.dryrun.staleness.captured_state import Changed, captured, note_write, store
from graphdoctor.dryrun.staleness.differing_sizes import one_of_unlike, some_of_unlike
from graphdoctor.dryrun.staleness.recurrences import STEPPING, stepped
from graphdoctor.dryrun.staleness.state_readers import key_of_container
from graphdoctor.dryrun.tracing.operations import opaque, operate
from graphdoctor.dryrun.values import (
    NONE,
    NOTHING,
    REST,
    UNKNOWN,
    AbstractNumber,
    Array,
    Class,
    Constant,
    Dictionary,
    Given,
    GraphFunction,
    Instance,
    KerasTensor,
    Library,
    LibraryObject,
    Module,
    Sequence,
    Slice,
    StaticShape,
    Tape,
    Tensor,
    Union,
    Unknown,
    Value,
    Variable,
    is_few,
    is_known_text,
    known_int,
)
from graphdoctor.dryrun.values.class_membership import as_key, member_named
from graphdoctor.dryrun.values.iteration import element, items_of, settled, size_at, varying
from graphdoctor.dryrun.values.joining import (
    MISSING,
    alternatives,
    changing_size,
    element_of,
    join,
    join_all,
    perhaps_replaced,
    python_type,
)
from graphdoctor.dryrun.values.open_sizes import OpenSize, note_open_bounds
from graphdoctor.dryrun.values.printed_content import note_texts
from graphdoctor.dryrun.values.slicing import fixed_length, is_cut, sliced_shape
from graphdoctor.recording.format import State
from graphdoctor.source.nodes import spelled

MOST_FEW: Final = 4


@expression(ast.Subscript)
def evaluate_subscript(machine: Machine, node: ast.Subscript) -> Value:
    holder, index = machine.evaluate(node.value), machine.evaluate(node.slice)
    note_slicing(machine, holder, index, node)
    note_open_bounds(machine, index, node)
    value = get_item(machine, holder, index, node)
    machine.log.readers.note_container(machine, value, node)
    return value


@expression(ast.Slice)
def evaluate_slice(machine: Machine, node: ast.Slice) -> Value:
    parts = [
        machine.evaluate(part) if part is not None else NONE for part in (node.lower, node.upper, node.step)
    ]
    return Slice((parts[0], parts[1], parts[2]))


def get_item(machine: Machine, holder: Value, index: Value, node: ast.AST) -> Value:
    """`holder[index]`."""
    if machine.graph is not None and isinstance(index, Constant):
        machine.graph.note(node, repr(index.value))
    if isinstance(holder, Union):
        real = [each for each in holder.alternatives if not isinstance(each, Constant)]
        with machine.perhaps(len(real) > 1):
            return join_all([get_item(machine, each, index, node) for each in real])
    if isinstance(holder, Instance) and holder.entries and holder.cls.find("__getitem__") is None:
        holder = holder.entries
    if isinstance(holder, Sequence):
        return _of_sequence(machine, holder, index, node)
    if isinstance(holder, Dictionary):
        return _of_dictionary(machine, holder, as_key(index), node)
    if isinstance(holder, Class):
        return member_named(machine, holder, index, node)
    if isinstance(holder, StaticShape):
        return _of_shape(machine, holder, index, node)
    if isinstance(holder, (Tensor, Variable, KerasTensor)):
        if is_known_text(index):
            return UNKNOWN  # what was taken for a tensor is a dict
        shape = sliced_shape(holder.shape, index)
        made = operate(machine, "getitem", [holder, *_tensors_in(index)], node, holder.dtype, shape)
        if isinstance(made, Tensor) and isinstance(holder, Tensor):
            made.supposed = holder.supposed and not isinstance(index, (Sequence, Slice))
            if holder.constant is not None:
                made.constant = _of_constant(machine, holder.constant, index, node)
        return made
    if isinstance(holder, Array):
        return _of_array(machine, holder, index, node)
    if isinstance(holder, Instance) and holder.cls.find("__getitem__") is not None:
        method = machine.attribute(holder, "__getitem__", node)
        return machine.ask(method, Arguments([index]), node)
    if isinstance(holder, Constant) and isinstance(holder.value, str):
        few = is_few(index) or len(set(holder.value)) <= MOST_FEW
        return AbstractNumber("str", index.varies, few)
    if isinstance(holder, Library) and holder.name == "sys.modules":
        own = isinstance(node, ast.Subscript) and spelled(node.slice) == "__name__"
        return Module(machine.module) if own else UNKNOWN
    if isinstance(holder, LibraryObject) and holder.kind == "environment":
        return AbstractNumber("str")
    if isinstance(index, Sequence) and any(isinstance(part, Slice) for part in index.items or ()):
        return opaque(machine, [holder], "getitem", node)  # `x[:, 7]`: only tensors and arrays have that
    return UNKNOWN


def _shown(node: ast.AST, otherwise: str) -> str:
    """An element as the source names it; a run writes `state["rate"]`, too."""
    if isinstance(node, ast.Attribute):
        return spelled(node)
    return spelled(node).replace("'", '"') if isinstance(node, ast.Subscript) else otherwise


def _of_constant(machine: Machine, constant: Value, index: Value, node: ast.AST) -> Value | None:
    """`tf.shape(x)[0]` is settled while tracing where the size is known."""
    found = get_item(machine, constant, index, node) if isinstance(constant, StaticShape) else UNKNOWN
    return found if isinstance(found, (Constant, AbstractNumber)) else UNKNOWN


def _tensors_in(index: Value) -> list[Value]:
    parts = index.items if isinstance(index, Sequence) and index.items is not None else (index,)
    return [part for part in parts if isinstance(part, Tensor)]


def _of_array(machine: Machine, holder: Array, index: Value, node: ast.AST) -> Value:
    parts = index.items if isinstance(index, Sequence) and index.items is not None else (index,)
    for part in parts:
        if is_symbolic(machine, part):
            machine.log.use(
                "index", node, part, "array", node.slice if isinstance(node, ast.Subscript) else None
            )
    varies = holder.varies | index.varies
    for part in parts:
        if isinstance(part, Slice):
            varies |= frozenset().union(*(each.varies for each in part.parts))
    shape = sliced_shape(holder.shape, index)
    made = Array(holder.dtype, shape, machine.origin(node), holder.paths, varies)
    made.few = holder.few
    return made


def _of_sequence(machine: Machine, holder: Sequence, index: Value, node: ast.AST) -> Value:
    items = holder.items
    if isinstance(index, Instance) and index.cls.find("__index__") is not None:
        index = machine.call_method(index, "__index__", Arguments(), node)
    if isinstance(index, Constant) and isinstance(index.value, int) and items is not None:
        if -len(items) <= index.value < len(items):
            item = items[index.value]
            if holder.kind == "list" and machine.graph is not None:
                place = ("items", index.value)
                name = _shown(node, "item")
                captured(machine, holder.cells, place, item, node, "item", name, holder.origin.graph)
            return item
        return UNKNOWN
    if isinstance(index, Slice):
        return _sliced(machine, holder, index, node)
    if is_symbolic(machine, index) and holder.kind in ("list", "tuple", "range"):
        machine.log.indexed(node, index, holder.kind, items[0] if items else element_of(holder))
        return UNKNOWN
    found = element_of(holder)
    few = (items is not None and len(items) <= MOST_FEW) or bool(getattr(index, "few", False))
    if isinstance(found, (Constant, AbstractNumber)) and index.varies:
        return varying(found, index.varies, few)
    return one_of_unlike(holder, found, index.varies, few)


def _sliced(machine: Machine, holder: Sequence, index: Slice, node: ast.AST) -> Value:
    kind = "list" if holder.kind == "list" else holder.kind
    if holder.items is not None and all(isinstance(part, Constant) for part in index.parts):
        try:
            taken = holder.items[slice(*(part.value for part in index.parts))]  # type: ignore[attr-defined]
            return Sequence(kind, tuple(taken), machine.origin(node))
        except (TypeError, ValueError):
            return UNKNOWN
    typical = some_of_unlike(holder, element_of(holder), index)
    made = Sequence(kind, None, machine.origin(node), typical)
    if fixed_length(index) is None:
        grows = NOTHING if is_cut(index) else holder.grows
        made.cells["grows"] = grows.union(*map(changing_size, index.parts))
    return made


def _of_dictionary(machine: Machine, holder: Dictionary, index: Value, node: ast.AST) -> Value:
    if isinstance(index, Constant) and _hashable(index.value) and index.value in holder.cells:
        value: Value = holder.cells[index.value]
        if machine.graph is not None:
            name = _shown(node, repr(index.value))
            captured(machine, holder.cells, index.value, value, node, "item", name, holder.origin.graph)
        if machine.loops and value.__class__ in STEPPING:
            return stepped(machine, value, holder.cells, index.value)
        return value
    if holder.factory is not None and (not isinstance(index, Constant) or REST not in holder.cells):
        _make_entry(machine, holder, index, node)
    if isinstance(index, Constant):
        if _hashable(index.value) and index.value in holder.cells:
            return holder.cells[index.value]  # type: ignore[no-any-return]
        if REST not in holder.cells and holder.complete and isinstance(index.value, str):
            machine.end()  # KeyError
        rest: Value = holder.cells.get(REST, UNKNOWN)
        return UNKNOWN if _is_of_finished_graph(machine, rest) else rest
    if isinstance(index, AbstractNumber) and holder.latest is not None:
        key, latest, rest = holder.latest
        if key == index.term and holder.cells.get(REST) is rest:
            return latest  # stored under this very key, and nothing since
    if is_symbolic(machine, index):
        machine.log.use("key", node, index, "dict")
        return UNKNOWN
    held = [each for each in holder.cells.values() if not _is_of_finished_graph(machine, each)]
    found = join_all(held) if held else UNKNOWN
    if any(isinstance(each, Tape) for each in alternatives(found)):
        return UNKNOWN  # one of several, perhaps: which of them was asked before is unknown
    if isinstance(found, (Constant, AbstractNumber)) and index.varies:
        return varying(found, index.varies, len(holder.cells) <= MOST_FEW)
    return found


def _make_entry(machine: Machine, holder: Dictionary, index: Value, node: ast.AST) -> None:
    """What a `defaultdict` does with a key that it has not: it makes an entry, and keeps it."""
    key = index.value if isinstance(index, Constant) else REST
    if holder.factory is None or not _hashable(key) or key in holder.cells:
        return
    made = machine.call(holder.factory, Arguments(), node)
    if isinstance(made, (Sequence, Dictionary)):
        made.origin = holder.origin
    machine.heap.put(holder.cells, key, made)


def _is_of_finished_graph(machine: Machine, value: Value) -> bool:
    """Whether a trace before has left it: under which key is unknown, and each trace may set its own."""
    parts = value.alternatives if isinstance(value, Union) else (value,)
    graphs = [part.origin.graph for part in parts if isinstance(part, Tensor) and part.graph is not None]
    return machine.graph is not None and any(graph not in machine.graphs for graph in graphs)


def _hashable(value: Any) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


def _of_open_rank(machine: Machine, holder: StaticShape, index: Value, node: ast.AST) -> Value:
    """Run on 2.21: `x.shape[0]` is None also where TensorFlow does not even know the rank."""
    if (
        not isinstance(holder.of, Tensor)
        or not isinstance(index, Constant)
        or not isinstance(index.value, int)
    ):
        return UNKNOWN
    if holder.of.open_rank is None and not (holder.of.open_batch and index.value == 0):
        return UNKNOWN
    name = spelled(holder.node.value) if isinstance(holder.node, ast.Attribute) else ""
    return OpenSize(name, index.value, machine.origin(node))


def _of_shape(machine: Machine, holder: StaticShape, index: Value, node: ast.AST) -> Value:
    dimensions = holder.dimensions
    if dimensions is None:
        return _of_open_rank(machine, holder, index, node)
    if isinstance(index, Constant) and isinstance(index.value, int):
        inside = -len(dimensions) <= index.value < len(dimensions)
        return size_at(machine, holder, index.value, node) if inside else UNKNOWN
    if isinstance(index, Slice) and all(isinstance(part, Constant) for part in index.parts):
        taken = slice(*(part.value for part in index.parts))  # type: ignore[attr-defined]
        part_of = StaticShape(dimensions[taken], holder.of, holder.node)
        part_of.first = holder.first + taken.indices(len(dimensions))[0]
        return part_of
    return UNKNOWN


def set_item(
    machine: Machine, holder: Value, index: Value, value: Value, target: ast.Subscript, counted: bool
) -> None:
    """`holder[index] = value`."""
    machine.log.kept(value)
    if isinstance(holder, Tensor) and is_known_text(index):
        return  # what was taken for a tensor is a dict
    if isinstance(holder, Instance) and holder.entries and holder.cls.find("__setitem__") is None:
        holder = holder.entries
    if isinstance(holder, Tensor) and not holder.annotated and not holder.supposed:
        machine.log.use("item", target, holder, given=target.value)
    elif isinstance(holder, Array):
        if is_symbolic(machine, value):
            machine.log.use("numpy", target, value, "item assignment")
    elif isinstance(holder, Sequence):
        machine.log.readers.note_filling(target.value)
        if is_symbolic(machine, index):
            machine.log.use("index", target, index, holder.kind)
            return
        if _is_carried(machine, holder, target):
            value = _in_graph_of(holder, value)
        elif not _is_there(holder, value):
            note_change(machine, holder, value, target, "item", spelled(target.value))
        _set_in_sequence(machine, holder, index, value, target)
    elif isinstance(holder, Dictionary):
        index = as_key(index)
        machine.log.readers.note_filling(target.value)
        if is_symbolic(machine, index):
            machine.log.use("key", target, index, "dict")
        note_texts(machine, [index], "key")
        if not _is_carried(machine, holder, target) and not _is_there(holder, value):
            note_change(machine, holder, value, target, "item", spelled(target.value), counted)
        if machine.graph is not None and isinstance(index, Constant) and _hashable(index.value):
            note_write(machine, holder.cells, index.value)
        if isinstance(index, Constant) and _hashable(index.value):
            old = holder.cells.get(index.value)
            if isinstance(value, GraphFunction) and old is None:
                value.looked_up = is_lasting(machine, holder) and is_asked_for(machine, target.value)
            machine.heap.put(holder.cells, index.value, replacing(machine, value, old, target))
            machine.note_written(holder.cells, index.value, target)
        else:
            for key, old in perhaps_replaced(holder.cells, value).items():
                machine.heap.put(holder.cells, key, old)
            rest = join(holder.cells.get(REST, MISSING), value)
            machine.heap.put(holder.cells, REST, rest)
            holder.latest = (getattr(index, "term", None), value, rest)
            few = bool(getattr(index, "few", False))
            if isinstance(value, GraphFunction):
                value.has_few_keys = few
            if not few:
                holder.grows |= index.varies - set(holder.origin.loops)
    elif isinstance(holder, Given):
        if not _is_there(holder, value):
            note_given_changed(machine, holder, target)
    elif isinstance(holder, Instance) and holder.cls.find("__setitem__") is not None:
        machine.call_method(holder, "__setitem__", Arguments([index, value]), target)


def set_entry(machine: Machine, holder: Value, key: Constant, value: Value, node: ast.AST) -> None:
    """`holder.key = value` where the attributes of an object are its entries."""
    target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", node)
    written = target.value if isinstance(target, ast.Attribute) else ast.Name("self", ast.Load())
    item = ast.Subscript(written, ast.Constant(key.value), ast.Store())
    set_item(machine, holder, key, value, ast.copy_location(item, target), False)


def _is_there(holder: Value, value: Value) -> bool:
    """Whether an argument of a graph function may get what it has: `d["x"] = tf.cast(d["x"], …)`."""
    given = value.perhaps if isinstance(value, Tensor) else None
    if isinstance(holder, Given):
        return isinstance(given, Unknown)
    if given is None or not isinstance(holder, (Sequence, Dictionary)) or not holder.argument:
        return False
    items = holder.items if isinstance(holder, Sequence) else None
    held = holder.cells.values() if items is None else items
    return any(given is each or (isinstance(given, Unknown) and isinstance(each, Unknown)) for each in held)


def _is_carried(machine: Machine, holder: Sequence | Dictionary, target: ast.Subscript) -> bool:
    """Whether AutoGraph carries this item out of staged code: `d["a"] = x` of a name of the same trace."""
    graph, made_in = machine.graph, holder.origin.graph
    if graph is None or made_in is None or made_in is graph or machine.is_outer(made_in):
        return False
    plain = isinstance(target.value, ast.Name) and is_plain_key(target.slice)
    return plain and not holder.argument and machine.activation.staged > 0


def _in_graph_of(holder: Sequence, value: Value) -> Value:
    """A tensor, as the graph in which the list was made gets it."""
    made = holder.origin
    inner = isinstance(value, Tensor) and value.graph is not None and made.graph is not None
    return value.moved(made) if inner and isinstance(value, Tensor) else value


def delete_item(machine: Machine, target: ast.Subscript) -> None:
    """`del holder[index]`."""
    holder, index = machine.evaluate(target.value), as_key(machine.evaluate(target.slice))
    if isinstance(holder, Given):
        note_given_changed(machine, holder, target)
    elif isinstance(holder, Instance) and holder.cls.find("__delitem__") is not None:
        machine.call_method(holder, "__delitem__", Arguments([index]), target)
    elif isinstance(holder, (Sequence, Dictionary)):
        note_change(machine, holder, NONE, target, "item", spelled(target.value))
        if isinstance(holder, Sequence):
            forget_length(machine.heap, holder, None, NOTHING)
        elif isinstance(index, Constant) and _hashable(index.value):
            machine.heap.remove(holder.cells, index.value)
        else:
            machine.heap.doubt(holder.cells, *holder.entries)


def note_given_changed(machine: Machine, holder: Given, node: ast.AST) -> None:
    """Note that traced code changes an argument of which nothing is known; lists and dicts forbid it."""
    if machine.graph is not None and machine.graph.function is not None:
        with machine.perhaps():
            state = State(kind="argument", name=holder.name)
            machine.log.effect("argument", holder.name, node, state=state)


def _set_in_sequence(machine: Machine, holder: Sequence, index: Value, value: Value, target: ast.AST) -> None:
    items = holder.items
    at = known_int(index)
    if items is not None and at is not None and -len(items) <= at < len(items):
        changed = list(items)
        changed[at] = replacing(machine, value, items[at], target)
        machine.heap.put(holder.cells, "items", tuple(changed))
        machine.note_written(holder.cells, ("items", at), target)
        return
    if isinstance(index, Slice):
        _set_slice(machine, holder, index, settled(value), target)
    elif items is not None and python_type(value) and all(map(python_type, items)):
        machine.heap.put(holder.cells, "items", tuple(join(item, value) for item in items))
    else:
        forget_length(machine.heap, holder, value, NOTHING)


def _set_slice(machine: Machine, holder: Sequence, index: Slice, value: Value, target: ast.AST) -> None:
    """`items[1:] = value`."""
    items, new = holder.items, items_of(machine, value)
    if items is not None and new is not None and all(isinstance(part, Constant) for part in index.parts):
        changed = list(items)
        try:
            changed[slice(*(part.value for part in index.parts))] = new  # type: ignore[attr-defined]
        except (TypeError, ValueError):
            return
        machine.heap.put(holder.cells, "items", tuple(changed))
        return
    forget_length(machine.heap, holder, element(machine, value, target), NOTHING)


def note_change(
    machine: Machine,
    holder: Sequence | Dictionary,
    value: Value,
    node: ast.AST,
    what: str,
    name: str,
    counted: bool = False,
) -> None:
    """Note that traced code changes a list or dict: one from outside, its argument, one of a graph around."""
    graph = machine.graph
    if graph is None:
        return
    note_closing(machine, holder.cells, ANY)
    kind = "list" if isinstance(holder, Sequence) else "dict"
    state = State(kind=kind, name=name, made=machine.log.place_of(holder.origin))
    if holder.argument:
        machine.log.effect("argument", holder.argument, node, values=(value,), state=state)
    elif machine.is_outer(holder.origin.graph):
        receiver = machine.activation.receiver
        cls = receiver.cls if isinstance(receiver, Instance) and name.startswith("self.") else None
        changed = Changed(key_of_container(holder), cls, name.removeprefix("self.").partition("[")[0])
        store(machine, node, what, state, value, None, counted, changed=changed)
    elif holder.origin.graph is not graph and holder.origin.graph is not None:
        _note_in_subgraph(machine, holder, value, node, state, what)


def _note_in_subgraph(
    machine: Machine, holder: Sequence | Dictionary, value: Value, node: ast.AST, state: State, what: str
) -> None:
    """A list of the same trace, changed inside a staged branch or loop."""
    from graphdoctor.dryrun.staleness.captured_state import symbolic_parts

    graph = machine.graph
    assert graph is not None
    inner = (
        [g for g in machine.graphs[machine.graphs.index(holder.origin.graph) + 1 :] if g is not None]
        if (holder.origin.graph in machine.graphs)
        else []
    )
    if any(g.kind == "loop" for g in inner):
        escaping: list[Value] = [*symbolic_parts(value)]
        for each in escaping or [value]:
            machine.log.escape(each, state, node, graph="loop", changed=Changed(key_of_container(holder)))
    elif any(g.kind == "if" for g in inner):
        machine.log.effect("branch", state.name, node, values=(value,), state=state)
