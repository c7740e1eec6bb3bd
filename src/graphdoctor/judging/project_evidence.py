"""What the project around a finding tells of its claim: evidence that one file alone does not show."""

import os
from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from graphdoctor.config import Config
from graphdoctor.model import Called, Evidence, Finding, Severity, Since, Span
from graphdoctor.source.early_ends import EarlyEnds
from graphdoctor.source.keras_generation import stated_generation
from graphdoctor.source.older_code import OlderCode
from graphdoctor.source.project_index import ProjectIndex
from graphdoctor.source.usage import Usage

MANY_FILES = 2


def with_project_evidence(findings: Iterable[Finding], index: ProjectIndex, config: Config) -> list[Finding]:
    """The findings, with what the whole project tells of each, and the confidence that this allows."""
    found = list(findings)
    if not any(_is_predicted(finding) for finding in found):
        return found
    return _Project(found, index, config).reported()


def _is_predicted(finding: Finding) -> bool:
    grounds = finding.known_grounds
    return finding.evidence is Evidence.SOURCE and grounds is not None and not grounds.is_observed


class _Project:
    def __init__(self, findings: list[Finding], index: ProjectIndex, config: Config) -> None:
        self._findings, self._index = findings, index
        self._usage, self._ends, self._older = Usage(index), EarlyEnds(index), OlderCode(index)
        self._ran = {_claim(finding) for finding in findings if self._has_run(finding)}
        self._for_keras_2 = config.keras is None and self._is_for_keras_2()

    def reported(self) -> list[Finding]:
        return [self._with_evidence(one) if _is_predicted(one) else one for one in self._findings]

    def _with_evidence(self, finding: Finding) -> Finding:
        grounds = finding.known_grounds
        if grounds is None:
            return finding
        begin: Span = finding.reached[0] if finding.reached else finding
        way = (*finding.reached, finding)
        entry = grounds.entry or (finding.function.name if finding.function else "")
        tried = grounds.called is Called.DRIVER or not finding.reached
        changes: dict[str, Any] = {
            "ran": _claim(finding) in self._ran,
            "ends_at": next(filter(None, map(self._ends.missing_before, way)), ""),
            "generation": grounds.generation or self._generation(finding),
            "eager_in": _shown_path(self._index.eager_switch(finding.path)) if tried else "",
        }
        if self._usage.is_unused(begin.path, begin.line, entry):
            changes["called"] = Called.NOTHING
        return finding.on(replace(grounds, **changes))

    def _generation(self, finding: Finding) -> str:
        path, older, since = finding.path, self._older, _since(finding)
        if since is Since.NUMPY_1_20 and older.has_old_numpy(path):
            return "NumPy before 1.20"
        if older.is_for_first_tensorflow((place.path for place in (*finding.reached, finding)), path):
            return "TensorFlow 1"
        if since is Since.TENSORFLOW_2 and older.stands_beside_first_tensorflow(path):
            return "TensorFlow 1"
        if since is Since.TENSORFLOW_2_11 and older.has_lenient_optimizer(path):
            return "TensorFlow before 2.11"
        if self._for_keras_2 and since is Since.KERAS_3 and _states_no_keras(path):
            return "Keras 2"
        return ""

    def _is_for_keras_2(self) -> bool:
        """One file that Keras 3 refuses may be wrong; a project in which it refuses several was never run."""
        refused = {
            one.path
            for one in self._findings
            if _since(one) is Since.KERAS_3 and one.is_shown and _is_predicted(one)
        }
        return sum(map(_states_no_keras, refused)) >= MANY_FILES

    def _has_run(self, finding: Finding) -> bool:
        """Whether a cell is to raise that was run, and has no exception among its outputs."""
        grounds = finding.known_grounds
        if not _is_predicted(finding) or grounds is None or grounds.claim is not Severity.ERROR:
            return False
        begin: Span = finding.reached[0] if finding.reached else finding
        return begin.cell in self._index.cells_that_ran(begin.path)


def _since(finding: Finding) -> Since | None:
    grounds = finding.known_grounds
    return grounds.since if grounds is not None else None


def _claim(finding: Finding) -> object:
    return finding.rule, finding.place


def _states_no_keras(path: str) -> bool:
    return stated_generation(os.path.dirname(path)) is None


def _shown_path(path: str) -> str:
    return os.path.relpath(path) if path else ""
