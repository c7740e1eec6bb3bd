"""Python functions behind Function objects, and finished graphs."""

import functools
import inspect
import types
import weakref
from collections.abc import Callable
from typing import Any

from graphdoctor.observer.tensorflow_internals.disguising import disguise
from graphdoctor.recording.format import Definition

DATASET_WRAPPER = "tensorflow/python/data/ops/structured_function.py"


def user_function(options: Any) -> Any:
    """The Python function behind tracing options: without AutoGraph's and tf.data's wrappers."""
    from tensorflow.python.util import tf_decorator

    function = tf_decorator.unwrap(options.python_function)[1]
    return _inside_dataset_wrapper(function) or function


def _inside_dataset_wrapper(function: Any) -> Any:
    code = getattr(function, "__code__", None)
    if code is None or not code.co_filename.replace("\\", "/").endswith(DATASET_WRAPPER):
        return None
    cells = dict(zip(code.co_freevars, function.__closure__ or (), strict=True))
    wrapper = cells["self"].cell_contents if "self" in cells else None
    inner = getattr(wrapper, "_func", None)
    from tensorflow.python.util import tf_decorator

    return tf_decorator.unwrap(inner)[1] if inner is not None else None


def is_per_instance(function: Any) -> bool:
    """Whether TensorFlow made this Function object for one instance of a class with a decorated method."""
    owner = getattr(function, "__self__", None)
    return type(owner).__name__ == "TfMethodTarget"


def code_of(function: Any) -> types.CodeType | None:
    """The code object of any callable: function, method, partial, or object with `__call__`."""
    while isinstance(function, functools.partial):
        function = function.func
    while hasattr(function, "__wrapped__"):
        function = function.__wrapped__
    function = getattr(function, "__func__", function)
    if not hasattr(function, "__code__"):
        function = inspect.getattr_static(type(function), "__call__", None)
    code = getattr(function, "__code__", None)
    return code if isinstance(code, types.CodeType) else None


def qualified_name(function: Any, code: types.CodeType) -> str:
    """The qualified name without `<locals>`: `main.step`, `Trainer.step`."""
    while isinstance(function, functools.partial):
        function = function.func
    name = getattr(function, "__qualname__", None)
    if name is None:
        name = f"{type(function).__qualname__}.__call__"  # an object that can be called, as a model
    return str(name).replace("<locals>.", "")


def describe_concrete(concrete: Any) -> dict[str, Any]:
    """The fields of a finished trace, as far as its ConcreteFunction alone tells; `arguments` are raw."""
    graph = concrete.graph
    operations = graph.get_operations()
    places = [
        (frame.filename, frame.lineno)
        for operation in operations
        for frame in operation.traceback or ()
        if frame.name == graph.name
    ]
    path, line = min(places, default=("", 0))
    return {
        "function": Definition(name=graph.name, path=path, line=line),
        "arguments": concrete.function_type.parameters,
        "operations": len(operations),
    }


def name_of(concrete: Any) -> str:
    """The name of a finished graph, which no other has."""
    return str(concrete.name)


def has_unknown_dimensions(concrete: Any) -> bool:
    """Whether one trace of this function serves inputs of several shapes."""
    captured = len(concrete.captured_inputs)
    inputs = concrete.inputs[: len(concrete.inputs) - captured]
    return any(not tensor.shape.is_fully_defined() for tensor in inputs if tensor.dtype.name != "resource")


def watch_calls(concrete: Any, watch: Callable[[Callable[[], Any], Any], Any]) -> None:
    """Let `watch(call, inputs)` carry out each call of one concrete function, and of no other."""
    reference, original = weakref.ref(concrete), type(concrete)._call_flat

    def _call_flat(tensor_inputs: Any, captured_inputs: Any) -> Any:
        function = reference()
        return watch(lambda: original(function, tensor_inputs, captured_inputs), tensor_inputs)

    concrete._call_flat = disguise(_call_flat, original)
