"""Hears of each trace: what was asked for, its begin and its end; calls that need none never meet it.

On a version that lacks one of the names `install` falls back to the list of callbacks for finished
traces, and says what cannot be seen.
"""

import functools
import importlib
import inspect
import types
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from graphdoctor.observer.instrumentation.replacing import replaced
from graphdoctor.observer.tensorflow_internals.counting import remembered_calls
from graphdoctor.observer.tensorflow_internals.disguising import disguise

TRACING_MODULE = "tensorflow.python.eager.polymorphic_function.tracing_compilation"
TRACING_PARAMETERS = ("function_type", "type_context", "func_graph", "tracing_options")
BLIND_WITHOUT_TRACES = (
    "the seconds of a trace, failed traces, contexts, new Function objects and where a function is defined"
)


class Installed(NamedTuple):
    """The hooks at work: how to take them out, and what they cannot see on this TensorFlow."""

    undo: Callable[[], None]
    blind: tuple[str, ...]


def install(
    begin: Callable[[Any, Any], Any],
    end: Callable[[Any, Any, BaseException | None, Any], None],
    asked_for: Callable[[Any], None],
    called_with_tracing: Callable[[Any, int], None],
    made: Callable[[Any], None],
) -> Installed:
    """Put functions on the path of a cache miss; a hit never meets them.

    `begin(function_type, options)` hears that a trace begins, and what it returns is handed to
    `end(begun, graph, error, concrete)`. `asked_for(function_type)` hears what was looked up before
    `reduce_retracing` generalised it. `called_with_tracing(code, forgotten)` hears how many calls
    TensorFlow's own count just dropped. `made(concrete)` hears of a finished trace, on a TensorFlow
    that lacks what the others need.
    """
    undoing: list[Callable[[], None]] = []
    blind: list[str] = []

    def attempt(what: str, hook: Callable[[], Callable[[], None]]) -> bool:
        try:
            undoing.append(hook())
        except Exception as error:
            reason = f"{type(error).__name__}: {error}"
            blind.append(f"{what} cannot be seen on TensorFlow {tensorflow_version()} ({reason})")
            return False
        return True

    if attempt(BLIND_WITHOUT_TRACES, lambda: _hook_traces(begin, end)):
        attempt("the shapes asked for under reduce_retracing", lambda: _hook_lookups(asked_for))
    else:
        attempt("any trace", lambda: _hook_callbacks(made))
    attempt("the number of calls", lambda: _hook_call_counts(called_with_tracing))

    def undo() -> None:
        while undoing:
            undoing.pop()()

    return Installed(undo, tuple(blind))


def _hook_traces(
    begin: Callable[[Any, Any], Any], end: Callable[[Any, Any, BaseException | None, Any], None]
) -> Callable[[], None]:
    tracing: Any = importlib.import_module(TRACING_MODULE)
    create = tracing._create_concrete_function
    if tuple(inspect.signature(create).parameters) != TRACING_PARAMETERS:
        raise TypeError("_create_concrete_function takes other arguments")

    def _create_concrete_function(
        function_type: Any, type_context: Any, func_graph: Any, tracing_options: Any
    ) -> Any:
        begun = begin(function_type, tracing_options)
        try:
            concrete = create(function_type, type_context, func_graph, tracing_options)
        except BaseException as error:
            end(begun, func_graph, error, None)
            raise
        end(begun, func_graph, None, concrete)
        return concrete

    tracing._create_concrete_function = disguise(_create_concrete_function, create)

    def undo() -> None:
        tracing._create_concrete_function = create

    return undo


def _hook_lookups(asked_for: Callable[[Any], None]) -> Callable[[], None]:
    from tensorflow.core.function.polymorphism import function_cache

    cache_class = function_cache.FunctionCache
    generalize = cache_class.generalize

    @functools.wraps(generalize)
    def remembering_generalize(cache: Any, context: Any, function_type: Any) -> Any:
        asked_for(function_type)
        return generalize(cache, context, function_type)

    cache_class.generalize = remembering_generalize

    def undo() -> None:
        cache_class.generalize = generalize

    return undo


