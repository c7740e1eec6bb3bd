"""How much is found of every rule's examples when they are written otherwise.

python scripts/variants.py                         print the shares, write docs/variants.md
python scripts/variants.py --misses                and name what is missed, and what is found elsewhere
python scripts/variants.py --jobs 2                in two processes
python scripts/variants.py --variant NAME         only this one, nothing written
python scripts/variants.py --rule GD101            only this rule's examples, nothing written
python scripts/variants.py --show GD101-1 NAME     print the example in the variant, and what is found
python scripts/variants.py --fixes                 what the fixes of the bad examples bring about
python scripts/variants.py --run                   what `run` finds in a sample, on the real TensorFlow
python scripts/variants.py --run --each 1000       in all of them, which takes hours
python scripts/variants.py --run --results FILE    keep each result there: what was interrupted goes on
"""

import argparse
import collections
import itertools
import pathlib
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor

ROOT = pathlib.Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.running import TensorFlowServer  # noqa: E402
from tests.variants import matrix  # noqa: E402
from tests.variants.matrix import Example, Result, examples, findings, measure, measure_pairs  # noqa: E402
from tests.variants.page import PAIRS, page  # noqa: E402
from tests.variants.runs import EACH, drawn_runs, kept, measure_runs, read_results, replaced, section, written  # noqa: E402
from tests.variants.variants import all_variants, rewritten  # noqa: E402

PAGE = ROOT / "docs/variants.md"


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--variant", action="append")
    parser.add_argument("--rule")
    parser.add_argument("--misses", action="store_true")
    parser.add_argument("--show", nargs=2)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--fixes", action="store_true")
    parser.add_argument("--run", action="store_true")
    parser.add_argument("--each", type=int, default=EACH)
    parser.add_argument("--results", type=pathlib.Path)
    options = parser.parse_args()
    if options.show:
        show(*options.show)
    elif options.fixes:
        sys.exit(fix_all(options))
    elif options.run:
        run_sample(options)
    else:
        check_all(options)


def check_all(options: argparse.Namespace) -> None:
    """What `check` finds."""
    listed = [one for one in examples() if not options.rule or one.rule == options.rule]
    names = [one.name for one in all_variants() if not options.variant or one.name in options.variant]
    whole = not (options.rule or options.variant)
    with ProcessPoolExecutor(options.jobs) as pool:
        drawn = pool.submit(measure_pairs, listed, PAIRS) if whole else None
        results = [one for part in pool.map(measure_named, itertools.repeat(listed), names) for one in part]
        pairs = drawn.result() if drawn else []
    print_shares(results, pairs)
    if options.misses:
        for one in [*results, *pairs]:
            if not one.found:
                print(f"missed: {one.example} {one.variants}")
            elif not one.placed:
                print(f"elsewhere: {one.example} {one.variants}")
    for one in [*results, *pairs]:
        if one.alarms:
            print(f"new: {one.example} {one.variants}: {', '.join(one.alarms)}")
    if whole:
        runs = kept(PAGE.read_text(encoding="utf-8"))
        PAGE.write_text(page(listed, results, pairs) + runs, encoding="utf-8")


def fix_all(options: argparse.Namespace) -> int:
    """How many examples are edited in each variant, and what an edit brings about; 1 where one does."""
    listed = [one for one in examples() if not options.rule or one.rule == options.rule]
    names = [one.name for one in all_variants() if not options.variant or one.name in options.variant]
    worse = 0
    with ProcessPoolExecutor(options.jobs) as pool:
        for name, results in zip(names, pool.map(fix_named, itertools.repeat(listed), names), strict=True):
            print(f"{sum(one.edited for one in results):4} of {len(results):4} edited  {name}", flush=True)
            for one in results:
                if one.brought:
                    worse += 1
                    print(f"brought: {one.example} {one.variants}: {', '.join(one.brought)}", flush=True)
    print(f"{worse} edited programs have findings that they had not before")
    return int(worse > 0)


def fix_named(listed: list[Example], name: str) -> list[matrix.Fixing]:
    """These examples, fixed, in the variant of this name."""
    return matrix.measure_fixing(listed, [[one] for one in all_variants() if one.name == name])


def run_sample(options: argparse.Namespace) -> None:
    """What `run` finds."""
    drawn = [
        (name, variant)
        for name, variant in drawn_runs(options.each)
        if not options.variant or variant.name in options.variant
        if not options.rule or name.startswith(options.rule)
    ]
    file = options.results
    results = read_results(file.read_text(encoding="utf-8")) if file and file.exists() else []
    done = {(one.example, one.variants) for one in results}
    with tempfile.TemporaryDirectory() as folder:
        tensorflow = TensorFlowServer(pathlib.Path(folder))
        for one in measure_runs([pair for pair in drawn if (pair[0], pair[1].name) not in done], tensorflow):
            results.append(one)
            print(
                f"{'seen' if one.behaviour.found else 'NOT SEEN'}: {one.example} {one.variants}", flush=True
            )
            if file:
                with file.open("a", encoding="utf-8") as kept_results:
                    kept_results.write(written(one) + "\n")
        tensorflow.close()
    reported = section(results)
    print(reported)
    if not (options.rule or options.variant):
        PAGE.write_text(replaced(PAGE.read_text(encoding="utf-8"), reported), encoding="utf-8")


def measure_named(listed: list[Example], name: str) -> list[Result]:
    """These examples in the variant of this name."""
    return measure(listed, [[one] for one in all_variants() if one.name == name])


def print_shares(results: list[Result], pairs: list[Result]) -> None:
    """One line for each rule that misses something and each variant, then the whole."""
    for what in ("rule", "variants"):
        groups: dict[str, list[Result]] = collections.defaultdict(list)
        for one in results:
            groups[getattr(one, what)].append(one)
        for name, group in groups.items():
            found = sum(one.found for one in group)
            if what == "variants" or found < len(group):
                placed = sum(one.placed for one in group) / len(group)
                print(f"{found:4} of {len(group):4}  {found / len(group):.2f}  {placed:.2f}  {name}")
    for what, group in (("variants", results), ("pairs of variants", pairs)):
        if group:
            found = sum(one.found for one in group)
            print(f"{what}: {found} of {len(group)} found ({found / len(group):.3f})")


def show(name: str, names: str) -> None:
    """Print a bad example in a variant, or in several joined by ` + `."""
    (example,) = (one for one in examples() if one.name == name)
    by_name = {one.name: one for one in all_variants()}
    for text in (example.bad, example.good):
        files = rewritten(text, [by_name[one] for one in names.split(" + ")])
        for path, lines in (files or {}).items():
            print(f"# {path}\n{lines}")
        for finding in findings(files or {}):
            print(f"{finding.path}:{finding.line} {finding.rule} {finding.severity.value}: {finding.message}")


if __name__ == "__main__":
    main()
