"""Findings in programs whose data nobody here sees: notes, but for what proved right in such programs."""

import functools
import os
from collections.abc import Callable, Iterable

from msgspec.structs import replace

from graphdoctor.errors import SourceError
from graphdoctor.model import Certainty, Evidence, Finding, Severity
from graphdoctor.source import Module, parse_module, read_notebook_or_source
from graphdoctor.source.importers import Imports
from graphdoctor.source.outside import TEMPORARY, libraries, readers
from graphdoctor.source.project import Project

COUNTED = (Severity.ERROR, Severity.WRONG)


def lowered_where_data_are_outside(findings: Iterable[Finding], exclude: tuple[str, ...]) -> list[Finding]:
    """The findings, as notes where the program reads data, or uses libraries, that its source does not show.

    Whoever wrote it has run it on them: that it raises, or does what nobody wants, is then more than the
    source can tell. What was right all the same in programs that nobody here had seen (`proven`) stays.
    """
    imports, parsed = Imports(exclude), functools.cache(_parsed)

    @functools.cache
    def taken(path: str) -> str:
        return _taken([module for each in imports.connected(path) if (module := parsed(each)) is not None])

    return [_lowered(finding, taken) for finding in findings]


def _lowered(finding: Finding, taken: Callable[[str], str]) -> Finding:
    certainty = finding.certainty
    if finding.severity not in COUNTED or finding.evidence is not Evidence.SOURCE or certainty is None:
        return finding
    if certainty.proven:
        return finding
    name = taken((finding.reached[0] if finding.reached else finding).path)
    return replace(finding, severity=Severity.NOTE, certainty=_doubted(certainty, name)) if name else finding


def _doubted(certainty: Certainty, name: str) -> Certainty:
    return replace(certainty, doubt=certainty.doubt or f"it depends on `{name}`, which is not seen")


def _taken(modules: list[Module]) -> str:
    """What the files of a program take from outside, by its name; empty where nothing."""
    project = Project()
    for module in modules:

        def is_own(name: str, path: str = module.path) -> bool:
            return project.locate(name, path) is not None

        for name in libraries(module, is_own):
            return name
    if any(TEMPORARY in module.text for module in modules):
        return ""
    return next((name for module in modules for name in readers(module)), "")


def _parsed(path: str) -> Module | None:
    try:
        return parse_module(os.path.relpath(path), read_notebook_or_source(path))
    except (SourceError, RecursionError):
        return None
