"""The field cases of tests/cases, fixed by `graphdoctor fix`: edits, traces, seconds, what is equal.

    python benchmarks/fixes.py                 all of them
    python benchmarks/fixes.py 001 05          those whose names begin so
    python benchmarks/fixes.py --by-hand       the fixes written by hand, proven the same way

Fixed: what is wrong with the case is no longer found, and the edited program is proven equal to the
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

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from tests.fixing_programs import open_laboratory, prove_by_hand, search_fix
from tests.running import TensorFlowServer
from tests.scoring import Case, all_cases

from graphdoctor.fixing.comparison import OUTPUT, compare
from graphdoctor.fixing.search import Search
from graphdoctor.fixing.trials import Laboratory
from graphdoctor.model.fix_result import Compared, FixResult

FIXED, NOT_FIXED, NO_EDIT, BROKEN, CLEAN, ALARM = (
    "fixed",
    "edited, not fixed",
    "no edit",
    "BROKEN",
    "clean, left alone",
    "clean, EDITED",
)


def verdict_of(case: Case, search: Search, proof: FixResult) -> tuple[str, str]:
    """What the edits did for a case, and why not more."""
    kept = ", ".join(f"{one.rule} {one.title}" for one in proof.kept)
    refused = "; ".join(f"{one.rule} {one.title}: {one.reason}" for one in proof.tried if one.reason)
    if case.is_clean:
        return (ALARM, kept) if proof.kept else (CLEAN, refused)
    left = "; ".join(f"{one.rule} {one.title or 'no fix'}" for one in proof.remaining)
    if not proof.kept:
        return (NOT_FIXED, refused) if refused else (NO_EDIT, left or "nothing found")
    assert search.best is not None
    report = search.best.trial.report
    if case.hits(report.findings if report else ()):
        return NOT_FIXED, f"{kept}; still found: {left}"
    if (
        proof.after is not None
        and proof.after.traces > proof.before.traces > 0
        and not proof.before.exit_code
    ):
        return BROKEN, f"{kept}: {proof.before.traces} → {proof.after.traces} traces"
    return FIXED, kept


def fixed_case(case: Case, laboratory: Laboratory) -> tuple[str, str]:
    """What `fix` does for a case, with the edits."""
    search = search_fix(laboratory)
    proof = search.result()
    verdict, why = verdict_of(case, search, proof)
    if verdict == FIXED:
        why += f"\n    {compared_by_hand(case, search, laboratory)}"
    return verdict, f"{reported(proof)}\n    {why}\n    {proof.diff}".rstrip().replace("\n", "\n    ")


def compared_by_hand(case: Case, search: Search, laboratory: Laboratory) -> str:
    """Whether the fix written by hand prints the same: it may differ, and is unknown to `fix`."""
    assert search.best is not None
    hand = laboratory.witness({"program.py": case.fixed.read_text(encoding="utf-8")})
    printed = next(one for one in compare(hand, search.best.trial) if one.aspect == OUTPUT)
    return "prints what the fix by hand prints" if printed.equal else f"by hand otherwise: {printed.text}"


def by_hand(case: Case, laboratory: Laboratory) -> tuple[str, str]:
    """Whether the proof holds for a fix that is known to be one."""
    if case.is_clean:
        return CLEAN, ""
    text = case.fixed.read_text(encoding="utf-8")
    attempt = prove_by_hand(laboratory, {"program.py": text}, lambda finding: bool(case.hits([finding])))
    compared = f"against {attempt.reference}: {shown(attempt.compared)}"
    return (NOT_FIXED, f"{attempt.reason}; {compared}") if attempt.reason else (FIXED, compared)


def reported(proof: FixResult) -> str:
    """The figures before and after, and what was compared."""
    if proof.after is None:
        return f"{proof.before.traces} traces, exit {proof.before.exit_code}"
    return (
        f"{proof.before.traces} → {proof.after.traces} traces, {proof.before.seconds:.1f} → "
        f"{proof.after.seconds:.1f} s, exit {proof.before.exit_code} → {proof.after.exit_code}, "
        f"against {proof.reference}: {shown(proof.compared)}"
    )


def shown(compared: tuple[Compared, ...]) -> str:
    """How much was compared, and whether it is equal, random or different."""
    return ", ".join(
        f"{one.number} {one.aspect} {'≈' if one.equal and one.random else '=' if one.equal else '≠'}"
        for one in compared
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", help="beginnings of names")
    parser.add_argument("--by-hand", action="store_true", help="prove the hand-written fixes instead")
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
            with open_laboratory(folder, "program.py", server) as laboratory:
                verdict, why = (
                    by_hand(case, laboratory) if arguments.by_hand else fixed_case(case, laboratory)
                )
            totals[verdict] += 1
            seconds = time.perf_counter() - started
            print(f"{case.name:42} {verdict:18} [{seconds:.0f} s]\n    {why}", flush=True)
        server.close()
    print(", ".join(f"{number} {verdict}" for verdict, number in totals.most_common()))


if __name__ == "__main__":
    main()
