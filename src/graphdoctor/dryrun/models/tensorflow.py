"""TensorFlow: making functions, tensors and variables; control flow by functions; switches."""

from __future__ import annotations

import ast
from typing import Any

from graphdoctor.dryrun.arguments import Arguments
from graphdoctor.dryrun.conditions import truth
from graphdoctor.dryrun.conflicts import compare
from graphdoctor.dryrun.context import SourceModule
from graphdoctor.dryrun.dtypes import dtype_given, dtype_named, dtype_of, shape_given, shape_of
from graphdoctor.dryrun.iterating import element, settled
from graphdoctor.dryrun.joining import join_all, python_type
from graphdoctor.dryrun.machine import Machine
from graphdoctor.dryrun.models.callbacks import call_converted, call_unconverted
from graphdoctor.dryrun.models.registry import Call, family, function, object_methods
from graphdoctor.dryrun.models.tensors import by_table
from graphdoctor.dryrun.operations import follow, left, numeric_parts, operate
from graphdoctor.dryrun.staged_loops import loosen
from graphdoctor.dryrun.staging import is_symbolic
from graphdoctor.dryrun.values import (
    FALSE,
    NONE,
    TRUE,
    UNKNOWN,
    Array,
    BoundMethod,
    Choice,
    Dictionary,
    Function,
    GraphFunction,
    Instance,
    Known,
    LibraryObject,
    Method,
    Numeric,
    Origin,
    Partial,
    Scalar,
    Sequence,
    Tensor,
    TensorArray,
    TensorSpec,
    Unknown,
    Value,
    Variable,
    Variables,
)

OPTIONS = ("input_signature", "autograph", "jit_compile", "reduce_retracing", "experimental_relax_shapes",
           "experimental_compile", "experimental_implements", "experimental_autograph_options",
           "experimental_follow_type_hints", "experimental_attributes")  # fmt: skip
CALLABLE = (Function, BoundMethod, Partial, Instance, LibraryObject, GraphFunction, Method)


@function("tensorflow.function")
def function_(call: Call) -> Value:
    options = {name: value for name, value in call.arguments.keywords.items() if name != "func"}
    nodes = {name: node for name, node in call.arguments.nodes.items() if name in options}
    given = call.get(0, "func")
    if isinstance(given, CALLABLE):
        return make_graph_function(call.machine, given, options, call.node, nodes)
    if isinstance(given, Known) and given.value is None:
        made = LibraryObject(
            "graph decorator", "tensorflow.function", call.machine.origin(call.node), options
        )
        made.cells["nodes"] = nodes
        return made
    if options:
        make_graph_function(call.machine, given, options, call.node, nodes)
    return UNKNOWN


@object_methods("graph decorator")
def decorator(
    machine: Machine, receiver: LibraryObject, name: str, arguments: Arguments, node: ast.AST
) -> Value:
    given = arguments.get(0, "func")
    if name == "__call__" and isinstance(given, CALLABLE):
        options, nodes = dict(receiver.arguments), receiver.cells["nodes"]
        return make_graph_function(machine, given, options, node, nodes, receiver.origin.module)
    return UNKNOWN


def make_graph_function(
    machine: Machine,
    given: Value,
    options: dict[str, Value],
    node: ast.AST,
    nodes: dict[Any, ast.AST],
    module: SourceModule | None = None,
) -> Value:
    """`tf.function(given)`; `nodes` are the expressions in `module` that gave the options."""
    made = GraphFunction(given, options, machine.origin(node))
    machine.log.made_function(made, node, nodes, module)
    return made


@function("tensorflow.Variable")
def variable(call: Call) -> Value:
    machine = call.machine
    initial = call.get(0, "initial_value")
    if isinstance(initial, Function):
        initial = machine.call(initial, Arguments(), call.node)
    dtype = dtype_given(call.get(None, "dtype"), dtype_of(initial))
    trainable = truth(call.get(1, "trainable", Known(True)))
    name = call.get(None, "name")
    shown = name.value if isinstance(name, Known) and isinstance(name.value, str) else ""
    made = Variable(dtype, shape_of(initial), machine.origin(call.node), trainable, shown)
    note_variable(machine, made, call.node)
    return made


