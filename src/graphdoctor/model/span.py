"""A stretch of a source file."""

from typing import Any, TypeVar

import msgspec

Placed = TypeVar("Placed", bound="Span")


class Span(msgspec.Struct, frozen=True, kw_only=True):
    """A stretch of text: lines and columns count from 1, columns in characters, the end is excluded.

    `cell` is the number of a notebook's code cell; lines then count from the top of the cell.
    """

    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    cell: int | None = None

    @classmethod
    def at(cls: type[Placed], span: "Span", **fields: Any) -> Placed:
        """A noun of this kind at the place of another."""
        return cls(
            path=span.path,
            line=span.line,
            column=span.column,
            end_line=span.end_line,
            end_column=span.end_column,
            cell=span.cell,
            **fields,
        )

    @property
    def place(self) -> tuple[str, int, int, int]:
        """The sort key that puts spans in reading order."""
        return (self.path, self.cell or 0, self.line, self.column)

    @property
    def span(self) -> "Span":
        """Only the place, without what a subclass says about it."""
        return Span.at(self)


def whole_line(path: str, line: int) -> Span:
    """A span that marks a line of which no column is known."""
    return Span(path=path, line=line, column=1, end_line=line, end_column=1)
