"""Edits of source text, and how they are applied."""

import ast
import difflib
import enum
import io
from collections.abc import Iterable

import msgspec

from graphdoctor.errors import EditError
from graphdoctor.model.span import Span


class Safety(str, enum.Enum):
    """Whether a fix may be applied unasked.

    SAFE: the fixed program in graph mode computes what the original computes eagerly, or computes
    something where the original has no result at all: an error, or None for a gradient.
    UNSAFE: it may behave differently; applied only with `--unsafe-fixes`.
    MANUAL: shown, never applied.
    """

    SAFE = "safe"
    UNSAFE = "unsafe"
    MANUAL = "manual"


class Edit(Span, frozen=True, kw_only=True):
    """Replace the span by `text`; an empty span inserts."""

    text: str


class Fix(msgspec.Struct, frozen=True, kw_only=True):
    """The order that belongs to a finding: imperative, at most six words, and the edits that obey it."""

    title: str
    safety: Safety
    edits: tuple[Edit, ...] = ()


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """The text with all edits applied, or EditError: when they overlap, or when the result is not Python."""
    starts = _line_starts(text)
    placed = sorted(
        {
            (
                _offset(text, starts, edit.line, edit.column),
                _offset(text, starts, edit.end_line, edit.end_column),
                edit.text,
            )
            for edit in edits
        }
    )
    pieces: list[str] = []
    position = 0
    for start, end, replacement in placed:
        if start < position or end < start:
            raise EditError(f"Edits overlap at offset {start}: apply them one after the other")
        pieces += [text[position:start], replacement]
        position = end
    result = "".join([*pieces, text[position:]])
    try:
        ast.parse(result)
    except (SyntaxError, ValueError) as error:
        raise EditError(f"The edited file would not be Python any more: {error}") from error
    return result


def edits_between(path: str, before: str, after: str) -> tuple[Edit, ...]:
    """The edits of whole lines that make one text of another."""
    old, new = _lines(before), _lines(after)
    changes = difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return tuple(
        Edit(path=path, line=i + 1, column=1, end_line=j + 1, end_column=1, text="".join(new[k:m]))
        if j < len(old) or not old or old[-1].endswith(("\n", "\r"))
        else Edit(
            path=path, line=i + 1, column=1, end_line=j, end_column=len(old[-1]) + 1, text="".join(new[k:m])
        )
        for tag, i, j, k, m in changes
        if tag != "equal"
    )


def _lines(text: str) -> list[str]:
    return list(io.StringIO(text, newline=""))


def _line_starts(text: str) -> list[int]:
    starts = [0]
    for line in _lines(text):
        starts.append(starts[-1] + len(line))
    return starts


def _offset(text: str, starts: list[int], line: int, column: int) -> int:
    if not 1 <= line < len(starts) + 1:
        raise EditError(f"Line {line} is not in the file, which has {len(starts)} lines")
    offset = starts[line - 1] + column - 1
    end_of_line = starts[line] if line < len(starts) else len(text)
    if column < 1 or offset > end_of_line:
        raise EditError(f"Column {column} is not on line {line}")
    return offset
