"""Keras: calling layers, models, losses and metrics."""

import ast

from graphdoctor.dryrun.core.arguments import Arguments, parameter_names
from graphdoctor.dryrun.core.context import Graph
from graphdoctor.dryrun.core.definitions import underlying
from graphdoctor.dryrun.core.machine import Machine
from graphdoctor.dryrun.gradients.provenance import Paths, feed, merge_paths
from graphdoctor.dryrun.gradients.weights import read_weights
from graphdoctor.dryrun.libraries.keras.added_losses import note_regularized
from graphdoctor.dryrun.libraries.keras.automatic_build import built_by_running, makes_variables_in_graph
from graphdoctor.dryrun.libraries.keras.dtypes import as_layer_gets_it, dtype_given_by
from graphdoctor.dryrun.libraries.keras.functional_models import (
    call_symbolically,
    is_symbolic_call,
    outputs_of,
    run_by,
)
from graphdoctor.dryrun.libraries.keras.objects import has_weights, is_built
from graphdoctor.dryrun.libraries.keras.shapes import output_shape
from graphdoctor.dryrun.libraries.keras.training_flag import note_flag
from graphdoctor.dryrun.libraries.registry import object_methods
from graphdoctor.dryrun.libraries.tables.tables import keras_class
from graphdoctor.dryrun.libraries.tensorflow.functions import note_variable
from graphdoctor.dryrun.tracing.initial_values import note_building, note_read, note_resource
from graphdoctor.dryrun.tracing.operations import (
    calls_of,
    entering,
    follow,
    layers_behind,
    loss_here,
    numeric_parts,
    operate,
    recording_tapes,
    source_path,
)
from graphdoctor.dryrun.values import (
    NONE,
    TRUE,
    UNKNOWN,
    BoundMethod,
    Function,
    GraphFunction,
    Instance,
    KerasTensor,
    LibraryObject,
    Numeric,
    Opaque,
    Sequence,
    Shape,
    StaticShape,
    Tensor,
    Unknown,
    Value,
    is_known_text,
)
from graphdoctor.dryrun.values.dtypes import shape_of
from graphdoctor.dryrun.values.structures import rebuilt
from graphdoctor.dryrun.values.unknown_ranks import note_open_rank

RANKED = ("Flatten", "Rescaling", "Resizing", "Reshape", "Normalization")


@object_methods("layer")
def layer_method(
    machine: Machine, receiver: LibraryObject, name: str, arguments: Arguments, node: ast.AST
) -> Value:
    if name in ("__call__", "call"):
        note_flag(machine, receiver, arguments, node)
        result = call_layer(machine, receiver, arguments, node)
        return outputs_of(machine, receiver, arguments, result, node)
    if name == "build":
        machine.heap.put(receiver.cells, "built", TRUE)
        note_building(machine, receiver)
        return NONE
    return read_weights(machine, receiver, node) if name == "get_weights" else UNKNOWN


# A dense layer reads two variables, multiplies, adds and activates; others do more.
LAYER_OPERATIONS = 4
LAMBDA = "keras.layers.Lambda"
COPYING = "Bidirectional"  # has variables of its own: it runs the layer that it is given, and a copy


def call_layer(machine: Machine, layer: LibraryObject, arguments: Arguments, node: ast.AST) -> Value:
    """`layer(x)`: builds it the first time, and gives a tensor."""
    given = arguments.get(0, "inputs")
    if machine.graph is not None and _looks_at_rank(layer):
        note_open_rank(machine, given, node)
    if machine.graph is not None and machine.graph.xla:
        machine.log.library_call(layer.name, node)
    build(machine, layer, node)
    note_read(machine, layer, node)
    if has_weights(layer):
        note_resource(machine, layer)
    if layer.name == LAMBDA:
        function = layer.arguments.get(0) or layer.arguments.get("function") or UNKNOWN
        call = call_symbolically if is_symbolic_call(Arguments([given])) else in_keras
        return call(machine, layer, function, Arguments([given]), node)
    parts = numeric_parts(given)
    if any(isinstance(part, KerasTensor) for part in parts):
        shape = output_shape(layer, given)
        layers = (*layers_behind(parts), layer)
        dtype = dtype_given_by(machine, layer, given)
        made = KerasTensor(dtype, shape, machine.origin(node), calls=calls_of(parts), layers=layers)
        if layer.kind == "layer":  # called twice, it has no output of its own
            machine.heap.put(layer.cells, "output", UNKNOWN if "output" in layer.cells else made)
        return made
    if machine.graph is None and not parts and any(isinstance(each, Unknown) for each in _members(given)):
        paths = merge_paths(
            follow(machine, [given], "layer", node, "float32"), _from_weights(machine, layer, node)
        )
        return Opaque(paths) if paths else UNKNOWN
    if machine.graph is not None:
        machine.graph.root.operations += LAYER_OPERATIONS
        machine.graph.note(layer.origin.node, "layer")
    computed = weighted(machine, layer, [given], node, output_shape(layer, given))
    if isinstance(computed, Tensor) and isinstance(given, Tensor) and computed.shape is None:
        computed.open_batch = given.open_batch  # a layer keeps the first axis
    if isinstance(computed, Tensor) and arguments.has(None, "return_attention_scores"):
        computed.supposed = True  # the scores stand beside it
    return computed


