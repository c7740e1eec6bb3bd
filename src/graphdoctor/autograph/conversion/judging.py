"""How a function was reached → why it was not converted."""

import ast
import functools
import inspect
import linecache
import sys
import types
import unittest
from typing import Any

import msgspec

from graphdoctor.autograph import tensorflow_internals as internals
from graphdoctor.autograph.conversion import reasons
from graphdoctor.autograph.facts import Reason
from graphdoctor.autograph.places import code_of
from graphdoctor.autograph.statements import function_node
from graphdoctor.autograph.traces.noticed import AsIs, Call

KERAS_STEPS = ("train_step", "test_step", "predict_step")


def why_not(reached: AsIs, everyone: dict[types.CodeType, AsIs], options: dict[str, Any]) -> Reason:
    """The reason for which a function of the user's ran as is; `options` are of the explained tf.function."""
    call = reached.call if reached.call is not None and _is_about(reached.call, reached.code) else None
    if call is not None and call.cause is not None:
        return why_failed(call.cause, reached.code)
    return (
        (_by_function(call.function) if call is not None else None)
        or _by_code(reached.code)
        or _by_route(reached, everyone)
        or _by_switch(reached, options)
        or _by_trying(call, reached.code)
        or reasons.OTHER
    )


def why_called_as_is(call: Call, code: types.CodeType) -> Reason:
    """The reason for which a call ran its function as is, when the function's body was not seen to run."""
    return _by_function(call.function) or _by_code(code) or _by_trying(call, code) or reasons.OTHER


def why_failed(cause: BaseException, code: types.CodeType) -> Reason:
    """The reason behind the error with which AutoGraph gave up."""
    text = str(cause)
    for part, reason in reasons.BY_MESSAGE:
        if part in text:
            return reason
    node = function_node(code.co_filename, code.co_firstlineno, code.co_name)
    if node is not None and any(isinstance(inner, ast.Match) for inner in ast.walk(node)):
        return reasons.MATCH
    if not linecache.getlines(code.co_filename):
        return reasons.NO_SOURCE
    first = text.strip().splitlines()[0] if text.strip() else type(cause).__name__
    return msgspec.structs.replace(reasons.OTHER, why=f"AutoGraph gave up: {first[:120]}")


def _is_about(call: Call, code: types.CodeType) -> bool:
    """Whether a call was of the function with this code, perhaps inside decorators."""
    function = call.function
    if isinstance(function, type):
        return code.co_name in ("__init__", "__new__")
    wrapper = getattr(function, "_self_wrapper", None) if _is_wrapt(function) else None
    return code in (code_of(function), code_of(_unwrapped(function)), code_of(wrapper))


def _unwrapped(function: Any) -> Any:
    try:
        return inspect.unwrap(internals.plain_function(function))
    except Exception:  # odd callables refuse to be looked into
        return function


def _by_function(function: Any) -> Reason | None:
    if internals.is_do_not_convert(function):
        return reasons.DO_NOT_CONVERT
    if isinstance(function, functools._lru_cache_wrapper):
        return reasons.CACHED
    if isinstance(function, type):
        return reasons.CONSTRUCTOR
    if _is_wrapt(function):
        return reasons.WRAPT
    if isinstance(getattr(function, "__self__", None), unittest.TestCase):
        return reasons.TEST_CASE
    return None


def _is_wrapt(function: Any) -> bool:
    """Whether `wrapt` decorated it; its types name their module only where they are not compiled."""
    kinds = ("FunctionWrapper", "BoundFunctionWrapper")
    module = sys.modules.get("wrapt")
    return module is not None and isinstance(function, tuple(getattr(module, kind) for kind in kinds))


def _by_code(code: types.CodeType) -> Reason | None:
    if code.co_flags & inspect.CO_GENERATOR:
        return reasons.GENERATOR
    if code.co_flags & inspect.CO_COROUTINE:
        return reasons.COROUTINE
    if code.co_filename == "<string>":
        return reasons.DYNAMIC_CODE
    return None


def _by_route(reached: AsIs, everyone: dict[types.CodeType, AsIs]) -> Reason | None:
    """By the library code that stands between the function and the user's code that led to it."""
    if reached.code.co_name == "__init__" and not reached.libraries:
        return reasons.CONSTRUCTOR
    for path, name in reached.libraries:
        path = path.replace("\\", "/")
        if "/keras/" in path or "/tf_keras/" in path:
            return _through_keras(reached.code, path)
        if path.endswith("ops/parallel_for/control_flow_ops.py"):
            return reasons.VECTORIZED_MAP
        if path.endswith("ops/custom_gradient.py"):
            return reasons.RECOMPUTE_GRADIENT if name == "inner" else reasons.CUSTOM_GRADIENT
        if path.endswith("ops/script_ops.py"):
            return reasons.PY_FUNCTION
    caller = everyone.get(reached.caller) if reached.caller is not None else None
    if caller is not None and caller.code is not reached.code:
        above = _by_route(caller, everyone)
        return reasons.KERAS_HELPER if above and above.key.startswith("keras") else reasons.UNCONVERTED_CALLER
    return None


def _through_keras(code: types.CodeType, path: str) -> Reason:
    if any(part in path for part in ("/losses/", "/metrics/", "lambda_layer")):
        return reasons.KERAS_OTHER
    return reasons.KERAS_STEP if code.co_name in KERAS_STEPS else reasons.KERAS_CALL


def _by_trying(call: Call | None, code: types.CodeType) -> Reason | None:
    cause = internals.conversion_error(_unwrapped(call.function)) if call is not None else None
    return why_failed(cause, code) if cause is not None else None


def _by_switch(reached: AsIs, options: dict[str, Any]) -> Reason | None:
    if not reached.disabled:
        return None
    if options.get("autograph") is False and reached.call is None:
        return reasons.AUTOGRAPH_OFF
    return reasons.SWITCHED_OFF
