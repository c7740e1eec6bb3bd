"""How many findings on code that works are right: recomputed from the labels in docs/precision/labels.csv.

    python scripts/precision.py                      print the figures
    python scripts/precision.py NAME=FOLDER…         check the folders first; say which findings have no label

Each label names a repository, its commit, a place, the rule, and whether the finding is right: whether the
code does, in graph mode, what the rule says. Only ERROR and WRONG findings are labelled; the projects
themselves are not part of this repository.
"""

import collections
import csv
import os
import pathlib
import sys

from graphdoctor.config import Config
from graphdoctor.judging import check_paths
from graphdoctor.model import Severity

LABELS = pathlib.Path(__file__).parents[1] / "docs/precision/labels.csv"
LABELLED = (Severity.ERROR, Severity.WRONG)


def main() -> None:
    """Print the share of right findings, and what has no label."""
    with LABELS.open(encoding="utf-8", newline="") as file:
        labels = list(csv.DictReader(file))
    for argument in sys.argv[1:]:
        name, _, folder = argument.partition("=")
        compare(name, folder, labels)
    right = [label for label in labels if label["verdict"] == "right"]
    by_rule: dict[str, list[bool]] = collections.defaultdict(list)
    for label in labels:
        by_rule[label["rule"]].append(label["verdict"] == "right")
    for rule, verdicts in sorted(by_rule.items()):
        print(f"{rule}: {sum(verdicts)} of {len(verdicts)} right")
    repositories = len({label["repository"] for label in labels})
    print(f"{len(right)} of {len(labels)} findings right ({100 * len(right) / len(labels):.1f} %), ", end="")
    print(f"in {repositories} projects with findings")


def compare(name: str, folder: str, labels: list[dict[str, str]]) -> None:
    """Say which findings of today have no label, and which labels no finding."""
    known = {
        (label["path"], int(label["line"]), label["rule"]) for label in labels if label["repository"] == name
    }
    here = os.getcwd()
    os.chdir(folder)
    report = check_paths(["."], Config())
    os.chdir(here)
    found = {
        (f.path, f.line, f.rule) for f in report.findings if f.severity in LABELLED and f.rule != "GD000"
    }
    for path, line, rule in sorted(found - known):
        print(f"no label: {name} {path}:{line} {rule}")
    for path, line, rule in sorted(known - found):
        print(f"no longer found: {name} {path}:{line} {rule}")


if __name__ == "__main__":
    main()
