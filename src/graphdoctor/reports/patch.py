"""A fix as a diff that can be read and copied."""

import difflib
from collections.abc import Iterator

from graphdoctor.errors import EditError
from graphdoctor.model import Finding, Fix, apply_edits
from graphdoctor.reports.sources import SourceTexts


def patch(finding: Finding, texts: SourceTexts, fix: Fix | None = None) -> tuple[str, ...]:
    """The lines of a unified diff of one of its fixes, the preferred one if none is named.

    None where there is nothing to apply, or no text to apply it to.
    """
    fix = fix or finding.fix
    if fix is None or not fix.edits:
        return ()
    try:
        return tuple(_lines(fix, texts))
    except EditError:  # the file was changed since
        return ()


def _lines(fix: Fix, texts: SourceTexts) -> Iterator[str]:
    for path, cell in dict.fromkeys((edit.path, edit.cell) for edit in fix.edits):
        text = texts.text(path, cell)
        if text is None:
            raise EditError(f"{path} cannot be read")
        fixed = apply_edits(text, [edit for edit in fix.edits if (edit.path, edit.cell) == (path, cell)])
        where = path if cell is None else f"{path} cell {cell}"
        yield from difflib.unified_diff(
            text.splitlines(), fixed.splitlines(), f"a/{where}", f"b/{where}", n=2, lineterm=""
        )
