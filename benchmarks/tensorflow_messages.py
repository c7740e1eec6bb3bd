"""What TensorFlow itself says of the field cases: an exception, a warning, or nothing; beside graphdoctor.

    python benchmarks/tensorflow_messages.py             run each faulty case plainly, and print the table
    python benchmarks/tensorflow_messages.py '03*'       only the cases of these names

An exception names the line where a line of the program in its traceback is near the mistake, as
`tests/scoring.py` means it. What `check` and `run` find is what tests/ratchet holds. These are the cases by
which graphdoctor is developed.
"""

import collections
import fnmatch
import importlib.metadata
import os
import pathlib
import re
import subprocess
import sys
import types

import msgspec

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from tests.scoring import Case, all_cases, is_near

from graphdoctor.log_filter import without_log_noise

LINE = re.compile(r'program\.py", line (\d+)')
WARNING = re.compile(r"^WARNING:tensorflow:|UserWarning:|^W\d{4} ", re.MULTILINE)
TIME_LIMIT = 300
OUTCOMES = (
    ("an exception that names the line", "error, placed"),
    ("an exception elsewhere", "error"),
    ("a warning, without the line", "warning"),
    ("nothing", "silent"),
)


def main(patterns: list[str]) -> None:
    """Run the cases, and print what was said of how many."""
    chosen = [case for case in all_cases() if not case.is_clean and _is_chosen(case, patterns)]
    found: dict[str, list[str]] = collections.defaultdict(list)
    for case in chosen:
        outcome = said_of(case)
        found[outcome].append(case.name)
        print(f"{case.name}: {outcome}", flush=True)
    hits = {name: set(_kept(name)) for name in ("check", "run")}
    print(f"\n| TensorFlow {_version()} says | of {len(chosen)} cases | `check` finds | `run` finds |")
    print("|---|---|---|---|")
    for title, outcome in OUTCOMES:
        names = set(found[outcome])
        print(f"| {title} | {len(names)} | {len(names & hits['check'])} | {len(names & hits['run'])} |")


def _is_chosen(case: Case, patterns: list[str]) -> bool:
    return not patterns or any(fnmatch.fnmatch(case.name, pattern) for pattern in patterns)


def said_of(case: Case) -> str:
    """What a plain run of a case says."""
    environment = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "1", "CUDA_VISIBLE_DEVICES": ""}
    done = subprocess.run(
        [sys.executable, str(case.program)],
        env=environment,
        capture_output=True,
        text=True,
        timeout=TIME_LIMIT,
        check=False,
    )
    text = without_log_noise(done.stderr)
    if done.returncode != 0:
        lines = [int(line) for line in LINE.findall(text)]
        near = any(is_near(types.SimpleNamespace(line=line, end_line=line), case.truth) for line in lines)
        return "error, placed" if near else "error"
    return "warning" if WARNING.search(text) else "silent"


def _kept(command: str) -> list[str]:
    path = pathlib.Path(__file__).resolve().parents[1] / "tests" / "ratchet" / f"{command}.json"
    return list(msgspec.json.decode(path.read_bytes())["hits"])


def _version() -> str:
    found = importlib.metadata.distributions()
    installed = {each.metadata["Name"].lower().replace("_", "-"): each.version for each in found}
    return installed.get("tensorflow") or installed.get("tensorflow-cpu", "")


if __name__ == "__main__":
    main(sys.argv[1:])
