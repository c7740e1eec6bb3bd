"""Keras: `compile`, `fit`, `evaluate`, `predict`, and what their steps trace."""

import ast

from graphdoctor.dryrun.control.conditions import truth
from graphdoctor.dryrun.control.self_closing_guards import note_lasting
from graphdoctor.dryrun.core.arguments import Arguments, handed_on, parameter_names
from graphdoctor.dryrun.core.attributes import forget_step
from graphdoctor.dryrun.core.context import EAGER_OFF
from graphdoctor.dryrun.core.definitions import underlying
from graphdoctor.dryrun.core.machine import Machine
from graphdoctor.dryrun.gradients.missing_gradients import Question, explain
from graphdoctor.dryrun.gradients.provenance import merge_paths
from graphdoctor.dryrun.gradients.weights import note_trainable, read_weights, was_retrained
from graphdoctor.dryrun.libraries.keras.added_losses import note_added
from graphdoctor.dryrun.libraries.keras.callbacks import (
    ENDING,
    STARTING,
    Callbacks,
    batch_size_of,
    epoch_after,
    first_epoch,
    has_later_epochs,
    is_one_epoch,
    samples_of,
)
from graphdoctor.dryrun.libraries.keras.calls import call_layer, in_keras, inherited_call, weighted
from graphdoctor.dryrun.libraries.keras.dtypes import USUAL
from graphdoctor.dryrun.libraries.keras.functional_models import assume_trained, call_again, outputs_of
from graphdoctor.dryrun.libraries.keras.objects import (
    DECLARED_BUILT,
    layer_named,
    mark_built,
    says_its_input,
    starts_built,
)
from graphdoctor.dryrun.libraries.keras.optimizers import ask_schedule, note_training
from graphdoctor.dryrun.libraries.keras.reused_traces import gets_its_trace
from graphdoctor.dryrun.libraries.keras.training_flag import note_fit, note_flag
from graphdoctor.dryrun.libraries.registry import object_methods
from graphdoctor.dryrun.libraries.tables.names import names
from graphdoctor.dryrun.libraries.tensorflow.datasets import as_arrays, opened_batch
from graphdoctor.dryrun.libraries.tensorflow.tapes import enter_library
from graphdoctor.dryrun.libraries.tensorflow.tensors import lost_in_state
from graphdoctor.dryrun.staleness.stale_state import find_stale, find_stale_in
from graphdoctor.dryrun.tracing.graph_function_calls import in_trace, lifted, traced_twice
from graphdoctor.dryrun.tracing.operations import left, numeric_parts, operate
from graphdoctor.dryrun.values import (
    FALSE,
    NONE,
    TRUE,
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
    Kept,
    KerasTensor,
    LibraryObject,
    Numeric,
    Partial,
    Sequence,
    Tape,
    Tensor,
    Union,
    Value,
    Variables,
    ages,
    is_known_text,
)
from graphdoctor.dryrun.values.dtypes import dtype_of, is_float, shape_of
from graphdoctor.dryrun.values.structures import rebuilt
from graphdoctor.dryrun.values.unknown_ranks import note_open_rank
from graphdoctor.recording.format import Definition

# Run on 2.21 with Keras 3.15: each step is a `tf.function` that makes shapes general, three traces at most.
KERAS_STEP = {"reduce_retracing": "True"}
TRAINING = names("methods that train or predict")
SAVING = ("save", "save_weights")
ADDING = ("add_loss", "add_metric")
MAKING = {"make_train_function": "train_step", "make_test_function": "test_step",
          "make_predict_function": "predict_step"}  # fmt: skip
STEPS = {"fit": "train_step", "train_on_batch": "train_step", "fit_generator": "train_step",
         "evaluate": "test_step", "test_on_batch": "test_step"}  # fmt: skip


