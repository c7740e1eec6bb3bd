"""Keras: layers, models, optimizers, losses and metrics as they are made, and their attributes."""

import ast
from collections.abc import Iterator
from typing import TypeGuard

from graphdoctor.dryrun.core.escape_analysis import ESCAPED, mark_escaped
from graphdoctor.dryrun.core.machine import Machine
from graphdoctor.dryrun.gradients.weights import note_trainable
from graphdoctor.dryrun.libraries.keras.added_losses import losses_of
from graphdoctor.dryrun.libraries.keras.functional_models import assume_called
from graphdoctor.dryrun.libraries.python.files import parents_of
from graphdoctor.dryrun.libraries.python.settings import has_method, is_settings
from graphdoctor.dryrun.libraries.registry import Call, attributes, family, function
from graphdoctor.dryrun.libraries.tables.operations import KerasClass
from graphdoctor.dryrun.libraries.tables.tables import keras_class
from graphdoctor.dryrun.libraries.tensorflow.functions import note_variable
from graphdoctor.dryrun.libraries.tensorflow.saved_models import TRACKING
from graphdoctor.dryrun.libraries.tensorflow.tensors import by_table
from graphdoctor.dryrun.tracing.operations import layers_behind, numeric_parts
from graphdoctor.dryrun.values import (
    TRUE,
    UNKNOWN,
    Array,
    Constant,
    Instance,
    KerasTensor,
    LayerOf,
    LibraryObject,
    Method,
    Sequence,
    Tensor,
    Union,
    Value,
    Variable,
    Variables,
    is_known_text,
    is_none,
    known_int,
)
from graphdoctor.dryrun.values.dtypes import dtype_given, shape_given
from graphdoctor.dryrun.values.joining import python_type
from graphdoctor.dryrun.values.structures import DEEPEST, parts_of

WEIGHTS = ("trainable_variables", "trainable_weights", "variables", "weights", "non_trainable_variables",
           "non_trainable_weights")  # fmt: skip
TRAINED = ("trainable_variables", "trainable_weights")
INPUT_GIVEN = {"input_shape", "input_dim", "batch_input_shape"}
STRENGTHS = {"rate", "stddev", "dropout"}  # of what a layer draws
DECLARED_BUILT = "__declared_built__"  # the cell that `build` of Keras 3 itself sets: it builds nothing
KINDS = ("layer", "model", "optimizer", "metric", "loss")


@function("keras.Input")
def input_(call: Call) -> Value:
    shape = shape_given(call.get(0, "shape"))
    batch = call.get(1, "batch_size")
    first = known_int(batch)
    dtype = dtype_given(call.get(None, "dtype"), "float32")
    return KerasTensor(dtype, (first, *shape) if shape is not None else None, call.origin)


@function("keras.Sequential", "keras.Model")
def model(call: Call) -> Value:
    machine = call.machine
    made = LibraryObject("model", call.name, call.origin, dict(call.arguments.keywords))
    if call.last == "Sequential":
        given = call.get(0, "layers")
        items = given.items if isinstance(given, Sequence) else ()
        layers = Sequence("list", items, call.origin, UNKNOWN if items is None else None)
        made.cells["layers"] = layers
        made.cells["built"] = Constant(starts_built(layers))
        if items and says_its_input(items[0]):
            _build_by_running(machine, items, call.node)
            mark_built(machine, made)
    else:
        made.cells["built"] = Constant(True)
        made.cells["layers"] = _some_layers(made)
        inside = layers_behind(numeric_parts(call.get(1, "outputs")))
        made.cells["inside"] = Sequence("list", inside, call.origin)
        for position, name in enumerate(("input", "output")):
            given = call.get(position, f"{name}s")
            made.cells[name] = given
            made.cells[f"{name}s"] = _listed(machine, given, call.node)
    machine.log.made("model", made, call.node)
    return made


