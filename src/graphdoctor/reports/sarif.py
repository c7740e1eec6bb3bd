"""Findings as SARIF 2.1.0, for GitHub code scanning and other viewers, with the fixes."""

import msgspec

from graphdoctor.model import Edit, Finding, Report, Severity, Span

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json"
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
                "results": [_result(finding, sorted(rules)) for finding in report.findings],
            }
        ],
    }
    return msgspec.json.format(msgspec.json.encode(log), indent=2).decode() + "\n"


def _rule(finding: Finding) -> dict[str, object]:
    return {
        "id": finding.rule,
        "name": finding.name,
        "defaultConfiguration": {"level": LEVELS[finding.severity]},
    }


def _result(finding: Finding, rules: list[str]) -> dict[str, object]:
    result: dict[str, object] = {
        "ruleId": finding.rule,
        "ruleIndex": rules.index(finding.rule),
        "level": LEVELS[finding.severity],
        "message": {"text": finding.message},
        "locations": [_location(finding)],
    }
    related = [*finding.related, *finding.reached]
    if related:
        result["relatedLocations"] = [
            {**_location(place), "id": number, "message": {"text": place.message}}
            for number, place in enumerate(related)
        ]
    if finding.fix is not None and finding.fix.edits:
        result["fixes"] = [
            {"description": {"text": finding.fix.title}, "artifactChanges": _changes(finding.fix.edits)}
        ]
    return result


def _location(span: Span) -> dict[str, object]:
    return {"physicalLocation": {"artifactLocation": {"uri": _uri(span.path)}, "region": _region(span)}}


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
