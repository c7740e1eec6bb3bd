"""JSON reports and recordings keep their fields, their versions and, words aside, their findings."""

import json

import pytest

from tests.compatibility.stored import FIELDS, FINDINGS, FOLDERS, checked, fields, rows

STORED = json.loads(FIELDS.read_text(encoding="utf-8"))
NOW = json.loads(json.dumps(fields()))


def test_the_versions_are_the_stored_ones() -> None:
    assert NOW["versions"] == STORED["versions"]


@pytest.mark.parametrize("part", ["report", "recording"])
def test_no_field_is_removed_or_renamed(part: str) -> None:
    gone = {
        name: sorted(set(names) - set(NOW[part].get(name, ())))
        for name, names in STORED[part].items()
        if not set(names) <= set(NOW[part].get(name, ()))
    }
    assert gone == {}


@pytest.mark.corpus
@pytest.mark.parametrize("folder", FOLDERS)
def test_findings_are_the_stored_ones(folder: str) -> None:
    assert rows(checked(folder)) == json.loads(FINDINGS.read_text(encoding="utf-8"))[folder]


def test_a_renamed_rule_or_another_edit_is_noticed() -> None:
    span = {"path": "a.py", "line": 1, "column": 1, "end_line": 1, "end_column": 5}
    fix = {"safety": "safe", "edits": [{**span, "text": "x"}]}
    finding = {**span, "rule": "GD101", "name": "old", "severity": "SLOW", "confidence": {"level": "HIGH"}}
    finding |= {"fix": fix, "alternatives": [], "message": "one"}
    other_edit = {**fix, "edits": [{**span, "text": "y"}]}
    same, *others = (
        rows({"findings": [finding | change]})
        for change in ({"message": "two"}, {"name": "new"}, {"severity": "NOTE"}, {"fix": other_edit})
    )
    assert same == rows({"findings": [finding]})
    assert all(other != same for other in others)
