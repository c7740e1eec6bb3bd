"""The held-out rounds: what `check` found in projects that had never been used, and what it was worth.

    python scripts/held_out.py                   the figures of each round, from the labels
    python scripts/held_out.py NAME=REPOSITORY…  and which findings now have no label, or are gone

Each round's projects were listed (docs/precision/rounds/projects.csv) before any of them was checked. A
label (docs/precision/rounds/labels.csv) names a place and a rule, and says what a maintainer would make of
the finding: act · harmless · wrong. docs/precision/rounds/second.csv has those of the second
reader, from round 29 on. Files that cannot be read as Python (GD000) are not labelled. REPOSITORY
is a git repository, bare or not, that has the commit listed for NAME.
"""

import collections
import csv
import os
import pathlib
import sys
import tempfile

from frozen import check_out

from graphdoctor.config import Config
from graphdoctor.judging import check_paths
from graphdoctor.judging.copies import COPY
from graphdoctor.judging.same_cause import ALSO, grouped
from graphdoctor.model import Span

FOLDER = pathlib.Path(__file__).parents[1] / "docs/precision/rounds"
Place = tuple[str, str, int, str]
COUNTED = ("ERROR", "WRONG", "SLOW")
SINCE = 29  # the first round with the rule on data from outside


def main() -> None:
    """Print the figures, after what has no label."""
    labels, projects, second = read("labels"), read("projects"), read("second")
    for name, _, place in (argument.partition("=") for argument in sys.argv[1:]):
        compare(name, place, projects, labels)
    for number in sorted({row["round"] for row in projects}, key=int):
        chosen = sum(row["round"] == number for row in projects)
        print(f"round {number}: {chosen} projects")
        for title, severities in (("ERROR and WRONG", COUNTED[:2]), ("SLOW", COUNTED[2:])):
            print(f"  {title}: {figures(labels, number, severities)}")
        again = [row for row in second if row["round"] == number]
        if again:
            print(f"  the second reader: {agreement(labels, again)}")
    later = [row for row in labels if int(row["round"]) >= SINCE]
    print(f"from round {SINCE} on: {sum(int(row['round']) >= SINCE for row in projects)} projects")
    for title, severities in (("ERROR and WRONG", COUNTED[:2]), ("SLOW", COUNTED[2:])):
        print(f"  {title}: {worth([row for row in later if row['severity'] in severities])}")


def read(name: str) -> list[dict[str, str]]:
    """The rows of one of the tables."""
    with (FOLDER / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def figures(labels: list[dict[str, str]], number: str, severities: tuple[str, ...]) -> str:
    """How many findings of a round are of which worth."""
    return worth([row for row in labels if row["round"] == number and row["severity"] in severities])


def worth(rows: list[dict[str, str]]) -> str:
    """How many of some findings are of which worth."""
    if not rows:
        return "no findings"
    count = collections.Counter(row["label"] for row in rows)
    true = count["act"] + count["harmless"]
    return (
        f"{len(rows)} findings in {len({row['project'] for row in rows})} projects, "
        f"{count['act']} to act on ({count['act'] / len(rows):.0%}), "
        f"{count['harmless']} harmless, {count['wrong']} wrong: {true / len(rows):.0%} true"
    )


def agreement(labels: list[dict[str, str]], again: list[dict[str, str]]) -> str:
    """How many labels of a second reader, who did not see the first's, are the same."""
    names = ("round", "project", "path", "cell", "line", "rule", "label")
    first = collections.Counter(tuple(row[name] for name in names) for row in labels)
    others = collections.Counter(tuple(row[name] for name in names) for row in again)
    return f"{(first & others).total()} of {len(again)} labels the same"


def compare(name: str, place: str, projects: list[dict[str, str]], labels: list[dict[str, str]]) -> None:
    """Say which findings of today have no label, and which labels no finding."""
    (commit,) = (row["commit"] for row in projects if row["project"] == name)
    absent = {row["path"] for row in read("absent") if row["project"] == name}
    with tempfile.TemporaryDirectory() as scratch:
        check_out(place, commit, absent, pathlib.Path(scratch))
        reported = find(pathlib.Path(scratch, "tree"))
    found = {each for _, places in reported for each in places}
    print(f"{name}: {len(reported)} findings of {len(found)} places")
    known = {
        (row["path"], row["cell"], int(row["line"]), row["rule"]) for row in labels if row["project"] == name
    }
    unknown = {first for first, places in reported if not known.intersection(places)}
    for path, cell, line, rule in sorted(unknown):
        print(f"no label: {name} {path} {cell}:{line} {rule}")
    for path, cell, line, rule in sorted(known - found):
        print(f"no longer found: {name} {path} {cell}:{line} {rule}")


def find(folder: pathlib.Path) -> list[tuple[Place, set[Place]]]:
    """What `check` finds in a folder, but for notes: where each is reported, and all places of its cause."""
    here = os.getcwd()
    os.chdir(folder)
    report = grouped(check_paths(["."], Config()))
    os.chdir(here)
    counted = [finding for finding in report.findings if finding.severity.value in COUNTED]
    return [
        (
            place(f, f.rule),
            {place(f, f.rule), *(place(r, f.rule) for r in f.related if r.message in (ALSO, COPY))},
        )
        for f in counted
    ]


def place(span: Span, rule: str) -> Place:
    """What a finding and a label have in common."""
    return span.path, "" if span.cell is None else str(span.cell), span.line, rule


if __name__ == "__main__":
    main()
