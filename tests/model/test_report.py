"""The nouns: frozen, hashable, and the same after a trip through JSON."""

import jsonschema
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphdoctor.model import Finding, Report, Severity

# Seconds are finite numbers; JSON has no others.
st.register_type_strategy(float, st.floats(allow_nan=False, allow_infinity=False))
REPORTS = st.builds(
    Report,
    graphdoctor=st.text(),
    tensorflow=st.none() | st.text(),
    findings=st.lists(st.from_type(Finding), max_size=2).map(tuple),
)


@given(REPORTS)
def test_report_survives_json(report: Report) -> None:
    written = report.without_details()
    assert Report.from_json(report.to_json()) == written
    assert hash(written) == hash(Report.from_json(report.to_json()))


VALIDATOR = jsonschema.Draft202012Validator(msgspec.json.schema(Report))


@given(REPORTS)
def test_report_keeps_to_its_schema(report: Report) -> None:
    VALIDATOR.validate(msgspec.json.decode(report.to_json()))


def test_findings_are_frozen() -> None:
    finding = Finding(
        path="a.py",
        line=1,
        column=1,
        end_line=1,
        end_column=2,
        rule="GD101",
        name="n",
        severity=Severity.SLOW,
        message="m",
    )
    with pytest.raises(AttributeError):
        finding.rule = "GD102"  # type: ignore[misc]


def test_json_has_the_agreed_fields() -> None:
    fields = set(msgspec.json.schema(Report)["$defs"]["Finding"]["properties"])
    assert fields >= {
        "rule", "name", "severity", "evidence", "path", "line", "column", "end_line", "end_column",
        "cell", "function", "message", "related", "fix", "observed",
    }  # fmt: skip
    assert set(msgspec.json.schema(Report)["$defs"]["Report"]["properties"]) >= {
        "schema_version", "graphdoctor", "tensorflow", "complete", "findings", "functions",
    }  # fmt: skip
    assert set(msgspec.json.schema(Report)["$defs"]["FunctionSummary"]["properties"]) >= {
        "name", "path", "line", "objects", "calls", "traces", "retraces", "seconds", "operations", "causes",
    }  # fmt: skip
    assert set(msgspec.json.schema(Report)["$defs"]["Cause"]["properties"]) >= {
        "argument", "change", "before", "now", "axis", "count", "seconds", "benign",
    }  # fmt: skip
