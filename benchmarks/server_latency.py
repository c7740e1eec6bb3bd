"""How long after a change diagnostics come, over the protocol.

    python benchmarks/server_latency.py FOLDER… [--changes 20] [--least 430] [--most 600]

Each folder is a project. Its files of about 500 lines (at most five, those that use TensorFlow first) are
opened one after the other in a server of their own, and changed line by line: a comment comes, a line is
doubled or goes. Measured is the time from sending the change to receiving the diagnostics of that version,
with the server's pause for typing set to 0; a change that leaves no Python is not counted. On a busy machine
the processor time that the server took for it says more (Linux, in steps of 10 ms). Without a folder it
measures on the workloads, whose files are shorter.
"""

import argparse
import ast
import os
import pathlib
import random
import statistics
import sys
import time
from collections.abc import Iterator
from typing import NamedTuple

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from tests.language_client import LanguageClient

MOST_FILES = 5


class Change(NamedTuple):
    """From sending a change to its diagnostics, and what the server used of the processor meanwhile."""

    seconds: float
    processor_seconds: float


MENTION = "tensorflow"


def main() -> None:
    """Measure, and print a line for each file and the median of all."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folders", nargs="*", type=pathlib.Path)
    parser.add_argument("--changes", type=int, default=20)
    parser.add_argument("--least", type=int, default=430)
    parser.add_argument("--most", type=int, default=600)
    options = parser.parse_args()
    least = options.least if options.folders else 120
    together: list[Change] = []
    medians: list[float] = []
    for folder in options.folders or [pathlib.Path(__file__).resolve().parents[1] / "workloads"]:
        for path in files_of(folder.resolve(), least, options.most):
            measured = measure(folder.resolve(), path, options.changes)
            if measured:
                together += measured
                medians.append(statistics.median(change.seconds for change in measured))
                show(f"{folder.name}/{path.relative_to(folder.resolve())}", measured)
    if not together:
        sys.exit("no file of that length")
    show(f"all changes in {len(medians)} files", together)
    print(f"{max(medians) * 1000:.0f} ms is the median of the slowest file")
    print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")


def files_of(folder: pathlib.Path, least: int, most: int) -> list[pathlib.Path]:
    """Files of this length, those that use TensorFlow first."""
    found = []
    for path in sorted(folder.rglob("*.py")):
        text = path.read_text(encoding="utf-8", errors="replace")
        if least <= text.count("\n") <= most and "test" not in path.name:
            found.append((MENTION not in text, abs(text.count("\n") - 500), path))
    return [path for _, _, path in sorted(found)[:MOST_FILES]]


def measure(folder: pathlib.Path, path: pathlib.Path, changes: int) -> list[Change]:
    """Each change of one file."""
    measured = []
    with LanguageClient(folder, options={"delay": 0}) as client:
        uri = client.open(path)
        client.diagnostics(uri, 1)
        for version, text in enumerate(texts_of(path.read_text(encoding="utf-8"), changes), start=2):
            begin, used = time.perf_counter(), processor_seconds(client.process.pid)
            client.change(uri, version, {"text": text})
            client.diagnostics(uri, version)
            taken = processor_seconds(client.process.pid) - used
            measured.append(Change(time.perf_counter() - begin, taken))
    return measured


def processor_seconds(process: int) -> float:
    """What a process has used so far; 0 where the system does not say."""
    try:
        fields = pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def texts_of(text: str, changes: int) -> Iterator[str]:
    """The text after each of some changes that leave it Python."""
    chance, lines = random.Random(1), text.split("\n")
    while changes:
        place = chance.randrange(len(lines))
        kind = chance.choice(("comment", "double", "delete"))
        added = {"comment": ["# changed", lines[place]], "double": [lines[place]] * 2, "delete": []}[kind]
        changed = [*lines[:place], *added, *lines[place + 1 :]]
        try:
            ast.parse("\n".join(changed))
        except SyntaxError:
            continue
        lines, changes = changed, changes - 1
        yield "\n".join(lines)


def show(name: str, measured: list[Change]) -> None:
    ordered = sorted(change.seconds for change in measured)
    late = ordered[int(0.95 * (len(ordered) - 1))]
    used = statistics.median(change.processor_seconds for change in measured)
    print(
        f"{name}: median {statistics.median(ordered) * 1000:.0f} ms, 95 % within {late * 1000:.0f} ms, "
        f"processor time {used * 1000:.0f} ms"
    )


if __name__ == "__main__":
    main()
