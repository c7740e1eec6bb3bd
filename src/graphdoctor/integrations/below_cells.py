"""What the source of a notebook shows, below the cell that brings it: after each cell, what is new."""

import pathlib
import tempfile
from typing import Any

from graphdoctor.config import load_config
from graphdoctor.integrations.notebook_check import check_cells
from graphdoctor.model import Finding, shown
from graphdoctor.model.markup import findings_markup
from graphdoctor.model.words import count
from graphdoctor.verdict import threshold

Key = tuple[str, str, int, int, str]


class ShownFindings:
    """Findings as an output of a cell."""

    def __init__(self, findings: list[Finding]) -> None:
        self.findings = findings
        self._headline = f"graphdoctor: {count(len(findings), 'finding')}"

    def __repr__(self) -> str:
        lines = [
            f"{one.path}:{one.line}:{one.column} {one.severity.value} {one.rule} {one.message}"
            for one in self.findings
        ]
        return "\n".join([self._headline, *lines])

    def _repr_html_(self) -> str:
        return findings_markup(self.findings, self._headline)


class BelowCells:
    """Listens to a shell; shows each finding once, below the cell after which the source had it."""

    def __init__(self, shell: Any) -> None:
        self._shell = shell
        self._known: set[Key] = set()
        self.on = True
        self.reported = False  # the cell under way shows a report itself
        shell.events.register("post_run_cell", self._after)

    def _after(self, result: Any) -> None:
        """A cell was run; a fault of ours must not disturb the notebook."""
        info = getattr(result, "info", None)
        if not self.on or info is None or not info.store_history:
            return
        try:
            new = self._new()
        except Exception as error:
            self.on = False
            print(f"graphdoctor: cells are no longer checked: {type(error).__name__}: {error}")
            return
        reported, self.reported = self.reported, False
        if new and not reported:
            from IPython.display import display

            display(ShownFindings(new))  # type: ignore[no-untyped-call]

    def _new(self) -> list[Finding]:
        """What the cells that were run show, and did not show before."""
        config = load_config(pathlib.Path.cwd())
        with tempfile.TemporaryDirectory(prefix="graphdoctor-notebook-") as folder:
            report = shown(check_cells(self._shell, config, pathlib.Path(folder)), threshold(config))
        new = [finding for finding in report.findings if _key(finding) not in self._known]
        self._known |= set(map(_key, report.findings))
        return new


def _key(finding: Finding) -> Key:
    return finding.rule, finding.path, finding.line, finding.column, finding.message
