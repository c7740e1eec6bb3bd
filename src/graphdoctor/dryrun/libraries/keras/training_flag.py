"""Layers that work differently while they are trained, called with and without `training`.

Run on TensorFlow 2.21 with Keras 3.15 and tf_keras 2.21: without `training`, a layer gets it from the call of
the layer around it; a model that a hand-written loop calls without it works as in inference. `fit` of Keras 3
gives it only to a `call` that has such a parameter, `fit` of tf_keras to all.
"""

import ast

from graphdoctor.dryrun.core.arguments import Arguments, parameter_names
from graphdoctor.dryrun.core.definitions import underlying
from graphdoctor.dryrun.core.machine import Machine
from graphdoctor.dryrun.gradients.weights import holders_of
from graphdoctor.dryrun.libraries.tables.tables import keras_class
from graphdoctor.dryrun.values import Constant, Function, Instance, LibraryObject, Value
from graphdoctor.dryrun.values.structures import parts_of
from graphdoctor.recording.format import FIT_FLAG, TRAINING_FLAG

DEEPEST = 5
STATISTICS = ("BatchNormalization", "SyncBatchNormalization")
# What says how much a layer draws; of one without weights the first argument does.
STRENGTHS = ("rate", "stddev", "factor", "dropout", "recurrent_dropout")
FLAG = "training"


def note_flag(
    machine: Machine, callee: LibraryObject | Instance, arguments: Arguments, node: ast.AST
) -> None:
    """A layer is called by code that is no layer's, inside a tape: what in it asks for the flag."""
    if not machine.tapes or machine.unsure or arguments.loose or _is_in_layer(machine):
        return
    asking = asking_layers(callee)
    if asking:
        given = FLAG in arguments.keywords or len(arguments.positional) > 1
        _write(machine, TRAINING_FLAG, callee, asking, node, given)


def note_fit(machine: Machine, model: LibraryObject | Instance, node: ast.AST) -> None:
    """`fit` trains a model with Keras' own step, which in Keras 3 gives no flag to a `call` without it."""
    own = isinstance(model, Instance) and model.cls.find("train_step") is not None
    asking = asking_layers(model) if not own and not machine.unsure else []
    if asking:
        _write(machine, FIT_FLAG, model, asking, node, _gets_flag(model))


def _gets_flag(model: LibraryObject | Instance) -> bool:
    call = underlying(model.cls.find("call") or model) if isinstance(model, Instance) else None
    if not isinstance(call, Function) or call.module.keras != 3:
        return True
    return FLAG in parameter_names(call) or call.node.args.kwarg is not None


def _write(
    machine: Machine,
    what: str,
    callee: LibraryObject | Instance,
    asking: list[str],
    node: ast.AST,
    given: bool,
) -> None:
    layers = ", ".join(sorted(set(asking)))
    on = tuple(sorted(holders_of(callee).numbers))
    machine.log.applied(what, callee, node, on=on, layers=layers, given="yes" if given else "no")


def _is_in_layer(machine: Machine) -> bool:
    return any(
        each.function is not None and each.function.name == "call" and isinstance(each.receiver, Instance)
        for each in machine.activations
    )


def asking_layers(value: Value | None, depth: int = 0) -> list[str]:
    """The layers of Keras' inside an object that work differently in training, unless somebody says how."""
    if depth > DEEPEST or value is None:
        return []
    if isinstance(value, LibraryObject):
        known = keras_class(value.name)
        name = value.name.rpartition(".")[2]
        if value.kind == "model":
            parts = (value.cells.get(each) for each in ("layers", "inside"))
            return [found for part in parts for found in asking_layers(part, depth + 1)]
        asks = name in STATISTICS or (
            known is not None and known.random and _draws(value, known.weights not in ("built", "made"))
        )
        return [name] if asks and not _is_frozen(value) else []
    if isinstance(value, Instance):
        if not value.cls.derives("keras.") or _is_frozen(value) or _says_itself(value):
            return []
        return [found for part in value.cells.values() for found in _held(part, depth)]
    return _held(value, depth)


def _held(value: object, depth: int) -> list[str]:
    if isinstance(value, (LibraryObject, Instance)):
        return asking_layers(value, depth + 1)
    return [found for part in parts_of(value) if depth < DEEPEST for found in _held(part, depth + 1)]


def _draws(layer: LibraryObject, by_first: bool) -> bool:
    """Whether a layer surely draws: a rate that it is given is a number above 0."""
    keys = (*STRENGTHS, *((0,) if by_first else ()))
    given = [layer.arguments[each] for each in keys if each in layer.arguments]
    return any(isinstance(each, Constant) and bool(each.value) for each in given)


def _is_frozen(layer: LibraryObject | Instance) -> bool:
    """Whether a layer is not, or not surely, trained: then statistics are not to change."""
    trainable = layer.cells.get("trainable") or getattr(layer, "arguments", {}).get("trainable")
    return trainable is not None and not (isinstance(trainable, Constant) and trainable.value is True)


def _says_itself(layer: Instance) -> bool:
    """Whether a class decides on its own: its `call` has another default, or gives its layers a flag."""
    call = underlying(layer.cls.find("call") or layer)
    if not isinstance(call, Function):
        return True
    arguments = call.node.args
    names = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    defaults = [*arguments.defaults, *arguments.kw_defaults]
    padded: list[ast.expr | None] = [None] * (len(names) - len(defaults))
    values = dict(zip((each.arg for each in names), [*padded, *defaults], strict=False))
    default = values.get(FLAG)
    if default is not None and not (isinstance(default, ast.Constant) and default.value in (None, False)):
        return True
    flags = (
        keyword.value
        for part in ast.walk(layer.cls.node)
        if isinstance(part, ast.Call)
        for keyword in part.keywords
        if keyword.arg == FLAG
    )
    return any(not (isinstance(each, ast.Name) and each.id == FLAG) for each in flags)
