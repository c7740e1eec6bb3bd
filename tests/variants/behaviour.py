"""Whether a program in variants does, under the real TensorFlow, what its example does."""

import dataclasses
import json
import random
from collections import Counter
from collections.abc import Sequence

from graphdoctor.model import Evidence
from graphdoctor.rules import Example
from tests.ratcheting import all_examples
from tests.running import Ran, TensorFlowServer
from tests.variants.variants import ENTRY, NOTEBOOK, Variant, all_variants, rewritten


@dataclasses.dataclass(frozen=True)
class Behaviour:
    """What a run of an example in some variants showed; what the source alone tells does not count."""

    faults: tuple[str, ...]  # what it does otherwise than its example, in words
    found: bool  # the run of the bad one shows what the example is about
    alarmed: bool  # the run of the good one tells of it, too


def run(files: dict[str, str], tensorflow: TensorFlowServer, *, calls: bool = False) -> Ran:
    """Run a program of these files; a notebook's cells one after the other."""
    beside = dict(files)
    if NOTEBOOK in beside:
        cells = json.loads(beside.pop(NOTEBOOK))["cells"]
        beside[ENTRY] = "\n".join("".join(cell["source"]) for cell in cells) + "\n"
    return tensorflow.run(beside.pop(ENTRY), name=ENTRY, beside=beside, calls=calls)


def behaviour(name: str, variants: Sequence[Variant], tensorflow: TensorFlowServer) -> Behaviour:
    """Run an example, bad and good, in these variants."""
    ((rule, example),) = ((rule, example) for known, rule, example in all_examples() if known == name)
    bad, good = (rewritten(text, variants) for text in (example.bad, example.good))
    assert bad is not None
    ran = run(bad, tensorflow, calls=example.calls)
    fixed = run(good, tensorflow, calls=example.calls) if good else None
    faults = [] if any(one.family == "keras" for one in variants) else _otherwise(example, ran, fixed)
    if ran.error != example.raises:
        faults.append(f"the bad one ends with {ran.error}, not {example.raises}")
    if fixed is not None and fixed.error is not None:
        faults.append(f"the good one ends with {fixed.error}")
    return Behaviour(
        faults=tuple(faults),
        found=rule.id in _seen(ran),
        alarmed=fixed is not None and rule.id in _seen(fixed),
    )


def _seen(ran: Ran) -> set[str]:
    """The rules that tell of what happened in a run."""
    return {one.rule for one in ran.report.findings if one.evidence is not Evidence.SOURCE}


def _otherwise(example: Example, bad: Ran, good: Ran | None) -> list[str]:
    """What each does that its example does not: traces and output."""
    found = []
    for number, (what, ran) in enumerate((("bad", bad), ("good", good))):
        if ran is None:
            continue
        if example.traces is not None and ran.traces != example.traces[number]:
            found.append(f"the {what} one has {ran.traces} traces, not {example.traces[number]}")
        if example.output is not None and ran.printed != example.output[number]:
            found.append(f"the {what} one prints {ran.printed[-200:]!r}")
    return found


def sample(each: int, names: Sequence[str], seed: int = 0) -> list[tuple[str, Variant]]:
    """For each variant as many examples that it applies to; drawn with a fixed seed, all equally often."""
    drawn = random.Random(seed)
    bad = {name: example.bad for name, _, example in all_examples() if name in names}
    often: Counter[str] = Counter()
    chosen = []
    for one in all_variants():
        order = sorted(drawn.sample(sorted(bad), len(bad)), key=often.__getitem__)
        applicable = (name for name in order if rewritten(bad[name], [one]) is not None)
        taken = [name for _, name in zip(range(each), applicable, strict=False)]
        often.update(taken)
        chosen += [(name, one) for name in taken]
    return chosen
