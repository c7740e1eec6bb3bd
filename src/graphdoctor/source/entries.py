"""Where tracing begins: the functions of a module that TensorFlow or Keras traces by itself."""

import ast
import dataclasses
import enum
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from graphdoctor.source.classes import Class, class_at
from graphdoctor.source.functions import Function, TracedFunction, resolve_function
from graphdoctor.source.kind import Kind
from graphdoctor.source.kinds import kind_of
from graphdoctor.source.names import dotted_name
from graphdoctor.source.scopes import Scope

if TYPE_CHECKING:
    from graphdoctor.source.module import Module


class Way(enum.Enum):
    """How code is traced: rewritten by AutoGraph, as it stands, or in a way that is not known."""

    CONVERTED = "converted"
    PLAIN = "not converted"
    UNKNOWN = "unknown"


@dataclasses.dataclass(frozen=True, slots=True)
class Step:
    """One link of the chain that leads to a function: what is said, and where it stands."""

    text: str
    path: str
    node: ast.AST


@dataclasses.dataclass(eq=False, slots=True)
class Entry:
    """A function that is traced by itself; `inputs` are the kinds of its parameters by position."""

    function: Function
    way: Way
    step: Step
    traced: TracedFunction | None = None
    inputs: tuple[Kind, ...] = ()
    keras: bool = False


TENSORS = Kind.TENSORS
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
# The functions that a dataset calls, by the position of their argument; AutoGraph converts these.
DATASET_CALLS = {
    "map": 0, "filter": 0, "flat_map": 0, "interleave": 0, "take_while": 0, "reduce": 1, "scan": 1,
}  # fmt: skip
RUNS_EAGERLY = re.compile(r"\brun_eagerly\s*=\s*True\b")
DATASET_KEYWORDS = ("map_func", "predicate", "reduce_func", "scan_func")


def find_entries(module: "Module") -> Iterator[Entry]:
    """Every function of the module that is traced without a traced caller."""
    for traced in module.traced.values():
        yield _graph_function(module, traced)
    for node, scope in module.walk.classes:
        owner = class_at(node, scope.parent or scope)
        if owner is not None:
            yield from _keras_methods(module, owner)
    for placed in module.walk.calls:
        assert isinstance(placed.node, ast.Call)
        yield from _dataset_functions(module, placed.node, placed.scope)


def _graph_function(module: "Module", traced: TracedFunction) -> Entry:
    plain = is_false(traced.options.get("autograph"))
    node = traced.decorator or traced.function.node
    what = "`tf.function`" if traced.decorator is not None else "`tf.function(…)`"
    return Entry(
        traced.function,
        Way.PLAIN if plain else Way.CONVERTED,
        Step(f"`{traced.function.ref.name}` is made a graph function by {what}", module.path, node),
        traced,
        _kinds_of_signature(traced),
    )


def _kinds_of_signature(traced: TracedFunction) -> tuple[Kind, ...]:
    """A parameter with a `TensorSpec` is a tensor."""
    signature = traced.options.get("input_signature")
    if not isinstance(signature, ast.List | ast.Tuple):
        return ()
    return tuple(
        Kind.TENSOR if _is_tensor_spec(element, traced.function.placed.scope) else Kind.UNKNOWN
        for element in signature.elts
    )


def _is_tensor_spec(node: ast.expr, scope: Scope) -> bool:
    return isinstance(node, ast.Call) and dotted_name(node.func, scope) == "tensorflow.TensorSpec"


def _keras_methods(module: "Module", owner: Class) -> Iterator[Entry]:
    if RUNS_EAGERLY.search(module.text):
        return  # the model of this file is meant to run in Python
    what, methods = _keras_role(owner)
    for name, inputs in methods.items():
        bindings = owner.scope.bindings.get(name, [])
        function = module.functions.get(bindings[0].node) if len(bindings) == 1 else None
        if function is None or function.node in module.traced or _other_decorators(function):
            continue
        if name == "call" and what == "model" and _trains_otherwise(owner):
            continue
        yield Entry(
            function,
            {2: Way.CONVERTED, 3: Way.PLAIN}.get(module.keras_generation or 0, Way.UNKNOWN),
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
    return "", {}


def _other_decorators(function: Function) -> bool:
    return bool(getattr(function.node, "decorator_list", []))


def _dataset_functions(module: "Module", call: ast.Call, scope: Scope) -> Iterator[Entry]:
    target = call.func
    if not isinstance(target, ast.Attribute) or target.attr not in DATASET_CALLS:
        return
    keywords = {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg}
    if "num_parallel_calls" not in keywords and kind_of(target.value, scope) is not Kind.DATASET:
        return
    position = DATASET_CALLS[target.attr]
    given = call.args[position] if len(call.args) > position else None
    given = given or next((keywords[name] for name in DATASET_KEYWORDS if name in keywords), None)
    function = resolve_function(given, scope) if given is not None else None
    if function is None or _other_decorators(function):
        return
    count = len(function.node.args.args)
    bound = function.owner is not None and not function.is_static
    yield Entry(
        function,
        Way.CONVERTED,
        Step(f"`{function.ref.name}` is traced by `Dataset.{target.attr}`", module.path, call),
        None,
        (Kind.TENSORS,) * (count - bound) if not _has_partial(given) else (),
    )


def _has_partial(given: ast.expr | None) -> bool:
    return isinstance(given, ast.Call)


def is_false(node: ast.expr | None) -> bool:
    """Whether an expression is the literal False."""
    return isinstance(node, ast.Constant) and node.value is False