def note_variable(machine: Machine, made: Value, node: ast.AST, what: str = "variable") -> None:
    """Write down that a variable, or an object with variables, is made: in a graph only once."""
    graph = machine.graph
    origin: Origin = made.origin  # type: ignore[attr-defined]
    if graph is not None and not graph.first and not machine.may and not _may_run_once(machine):
        outer = machine.is_outer(origin.graph)
        machine.log.made(what, made, node, anew=True, made=machine.log.place_of(origin), outer=outer)
        return
    if graph is not None:
        machine.log.variables_made += 1
    machine.log.made(what, made, node)


def _may_run_once(machine: Machine) -> bool:
    """Whether a decorator that nobody knows stands before the code: it may be one that runs it once."""
    return any(
        each.function is not None and "__decorated__" in each.function.cells
        for each in machine.activations
        if each.scope.graph is not None
    )


@function("tensorflow.TensorSpec", "tensorflow.RaggedTensorSpec", "tensorflow.SparseTensorSpec")
def spec(call: Call) -> Value:
    dtype = dtype_given(call.get(1, "dtype"), "float32")
    return TensorSpec(_spec_shape(call.get(0, "shape")), dtype)


def _spec_shape(given: Value):  # type: ignore[no-untyped-def]
    if isinstance(given, Known) and given.value is None:
        return None
    return shape_given(given)


@function("tensorflow.no_op", "tensorflow.group")
def graph_operation(call: Call) -> Value:
    return NONE if call.machine.graph is None else UNKNOWN  # of a graph: the operation


@function("tensorflow.TensorShape")
def tensor_shape(call: Call) -> Value:
    from graphdoctor.dryrun.values import StaticShape

    return StaticShape(shape_given(call.get(0, "dims")))


@function("tensorflow.constant", "tensorflow.convert_to_tensor", "tensorflow.ones_initializer.constant")
def constant(call: Call) -> Value:
    machine, given = call.machine, call.get(0, "value")
    symbolic = [part for part in numeric_parts(given) if is_symbolic(machine, part)]
    if call.last == "constant" and symbolic:
        machine.log.use("constant", call.node, symbolic[0], "tf.constant", call.arguments.nodes.get(0))
    dtype = dtype_given(call.get(1, "dtype"), dtype_of(given))
    shape = (
        shape_given(call.get(2, "shape"))
        if call.last == "constant" and call.arguments.has(2, "shape")
        else shape_of(given)
    )
    made = operate(machine, call.last, [given], call.node, dtype, shape, tensor=True)
    if isinstance(made, Tensor):
        made.constant = given if isinstance(given, Known) else None
    return made


@function("tensorflow.TensorArray")
def tensor_array(call: Call) -> Value:
    dtype = dtype_named(call.get(0, "dtype"))
    options = dict(call.arguments.keywords)
    if call.arguments.has(1, "size"):
        options["size"] = call.get(1, "size")
    if call.machine.graph is not None and call.machine.graph.xla:
        call.machine.log.library_call(call.name, call.node, options)
    return TensorArray(
        dtype, shape_given(call.get(None, "element_shape")), call.machine.origin(call.node), options
    )


@function("tensorflow.executing_eagerly", "tensorflow.inside_function")
def executing_eagerly(call: Call) -> Value:
    eager = call.machine.graph is None
    return TRUE if eager == (call.last == "executing_eagerly") else FALSE


@function("tensorflow.init_scope")
def init_scope(call: Call) -> Value:
    return LibraryObject("init scope", call.name, call.machine.origin(call.node), {})


@function("tensorflow.config.run_functions_eagerly", "tensorflow.config.experimental_run_functions_eagerly")
def run_functions_eagerly(call: Call) -> Value:
    on = truth(call.get(0, "run_eagerly"))
    machine = call.machine
    if on is not None and not machine.may:
        machine.eager_switch = on
    machine.log.applied("eager switch", None, call.node, on=str(on))
    return NONE


@function("tensorflow.is_tensor")
def is_tensor(call: Call) -> Value:
    value = call.get(0, "x")
    if isinstance(value, (Tensor, Variable)):
        return TRUE
    return FALSE if python_type(value) or isinstance(value, (Array, Known, Sequence)) else Scalar("bool")


