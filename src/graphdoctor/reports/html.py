"""The report as one page that needs nothing but a browser: no network, no other file."""

import dataclasses
from collections.abc import Iterator

from msgspec.structs import replace

from graphdoctor.model import Finding, Fix, FunctionSummary, Level, Report, Severity
from graphdoctor.model.words import count, duration, share
from graphdoctor.reports.fix_result import proof
from graphdoctor.reports.frame import identifier, render_frame
from graphdoctor.reports.listing import listings
from graphdoctor.reports.memory import memory_curves
from graphdoctor.reports.page_data import ranked_causes
from graphdoctor.reports.patch import patch
from graphdoctor.reports.places import reported_once
from graphdoctor.reports.rule_texts import rule_texts
from graphdoctor.reports.sources import SourceTexts
from graphdoctor.reports.summary import worst_cause
from graphdoctor.reports.time_page import time_section

EVIDENCE = {"source": "seen in the source", "run": "seen in the run", "both": "seen in source and run"}


@dataclasses.dataclass(frozen=True)
class Card:
    """A finding as the page shows it."""

    anchor: str
    finding: Finding
    place: str
    patch: tuple[str, ...]
    others: tuple[tuple[Fix, tuple[str, ...]], ...] = ()  # the alternatives, each with its diff
    also: tuple["Card", ...] = ()  # the same in other places of the file


def render_page(report: Report, template: str = "report.html", **values: object) -> str:
    """The whole page; a template that extends it may need more values, or others."""
    if report.coverage is not None:
        report = replace(report, functions=())  # nobody has run them: there are no figures to show
    texts = SourceTexts(*((report.details.directory, report.details.redacted) if report.details else ()))
    cards = tuple(_cards(report, texts))
    anchors = {id(one.finding): card.anchor for card in cards for one in (card, *card.also)}
    reported: dict[str, object] = {
        "title": _title(report),
        "headline": headline(report),
        "cards": cards,
        "anchor_of": lambda finding: anchors[id(finding)],
        "severities": [s for s in Severity if any(f.severity is s for f in report.findings)],
        "levels": _levels(report),
        "causes": ranked_causes(report),
        "graph_bytes": _graph_bytes(report),
        "listings": listings(report, texts),
        "evidence": EVIDENCE,
        "rules": rule_texts(report),
        "curves": memory_curves(report),
        "crash": report.details.crash if report.details else None,
        "spent": time_section(report.time) if report.time else None,
        "proof": proof(report.fix_result) if report.fix_result else None,
    }
    return render_frame(template, report, **{**reported, **values})


def _levels(report: Report) -> list[Level]:
    """The levels of confidence to choose from; none where all findings have the same."""
    found = [level for level in Level if any(f.confidence.level is level for f in report.findings)]
    return found if len(found) > 1 else []


def headline(report: Report) -> str:
    """The first thing to read: what was lost and to what, or how much was found."""
    if report.run is None:
        files = len({finding.path for finding in report.findings})
        found = count(len(report.findings), "finding")
        return f"{found} in {count(files, 'file')}" if report.findings else "No findings"
    run = report.run
    text = f"{duration(run.tracing_seconds)} of {duration(report.run_seconds)} "
    text += f"({share(run.tracing_seconds, report.run_seconds)}) went into {count(run.traces, 'trace')}"
    return text + worst_cause(report, run)


def _title(report: Report) -> str:
    return (report.details.program if report.details else "") or "source check"


def _cards(report: Report, texts: SourceTexts) -> Iterator[Card]:
    taken: dict[str, int] = {}
    for finding, others in reported_once(report.findings):
        anchor = identifier(f"{finding.rule}-{finding.path}-{finding.line}")
        taken[anchor] = taken.get(anchor, 0) + 1
        if taken[anchor] > 1:
            anchor += f"-{taken[anchor]}"
        yield _card(finding, anchor, texts, tuple(_card(other, anchor, texts) for other in others))


def _card(finding: Finding, anchor: str, texts: SourceTexts, also: tuple[Card, ...] = ()) -> Card:
    cell = f" cell {finding.cell}" if finding.cell is not None else ""
    place = f"{finding.path}{cell}:{finding.line}:{finding.column}"
    others = tuple((fix, patch(finding, texts, fix)) for fix in finding.alternatives)
    return Card(anchor, finding, place, patch(finding, texts), others, also)


def _graph_bytes(report: Report) -> list[int]:
    """What the graphs of each function weigh together."""
    functions: tuple[FunctionSummary, ...] = report.functions
    sizes = [0] * len(functions)
    for trace in report.details.traces if report.details else ():
        sizes[trace.function] += trace.graph_bytes
    return sizes
