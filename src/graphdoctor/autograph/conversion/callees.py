"""A watched trace → which functions were reached, and what AutoGraph did with each."""

import functools
import inspect
import sys
import types
from typing import Any

from graphdoctor.autograph import tensorflow_internals as internals
from graphdoctor.autograph.conversion import reasons
from graphdoctor.autograph.conversion.judging import why_called_as_is, why_failed, why_not
from graphdoctor.autograph.facts import Callee, Library, Outcome, Reason
from graphdoctor.autograph.places import code_of, is_generated, is_users, shown
from graphdoctor.autograph.statements import line_range
from graphdoctor.autograph.traces.noticed import AsIs, Call
from graphdoctor.autograph.traces.qualified import qualified_name
from graphdoctor.autograph.traces.tracing import Traced
from graphdoctor.model import FunctionRef


def judge(traced: Traced, code: types.CodeType) -> tuple[Outcome, Reason | None]:
    """What AutoGraph did with the function of this code."""
    watch = traced.watch
    if code is traced.code and traced.keras_step:
        return Outcome.AS_IS, reasons.KERAS_STEP
    if code is traced.code and code.co_flags & inspect.CO_COROUTINE:
        return Outcome.FAILED, reasons.COROUTINE
    if code in watch.as_is:
        reason = why_not(watch.as_is[code], watch.as_is, {"autograph": traced.autograph})
        return (Outcome.FAILED if _is_refusal(watch.as_is[code], reason) else Outcome.AS_IS), reason
    if code in watch.converted_codes:
        return Outcome.CONVERTED, None
    return next((_judge_call(call, code) for call in watch.calls if _users_code(call) is code), NOTHING)


NOTHING: tuple[Outcome, Reason | None] = (Outcome.NEVER_CALLED, None)


def _judge_call(call: Call, code: types.CodeType) -> tuple[Outcome, Reason | None]:
    """A function that was called, but whose body did not run: a generator, or something cached."""
    if call.cause is not None:
        return Outcome.FAILED, why_failed(call.cause, code)
    if internals.is_graph_function(call.function):
        return Outcome.TRACED_BEFORE, None
    return Outcome.AS_IS, why_called_as_is(call, code)


def _is_refusal(reached: AsIs, reason: Reason) -> bool:
    """Whether AutoGraph tried to convert the function, and gave up."""
    if reason is reasons.GENERATOR:
        return reached.call is not None and reached.call.cause is not None
    return reason.key in REFUSALS


REFUSALS = {reason.key for _, reason in reasons.BY_MESSAGE} | {reasons.MATCH.key, reasons.OTHER.key}


def callees_of(traced: Traced) -> list[Callee]:
    """The functions of the user's own that were reached, in the order of their first call."""
    found: dict[types.CodeType, Callee] = {}
    lines = _calling_lines(traced)
    graph_functions = {
        _users_code(call) for call in traced.watch.calls if internals.is_graph_function(call.function)
    }
    for code in [*_called_codes(traced), *traced.watch.converted_codes, *traced.watch.as_is]:
        if code is traced.code or code in found or code.co_name in ("<module>",):
            continue
        outcome, reason = judge(traced, code)
        if outcome is Outcome.CONVERTED and code in graph_functions:
            outcome = Outcome.GRAPH_FUNCTION
        if outcome is not Outcome.NEVER_CALLED:
            found[code] = _callee(code, outcome, reason, lines)
    for code in _handed_to_python(traced):
        found.setdefault(code, _callee(code, Outcome.AS_IS, reasons.PY_FUNCTION, lines))
    return sorted(found.values(), key=lambda callee: (callee.lines or (1 << 30,), callee.function.line))


def _callee(
    code: types.CodeType,
    outcome: Outcome,
    reason: Reason | None,
    lines: dict[types.CodeType, set[int]],
) -> Callee:
    called_on = tuple(sorted(lines.get(code, ())))
    return Callee(function=reference_to(code), outcome=outcome, lines=called_on, reason=reason)