@function("tensorflow.cond")
def cond(call: Call) -> Value:
    results = [
        call_unconverted(call.machine, call.get(p, name), [], call.node, "tf.cond", "if")
        for p, name in ((1, "true_fn"), (2, "false_fn"))
    ]
    return _one_of(call, call.get(0, "pred"), results)


def _one_of(call: Call, chosen_by: Value, results: list[Value]) -> Value:
    """What one of several functions gives; where a tensor chooses, all must give the like."""
    if is_symbolic(call.machine, chosen_by):
        for other in results[1:]:
            if compare(call.machine, "cond", call.node, f"tf.{call.last}(…)", results[0], other):
                break
    return join_all(results)


@function("tensorflow.case", "tensorflow.switch_case")
def switch_case(call: Call) -> Value:
    machine = call.machine
    given = call.get(1 if call.last == "switch_case" else 0, "branch_fns")
    branches = list(given.items or ()) if isinstance(given, Sequence) else []
    if isinstance(given, Dictionary):
        branches = list(given.entries.values())
    results = []
    for branch in branches:
        callee = branch.items[-1] if isinstance(branch, Sequence) and branch.items else branch
        results.append(call_unconverted(machine, callee, [], call.node, f"tf.{call.last}", "if"))
    if isinstance(given, Sequence) and given.items is None:
        results.append(
            call_unconverted(
                machine, element(machine, given, call.node), [], call.node, f"tf.{call.last}", "if"
            )
        )
    return _one_of(call, call.get(0, "branch_index") if call.last == "switch_case" else UNKNOWN, results)


@function("tensorflow.while_loop")
def while_loop(call: Call) -> Value:
    machine = call.machine
    start = settled(call.get(2, "loop_vars"))
    values = list(start.items or ()) if isinstance(start, Sequence) else [start]
    inside = [_symbolic(machine, value, call.node) for value in values]
    call_unconverted(machine, call.get(0, "cond"), inside, call.node, "tf.while_loop", "loop")
    body = call.get(1, "body")
    given = call_unconverted(machine, body, inside, call.node, "tf.while_loop", "loop")
    if machine.graph is not None and not call.arguments.has(3, "shape_invariants"):
        after = given.items or () if isinstance(given, Sequence) else (given,)
        for name, first, then in zip(_carried_names(body, len(inside)), inside, after, strict=False):
            compare(machine, "while", call.node, name, first, then)
    if isinstance(given, Sequence) and given.items is not None:
        return Sequence("tuple", given.items, machine.origin(call.node))
    return given


def _carried_names(body: Value, count: int) -> list[str]:
    """What the body of a loop calls the values that it carries."""
    if isinstance(body, Function):
        parameters = [argument.arg for argument in body.node.args.args]
        if len(parameters) == count:
            return parameters
    return [f"loop_vars[{position}]" for position in range(count)]


def _symbolic(machine: Machine, value: Value, node: ast.AST) -> Value:
    """A Python number or array that a loop carries becomes a tensor."""
    if isinstance(value, Array) or python_type(value):
        return Tensor(dtype_of(value), shape_of(value), machine.origin(node))
    return value.moved(machine.origin(node)) if isinstance(value, Tensor) else value


@function(
    "tensorflow.map_fn",
    "tensorflow.vectorized_map",
    "tensorflow.scan",
    "tensorflow.foldl",
    "tensorflow.foldr",
)
def map_fn(call: Call) -> Value:
    machine = call.machine
    elements = settled(call.get(1, "elems"))
    item = _row(machine, elements, call.node)
    values = [item]
    if call.last in ("scan", "foldl", "foldr"):
        start = call.get(2, "initializer")
        known = not (isinstance(start, Known) and start.value is None)
        values = [_symbolic(machine, start, call.node) if known else item, item]
    if call.last == "map_fn":
        given = call_converted(machine, call.get(0, "fn"), values, call.node, "loop")
    else:
        given = call_unconverted(machine, call.get(0, "fn"), values, call.node, f"tf.{call.last}", "loop")
    if call.last in ("foldl", "foldr"):
        return given
    return _stacked(machine, given, elements, call)


