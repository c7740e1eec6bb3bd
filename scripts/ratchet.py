"""What graphdoctor finds in the field cases and rule examples, against what it found before.

    python scripts/ratchet.py check                   by `check`, in seconds
    python scripts/ratchet.py run                     by `run`, under the real TensorFlow, in many minutes
    python scripts/ratchet.py run '0*' GD101-1        only the cases and examples of these names
    python scripts/ratchet.py check --update          keep what is better than before

Prints the score, each miss, and what was lost; exit 1 when something was. What is kept (tests/ratchet) only
ever rises: an update adds hits and drops alarms that have ended, never the other way round.
"""

import argparse
import fnmatch
import os
import pathlib
import subprocess
import sys
import tempfile

import msgspec

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))

from tests.ratcheting import (
    Record,
    all_examples,
    measure_check,
    names_of,
    note_alarms,
    note_case,
    read_record,
    score,
    write_record,
)
from tests.running import TensorFlowServer
from tests.scoring import all_cases

from graphdoctor.model import Evidence, Finding, Report

TIME_LIMIT = 240


def main() -> int:
    """Measure, compare, and keep what is better; 1 when something was lost."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("half", choices=("check", "run"))
    parser.add_argument("patterns", nargs="*", metavar="PATTERN")
    parser.add_argument("--update", action="store_true", help="keep what is better than before")
    options = parser.parse_args()
    names = measured_names(options.patterns)
    now = (measure_check() if options.half == "check" else measure_run(names)).only(names)
    print_score(now, names, from_run=options.half == "run")
    before = read_record(options.half)
    losses = before.only(names).losses(now)
    print("\n".join(losses) or "nothing lost")
    if options.update:
        write_record(options.half, before.raised(now, names))
    return 1 if losses else 0


def measured_names(patterns: list[str]) -> list[str]:
    """What a record calls the wanted cases, examples and their programs."""
    wanted = patterns or ["*"]
    cases = [names_of(case) for case in all_cases()]
    examples = [[name, f"{name}/good"] for name, _, _ in all_examples()]
    return [
        name
        for group in cases + examples
        for name in group
        if any(fnmatch.fnmatch(group[0], pattern) for pattern in wanted)
    ]


def measure_run(names: list[str]) -> Record:
    """What `run` finds in these field cases and examples."""
    record = Record()
    for case in all_cases():
        if case.name in names:
            findings = run_program(case.program)
            note_case(record, case, findings, from_run=True)
            said = " ".join(f"{finding.rule}:{finding.line}" for finding in findings)
            print(f"{case.name}: {said or 'nothing'}", flush=True)
    with tempfile.TemporaryDirectory() as scratch:
        server = TensorFlowServer(pathlib.Path(scratch))
        for name, rule, example in all_examples():
            if name in names:
                bad, good = (server.run(text, calls=example.calls) for text in (example.bad, example.good))
                found = {f.rule for f in bad.report.findings if f.evidence is not Evidence.SOURCE}
                if rule.id in found:
                    record.examples.append(name)
                note_alarms(record, f"{name}/good", good.report.findings)
                print(f"{name}: {'found' if rule.id in found else 'not found'}", flush=True)
        server.close()
    return record


def run_program(program: pathlib.Path) -> list[Finding]:
    """What `graphdoctor run` says of a program, in a directory of its own; nothing when it takes too long."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        (folder / program.name).write_bytes(program.read_bytes())
        command = [sys.executable, "-m", "graphdoctor", "run", "-q", "-o", "report.json", program.name]
        environment = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": ""}
        try:
            subprocess.run(
                command, cwd=folder, env=environment, capture_output=True, timeout=TIME_LIMIT, check=False
            )
            report = msgspec.json.decode((folder / "report.json").read_bytes(), type=Report)
        except (subprocess.TimeoutExpired, FileNotFoundError):
            return []
        return list(report.findings)


def print_score(record: Record, names: list[str], *, from_run: bool) -> None:
    """How many of the cases that count are hit, the others by name, and all alarms."""
    hit, missed = ([name for name in part if name in names] for part in score(record, from_run=from_run))
    for name in missed:
        print(f"miss: {name}")
    for program, alarms in record.alarms.items():
        print(f"alarm: {program} {' '.join(alarms)}")
    print(
        f"{len(hit)} of {len(hit) + len(missed)} field cases hit, "
        f"{len(record.named)} with the argument named; "
        f"{len(record.examples)} examples found; {len(record.alarms)} right programs with alarms"
    )


if __name__ == "__main__":
    sys.exit(main())