def _hook_call_counts(called_with_tracing: Callable[[Any, int], None]) -> Callable[[], None]:
    from tensorflow.python.eager.polymorphic_function import polymorphic_function

    manager = polymorphic_function._FrequentTracingDetectorManager
    count = manager.called_with_tracing

    @functools.wraps(count)
    def counting_called_with_tracing(self: Any, key: Any, name: Any, omit: Any) -> None:
        before = remembered_calls(self, key)
        count(self, key, name, omit)
        called_with_tracing(key, before + 1 - remembered_calls(self, key))

    manager.called_with_tracing = counting_called_with_tracing

    def undo() -> None:
        manager.called_with_tracing = count

    return undo


def _hook_callbacks(made: Callable[[Any], None]) -> Callable[[], None]:
    from tensorflow.python.eager.polymorphic_function import transform

    callbacks = transform.CONCRETE_FUNCTION_CALLBACKS
    callbacks.append(made)
    return lambda: callbacks.remove(made)


def hook_converted_calls(
    called: Callable[[Any, Any, Any], None], returned: Callable[[Any], None]
) -> Callable[[], None]:
    """Call `called(function, arguments, options)` before each call that converted code makes.

    Converted code runs while a function is traced, and at no other time. `returned` hears the result.
    """
    from tensorflow.python.autograph.impl import api

    operators = api._TRANSPILER.get_extra_locals()["ag__"]
    call = operators.converted_call

    def converted_call(
        f: Any, args: Any, kwargs: Any, caller_fn_scope: Any = None, options: Any = None
    ) -> Any:
        called(f, args, kwargs)
        result = call(f, args, kwargs, caller_fn_scope, options)
        returned(result)
        return result

    return replaced(operators, "converted_call", disguise(converted_call, call))


def hook_branches(decided: Callable[[Any, Any, Any], None]) -> Callable[[], None]:
    """Call `decided(condition, body, otherwise)` before each `if` of converted code takes its branch."""
    from tensorflow.python.autograph.impl import api

    operators = api._TRANSPILER.get_extra_locals()["ag__"]
    choose = operators.if_stmt

    def if_stmt(cond: Any, body: Any, orelse: Any, *state: Any) -> Any:
        decided(cond, body, orelse)
        return choose(cond, body, orelse, *state)

    return replaced(operators, "if_stmt", disguise(if_stmt, choose))


def source_lines(code: types.CodeType) -> Iterator[tuple[str, int]]:
    """The user's lines that converted code was made of, without those of functions inside it."""
    from tensorflow.python.util import tf_stack

    known = tf_stack._source_mapper_stacks[tf_stack._get_thread_key()][-1].get_effective_source_map()
    for line in {line for _, _, line in code.co_lines() if line is not None}:
        origin = known.get((code.co_filename, line))
        if origin is not None:
            yield origin[0], origin[1]


def hook_failed_conversions(gave_up: Callable[[Any, BaseException], None]) -> Callable[[], None]:
    """Call `gave_up(function, error)` each time that AutoGraph gives a function up and runs it as it is."""
    from tensorflow.python.autograph.impl import api

    fall_back = api._fall_back_unconverted

    def _fall_back_unconverted(f: Any, args: Any, kwargs: Any, options: Any, exc: BaseException) -> Any:
        gave_up(f, exc)
        return fall_back(f, args, kwargs, options, exc)

    return replaced(api, "_fall_back_unconverted", disguise(_fall_back_unconverted, fall_back))


def tensorflow_version() -> str:
    """The version of the TensorFlow in this process."""
    from tensorflow.python.framework import versions

    return str(versions.__version__)


def executing_eagerly() -> bool:
    """Whether operations run at once in this thread."""
    from tensorflow.python.eager import context

    return bool(context.executing_eagerly())


def is_tracing() -> bool:
    """Whether this thread builds a graph."""
    return not executing_eagerly()


def silence_retracing_warning() -> None:
    """Keep TensorFlow's own warning about retracing back: ours says which argument."""
    from tensorflow.python.eager.polymorphic_function import polymorphic_function

    polymorphic_function.FREQUENT_TRACING_WARNING_MAX_WARNING_PER_DETECTOR = 0