@object_methods("model")
def keras_model_method(
    machine: Machine, receiver: LibraryObject | Instance, name: str, arguments: Arguments, node: ast.AST
) -> Value:
    """The methods that every Keras model has."""
    if name in ("__call__", "call"):
        return _call_model(machine, receiver, arguments, node)
    if name == "compile":
        return _compile(machine, receiver, arguments, node)
    if name == "compile_from_config":
        _trace_again(machine, receiver, node)
        return NONE
    if name in TRAINING:
        return _train(machine, receiver, name, arguments, node)
    if name == "build":
        if not _builds_nothing(receiver):
            mark_built(machine, receiver)
        else:
            machine.heap.put(receiver.cells, DECLARED_BUILT, TRUE)
        return NONE
    if name == "add" and isinstance(receiver, LibraryObject):
        _add(machine, receiver, arguments.get(0, "layer"))
        return NONE
    if name == "add_weight":
        from graphdoctor.dryrun.libraries.keras.calls import add_weight

        return add_weight(machine, receiver, arguments, node)
    if name in MAKING:
        if truth(arguments.get(0, "force", FALSE)) is not False:
            forget_step(machine, receiver, MAKING[name])
        return UNKNOWN
    if name in ADDING:
        note_lasting(machine)
        note_added(machine, receiver)
        return NONE
    if name in SAVING and machine.graph is not None:
        machine.log.library_call(f"keras.Model.{name}", node)
    if name in SAVING or name in ("summary", "export"):
        return NONE
    if name == "load_weights":
        return UNKNOWN  # Keras 2 reports what became of a checkpoint: `.expect_partial()`
    if name in ("compute_loss", "compiled_loss", "loss"):
        values = [v for v in arguments if numeric_parts(v)]
        return weighted(machine, receiver, values, node, ())
    if name in ("compute_metrics", "get_metrics_result"):
        return UNKNOWN
    if name == "get_layer" and isinstance(receiver, LibraryObject):
        return layer_named(receiver, arguments.get(0, "name"))
    if name == "set_weights":
        lost = lost_in_state(machine, name, arguments.get(0, "weights"), node) if machine.tapes else None
        machine.heap.put(receiver.cells, "__assigned__", lost)
        return NONE
    if name == "get_weights":
        return read_weights(machine, receiver, node)
    return UNKNOWN


def _builds_nothing(model: LibraryObject | Instance) -> bool:
    """Whether `build` makes no variables: Keras 3 runs no `call` for it, Keras 2 does (run on both)."""
    if not isinstance(model, Instance) or model.cls.derives("keras.Sequential"):
        return False
    return model.cls.module.keras == 3


def _add(machine: Machine, model: LibraryObject, layer: Value) -> None:
    layers = model.cells.get("layers")
    if isinstance(layers, Sequence) and layers.items is not None:
        machine.heap.put(layers.cells, "items", (*layers.items, layer))
        if len(layers.items) == 1:
            machine.heap.put(model.cells, "built", Constant(starts_built(layers)))
        if says_its_input(layers.items[0]):
            mark_built(machine, model)


def _call_model(
    machine: Machine, receiver: LibraryObject | Instance, arguments: Arguments, node: ast.AST
) -> Value:
    """`model(x)`: a Sequential runs its layers; others give a tensor that depends on their weights."""
    if isinstance(receiver, Instance):
        return inherited_call(machine, receiver, arguments, node)
    note_flag(machine, receiver, arguments, node)
    layers = receiver.cells.get("layers")
    if not isinstance(layers, Sequence) or layers.items is None or not layers.items:
        result = call_layer(machine, receiver, arguments, node)
        call_again(machine, receiver, node)
        return outputs_of(machine, receiver, arguments, result, node)
    value = arguments.get(0, "inputs")
    from graphdoctor.dryrun.libraries.keras.calls import build

    build(machine, receiver, node)
    if isinstance(value, Tensor) and (value.dtype or "").startswith(("int", "uint")):
        value = value.moved(value.origin)
        value.dtype = None  # run on 2.21: its first layer is given floats, unless its `Input` says otherwise
    known = (LibraryObject, Instance, KerasTensor)
    for layer in layers.items:
        if not isinstance(layer, known):
            value = UNKNOWN  # a layer of another library may give anything
        elif not isinstance(layer, KerasTensor):
            value = machine.call(layer, Arguments([value]), node)
    if isinstance(value, Tensor):
        value.paths = merge_paths(value.paths, receiver.cells.get("__assigned__"))
    if isinstance(value, KerasTensor):
        layers_so_far = (*value.layers, receiver)
        return KerasTensor(value.dtype, value.shape, value.origin, calls=value.calls, layers=layers_so_far)
    if isinstance(value, Tensor) and not all(isinstance(layer, known) for layer in layers.items):
        return weighted(machine, receiver, [value], node, value.shape)
    if not isinstance(layers.items[-1], known):
        value = weighted(machine, receiver, [arguments.get(0, "inputs")], node, None)
        if isinstance(value, Tensor):
            value.supposed = True
    return value


