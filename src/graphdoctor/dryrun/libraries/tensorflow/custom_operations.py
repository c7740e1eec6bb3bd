"""What calls functions of the program: `tf.py_function`, `tf.custom_gradient`, `tf.distribute`."""

import ast

from graphdoctor.dryrun.core.arguments import Arguments
from graphdoctor.dryrun.core.machine import Machine
from graphdoctor.dryrun.libraries.keras.functional_models import note_placeholder
from graphdoctor.dryrun.libraries.registry import Call, family, function, object_methods
from graphdoctor.dryrun.libraries.tensorflow.control_flow import call_unconverted
from graphdoctor.dryrun.tracing.operations import carriers, follow, left, operate
from graphdoctor.dryrun.values import (
    UNKNOWN,
    AbstractNumber,
    Array,
    Dictionary,
    Function,
    LibraryObject,
    Numeric,
    Sequence,
    Tensor,
    TensorSpec,
    Value,
    Variable,
)
from graphdoctor.dryrun.values.dtypes import dtype_named, dtype_of, shape_of
from graphdoctor.dryrun.values.structures import rebuilt

MAKING = ("get_strategy", "OneDeviceStrategy")
SPREADING = ("experimental_distribute_dataset",)
BUILDING = ("distribute_datasets_from_function", "experimental_distribute_datasets_from_function")
RUNNING = ("run", "experimental_run_v2")
SAME = ("experimental_local_results", "gather")


@family("tensorflow.distribute.")
def strategy(call: Call) -> Value:
    """`tf.distribute.MirroredStrategy()` and its kin."""
    if not call.last.endswith("Strategy") and call.last not in MAKING:
        return UNKNOWN
    return LibraryObject("strategy", call.name, call.origin, {})


@object_methods("strategy")
def strategy_method(
    machine: Machine, receiver: LibraryObject, name: str, arguments: Arguments, node: ast.AST
) -> Value:
    if name in RUNNING:
        return _run(machine, arguments, node)
    if name == "reduce":
        return arguments.get(1, "value")
    if name in SPREADING or name in SAME:
        return arguments.get(0, "dataset" if name in SPREADING else "value")
    if name in BUILDING:
        return machine.call(arguments.get(0, "dataset_fn"), Arguments([UNKNOWN]), node)
    if name == "scope":
        return LibraryObject("scope", "tensorflow.distribute.scope", machine.origin(node), {})
    return UNKNOWN


def _run(machine: Machine, arguments: Arguments, node: ast.AST) -> Value:
    """`strategy.run(step, args=(batch,))`: the function on each replica, converted like what is around."""
    positional, named = arguments.get(1, "args", UNKNOWN), arguments.get(2, "kwargs", UNKNOWN)
    given = Arguments()
    if isinstance(positional, Sequence) and positional.items is not None:
        given.positional.extend(positional.items)
    elif arguments.has(1, "args"):
        given.loose = True
    if isinstance(named, Dictionary):
        given.keywords.update({str(key): value for key, value in named.entries.items()})
    return machine.call(arguments.get(0, "fn"), given, node)


@function("tensorflow.py_function", "tensorflow.numpy_function", "tensorflow.compat.v1.py_func")
def py_function(call: Call) -> Value:
    """The Python function runs eagerly each time; what comes back has a dtype and no shape."""
    machine = call.machine
    if note_placeholder(call):
        return UNKNOWN
    given = call.get(1, "inp")
    values = list(given.items or ()) if isinstance(given, Sequence) else []
    eager = [_eager(machine, value, call) for value in values]
    with machine.in_graph(None):
        result = machine.call(call.get(0, "func"), Arguments(eager), call.node)
    machine.log.library_call(call.name, call.node, {"return": result})
    if call.last == "py_function":
        paths = follow(machine, [result], call.last, call.node, None)
    else:
        paths = left(machine, values, f"tf.{call.last}", call.node)
    return _typed(machine, call.get(2, "Tout"), call.node, paths)


def _eager(machine: Machine, value: Value, call: Call) -> Value:
    """An argument as the Python function gets it: all sizes are known then."""
    shape, dtype = shape_of(value), dtype_of(value)
    known = None if shape is None else tuple(AbstractNumber("int") if s is None else s for s in shape)
    if call.last != "py_function":
        return Array(dtype, known)
    return Tensor(dtype, known, call.origin, follow(machine, [value], call.last, call.node, None))


def _typed(machine: Machine, kinds: Value, node: ast.AST, paths) -> Value:  # type: ignore[no-untyped-def]
    if isinstance(kinds, Sequence) and kinds.items is not None:
        items = tuple(_typed(machine, kind, node, paths) for kind in kinds.items)
        return Sequence("list", items, machine.origin(node))
    if isinstance(kinds, Sequence):
        typical = _typed(machine, kinds.cells["element"] or UNKNOWN, node, paths)
        return Sequence("list", None, machine.origin(node), typical, kinds.count)
    if isinstance(kinds, TensorSpec):
        open_rank = machine.origin(node) if kinds.shape is None else None
        return Tensor(kinds.dtype, kinds.shape, machine.origin(node), paths, open_rank)
    origin = machine.origin(node)
    made = Tensor(dtype_named(kinds), None, origin, paths, origin if machine.graph is not None else None)
    made.supposed = made.dtype is None  # a list of dtypes gives a list
    return made


@function("tensorflow.custom_gradient", "tensorflow.recompute_grad")
def custom_gradient(call: Call) -> Value:
    given = call.get(0, "f")
    if isinstance(given, Function):
        return LibraryObject("custom gradient", call.name, call.origin, {"function": given})
    return UNKNOWN


def _with_own_gradient(machine: Machine, value: Value, given: list[Value], node: ast.AST) -> Value:
    """What a function with a gradient of its own gives: each tensor comes from all that it was given."""

    def computed(part: Value) -> Value:
        if not isinstance(part, (Numeric, Variable)):
            return UNKNOWN
        dtype, shape = dtype_of(part), shape_of(part)
        return operate(machine, "custom_gradient", given, node, dtype, shape, tensor=True)

    return rebuilt(value, computed, machine.origin(node))


@object_methods("custom gradient")
def custom_gradient_method(
    machine: Machine, receiver: LibraryObject, name: str, arguments: Arguments, node: ast.AST
) -> Value:
    if name != "__call__":
        return UNKNOWN
    through = receiver.name.replace("tensorflow.", "tf.")
    given = call_unconverted(machine, receiver.arguments["function"], arguments.positional, node, through)
    if receiver.name.endswith("custom_gradient") and isinstance(given, Sequence) and given.items:
        made = _with_own_gradient(machine, given.items[0], arguments.positional, node)
        _go_back(machine, made, given.items[-1], node)
        return made
    return given


def _go_back(machine: Machine, made: Value, backward: Value, node: ast.AST) -> None:
    """Run the gradient function, which a tape that records in a graph will run there, unconverted.

    (Run on 2.21: an `if` on a tensor in it raises, also where the tape is an eager one.)
    """
    if machine.graph is None or not machine.tapes or not isinstance(backward, Function):
        return
    upstream = [part for part in carriers(made) if isinstance(part, Tensor)]
    if upstream:
        call_unconverted(machine, backward, [*upstream], node, "tf.custom_gradient")
