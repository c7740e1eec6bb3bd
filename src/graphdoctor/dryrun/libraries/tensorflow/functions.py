"""TensorFlow: variables, tensors, shapes and specs made by hand; every other operation by its table."""

import ast

from graphdoctor.dryrun.control.conditions import truth
from graphdoctor.dryrun.control.staging import is_symbolic
from graphdoctor.dryrun.core.arguments import Arguments
from graphdoctor.dryrun.core.machine import Machine
from graphdoctor.dryrun.libraries.registry import Call, family, function
from graphdoctor.dryrun.libraries.tensorflow.tensors import by_table, lost_in_state
from graphdoctor.dryrun.tracing.operations import numeric_parts, operate
from graphdoctor.dryrun.values import (
    FALSE,
    NONE,
    TRUE,
    UNKNOWN,
    AbstractNumber,
    Array,
    Constant,
    DType,
    Function,
    Instance,
    Origin,
    Sequence,
    StaticShape,
    Tensor,
    TensorArray,
    TensorSpec,
    Unknown,
    Value,
    Variable,
    is_none,
    unknown_size,
)
from graphdoctor.dryrun.values.dtypes import (
    dtype_given,
    dtype_named,
    dtype_of,
    merged_shape,
    shape_given,
    shape_of,
)
from graphdoctor.dryrun.values.joining import python_type


@function("tensorflow.Variable")
def variable(call: Call) -> Value:
    machine = call.machine
    initial = call.get(0, "initial_value")
    if isinstance(initial, Function):
        initial = machine.call(initial, Arguments(), call.node)
    dtype = dtype_given(call.get(None, "dtype"), dtype_of(initial))
    trainable = truth(call.get(1, "trainable", Constant(True)))
    name = call.get(None, "name")
    shown = name.value if isinstance(name, Constant) and isinstance(name.value, str) else ""
    shape = shape_of(initial)
    if call.arguments.has(None, "shape"):  # what it leaves open may be assigned in other sizes
        said = shape_given(call.get(None, "shape"))
        shape = tuple(unknown_size() if size is None else size for size in said) if said is not None else None
    made = Variable(dtype, shape, call.origin, trainable, shown)
    if machine.tapes:  # made of what a tape follows, it begins a way of its own
        made.cells["assigned"] = lost_in_state(machine, "Variable", initial, call.node)
    note_variable(machine, made, call.node)
    return made


def note_variable(machine: Machine, made: Value, node: ast.AST, what: str = "variable") -> None:
    """Write down that a variable, or an object with variables, is made: in a graph only once."""
    graph = machine.graph
    origin: Origin = made.origin  # type: ignore[attr-defined]
    doubtful = machine.may or origin.doubtful or _may_run_once(machine)
    if graph is not None and not graph.first and not doubtful:
        outer = machine.is_outer(origin.graph)
        machine.log.made(what, made, node, again=True, made=machine.log.place_of(origin), outer=outer)
        return
    if graph is not None:
        machine.log.variables_made += 1
    machine.log.made(what, made, node)


def _may_run_once(machine: Machine) -> bool:
    """Whether a decorator that is unknown stands before the code: it may be one that runs it once."""
    return any(
        each.function is not None and "__decorated__" in each.function.cells
        for each in machine.activations
        if each.scope.graph is not None
    )


@function("tensorflow.TensorSpec", "tensorflow.RaggedTensorSpec", "tensorflow.SparseTensorSpec")
def spec(call: Call) -> Value:
    dtype = dtype_given(call.get(1, "dtype"), "float32")
    given = call.get(0, "shape")
    return TensorSpec(shape_given(given), dtype, is_none(given) or _is_open(given))


def _is_open(shape: Value) -> bool:
    """Whether it is a shape of which TensorFlow knows nothing, and not one that we do not know."""
    return isinstance(shape, StaticShape) and isinstance(shape.of, Tensor) and shape.of.open_rank is not None


@function("tensorflow.no_op", "tensorflow.group")
def graph_operation(call: Call) -> Value:
    return NONE if call.machine.graph is None else UNKNOWN  # of a graph: the operation


@function("keras.ops.shape")
def sizes_of_tensor(call: Call) -> Value:
    """The sizes of a tensor: numbers, and while tracing a tensor for each that is open."""
    machine, given = call.machine, call.get(0, "x")
    shape = shape_of(given)
    if machine.graph is None or not isinstance(given, Tensor) or given.supposed or shape is None:
        return by_table(call)
    sizes = (
        operate(machine, "tensorflow.shape", [given], call.node, "int32", ())
        if size is None
        else Constant(size)
        if isinstance(size, int)
        else size
        for size in shape
    )
    return Sequence("tuple", tuple(sizes), call.origin)


@function("tensorflow.TensorShape")
def tensor_shape(call: Call) -> Value:
    given, origin = call.get(0, "dims"), call.origin
    of = Tensor(None, None, origin, open_rank=origin) if is_none(given) else None
    return StaticShape(shape_given(given), of)


@function(*(f"tensorflow.tensor_scatter_nd_{how}" for how in ("update", "add", "sub", "min", "max")))
def scattered(call: Call) -> Value:
    """A tensor with other values at some places: of the shape that it had."""
    made = by_table(call)
    if isinstance(made, Tensor):
        made.shape = shape_of(call.get(0, "tensor"))
    return made