def _compile(
    machine: Machine, receiver: LibraryObject | Instance, arguments: Arguments, node: ast.AST
) -> Value:
    """Remember what training uses; a new `compile` lets Keras trace again."""
    for position, name in enumerate(("optimizer", "loss", "loss_weights", "metrics")):
        value = arguments.get(position, name)
        if name == "optimizer" and isinstance(receiver, Instance) and is_known_text(value):
            value = LibraryObject("optimizer", "keras.optimizers.Optimizer", machine.origin(node), {})
        machine.heap.put(receiver.cells, f"__{name}__", value)
    said = truth(arguments.get(None, "run_eagerly"))
    eagerly = True if "__dynamic__" in receiver.cells else said
    machine.program.eager_keras |= bool(eagerly)
    asked = eagerly is None and "run_eagerly" in arguments.keywords
    machine.heap.put(receiver.cells, "__eagerly__", UNKNOWN if asked else Constant(bool(eagerly)))
    _trace_again(machine, receiver, node)
    handed = handed_on(machine, arguments.nodes.get("run_eagerly"))
    machine.log.applied("compile", receiver, node, eagerly=str(said), **handed)
    if not eagerly:
        assume_trained(machine, arguments, node)
    return NONE


def _trace_again(machine: Machine, receiver: LibraryObject | Instance, node: ast.AST) -> None:
    """What is trained is looked up again, and the steps are traced again."""
    machine.heap.put(receiver.cells, "compiled", TRUE)
    machine.heap.put(receiver.cells, "__again__", Constant("__compiled__" in receiver.cells))
    machine.heap.put(receiver.cells, "__compiled__", Constant(machine.log.traces))
    before = receiver.cells.get("__steps__")
    needed = was_retrained(machine, receiver, machine.compiled.get(id(receiver.cells), 0))
    machine.compiled[id(receiver.cells)] = next(ages)
    # It may be some iterations of a loop that compile, and not each; or what is trained is not what it was.
    other = machine.unsure or needed
    origin = before.origin if other and isinstance(before, Dictionary) else machine.origin(node)
    machine.heap.put(receiver.cells, "__steps__", Dictionary({}, origin))


def _train(
    machine: Machine, receiver: LibraryObject | Instance, name: str, arguments: Arguments, node: ast.AST
) -> Value:
    """`fit` and the like: Keras traces a step, once for each kind and model."""
    if machine.graph is not None:
        machine.log.library_call(f"keras.Model.{name}", node)
        return UNKNOWN
    first = machine.graph_switch == EAGER_OFF  # then Keras makes one function for all calls, and no pipeline
    samples = samples_of(arguments.get(0, "x")) if not first else None
    known = {"samples": str(samples)} if samples is not None else {}
    if name == "fit" and is_one_epoch(arguments):
        known["epochs"] = "1"
    machine.log.applied(name, receiver, node, **known)
    data = _batch(machine, name, arguments, node)
    if STEPS.get(name) == "train_step":
        note_training(machine, receiver.cells.get("__optimizer__"), receiver, node)
        note_fit(machine, receiver, node)
    if name == "fit" and machine.module.keras == 3:  # run on 2.21: ValueError, and none for `predict`
        note_open_rank(machine, data, node)
    if isinstance(given := arguments.get(0, "x"), Dataset):
        find_stale_in(machine, given)
    eagerly = truth(receiver.cells.get("__eagerly__", FALSE))
    eager = bool(eagerly) or machine.eager_switch
    with machine.perhaps(eagerly is None and not eager):
        _run_steps(machine, receiver, name, arguments, data, node, eager)
    mark_built(machine, receiver)
    if name.startswith("predict"):
        return _predicted(machine, receiver, arguments, node)
    if name in ("train_on_batch", "test_on_batch"):
        return AbstractNumber("float", frozenset(machine.loops))
    return UNKNOWN


def _run_steps(
    machine: Machine,
    receiver: LibraryObject | Instance,
    name: str,
    arguments: Arguments,
    data: Value,
    node: ast.AST,
    eager: bool,
) -> None:
    """The steps of some epochs, and the callbacks around them."""
    callbacks = Callbacks(machine, receiver, arguments, node)
    if name != "fit":
        callbacks.notify(Constant(0), STARTING)
        _run_step(machine, receiver, name, data, node, eager)
        return

    def run_epoch(number: Value) -> None:
        callbacks.notify(number, STARTING)
        _run_step(machine, receiver, name, data, node, eager)
        callbacks.notify(number, ENDING)

    callbacks.begin()
    first = first_epoch(arguments)
    with machine.heap.watched() as changes:
        run_epoch(first)
        if callbacks and is_one_epoch(arguments):
            _run_step(machine, receiver, name, data, node, eager)  # of a later batch
        elif callbacks:
            run_epoch(epoch_after(first))
        if callbacks and has_later_epochs(arguments):
            with callbacks.later_epochs(changes()) as number:
                run_epoch(number)


