"""What `check` says before and after repairs that public projects made: docs/recall/commits.csv.

    python scripts/recall.py                           the figures, from the table
    python scripts/recall.py --check NAME=REPOSITORY…  look at the trees before and after, and write it down

A row names a commit that repaired a graph-mode problem, the file, and whether the source shows the problem;
`first` is what came of it when its round was looked at first, also where a later reading says that the source
does not show it.
Reported is: in the tree before, a finding in a line that the commit took away or changed, or within three of
one, or one that names such a line as its cause, or one in a function whose first line, its decorator, the
commit changed; silent is: fewer findings of that rule in the file after.
NAME is `owner/name`, REPOSITORY a git repository with the history.
"""

import argparse
import collections
import csv
import os
import pathlib
import re
import subprocess
import tempfile

from frozen import check_out

from graphdoctor.config import Config
from graphdoctor.judging import check_paths
from graphdoctor.model import Finding

TABLE = pathlib.Path(__file__).parents[1] / "docs/recall/commits.csv"
STILL = "told"  # a value of the table: the finding is still there after the repair
NEAR = 3
HUNK = re.compile(r"^@@ -(\d+)(?:,(\d+))? ", re.MULTILINE)


def main() -> None:
    """Print the figures; with --check, look again first."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--check", nargs="+", metavar="NAME=REPOSITORY", default=[])
    repositories = dict(argument.split("=", 1) for argument in parser.parse_args().check)
    rows = read_rows()
    for row in rows:
        if row["project"] in repositories and row["shown"] == "yes":
            row["before"], row["after"] = look(repositories[row["project"]], row)
            print(
                f"{row['project']} {row['commit'][:9]} {row['path']}: {row['before']} {row['after']}",
                flush=True,
            )
    if repositories:
        write_rows(rows)
    for number in sorted({row["round"] for row in rows}):
        tell(number, [row for row in rows if row["round"] == number])


def tell(number: str, rows: list[dict[str, str]]) -> None:
    """Print the figures of one round of repairs."""
    shown = [row for row in rows if row["shown"] == "yes"]
    result = collections.Counter(result_of(row) for row in shown)
    first = collections.Counter(row["first"] for row in rows if row["first"])
    print(f"round {number}: {len(rows)} repairs, {len(shown)} of them shown by the source")
    print(f"  as it ran first: {share(first)}")
    print(f"  now: {share(result)}")


def share(result: collections.Counter[str]) -> str:
    """How many were reported, and what became of each."""
    reported, every = result["found"] + result["noted"], sum(result.values())
    kinds = ", ".join(f"{count} {name}" for name, count in result.most_common())
    return f"{reported} of {every} reported, {reported / every:.0%} ({kinds})"


def result_of(row: dict[str, str]) -> str:
    """`found` before, silent after; `noted`: only a NOTE reports it; `missed`; `still reported` after."""
    if row["before"] == "not looked at":
        return "not looked at"
    if not row["before"]:
        return "missed"
    if row["after"] == STILL:
        return "still reported"
    return "found" if any(not part.endswith("NOTE") for part in row["before"].split()) else "noted"


def look(repository: str, row: dict[str, str]) -> tuple[str, str]:
    """The rules that speak before where the commit changed the file, and whether they still do after."""
    commit, path = row["commit"], row["path"]
    changed = changed_lines(repository, commit, path)
    before = findings(repository, f"{commit}^", path)
    reported = [f for f in before if is_near(f, changed)]
    if not reported:
        return "", ""
    after = collections.Counter(f.rule for f in findings(repository, commit, path))
    earlier = collections.Counter(f.rule for f in before)
    reported = [f for f in reported if after[f.rule] < earlier[f.rule]] or reported
    silent = any(after[f.rule] < earlier[f.rule] for f in reported)
    return " ".join(sorted({f"{f.rule}:{f.severity.value}" for f in reported})), "silent" if silent else STILL


def is_near(finding: Finding, changed: set[int]) -> bool:
    """Whether a finding is about what the commit changed."""
    first = finding.function.line if finding.function and finding.function.path == finding.path else 0
    return first in changed or any(abs(at - line) <= NEAR for at in lines_of(finding) for line in changed)


def lines_of(finding: Finding) -> list[int]:
    """Where a finding stands, and what it names as its cause in the same file."""
    causes = (each.line for each in finding.related if each.path == finding.path)
    return [finding.line, *causes]


def changed_lines(repository: str, commit: str, path: str) -> set[int]:
    """The lines of the file before that the commit took away, changed, or put something at."""
    shown = git(repository, "diff", "-U0", f"{commit}^", commit, "--", path)
    lines: set[int] = set()
    for start, count in HUNK.findall(shown):
        lines |= set(range(int(start), int(start) + max(int(count or 1), 1)))
    return lines


def findings(repository: str, commit: str, path: str) -> list[Finding]:
    """What `check` says of one file of a tree."""
    here = os.getcwd()
    with tempfile.TemporaryDirectory() as scratch:
        check_out(repository, git(repository, "rev-parse", commit).strip(), set(), pathlib.Path(scratch))
        os.chdir(pathlib.Path(scratch, "tree"))
        try:
            return list(check_paths([path], Config()).findings) if os.path.exists(path) else []
        finally:
            os.chdir(here)


def git(repository: str, *arguments: str) -> str:
    """What git prints."""
    command = ["git", f"--git-dir={repository}", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def read_rows() -> list[dict[str, str]]:
    """The repairs."""
    with TABLE.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def write_rows(rows: list[dict[str, str]]) -> None:
    """Write them down, in their order."""
    with TABLE.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys(), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    main()
