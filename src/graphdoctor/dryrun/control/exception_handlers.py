"""Which exceptions a program takes upon itself: what a handler catches, what a `with` expects."""

from __future__ import annotations

import ast

from graphdoctor.dryrun.values import Function, Generator, Instance, Value
from graphdoctor.source.nodes import spelled, walk
from graphdoctor.source.remembering import remembered

# What `except` names here is never raised while tracing because of a tensor.
OTHERS = frozenset(
    ("KeyboardInterrupt", "StopIteration", "OSError", "IOError", "FileNotFoundError", "ImportError",
     "ModuleNotFoundError", "KeyError", "IndexError", "SystemExit", "GeneratorExit", "StopAsyncIteration")
)  # fmt: skip


@remembered(4096)
def catches(handler: ast.ExceptHandler) -> bool:
    """Whether a handler may end what TensorFlow raises while it traces."""
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    names = [spelled(kind) for kind in kinds if kind is not None]
    if isinstance(handler.body[-1], ast.Raise):
        return False
    return not names or any(name not in OTHERS and ".errors." not in name for name in names)


def expects(manager: Value, written: ast.expr) -> bool:
    """Whether a `with` is there for what its block raises: `pytest.raises(…)`, or one's own."""
    if isinstance(manager, Generator) and manager.function is not None:
        return _yields_to_handlers(manager.function.node)
    if isinstance(manager, Instance):
        leaving = manager.cls.find("__exit__")
        return isinstance(leaving, Function) and _returns_yes(leaving.node)
    function = written.func if isinstance(written, ast.Call) else None
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    return name in ("raises", "suppress") or name.startswith("assertRaises")


@remembered(4096)
def _yields_to_handlers(function: ast.AST) -> bool:
    """Whether what is raised at the `yield` of a context manager ends in one of its handlers."""
    tries = [node for node in walk(function) if isinstance(node, ast.Try)]
    return any(
        any(map(catches, node.handlers))
        and any(isinstance(part, ast.Yield) for each in node.body for part in walk(each))
        for node in tries
    )


@remembered(4096)
def _returns_yes(leaving: ast.AST) -> bool:
    """Whether an `__exit__` may say that the exception is dealt with."""
    returned = [node.value for node in walk(leaving) if isinstance(node, ast.Return)]
    return any(isinstance(value, ast.Constant) and value.value is True for value in returned)
