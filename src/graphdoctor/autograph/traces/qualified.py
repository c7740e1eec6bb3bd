"""The full name of a function by its code, also on Python 3.10, whose code knows the last part only."""

import ast
import functools
import linecache
import types
from collections.abc import Iterator

_Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


def qualified_name(code: types.CodeType) -> str:
    """What `__qualname__` of its function says, or the name alone where the source is not at hand."""
    known = getattr(code, "co_qualname", None)
    if known is not None:
        return str(known)
    return _names_in(code.co_filename).get((code.co_firstlineno, code.co_name), code.co_name)


@functools.lru_cache(maxsize=64)
def _names_in(path: str) -> dict[tuple[int, str], str]:
    """The full name of each function of a file, by its first line and its name."""
    try:
        return dict(_names(ast.parse("".join(linecache.getlines(path))), ""))
    except SyntaxError:
        return {}


def _names(node: ast.AST, prefix: str) -> Iterator[tuple[tuple[int, str], str]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, _Function):
            name = getattr(child, "name", "<lambda>")
            first = min([child.lineno, *(one.lineno for one in getattr(child, "decorator_list", ()))])
            yield (first, name), prefix + name
            yield from _names(child, f"{prefix}{name}.<locals>.")
        else:
            inside = f"{prefix}{child.name}." if isinstance(child, ast.ClassDef) else prefix
            yield from _names(child, inside)
