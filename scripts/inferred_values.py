"""Compares what the dry run infers for each expression with what it gives under the real TensorFlow.

    python scripts/inferred_values.py [FILE or FOLDER…]   default: tests/programs, and every rule's examples
    python scripts/inferred_values.py --keep FOLDER       keep there what the programs gave, for the next time

A copy of each program runs in a process and a folder of its own, two at a time. It notes the value of each
expression, also while it is traced, and each is held against all that the dry run inferred of that
expression: type, constant, dtype, shape, structure. False is a value that no inferred one covers, unknown
one of which nothing was inferred; unreached are those of expressions that the dry run did not come to.
"""

import argparse
import contextlib
import functools
import itertools
import pathlib
import sys
import tempfile
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor

ROOT = pathlib.Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from compiled import write_examples  # noqa: E402
from inference_probe.comparing import Comparison, compare  # noqa: E402
from inference_probe.programs import Program, programs_of  # noqa: E402
from tests.running import TensorFlowServer  # noqa: E402

PROGRAMS = ROOT / "tests/programs"
AT_ONCE = 2
TIME_LIMIT = 120.0
LONGEST_LINE = 400


def main() -> None:
    """Compare, and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("paths", nargs="*", type=pathlib.Path, metavar="FILE or FOLDER")
    parser.add_argument("--keep", type=pathlib.Path, metavar="FOLDER")
    parser.add_argument("--time-limit", type=float, default=TIME_LIMIT, metavar="SECONDS")
    options = parser.parse_args()
    missing = [str(path) for path in options.paths if not path.exists()]
    if missing:
        parser.error(f"not found: {', '.join(missing)}")
    with contextlib.ExitStack() as stack:
        scratch = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))
        kept = options.keep or scratch / "kept"
        kept.mkdir(parents=True, exist_ok=True)
        if not options.paths:
            write_examples(scratch / "examples")
        programs = programs_of(options.paths or [PROGRAMS, scratch / "examples"])
        tell_all(compare_all(programs, kept.resolve(), options.time_limit))


def compare_all(
    programs: list[Program], kept: pathlib.Path, time_limit: float
) -> Iterator[tuple[Program, Comparison]]:
    """Each program with what became of its values, in order."""
    with ProcessPoolExecutor(AT_ONCE) as pool:
        compared = pool.map(compare_here, programs, itertools.repeat(kept), itertools.repeat(time_limit))
        yield from zip(programs, compared, strict=True)


def compare_here(program: Program, kept: pathlib.Path, time_limit: float) -> Comparison:
    """What became of a program's values, found out in this process."""
    return compare(program, server(kept), time_limit)


@functools.cache
def server(kept: pathlib.Path) -> TensorFlowServer:
    """The one of this process; it ends with it."""
    return TensorFlowServer(pathlib.Path(tempfile.mkdtemp(dir=kept)), kept)


def tell_all(compared: Iterable[tuple[Program, Comparison]]) -> None:
    """Print what became of each program, and of all together."""
    every = []
    for program, comparison in compared:
        every.append(comparison)
        print(f"{name_of(program)}: {figures(comparison)}", flush=True)
        for place, text, difference in comparison.false:
            print(f"  {place.path}:{place.line}:{place.column + 1}  {text}\n    {shortened(str(difference))}")
    print(
        f"{len(every)} programs, {sum(bool(each.ended) for each in every)} of them did not end well: ", end=""
    )
    print(figures(total(every)))


def total(every: list[Comparison]) -> Comparison:
    """All of them as one."""
    return Comparison(
        values=sum(each.values for each in every),
        unknown=sum(each.unknown for each in every),
        unreached=sum(each.unreached for each in every),
        false=tuple(value for each in every for value in each.false),
    )


def figures(comparison: Comparison) -> str:
    """How many values there were, and what was inferred of them."""
    ended = f"; {comparison.ended}" if comparison.ended else ""
    return (
        f"{comparison.values:,} values, {comparison.unknown:,} unknown, {len(comparison.false):,} false, "
        f"{comparison.unreached:,} unreached{ended}"
    )


def name_of(program: Program) -> str:
    """A program's path, below this project where it is there, or else below the folder around its own."""
    path = program.path
    return str(path.relative_to(ROOT if path.is_relative_to(ROOT) else path.parents[1]))


def shortened(text: str) -> str:
    """A text of at most some lines of a terminal."""
    return text if len(text) <= LONGEST_LINE else text[: LONGEST_LINE - 1] + "…"


if __name__ == "__main__":
    main()
