"""The expression that ended the program in a trace, tried once in eager execution.

It runs when the program is over, on tensors of ones of the same dtypes and shapes, and only where all that
the expression calls belongs to TensorFlow, Keras, NumPy or Python and writes nothing. Otherwise: not known.
"""

import ast
import builtins
import contextlib
import io
import math
import pathlib
import sys
import types
import warnings
from collections.abc import Iterator
from typing import Any

from graphdoctor.observer import tensorflow_internals as internals

WORKS = "works"
LIBRARIES = ("tensorflow", "keras", "tf_keras", "numpy")
PURE = {"int", "float", "bool", "len", "range", "sum", "abs", "min", "max", "list", "tuple", "dict", "zip"}
# Parts of the names of functions that write, read, or run something else.
ACTS = (
    "print",
    "write",
    "save",
    "read",
    "load",
    "py_func",
    "numpy_func",
    "summary",
    "file",
    "export",
)
NEVER = (ast.Lambda, ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr, ast.comprehension, ast.Starred)
MOST_ELEMENTS, MOST_BYTES = 1_000_000, 1_000_000


MISSING = object()  # an attribute that a library's object does not have: asking for it raises


class _UnknownError(Exception):
    """The expression is not one that may be tried."""


def try_eagerly(frame: types.FrameType, path: str, line: int) -> str:
    """`works`, the type of the exception that it raises in eager execution, or empty: not known."""
    try:
        expression = _expression(path, line)
        names = {node.id for node in ast.walk(expression) if isinstance(node, ast.Name)}
        values = {name: _eager(value) for name, value in _values(frame, path, names).items()}
        _check(expression, values)
        code = compile(ast.Expression(expression), path, "eval")
    except Exception:  # what is not understood is not tried
        return ""
    return _run(code, values)


def _run(code: types.CodeType, values: dict[str, Any]) -> str:
    aside = io.StringIO()
    with contextlib.redirect_stdout(aside), contextlib.redirect_stderr(aside), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            eval(code, values)
        except Exception as error:
            return type(error).__name__
    return WORKS


def _expression(path: str, line: int) -> ast.expr:
    """What the innermost statement at a line computes."""
    file = pathlib.Path(path)
    if file.stat().st_size > MOST_BYTES:
        raise _UnknownError
    here = [
        node
        for node in ast.walk(ast.parse(file.read_bytes()))
        if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or node.lineno)
    ]
    statement = max(here, key=lambda node: node.lineno)
    found = getattr(statement, "value", None)
    # A statement whose value nobody takes is there for what it changes.
    if not isinstance(statement, ast.Assign | ast.Return | ast.AnnAssign) or found is None:
        raise _UnknownError
    if any(isinstance(node, NEVER) for node in ast.walk(found)):
        raise _UnknownError
    expression: ast.expr = found
    return expression


def _values(frame: types.FrameType, path: str, names: set[str]) -> dict[str, Any]:
    """The values of names where the exception arose; a module's names are those of the file's module."""
    modules = (each for each in list(sys.modules.values()) if getattr(each, "__file__", None) == path)
    outer = {**frame.f_globals, **vars(next(modules, types.ModuleType("")))}
    known = {**vars(builtins), **outer, **frame.f_locals}
    return {name: known[name] for name in names if name in known}


def _eager(value: Any) -> Any:
    """The value itself, or eager tensors of ones where it is of a graph."""
    if type(value) in (list, tuple):
        return type(value)(_eager(each) for each in value)
    if type(value) is dict:
        return {key: _eager(each) for key, each in value.items()}
    if not internals.is_symbolic(value):
        return value
    shape = value.shape
    if not shape.is_fully_defined() or math.prod(shape) > MOST_ELEMENTS:
        raise _UnknownError
    tensorflow = sys.modules["tensorflow"]
    return tensorflow.cast(tensorflow.ones(shape), value.dtype)


def _check(expression: ast.expr, values: dict[str, Any]) -> None:
    """Only what belongs to a library, and does nothing but compute, is called."""
    if not internals.executing_eagerly():
        raise _UnknownError
    for node in ast.walk(expression):
        if isinstance(node, ast.Call):
            called = _called(node.func, values)
            if called is MISSING:
                continue
            name = getattr(called, "__name__", type(called).__name__)
            if any(part in name for part in ACTS):
                raise _UnknownError
            if called is not getattr(builtins, name, None) or name not in PURE:
                _check_library(called)
        elif isinstance(node, ast.Attribute):
            _called(node, values)


def _check_library(called: Any) -> None:
    home = getattr(called, "__module__", None) or type(getattr(called, "__self__", None)).__module__
    roots = {str(home).partition(".")[0], type(called).__module__.partition(".")[0]}
    if isinstance(getattr(called, "__self__", None), str | dict | list | tuple):
        return
    if not roots & set(LIBRARIES):
        raise _UnknownError


def _called(node: ast.expr, values: dict[str, Any]) -> Any:
    """What a dotted name is; no property of the program's is asked."""
    if isinstance(node, ast.Name):
        if node.id not in values:
            raise _UnknownError
        return values[node.id]
    if not isinstance(node, ast.Attribute):
        raise _UnknownError
    holder = _called(node.value, values) if isinstance(node.value, ast.Attribute | ast.Name) else None
    if holder is None:
        raise _UnknownError
    if any(part.startswith(LIBRARIES) for part in _homes(holder)) or isinstance(
        holder, str | dict | list | tuple
    ):
        return getattr(holder, node.attr, MISSING)
    if node.attr not in vars(holder):
        raise _UnknownError
    return vars(holder)[node.attr]


def _homes(holder: Any) -> Iterator[str]:
    if isinstance(holder, types.ModuleType):
        yield holder.__name__
    else:
        yield type(holder).__module__
