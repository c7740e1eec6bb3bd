"""Where a line of converted code really stands: TensorFlow mistakes decorators for what they decorate."""

import ast
import functools
import linecache
import warnings
from typing import NamedTuple

MOST_FILES = 256


class SourceFunction(NamedTuple):
    """A function as the source has it, from its first decorator on."""

    name: str
    first: int
    last: int


@functools.lru_cache(maxsize=MOST_FILES)
def functions_of(path: str) -> tuple[SourceFunction, ...]:
    """All functions of a file; none where the source cannot be read."""
    try:
        with warnings.catch_warnings():  # Python has reported the program what it thinks of its escapes
            warnings.simplefilter("ignore")
            tree = ast.parse("".join(linecache.getlines(path)))
    except (SyntaxError, ValueError, RecursionError):
        return ()
    return tuple(
        SourceFunction(
            node.name,
            min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)]),
            node.end_lineno or node.lineno,
        )
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    )


def real_line(path: str, function: str, line: int, decorated: int) -> int | None:
    """The line of a frame of converted code; None where nobody can tell.

    The lines of a wrapper that `functools.wraps` made look as if it began where the function does that it
    wraps (TensorFlow 2.16 to 2.21): that is `decorated`, the first line of what is traced.
    """
    named = [each for each in functions_of(path) if each.name == function]
    if not named or any(each.first <= line <= each.last for each in named):
        return line
    moved = {line - decorated + each.first for each in named if line - decorated <= each.last - each.first}
    return moved.pop() if len(moved) == 1 and line >= decorated else None
