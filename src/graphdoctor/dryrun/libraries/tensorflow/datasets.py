"""`tf.data`: pipelines, what they give, and the functions that they trace."""

import ast
import contextlib
from collections.abc import Iterable

from graphdoctor.dryrun.control.conditions import truth
from graphdoctor.dryrun.core.arguments import Arguments
from graphdoctor.dryrun.core.machine import Machine
from graphdoctor.dryrun.libraries.numpy_arrays import lasting
from graphdoctor.dryrun.libraries.registry import Call, attributes, family, function, methods, object_methods
from graphdoctor.dryrun.libraries.tables.names import names
from graphdoctor.dryrun.staleness.allocation import (
    active_loops,
    is_steady_dataset,
    names_iteration,
    reads_iteration,
    reallocating_loop,
)
from graphdoctor.dryrun.tracing.graph_function_calls import in_trace, lifted
from graphdoctor.dryrun.values import (
    NONE,
    NOTHING,
    OPEN,
    UNKNOWN,
    AbstractNumber,
    Array,
    BoundMethod,
    Constant,
    Dataset,
    Dictionary,
    Dimension,
    Function,
    GraphFunction,
    Instance,
    LibraryObject,
    Method,
    Partial,
    Sequence,
    Tensor,
    TensorSpec,
    Unknown,
    Value,
    is_none,
    known_int,
)
from graphdoctor.dryrun.values.dtypes import dtype_given, dtype_named, dtype_of, shape_given, shape_of
from graphdoctor.dryrun.values.iteration import without_batch_size
from graphdoctor.dryrun.values.joining import python_type
from graphdoctor.dryrun.values.structures import rebuilt

SAME = names("datasets of the same elements")
KEEPING = names("applied and the same elements")
TRACED = ("map", "filter", "flat_map", "interleave", "reduce", "scan", "take_while", "group_by_window")


@function("tensorflow.data.Dataset.from_tensor_slices", "tensorflow.data.Dataset.from_tensors")
def from_slices(call: Call) -> Value:
    given = call.get(0, "tensors")
    whole = call.last == "from_tensors"
    shape = shape_of(_first(given))
    iterations = 1 if whole else shape[0] if shape and isinstance(shape[0], int) else None
    return make(call, _slice(call.machine, given, call.node, whole), iterations)


def _first(value: Value) -> Value:
    if isinstance(value, Sequence) and value.kind == "tuple" and value.items:
        return _first(value.items[0])
    if isinstance(value, Dictionary) and value.entries:
        return _first(next(iter(value.entries.values())))
    return value


def _slice(machine: Machine, value: Value, node: ast.AST, whole: bool) -> Value:
    """One element of what a dataset was made from: a tensor for each array in the structure."""

    def sliced(part: Value) -> Value:
        shape, dtype = lasting(machine, shape_of(part)), dtype_of(part)
        known = shape is not None or dtype is not None or isinstance(part, (Array, Tensor))
        if _is_open_tuple(part) or not known:
            return UNKNOWN
        return Tensor(dtype, (shape if whole else shape[1:]) if shape else None, machine.origin(node))

    return rebuilt(value, sliced, machine.origin(node), kinds=("tuple", "dict"))


def make(call: Call, element: Value, iterations: int | None = None) -> Dataset:
    """A dataset that is made here."""
    made = Dataset(element, call.origin, iterations)
    made.origin.given = tuple(call.arguments)
    call.machine.log.made("dataset", made, call.node)
    return made


@function("tensorflow.data.Dataset.range")
def range_(call: Call) -> Value:
    last = call.arguments.positional[-1] if len(call.arguments.positional) == 1 else UNKNOWN
    iterations = known_int(last)
    dtype = dtype_given(call.get(None, "output_type"), "int64")
    return make(call, Tensor(dtype, (), call.origin), iterations)


@function("tensorflow.data.experimental.enable_debug_mode")
def enable_debug_mode(call: Call) -> Value:
    call.machine.program.eager_pipelines = True
    return NONE


@function("tensorflow.data.Dataset.from_generator")
def from_generator(call: Call) -> Value:
    from graphdoctor.dryrun.tracing.graph_function_calls import from_spec

    signature = call.get(None, "output_signature")
    if isinstance(signature, (TensorSpec, Sequence, Dictionary)):
        return make(call, from_spec(call.machine, signature, UNKNOWN, call.node))
    kinds, shapes = call.get(1, "output_types"), call.get(2, "output_shapes")
    stated = call.arguments.has(2, "output_shapes")
    return make(call, _typed(call.machine, kinds, shapes if stated else NONE, call.node))


