"""Where Keras begins to trace: methods of layers, models, losses and metrics, and functions given to it."""

import ast
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from graphdoctor.source.classes import Class, class_at
from graphdoctor.source.entries import Entry, Step, Way, is_decorated
from graphdoctor.source.functions import keywords_of, resolve_function
from graphdoctor.source.kind import Kind
from graphdoctor.source.names import dotted_name
from graphdoctor.source.scopes import Scope

if TYPE_CHECKING:
    from graphdoctor.source.module import Module

TENSORS = Kind.TENSORS
RUNS_EAGERLY = re.compile(r"\brun_eagerly\s*=\s*True\b")
Inputs = dict[str, tuple[Kind, ...]]
LAYER_METHODS: Inputs = {"call": (TENSORS,)}
MODEL_METHODS: Inputs = {
    **LAYER_METHODS,
    "train_step": (TENSORS,),
    "test_step": (TENSORS,),
    "predict_step": (TENSORS,),
    "compute_loss": (TENSORS, TENSORS, TENSORS),
}
LOSS_METHODS: Inputs = {"call": (TENSORS, TENSORS)}
METRIC_METHODS: Inputs = {"update_state": (TENSORS, TENSORS)}
SCHEDULE_METHODS: Inputs = {"__call__": (TENSORS,)}


def find_keras_entries(module: "Module") -> Iterator[Entry]:
    """Every function of the module that Keras traces."""
    if "run_eagerly" in module.text and RUNS_EAGERLY.search(module.text):
        return  # the model of this file is meant to run in Python
    for node, scope in module.walk.classes:
        owner = class_at(node, scope.parent or scope)
        if owner is not None:
            yield from _keras_methods(module, owner)
    for placed in module.walk.calls:
        assert isinstance(placed.node, ast.Call)
        yield from _given_functions(module, placed.node, placed.scope)


def _way(module: "Module") -> Way:
    return {2: Way.CONVERTED, 3: Way.PLAIN}.get(module.keras_generation or 0, Way.UNKNOWN)


def _keras_methods(module: "Module", owner: Class) -> Iterator[Entry]:
    what, methods = _keras_role(owner)
    if owner.scope.bindings.get("__new__"):
        return  # which may replace the methods
    for name, inputs in methods.items():
        bindings = owner.scope.bindings.get(name, [])
        function = module.functions.get(bindings[0].node) if len(bindings) == 1 else None
        if function is None or function.node in module.traced or is_decorated(function):
            continue
        if name == "call" and what == "model" and _trains_otherwise(owner):
            continue
        yield Entry(
            function,
            _way(module),
            Step(f"Keras traces `{owner.name}.{name}` of a {what}", module.path, function.node),
            None,
            inputs,
            keras=True,
        )


def _trains_otherwise(owner: Class) -> bool:
    """Whether a model's own `train_step` leaves `call` alone, which is then perhaps only called eagerly."""
    if not owner.scope.bindings.get("train_step"):
        return False
    calls = (node for node in ast.walk(owner.node) if isinstance(node, ast.Call))
    return not any(isinstance(call.func, ast.Name) and call.func.id == "self" for call in calls)


def _keras_role(owner: Class) -> tuple[str, Inputs]:
    bases = {base for base in owner.external_bases() if base}
    if bases & {"keras.Model", "keras.models.Model", "keras.Sequential", "keras.models.Sequential"}:
        return "model", MODEL_METHODS
    if any(base == "keras.Layer" or base.startswith("keras.layers.") for base in bases):
        return "layer", LAYER_METHODS
    if any(base in ("keras.Loss", "keras.losses.Loss") for base in bases):
        return "loss", LOSS_METHODS
    if any(base == "keras.Metric" or base.startswith("keras.metrics.") for base in bases):
        return "metric", METRIC_METHODS
    if "keras.optimizers.schedules.LearningRateSchedule" in bases:
        return "learning rate schedule", SCHEDULE_METHODS
    return "", {}


def _given_functions(module: "Module", call: ast.Call, scope: Scope) -> Iterator[Entry]:
    """Functions given as a loss, as a metric, or to a Lambda layer."""
    last = getattr(call.func, "attr", getattr(call.func, "id", ""))
    if last not in ("compile", "Lambda"):
        return
    given = keywords_of(call)
    if last == "compile":
        functions = [*_several(given.get("loss")), *_several(given.get("metrics"))]
        yield from _given(module, functions, scope, "`compile`", (TENSORS, TENSORS))
    elif dotted_name(call.func, scope) == "keras.layers.Lambda":
        functions = [*call.args[:1], *_several(given.get("function"))]
        yield from _given(module, functions, scope, "a Lambda layer", (TENSORS,))


def _several(given: ast.expr | None) -> list[ast.expr]:
    """The functions in `loss=f`, `metrics=[f, g]` or `loss={"a": f}`."""
    if isinstance(given, ast.List | ast.Tuple):
        return [function for element in given.elts for function in _several(element)]
    if isinstance(given, ast.Dict):
        return [function for value in given.values for function in _several(value)]
    return [given] if given is not None else []


def _given(
    module: "Module", functions: list[ast.expr], scope: Scope, to: str, inputs: tuple[Kind, ...]
) -> Iterator[Entry]:
    for expression in functions:
        function = resolve_function(expression, scope)
        if function is None or function.node in function.home.traced or is_decorated(function):
            continue
        step = Step(f"`{function.ref.name}` is given to {to}", module.path, expression)
        yield Entry(function, _way(module), step, None, inputs, keras=True)
