"""Source file → the loops around each of its lines, within the same function."""

import ast
import dataclasses
import functools
import linecache
from collections import defaultdict
from collections.abc import Iterator

from graphdoctor.recording.format import Place

COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
MOST_FILES = 256


@dataclasses.dataclass(frozen=True)
class SourceLoop:
    """A loop as the source has it; `starts` are the lines at which the statements of its body begin."""

    construct: str
    place: Place
    starts: tuple[int, ...]

    def statement(self, line: int) -> int:
        """The number of the statement of the body that a line belongs to."""
        return sum(start <= line for start in self.starts)


@functools.lru_cache(maxsize=MOST_FILES)
def loops_of(path: str) -> dict[int, tuple[SourceLoop, ...]]:
    """The loops around each line that has any, outermost first; nothing where the source cannot be read."""
    lines = linecache.getlines(path)
    try:
        tree = ast.parse("".join(lines))
    except (SyntaxError, ValueError, RecursionError):
        return {}
    found: dict[int, tuple[SourceLoop, ...]] = defaultdict(tuple)
    for line, around in _walk(tree, (), path, lines):
        if len(around) > len(found[line]):
            found[line] = around
    return dict(found)


def _walk(
    node: ast.AST, around: tuple[SourceLoop, ...], path: str, lines: list[str]
) -> Iterator[tuple[int, tuple[SourceLoop, ...]]]:
    for field in ast.iter_child_nodes(node):
        inner = around
        if isinstance(field, FUNCTIONS):
            inner = ()
        elif isinstance(field, ast.For | ast.AsyncFor | ast.While):
            construct = "while" if isinstance(field, ast.While) else "for"
            starts = tuple(statement.lineno for statement in field.body)
            inner = (*around, SourceLoop(construct, _place(field, path, lines), starts))
            first, last = field.body[0].lineno, field.body[-1].end_lineno or field.lineno
            yield from ((line, inner) for line in range(first, last + 1))
            # What stands in the head of a loop is not in its turns.
            for part in field.body:
                yield from _walk(ast.Module([part], []), inner, path, lines)
            continue
        elif isinstance(field, COMPREHENSIONS):
            inner = (*around, SourceLoop("comprehension", _place(field, path, lines), ()))
            yield from ((line, inner) for line in range(field.lineno, (field.end_lineno or field.lineno) + 1))
        yield from _walk(field, inner, path, lines)


def _place(node: ast.stmt | ast.expr, path: str, lines: list[str]) -> Place:
    last = node.end_lineno or node.lineno
    return Place(
        path=path,
        line=node.lineno,
        column=_column(lines[node.lineno - 1], node.col_offset),
        end_line=last,
        end_column=_column(lines[last - 1], node.end_col_offset or 0),
    )


def _column(line: str, offset: int) -> int:
    """The column of a byte: places count characters, from 1."""
    return len(line.encode()[:offset].decode(errors="replace")) + 1
