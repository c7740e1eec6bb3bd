"""Tensors, variables and tensor arrays: attributes, methods, and operations by the generated table."""

import ast
import functools

from graphdoctor.dryrun.control.conditions import truth
from graphdoctor.dryrun.control.self_closing_guards import note_lasting
from graphdoctor.dryrun.control.staging import is_symbolic
from graphdoctor.dryrun.core.arguments import Arguments
from graphdoctor.dryrun.core.machine import Machine
from graphdoctor.dryrun.gradients.provenance import ANYTHING, Path, Paths, merge_paths, through
from graphdoctor.dryrun.gradients.weights import holders_of
from graphdoctor.dryrun.libraries.keras.functional_models import note_placeholder
from graphdoctor.dryrun.libraries.registry import Call, attributes, methods
from graphdoctor.dryrun.libraries.table_calls import TableArguments, keeps_batch, tensors_of
from graphdoctor.dryrun.libraries.tables.names import names
from graphdoctor.dryrun.libraries.tables.operations import Operation
from graphdoctor.dryrun.libraries.tables.results import holds
from graphdoctor.dryrun.libraries.tables.tables import operation
from graphdoctor.dryrun.tracing.operations import follow, holder_in, left, loss_here, opaque, operate
from graphdoctor.dryrun.values import (
    FALSE,
    NONE,
    TRUE,
    UNKNOWN,
    AbstractNumber,
    Array,
    Constant,
    Dimension,
    DType,
    Fields,
    Instance,
    KerasTensor,
    Library,
    LibraryObject,
    Method,
    Sequence,
    StaticShape,
    Tensor,
    TensorArray,
    Value,
    Variable,
    unknown_size,
)
from graphdoctor.dryrun.values.dtypes import dtype_of, merged_shape, shape_given, shape_of
from graphdoctor.dryrun.values.joining import python_type
from graphdoctor.dryrun.values.open_sizes import OpenSize, note_open_size, note_open_sizes
from graphdoctor.dryrun.values.unknown_ranks import NEEDING_RANK, note_open_rank, rank_lost

# Operations that rules about XLA and exporting ask for.
WATCHED = ("tensorflow.debugging.", "tensorflow.strings.", "tensorflow.io.", "tensorflow.summary.")
# What a result does not depend on the values of, and parameters that only say how.
WITHOUT_VALUE = names("of shapes alone")
OPTIONS = names("without a gradient")
WITH_OPEN_SIZES = ("tensorflow.ensure_shape",)  # None may stand in the shapes that they take
# Run on 2.21: eagerly a number will do for the shape, in a graph it does not.
SHAPES = {"tensorflow.reshape": "shape", "tensorflow.fill": "dims"}
READING = ("numpy", "item", "tolist", "eval")
ASSIGNING = ("assign", "assign_add", "assign_sub", "scatter_update", "scatter_nd_update")


class Asked:
    """What is asked of the calls of one function: found out once, from its names."""

    __slots__ = ("draws", "is_watched", "known", "name_position", "needs_sizes", "seeds")

    def __init__(self, name: str, known: Operation) -> None:
        self.known = known
        ours = name.startswith(("tensorflow.", "keras."))  # these draw in the graph
        self.draws = bool(known.effect) and not ours and not name.endswith("seed")
        self.seeds = known.library == "tensorflow" and "stateless" not in name
        self.is_watched = known.name.startswith(WATCHED)
        self.name_position = known.names.index("name") if "name" in known.names else None
        sized = known.name.startswith(("tensorflow.", "keras.backend."))
        self.needs_sizes = sized and known.result != "none" and name not in WITH_OPEN_SIZES


@functools.cache
def _asked_of(name: str) -> Asked | None:
    known = operation(name)
    return Asked(name, known) if known is not None else None


# Options with which an operation gives more, or fewer, than it does without.
STRUCTURAL = names("options that change the structure")


def by_table(call: Call) -> Value:
    """What an operation of the generated table gives."""
    asked = _asked_of(call.name)
    if asked is None or call.arguments.loose:
        return UNKNOWN
    known, graph = asked.known, call.machine.graph
    if asked.draws:
        call.machine.log.effect(known.effect, call.name, call.node, tuple(call.arguments.positional))
    if graph is not None and asked.name_position is not None:
        _note_name(call, asked.name_position)
    given = TableArguments(call, known)
    if asked.seeds and "seed" in given.values:
        call.machine.log.seeds(given.values["seed"])
    if known.result not in ("none", "unknown") and note_placeholder(call):
        return UNKNOWN
    if graph is not None:
        if graph.xla or asked.is_watched:
            call.machine.log.library_call(known.name, call.node, given.values)
        if call.name in NEEDING_RANK:
            first = call.arguments.positional[0] if call.arguments.positional else NONE
            note_open_rank(call.machine, first, call.node)
        if call.name in SHAPES:
            _note_number_as_shape(call, known, SHAPES[call.name])
    if asked.needs_sizes:
        for value in (*call.arguments.positional, *call.arguments.keywords.values()):
            if value.__class__ is Sequence:
                note_open_sizes(call.machine, value, call.node, call.name)
        for name, value in given.values.items():
            if isinstance(value, OpenSize) and name not in known.defaults:
                note_open_size(call.machine, value, call.node, call.name)
    return results(call, known, given)


