"""What rules about gradients share: the finding for a None that a run showed."""

import ast
import re

from msgspec.structs import replace

from graphdoctor.model import Finding, Fix, FunctionRef, Observed, Related, Span
from graphdoctor.model.span import whole_line
from graphdoctor.recording.events import MissingGradient, Site
from graphdoctor.recording.gradients import asking, lines_of, sentence
from graphdoctor.rules.rule import Rule
from graphdoctor.source import Module
from graphdoctor.source.sites import Sources
from graphdoctor.source.tapes import find_tapes

DEFAULT_NAME = re.compile(r"(Variable(_\d+)?)?")


def missing(
    rule: Rule,
    event: MissingGradient,
    sources: Sources,
    fix: Fix | None = None,
    *,
    at_call: bool = False,
) -> Finding | None:
    """The finding, at the place where the path breaks, or (`at_call`) where the gradient was asked for."""
    place = (event.site if at_call else None) or event.place or event.site
    if place is None:
        return None
    event = _with_names(event, sources)
    return rule.finding(
        line_span(sources.module(place.path), place),
        sentence(event),
        function_at(sources.module(place.path), place.line),
        related=tuple(_path(event, place)),
        fix=fix,
        observed=Observed(traces=0, seconds=0.0),
    )


def _with_names(event: MissingGradient, sources: Sources) -> MissingGradient:
    """The event with its sources called as the program calls them, where TensorFlow has no better name."""
    module = sources.module(event.site.path) if event.site else None
    asked = [
        question
        for tape in (find_tapes(module) if module else ())
        for question in tape.questions
        if event.site and question.node.lineno <= event.site.line <= (question.node.end_lineno or 0)
    ]
    if module is None or len(asked) != 1:
        return event
    written = asked[0].source_list
    if len(written) != event.asked or any(isinstance(source, ast.Starred) for source in written):
        return event
    return replace(
        event,
        sources=tuple(
            replace(source, name=module.source_of(written[source.index]))
            if DEFAULT_NAME.fullmatch(source.name)
            else source
            for source in event.sources
        ),
    )


def line_span(module: Module | None, site: Site) -> Span:
    """The text of a line, without its indentation."""
    if module is None or site.line > len(module.lines) or not module.lines[site.line - 1].strip():
        return whole_line(site.path, site.line)
    text = module.lines[site.line - 1]
    start = len(text) - len(text.lstrip())
    return Span(
        path=site.path,
        line=site.line,
        column=start + 1,
        end_line=site.line,
        end_column=len(text.rstrip()) + 1,
    )


def _path(event: MissingGradient, place: Site) -> list[Related]:
    steps = lines_of(event)
    related = [
        _related(site, f"{'target' if not number else 'then'}: {text}")
        for number, (site, text) in enumerate(steps)
    ]
    asked = event.site
    if asked is not None and (asked.path, asked.line) != (place.path, place.line):
        how = f"`{asked.entered or asking(event)}` asks"
        related.insert(0, _related(asked, f"{how} for the gradient"))
    return related


def _related(site: Site, message: str) -> Related:
    span = whole_line(site.path, site.line)
    return Related(
        path=span.path,
        line=span.line,
        column=span.column,
        end_line=span.end_line,
        end_column=span.end_column,
        message=message,
    )


def function_at(module: Module | None, line: int) -> FunctionRef | None:
    """The traced function in which a line stands, as the source half names it."""
    if module is None:
        return None
    around = [
        function
        for function in module.functions.values()
        if function.node.lineno <= line <= (function.node.end_lineno or function.node.lineno)
    ]
    if not around:
        return None
    innermost = max(around, key=lambda function: function.node.lineno)
    traced = module.traced_around(innermost.scope)
    return traced.function.ref if traced else None
