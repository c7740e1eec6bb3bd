"""A fix as a diff that can be read and copied."""

import difflib

from graphdoctor.errors import EditError
from graphdoctor.model import Finding, apply_edits
from graphdoctor.reports.sources import SourceTexts


def patch(finding: Finding, texts: SourceTexts) -> tuple[str, ...]:
    """The lines of a unified diff; none where there is nothing to apply, or no text to apply it to."""
    if finding.fix is None or not finding.fix.edits:
        return ()
    if any(edit.cell != finding.cell for edit in finding.fix.edits):
        return ()  # a diff shows one cell
    text = texts.text(finding.path, finding.cell)
    if text is None:
        return ()
    try:
        fixed = apply_edits(text, finding.fix.edits)
    except EditError:  # the file was changed since
        return ()
    where = finding.path if finding.cell is None else f"{finding.path} cell {finding.cell}"
    lines = difflib.unified_diff(
        text.splitlines(), fixed.splitlines(), f"a/{where}", f"b/{where}", n=2, lineterm=""
    )
    return tuple(lines)
