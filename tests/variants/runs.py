"""Programs in variants under the real TensorFlow: what `run` finds in them."""

import dataclasses
import json
from collections.abc import Iterator, Sequence

from tests.ratcheting import read_record
from tests.running import TensorFlowServer
from tests.variants.behaviour import Behaviour, behaviour, sample
from tests.variants.variants import Variant

EACH = 2  # examples of each variant
HEADING = "## When it runs\n"


@dataclasses.dataclass(frozen=True)
class RunResult:
    """What a run showed of an example in a variant."""

    example: str
    variants: str
    behaviour: Behaviour


def drawn_runs(each: int = EACH) -> list[tuple[str, Variant]]:
    """For each variant as many of the examples that `run` finds as they stand, drawn with a fixed seed."""
    return sample(each, sorted(read_record("run").examples))


def measure_runs(drawn: Sequence[tuple[str, Variant]], tensorflow: TensorFlowServer) -> Iterator[RunResult]:
    """Run them, one after the other."""
    for name, variant in drawn:
        yield RunResult(name, variant.name, behaviour(name, [variant], tensorflow))


def written(result: RunResult) -> str:
    """A result as a line of text."""
    return json.dumps(dataclasses.asdict(result))


def read_results(lines: str) -> list[RunResult]:
    """The results that were written so."""
    return [
        RunResult(**{**read, "behaviour": Behaviour(**read["behaviour"])})
        for read in map(json.loads, lines.splitlines())
    ]


def section(results: Sequence[RunResult]) -> str:
    """The part of the page that tells of them."""
    found = sum(one.behaviour.found for one in results)
    faithful = sum(not one.behaviour.faults for one in results)
    alarmed = sum(one.behaviour.alarmed for one in results)
    variants, examples = ({getattr(one, what) for one in results} for what in ("variants", "example"))
    share = found / max(len(results), 1)
    lines = [
        HEADING,
        f"{len(results)} programs ran under the real TensorFlow, drawn with a fixed seed over all",
        f"{len(variants)} variants and {len(examples)} of the examples that `graphdoctor run` finds as",
        f"they are. {faithful} behave as their examples (error, traces and output; the good ones, too). In",
        f"{found} ({share:.3f}) the run shows the problem; it tells of {alarmed} good ones what is not so.",
    ]
    reported = [
        *(f"- not seen: {_named(one)}" for one in results if not one.behaviour.found),
        *(f"- reported of the good one: {_named(one)}" for one in results if one.behaviour.alarmed),
        *(f"- {fault}: {_named(one)}" for one in results for fault in one.behaviour.faults),
    ]
    return "\n".join([*lines, *([""] if reported else []), *reported]) + "\n"


def _named(result: RunResult) -> str:
    return f"{result.example}, {result.variants}"


def replaced(page: str, new: str) -> str:
    """A page with this as its part about runs."""
    return page.partition(f"\n{HEADING}")[0] + f"\n{new}"


def kept(page: str) -> str:
    """The part of a page about runs, to be kept when the rest is made again."""
    return "".join(page.partition(f"\n{HEADING}")[1:])
