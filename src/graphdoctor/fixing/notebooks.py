"""What the fixes would change in notebooks, cell by cell. It is shown, never written: a notebook is open
in a browser while it is worked on, and that copy would win."""

import difflib
from collections.abc import Iterable

from graphdoctor.config import Config
from graphdoctor.errors import EditError, SourceError
from graphdoctor.fixing.fixing import Outcome, edits_of, may_apply
from graphdoctor.judging.modules import check_module, open_project
from graphdoctor.judging.recheck import rechecked
from graphdoctor.model import Edit, apply_edits
from graphdoctor.source import find_files, parse_module, read_notebook_or_source
from graphdoctor.source.files import read_bytes
from graphdoctor.source.notebooks import cell_python, notebook_sources, with_magics


def notebook_fixes(paths: Iterable[str], config: Config, *, unsafe: bool) -> Outcome:
    """The fixes of all notebooks below the paths, with a diff for each cell."""
    applied, files, diffs = 0, 0, []
    for path, _ in find_files(paths, config.exclude):
        if path.endswith(".ipynb"):
            number, diff = _fixes_of(path, config, unsafe)
            applied += number
            files += bool(number)
            diffs.append(diff)
    return Outcome(applied, files, "".join(diffs))


def _fixes_of(path: str, config: Config, unsafe: bool) -> tuple[int, str]:
    """The number of fixes of one notebook, and the diffs of the cells that would change."""
    try:
        sources = notebook_sources(path, read_bytes(path))
        module = parse_module(path, read_notebook_or_source(path), config.keras)
    except SourceError:
        return 0, ""
    open_project(config, read_notebook_or_source).add(module)
    cells = [cell_python(source) for source in sources]
    chosen: dict[int, list[Edit]] = {}
    applied = 0
    for finding in rechecked(module, check_module(module, config), config):
        if finding.path == path and may_apply(finding, unsafe):
            together = _together(chosen, edits_of(finding))
            if _can_apply(cells, together):
                chosen, applied = together, applied + 1
    diffs = (_diff(f"{path} cell {cell}", cells[cell - 1], edits) for cell, edits in sorted(chosen.items()))
    return applied, "".join(diffs)


def _together(chosen: dict[int, list[Edit]], edits: Iterable[Edit]) -> dict[int, list[Edit]]:
    """The edits of each cell, with some more."""
    cells = {cell: list(before) for cell, before in chosen.items()}
    for edit in edits:
        cells.setdefault(edit.cell or 0, []).append(edit)
    return cells


def _can_apply(cells: list[str], edits: dict[int, list[Edit]]) -> bool:
    try:
        for cell, some in edits.items():
            apply_edits(cells[cell - 1], some)
    except EditError:
        return False
    return 0 not in edits


def _diff(where: str, before: str, edits: list[Edit]) -> str:
    lines = difflib.unified_diff(
        with_magics(before).splitlines(),
        with_magics(apply_edits(before, edits)).splitlines(),
        f"a/{where}",
        f"b/{where}",
        lineterm="",
    )
    return "".join(f"{line}\n" for line in lines)