def _note_number_as_shape(call: Call, known: Operation, name: str) -> None:
    """Write down a number, or a tensor without axes, that stands where a graph needs a shape."""
    given = TableArguments(call, known).values.get(name, UNKNOWN)
    without_axes = isinstance(given, Tensor) and given.shape == () and not given.supposed
    if without_axes or python_type(given) == "int":
        node = call.arguments.nodes.get(name) or call.arguments.nodes.get(known.names.index(name))
        call.machine.log.use("shape", call.node, given, f"tf.{call.last}", node)


def _note_name(call: Call, position: int) -> None:
    """Write down a dtype or tensor that stands where TensorFlow expects the operation's name."""
    if position >= len(call.arguments.positional):
        return
    given = call.arguments.positional[position]
    if isinstance(given, (DType, Tensor)):
        node = call.arguments.nodes.get(position, call.node)
        call.machine.log.use("name", node, given, call.name, call.node)


def results(call: Call, known: Operation, given: TableArguments | None = None) -> Value:
    """The result of an operation whose rules are known: one tensor, several, none."""
    if known.result == "none":
        return NONE
    given = given or TableArguments(call, known)
    if known.unless and not STRUCTURAL.isdisjoint(known.unless) and not holds(known, given):
        return opaque(call.machine, _carrying(call, known), call.last, call.node)
    if known.result == "tensor":
        return _one(call, known, given, 0)
    kind, _, detail = known.result.partition(":")
    if kind in ("tensor", "array"):
        return _one(call, known, given, 0)
    if kind == "list":
        return Sequence("list", None, call.origin, _one(call, known, given, 0))
    if kind == "tuple" and detail.isdigit():
        items = tuple(_one(call, known, given, position) for position in range(int(detail)))
        return Sequence("tuple", items, call.origin)
    if kind == "namedtuple":
        fields = Fields(tuple(detail.split(",")))
        items = tuple(_one(call, known, given, position) for position in range(len(fields.names)))
        return Sequence("tuple", items, call.origin, fields=fields)
    if kind == "python" and detail in ("int", "float", "bool", "str"):
        varies = frozenset().union(*(value.varies for value in call.arguments))
        return AbstractNumber(detail, varies)
    return UNKNOWN


def _one(call: Call, known: Operation, given: TableArguments, position: int) -> Value:
    tensors = tensors_of(known, given) or [(None, None)]
    dtype, shape = tensors[min(position, len(tensors) - 1)]
    tensor = known.result != "array" and known.library != "numpy"
    last = call.last
    lost = last if known.gradient is False else ""
    made = operate(call.machine, last, _carrying(call, known), call.node, dtype, shape, lost, tensor)
    if isinstance(made, Tensor) and shape is None:
        made.open_batch = keeps_batch(call, known)
    if known.name in WITHOUT_VALUE and isinstance(made, Tensor):
        made.paths = None
    if last in ("shape", "rank", "size") and isinstance(made, Tensor):
        of = StaticShape(shape_of(call.get(0, "input")), None, call.node)
        made.constant = of if last == "shape" else UNKNOWN
    if isinstance(made, Tensor) and shape is None:
        made.open_rank = rank_lost(call.name, known.shape, given.values, made)
    return made


def _carrying(call: Call, known: Operation) -> list[Value]:
    """The arguments, without those of which it is plain that no gradient comes through them."""
    positional, keywords = call.arguments.positional, call.arguments.keywords
    named = dict(zip(known.names, positional, strict=False))
    rest = positional[len(named) :]
    options = {**named, **keywords} if keywords else named
    return [value for name, value in options.items() if name not in OPTIONS] + rest


def class_of(value: Value) -> Value:
    """The class of a tensor, where one name stands for it, eagerly and traced."""
    name = "keras.KerasTensor" if isinstance(value, KerasTensor) else ""
    return Library(name or "numpy.ndarray") if name or isinstance(value, Array) else UNKNOWN