def _build_by_running(machine: Machine, layers: tuple[Value, ...], node: ast.AST) -> None:
    """A Sequential model that knows its input calls its layers at once: Keras 3 may run their `call`."""
    from graphdoctor.dryrun.core.arguments import Arguments
    from graphdoctor.dryrun.libraries.keras.automatic_build import is_built_by_running
    from graphdoctor.dryrun.libraries.keras.calls import call_keras_object

    for layer in layers:
        if isinstance(layer, Instance) and is_built_by_running(layer):
            given = KerasTensor("float32", None, machine.origin(node))
            call_keras_object(machine, layer, Arguments([given]), node)


def _some_layers(model: LibraryObject) -> Sequence:
    """`model.layers` where it is unknown how many there are."""
    return Sequence("list", None, model.origin, LayerOf(model))


def _listed(machine: Machine, given: Value, node: ast.AST) -> Value:
    """`model.outputs`: a list, however many there are."""
    if isinstance(given, KerasTensor):
        return Sequence("list", (given,), machine.origin(node))
    return given if isinstance(given, Sequence) else UNKNOWN


def layer_named(model: LibraryObject, name: Value) -> Value:
    """`model.get_layer(name)`; unknown where Keras gave the names."""
    layers = [model.cells.get("layers"), model.cells.get("inside")]
    known = [each for some in layers if isinstance(some, Sequence) for each in some.items or ()]
    named = [
        each
        for each in known
        if isinstance(each, LibraryObject)
        and isinstance(own := each.arguments.get("name"), Constant)
        and isinstance(name, Constant)
        and own.value == name.value
    ]
    return named[0] if len(named) == 1 else LayerOf(model)


def starts_built(layers: Sequence) -> bool:
    """Whether the first layer says what comes in."""
    items = layers.items
    if not items:
        return items is None
    first = items[0]
    if not isinstance(first, LibraryObject):
        return not isinstance(first, Instance)
    return says_its_input(first) or is_built(first)


def says_its_input(first: Value) -> bool:
    """Whether a model that begins so makes its variables at once: by an `Input`, or by an argument."""
    if isinstance(first, LibraryObject):
        return first.name.endswith("InputLayer") or bool(INPUT_GIVEN & set(first.arguments))
    return isinstance(first, KerasTensor)


def is_built(value: Value) -> bool:
    """Whether a layer or model has its variables; where it is unknown, it has."""
    if isinstance(value, LibraryObject):
        built = value.cells.get("built")
        return not (isinstance(built, Constant) and built.value is False)
    return True


def has_weights(layer: LibraryObject) -> bool:
    """Whether a layer, or a model for one of its layers, surely has variables once it is built."""
    if layer.kind == "model":
        inside = layer.cells.get("inside")
        layers = inside.items or () if isinstance(inside, Sequence) else ()
        return any(has_weights(each) for each in layers if isinstance(each, LibraryObject))
    known = keras_class(layer.name)
    return known is not None and known.weights == "built"


def mark_built(machine: Machine, receiver: LibraryObject | Instance) -> None:
    """A model, and all that is in it, has its variables from now on."""
    for each in _with_all_inside(receiver):
        if isinstance(each, LibraryObject):
            machine.heap.put(each.cells, "built", TRUE)
        elif each is receiver or each.cls.find("build") is None:  # else its `build` is run when it is called
            machine.heap.put(each.cells, "__built__", TRUE)


def _with_all_inside(model: LibraryObject | Instance) -> Iterator[LibraryObject | Instance]:
    """A layer or model, and all layers that it holds, also in lists and in other layers."""
    seen: set[int] = set()
    waiting: list[object] = [model]
    while waiting:
        value = waiting.pop()
        waiting += parts_of(value)
        if isinstance(value, Union):
            waiting += value.alternatives
        elif _is_layer(value) and id(value) not in seen:
            seen.add(id(value))
            yield value
            held = value.cells.values() if isinstance(value, Instance) else [value.cells.get("layers")]
            waiting += held


