"""A stretch of a source file."""

import msgspec


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

    @property
    def place(self) -> tuple[str, int, int, int]:
        """The sort key that puts spans in reading order."""
        return (self.path, self.cell or 0, self.line, self.column)

    @property
    def span(self) -> "Span":
        """Only the place, without what a subclass says about it."""
        return Span(
            path=self.path,
            line=self.line,
            column=self.column,
            end_line=self.end_line,
            end_column=self.end_column,
            cell=self.cell,
        )


def whole_line(path: str, line: int) -> Span:
    """A span that marks a line of which no column is known."""
    return Span(path=path, line=line, column=1, end_line=line, end_column=1)