@attributes(Tensor, Variable, Array, KerasTensor)
def tensor_attribute(machine: Machine, holder: Value, name: str, node: ast.AST) -> Value:
    if name == "shape":
        return StaticShape(holder.shape, holder, node)  # type: ignore[attr-defined]
    if name == "dtype":
        return DType(holder.dtype) if holder.dtype else UNKNOWN  # type: ignore[attr-defined]
    if name == "__class__":
        return class_of(holder)
    if name == "ndim":
        shape = holder.shape  # type: ignore[attr-defined]
        return Constant(len(shape)) if shape is not None else AbstractNumber("int")
    if name == "T":
        shape = holder.shape  # type: ignore[attr-defined]
        return operate(machine, "transpose", [holder], node, holder.dtype, shape[::-1] if shape else None)  # type: ignore[attr-defined]
    if name == "size" and isinstance(holder, Array):
        return AbstractNumber("int")
    if name == "name":
        return AbstractNumber("str")
    return Method(holder, name)


@attributes(StaticShape)
def shape_attribute(machine: Machine, holder: StaticShape, name: str, node: ast.AST) -> Value:
    if name in ("rank", "ndims"):
        return (
            Constant(len(holder.dimensions)) if holder.dimensions is not None else _open_rank(machine, holder)
        )
    return Method(holder, name)


def _open_rank(machine: Machine, shape: StaticShape) -> Value:
    """The rank of a shape of which we know nothing: of a symbolic tensor it may be None, or surely is."""
    if isinstance(shape.of, Tensor) and shape.of.open_rank is not None:
        return NONE
    known = isinstance(shape.of, (Array, Variable)) or (
        isinstance(shape.of, Tensor) and not is_symbolic(machine, shape.of)
    )
    return AbstractNumber("int") if known else UNKNOWN


@methods(StaticShape)
def shape_method(
    machine: Machine, receiver: StaticShape, name: str, arguments: Arguments, node: ast.AST
) -> Value:
    from graphdoctor.dryrun.values.iteration import sizes_of

    dimensions = receiver.dimensions
    if name in ("as_list", "__iter__") and dimensions is not None:
        return Sequence("list", sizes_of(machine, receiver), machine.origin(node))
    if name == "num_elements" and dimensions is not None:
        return AbstractNumber("int") if None not in dimensions else NONE
    if name == "is_fully_defined" and dimensions is not None:
        if None in dimensions:
            return FALSE
        return TRUE if all(isinstance(size, int) for size in dimensions) else AbstractNumber("bool")
    return UNKNOWN


@methods(Tensor, Variable)
def tensor_method(machine: Machine, receiver: Value, name: str, arguments: Arguments, node: ast.AST) -> Value:
    if name in READING:
        return _read(machine, receiver, name, node)
    if isinstance(receiver, Variable):
        return _variable_method(machine, receiver, name, arguments, node)
    if name in ("set_shape",) and isinstance(receiver, Tensor):
        shape = merged_shape(receiver.shape, shape_given(arguments.get(0, "shape")))
        if shape is not None and receiver.graph is None:  # it has its sizes, whatever is left open here
            shape = tuple(AbstractNumber("int") if size is None else size for size in shape)
        receiver.shape = shape
        receiver.open_rank = None
        return NONE
    if name == "get_shape":
        return StaticShape(receiver.shape, receiver, node)  # type: ignore[attr-defined]
    if name.startswith("__") and name.endswith("__"):
        return operate(machine, name.strip("_"), [receiver, *arguments], node, dtype_of(receiver), None)
    if name in ("experimental_ref", "ref"):
        return UNKNOWN  # what may stand in a dict or set for the tensor
    if name in ("gpu", "cpu"):
        return receiver
    note_foreign_method(machine, receiver, name, node)
    return UNKNOWN


def _read(machine: Machine, receiver: Value, name: str, node: ast.AST) -> Value:
    """`.numpy()`: a symbolic tensor has no value; an eager one leaves TensorFlow."""
    if is_symbolic(machine, receiver):
        machine.log.use("read", node, receiver, name, holder_in(node))
        return UNKNOWN
    paths = left(machine, [receiver], f".{name}()", node)
    shape = shape_of(receiver)
    if name in ("item",) or (name == "tolist" and shape == ()):
        kind = "float" if (dtype_of(receiver) or "").startswith("float") else "number"
        return AbstractNumber(kind, frozenset(machine.loops), paths=paths)
    return Array(dtype_of(receiver), shape, machine.origin(node), paths, frozenset(machine.loops))


def _variable_method(
    machine: Machine, receiver: Variable, name: str, arguments: Arguments, node: ast.AST
) -> Value:
    if name in ASSIGNING:
        value = arguments.get(0, "value")
        _assign(machine, receiver, name, value, node)
        operate(machine, name, [receiver, value], node, receiver.dtype, receiver.shape)
        return receiver
    if name in ("read_value", "value", "initialized_value"):
        return operate(machine, "read", [receiver], node, receiver.dtype, receiver.shape)
    if name == "get_shape":
        return StaticShape(receiver.shape, receiver)
    return UNKNOWN


