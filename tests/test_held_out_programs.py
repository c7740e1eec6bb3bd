"""Programs and small projects that were written by people who did not know how `check` works.

tests/programs/held_out_first to held_out_fifth have them as they were written, each with one mistake
(expected.csv: the rules that may tell it, how it was seen, and what `check` tells), and corrected (`fixed`);
`clean_…` were right from the beginning. On what was new in them `check` has been fixed since.
"""

import csv
from pathlib import Path

import pytest

from graphdoctor.config import Config
from graphdoctor.judging import check_paths

pytestmark = pytest.mark.corpus
FOLDERS = sorted(Path(__file__).with_name("programs").glob("held_out_*"))
RIGHT = [path for folder in FOLDERS for path in sorted([*folder.glob("clean_*"), *folder.glob("fixed/*")])]


def rows(folder: Path) -> list[dict[str, str]]:
    """What is expected of the programs of a folder."""
    with (folder / "expected.csv").open(encoding="utf-8", newline="") as table:
        return list(csv.DictReader(table))


EXPECTED = [(folder / row["name"], row) for folder in FOLDERS for row in rows(folder)]


def reported(path: Path, folder: Path) -> list[str]:
    """What `check` says of a program or project, notes apart."""
    found = [f for f in check_paths([str(path)], Config()).findings if f.is_shown]
    places = [Path(each.path).resolve().relative_to(folder.resolve()).as_posix() for each in found]
    return [f"{each.rule} {place}:{each.line}" for each, place in zip(found, places, strict=True)]


@pytest.mark.parametrize("path", RIGHT, ids=lambda path: path.name)
def test_a_right_program_gets_no_finding(path: Path) -> None:
    assert reported(path, path.parent) == []


@pytest.mark.parametrize(("path", "row"), EXPECTED, ids=[path.name for path, _ in EXPECTED])
def test_the_mistake_is_reported_and_nothing_else(path: Path, row: dict[str, str]) -> None:
    found = reported(path if path.is_dir() else path.with_suffix(".py"), path.parent)
    assert found == [each for each in row["reported"].split(";") if each]
