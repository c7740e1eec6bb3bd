"""Findings in code that a program of the project runs eagerly: a note, where no program traces it."""

import functools
import os
import re
from collections.abc import Iterable

from msgspec.structs import replace

from graphdoctor.errors import SourceError
from graphdoctor.model import Evidence, Finding, Severity
from graphdoctor.source.files import find_files, read_bytes
from graphdoctor.source.importers import find_importers, project_root
from graphdoctor.source.parts import is_test_file

COUNTED = (Severity.ERROR, Severity.WRONG)
SWITCH = re.compile(rb"^[^#\n]*run_functions_eagerly\(\s*(?:run_eagerly\s*=\s*)?True", re.MULTILINE)
MOST_FILES = 2000


def lowered_where_eager(findings: Iterable[Finding], exclude: tuple[str, ...]) -> list[Finding]:
    """The findings, as notes where they begin in a function that only a program with the switch leads to.

    What the program itself runs, the dry run knows; a function that nothing in its own file calls was tried
    by itself, as if no program had switched graphs off.
    """
    projects = functools.cache(lambda root: _switching_files(root, exclude))
    led_to = functools.cache(lambda path, root: _is_led_to(path, projects(root), exclude))
    return [
        replace(finding, severity=Severity.NOTE)
        if _is_tried_by_itself(finding) and led_to(finding.path, project_root(finding.path))
        else finding
        for finding in findings
    ]


def _is_tried_by_itself(finding: Finding) -> bool:
    """Whether the dry run found it, and not by running a program."""
    from_source = finding.severity in COUNTED and finding.evidence is Evidence.SOURCE
    if not from_source or not finding.reached:
        return from_source
    from graphdoctor.recording.format import PROGRAM

    return f"`{PROGRAM}`" not in finding.reached[0].message


def _switching_files(root: str, exclude: tuple[str, ...]) -> frozenset[str]:
    """The files of a project that switch graphs off, but for tests."""
    found = set()
    for path, _ in list(find_files([root], exclude))[:MOST_FILES]:
        try:
            data = b"" if is_test_file(path) else read_bytes(path)
        except SourceError:
            continue
        if b"run_functions_eagerly" in data and SWITCH.search(data):  # the plain text is found much faster
            found.add(os.path.abspath(path))
    return frozenset(found)


def _is_led_to(path: str, switching: frozenset[str], exclude: tuple[str, ...]) -> bool:
    """Whether one of these files imports the file, or what imports it."""
    return bool(switching) and not switching.isdisjoint(map(os.path.abspath, find_importers([path], exclude)))
