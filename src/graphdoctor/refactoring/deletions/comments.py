"""Comments."""

from graphdoctor.model import Edit, Span
from graphdoctor.source.module import Module


def without_comment(module: Module, span: Span) -> Edit:
    """The edit that takes a comment out, and the blanks before it."""
    before = module.lines[module.text_line(span) - 1][: span.column - 1]
    return Edit(
        path=span.path,
        line=span.line,
        column=len(before.rstrip()) + 1,
        end_line=span.end_line,
        end_column=span.end_column,
        cell=span.cell,
        text="",
    )