def _typed(machine: Machine, kinds: Value, shapes: Value, node: ast.AST) -> Value:
    """Elements of which the dtype is known: without shapes beside it their rank is open."""
    origin = machine.origin(node)
    if isinstance(kinds, Sequence) and kinds.items is not None:
        given = _parts(shapes, len(kinds.items))
        items = tuple(_typed(machine, *each, node) for each in zip(kinds.items, given, strict=True))
        return Sequence("tuple", items, origin)
    dtype = dtype_named(kinds)
    open_rank = origin if is_none(shapes) else None
    return Tensor(dtype, shape_given(shapes), origin, open_rank=open_rank) if dtype else UNKNOWN


def _parts(shapes: Value, count: int) -> Iterable[Value]:
    """The shape of each part of an element."""
    if isinstance(shapes, Sequence) and shapes.items is not None and len(shapes.items) == count:
        return shapes.items
    return [NONE if is_none(shapes) else UNKNOWN] * count


@function("tensorflow.data.Dataset.zip")
def zip_(call: Call) -> Value:
    given = call.get(0, "datasets")
    parts = list(given.items or ()) if isinstance(given, Sequence) else call.arguments.positional
    if all(isinstance(part, Dataset) for part in parts):
        elements = tuple(part.element for part in parts)  # type: ignore[attr-defined]
        iterations = [part.iterations for part in parts]  # type: ignore[attr-defined]
        count = min((t for t in iterations if t is not None), default=None)
        made = make(call, Sequence("tuple", elements, call.origin), count)
        made.traced = tuple(function for part in parts for function in part.traced)  # type: ignore[attr-defined]
        return made
    return make(call, UNKNOWN)


@function(
    "tensorflow.data.Dataset.list_files",
    "tensorflow.data.TextLineDataset",
    "tensorflow.data.TFRecordDataset",
    "tensorflow.data.FixedLengthRecordDataset",
)
def of_texts(call: Call) -> Value:
    """Names of files, lines and records: a text each."""
    return make(call, Tensor("string", (), call.origin))


@family("tensorflow.data.", "tensorflow_datasets.")
def other(call: Call) -> Value:
    if call.name.startswith("tensorflow_datasets.") and call.last != "load":
        return UNKNOWN
    return make(call, UNKNOWN) if "Dataset" in call.name or call.last == "load" else UNKNOWN


@function(*(f"tensorflow.data.experimental.{name}" for name in KEEPING))
def keeping(call: Call) -> Value:
    """What `Dataset.apply` is given, and the elements go through as they are."""
    return LibraryObject("keeping", call.name, call.origin, {})


def _applied(call: Call, dataset: Dataset) -> Value:
    """`dataset.apply(function)`: what the function makes of it."""
    function = call.get(0, "transformation_func")
    if isinstance(function, LibraryObject) and function.kind == "keeping":
        return dataset.derived(dataset.element, dataset.iterations)
    if isinstance(function, Unknown):
        return dataset.derived(UNKNOWN)
    return call.machine.call(function, Arguments([dataset]), call.node)


@attributes(Dataset)
def dataset_attribute(machine: Machine, holder: Dataset, name: str, node: ast.AST) -> Value:
    return UNKNOWN if name == "element_spec" else Method(holder, name)


@methods(Dataset)
def dataset_method(
    machine: Machine, receiver: Dataset, name: str, arguments: Arguments, node: ast.AST
) -> Value:
    call = Call(machine, f"tensorflow.data.Dataset.{name}", arguments, node)
    if name in SAME:
        return receiver.derived(receiver.element, _iterations(receiver, name, arguments))
    if name in ("batch", "padded_batch", "ragged_batch"):
        return _batched(call, receiver)
    if name == "unbatch":
        return receiver.derived(_row(machine, receiver.element, node))
    if name in TRACED:
        return _traced(call, receiver)
    if name == "apply":
        return _applied(call, receiver)
    if name == "enumerate":
        number = Tensor("int64", (), machine.origin(node))
        pair = Sequence("tuple", (number, receiver.element), machine.origin(node))
        return receiver.derived(pair, receiver.iterations)
    if name in ("as_numpy_iterator", "__iter__"):
        made = LibraryObject(
            "dataset iterator" if name == "__iter__" else "iterator",
            "tensorflow.data.Iterator",
            machine.origin(node),
            {},
        )
        made.cells["element"] = (
            as_arrays(receiver.element) if name == "as_numpy_iterator" else receiver.element
        )
        made.cells["even"] = receiver.even
        return made
    if name == "cardinality":
        return Tensor("int64", (), machine.origin(node))
    if name == "window":
        return receiver.derived(receiver.derived(receiver.element))
    if name == "bucket_by_sequence_length":
        bucketed = receiver.derived(_with_batch(receiver.element, None))
        bucketed.even = False
        return bucketed
    return UNKNOWN


