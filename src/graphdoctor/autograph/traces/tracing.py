"""A function and example arguments → one watched trace."""

import dataclasses
import inspect
import types
from collections.abc import Callable
from typing import Any

from graphdoctor.autograph import tensorflow_internals as internals
from graphdoctor.autograph.places import code_of
from graphdoctor.autograph.targets.partials import open_partial
from graphdoctor.autograph.traces.operations import Operation, operations_of, operations_of_all
from graphdoctor.autograph.traces.watching import Watch
from graphdoctor.errors import ExplainError

KERAS_STEPS = ("train_step", "test_step", "predict_step")


@dataclasses.dataclass
class Traced:
    """What a trace left behind; `graph_function` holds it in its cache, `concrete` is None when it failed."""

    function: Any
    graph_function: Any
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    watch: Watch
    concrete: Any = None
    error: BaseException | None = None
    keras_step: bool = False
    operations: tuple[Operation, ...] = ()

    @property
    def arguments(self) -> dict[str, Any]:
        """The example arguments by name; the input signature's where none were given."""
        signature = inspect.signature(self.function)
        expected = self.graph_function.input_signature
        if expected is not None and not self.args and not self.kwargs:
            return dict(zip(signature.parameters, expected, strict=False))
        return dict(signature.bind(*self.args, **self.kwargs).arguments)

    @property
    def autograph(self) -> bool:
        """Whether the `tf.function` asks for AutoGraph at all."""
        return bool(internals.options_of(self.graph_function)["autograph"])

    @property
    def code(self) -> types.CodeType:
        """The code of the explained function."""
        return self.watch.root


def trace(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any], verbosity: int = 0) -> Traced:
    """Trace a function as TensorFlow would, in a cache of its own, and watch."""
    import tensorflow as tf

    function, first, named = open_partial(_function_of(function))
    args, kwargs = (*first, *args), {**named, **kwargs}
    plain = internals.plain_function(function)
    code = code_of(inspect.unwrap(plain))
    if code is None:
        raise ExplainError(f"expected a function written in Python, got {plain!r}")
    graph_function = tf.function(entry(function, plain), **internals.options_of(function))
    traced = Traced(plain, graph_function, args, kwargs, Watch(code, verbosity))
    traced.keras_step = is_keras_step(function, plain)
    _check_arguments(plain, graph_function, args, kwargs)
    if not code.co_flags & inspect.CO_COROUTINE:  # nobody would ever await it
        _trace(traced)
    return traced


def _trace(traced: Traced) -> None:
    graph_function = traced.graph_function
    with traced.watch.watching():
        try:
            if graph_function.input_signature is not None:
                traced.concrete = graph_function.get_concrete_function()
            else:
                traced.concrete = graph_function.get_concrete_function(*traced.args, **traced.kwargs)
        except Exception as error:  # whatever the user's code raises is what we explain
            traced.error = error
    if traced.concrete is not None:
        traced.operations = operations_of(traced.concrete.graph, traced.code.co_filename)
    else:
        traced.operations = _unfinished_operations(traced)


def _unfinished_operations(traced: Traced) -> tuple[Operation, ...]:
    """What stood in the graphs when the trace failed; `tmp` is where AutoGraph tries a loop's condition."""
    graphs = [graph for graph in traced.watch.graphs.values() if getattr(graph, "name", "tmp") != "tmp"]
    return operations_of_all(graphs, traced.code.co_filename)


def _function_of(value: Any) -> Any:
    """What a callable object would run: a Keras layer's `call`, another object's `__call__`."""
    if inspect.isroutine(value) or isinstance(value, type) or internals.is_graph_function(value):
        return value
    if _is_keras(value) and hasattr(value, "call"):
        return value.call
    return value.__call__ if callable(value) and code_of(value.__call__) is not None else value


def is_keras_step(function: Any, plain: Any) -> bool:
    """Whether this is a step that `fit`, `evaluate` or `predict` would call."""
    owner = getattr(plain, "__self__", None)
    return plain.__name__ in KERAS_STEPS and _is_keras(owner) and not internals.is_graph_function(function)


def entry(function: Any, plain: Any) -> Callable[..., Any]:
    """What TensorFlow enters the function through: Keras reaches `call` and its steps by ways of its own."""
    import tensorflow as tf

    owner = getattr(plain, "__self__", None)
    if owner is None or internals.is_graph_function(function) or not _is_keras(owner):
        return plain  # type: ignore[no-any-return]
    if is_keras_step(function, plain):

        def as_keras_does(*args: Any, **kwargs: Any) -> Any:
            return plain(*args, **kwargs)

        return tf.autograph.experimental.do_not_convert(as_keras_does)  # type: ignore[no-any-return]
    if plain.__name__ == "call" and callable(owner):

        def through_keras(*args: Any, **kwargs: Any) -> Any:
            return owner(*args, **kwargs)

        return through_keras
    return plain  # type: ignore[no-any-return]


def _is_keras(owner: Any) -> bool:
    return any(base.__module__.split(".")[0] in ("keras", "tf_keras") for base in type(owner).__mro__)


def _check_arguments(plain: Any, graph_function: Any, args: Any, kwargs: Any) -> None:
    """Say in one line what is missing, before TensorFlow does in thirty."""
    if graph_function.input_signature is not None and not args and not kwargs:
        return
    signature = inspect.signature(plain)
    try:
        signature.bind(*args, **kwargs)
    except TypeError as error:
        names = ", ".join(signature.parameters)
        raise ExplainError(f"`{plain.__name__}({names})` needs other examples: {error}") from None
