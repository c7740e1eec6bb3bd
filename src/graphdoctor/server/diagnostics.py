"""Findings → diagnostics, each at its place in a file or a cell."""

import dataclasses
import os
from collections.abc import Callable, Iterable

from lsprotocol import types
from pygls.uris import from_fs_path

from graphdoctor.model import Finding, Severity, Span
from graphdoctor.reports.lines import confidence_text
from graphdoctor.server.checking import Checked
from graphdoctor.server.positions import Places
from graphdoctor.source.files import read_source

SOURCE = "graphdoctor"
SEVERITIES = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WRONG: types.DiagnosticSeverity.Error,
    Severity.SLOW: types.DiagnosticSeverity.Warning,
    Severity.NOTE: types.DiagnosticSeverity.Information,
}


class Addresses:
    """Where the places of findings lie: the address and the lines of each file or cell."""

    def __init__(self, checked: Checked, encoding: str) -> None:
        self._checked = checked
        self._encoding = encoding
        self._places: dict[str, Places] = {}

    def address(self, span: Span) -> str:
        """The address of the file, or of the cell of the notebook that was checked."""
        path = os.path.normpath(os.path.join(self._checked.folder, span.path))
        document = self._checked.document
        if path == os.path.normpath(os.path.join(self._checked.folder, document.path)):
            if document.cells and span.cell is not None:
                return document.cells[span.cell - 1][0]
            return document.uri
        return from_fs_path(path) or span.path

    def places(self, span: Span) -> Places:
        """The lines of that file or cell, as they were when it was checked; OSError or SourceError."""
        address = self.address(span)
        if address not in self._places:
            self._places[address] = Places(self._text(span, address), self._encoding)
        return self._places[address]

    def _text(self, span: Span, address: str) -> str:
        document = self._checked.document
        if address == document.uri:
            return document.text
        for cell, text in document.cells:
            if cell == address:
                return text
        path = os.path.normpath(os.path.join(self._checked.folder, span.path))
        edited = self._checked.texts.get(path)
        return read_source(path) if edited is None else edited

    def location(self, span: Span) -> types.Location | None:
        """None for a place in what cannot be read."""
        try:
            return types.Location(self.address(span), self.places(span).range(span))
        except Exception:  # another file may be anything now
            return None


@dataclasses.dataclass(frozen=True)
class Shown:
    """A finding as the editor shows it."""

    finding: Finding
    diagnostic: types.Diagnostic


@dataclasses.dataclass(frozen=True)
class Result:
    """What was found in a document at one version, by the address of the file or cell."""

    checked: Checked
    addresses: Addresses
    shown: dict[str, list[Shown]]

    def at(self, uri: str) -> list[Shown]:
        """What is shown in a file or cell."""
        return self.shown.get(uri, [])


def result_of(checked: Checked, encoding: str) -> Result:
    """What the editor is to show of a document."""
    addresses, document = Addresses(checked, encoding), checked.document
    cells = [cell for cell, _ in document.cells] if document.path.endswith(".ipynb") else [document.uri]
    found: dict[str, list[Shown]] = {uri: [] for uri in cells}
    for finding in checked.findings:
        address = addresses.address(finding)
        if address in found:
            shown = diagnostic(finding, addresses.places(finding), addresses.location)
            found[address].append(Shown(finding, shown))
    return Result(checked, addresses, found)


def diagnostic(
    finding: Finding, places: Places, location: Callable[[Span], types.Location | None]
) -> types.Diagnostic:
    """One finding with its severity, its confidence and the places that explain it."""
    related: Iterable[tuple[Span, str]] = (
        *((each, each.message) for each in finding.related),
        *((each, each.message) for each in finding.reached),
    )
    located = [(location(span), message) for span, message in related]
    return types.Diagnostic(
        range=places.range(finding),
        message=f"{finding.message}\n{standing(finding)}",
        severity=SEVERITIES[finding.severity],
        code=finding.rule,
        source=SOURCE,
        related_information=[
            types.DiagnosticRelatedInformation(where, message) for where, message in located if where
        ],
    )


def standing(finding: Finding) -> str:
    """`SLOW python-number-argument, medium confidence: nothing in the project shows how it is called`."""
    doubts = confidence_text(finding)
    return f"{finding.severity.value} {finding.name}, {doubts or 'high confidence'}"