def _iterations(receiver: Dataset, name: str, arguments: Arguments) -> int | None:
    if name in ("take", "repeat"):
        count = arguments.get(0, "count")
        number = known_int(count)
        if name == "take":
            return number
        return (
            receiver.iterations * number
            if receiver.iterations is not None and number and number > 0
            else None
        )
    return receiver.iterations if name not in ("skip", "shard", "concatenate") else None


def _batched(call: Call, receiver: Dataset) -> Value:
    """Batches: their size is open while tracing, and the last may be smaller, unless the rest is dropped."""
    size = call.get(0, "batch_size")
    count = known_int(size)
    dropped = truth(call.get(None, "drop_remainder", Constant(False)))
    whole = receiver.iterations % count == 0 if receiver.iterations is not None and count else False
    if dropped or whole:
        first: Dimension = count if count is not None else AbstractNumber("int")
    else:
        first = AbstractNumber("int", few=True)
    given = _padded(receiver.element, call.get(1, "padded_shapes")) if call.last == "padded_batch" else None
    element = _with_batch(given or receiver.element, first)
    iterations = None
    if receiver.iterations is not None and count:
        iterations = receiver.iterations // count if dropped else -(-receiver.iterations // count)
    made = receiver.derived(element, iterations)
    made.even = call.last == "batch" and count != 1
    made.whole = whole and dropped is False
    return made


def _padded(element: Value, shapes: Value) -> Value:
    """An element of a padded batch: of the shape that was asked for, where one was."""
    if isinstance(element, Tensor) and not (isinstance(shapes, Constant) and shapes.value is None):
        wanted = shape_given(shapes)
        copied = element.moved(element.origin)
        copied.open_rank = None
        asked = tuple(None if size == -1 else size for size in wanted) if wanted is not None else None
        copied.shape = (
            asked if asked is not None else element.shape and (AbstractNumber("int"),) * len(element.shape)
        )
        return copied
    if isinstance(element, Sequence) and element.items is not None and isinstance(shapes, Sequence):
        parts = zip(element.items, shapes.items or (), strict=False)
        return Sequence(element.kind, tuple(_padded(a, b) for a, b in parts), element.origin)
    if isinstance(element, Dictionary) and isinstance(shapes, Dictionary):
        cells = {k: _padded(v, shapes.cells.get(k, UNKNOWN)) for k, v in element.cells.items()}
        return Dictionary(cells, element.origin)
    return element


def _with_batch(element: Value, first: Dimension) -> Value:
    def batched(part: Value) -> Value:
        if not isinstance(part, Tensor):
            return part
        shape = (first, *part.shape) if part.shape is not None else None
        return Tensor(part.dtype, shape, part.origin, open_rank=part.open_rank)

    return rebuilt(element, batched)


def _row(machine: Machine, element: Value, node: ast.AST) -> Value:
    def row(part: Value) -> Value:
        if not isinstance(part, Tensor):
            return UNKNOWN
        return Tensor(part.dtype, part.shape[1:] if part.shape else None, machine.origin(node))

    return rebuilt(element, row, machine.origin(node))


def as_arrays(element: Value, like: Array | None = None) -> Value:
    """A structure of tensors as one of arrays; `like` says what else is known of each."""
    varies = like.varies if like is not None else NOTHING
    paths = like.paths if like is not None else None

    def as_array(part: Value) -> Value:
        known = isinstance(part, Tensor)
        return Array(part.dtype, part.shape, part.origin, paths, varies) if known else UNKNOWN  # type: ignore[attr-defined]

    return rebuilt(element, as_array)


def _traced(call: Call, receiver: Dataset) -> Value:
    """`map` and the like trace the function they are given, each time they are called."""
    machine, name = call.machine, call.last
    callee = call.get(1 if name in ("reduce", "scan") else 0, "map_func")
    if name == "reduce":
        callee = call.get(1, "reduce_func")
    elif name == "filter" or name == "take_while":
        callee = call.get(0, "predicate")
    given, *traced = trace_callback(
        machine, callee, _spread(receiver.element), call, name, call.get(0, "initial_state"), receiver
    )
    if name == "map":
        return receiver.derived(_tensors(machine, given, call.node), receiver.iterations, *traced)
    if name in ("filter", "take_while"):
        return receiver.derived(receiver.element, None, *traced)
    if name == "reduce":
        return _tensors(machine, given, call.node)
    inner = given.element if isinstance(given, Dataset) else UNKNOWN
    return receiver.derived(inner, None, *traced)


