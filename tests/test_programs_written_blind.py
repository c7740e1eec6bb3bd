"""Programs and small projects that were written by someone who did not know how `check` works.

tests/programs/blind has them as they were written, each with one mistake (expected.csv), and corrected
(`fixed`); `clean_…` were right from the beginning. On what was new in them `check` has been mended since.
"""

import csv
from pathlib import Path

import pytest

from graphdoctor.config import Config
from graphdoctor.judging import check_paths
from graphdoctor.model import Severity

FOLDER = Path(__file__).with_name("programs") / "blind"
with (FOLDER / "expected.csv").open(encoding="utf-8", newline="") as table:
    EXPECTED = {row["name"]: row for row in csv.DictReader(table)}
RIGHT = sorted([*FOLDER.glob("clean_*"), *(FOLDER / "fixed").iterdir()])


def told(path: Path) -> list[tuple[str, str, int]]:
    """What `check` says of a program or project, notes apart."""
    findings = check_paths([str(path)], Config()).findings
    return [
        (finding.rule, Path(finding.path).resolve().relative_to(FOLDER.resolve()).as_posix(), finding.line)
        for finding in findings
        if finding.severity is not Severity.NOTE
    ]


@pytest.mark.parametrize("path", RIGHT, ids=lambda path: path.name)
def test_a_right_program_gets_no_finding(path: Path) -> None:
    assert told(path) == []


@pytest.mark.parametrize("name", EXPECTED)
def test_the_mistake_is_told_and_nothing_else(name: str) -> None:
    row = EXPECTED[name]
    path = FOLDER / name
    found = told(path if path.is_dir() else path.with_suffix(".py"))
    assert found == [(row["rule"], row["path"], int(row["line"]))]
