"""`%graphdoctor check`: the cells of this session, checked as one program."""

import pathlib
from typing import Any, TypeVar

from msgspec.structs import replace

from graphdoctor.config import Config
from graphdoctor.errors import SourceError
from graphdoctor.integrations.cells import as_python, cell_name, executed_cells
from graphdoctor.judging import check_module
from graphdoctor.model import Edit, Finding, Fix, Report, RunDetails
from graphdoctor.source import parse_module
from graphdoctor.version import __version__

Placed = TypeVar("Placed", Finding, Edit)
Start = tuple[int, int]


def check_cells(shell: Any, config: Config, folder: pathlib.Path) -> Report:
    """What the source of the executed cells shows; lines count from the top of each cell.

    The texts of the cells are written to the folder, so that the report can show them.
    """
    text, starts = "", []
    for number, cell in executed_cells(shell).items():
        python = as_python(cell) + "\n"
        if _is_python(python):
            starts.append((text.count("\n"), number))
            text += python
            (folder / cell_name(number)).write_text(cell, encoding="utf-8")
    found = check_module(parse_module("notebook", text, config.keras), config)
    findings = sorted(found, key=lambda finding: finding.place)
    return Report(
        graphdoctor=__version__,
        findings=tuple(_finding_in_cell(finding, starts) for finding in findings),
        details=RunDetails(directory=str(folder), program="notebook"),
    )


def _is_python(text: str) -> bool:
    try:
        parse_module("cell", text, None)
    except SourceError:
        return False
    return True


def _finding_in_cell(finding: Finding, starts: list[Start]) -> Finding:
    """The finding with the cell's name and its lines; edits only where all of them are in one cell."""
    start = _start(finding.line, starts)
    fix = _fix_in_cell(finding.fix, start, starts) if finding.fix else None
    others = tuple(_fix_in_cell(other, start, starts) for other in finding.alternatives)
    return replace(_in_cell(finding, start), fix=fix, alternatives=others, related=())


def _fix_in_cell(fix: Fix, start: Start, starts: list[Start]) -> Fix:
    together = all(_start(line, starts) == start for e in fix.edits for line in (e.line, e.end_line))
    return replace(fix, edits=tuple(_in_cell(edit, start) for edit in fix.edits) if together else ())


def _start(line: int, starts: list[Start]) -> Start:
    """Where the cell of a line begins, and its number."""
    return max(start for start in starts if start[0] < line)


def _in_cell(placed: Placed, start: Start) -> Placed:
    before, number = start
    return replace(
        placed, path=cell_name(number), line=placed.line - before, end_line=placed.end_line - before
    )
