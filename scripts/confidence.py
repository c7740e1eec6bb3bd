"""Which confidence `check` gives to the findings that readers labelled: docs/precision/rounds/confidence.csv.

    python scripts/confidence.py --draw N            the names of N projects with labels, drawn at random
    python scripts/confidence.py NAME=REPOSITORY…    check these projects, and write their levels down

docs/precision/rounds/labels.csv names places and rules, and what a maintainer would make of each finding:
act · harmless · wrong. A project is checked at the labelled commit. The labels come from rounds that were
fixed on since, so that the shares are not blind; `python scripts/evaluation.py` makes the table of them.
REPOSITORY is a git repository, bare or not, that has the commit listed for NAME.
"""

import argparse
import csv
import os
import pathlib
import random
import tempfile
from collections.abc import Iterable

from frozen import check_out
from held_out import FOLDER, Place, place, read

from graphdoctor.config import Config
from graphdoctor.judging import check_paths
from graphdoctor.model import Finding

TABLE = FOLDER / "confidence.csv"
SEED = 20261119
NOT_REPORTED = "not reported"
COLUMNS = ("project", "path", "cell", "line", "rule", "severity", "label", "now", "level")
# Findings of the first rule that the second has reported since the first was split.
SINCE_SPLIT = {"GD201": "GD219"}
Row = dict[str, str]


def main() -> None:
    """Print the names to check, or check some and write the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("repositories", nargs="*", metavar="NAME=REPOSITORY")
    parser.add_argument("--draw", type=int, metavar="N", help="print the names of N projects with labels")
    options = parser.parse_args()
    if not options.draw and not options.repositories:
        parser.error("name repositories, or draw some")
    labels = read("labels")
    if options.draw:
        names = sorted({row["project"] for row in labels})
        print("\n".join(sorted(random.Random(SEED).sample(names, options.draw))))
    rows = read("confidence") if TABLE.exists() else []
    for name, _, repository in (argument.partition("=") for argument in options.repositories):
        found = levels_of(name, repository, labels)
        rows = [row for row in rows if row["project"] != name] + found
        write(rows)
        print(f"{name}: {len(found)} labels", flush=True)


def levels_of(name: str, repository: str, labels: list[Row]) -> list[Row]:
    """The labels of a project, each with the rule and the level that `check` reports there now."""
    (commit,) = {row["commit"] for row in read("projects") if row["project"] == name}
    absent = {row["path"] for row in read("absent") if row["project"] == name}
    with tempfile.TemporaryDirectory() as scratch:
        check_out(repository, commit, absent, pathlib.Path(scratch))
        surest = surest_at_each_place(findings_in(pathlib.Path(scratch, "tree")))
    return [with_level(row, surest) for row in labels if row["project"] == name]


def findings_in(folder: pathlib.Path) -> Iterable[Finding]:
    """What `check` finds in a folder, shown or not."""
    here = os.getcwd()
    os.chdir(folder)
    try:
        return check_paths(["."], Config()).findings
    finally:
        os.chdir(here)


def surest_at_each_place(findings: Iterable[Finding]) -> dict[Place, Finding]:
    """Of the findings of one rule in one line, the one with the highest confidence."""
    surest: dict[Place, Finding] = {}
    for finding in findings:
        at = place(finding, finding.rule)
        if at not in surest or finding.confidence.level.rank < surest[at].confidence.level.rank:
            surest[at] = finding
    return surest


def with_level(label: Row, surest: dict[Place, Finding]) -> Row:
    """A row of the table: the label, the rule that reports it now, and its level."""
    path, cell, line = label["path"], label["cell"], int(label["line"])
    names = (label["rule"], SINCE_SPLIT.get(label["rule"], label["rule"]))
    found = next((surest[at] for rule in names if (at := (path, cell, line, rule)) in surest), None)
    now = {
        "now": found.rule if found else "",
        "level": found.confidence.level.value if found else NOT_REPORTED,
    }
    return {column: {**label, **now}[column] for column in COLUMNS}


def write(rows: list[Row]) -> None:
    """Write the table, in the order of its projects."""
    with TABLE.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(sorted(rows, key=lambda row: (row["project"].lower(), row["path"], row["rule"])))


if __name__ == "__main__":
    main()
