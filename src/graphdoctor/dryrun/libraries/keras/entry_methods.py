"""Methods that nothing in the project calls: what Keras, or a user's `tf.function`, would do with them."""

import ast
import contextlib

from graphdoctor.dryrun.control.flow import Raised
from graphdoctor.dryrun.core.arguments import Arguments, parameter_names
from graphdoctor.dryrun.core.machine import Machine
from graphdoctor.dryrun.core.relevance import TEXTS, TRACED_BY_KERAS
from graphdoctor.dryrun.libraries.keras.calls import build_object, in_keras
from graphdoctor.dryrun.tracing.graph_function_calls import in_trace, lifted, traced_twice
from graphdoctor.dryrun.values import (
    NONE,
    NOWHERE,
    UNKNOWN,
    AbstractNumber,
    BoundMethod,
    Class,
    Function,
    GraphFunction,
    Instance,
    Sequence,
    Tensor,
    Value,
)
from graphdoctor.source.nodes import walk
from graphdoctor.source.remembering import remembered

TENSORS = ("inputs", "x", "input", "inputs_tensor", "y_true", "y_pred", "features", "images", "tokens")
MODULES = ("tensorflow.Module", "sonnet.")
EAGER_ONLY = ("numpy", "executing_eagerly")
DATA = ("train_step", "test_step", "predict_step")


def is_called_by_keras(owner: Class, name: str) -> bool:
    """Whether Keras calls this method of a class that derives from one of its own, in a graph."""
    if name == "__call__":
        return owner.derives("keras.optimizers.schedules.")
    return name in TRACED_BY_KERAS and owner.derives("keras.metrics." if name == "result" else "keras.")


def is_traced_by_users(function: Function, receiver: Value) -> bool:
    """Whether it is the call of a module, which is there to be used in graph functions, or its text.

    Not where the call reads the value of a tensor: then it is for eager code. A text is asked for wherever
    the module is used: by `print`, by a message, by a debugger; a program that makes such modules itself
    shows where.
    """
    owner = function.owner
    if owner is None or not any(map(owner.derives, MODULES)):
        return False
    if function.name in TEXTS:
        return isinstance(receiver, Instance) and receiver.unknown_start
    if function.name != "__call__":
        return False
    return not any(
        isinstance(part, ast.Attribute) and part.attr in EAGER_ONLY for part in walk(function.node)
    )


def run_as_traced(machine: Machine, method: BoundMethod, function: Function, values: list[Value]) -> None:
    """Run a module's call as a graph function of a user would; that there is one is assumed."""
    node = function.node
    traced = GraphFunction(method, {}, machine.origin(node))

    def run() -> Value:
        return machine.call(method, Arguments([lifted(machine, value, node) for value in values]), node)

    with machine.assuming():
        machine.heap.undone(lambda: in_trace(machine, traced, run, 0, False, node))


def run_keras_method(machine: Machine, method: BoundMethod, function: Function, node: ast.AST) -> None:
    """Run `call`, `train_step` and the like as Keras would trace them; that it does is assumed."""
    if isinstance(method.function, GraphFunction):
        machine.call(method, Arguments([UNKNOWN] * (len(parameter_names(function)) - 1)), node)
        given = _values(machine, function, node)
        if any(
            isinstance(value, (Tensor, Sequence)) for value in given
        ):  # what Keras would give it is assumed
            run_as_traced(machine, BoundMethod(function, method.receiver), function, given)
        return
    traced = GraphFunction(method, {}, machine.origin(node))
    definition = machine.log.definition(function)
    values = _values(machine, function, node)
    if function.name == "call" and isinstance(method.receiver, Instance):
        with contextlib.suppress(Raised):
            build_object(machine, method.receiver, Arguments(values[:1]), node)

    def run() -> Value:
        given = Arguments([lifted(machine, value, node) for value in values])  # symbolic: made in the graph
        return in_keras(machine, method.receiver, method, given, node)

    def trace(first: bool) -> Value:
        number = machine.log.trace(traced, definition, {}, {}, node, origin="keras")
        return in_trace(machine, traced, run, number, first, node, keras=True)

    with machine.assuming():
        traced_twice(machine, traced, trace)


def _values(machine: Machine, function: Function, node: ast.AST) -> list[Value]:
    names = parameter_names(function)[1:]
    return [_value(function, name, position) for position, name in enumerate(names)]


def _value(function: Function, name: str, position: int) -> Value:
    if name == "training":
        return AbstractNumber("bool")
    if function.name in DATA:
        return UNKNOWN
    first = position == 0 and function.name == "call"
    count = parts_taken(function.node, name) if first else 0
    if count:
        return Sequence("list", tuple(_batch(supposed=True) for _ in range(count)), NOWHERE)
    known = (first and name in TENSORS) or name in ("y_true", "y_pred")
    if known or (function.name == "call" and is_asked_for_shape(function.node, name)):
        return _batch(supposed=not known)
    if name in ("mask", "sample_weight"):
        return NONE
    step = name == "step" and function.name == "__call__"  # of a learning rate schedule
    return Tensor(None, None) if step else UNKNOWN


def _batch(supposed: bool) -> Tensor:
    """What a layer is given: `fit`, `predict` and `Input` leave the first size open."""
    batch = Tensor(None, None)
    batch.open_batch = True
    batch.supposed = supposed
    return batch


@remembered(4096)
def parts_taken(function: ast.AST, name: str) -> int:
    """How many tensors a layer takes out of a parameter, of which it uses `x[0]`, `x[1]`… and nothing else.

    Nobody takes single examples out of a batch in this way.
    """
    read = {part for part in walk(function) if isinstance(part, ast.Name) and part.id == name}
    taken = [
        (part.value, part.slice.value)
        for part in walk(function)
        if isinstance(part, ast.Subscript)
        and isinstance(part.slice, ast.Constant)
        and type(part.slice.value) is int
    ]
    places = {place for holder, place in taken if holder in read}
    if read - {holder for holder, _ in taken} or len(places) < 2 or min(places) < 0:
        return 0
    return max(places) + 1


@remembered(4096)
def is_asked_for_shape(function: ast.AST, name: str) -> bool:
    """Whether a function asks a parameter for its `shape`: it is a tensor, not a setting."""
    return any(
        isinstance(part, ast.Attribute)
        and part.attr == "shape"
        and isinstance(part.value, ast.Name)
        and part.value.id == name
        for part in walk(function)
    )
