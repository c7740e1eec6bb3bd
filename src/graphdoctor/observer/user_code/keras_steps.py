"""Keras' own step function → the user's methods that it runs: `train_step`, `call`, the layers', the loss."""

import types
from collections.abc import Iterator
from typing import Any

from graphdoctor.observer.objects import peek
from graphdoctor.observer.objects.describe import module_of

STEPS = {
    "make_train_function": "train_step",
    "make_test_function": "test_step",
    "make_predict_function": "predict_step",
}
MOST_LAYERS = 100
DEEPEST = 4


def is_keras(value: Any) -> bool:
    """Whether a value is a Keras layer, model, loss or metric."""
    return any(module_of(base).startswith(("keras.", "tf_keras.")) for base in type(value).__mro__)


def step_of(function: types.FunctionType, depth: int = 0) -> tuple[Any, str] | None:
    """The model that a step function of Keras closes over, and the name of the step it runs."""
    cells = closure(function)
    for value in cells.values():
        if isinstance(value, types.MethodType) and value.__name__ in STEPS.values():
            return value.__self__, value.__name__
    named = next((step for maker, step in STEPS.items() if maker in function.__qualname__), None)
    if named is not None and is_keras(cells.get("self")):
        return cells["self"], named
    for value in cells.values() if depth < DEEPEST else ():
        inner = getattr(value, "_python_function", value)
        if isinstance(inner, types.FunctionType) and (found := step_of(inner, depth + 1)):
            return found
    return None


def closure(function: types.FunctionType) -> dict[str, Any]:
    """The filled cells of a function's closure, by name."""
    found = {}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            found[name] = cell.cell_contents
        except ValueError:
            continue
    return found


def methods_run(model: Any, step: str | None) -> Iterator[tuple[Any, Any]]:
    """Each method, loss and layer's `call` that runs in a step (None: in a plain call), and its owner."""
    if step is not None:
        yield peek.attribute(type(model), step), model
    if step in ("train_step", "test_step"):
        yield peek.attribute(type(model), "compute_loss"), model
        loss = peek.attribute(model, "_compile_loss")
        yield (peek.attribute(loss, "_user_loss") if loss is not peek.MISSING else None), None
    yield peek.attribute(type(model), "call"), model
    flatten = getattr(model, "_flatten_layers", None)
    layers = list(flatten(include_self=False))[:MOST_LAYERS] if callable(flatten) else []
    for layer in layers:
        yield peek.attribute(type(layer), "call"), layer
