"""Places in a text: lines and columns as findings count them, offsets, and positions of the protocol."""

import re
from collections.abc import Callable

from lsprotocol import types

from graphdoctor.model import Span

LINE_END = re.compile(r"\r\n|\r|\n")  # what ends a line for Python's parser and for the protocol


def _utf_8(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def _utf_16(text: str) -> int:
    return len(text) + sum(character > "\uffff" for character in text)


UNITS: dict[str, Callable[[str], int]] = {"utf-8": _utf_8, "utf-16": _utf_16, "utf-32": len}


class Places:
    """The lines of one text; `encoding` says what a column of the protocol counts."""

    def __init__(self, text: str, encoding: str = "utf-16") -> None:
        self.text = text
        self.lines = LINE_END.split(text)
        self._starts = [0, *(found.end() for found in LINE_END.finditer(text))]
        self._units = UNITS[encoding]

    def position(self, line: int, column: int) -> types.Position:
        """What a finding calls line and column; what lies behind the end of the text is its end."""
        if line > len(self.lines):
            return types.Position(len(self.lines) - 1, self._units(self.lines[-1]))
        return types.Position(line - 1, self._units(self.lines[line - 1][: column - 1]))

    def range(self, span: Span) -> types.Range:
        """The range of a span; a span of which only the line is known is that line without indentation."""
        if (span.line, span.column) != (span.end_line, span.end_column):
            start, end = (span.line, span.column), (span.end_line, span.end_column)
            return types.Range(self.position(*start), self.position(*end))
        return self.line(span.line, span.column)

    def line(self, line: int, column: int = 1) -> types.Range:
        """A line from a column on, as far as something stands in it."""
        text = self.lines[line - 1] if 0 < line <= len(self.lines) else ""
        first = max(column, len(text) - len(text.lstrip()) + 1)
        return types.Range(self.position(line, first), self.position(line, len(text.rstrip()) + 1))

    def exactly(self, span: Span) -> types.Range:
        """The range of an edit: an empty one inserts."""
        return types.Range(
            self.position(span.line, span.column), self.position(span.end_line, span.end_column)
        )

    def offset(self, position: types.Position) -> int:
        """The place in the text; beyond the end of a line or of the text it is that end."""
        if position.line >= len(self.lines):
            return len(self.text)
        line, units = self.lines[position.line], 0
        for index, character in enumerate(line):
            if units >= position.character:
                return self._starts[position.line] + index
            units += self._units(character)
        return self._starts[position.line] + len(line)


def edited(text: str, change: types.TextDocumentContentChangeEvent, encoding: str) -> str:
    """The text after one change of the client's."""
    if isinstance(change, types.TextDocumentContentChangeWholeDocument):
        return change.text
    places = Places(text, encoding)
    start, end = places.offset(change.range.start), places.offset(change.range.end)
    return text[:start] + change.text + text[max(start, end) :]


def overlap(one: types.Range, other: types.Range) -> bool:
    """Whether two ranges have a place in common; an empty one is a place."""

    def key(position: types.Position) -> tuple[int, int]:
        return position.line, position.character

    return key(one.start) <= key(other.end) and key(other.start) <= key(one.end)
