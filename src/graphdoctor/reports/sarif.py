"""Findings as SARIF 2.1.0, for GitHub code scanning and other viewers, with the fixes."""

import msgspec

from graphdoctor.model import Edit, Finding, Level, Report, Severity, Span
from graphdoctor.model.digests import digest
from graphdoctor.reports.lines import in_cell
from graphdoctor.reports.rule_texts import rule_text

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json"
RANKS = {Level.HIGH: 90.0, Level.MEDIUM: 60.0, Level.LOW: 20.0}
LEVELS = {
    Severity.ERROR: "error",
    Severity.WRONG: "error",
    Severity.SLOW: "warning",
    Severity.NOTE: "note",
}


def render_sarif(report: Report) -> str:
    """The report as one SARIF run."""
    rules = {finding.rule: finding for finding in report.findings}
    log = {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "graphdoctor",
                        "version": report.graphdoctor,
                        "rules": [_rule(rules[identifier]) for identifier in sorted(rules)],
                    }
                },
                "columnKind": "unicodeCodePoints",
                "results": [
                    _result(finding, sorted(rules), fingerprint)
                    for finding, fingerprint in zip(
                        report.findings, _fingerprints(report.findings), strict=True
                    )
                ],
            }
        ],
    }
    return msgspec.json.format(msgspec.json.encode(log), indent=2).decode() + "\n"


def _rule(finding: Finding) -> dict[str, object]:
    """The rule, with the texts that viewers show beside its results."""
    described: dict[str, object] = {
        "id": finding.rule,
        "name": finding.name,
        "defaultConfiguration": {"level": LEVELS[finding.severity]},
    }
    text = rule_text(finding.rule)
    if text is not None:
        described["shortDescription"] = {"text": text.summary}
        described["fullDescription"] = {"text": " ".join(text.sections["What it finds"].split())}
        described["help"] = {"text": text.page, "markdown": text.page}
    return described


def _fingerprints(findings: tuple[Finding, ...]) -> list[str]:
    """What stays the same when lines move: rule, file, function and subject, equal ones by number."""
    counted: dict[tuple[str, ...], int] = {}
    found = []
    for finding in findings:
        function = finding.function.name if finding.function else ""
        key = (finding.rule, finding.path, function, finding.argument or "")
        counted[key] = counted.get(key, 0) + 1
        found.append(digest("|".join((*key, str(counted[key]))).encode(), 16))
    return found


def _result(finding: Finding, rules: list[str], fingerprint: str) -> dict[str, object]:
    result: dict[str, object] = {
        "ruleId": finding.rule,
        "ruleIndex": rules.index(finding.rule),
        "level": LEVELS[finding.severity],
        "rank": RANKS[finding.confidence.level],
        "message": {"text": in_cell(finding) + finding.message},
        "locations": [_location(finding)],
        "partialFingerprints": {"graphdoctor/v1": fingerprint},
        "properties": {
            "precision": finding.confidence.level.value.lower(),
            "reasons": list(finding.confidence.reasons),
        },
    }
    related = [*finding.related, *finding.reached]
    if related:
        result["relatedLocations"] = [
            {**_location(place), "id": number, "message": {"text": in_cell(place) + place.message}}
            for number, place in enumerate(related)
        ]
    if finding.reached:
        result["codeFlows"] = [_flow(finding)]
    if finding.fixes and finding.cell is None:
        result["fixes"] = [
            {"description": {"text": fix.title}, "artifactChanges": _changes(fix.edits)}
            for fix in finding.fixes
        ]
    return result


def _flow(finding: Finding) -> dict[str, object]:
    """The way to the finding, place by place; it ends where the finding is."""
    steps = [(place, place.message) for place in finding.reached] + [(finding, finding.message)]
    locations = [
        {"location": {**_location(place), "message": {"text": in_cell(place) + message}}}
        for place, message in steps
    ]
    return {"threadFlows": [{"locations": locations}]}


def _location(span: Span) -> dict[str, object]:
    """Where it is; lines of a notebook's cell are not lines of its file, so the whole file is named."""
    region = _region(span) if span.cell is None else {"startLine": 1}
    return {"physicalLocation": {"artifactLocation": {"uri": _uri(span.path)}, "region": region}}


def _uri(path: str) -> str:
    from urllib.parse import quote

    return quote(path.replace("\\", "/"))


def _region(span: Span) -> dict[str, int]:
    return {
        "startLine": span.line,
        "startColumn": span.column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
    }


def _changes(edits: tuple[Edit, ...]) -> list[dict[str, object]]:
    return [
        {
            "artifactLocation": {"uri": _uri(path)},
            "replacements": [
                {"deletedRegion": _region(edit), "insertedContent": {"text": edit.text}}
                for edit in edits
                if edit.path == path
            ],
        }
        for path in sorted({edit.path for edit in edits})
    ]