def _row(machine: Machine, value: Value, node: ast.AST, depth: int = 0) -> Value:
    if isinstance(value, Sequence) and value.items is not None and depth < 3:
        return Sequence(
            value.kind, tuple(_row(machine, v, node, depth + 1) for v in value.items), machine.origin(node)
        )
    if isinstance(value, (Tensor, Variable, Array)):
        shape = value.shape[1:] if value.shape else None
        return operate(machine, "row", [value], node, value.dtype, shape, tensor=True)
    return UNKNOWN


def _stacked(machine: Machine, given: Value, elements: Value, call: Call) -> Value:
    first = elements.items[0] if isinstance(elements, Sequence) and elements.items else elements
    shape = shape_of(first)
    if isinstance(given, Tensor):
        dtype = (
            dtype_named(call.get(None, "fn_output_signature"))
            or dtype_named(call.get(None, "dtype"))
            or given.dtype
        )
        rows = (shape[0], *given.shape) if shape and given.shape is not None else None
        return operate(machine, call.last, [given], call.node, dtype, rows, tensor=True)
    if isinstance(given, Sequence) and given.items is not None:
        return Sequence(
            given.kind,
            tuple(_stacked(machine, g, elements, call) for g in given.items),
            machine.origin(call.node),
        )
    return UNKNOWN


@function("tensorflow.reverse")
def reverse(call: Call) -> Value:
    """The table's probe gave a scalar without axes, of which nothing can be learnt."""
    given = call.get(0, "tensor")
    return operate(call.machine, "reverse", [given], call.node, dtype_of(given), shape_of(given), tensor=True)


@function("tensorflow.py_function", "tensorflow.numpy_function", "tensorflow.compat.v1.py_func")
def py_function(call: Call) -> Value:
    """The Python function runs eagerly each time; what comes back has a dtype and no shape."""
    machine = call.machine
    given = call.get(1, "inp")
    values = list(given.items or ()) if isinstance(given, Sequence) else []
    eager = [_eager(machine, value, call) for value in values]
    machine.graphs.append(None)
    try:
        result = machine.call(call.get(0, "func"), Arguments(eager), call.node)
    finally:
        machine.graphs.pop()
    machine.log.library_call(call.name, call.node, {"return": result})
    if call.last == "py_function":
        paths = follow(machine, [result], call.last, call.node, None)
    else:
        paths = left(machine, values, f"tf.{call.last}", call.node)
    return _typed(machine, call.get(2, "Tout"), call.node, paths)


def _eager(machine: Machine, value: Value, call: Call) -> Value:
    """An argument as the Python function gets it: all sizes are known then."""
    shape, dtype = shape_of(value), dtype_of(value)
    known = None if shape is None else tuple(Scalar("int") if s is None else s for s in shape)
    if call.last != "py_function":
        return Array(dtype, known)
    return Tensor(
        dtype, known, machine.origin(call.node), follow(machine, [value], call.last, call.node, None)
    )


def _typed(machine: Machine, kinds: Value, node: ast.AST, paths) -> Value:  # type: ignore[no-untyped-def]
    if isinstance(kinds, Sequence) and kinds.items is not None:
        items = tuple(_typed(machine, kind, node, paths) for kind in kinds.items)
        return Sequence("list", items, machine.origin(node))
    if isinstance(kinds, TensorSpec):
        open_rank = machine.origin(node) if kinds.shape is None else None
        return Tensor(kinds.dtype, kinds.shape, machine.origin(node), paths, open_rank)
    origin = machine.origin(node)
    made = Tensor(dtype_named(kinds), None, origin, paths, origin if machine.graph is not None else None)
    made.supposed = made.dtype is None  # a list of dtypes gives a list
    return made


@function("tensorflow.ensure_shape")
def ensure_shape(call: Call) -> Value:
    given = call.get(0, "x")
    return operate(
        call.machine, "ensure_shape", [given], call.node, dtype_of(given), shape_given(call.get(1, "shape"))
    )


@function("tensorflow.stop_gradient")
def stop_gradient(call: Call) -> Value:
    given = call.get(0, "input")
    made = operate(call.machine, "stop_gradient", [given], call.node, dtype_of(given), shape_of(given))
    if isinstance(made, Tensor):
        made.paths = None
    return made


