"""What the fixes would change in notebooks, cell by cell. It is shown, never written: a notebook is open
in a browser while it is worked on, and that copy would win."""

import difflib
from collections import defaultdict
from collections.abc import Iterable, Iterator

from graphdoctor.checking import check_module, open_project
from graphdoctor.config import Config
from graphdoctor.errors import SourceError
from graphdoctor.fixing.fixing import Outcome, compatible, edits_of, may_apply
from graphdoctor.model import Finding, apply_edits
from graphdoctor.source import find_files, parse_module, read_notebook_or_source
from graphdoctor.source.files import read_bytes
from graphdoctor.source.notebooks import notebook_sources


def notebook_fixes(paths: Iterable[str], config: Config, *, unsafe: bool) -> Outcome:
    """The fixes of all notebooks below the paths, with a diff for each cell."""
    applied, files, diffs = 0, 0, []
    for path, _ in find_files(paths, config.exclude):
        if path.endswith(".ipynb"):
            found = list(_cells(path, config, unsafe))
            applied += sum(number for number, _ in found)
            files += bool(found)
            diffs += [diff for _, diff in found]
    return Outcome(applied, files, "".join(diffs))


def _cells(path: str, config: Config, unsafe: bool) -> Iterator[tuple[int, str]]:
    """The number of fixes and the diff of each cell that would change."""
    try:
        sources = notebook_sources(path, read_bytes(path))
        module = parse_module(path, read_notebook_or_source(path), config.keras)
    except SourceError:
        return
    open_project(config, read_notebook_or_source).add(module)
    cells: dict[int, list[Finding]] = defaultdict(list)
    for finding in check_module(module, config):
        if finding.path == path and finding.cell is not None and may_apply(finding, unsafe):
            cells[finding.cell].append(finding)
    for cell, findings in sorted(cells.items()):
        before = sources[cell - 1]
        chosen = compatible(before, findings)
        after = apply_edits(before, [edit for finding in chosen for edit in edits_of(finding)])
        where = f"{path} cell {cell}"
        lines = difflib.unified_diff(
            before.splitlines(), after.splitlines(), f"a/{where}", f"b/{where}", lineterm=""
        )
        if chosen:
            yield len(chosen), "".join(f"{line}\n" for line in lines)
