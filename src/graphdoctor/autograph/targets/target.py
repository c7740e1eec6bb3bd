"""`MODULE:FUNCTION`, `FILE.py:FUNCTION` or `FILE.py:Class.method` → the function, and its module."""

import ast
import dataclasses
import inspect
import types
from collections.abc import Iterable
from typing import Any

from graphdoctor.autograph.targets.needed import needed_statements
from graphdoctor.errors import ExplainError
from graphdoctor.observer.user_code.loading import Loaded, NoModuleError, load

SHAPED = "float32[None,80]"
NAMELESS = f"; a text needs quotes, and a tensor is given as {SHAPED}"


@dataclasses.dataclass(frozen=True)
class Target:
    """A function or bound method; `owner` keeps a method's object alive, which TensorFlow does not.

    `remark`: how the import of its module ended, when that was in an error.
    """

    function: Any
    owner: Any
    module: types.ModuleType
    remark: str = ""


def find_target(
    text: str, instance: str | None = None, given: Iterable[str] = (), *, whole: bool = False
) -> Target:
    """The function that a text names; `instance` is an expression for the object of a method.

    Of a script only what the function and the expressions in `given` need is run, unless it is asked for as
    a `whole`.
    """
    place, separator, path = text.rpartition(":")
    if not separator or not place or not path:
        raise ExplainError(f"{text}: expected MODULE:FUNCTION or FILE.py:FUNCTION, as in train.py:train_step")
    selection = _Selection(path.split(".")[0], (*given, instance or "None"))
    module, error = _load(place, None if whole else selection)
    if error is not None and not hasattr(module, path.split(".")[0]):
        raise ExplainError(_raised(place, error)) from error
    owner: Any = module
    found: Any = module
    for name in path.split("."):
        owner = found
        if isinstance(owner, type) and not _is_static(owner, name) and (instance or hasattr(owner, name)):
            owner = make_instance(owner, instance, module)
        if isinstance(owner, types.FunctionType) and not hasattr(owner, name):
            raise ExplainError(
                f"{text}: what is defined inside `{owner.__name__}` exists only while that runs: "
                "name what keeps it, or call graphdoctor.explain(function, …) in the program"
            )
        if not hasattr(owner, name):
            hint = "; an attribute of its objects needs --self" if isinstance(owner, type) else ""
            raise ExplainError(f"{text}: {_describe(owner)} has no `{name}`; it has {_names(owner)}{hint}")
        found = getattr(owner, name)
    if isinstance(found, type):
        raise ExplainError(f"{text}: `{path}` is a class: name one of its methods: {_own_methods(found)}")
    if not callable(found):
        raise ExplainError(f"{text}: expected a function, got `{path}` of type {type(found).__name__}")
    remark = f"{_raised(place, error)}; what it defined before is explained" if error is not None else ""
    return Target(found, owner, module, remark or selection.remark(place, path))


class _Selection:
    """Chooses the statements of a script that a function needs; remembers what was left out."""

    def __init__(self, name: str, given: tuple[str, ...]) -> None:
        self._name = name
        self._given = given
        self._skipped: tuple[tuple[int, int], ...] = ()

    def __call__(self, text: str) -> ast.Module | None:
        needed = needed_statements(text, self._name, self._given)
        self._skipped = needed.skipped if needed is not None else ()
        return needed.tree if needed is not None else None

    def remark(self, place: str, path: str) -> str:
        """Which lines were not run; empty where all were."""
        if not self._skipped:
            return ""
        lines = ", ".join(f"{first}" if first == last else f"{first}-{last}" for first, last in self._skipped)
        return f"{place}: not run, because `{path}` does not need it: lines {lines}"


def _load(place: str, select: _Selection | None) -> Loaded:
    try:
        return load(place, select)
    except NoModuleError as error:
        raise ExplainError(str(error)) from None
    except (Exception, SystemExit) as error:  # a module may raise anything while it is imported
        raise ExplainError(_raised(place, error)) from error


def _raised(place: str, error: BaseException) -> str:
    return f"{place}: importing it raised {type(error).__name__}: {error}"


def make_instance(kind: type, instance: str | None, module: types.ModuleType) -> Any:
    """An object of the class: what the user's expression makes, or the class called without arguments."""
    if instance is not None:
        return evaluate(instance, module, "--self ")
    try:
        return kind()
    except Exception as error:
        raise ExplainError(
            f"`{kind.__name__}()` raised {type(error).__name__}: {error}; "
            f"say how to make one: --self '{kind.__name__}(…)'"
        ) from error


def evaluate(text: str, module: types.ModuleType, option: str) -> Any:
    """The value of an expression in the module's own namespace, with `tf` and `np` at hand."""
    import numpy as np
    import tensorflow as tf

    try:
        return eval(text, {"tf": tf, "np": np, **vars(module)})
    except Exception as error:
        hint = NAMELESS if isinstance(error, NameError) and option.endswith("=") else ""
        raise ExplainError(f"{option}{text}: {type(error).__name__}: {error}{hint}") from error


def _is_static(owner: type, name: str) -> bool:
    return isinstance(inspect.getattr_static(owner, name, None), (staticmethod, classmethod, type))


def _describe(owner: Any) -> str:
    if isinstance(owner, types.ModuleType):
        return f"module {owner.__name__}"
    return f"class {owner.__name__ if isinstance(owner, type) else type(owner).__name__}"


def _own_methods(kind: type) -> str:
    names = [name for name, value in vars(kind).items() if callable(value) and not name.startswith("__")]
    return ", ".join(names[:12]) or "it has none of its own"


def _names(owner: Any) -> str:
    names = vars(owner) if isinstance(owner, types.ModuleType) else dir(owner)
    module = owner.__name__ if isinstance(owner, types.ModuleType) else None
    found = [
        name
        for name in names
        if not name.startswith("_")
        and callable(getattr(owner, name, None))
        and (module is None or getattr(getattr(owner, name), "__module__", None) == module)
    ]
    return ", ".join(sorted(found)[:12]) or "no function"
