"""A sample of programs in clothes under the real TensorFlow: what `run` finds in them."""

import collections
import dataclasses
from collections.abc import Sequence

from graphdoctor.model import Evidence
from tests.clothes.behaviour import run, sample
from tests.clothes.clothing import Clothing, dressed
from tests.ratcheting import all_examples, read_record
from tests.running import TensorFlowServer

EACH = 2  # examples of each clothing


@dataclasses.dataclass(frozen=True)
class RunResult:
    """Whether a run shows what an example in some clothes has."""

    example: str
    clothes: str
    found: bool


def drawn_runs() -> list[tuple[str, Clothing]]:
    """For each clothing some of the examples that `run` finds as they stand, drawn with a fixed seed."""
    return sample(EACH, sorted(read_record("run").examples))


def measure_run(name: str, clothing: Clothing, tensorflow: TensorFlowServer) -> RunResult:
    """One of them, by what was seen: what the source alone tells does not count."""
    ((rule, example),) = ((rule, example) for known, rule, example in all_examples() if known == name)
    files = dressed(example.bad, [clothing])
    assert files is not None
    findings = run(files, tensorflow, calls=example.calls).report.findings
    seen = {finding.rule for finding in findings if finding.evidence is not Evidence.SOURCE}
    return RunResult(name, clothing.name, rule.id in seen)


def section(results: Sequence[RunResult]) -> str:
    """The part of the page that tells of them."""
    found = sum(one.found for one in results)
    clothes = len({one.clothes for one in results})
    missed = collections.defaultdict(list)
    for one in results:
        if not one.found:
            missed[one.clothes].append(one.example)
    lines = [
        "## When it runs\n",
        f"{len(results)} programs, drawn with a fixed seed over all {clothes} ways of writing from examples",
        "that `graphdoctor run` finds as they stand, ran under the real TensorFlow: in "
        f"{found} of them ({found / max(len(results), 1):.3f}) the run shows it, too.",
    ]
    if missed:
        lines.append("\nNot seen:\n")
        lines += [f"- {name}, in a run: {', '.join(examples)}" for name, examples in missed.items()]
    return "\n".join(lines) + "\n"
