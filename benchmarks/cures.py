"""The field cases of tests/cases, cured by `graphdoctor fix`: edits, traces, seconds, what is equal.

    python benchmarks/cures.py                 all of them
    python benchmarks/cures.py 001 05          those whose names begin so
    python benchmarks/cures.py --by-hand       the cures written by hand, proven the same way

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

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from tests.curing import open_laboratory, prove_by_hand, search_cure
from tests.running import TensorFlowServer
from tests.scoring import Case, all_cases

from graphdoctor.fixing.comparing import OUTPUT, compare
from graphdoctor.fixing.curing import Search
from graphdoctor.fixing.trials import Laboratory
from graphdoctor.model.cure import Compared, Cure

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


def cured(case: Case, laboratory: Laboratory) -> tuple[str, str]:
    """What `fix` does for a case, with the edits."""
    search = search_cure(laboratory)
    cure = search.cure()
    verdict, why = verdict_of(case, search, cure)
    if verdict == CURED:
        why += f"\n    {compared_by_hand(case, search, laboratory)}"
    return verdict, f"{told(cure)}\n    {why}\n    {cure.diff}".rstrip().replace("\n", "\n    ")


def compared_by_hand(case: Case, search: Search, laboratory: Laboratory) -> str:
    """Whether the cure written by hand prints the same: it may differ, and is unknown to `fix`."""
    assert search.best is not None
    hand = laboratory.witness({"program.py": case.fixed.read_text(encoding="utf-8")})
    printed = next(one for one in compare(hand, search.best.trial) if one.aspect == OUTPUT)
    return "prints what the cure by hand prints" if printed.equal else f"by hand otherwise: {printed.text}"


def by_hand(case: Case, laboratory: Laboratory) -> tuple[str, str]:
    """Whether the proof holds for a cure that is known to be one."""
    if case.is_clean:
        return CLEAN, ""
    text = case.fixed.read_text(encoding="utf-8")
    attempt = prove_by_hand(laboratory, {"program.py": text}, lambda finding: bool(case.hits([finding])))
    compared = f"against {attempt.reference}: {shown(attempt.compared)}"
    return (NOT_CURED, f"{attempt.reason}; {compared}") if attempt.reason else (CURED, compared)


def told(cure: Cure) -> str:
    """The figures before and after, and what was compared."""
    if cure.after is None:
        return f"{cure.before.traces} traces, exit {cure.before.exit_code}"
    return (
        f"{cure.before.traces} → {cure.after.traces} traces, {cure.before.seconds:.1f} → "
        f"{cure.after.seconds:.1f} s, exit {cure.before.exit_code} → {cure.after.exit_code}, "
        f"against {cure.reference}: {shown(cure.compared)}"
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
    parser.add_argument("--by-hand", action="store_true", help="prove the hand-written cures instead")
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
                verdict, why = by_hand(case, laboratory) if arguments.by_hand else cured(case, laboratory)
            totals[verdict] += 1
            seconds = time.perf_counter() - started
            print(f"{case.name:42} {verdict:18} [{seconds:.0f} s]\n    {why}", flush=True)
        server.close()
    print(", ".join(f"{number} {verdict}" for verdict, number in totals.most_common()))


if __name__ == "__main__":
    main()