def _is_layer(value: object) -> TypeGuard[LibraryObject | Instance]:
    if isinstance(value, LibraryObject):
        return value.kind in ("layer", "model")
    return isinstance(value, Instance) and value.cls.derives("keras.")


@family("keras.")
def keras_(call: Call) -> Value:
    known = keras_class(call.name)
    if known is None:
        return by_table(call)
    if known.kind in KINDS:
        return _make(call, known)
    return LibraryObject(known.kind, call.name, call.origin, dict(call.arguments.keywords))


def _make(call: Call, known: KerasClass) -> Value:
    machine, kind, weights = call.machine, known.kind, known.weights
    arguments: dict[object, Value] = dict(enumerate(call.arguments.positional))
    arguments.update(call.arguments.keywords)
    made = LibraryObject(kind, call.name, call.origin, arguments)
    made.cells["built"] = Constant(weights != "built")
    if call.name == "keras.layers.Lambda":
        assume_called(machine, call.get(0, "function"), 1, call.node, made)
    if (weights == "made" or _is_random(call, known)) and machine.graph is not None:
        note_variable(machine, made, call.node, kind)
    else:
        machine.log.made(kind, made, call.node)
    return made


def _is_random(call: Call, known: KerasClass) -> bool:
    """Whether a layer makes the variable of a random generator at once, as those of Keras 3 do.

    One that is set to draw nothing has none: `Dropout(0.0)`.
    """
    if not known.random or known.kind != "layer" or call.machine.module.keras != 3:
        return False
    given = [
        *call.arguments.positional[:1],
        *(call.arguments.keywords[k] for k in STRENGTHS & set(call.arguments.keywords)),
    ]
    return not call.arguments.loose and all(isinstance(each, Constant) and bool(each.value) for each in given)


@family("keras.applications.")
def application(call: Call) -> Value:
    if not call.last[:1].isupper():
        return by_table(call)
    made = LibraryObject("model", call.name, call.origin, {})
    made.cells.update(built=Constant(True), layers=_some_layers(made))
    return made


@function("keras.models.clone_model")
def clone(call: Call) -> Value:
    """A model of the same layers with weights of its own."""
    model = call.get(0, "model")
    if not isinstance(model, LibraryObject):
        return by_table(call)
    made = LibraryObject("model", model.name, call.origin, {})
    made.cells.update(built=Constant(True), layers=_some_layers(made))
    return made


@function("keras.activations.get")
def activation(call: Call) -> Value:
    """The function of a name; None is the one that changes nothing, and a function is itself."""
    given = call.get(0, "identifier")
    if is_none(given) or is_known_text(given):
        return call.machine.program.library_member(
            call.machine, "keras.activations", getattr(given, "value", None) or "linear"
        )
    return given


@attributes(LibraryObject)
def object_attribute(machine: Machine, holder: LibraryObject, name: str, node: ast.AST) -> Value:
    if holder.kind in ("layer", "model") and name in WEIGHTS:
        if name in TRAINED:
            note_trainable(machine, holder, node)
        empty = not is_built(holder) and ESCAPED not in holder.cells
        return Variables(holder, name, empty, machine.origin(node))
    if holder.kind in ("layer", "model", "optimizer", "metric", "loss"):
        if name == "losses":
            return losses_of(holder, machine.origin(node))
        if name in ("output_shape", "input_shape", "output", "input", "dtype", "name", "metrics"):
            return UNKNOWN
        if name in ("kernel", "bias", "gamma", "beta", "embeddings") and holder.kind == "layer":
            return Variable("float32", None, holder.origin) if is_built(holder) else UNKNOWN
    if holder.kind == "model" and (compiled := _compiled(holder, name)) is not None:
        return compiled
    if holder.kind == "model" and name == "optimizer":
        return UNKNOWN
    if holder.kind == "optimizer" and name in ("learning_rate", "lr", "iterations"):
        rate = holder.arguments.get(0, holder.arguments.get("learning_rate"))
        if name != "iterations" and rate is not None and not python_type(rate):
            return UNKNOWN  # a schedule: Keras 3 computes the rate, Keras 2 gives the schedule itself
        dtype = "int64" if name == "iterations" else "float32"
        found = Variable(dtype, (), holder.origin, False)
        found.cells["written"] = name == "iterations"  # each step counts; the rate is changed by hand
        return found
    if name == TRACKING:
        mark_escaped(machine.heap, holder)
    if holder.kind in ("namespace", "module"):
        return UNKNOWN
    if holder.kind == "path" and name in ("parent", "parents"):
        return parents_of(machine, holder, name, machine.origin(node))
    return Method(holder, name)


