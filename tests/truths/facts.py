"""What a run's report claims, sentence by sentence, beside what the counters saw."""

import dataclasses
import json
import re
from collections.abc import Iterator
from typing import Any

from graphdoctor.model import Evidence, Finding, Report
from tests.running import Ran

TRACED = re.compile(
    r"(?<!of )`([\w.]+)` was traced (once|\d+) more"
)  # of a library's own: not counted by name
WRAPPED = re.compile(r"`([\w.]+)` was wrapped in `tf.function` (\d+) times")
ENDED = re.compile(r"ended with (\w+)")
IN_PARENTHESES = re.compile(r"\((\w+(?:Error|Exception))\)")
NONE = re.compile(r"gradient\S* (?:\S+ ){0,6}(?:is|are) None")


@dataclasses.dataclass(frozen=True)
class Seen:
    """What tests/truths/counters.py counted in one run."""

    traces: dict[str, int]
    failed: dict[str, int]
    calls: dict[str, int]
    captured: dict[str, list[int]]
    gradients: dict[int, list[bool]]
    raised: list[tuple[str, str]]

    @classmethod
    def of(cls, ran: Ran) -> "Seen":
        """The facts that a run left."""
        facts: dict[str, Any] = json.loads((ran.folder / "facts.json").read_text(encoding="utf-8"))
        facts["gradients"] = {int(line): given for line, given in facts["gradients"].items()}
        return cls(**facts)

    def of_function(self, name: str) -> int:
        """The traces of all functions of that name, failed ones too."""
        last = name.rpartition(".")[2]
        counted = [*self.traces.items(), *self.failed.items()]
        return sum(number for key, number in counted if key.partition(":")[0] == last)

    @property
    def types(self) -> set[str]:
        """The types of the exceptions that were seen."""
        return {kind for kind, _ in self.raised}


def contradictions(report: Report, seen: Seen, program: str) -> list[str]:
    """Each statement of the report that the counters contradict."""
    return [
        *_of_functions(report, seen, program),
        *(w for f in report.findings for w in _of_finding(f, seen)),
    ]


def _of_functions(report: Report, seen: Seen, program: str) -> Iterator[str]:
    """The table: traces and calls of the program's own functions."""
    for row in report.functions:
        if row.foretold or not row.path.endswith(program) or ":" in row.name:
            continue
        key = f"{row.name.rpartition('.')[2]}:{row.line}"
        traced = seen.traces.get(key, 0) + seen.failed.get(key, 0)
        if "RecursionError" in seen.types:  # at its end nothing can be counted, by either
            continue
        if row.traces != traced:
            yield f"{row.name}: {row.traces} traces in the table, {traced} counted"
        if row.calls is not None and row.calls != seen.calls.get(key, 0):
            yield f"{row.name}: {row.calls} calls in the table, {seen.calls.get(key, 0)} counted"


def _of_finding(finding: Finding, seen: Seen) -> Iterator[str]:
    if finding.evidence is Evidence.SOURCE:
        return
    said = f"{finding.rule}: {finding.message}"
    for name, times in TRACED.findall(finding.message):
        more = 1 if times == "once" else int(times)
        if more > seen.of_function(name) - 1:
            yield f"{said} — {seen.of_function(name)} traces counted"
    for name, times in WRAPPED.findall(finding.message):
        if int(times) > seen.of_function(name):
            yield f"{said} — {seen.of_function(name)} traces counted"
    for kind in (*ENDED.findall(finding.message), *IN_PARENTHESES.findall(finding.message)):
        if kind not in seen.types:
            yield f"{said} — no {kind} was raised, but {sorted(seen.types)}"
    if NONE.search(finding.message) and not any(seen.gradients.get(finding.line, [True])):
        yield f"{said} — no gradient of line {finding.line} was None"
    own = finding.observed is not None and finding.function is not None
    failures = finding.observed.failed if own and finding.observed is not None else 0
    if failures > sum(seen.failed.values()):
        yield f"{said} — {failures} failures, {seen.failed} counted"
