"""`%graphdoctor check`: the cells of this session, checked as one program."""

from typing import Any

from msgspec.structs import replace

from graphdoctor.config import Config
from graphdoctor.engine import check_module
from graphdoctor.errors import SourceError
from graphdoctor.integrations.cells import as_python, cell_name, executed_cells
from graphdoctor.model import Finding, Report
from graphdoctor.source import parse_module
from graphdoctor.version import __version__


def check_cells(shell: Any, config: Config) -> Report:
    """What the source of the executed cells shows; lines count from the top of each cell."""
    text, starts = "", []
    for number, cell in executed_cells(shell).items():
        python = as_python(cell) + "\n"
        if _is_python(python):
            starts.append((text.count("\n"), number))
            text += python
    found = check_module(parse_module("notebook", text, config.keras), config)
    findings = sorted(found, key=lambda finding: finding.place)
    return Report(graphdoctor=__version__, findings=tuple(_in_cell(finding, starts) for finding in findings))


def _is_python(text: str) -> bool:
    try:
        parse_module("cell", text, None)
    except SourceError:
        return False
    return True


def _in_cell(finding: Finding, starts: list[tuple[int, int]]) -> Finding:
    """The finding with the cell's name, and its lines; edits go to files, and a cell is none."""
    start, number = max(start for start in starts if start[0] < finding.line)
    fix = replace(finding.fix, edits=()) if finding.fix else None
    return replace(
        finding,
        path=cell_name(number),
        line=finding.line - start,
        end_line=finding.end_line - start,
        fix=fix,
        related=(),
    )