def reference_to(code: types.CodeType) -> FunctionRef:
    """The name and the place of a function by its code."""
    if is_generated(code.co_filename):  # a lambda inside a converted function: part of it
        return FunctionRef(name=code.co_name, path="", line=0)
    name = qualified_name(code).replace("<locals>.", "")
    return FunctionRef(name=name, path=shown(code.co_filename), line=code.co_firstlineno)


def _called_codes(traced: Traced) -> list[types.CodeType]:
    codes = [_users_code(call) for call in traced.watch.calls]
    return [code for code in codes if code is not None]


def _users_code(call: Call) -> types.CodeType | None:
    function = call.function
    if internals.is_graph_function(function):
        function = internals.plain_function(function)
    if isinstance(function, functools._lru_cache_wrapper):
        function = function.__wrapped__
    code = code_of(function)
    return code if code is not None and is_users(code.co_filename) else None


def _calling_lines(traced: Traced) -> dict[types.CodeType, set[int]]:
    """For each function reached, the lines of the explained function that led to it."""
    found: dict[types.CodeType, set[int]] = {}
    own = line_range(traced.code)
    for call in traced.watch.calls:
        codes = [_users_code(call), *(code_of(function) for function in call.handed_over)]
        if call.place is not None and call.place[0] == traced.code.co_filename and call.place[1] in own:
            for code in codes:
                if code is not None:
                    found.setdefault(code, set()).add(call.place[1])
    for code, reached in traced.watch.as_is.items():
        if reached.place is not None and reached.caller is traced.code:
            found.setdefault(code, set()).add(reached.place[1])
    return found


def _handed_to_python(traced: Traced) -> list[types.CodeType]:
    """Functions given to `tf.py_function` and its kin: they do not run while tracing."""
    names = ("eager_py_func", "py_function", "numpy_function", "py_func")
    return [
        code
        for call in traced.watch.calls
        if getattr(call.function, "__name__", "") in names
        for function in call.handed_over
        if (code := code_of(function)) is not None
    ]


def libraries_of(traced: Traced) -> tuple[Library, ...]:
    """What was called of installed packages from the explained function, by package and outcome."""
    own, allowed = line_range(traced.code), internals.allow_listed_packages()
    found: dict[tuple[str, Outcome], dict[str, None]] = {}
    for call in traced.watch.calls:
        code = code_of(call.function)
        if call.place is None or call.place[0] != traced.code.co_filename or call.place[1] not in own:
            continue
        if not call.direct:
            continue
        if _users_code(call) is not None or (code is not None and is_generated(code.co_filename)):
            continue
        module, name = _library_name(call.function)
        if not _is_users_module(module):
            package = module.split(".")[0]
            outcome = Outcome.ALLOWED if package in allowed else _library_outcome(call)
            found.setdefault((package, outcome), {})[name] = None
    return tuple(Library(package, outcome, tuple(names)) for (package, outcome), names in found.items())


def _library_outcome(call: Call) -> Outcome:
    if call.outcome == "built-in" and internals.is_overloaded(call.function):
        return Outcome.OVERLOADED
    return {"converted": Outcome.CONVERTED, "failed": Outcome.FAILED}.get(call.outcome, Outcome.AS_IS)


def _library_name(function: Any) -> tuple[str, str]:
    """The module and the name of a callable: `tensorflow…`, `zeros`; `builtins`, `list.append`."""
    owner = getattr(function, "__self__", None)
    name: str = getattr(function, "__name__", type(function).__name__)
    name = internals.public_name(function) or name
    if owner is None or isinstance(owner, types.ModuleType):
        return str(getattr(function, "__module__", None) or type(function).__module__), name
    kind = owner if isinstance(owner, type) else type(owner)
    return kind.__module__, f"{kind.__name__}.{name}"


def _is_users_module(name: str) -> bool:
    path = getattr(sys.modules.get(name), "__file__", None)
    return name == "__main__" or (path is not None and is_users(path))
