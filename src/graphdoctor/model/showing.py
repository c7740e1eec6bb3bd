"""Which findings a report shows, and which make a check fail."""

import msgspec
from msgspec.structs import replace

from graphdoctor.model.confidence import Level
from graphdoctor.model.finding import Finding
from graphdoctor.model.report import NotShown, Report
from graphdoctor.model.severity import Severity


class Threshold(msgspec.Struct, frozen=True, kw_only=True):
    """`everything`: notes and findings of low confidence are shown too; they never make a check fail."""

    min_confidence: Level = Level.MEDIUM
    fail_severity: Severity = Severity.SLOW
    everything: bool = False

    def shows(self, finding: Finding) -> bool:
        """Whether a finding is shown."""
        return self.everything or (
            finding.severity.rank <= max(Severity.SLOW.rank, self.fail_severity.rank)
            and self._is_sure(finding)
        )

    def fails(self, finding: Finding) -> bool:
        """Whether a finding makes a check fail."""
        return finding.severity.rank <= self.fail_severity.rank and self._is_sure(finding)

    def _is_sure(self, finding: Finding) -> bool:
        return finding.confidence.level.rank <= self.min_confidence.rank


def shown(report: Report, threshold: Threshold) -> Report:
    """The report with the findings that are shown, and how many are not."""
    left = [finding for finding in report.findings if not threshold.shows(finding)]
    notes = sum(finding.severity is Severity.NOTE for finding in left)
    counts = NotShown(notes=notes, low_confidence=len(left) - notes) if left else msgspec.UNSET
    findings = tuple(filter(threshold.shows, report.findings))
    return replace(report, findings=findings, not_shown=counts)
