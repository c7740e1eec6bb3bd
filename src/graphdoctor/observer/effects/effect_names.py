"""A callee and its arguments → what calling it does that a graph does not repeat."""

import collections
import functools
import io
import itertools
import logging
import pathlib
import random
import sys
import types
from typing import Any, NamedTuple

from graphdoctor.observer.objects.describe import module_of
from graphdoctor.observer.tensorflow_internals import LOGGING_MODULE

CLOCKS = {
    "time.time", "time.time_ns", "time.monotonic", "time.monotonic_ns", "time.perf_counter",
    "time.perf_counter_ns", "time.process_time", "time.process_time_ns", "time.localtime", "time.gmtime",
    "time.ctime", "time.strftime", "datetime.datetime.now", "datetime.datetime.utcnow",
    "datetime.datetime.today", "datetime.date.today",
}  # fmt: skip
LEVELS = {"debug", "info", "warning", "warn", "error", "exception", "critical", "fatal", "log"}
LOGGERS = ("logging", "absl.logging", "warnings", LOGGING_MODULE)
WRITERS = {
    "json.dump", "pickle.dump", "_pickle.dump", "numpy.save", "numpy.savez", "numpy.savetxt", "os.makedirs",
    "os.mkdir", "posix.mkdir", "os.remove", "posix.remove", "os.rename", "posix.rename", "shutil.copy",
}  # fmt: skip
PATH_WRITERS = {"write_text", "write_bytes", "mkdir", "unlink", "touch", "rename", "rmdir"}
NOT_DRAWN = {"seed", "getstate", "setstate", "get_state", "set_state", "default_rng", "RandomState", "spawn"}
GROWING = {"append", "extend", "insert", "appendleft", "add"}


class Done(NamedTuple):
    """What a call does, as an Effect has it; `owner` is the object whose state it takes from or changes."""

    what: str
    name: str
    owner: Any = None


def what_it_does(function: Any, arguments: tuple[Any, ...], options: dict[str, Any]) -> Done | None:
    """The effect of a call, None for nearly all."""
    while isinstance(function, functools.partial):
        arguments, options = (*function.args, *arguments), {**function.keywords, **options}
        function = function.func
    owner = getattr(function, "__self__", None)
    if owner is None or isinstance(owner, types.ModuleType | type):
        return _of_function(function, owner, arguments, options)
    return _of_method(function, owner)


def _of_function(
    function: Any, owner: Any, arguments: tuple[Any, ...], options: dict[str, Any]
) -> Done | None:
    if function is print:
        return Done("print", "print")
    if function is next:
        return _next(arguments)
    if function is input:
        return Done("input", "input")
    if function is open or function is io.open:
        mode = options.get("mode", arguments[1] if len(arguments) > 1 else "r")
        return Done("write", "open") if isinstance(mode, str) and set(mode) & set("wax+") else None
    last = getattr(function, "__name__", None)
    module = getattr(function, "__module__", None)
    if isinstance(owner, type):
        module, last = module_of(owner), f"{owner.__name__}.{last}"
    if not isinstance(module, str) or not isinstance(last, str):
        return None
    name = f"{module}.{last}"
    if name in CLOCKS:
        return Done("clock", name)
    if name in WRITERS:
        return Done("write", name)
    if module in LOGGERS and last in LEVELS:
        return Done("log", name)
    if module.startswith("numpy.random") and last not in NOT_DRAWN and not isinstance(function, type):
        return Done("random", f"numpy.random.{last}")
    return None


def _next(arguments: tuple[Any, ...]) -> Done | None:
    iterator = arguments[0] if arguments else None
    if iterator is None or module_of(type(iterator)).partition(".")[0] in ("tensorflow", "keras"):
        return None
    return Done("next", "iterator", iterator)


def _of_method(function: Any, owner: Any) -> Done | None:
    name = getattr(function, "__name__", "")
    if is_generator(owner):
        if name in NOT_DRAWN:
            return None
        if isinstance(owner, random.Random):
            return Done("random", f"random.{name}", owner)
        return Done("random", f"numpy.random.{name}", owner)
    if isinstance(owner, logging.Logger):
        return Done("log", f"logger.{name}") if name in LEVELS else None
    if isinstance(owner, io.IOBase):
        stream = owner is sys.stdout or owner is sys.stderr
        return Done("write", f"file.{name}", owner) if name.startswith("write") and not stream else None
    if isinstance(owner, pathlib.Path):
        return Done("write", f"pathlib.Path.{name}") if name in PATH_WRITERS else None
    if name in GROWING and isinstance(owner, list | set | collections.deque):
        return Done("append", name, owner)
    if name == "__next__":
        return _next((owner,))
    return None


def is_generator(value: Any) -> bool:
    """Whether a value draws random numbers, for Python or NumPy."""
    if isinstance(value, random.Random):
        return True
    numpy = sys.modules.get("numpy.random")
    return numpy is not None and isinstance(value, numpy.Generator | numpy.RandomState)


def has_own_state(value: Any) -> bool:
    """Whether calls of a value take from it or change it: what a trace itself makes is its own matter."""
    kind = type(value)
    if kind in (list, set, collections.deque, types.GeneratorType, itertools.count, itertools.cycle):
        return True
    return is_generator(value) or isinstance(value, io.IOBase) or hasattr(kind, "__next__")