def _members(given: Value) -> tuple[Value, ...]:
    return given.members if isinstance(given, Sequence) else (given,)


def _looks_at_rank(layer: LibraryObject) -> bool:
    """Run on 2.21: what is built for its input, and a few others; `Activation` and the like do not."""
    name = layer.name.rpartition(".")[2]
    return (layer.kind != "model" and has_weights(layer)) or name in RANKED or "Pooling" in name


def weighted(
    machine: Machine, holder: LibraryObject | Instance, values: list[Value], node: ast.AST, shape: Shape
) -> Value:
    """A tensor computed from values and from the weights of a layer or model."""
    given = Sequence("tuple", tuple(values), holder.origin)
    dtype = dtype_given_by(machine, holder, given)
    made = operate(machine, "layer", values, node, dtype, shape, tensor=True)
    if isinstance(made, Tensor):
        feed(made.paths, recording_tapes(machine))
        made.paths = entering(merge_paths(made.paths, _from_weights(machine, holder, node)), node)
    return made


def _from_weights(machine: Machine, holder: LibraryObject | Instance, node: ast.AST) -> Paths | None:
    here = loss_here(machine, "outside", "layer", node)
    own = source_path(machine, holder.origin.number, True, here)
    return merge_paths(own, holder.cells.get("__assigned__"))


def build(machine: Machine, layer: LibraryObject, node: ast.AST) -> None:
    """The first call of a layer makes its variables."""
    if is_built(layer):
        return
    machine.heap.put(layer.cells, "built", TRUE)
    note_building(machine, layer)
    inner = run_by(layer)
    held = isinstance(inner, (LibraryObject, Instance)) and not machine.is_outer(inner.origin.graph)
    if inner is not None and not held and not layer.name.endswith(COPYING):
        if isinstance(inner, LibraryObject):
            build(machine, inner, node)
        return
    known = keras_class(layer.name)
    if isinstance(inner, Instance):
        return  # a class of the project's own has the variables, if there are any
    if makes_variables_in_graph(machine, layer) and (
        known is None or known.weights == "built" or layer.kind == "model"
    ):
        note_variable(machine, layer, node, layer.kind)


@object_methods("loss")
def loss_method(
    machine: Machine, receiver: LibraryObject, name: str, arguments: Arguments, node: ast.AST
) -> Value:
    if name not in ("__call__", "call"):
        return UNKNOWN
    reduction = receiver.arguments.get("reduction")
    shape: Shape = None if reduction is not None else ()
    return operate(machine, "loss", list(arguments), node, "float32", shape, tensor=True)


@object_methods("metric")
def metric_method(
    machine: Machine, receiver: LibraryObject, name: str, arguments: Arguments, node: ast.AST
) -> Value:
    if name in ("__call__", "update_state"):
        operate(machine, "metric", list(arguments), node, "float32", (), tensor=True)
        return NONE if name == "update_state" else Tensor("float32", (), machine.origin(node))
    if name == "result":
        return Tensor("float32", (), machine.origin(node))
    return NONE


def in_keras(machine: Machine, holder: Value, callee: Value, arguments: Arguments, node: ast.AST) -> Value:
    """Run the user's code that Keras calls: under Keras 3 AutoGraph does not convert it.

    What a Lambda layer was given, Keras 2 does not convert either (run with tf_keras 2.21).
    """
    graph = machine.graph
    if graph is None:
        return machine.call(callee, arguments, node)
    reason = _reason(machine, callee)
    if reason != "keras" and isinstance(holder, LibraryObject) and holder.name == LAMBDA:
        reason = f"callback:{LAMBDA}"
    inner = Graph(graph, "callback", unconverted=machine.unconverted or reason)
    inner.keras = True
    with machine.in_graph(inner):
        result = machine.call(callee, arguments, node)
    from graphdoctor.dryrun.libraries.tensorflow.control_flow import brought_up

    return brought_up(machine, result, inner, node)


def _reason(machine: Machine, callee: Value) -> str:
    inner = callee.function if isinstance(callee, BoundMethod) else callee
    return {3: "keras", 2: ""}.get(_generation(machine, inner) or 0, "keras?")


