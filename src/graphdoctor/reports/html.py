"""The report as one page that needs nothing but a browser: no network, no other file."""

import base64
import dataclasses
import hashlib
import pathlib
import re
from collections.abc import Iterator

import jinja2
from markupsafe import Markup, escape

from graphdoctor.model import Finding, FunctionSummary, Report, Severity
from graphdoctor.model.words import count, duration, printable, share
from graphdoctor.reports.listing import listings
from graphdoctor.reports.page_data import page_data, ranked_causes
from graphdoctor.reports.patch import patch
from graphdoctor.reports.sources import SourceTexts

PAGE = pathlib.Path(__file__).parent / "page"
UNSAFE_IN_IDENTIFIERS = re.compile(r"[^A-Za-z0-9._-]+")
EVIDENCE = {"source": "seen in the source", "run": "seen in the run", "both": "seen in source and run"}


@dataclasses.dataclass(frozen=True)
class Card:
    """A finding as the page shows it."""

    anchor: str
    finding: Finding
    place: str
    patch: tuple[str, ...]


def render_page(report: Report) -> str:
    """The whole page."""
    texts = SourceTexts(report.details.directory if report.details else "")
    cards = tuple(_cards(report, texts))
    anchors = {id(card.finding): card.anchor for card in cards}
    script = (PAGE / "report.js").read_text(encoding="utf-8")
    return (
        _environment()
        .get_template("report.html")
        .render(
            report=report,
            title=_title(report),
            headline=headline(report),
            cards=cards,
            anchor_of=lambda finding: anchors[id(finding)],
            severities=[s for s in Severity if any(f.severity is s for f in report.findings)],
            causes=ranked_causes(report),
            graph_bytes=_graph_bytes(report),
            listings=listings(report, texts),
            evidence=EVIDENCE,
            style=Markup((PAGE / "report.css").read_text(encoding="utf-8")),
            script=Markup(script),
            script_hash=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
            data=Markup(page_data(report)),
        )
    )


def headline(report: Report) -> str:
    """The first thing to read: what was lost and to what, or how much was found."""
    if report.run is None:
        files = len({finding.path for finding in report.findings})
        found = count(len(report.findings), "finding")
        return f"{found} in {count(files, 'file')}" if report.findings else "No findings"
    run = report.run
    text = f"{duration(run.tracing_seconds)} of {duration(run.seconds)} "
    text += f"({share(run.tracing_seconds, run.seconds)}) went into {count(run.traces, 'trace')}"
    worst = next((f.observed for f in report.findings if f.observed and f.observed.traces), None)
    if worst is not None:
        text += f"; one cause explains {worst.traces:,} of them ({duration(worst.seconds)})"
    return text


def _title(report: Report) -> str:
    return (report.details.program if report.details else "") or "source check"


def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(PAGE),
        autoescape=True,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters.update(code=_with_code, duration=duration, size=_size)
    environment.globals.update(count=count, line_anchor=line_anchor, share=share)
    return environment


def _shown(value: object) -> object:
    """Texts of the user's program without characters that turn the direction of writing or hide."""
    if isinstance(value, str) and not isinstance(value, Markup):
        return "\t".join(printable(part) for part in value.split("\t"))
    return value


def _with_code(text: str) -> Markup:
    """Names in backticks as code."""
    pieces = printable(text).split("`")
    if len(pieces) % 2 == 0:  # an odd backtick of the program's own
        return escape("`".join(pieces))
    return Markup("").join(
        Markup("<code>{}</code>").format(piece) if index % 2 else escape(piece)
        for index, piece in enumerate(pieces)
    )


def _size(size_bytes: int) -> str:
    if size_bytes >= 1e5:
        return f"{size_bytes / 1e6:,.1f} MB"
    return f"{size_bytes / 1e3:.0f} kB" if size_bytes else ""


def line_anchor(path: str, cell: int | None, line: int) -> str:
    """The name under which a line of source can be linked to."""
    within = "" if cell is None else f"-cell{cell}"
    return _identifier(f"line-{path}{within}-{line}")


def _identifier(text: str) -> str:
    return UNSAFE_IN_IDENTIFIERS.sub("_", text)[:200]


def _cards(report: Report, texts: SourceTexts) -> Iterator[Card]:
    taken: dict[str, int] = {}
    for finding in report.findings:
        anchor = _identifier(f"{finding.rule}-{finding.path}-{finding.line}")
        taken[anchor] = taken.get(anchor, 0) + 1
        if taken[anchor] > 1:
            anchor += f"-{taken[anchor]}"
        cell = f" cell {finding.cell}" if finding.cell is not None else ""
        place = f"{finding.path}{cell}:{finding.line}:{finding.column}"
        yield Card(anchor, finding, place, patch(finding, texts))


def _graph_bytes(report: Report) -> list[int]:
    """What the graphs of each function weigh together."""
    functions: tuple[FunctionSummary, ...] = report.functions
    sizes = [0] * len(functions)
    for trace in report.details.traces if report.details else ():
        sizes[trace.function] += trace.graph_bytes
    return sizes
