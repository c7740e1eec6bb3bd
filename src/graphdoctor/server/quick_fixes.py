"""Findings → quick fixes: what a rule offers, and `# noqa` on the line."""

import ast
from collections.abc import Callable, Iterator

from lsprotocol import types

from graphdoctor.errors import GraphdoctorError
from graphdoctor.model import Edit, Finding, Fix, Safety
from graphdoctor.server.diagnostics import Addresses
from graphdoctor.server.positions import Places
from graphdoctor.source.module import NOQA
from graphdoctor.source.notebooks import cell_python

Versions = Callable[[str], int | None]


def quick_fixes(
    finding: Finding,
    diagnostic: types.Diagnostic,
    addresses: Addresses,
    versions: Versions | None,
    source: str,
) -> Iterator[types.CodeAction]:
    """What can be done about a finding; `source` is the Python of the file or cell that it is in."""
    offered = (finding.fix, *finding.alternatives) if finding.fix is not None else finding.alternatives
    for fix in offered:
        if fix.edits and fix.safety is not Safety.MANUAL:
            edit = workspace_edit(fix.edits, addresses, versions)
            if edit is not None:
                yield types.CodeAction(
                    title=_title(finding, fix),
                    kind=types.CodeActionKind.QuickFix,
                    diagnostics=[diagnostic],
                    edit=edit,
                    is_preferred=fix is offered[0] and fix.safety is Safety.SAFE,
                )
    silencing = noqa_edit(finding, source)
    if silencing is not None:
        edit = workspace_edit((silencing,), addresses, versions)
        yield types.CodeAction(
            title=f"Ignore {finding.rule} on this line",
            kind=types.CodeActionKind.QuickFix,
            diagnostics=[diagnostic],
            edit=edit,
        )


def _title(finding: Finding, fix: Fix) -> str:
    unsafe = " (unsafe: it may behave differently)" if fix.safety is Safety.UNSAFE else ""
    return f"{fix.title} [{finding.rule}]{unsafe}"


def workspace_edit(
    edits: tuple[Edit, ...], addresses: Addresses, versions: Versions | None
) -> types.WorkspaceEdit | None:
    """The edits by file and cell; None where a file cannot be read.

    Without `versions` the editor does not know how to compare them.
    """
    by_address: dict[str, list[types.TextEdit]] = {}
    for edit in edits:
        try:
            where = addresses.places(edit).exactly(edit)
        except (OSError, GraphdoctorError):
            return None
        by_address.setdefault(addresses.address(edit), []).append(types.TextEdit(where, edit.text))
    if versions is None:
        return types.WorkspaceEdit(changes=by_address)
    return types.WorkspaceEdit(
        document_changes=[
            types.TextDocumentEdit(
                types.OptionalVersionedTextDocumentIdentifier(uri=address, version=versions(address)),
                list(texts),
            )
            for address, texts in by_address.items()
        ]
    )


def noqa_edit(finding: Finding, source: str) -> Edit | None:
    """The edit that silences the rule there; None where no comment can stand, or one does so already."""
    lines = Places(source).lines
    for line in dict.fromkeys((finding.line, finding.end_line)):
        text = lines[line - 1] if line <= len(lines) else ""
        comment = NOQA.search(text)
        if comment is not None and comment["codes"] is None:
            return None
        column = comment.end() if comment is not None else len(text.rstrip())
        added = f", {finding.rule}" if comment is not None else f"  # noqa: {finding.rule}"
        changed = [*lines[: line - 1], text[:column] + added + text[column:], *lines[line:]]
        if _is_the_same("\n".join(lines), "\n".join(changed)):
            return Edit(
                path=finding.path,
                line=line,
                column=column + 1,
                end_line=line,
                end_column=column + 1,
                cell=finding.cell,
                text=added,
            )
    return None


def _is_the_same(before: str, after: str) -> bool:
    """Whether a text is the same program as another: what was added is a comment, and in no string."""
    try:
        return ast.dump(ast.parse(cell_python(before))) == ast.dump(ast.parse(cell_python(after)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
