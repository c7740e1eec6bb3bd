"""Whether a program in clothes does, under the real TensorFlow, what its example does."""

import json
import random
from collections.abc import Sequence

from graphdoctor.model import Evidence
from graphdoctor.rules import Example
from tests.clothes.clothing import ENTRY, NOTEBOOK, Clothing, all_clothes, dressed
from tests.ratcheting import all_examples, read_record
from tests.running import Ran, TensorFlowServer


def run(files: dict[str, str], tensorflow: TensorFlowServer, *, calls: bool = False) -> Ran:
    """Run a program of these files; a notebook's cells one after the other."""
    beside = dict(files)
    if NOTEBOOK in beside:
        cells = json.loads(beside.pop(NOTEBOOK))["cells"]
        beside[ENTRY] = "\n".join("".join(cell["source"]) for cell in cells) + "\n"
    return tensorflow.run(beside.pop(ENTRY), name=ENTRY, beside=beside, calls=calls)


def faults(name: str, clothes: Sequence[Clothing], tensorflow: TensorFlowServer) -> list[str]:
    """What an example does otherwise in these clothes; in words."""
    ((rule, example),) = ((rule, example) for known, rule, example in all_examples() if known == name)
    bad, good = (dressed(text, clothes) for text in (example.bad, example.good))
    assert bad is not None
    ran = run(bad, tensorflow, calls=example.calls)
    cured = run(good, tensorflow, calls=example.calls) if good else None
    found = [] if any(one.family == "keras" for one in clothes) else _otherwise(example, ran, cured)
    if ran.error != example.raises:
        found.append(f"the bad one ends with {ran.error}, not {example.raises}")
    if cured is not None and cured.error is not None:
        found.append(f"the good one ends with {cured.error}")
    seen = {one.rule for one in ran.report.findings if one.evidence is not Evidence.SOURCE}
    if name in read_record("run").examples and rule.id not in seen:
        found.append("the run of the bad one does not show it")
    return found


def _otherwise(example: Example, bad: Ran, good: Ran | None) -> list[str]:
    """What each does that its example does not: traces and output."""
    found = []
    for number, (what, ran) in enumerate((("bad", bad), ("good", good))):
        if ran is None:
            continue
        if example.traces is not None and ran.traces != example.traces[number]:
            found.append(f"the {what} one has {ran.traces} traces, not {example.traces[number]}")
        if example.output is not None and ran.output.strip() != example.output[number]:
            found.append(f"the {what} one prints {ran.output.strip()[-200:]!r}")
    return found


def sample(each: int, names: Sequence[str], seed: int = 0) -> list[tuple[str, Clothing]]:
    """For each clothing, some examples that it applies to, drawn with a fixed seed."""
    drawn = random.Random(seed)
    bad = {name: example.bad for name, _, example in all_examples() if name in names}
    chosen = []
    for one in all_clothes():
        order = drawn.sample(sorted(bad), len(bad))
        applicable = (name for name in order if dressed(bad[name], [one]) is not None)
        chosen += [(name, one) for _, name in zip(range(each), applicable, strict=False)]
    return chosen
