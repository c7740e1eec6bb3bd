"""Whether the account of time blames the right phase and line: programs with a known cost in one of them.

Each program of `accounting_programs/` measures what it spends on purpose; its first word names the phase,
`# cost` marks the lines that spend it, `# caller` those that wait for them and do other things as well.
`right` is the part of the spent seconds that the account puts on this phase and these lines; `wrong` is the
largest part that it puts on another phase of the lines that spend it. The account adds up to the wall time:
no wrong phase has more than 1 - right.

    python benchmarks/accounting.py [--only NAME] [--markdown]
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

PROGRAMS = pathlib.Path(__file__).parent / "accounting_programs"
HELPERS = ("injected", "slow_module")
SLOW_LINE = ("slow_module.py", 5)
LEAST_RIGHT, MOST_WRONG = 0.85, 0.1


def main() -> None:
    """Run each program once, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", help="the name of one program")
    parser.add_argument("--markdown", action="store_true")
    arguments = parser.parse_args()
    names = sorted(path.stem for path in PROGRAMS.glob("*.py") if path.stem not in HELPERS)
    rows = [measure(name) for name in names if arguments.only in (None, name)]
    show(rows, arguments.markdown)


def measure(name: str) -> dict[str, object]:
    """What a program spent, and what the account says of it."""
    path = PROGRAMS / f"{name}.py"
    with tempfile.TemporaryDirectory() as folder:
        report, injected = pathlib.Path(folder) / "report.json", pathlib.Path(folder) / "injected"
        command = [
            sys.executable,
            "-m",
            "graphdoctor",
            "run",
            "-q",
            "--recording",
            f"{folder}/recording.jsonl",
        ]
        subprocess.run(
            [*command, "-o", str(report), path.name],
            cwd=PROGRAMS,
            env={**os.environ, "INJECTED": str(injected), "TF_CPP_MIN_LOG_LEVEL": "3"},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        return judge(name, path.read_text(), float(injected.read_text()), json.loads(report.read_text()))


def judge(name: str, text: str, spent: float, report: dict) -> dict[str, object]:
    """The parts of what was spent that the account puts on the right and on a wrong phase."""
    phase = text.removeprefix('"""').partition(":")[0]
    lines = list(enumerate(text.splitlines(), 1))
    spending = {(f"{name}.py", number) for number, line in lines if line.endswith("# cost")}
    callers = {(f"{name}.py", number) for number, line in lines if line.endswith("# caller")}
    found: dict[str, float] = {}
    right = 0.0
    for one in report["time"]["phases"]:
        for line in one["lines"]:
            place = os.path.basename(line["path"]), line["line"]
            if one["phase"] == phase:
                right += line["seconds"] if place in spending | callers | {SLOW_LINE} else 0.0
            elif place in spending:
                found[one["phase"]] = found.get(one["phase"], 0.0) + line["seconds"]
    wrong = max(found.items(), key=lambda item: item[1], default=("", 0.0))
    return {
        "name": name,
        "phase": phase,
        "spent": spent,
        "right": right / spent,
        "wrong": wrong[1] / spent,
        "where": wrong[0],
        "estimated": any(one["estimated"] for one in report["time"]["phases"] if one["phase"] == phase),
    }


def show(rows: list[dict[str, object]], markdown: bool) -> None:
    """The table, with the misses marked."""
    if markdown:
        print("| program | phase | injected | right | wrong | |\n|---|---|---|---|---|---|")
    for row in rows:
        missed = row["right"] < LEAST_RIGHT or row["wrong"] > MOST_WRONG
        wrong = f"{row['wrong']:.2f}" + (f" ({row['where']})" if row["where"] else "")
        about = "about " if row["estimated"] else ""
        cells = (row["name"], row["phase"], f"{row['spent']:.1f} s", f"{about}{row['right']:.2f}", wrong)
        last = "missed" if missed else ""
        if markdown:
            print("| " + " | ".join((*map(str, cells), last)) + " |")
        else:
            print(
                f"{cells[0]:<28} {cells[1]:<18} {cells[2]:>8} {cells[3]:>11} {cells[4]:<26} {last}",
                flush=True,
            )
    missed = sum(row["right"] < LEAST_RIGHT or row["wrong"] > MOST_WRONG for row in rows)
    print(f"\n{len(rows) - missed} of {len(rows)} within {LEAST_RIGHT} right and {MOST_WRONG} wrong")


if __name__ == "__main__":
    main()
