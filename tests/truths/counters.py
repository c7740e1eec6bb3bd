"""Counters around TensorFlow that share nothing with the observer: traces, calls, gradients, exceptions.

It runs inside the program's process, below its first frame. The observer hears of a trace where the cache of
a function misses; these count what is traced, one level deeper, and each call.
"""

import collections
import functools
import sys
from typing import Any

import tensorflow as tf
from tensorflow.python.eager import backprop
from tensorflow.python.eager.polymorphic_function import polymorphic_function, tracing_compilation
from tensorflow.python.framework import func_graph
from tensorflow.python.util import tf_decorator

traces: collections.Counter[str] = collections.Counter()  # those that ended well
failed: collections.Counter[str] = collections.Counter()
calls: collections.Counter[str] = collections.Counter()
captured: dict[str, list[int]] = collections.defaultdict(list)  # variables of each trace
gradients: dict[int, list[bool]] = collections.defaultdict(list)  # for each line: was each of them None?
raised: list[list[Any]] = []  # exceptions that left a trace, a call or the program


def install(program: str) -> None:
    """Begin to count; `program` is the file whose lines count."""
    func_graph.func_graph_from_py_func = _counting_traces(func_graph.func_graph_from_py_func)
    function = polymorphic_function.Function
    function.__call__ = _counting_calls(function.__call__)
    tape = backprop.GradientTape
    tape.gradient = _counting_gradients(tape.gradient, program)


def facts(error: BaseException | None) -> dict[str, Any]:
    """What was counted, as JSON takes it."""
    while error is not None:
        _note(error)
        error = error.__cause__ or error.__context__
    return {
        "traces": traces,
        "failed": failed,
        "calls": calls,
        "captured": captured,
        "gradients": gradients,
        "raised": raised,
    }


def _key(function: Any) -> str:
    """`name:line` of the user's function inside wrappers, partials and bound methods."""
    function = tf_decorator.unwrap(function)[1]
    while isinstance(function, functools.partial):
        function = function.func
    code = getattr(getattr(function, "__func__", function), "__code__", None)
    if code is not None and code.co_filename.endswith("data/ops/structured_function.py"):
        cells = [cell.cell_contents for cell in function.__closure__ or ()]
        return next((_key(one._func) for one in cells if hasattr(one, "_func")), "")
    return f"{code.co_name}:{code.co_firstlineno}" if code is not None else ""


def _note(error: BaseException) -> None:
    kind = type(error).__name__.removeprefix("MultilineMessage")
    if [kind, str(error)] not in raised:
        raised.append([kind, str(error)])


def _counting_traces(original: Any) -> Any:
    @functools.wraps(original)
    def counting(name: Any, python_func: Any, *arguments: Any, **named: Any) -> Any:
        # Branches and bodies of loops are made by the same function, for other callers.
        mine = sys._getframe(1).f_code.co_filename == tracing_compilation.__file__
        key = _key(python_func)
        try:
            graph = original(name, python_func, *arguments, **named)
        except BaseException as error:
            if mine:
                failed[key] += 1
                _note(error)
            raise
        if mine:
            traces[key] += 1
            captured[key].append(len(graph.variables))
        return graph

    return counting


def _counting_calls(original: Any) -> Any:
    @functools.wraps(original)
    def counting(function: Any, *arguments: Any, **named: Any) -> Any:
        eager = tf.executing_eagerly()
        try:
            given = original(function, *arguments, **named)
        except BaseException as error:
            _note(error)
            raise
        calls[_key(function.python_function)] += eager  # TensorFlow, too, counts those that returned
        return given

    return counting


def _counting_gradients(original: Any, program: str) -> Any:
    @functools.wraps(original)
    def counting(tape: Any, target: Any, sources: Any, *arguments: Any, **named: Any) -> Any:
        given = original(tape, target, sources, *arguments, **named)
        frame = sys._getframe(1)
        while frame is not None and frame.f_code.co_filename != program:
            frame = frame.f_back  # type: ignore[assignment]
        if frame is not None:
            gradients[frame.f_lineno] += [one is None for one in tf.nest.flatten(given)]
        return given

    return counting
