"""Every trace of a report as columns of numbers, for the script in the page.

A hundred thousand traces as objects would make a page of a hundred megabytes; as columns, with each
text stored once, they take a tenth of it.
"""

import dataclasses
import json
from typing import Any

from graphdoctor.model import Cause, Change, Report, RunDetails, TraceFact
from graphdoctor.model.phrases import phrase
from graphdoctor.model.words import printable

FIRST = -1  # in place of a cause: the first trace of its function
LONGEST_TEXT = 300
CauseKey = tuple[int, str | None, Change, int | None, str | None]


@dataclasses.dataclass(frozen=True)
class RankedCause:
    """A cause with the position of its function; those that are not benign come first, by seconds."""

    function: int
    cause: Cause

    @property
    def key(self) -> CauseKey:
        """What a trace's difference is matched with."""
        cause = self.cause
        label = cause.label if cause.benign else None  # a trace has a label only when it is benign
        return (self.function, cause.argument, cause.change, cause.axis, label)

    @property
    def words(self) -> str:
        """The change, and its label when it is benign."""
        return phrase(self.cause.argument, self.cause.change, self.cause.axis)


def ranked_causes(report: Report) -> list[RankedCause]:
    """All causes of all functions."""
    found = [
        RankedCause(index, cause)
        for index, function in enumerate(report.functions)
        for cause in function.causes
    ]
    return sorted(found, key=lambda ranked: (ranked.cause.benign, -ranked.cause.seconds))


def page_data(report: Report) -> str:
    """The data as JSON that may stand inside a `script` element."""
    details = report.details or RunDetails(directory="")
    causes = ranked_causes(report)
    data = {
        "seconds": report.run.seconds if report.run else 0,
        "functions": [
            {"name": printable(f.name), "place": printable(f"{f.path}:{f.line}")} for f in report.functions
        ],
        "processes": [printable(name) for name in details.processes],
        "causes": [
            {
                "function": ranked.function,
                "words": printable(ranked.words),
                "benign": ranked.cause.benign,
                "label": printable(ranked.cause.label or ""),
            }
            for ranked in causes
        ],
        **_columns(details.traces, causes),
    }
    text = json.dumps(data, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


class _Texts:
    """Texts, each stored once."""

    def __init__(self) -> None:
        self.known: dict[str, int] = {}

    def number(self, text: str) -> int:
        shown = printable(text, LONGEST_TEXT)
        return self.known.setdefault(shown, len(self.known))


def _columns(traces: tuple[TraceFact, ...], causes: list[RankedCause]) -> dict[str, Any]:
    ranks = {ranked.key: rank for rank, ranked in enumerate(causes)}
    texts = _Texts()
    columns: dict[str, list[Any]] = {
        name: []
        for name in [
            "function",
            "start",
            "seconds",
            "operations",
            "process",
            "site",
            "cause",
            "differences",
            "note",
            "needless",
            "failed",
        ]
    }
    for trace in traces:
        differences = [
            (
                ranks.get((trace.function, d.argument, d.change, d.axis, trace.label), FIRST),
                texts.number(d.before),
                texts.number(d.now),
            )
            for d in trace.differences
        ]
        known = [rank for rank, _, _ in differences if rank != FIRST]
        columns["function"].append(trace.function)
        columns["start"].append(round(trace.start, 4))
        columns["seconds"].append(round(trace.seconds, 5))
        columns["operations"].append(trace.operations)
        columns["process"].append(trace.process)
        columns["site"].append(texts.number(f"{trace.path}:{trace.line}" if trace.path else ""))
        columns["cause"].append(min(known, default=FIRST))
        columns["differences"].append([number for difference in differences for number in difference])
        columns["note"].append(texts.number(trace.label or trace.signature))
        columns["needless"].append(1 if trace.needless else 0)
        columns["failed"].append(texts.number(trace.failed or ""))
    return {"texts": list(texts.known), "traces": columns}
