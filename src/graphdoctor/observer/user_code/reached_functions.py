"""Traced function → the functions of the user's that its trace runs, with the object each belongs to."""

import dataclasses
import functools
import threading
import types
import weakref
from collections.abc import Callable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import Any

from graphdoctor.observer.objects import peek
from graphdoctor.observer.objects.describe import module_of
from graphdoctor.observer.user_code import keras_steps
from graphdoctor.observer.user_code.ownership import is_library
from graphdoctor.observer.user_code.reads import (
    ARGUMENT,
    CELL,
    GLOBAL,
    OWNER,
    Outside,
    Read,
    Step,
    outside_of,
)

CALLS_BACK = ("numpy_function", "py_function", "py_func", "py_func_common", "eager_py_func")
DEEPEST = 3
MOST_FUNCTIONS = 200


Given = Mapping[str, Callable[[], Any]]


@dataclasses.dataclass(frozen=True)
class Reached:
    """A function of the user's that a trace runs; refers to it and to its `self` weakly."""

    function: Callable[[], types.FunctionType | None]
    owner: Callable[[], Any]
    code: types.CodeType
    depth: int
    given: Given = dataclasses.field(default_factory=dict)  # the objects among the arguments of the trace
    # The functions that name it, and the lines; none for what is traced itself.
    ways: list[tuple["Reached", int]] = dataclasses.field(default_factory=list, compare=False)

    @property
    def outside(self) -> Outside:
        """What the function reads and stores outside itself."""
        return outside_of(self.code)

    @property
    def name(self) -> str:
        """The function's qualified name."""
        function = self.function()
        return function.__qualname__.replace("<locals>.", "") if function else self.code.co_name

    def is_run(self, skipped: AbstractSet[tuple[str, int]], without: tuple["Reached", ...] = ()) -> bool:
        """Whether a way leads to it that passes through no line which the trace skipped."""
        if not self.ways:
            return True
        return any(
            not any(other is caller for other in (*without, self))
            and (caller.code.co_filename, line) not in skipped
            and caller.is_run(skipped, (*without, self))
            for caller, line in self.ways
        )

    def base(self, read: Read) -> Any:
        """The value of the name that a read starts from."""
        function = self.function()
        if function is None:
            return peek.MISSING
        if read.base == GLOBAL:
            return function.__globals__.get(read.name, peek.MISSING)
        if read.base == CELL:
            return _cell(function, read.name)
        if read.base == ARGUMENT or (read.base == OWNER and read.name in self.given):
            reference = self.given.get(read.name)
            value = reference() if reference is not None else None
            return peek.MISSING if value is None else value
        owner = self.owner()
        return peek.MISSING if owner is None else owner

    def values(self, read: Read) -> Iterator[tuple[int, Any]]:
        """The value of the name, then after each step, as far as one can look."""
        value = self.base(read)
        for count in range(len(read.steps) + 1):
            if value is peek.MISSING:
                return
            yield count, value
            if count < len(read.steps):
                value = take(value, read.steps[count])


def take(value: Any, step: Step) -> Any:
    """The value after one step."""
    return peek.item(value, step.key) if step.item else peek.attribute(value, step.key)


def _cell(function: types.FunctionType, name: str) -> Any:
    try:
        index = function.__code__.co_freevars.index(name)
        return (function.__closure__ or ())[index].cell_contents
    except (ValueError, IndexError):
        return peek.MISSING


_last = threading.local()


def begin_with(given: Given) -> None:
    """The next trace of this thread has these objects among its arguments, referred to weakly."""
    _last.given = given


def reach_of(event: dict[str, Any], function: Any) -> list[Reached]:
    """What `reach` gives, found once for each trace however many probes ask."""
    if getattr(_last, "number", None) != event["number"]:
        given = getattr(_last, "given", {})
        _last.number, _last.functions, _last.given = event["number"], reach(function, given), {}
    return _last.functions  # type: ignore[no-any-return]