def _predicted(
    machine: Machine, receiver: LibraryObject | Instance, arguments: Arguments, node: ast.AST
) -> Value:
    """An array, or several: what `predict` gives has left TensorFlow."""
    result = weighted(machine, receiver, [arguments.get(0, "x")], node, None)
    paths = left(machine, [result], "model.predict", node)
    array = Array(dtype_of(result), None, machine.origin(node), paths, frozenset(machine.loops))
    if not isinstance(receiver, LibraryObject):
        return array
    given = outputs_of(machine, receiver, arguments, result, node)
    return as_arrays(given, array)


def _batch(machine: Machine, name: str, arguments: Arguments, node: ast.AST) -> Value:
    """What a step gets: a batch of what `fit` was given, its size open where the last may be smaller."""
    x = arguments.get(0, "x")
    if isinstance(x, Dataset):
        return opened_batch(x)
    size = () if name.endswith("on_batch") else (batch_size_of(name, arguments, machine.module.keras),)
    parts = [_batched(machine, x, node, size)]
    y = arguments.get(1, "y")
    if not name.startswith("predict") and not (isinstance(y, Constant) and y.value is None):
        parts.append(_batched(machine, y, node, size))
    if len(parts) == 1 and not (isinstance(parts[0], Sequence) and parts[0].kind in ("list", "tuple")):
        return parts[0]
    return Sequence("tuple", tuple(parts), machine.origin(node))


def _batched(machine: Machine, value: Value, node: ast.AST, size: tuple[Dimension, ...]) -> Value:
    """A batch of this size; of none, all of it as it is. Keras makes one dtype of what is floating."""

    def batched(part: Value) -> Value:
        shape, dtype = shape_of(part), dtype_of(part)
        if shape is None and dtype is None:
            batch = Tensor(None, None, machine.origin(node))
            batch.supposed = not isinstance(part, Numeric)  # a dataset of pairs, or of anything else
            return batch
        if size and is_float(dtype):
            cast = isinstance(part, Array) or machine.module.keras == 3  # Keras 2 leaves tensors as they are
            dtype = USUAL if cast and machine.keras_dtype == USUAL else None
        return Tensor(dtype, (*size, *shape[len(size) :]) if shape else shape, machine.origin(node))

    return rebuilt(value, batched, machine.origin(node))


def _run_step(
    machine: Machine, receiver: LibraryObject | Instance, name: str, data: Value, node: ast.AST, eager: bool
) -> None:
    step = STEPS.get(name, "predict_step")
    known = receiver.cells.get("__steps__")
    if isinstance(known, Dictionary) and step in known.cells:
        traced = known.cells[step]
        if isinstance(traced, GraphFunction) and not eager:
            find_stale(machine, traced, traced.captures, gets_its_trace(traced.kept[step], data, node))
        return
    if not isinstance(known, Dictionary):
        known = Dictionary({}, receiver.origin)
        machine.heap.put(receiver.cells, "__steps__", known)
    function = GraphFunction(receiver, {}, known.origin)  # as old as the model, or its last `compile`
    machine.heap.put(known.cells, step, function)

    def body() -> Value:
        if machine.graph is not None and _own_step(receiver, step) is None:
            machine.graph.root.training = Constant(
                step == "train_step"
            )  # an own step says it, or nobody does
        return _step(machine, receiver, step, lifted(machine, data, node) if not eager else data, node)

    if eager:
        body()
        return
    place = machine.log.place(node)
    definition = _definition(machine, receiver, step) or Definition(
        name=f"{name}:{step}", path=place.path, line=place.line
    )
    function.cells["definition"] = definition

    its_first = truth(receiver.cells.get("__again__", UNKNOWN)) is False

    def trace(first: bool) -> Value:
        number = machine.log.trace(
            function, definition, {"data": data}, {}, node, origin="keras", options=KERAS_STEP, tied=its_first
        )
        return in_trace(machine, function, body, number, first, node, keras=True)

    function.kept[step] = Kept(function.captures, node, [data])
    traced_twice(machine, function, trace)


def _definition(machine: Machine, receiver: LibraryObject | Instance, step: str) -> Definition | None:
    function = _own_step(receiver, step)
    return machine.log.definition(function) if function is not None else None