def _spread(element: Value) -> list[Value]:
    """A tuple's parts are given one by one."""
    if isinstance(element, Sequence) and element.kind == "tuple" and element.items is not None:
        return list(element.items)
    return [element]


def _is_open_tuple(element: Value) -> bool:
    """Whether it is given in parts, and it is unknown in how many."""
    return isinstance(element, Sequence) and element.kind == "tuple" and element.items is None


def _tensors(machine: Machine, value: Value, node: ast.AST) -> Value:
    """What a mapped function returns becomes tensors; a list is stacked."""
    origin = machine.origin(node)

    def tensor(part: Value) -> Value:
        if python_type(part):
            return Tensor(dtype_of(part), (), machine.origin(node))
        return part.moved(machine.origin(node)) if isinstance(part, Tensor) else part

    made = rebuilt(value, tensor, origin)
    return Sequence("tuple", made.items, origin) if isinstance(made, Sequence) and made.items else made


def trace_callback(
    machine: Machine, callee: Value, values: list[Value], call: Call, name: str, state: Value, source: Dataset
) -> tuple[Value] | tuple[Value, GraphFunction]:
    """Trace a function that a dataset is given: what it gives, and the Function made by this very call."""
    callee = _as_function(callee)
    if not isinstance(callee, (Function, BoundMethod, Partial, GraphFunction)):
        return (UNKNOWN,)
    if machine.program.eager_pipelines:
        return (machine.call(callee, Arguments(values, loose=True), call.node),)
    states = int(name in ("reduce", "scan"))
    if states:
        whole = values[0] if len(values) == 1 else Sequence("tuple", tuple(values), call.origin)
        values = [_tensors(machine, state, call.node), whole]
    function = GraphFunction(callee, {}, call.origin)
    definition = machine.log.traced_definition(function)
    if definition is None:
        return (UNKNOWN,)
    named = {f"args[{position}]": value for position, value in enumerate(values)}
    loop = reallocating_loop(machine, function)
    another = loop is not None and (
        not is_steady_dataset(machine, source, loop)
        or reads_iteration(callee, loop)
        or names_iteration(call.node, loop)
    )
    number = machine.log.trace(function, definition, named, {}, call.node, origin="dataset", tied=another)

    several = isinstance(source.element, Unknown) or _is_open_tuple(source.element)

    def body() -> Value:
        given = [_in_pipeline(machine, value, call.node) for value in values]
        if source.whole:
            given = [*given[:states], *map(without_batch_size, given[states:])]
        return machine.call(callee, Arguments(given, loose=several), call.node)

    # A pipeline of one element that each iteration makes is traced as often as it runs.
    single = source.iterations == 1 and bool(active_loops(machine))
    with machine.log.once() if single else contextlib.nullcontext():
        return in_trace(machine, function, body, number, True, call.node), function


def _as_function(callee: Value) -> Value:
    """The method that runs when an object is called."""
    method = callee.cls.find("__call__") if isinstance(callee, Instance) else None
    return BoundMethod(method, callee) if isinstance(method, (Function, GraphFunction)) else callee


def _in_pipeline(machine: Machine, value: Value, node: ast.AST) -> Value:
    """What a traced function of a pipeline sees: sizes that differ from element to element are open."""
    lifted_value = lifted(machine, value, node)
    return _opened(lifted_value)


def opened_batch(dataset: Dataset) -> Value:
    """What a traced step gets of a pipeline: the size of a batch is open, unless the rest is dropped."""
    opened = _opened(dataset.element, batches_only=True)
    return without_batch_size(opened) if dataset.whole else opened


def _opened(value: Value, batches_only: bool = False) -> Value:
    def is_open(size: Dimension) -> bool:
        return isinstance(size, AbstractNumber) and (size.few or (bool(size.varies) and not batches_only))

    def opened(part: Value) -> Value:
        if not isinstance(part, Tensor) or part.shape is None:
            return part
        return part.shaped(tuple(OPEN if is_open(size) else size for size in part.shape))

    return rebuilt(value, opened)


@object_methods("dataset iterator")
def iterator_method(
    machine: Machine, receiver: LibraryObject, name: str, arguments: Arguments, node: ast.AST
) -> Value:
    return next_element(machine, receiver, node) if name in ("get_next", "next", "__next__") else UNKNOWN


def next_element(machine: Machine, iterator: LibraryObject, node: ast.AST) -> Value:
    """What an iterator of a dataset gives: in eager code a tensor that has its sizes."""
    from graphdoctor.dryrun.values.iteration import fresh, with_sizes

    given = fresh(machine, iterator.cells.get("element", UNKNOWN), node)
    return given if machine.graph is not None else with_sizes(given, NOTHING)