def _assign(machine: Machine, receiver: Variable, name: str, value: Value, node: ast.AST) -> None:
    """A tape does not see assignments: what is read afterwards has no way to what was assigned."""
    machine.heap.put(receiver.cells, "written", True)
    if machine.is_outer(receiver.origin.graph):
        for guard in machine.guards:
            guard.repeated = True
        note_lasting(machine)
    assigned = lost_in_state(machine, name, value, node)
    if isinstance(holder := receiver.cells.get("of"), (Instance, LibraryObject)):
        assign_weights(machine, holder, assigned)
    if name != "assign":  # what is added to keeps what it came from
        assigned = merge_paths(receiver.cells.get("assigned"), assigned)
    machine.heap.put(receiver.cells, "assigned", assigned)


def assign_weights(machine: Machine, holder: Instance | LibraryObject, assigned: Paths | None) -> None:
    """Some variables of a layer or model got values: whoever calls it, or a layer in it, reads them."""
    for each in holders_of(holder).objects if assigned else ():
        machine.heap.put(each.cells, "__assigned__", merge_paths(each.cells.get("__assigned__"), assigned))


def lost_in_state(machine: Machine, name: str, value: Value, node: ast.AST) -> Paths | None:
    """The ways to what is put into a variable: whoever reads it has none of them."""
    here = loss_here(machine, "state", name, node)
    paths = through(follow(machine, [value], name, node, None), frozenset(), here) or {}
    lost = {
        source: Path(frozenset(), {tape: each for tape, each in path.lost.items() if each is here})
        for source, path in paths.items()
        if source != ANYTHING
    }
    return {s: path for s, path in lost.items() if path.lost} or None


@attributes(TensorArray)
def array_attribute(machine: Machine, holder: TensorArray, name: str, node: ast.AST) -> Value:
    return Method(holder, name)


def _taken_out(machine: Machine, array: TensorArray, name: str) -> Dimension:
    """How many elements come out together: `stack` knows the size that Python knew, if it stays."""
    if machine.graph is None:
        return AbstractNumber("int")
    size, grows = array.options.get("size"), truth(array.options.get("dynamic_size", FALSE))
    if name != "stack" or grows or size is None or isinstance(size, Tensor):
        return None
    if isinstance(size, Constant) and isinstance(size.value, int) and grows is False:
        return size.value
    return size if isinstance(size, AbstractNumber) and grows is False else unknown_size()


@methods(TensorArray)
def array_method(
    machine: Machine, receiver: TensorArray, name: str, arguments: Arguments, node: ast.AST
) -> Value:
    if name in ("write", "unstack", "scatter", "split"):
        value = arguments.get(1 if name == "write" else 0, "value")
        paths = merge_paths(receiver.paths, follow(machine, [value], name, node, receiver.dtype))
        operate(machine, name, [value], node, receiver.dtype, None, tensor=True)
        shape = shape_of(value) if name == "write" else (shape_of(value) or (None,))[1:] or None
        return TensorArray(
            receiver.dtype, receiver.element or shape, machine.origin(node), receiver.options, paths
        )
    if name in ("stack", "concat", "gather"):
        inner = receiver.element[1:] if name == "concat" and receiver.element else receiver.element
        asked = shape_of(arguments.get(0, "indices")) if name == "gather" else None
        count = asked[0] if asked else _taken_out(machine, receiver, name)
        shape = (count, *inner) if inner is not None else None
        made = operate(machine, name, [], node, receiver.dtype, shape, tensor=True)
        assert isinstance(made, Tensor)
        made.paths = receiver.paths
        return made
    if name == "read":
        made = operate(machine, name, [], node, receiver.dtype, receiver.element, tensor=True)
        assert isinstance(made, Tensor)
        made.paths = receiver.paths
        return made
    if name == "size":
        return operate(machine, name, [], node, "int32", (), tensor=True)
    if name in ("close", "mark_used", "identity"):
        return receiver if name == "identity" else NONE
    return UNKNOWN


# Run on 2.21: a symbolic tensor raises AttributeError for each of them.
OF_TEXTS = names("methods of texts")
# These a tensor has once the program asks for NumPy's behaviour.
OF_ARRAYS = names("methods of arrays")


def note_foreign_method(machine: Machine, receiver: Value, name: str, node: ast.AST) -> None:
    """Write down that a tensor is asked for a method that only values have."""
    if not isinstance(receiver, Tensor) or receiver.supposed or not is_symbolic(machine, receiver):
        return
    if name in OF_TEXTS or (name in OF_ARRAYS and not machine.program.gives_to_tensors(name)):
        machine.log.use("method", node, receiver, name, holder_in(node))