@function("tensorflow.constant", "tensorflow.convert_to_tensor", "tensorflow.ones_initializer.constant")
def constant(call: Call) -> Value:
    machine, given = call.machine, call.get(0, "value")
    symbolic = [part for part in numeric_parts(given) if is_symbolic(machine, part)]
    if call.last == "constant" and symbolic:
        machine.log.use("constant", call.node, symbolic[0], "tf.constant", call.arguments.nodes.get(0))
    hinted = call.last == "convert_to_tensor" and not is_none(call.get(2, "dtype_hint", NONE))
    usual = None if hinted and not numeric_parts(given) else dtype_of(given)
    dtype = dtype_given(call.get(1, "dtype"), usual)
    shape = (
        shape_given(call.get(2, "shape"))
        if call.last == "constant" and call.arguments.has(2, "shape")
        else shape_of(given)
    )
    made = operate(machine, call.last, [given], call.node, dtype, shape, tensor=True)
    if isinstance(made, Tensor):
        made.constant = given if isinstance(given, Constant) else None
    return made


@function("tensorflow.TensorArray")
def tensor_array(call: Call) -> Value:
    dtype = dtype_named(call.get(0, "dtype"))
    options = dict(call.arguments.keywords)
    if call.arguments.has(1, "size"):
        options["size"] = call.get(1, "size")
    if call.arguments.has(2, "dynamic_size"):
        options["dynamic_size"] = call.get(2, "dynamic_size")
    if call.machine.graph is not None and call.machine.graph.xla:
        call.machine.log.library_call(call.name, call.node, options)
    return TensorArray(dtype, shape_given(call.get(None, "element_shape")), call.origin, options)


@function("tensorflow.is_tensor")
def is_tensor(call: Call) -> Value:
    value = call.get(0, "x")
    if isinstance(value, (Tensor, Variable)):
        return TRUE
    return (
        FALSE
        if python_type(value) or isinstance(value, (Array, Constant, Sequence))
        else AbstractNumber("bool")
    )


@function("tensorflow.strings.split")
def split_text(call: Call) -> Value:
    """Of one text, a tensor of its parts; of several, a ragged tensor."""
    given, made = call.get(0, "input"), by_table(call)
    if call.machine.graph is None or shape_of(given) != ():
        return made
    return operate(call.machine, "split", [given], call.node, "string", (None,), "StringSplitV2", tensor=True)


@function("tensorflow.reverse")
def reverse(call: Call) -> Value:
    """The table's probe gave a scalar without axes, of which nothing can be learnt."""
    given = call.get(0, "tensor")
    return operate(call.machine, "reverse", [given], call.node, dtype_of(given), shape_of(given), tensor=True)


@function("tensorflow.cast")
def cast(call: Call) -> Value:
    """Another tensor; of a tensor that has the dtype already, the same one (run on 2.21)."""
    made, given = by_table(call), call.get(0, "x")
    if isinstance(made, Tensor) and isinstance(given, (Tensor, Unknown)):
        made.perhaps = given if dtype_of(given) in (None, made.dtype) else None
    return made


@function("tensorflow.identity")
def identity(call: Call) -> Value:
    """The same again; of an object that TensorFlow knows as several tensors, another of its class."""
    given = call.get(0, "input")
    if isinstance(given, Instance):
        return given if given.cls.derives("tensorflow.") else UNKNOWN
    return by_table(call)


@function(
    *(f"tensorflow.{part}.decode_{kind}" for part in ("io", "image") for kind in ("png", "jpeg", "bmp"))
)
def decoded_image(call: Call) -> Value:
    """A picture: a graph knows neither height nor width, and the channels only where they are asked for."""
    made, channels = by_table(call), call.get(1, "channels", Constant(0))
    if isinstance(made, Tensor) and made.graph is not None:
        depth = (channels.value or None) if isinstance(channels, Constant) else AbstractNumber("int")
        made.shape = (None, None, depth)
    return made


@function("tensorflow.ensure_shape")
def ensure_shape(call: Call) -> Value:
    given = call.get(0, "x")
    shape = merged_shape(shape_of(given), shape_given(call.get(1, "shape")))
    if shape is not None and call.machine.graph is None:  # it has its sizes, whatever is left open here
        shape = tuple(AbstractNumber("int") if size is None else size for size in shape)
    return operate(call.machine, "ensure_shape", [given], call.node, dtype_of(given), shape)


@function("tensorflow.io.decode_csv")
def decode_csv(call: Call) -> Value:
    """A tensor for each column, of the dtype of its default; a dtype stands for a column without one."""
    made, defaults = by_table(call), call.get(1, "record_defaults")
    if not isinstance(made, Sequence) or not isinstance(defaults, Sequence) or defaults.items is None:
        return made
    shape, origin = shape_of(call.get(0, "records")), call.origin
    dtypes = [each.name if isinstance(each, DType) else dtype_of(each) for each in defaults.items]
    columns = tuple(Tensor(dtype, shape, origin) for dtype in dtypes)
    return Sequence("list", columns, origin)


@function("tensorflow.get_static_value")
def get_static_value(call: Call) -> Value:
    """A NumPy array, or None where the graph does not know the value."""
    given = call.get(0, "tensor")
    constant = given.constant if isinstance(given, Tensor) else given
    return constant if isinstance(constant, Constant) else UNKNOWN


@function("tensorflow.stop_gradient")
def stop_gradient(call: Call) -> Value:
    given = call.get(0, "input")
    dtype, shape = dtype_of(given), shape_of(given)
    made = operate(call.machine, "stop_gradient", [given], call.node, dtype, shape, tensor=True)
    if isinstance(made, Tensor):
        made.paths = None
    return made


@function("tensorflow.print")
def print_(call: Call) -> Value:
    call.machine.log.library_call(call.name, call.node)
    return NONE


@function("tensorflow.gradients")
def gradients(call: Call) -> Value:
    return UNKNOWN


@family("tensorflow.")
def operation(call: Call) -> Value:
    """All other functions: by the generated table."""
    if call.last.endswith("enable_numpy_behavior"):
        call.machine.activations[0].module.tensor_methods.add("*")
    return by_table(call)
