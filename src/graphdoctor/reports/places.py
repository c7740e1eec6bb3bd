"""One cause in several places of a file is reported once, with all its places."""

from collections.abc import Iterable, Iterator

from graphdoctor.model import Finding

Reported = tuple[Finding, tuple[Finding, ...]]


def reported_once(findings: Iterable[Finding]) -> Iterator[Reported]:
    """Each first finding of its kind, with those of which the same words hold in the same file."""
    alike: dict[object, list[Finding]] = {}
    for finding in findings:
        alike.setdefault(_words(finding), []).append(finding)
    for first, *others in alike.values():
        yield first, tuple(others)


def _words(finding: Finding) -> object:
    """All that a report says about a finding, but for where it is and how that place is reached."""
    fix = (finding.fix.title, finding.fix.safety) if finding.fix else None
    said = (
        finding.rule,
        finding.severity,
        finding.message,
        finding.argument,
        finding.evidence,
        finding.confidence,
    )
    return finding.path, finding.cell, said, finding.observed, fix
