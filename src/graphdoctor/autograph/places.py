"""Which code is the user's own, and how places are named."""

import functools
import inspect
import os
import types
from typing import Any

from graphdoctor.autograph.tensorflow_internals import GENERATED
from graphdoctor.model import FunctionRef
from graphdoctor.model.paths import relative_path
from graphdoctor.observer.user_code.ownership import is_library

CYTHON = (".pyx", ".pxd", ".pxi")
SourceLine = tuple[str, int]


def is_generated(path: str) -> bool:
    """Whether AutoGraph wrote this file."""
    return GENERATED in path


@functools.lru_cache(maxsize=4096)
def is_users(path: str) -> bool:
    """Whether a file is the user's own: no installed package, not generated, not the standard library.

    A cell of a notebook is; what `exec` makes says `<string>`, and so does much of the standard library.
    """
    if path.startswith("<"):
        return path.startswith(("<ipython", "<stdin>"))
    if path.endswith(CYTHON):  # named as it was compiled, which is nowhere here
        return False
    return not is_library(path) and not is_generated(path)


def runs_users_code(frame: types.FrameType) -> bool:
    """Whether a frame runs code of the user's own, also code that `exec` made in the user's module."""
    path = frame.f_code.co_filename
    if path == "<string>":
        module = frame.f_globals.get("__file__")
        return is_users(module) if module else "__name__" not in frame.f_globals
    return is_users(path)


def code_of(function: Any) -> types.CodeType | None:
    """The code of a function or method."""
    code = getattr(getattr(function, "__func__", function), "__code__", None)
    return code if isinstance(code, types.CodeType) else None


def reference(function: Any) -> FunctionRef:
    """A function's name and place."""
    code = code_of(inspect.unwrap(function))
    name = str(getattr(function, "__qualname__", type(function).__qualname__)).replace("<locals>.", "")
    if code is None:
        return FunctionRef(name=name, path="", line=0)
    return FunctionRef(name=name, path=shown(code.co_filename), line=code.co_firstlineno)


def shown(path: str) -> str:
    """A path as people name it here."""
    return relative_path(path, os.getcwd())