def _generation(machine: Machine, callee: Value) -> int | None:
    """The Keras that the code of a function is written for."""
    function = underlying(callee)
    return (function.module if isinstance(function, Function) else machine.module).keras


def call_keras_object(machine: Machine, callee: Instance, arguments: Arguments, node: ast.AST) -> Value:
    """`model(x)` of a class of the project: build, then `call`."""
    return built_by_running(machine, callee, lambda: _build_and_call(machine, callee, arguments, node))


def _build_and_call(machine: Machine, callee: Instance, arguments: Arguments, node: ast.AST) -> Value:
    symbolic = is_symbolic_call(arguments)
    note_flag(machine, callee, arguments, node)
    build_object(machine, callee, arguments, node)
    if symbolic and callee.cls.find("call") is None:
        return KerasTensor("float32", None, machine.origin(node))
    if callee.cls.find("call") is None:
        return inherited_call(machine, callee, arguments, node)
    method = machine.attribute(callee, "call", node)
    function = underlying(method.function) if isinstance(method, BoundMethod) else None
    if isinstance(method, BoundMethod) and isinstance(method.function, GraphFunction) and not symbolic:
        return machine.call(method, arguments, node)
    if function is not None:
        _pass_training(machine, function, arguments)
    if symbolic:
        return call_symbolically(machine, callee, method, arguments, node)
    root = machine.graph.root if machine.graph is not None else None
    around = root.training if root is not None else None
    if root is not None and "training" in arguments.keywords:  # for the layers that it calls, too
        root.training = arguments.keywords["training"]
    try:
        return in_keras(machine, callee, method, as_layer_gets_it(machine, callee, arguments), node)
    finally:
        if root is not None:
            root.training = around


def inherited_call(machine: Machine, callee: Instance, arguments: Arguments, node: ast.AST) -> Value:
    """What Keras' own `call` gives: of a functional model, which its class may be, one tensor or several."""
    made = weighted(machine, callee, list(arguments.positional), node, None)
    if isinstance(made, Tensor):
        made.supposed = not callee.cls.derives("keras.Sequential")
    return made


def _pass_training(machine: Machine, function: Function, arguments: Arguments) -> None:
    """Keras gives `training` to those who ask for it, also where a layer calls another without it."""
    names = parameter_names(function)
    if "training" not in names:
        arguments.keywords.pop("training", None)
        return
    step = machine.graph.root.training if machine.graph is not None else None
    given = "training" in arguments.keywords or len(arguments.positional) >= names.index("training")
    if step is not None and not given and not arguments.loose:
        arguments.keywords["training"] = step


def build_object(machine: Machine, callee: Instance, arguments: Arguments, node: ast.AST) -> None:
    """Before the first call, `build` of a class of the project is given the shapes."""
    if "__built__" in callee.cells:
        return
    machine.heap.put(callee.cells, "__built__", TRUE)
    builder = callee.cls.find("build")
    if builder is None:
        return
    shapes = _shapes_of(machine, arguments.get(0, "inputs"), node)
    outside = machine.graph is not None and _generation(machine, builder) != 3
    # Keras 2 builds in `tf.init_scope()` (run with tf_keras 2.21), Keras 3 where it is called.
    with machine.in_graph(None if outside else machine.graph):
        machine.call(BoundMethod(builder, callee), Arguments([shapes]), node)


def _shapes_of(machine: Machine, inputs: Value, node: ast.AST) -> Value:
    """What `build` is given: a shape for a tensor, and for several of them such a structure of shapes."""

    def shape(part: Value) -> Value:
        known = shape_of(part)
        alone = isinstance(part, Numeric) and not (isinstance(part, Tensor) and part.supposed)
        return StaticShape(known) if alone or known is not None else UNKNOWN

    return rebuilt(inputs, shape, machine.origin(node))


def add_weight(machine: Machine, receiver: Value, arguments: Arguments, node: ast.AST) -> Value:
    """`self.add_weight(…)`: a Variable."""
    note_regularized(machine, receiver, arguments)
    from graphdoctor.dryrun.control.conditions import truth
    from graphdoctor.dryrun.values import Variable
    from graphdoctor.dryrun.values.dtypes import dtype_given, shape_given

    given = (
        arguments.get(0, "shape")
        if not is_known_text(arguments.get(0, "shape"))
        else arguments.get(1, "shape")
    )
    dtype = dtype_given(arguments.get(None, "dtype"), "float32") if machine.keras_dtype == "float32" else None
    trainable = truth(arguments.get(None, "trainable", TRUE))
    if isinstance(receiver, Instance) and makes_variables_in_graph(machine, receiver):
        note_variable(machine, receiver, node, "layer")
    made = Variable(dtype, shape_given(given), machine.origin(node), trainable)
    note_building(machine, made)
    return made
