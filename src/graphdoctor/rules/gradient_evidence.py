"""What rules about gradients share: the findings for those that are None."""

import ast
import dataclasses
import re
from collections.abc import Iterator, Mapping

from graphdoctor.model import Finding, Fix, FunctionRef, Observed, Related, Safety
from graphdoctor.recording.format import SEEN, Gradient, Place
from graphdoctor.recording.gradients import asking, lines_of, sentence
from graphdoctor.recording.places import related_to
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.rule import Rule
from graphdoctor.source import Module
from graphdoctor.source.sites import Sources
from graphdoctor.source.tapes import find_tapes

DEFAULT_NAME = re.compile(r"(Variable(_\d+)?)?")


def missing(
    rule: Rule, facts: Facts, orders: Mapping[str, str | None], *, at_call: bool = False
) -> Iterator[Finding]:
    """The findings for these reasons, each with the title of its fix.

    They stand where the path breaks, or (`at_call`) where the gradient was asked for.
    """
    for event in facts.of(Gradient):
        place = (event.place if at_call else None) or event.broken or event.place
        if event.reason in orders and place is not None:
            title = orders[event.reason]
            named = _with_names(event, facts.sources)
            yield rule.finding(
                facts.span(place),
                sentence(named),
                function_at(facts.sources.module(place.path), place.line),
                event=event,
                related=tuple(_path(named, place)),
                fix=Fix(title=title, safety=Safety.MANUAL) if title else None,
                observed=Observed(traces=0, seconds=0.0) if event.reached == SEEN else None,
            )


def _with_names(event: Gradient, sources: Sources) -> Gradient:
    """The event with its sources called as the program calls them, where TensorFlow has no better name."""
    asked_at = event.place
    module = sources.module(asked_at.path) if asked_at else None
    asked = [
        question
        for tape in (find_tapes(module) if module else ())
        for question in tape.questions
        if asked_at and question.node.lineno <= asked_at.line <= (question.node.end_lineno or 0)
    ]
    if module is None or len(asked) != 1:
        return event
    written = asked[0].source_list
    if len(written) != event.asked or any(isinstance(source, ast.Starred) for source in written):
        return event
    return dataclasses.replace(
        event,
        sources=tuple(
            dataclasses.replace(source, name=module.source_of(written[source.index]))
            if DEFAULT_NAME.fullmatch(source.name)
            else source
            for source in event.sources
        ),
    )


def _path(event: Gradient, place: Place) -> list[Related]:
    steps = lines_of(event)
    related = [
        related_to(at, f"{'target' if not number else 'then'}: {text}")
        for number, (at, text) in enumerate(steps)
    ]
    asked = event.frame
    if asked is not None and (asked.place.path, asked.place.line) != (place.path, place.line):
        how = f"`{asked.entered or asking(event)}` asks"
        related.insert(0, related_to(asked.place, f"{how} for the gradient"))
    return related


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
