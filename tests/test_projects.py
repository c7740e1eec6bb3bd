"""Small projects with one mistake each: what `check` reports of them, and that it is silent on fixed ones."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from graphdoctor.config import Config
from graphdoctor.judging import check_paths
from graphdoctor.model import Finding

pytestmark = pytest.mark.corpus
FOLDER = Path(__file__).with_name("projects")
TABLE = FOLDER / "expected.csv"
NEAR_LINES = 3
FEWEST_FOUND = 35  # of the 39 that can be found in the source


def rows() -> list[dict[str, str]]:
    """What is expected of each project."""
    with TABLE.open(encoding="utf-8", newline="") as table:
        return list(csv.DictReader(table))


ROWS = rows() if TABLE.exists() else []
FIXED = sorted(path for path in FOLDER.glob("*/after") if path.is_dir())


def shown(folder: Path) -> list[Finding]:
    """The findings that `check` shows of a project."""
    return [f for f in check_paths([str(folder)], Config()).findings if f.is_shown]


def place(finding: Finding, folder: Path) -> str:
    return Path(finding.path).resolve().relative_to(folder.resolve()).as_posix()


def listed(found: list[Finding], folder: Path) -> str:
    return ";".join(f"{each.rule} {place(each, folder)}:{each.line}" for each in found)


def is_hit(finding: Finding, folder: Path, truth: dict[str, Any], rules: tuple[str, ...]) -> bool:
    """Whether a finding of the right rule is near the cause, or in the function concerned."""
    causes = [{"file": truth["file"], "line": truth["line"]}, *(truth.get("also_acceptable") or [])]
    near = any(
        place(finding, folder) == cause["file"] and abs(finding.line - line) <= NEAR_LINES
        for cause in causes
        for line in (cause["line"] if isinstance(cause["line"], list) else [cause["line"]])
    )
    own = str(truth.get("function") or "").rpartition(".")[2]
    named = finding.function is not None and finding.function.name.rpartition(".")[2] == own
    return finding.rule.startswith(rules) and (near or named)


def reported(row: dict[str, str]) -> dict[str, str]:
    """What `check` reports of a project today, as a row of the table."""
    folder = FOLDER / row["name"] / "before"
    truth, found = json.loads((folder.parent / "truth.json").read_text(encoding="utf-8")), shown(folder)
    rules = tuple(row["rules"].split())
    hit = bool(rules) and any(is_hit(each, folder, truth, rules) for each in found)
    return {**row, "found": "yes" if hit else "no", "reported": listed(found, folder)}


@pytest.mark.parametrize("row", ROWS, ids=[row["name"] for row in ROWS])
def test_a_project_gets_the_findings_that_are_expected(row: dict[str, str]) -> None:
    assert reported(row) == row


@pytest.mark.parametrize("folder", FIXED, ids=lambda folder: folder.parent.name)
def test_a_fixed_project_gets_no_finding(folder: Path) -> None:
    assert listed(shown(folder), folder) == ""


def test_most_mistakes_are_found() -> None:
    can_be_found = [row for row in ROWS if row["detectable"] == "yes"]
    assert len(ROWS) == 48
    assert len(can_be_found) == 39
    assert sum(row["found"] == "yes" for row in can_be_found) >= FEWEST_FOUND


if __name__ == "__main__":
    written = [reported(row) for row in ROWS]
    with TABLE.open("w", encoding="utf-8", newline="") as table:
        writer = csv.DictWriter(table, list(ROWS[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(written)
