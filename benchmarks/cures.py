"""The field cases of tests/cases, cured by `graphdoctor fix`: edits, traces, seconds, what is equal.

    python benchmarks/cures.py                 all of them
    python benchmarks/cures.py 001 05 --diff   those whose names begin so, with their edits

Cured: what is wrong with the case is no longer found, and the edited program is proven equal to the
original (or to its eager run, where the original dies or is wrong). Broken: edits that `fix` took for
proven, and that are none: the finding is still there, or the program is traced more often than before.
"""

import argparse
import collections
import pathlib
import shutil
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tests"))

from curing import search_cure
from graphdoctor.fixing.curing import Search
from graphdoctor.model.cure import Cure
from running import TensorFlowServer
from scoring import Case, all_cases

CURED, NOT_CURED, NO_EDIT, BROKEN, CLEAN, ALARM = (
    "cured",
    "edited, not cured",
    "no edit",
    "BROKEN",
    "clean, left alone",
    "clean, EDITED",
)


def verdict_of(case: Case, search: Search, cure: Cure) -> tuple[str, str]:
    """What the edits did for a case, and why not more."""
    kept = ", ".join(f"{one.rule} {one.title}" for one in cure.kept)
    refused = "; ".join(f"{one.rule} {one.title}: {one.reason}" for one in cure.mended if one.reason)
    if case.is_clean:
        return (ALARM, kept) if cure.kept else (CLEAN, refused)
    left = "; ".join(f"{one.rule} {one.title or 'no fix'}" for one in cure.left)
    if not cure.kept:
        return (NOT_CURED, refused) if refused else (NO_EDIT, left or "nothing found")
    assert search.best is not None
    report = search.best.trial.report
    if case.hits(report.findings if report else ()):
        return NOT_CURED, f"{kept}; still found: {left}"
    if cure.after is not None and cure.after.traces > cure.before.traces > 0 and not cure.before.exit_code:
        return BROKEN, f"{kept}: {cure.before.traces} → {cure.after.traces} traces"
    return CURED, kept


def told(cure: Cure) -> str:
    """The figures before and after, and what was compared."""
    if cure.after is None:
        return f"{cure.before.traces} traces, exit {cure.before.exit_code}"
    aspects = " ".join(
        f"{one.aspect}:{'≈' if one.random else '=' if one.equal else '≠'}{one.number}"
        for one in cure.compared
    )
    return (
        f"{cure.before.traces} → {cure.after.traces} traces, {cure.before.seconds:.1f} → "
        f"{cure.after.seconds:.1f} s, exit {cure.before.exit_code} → {cure.after.exit_code}, "
        f"against {cure.reference}: {aspects}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", help="beginnings of names")
    parser.add_argument("--diff", action="store_true", help="show the edits")
    arguments = parser.parse_args()
    cases = [c for c in all_cases() if not arguments.names or c.name.startswith(tuple(arguments.names))]
    totals: collections.Counter[str] = collections.Counter()
    with tempfile.TemporaryDirectory() as directory:
        server = TensorFlowServer(pathlib.Path(directory))
        for case in cases:
            started = time.perf_counter()
            folder = pathlib.Path(directory, case.name)
            folder.mkdir()
            shutil.copy(case.program, folder / "program.py")
            search = search_cure(folder, "program.py", server)
            cure = search.cure()
            verdict, why = verdict_of(case, search, cure)
            totals[verdict] += 1
            seconds = time.perf_counter() - started
            print(f"{case.name:42} {verdict:18} {told(cure)}  [{seconds:.0f} s]\n    {why}", flush=True)
            if arguments.diff and cure.diff:
                print("    " + cure.diff.replace("\n", "\n    "), flush=True)
        server.close()
    print(", ".join(f"{number} {verdict}" for verdict, number in totals.most_common()))


if __name__ == "__main__":
    main()
