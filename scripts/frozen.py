"""What `check` finds in public projects now, against what 0.1.0 found (docs/precision/frozen-0.1.0.csv).

    python scripts/frozen.py NAME=REPOSITORY…            what disappeared, and what came
    python scripts/frozen.py --freeze NAME=REPOSITORY…   write down what is found now for these projects

NAME is `owner/name` as in docs/precision/projects.csv, REPOSITORY a git repository that has the commit listed
there, bare or not; `keras=FOLDER` is the folder of an installed Keras. Files that could not be had when the
list was made stand in docs/precision/absent.csv and are left out. The list holds places and rules only: the
projects themselves are not part of this repository.
"""

import argparse
import collections
import contextlib
import csv
import importlib.metadata
import os
import pathlib
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from typing import NamedTuple

from graphdoctor.config import Config
from graphdoctor.judging import check_paths
from graphdoctor.source.keras_generation import READMES, is_of_requirements

FOLDER = pathlib.Path(__file__).parents[1] / "docs/precision"
PROJECTS, FROZEN, ABSENT = (FOLDER / f"{name}.csv" for name in ("projects", "frozen-0.1.0", "absent"))
INSTALLED = "keras"
# What a check reads: the code, and the files that say what to leave out and which Keras is required.
CODE = (".py", ".ipynb")


class Row(NamedTuple):
    """One finding, without any text of the project."""

    project: str
    path: str
    cell: str
    line: int
    rule: str
    severity: str

    def __str__(self) -> str:
        cell = f" cell {self.cell}" if self.cell else ""
        return f"{self.project} {self.path}{cell}:{self.line} {self.rule} {self.severity}"


def main() -> int:
    """Compare or freeze; 1 when something disappeared."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("projects", nargs="+", metavar="NAME=REPOSITORY")
    parser.add_argument("--freeze", action="store_true", help="write down what is found now")
    options = parser.parse_args()
    commits, frozen = read_commits(), read_rows()
    disappeared = came = 0
    for name, _, place in (argument.partition("=") for argument in options.projects):
        started = time.monotonic()
        with opened(name, place, commits[name]) as folder:
            now = find(name, folder)
        before = [row for row in frozen if row.project == name]
        gone, new = difference(before, now), difference(now, before)
        disappeared, came = disappeared + len(gone), came + len(new)
        print(f"{name}: {len(now)} findings, {time.monotonic() - started:.0f} s", flush=True)
        print(
            "".join([f"  disappeared: {row}\n" for row in gone] + [f"  came: {row}\n" for row in new]), end=""
        )
        if options.freeze:
            frozen = [row for row in frozen if row.project != name] + now
    if options.freeze:
        write_rows(frozen)
        return 0
    print(f"{disappeared} disappeared, {came} came")
    return 1 if disappeared else 0


def difference(these: list[Row], those: list[Row]) -> list[Row]:
    """The rows that only the first list has; the same place may be reported more than once."""
    return sorted((collections.Counter(these) - collections.Counter(those)).elements())


def find(name: str, folder: pathlib.Path) -> list[Row]:
    """What `check` finds in a folder."""
    here = os.getcwd()
    os.chdir(folder)
    report = check_paths(["."], Config())
    os.chdir(here)
    return sorted(
        Row(name, f.path, "" if f.cell is None else str(f.cell), f.line, f.rule, f.severity.value)
        for f in report.findings
    )


@contextlib.contextmanager
def opened(name: str, place: str, commit: str) -> Iterator[pathlib.Path]:
    """The code of a project at its commit, in a folder of its own; an installed Keras where it is."""
    if name == INSTALLED:
        version = importlib.metadata.version(INSTALLED)
        if version != commit:
            print(f"{name}: this is {version}, and {commit} is listed")
        yield pathlib.Path(place)
        return
    with tempfile.TemporaryDirectory() as scratch:
        check_out(place, commit, absent_files(name), pathlib.Path(scratch))
        yield pathlib.Path(scratch, "tree")


def check_out(repository: str, commit: str, absent: set[str], scratch: pathlib.Path) -> None:
    """Write the wanted files of a commit that are there to `tree`; the repository stays as it is."""
    tree = scratch / "tree"
    (tree / ".git").mkdir(parents=True)  # the search for files of requirements ends here
    folder = subprocess.run(
        ["git", "-C", repository, "rev-parse", "--absolute-git-dir"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    places = {"GIT_DIR": folder, "GIT_INDEX_FILE": str(scratch / "index"), "GIT_WORK_TREE": str(tree)}

    def git(*arguments: str, given: str = "") -> str:
        command = ["git", *arguments]
        environment = {**os.environ, **places}
        return subprocess.run(
            command,
            cwd=tree,
            env=environment,
            input=given,
            capture_output=True,
            encoding="utf-8",
            errors="surrogateescape",  # names of files may be anything
            check=True,
        ).stdout

    git("read-tree", commit)
    blobs = {name: entry.split()[1] for entry, _, name in _entries(git("ls-files", "-s", "-z"))}
    reported = git("cat-file", "--batch-check", given=_lines(blobs)).splitlines()
    missing = {line.split()[0] for line in reported if line.endswith("missing")}
    wanted = sorted(name for name in blobs.keys() - absent if _is_read(name) and blobs[name] not in missing)
    git("checkout-index", "-z", "--stdin", given="".join(f"{name}\0" for name in wanted))


def _entries(listed: str) -> list[tuple[str, str, str]]:
    """Mode, object and stage, a tab, and the name of each file."""
    return [entry.partition("\t") for entry in listed.split("\0") if entry]


def _lines(blobs: dict[str, str]) -> str:
    return "".join(f"{blob}\n" for blob in blobs.values())


def _is_read(name: str) -> bool:
    base = os.path.basename(name)
    return name.endswith(CODE) or base == ".gitignore" or name in READMES or is_of_requirements(name)


def read_commits() -> dict[str, str]:
    """The commit of each project; of an installed one its version."""
    with PROJECTS.open(encoding="utf-8", newline="") as file:
        return {row["project"]: row["commit"] for row in csv.DictReader(file)}


def absent_files(project: str) -> set[str]:
    """The files of a project that could not be had."""
    with ABSENT.open(encoding="utf-8", newline="") as file:
        return {row["path"] for row in csv.DictReader(file) if row["project"] == project}


def read_rows() -> list[Row]:
    """What 0.1.0 found."""
    if not FROZEN.exists():
        return []
    with FROZEN.open(encoding="utf-8", newline="") as file:
        return [Row(**{**row, "line": int(row["line"])}) for row in csv.DictReader(file)]


def write_rows(rows: list[Row]) -> None:
    """Write them down, in order."""
    with FROZEN.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerows([Row._fields, *sorted(rows)])


if __name__ == "__main__":
    sys.exit(main())