@function("tensorflow.print")
def print_(call: Call) -> Value:
    call.machine.log.library_call(call.name, call.node)
    return NONE


@function("tensorflow.custom_gradient", "tensorflow.recompute_grad")
def custom_gradient(call: Call) -> Value:
    given = call.get(0, "f")
    if isinstance(given, Function):
        return LibraryObject(
            "custom gradient", call.name, call.machine.origin(call.node), {"function": given}
        )
    return UNKNOWN


def _with_own_gradient(machine: Machine, value: Value, given: list[Value], node: ast.AST) -> Value:
    """What a function with a gradient of its own gives: each tensor comes from all that it was given."""
    if isinstance(value, Sequence) and value.items is not None:
        items = tuple(_with_own_gradient(machine, item, given, node) for item in value.items)
        return Sequence(value.kind, items, machine.origin(node), fields=value.fields)
    if isinstance(value, (Numeric, Variable)):
        dtype, shape = dtype_of(value), shape_of(value)
        return operate(machine, "custom_gradient", given, node, dtype, shape, tensor=True)
    return UNKNOWN


@object_methods("custom gradient")
def custom_gradient_method(
    machine: Machine, receiver: LibraryObject, name: str, arguments: Arguments, node: ast.AST
) -> Value:
    if name != "__call__":
        return UNKNOWN
    through = receiver.name.replace("tensorflow.", "tf.")
    given = call_unconverted(machine, receiver.arguments["function"], arguments.positional, node, through)
    if receiver.name.endswith("custom_gradient") and isinstance(given, Sequence) and given.items:
        return _with_own_gradient(machine, given.items[0], arguments.positional, node)
    return given


@function("tensorflow.autograph.experimental.set_loop_options")
def set_loop_options(call: Call) -> Value:
    loosen(call.machine, call.get(None, "shape_invariants"))
    return NONE


@function("tensorflow.autograph.experimental.do_not_convert", "tensorflow.autograph.to_graph")
def do_not_convert(call: Call) -> Value:
    given = call.get(0, "func")
    if isinstance(given, Function) and call.last == "do_not_convert":
        given.cells["__unconverted__"] = "do-not-convert"
        return given
    return LibraryObject("identity", call.name, call.machine.origin(call.node), {})


@function("tensorflow.nest.map_structure")
def map_structure(call: Call) -> Value:
    machine = call.machine
    callee, *structures = call.arguments.positional or [UNKNOWN]
    if len(structures) == 1 and isinstance(structures[0], Sequence) and structures[0].items is not None:
        items = tuple(
            call_unconverted(machine, callee, [v], call.node, "tf.nest.map_structure")
            for v in structures[0].items
        )
        return Sequence(structures[0].kind, items, machine.origin(call.node))
    return UNKNOWN


@function("tensorflow.nest.flatten")
def flatten(call: Call) -> Value:
    items = _flattened(call.get(0, "structure"))
    return Sequence("list", items, call.machine.origin(call.node)) if items is not None else UNKNOWN


def _flattened(value: Value, depth: int = 0) -> tuple[Value, ...] | None:
    """The leaves of a structure that is known whole."""
    if isinstance(value, (Unknown, Variables, Choice)) or depth > 4:
        return None
    if isinstance(value, Dictionary):
        parts = tuple(value.entries.values()) if value.complete else None
    elif isinstance(value, Sequence):
        parts = value.items
    else:
        return (value,)
    found = [_flattened(part, depth + 1) for part in parts] if parts is not None else [None]
    return None if None in found else tuple(leaf for leaves in found if leaves for leaf in leaves)


@function("tensorflow.compat.v1.placeholder", "tensorflow.placeholder", "tensorflow.Session",
          "tensorflow.compat.v1.Session")  # fmt: skip
def placeholder(call: Call) -> Value:
    call.machine.log.library_call(call.name, call.node)
    return UNKNOWN


@function("tensorflow.gradients")
def gradients(call: Call) -> Value:
    return UNKNOWN


@family("tensorflow.")
def operation(call: Call) -> Value:
    """All other functions: by the generated table."""
    return by_table(call)