@attributes(Instance)
def instance_attribute(machine: Machine, holder: Instance, name: str, node: ast.AST) -> Value:
    """What a class of the project inherits from Keras or TensorFlow."""
    if name == TRACKING:
        mark_escaped(machine.heap, holder)
    if holder.cls.derives("keras.") or holder.cls.derives("tensorflow.Module"):
        if name in WEIGHTS:
            if name in TRAINED:
                note_trainable(machine, holder, node)
            return Variables(holder, name, _has_no_weights_yet(holder), machine.origin(node))
        if name in ("built",):
            known: Value = holder.cells.get("__built__", UNKNOWN)
            return known
        if (compiled := _compiled(holder, name)) is not None:
            return compiled
        if name == "losses":
            return losses_of(holder, machine.origin(node)) if holder.cls.derives("keras.") else UNKNOWN
        if name in ("metrics", "layers", "dtype", "name", "optimizer", "compiled_loss", "history"):
            return UNKNOWN
        return Method(holder, name)
    if is_settings(holder) and not has_method(name):
        return UNKNOWN
    return Method(holder, name) if holder.cls.libraries else UNKNOWN


def _compiled(holder: LibraryObject | Instance, name: str) -> Value | None:
    """What a model was compiled with: an optimizer of Keras', a loss of a class of the project."""
    kind = {"optimizer": LibraryObject, "loss": Instance}.get(name)
    given: Value | None = holder.cells.get(f"__{name}__") if kind is not None else None
    return given if kind is not None and isinstance(given, kind) else None


def _has_no_weights_yet(holder: Instance) -> bool:
    """Whether all it would hold variables in has not been called yet."""
    if "__built__" in holder.cells or holder.unknown_start or not holder.cls.derives("keras."):
        return False
    if ESCAPED in holder.cells or holder.cls.find("build") is not None:
        return False
    layers = held_layers(holder)
    return bool(layers) and all(map(_is_unbuilt, layers))


def held_layers(holder: Instance) -> list[Value]:
    """The layers, models and variables that an object holds, also in lists and dicts."""
    return [each for value in holder.cells.values() for each in _layers(value)]


def _is_unbuilt(layer: Value) -> bool:
    if isinstance(layer, Instance):
        return _has_no_weights_yet(layer)
    if not isinstance(layer, LibraryObject) or ESCAPED in layer.cells:
        return False
    return not is_built(layer) and not INPUT_GIVEN & set(layer.arguments)


def _layers(value: object, depth: int = 0) -> list[Value]:
    if isinstance(value, LibraryObject) and value.kind in ("layer", "model"):
        known = keras_class(value.name)
        return [value] if known is None or known.weights or value.kind == "model" else []
    if isinstance(value, Instance) and value.cls.derives("keras."):
        return [value]
    if isinstance(value, (Variable, Tensor, Array)):
        return [value] if isinstance(value, Variable) else []
    inner = parts_of(value) if depth < DEEPEST and getattr(value, "items", value) is not None else []
    return [each for part in inner for each in _layers(part, depth + 1)]