def _own_step(receiver: LibraryObject | Instance, step: str) -> Function | None:
    return underlying(receiver.cls.find(step)) if isinstance(receiver, Instance) else None


def _step(
    machine: Machine, receiver: LibraryObject | Instance, step: str, data: Value, node: ast.AST
) -> Value:
    """The user's own step, or Keras' one: call the model, compute the losses and metrics."""
    if isinstance(receiver, Instance) and receiver.cls.find(step) is not None:
        method = machine.attribute(receiver, step, node)
        return in_keras(machine, receiver, method, Arguments([data]), node)
    parts = data.items if isinstance(data, Sequence) and data.kind == "tuple" and data.items else (data,)
    if step != "train_step" or len(parts) < 2:
        called = _call_with_training(machine, receiver, parts[0], step == "train_step", node)
        if step != "predict_step" and len(parts) > 1:
            _losses(machine, receiver, parts[1], called, node)
        return called
    note_trainable(machine, receiver, node)
    ask_schedule(machine, receiver.cells.get("__optimizer__"), node)
    tape = Tape(machine.origin(node), False, True)
    machine.opened.add(tape.number)
    _, leave = enter_library(machine, tape, node)
    try:
        called = _call_with_training(machine, receiver, parts[0], True, node)
        losses = _losses(machine, receiver, parts[1], called, node)
    finally:
        leave()
    if len(losses) == 1:
        weights = Variables(receiver, "trainable_variables", False, machine.origin(node))
        explain(machine, Question(tape, "model.fit", losses[0], weights, node, node))
    return called


# What Keras calls of a loss or metric, with how many values; functions and others are called themselves.
CALLED = {"loss": {"call": 2}, "metrics": {"update_state": 2, "result": 0}}


def _losses(
    machine: Machine, receiver: LibraryObject | Instance, expected: Value, called: Value, node: ast.AST
) -> list[Value]:
    """What the losses give; the metrics are computed, too."""
    found: list[Value] = []
    for key in ("__loss__", "__metrics__"):
        given = receiver.cells.get(key)
        for method, count in CALLED[key.strip("_")].items():
            for each in callables(machine, given, method, node):
                values = Arguments([_single(expected), _single(called)][:count])
                result = in_keras(machine, receiver, each, values, node)
                if key == "__loss__" and not isinstance(given, Union):
                    found.append(result)
        if key == "__loss__" and _is_named_loss(given):
            found.append(operate(machine, "loss", [expected, called], node, "float32", (), tensor=True))
    return found


def _single(value: Value) -> Value:
    """What one loss gets: of several outputs, one, and it is unknown which."""
    return UNKNOWN if isinstance(value, (Sequence, Dictionary)) else value


def _is_named_loss(value: object) -> bool:
    """Whether it is one loss of Keras' own, by name or as an object."""
    if isinstance(value, Constant):
        return isinstance(value.value, str)
    return isinstance(value, LibraryObject) and value.kind == "loss"


def _call_with_training(
    machine: Machine, receiver: LibraryObject | Instance, value: Value, training: bool, node: ast.AST
) -> Value:
    arguments = Arguments([value])
    if isinstance(receiver, Instance):
        function = underlying(receiver.cls.find("call"))
        if function is not None and "training" in parameter_names(function):
            arguments.keywords["training"] = Constant(training)
    return machine.call(receiver, arguments, node)


def callables(machine: Machine, value: object, method: str, node: ast.AST) -> list[Value]:
    """What Keras calls of the losses or metrics it was given.

    Of an object that is its own class's `method`, else the object is called itself; of several values of
    which that one is unknown, any of them.
    """
    if isinstance(value, Sequence):
        return [each for item in value.items or () for each in callables(machine, item, method, node)]
    if isinstance(value, Dictionary):
        return [each for item in value.entries.values() for each in callables(machine, item, method, node)]
    if isinstance(value, Union):
        parts = [each for item in value.alternatives for each in callables(machine, item, method, node)]
        others = (NONE,) * (len(value.alternatives) - len(parts))
        return [Union((*parts, *others))] if parts else []
    called_itself = method != "result"
    if isinstance(value, Instance):
        names = (method, "__call__") if called_itself else (method,)
        own = [name for name in names if value.cls.find(name) is not None]
        return [machine.attribute(value, own[0], node)] if own else []
    if called_itself and isinstance(value, (Function, BoundMethod, Partial, GraphFunction)):
        return [value]
    return []