def reach(function: Any, given: Given | None = None) -> list[Reached]:
    """The functions of the user's that a trace of `function` runs, as far as their names tell."""
    found: dict[tuple[types.CodeType, int], Reached] = {}
    ways: list[tuple[Reached, int]] = []
    waiting = [(callee, owner, 0, ways) for callee, owner in _roots(function)]
    while waiting and len(found) < MOST_FUNCTIONS:
        callee, owner, depth, ways = waiting.pop(0)
        key = (callee.__code__, id(owner))
        reference = _weak(owner)
        known = found.get(key)
        if known is not None and known.ways:
            known.ways.extend(ways)
        if known is not None or reference is None:
            continue
        arguments = given if given and depth == 0 else {}
        found[key] = reached = Reached(
            weakref.ref(callee), reference, callee.__code__, depth, arguments, ways
        )
        if depth < DEEPEST:
            waiting += [(*called, depth + 1, [(reached, line)]) for line, called in _called_by(reached)]
    return list(found.values())


def _weak(owner: Any) -> Callable[[], Any] | None:
    try:
        return weakref.ref(owner) if owner is not None else lambda: None
    except TypeError:
        return None


Called = tuple[types.FunctionType, Any]


def _roots(function: Any) -> Iterator[Called]:
    found = list(functions_in(function))
    yield from found
    plain = getattr(function, "__func__", function)
    if found or not isinstance(plain, types.FunctionType):
        return
    step = keras_steps.step_of(plain)
    for method, owner in keras_steps.methods_run(*step) if step else ():
        yield from functions_in(method, owner)


def _called_by(reached: Reached) -> Iterator[tuple[int, Called]]:
    """What a function names that can be called, with the line."""
    called_back = False
    for read in sorted(reached.outside.reads, key=lambda read: read.order):
        if read.base == ARGUMENT:  # another call may be given another object
            continue
        before = last = None
        rest: tuple[Step, ...] = ()
        for count, value in reached.values(read):
            if count == len(read.steps):
                last = value
                # What is handed over to be called back runs at each call, and not while tracing.
                for called in functions_in(value, before) if not called_back else ():
                    yield read.line, called
            before = value
            rest = read.steps[count:]
        getter = peek.getter(before, rest[0].key) if rest and not rest[0].item else None
        if getter is not None:
            for called in functions_in(getter, before):
                yield read.line, called
        called_back = getattr(last, "__name__", "") in CALLS_BACK


def functions_in(value: Any, owner: Any = None) -> Iterator[Called]:
    """The functions of the user's behind anything that can be called; `owner` is what it was read from."""
    if isinstance(value, functools.partial):
        yield from functions_in(value.func)
    elif isinstance(value, types.MethodType):
        target = getattr(value.__self__, "weakrefself_target__", None)
        yield from functions_in(value.__func__, target() if callable(target) else value.__self__)
    elif isinstance(value, staticmethod):
        yield from functions_in(value.__func__)
    elif isinstance(value, classmethod):
        yield from functions_in(value.__func__, owner if isinstance(owner, type) else type(owner))
    elif isinstance(value, types.FunctionType):
        if not is_library(value.__code__.co_filename):
            yield value, _owner_of(value, owner)
    elif _is_graph_function(value):
        yield from functions_in(value._python_function, owner)
    elif not isinstance(value, type | types.ModuleType):
        yield from _methods_run_by_calling(value)


def _owner_of(function: types.FunctionType, owner: Any) -> Any:
    """The object that a function is a method of, when it was read from an object of a class holding it."""
    if owner is None or isinstance(owner, types.ModuleType):
        return None
    in_class = peek.attribute(owner if isinstance(owner, type) else type(owner), function.__name__)
    return owner if in_class is not peek.MISSING else None


def _is_graph_function(value: Any) -> bool:
    kind = type(value)
    return kind.__name__ == "Function" and module_of(kind).startswith("tensorflow.")


def _methods_run_by_calling(value: Any) -> Iterator[Called]:
    if keras_steps.is_keras(value):
        for method, owner in keras_steps.methods_run(value, None):
            if isinstance(method, types.FunctionType) or _is_graph_function(method):
                yield from functions_in(method, owner)
        return
    method = peek.attribute(type(value), "__call__")
    if isinstance(method, types.FunctionType) or _is_graph_function(method):
        yield from functions_in(method, value)
