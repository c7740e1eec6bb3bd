"""What rules about gradients share: the findings for those that are None."""

import dataclasses
import re
from collections.abc import Callable, Collection, Iterator, Mapping

from graphdoctor.model import Finding, Fix, Observed, Related, Safety
from graphdoctor.recording.failing import Failed
from graphdoctor.recording.format import SEEN, Gradient, Place
from graphdoctor.recording.gradients import asking, lines_of, sentence
from graphdoctor.recording.places import related_to, span_of
from graphdoctor.refactoring.tapes.blocks import Question, Tape, find_tapes
from graphdoctor.refactoring.tapes.passed_tapes import question_through, tape_at
from graphdoctor.rules.event_places import traced_around
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.failures import failures_behind, what_it_cost
from graphdoctor.rules.rule import Rule
from graphdoctor.source import Module
from graphdoctor.source.sites import Node, Sources, node_at, parts_of, statement_on

# The program tests for None itself, or shows the gradient beside others that exist.
EXPECTED = ("checked", "compared")
WANTED = "the gradient is needed"
DEFAULT_NAME = re.compile(r"(Variable(_\d+)?)?")


@dataclasses.dataclass(frozen=True)
class Asked:
    """A question to a tape as the source has it: for names, and for the edits of a fix."""

    module: Module
    tape: Tape
    question: Question


Opened = tuple[Module, Tape]
Fixing = Callable[[Gradient, Asked], Fix | None]
FixAtBreak = Callable[[Gradient, Module, Node], Fix | None]
Making = Callable[[Gradient], Fix | None]


def missing(
    rule: Rule,
    facts: Facts,
    orders: Mapping[str, str | None],
    *,
    at_call: bool = False,
    fixing: Fixing | None = None,
    at_break: FixAtBreak | None = None,
    making: Making | None = None,
    benign: Collection[str] = EXPECTED,
    without: Collection[str] = (),
) -> Iterator[Finding]:
    """The findings for these reasons, each with the title of its fix; `fixing` gives the edits.

    Where it has none, `at_break` may give them for the expression at which the path breaks, or `making` for
    the call that asks. Where the code after it does one of these `benign` things with the gradient, the
    confidence is low. Sources of the names `without` are left out: another rule reports them.
    """
    ended = failures_behind(facts)
    for event in facts.of(Gradient):
        sources = tuple(source for source in event.sources if source.name not in without)
        if len(sources) < len(event.sources):
            if not sources:
                continue
            event = dataclasses.replace(event, sources=sources)
        place = (_asked_at(event) if at_call else None) or event.broken or event.place
        if event.reason not in orders or place is None:
            continue
        title, asked = orders[event.reason], _asked_of(event, facts.sources)
        named = _with_names(event, asked)
        fix = fixing(named, asked) if fixing is not None and asked is not None else None
        at = event.broken or event.place if at_break is not None else None
        breaks = facts.sources.expression_at(facts.span(at)) if at is not None else None
        for node in parts_of(breaks[1]) if at_break is not None and breaks is not None else ():
            fix = fix or (at_break(event, breaks[0], node) if at_break and breaks else None)
        if making is not None and (fix is None or not fix.edits):
            fix = making(event) or fix
        yield rule.finding(
            facts.span(place),
            sentence(named) + _then(ended.get(id(event))),
            facts.function_of(event) or traced_around(facts, place),
            event=event,
            guesses=(WANTED,) if _is_dealt_with(event, benign) else (),
            related=tuple(_path(named, place)),
            fix=fix or (Fix(title=title, safety=Safety.MANUAL) if title else None),
            observed=_figures(event, ended.get(id(event))),
        )


def _is_dealt_with(event: Gradient, benign: Collection[str]) -> bool:
    """Whether the program deals with a gradient that the source shows to be None.

    So it does with one that a notebook only shows: whoever tries that out sees the answer below the cell.
    And with one that it has stopped its tape for.
    """
    is_tried_out = event.fate == "shown" and event.place is not None and event.place.path.endswith(".ipynb")
    meant = is_tried_out or event.detail == "paused" or event.fate in benign
    return meant and event.reached != SEEN


def _then(failed: Failed | None) -> str:
    """What became of it."""
    return f"; then it raised {failed.failure.type}" if failed is not None else ""


def _figures(event: Gradient, failed: Failed | None) -> Observed | None:
    if failed is not None and failed.traces:
        return what_it_cost(failed.traces)
    return Observed(traces=0, seconds=0.0) if event.reached == SEEN else None


def _asked_at(event: Gradient) -> Place | None:
    """The source that lacks its gradient, where one is named; else the question."""
    return next((source.place for source in event.sources if source.place), None) or event.place


def _asked_of(event: Gradient, sources: Sources) -> Asked | None:
    """The question of an event, also where the function that opened the tape gave it to a helper."""
    asked = asked_in(event.place, sources)
    opened = opened_at(event.opened, sources) if asked is None else None
    helper = sources.module(event.place.path) if event.place is not None else None
    if opened is None or helper is None or event.place is None:
        return asked
    module, tape = opened
    for frame in event.chain[:-1]:
        if frame.place.path == module.path:
            line, asked_on = module.text_line(span_of(frame.place)), helper.text_line(span_of(event.place))
            question = question_through(module, tape, line, helper, asked_on)
            if question is not None:
                return Asked(module, tape, question)
    return None


def opened_at(place: Place | None, sources: Sources) -> Opened | None:
    """The tape that is opened at a place."""
    module = sources.module(place.path) if place is not None else None
    tape = tape_at(module, module.text_line(span_of(place))) if module and place else None
    return (module, tape) if module is not None and tape is not None else None


def asked_in(asked_at: Place | None, sources: Sources) -> Asked | None:
    """The one question that stands where a gradient was asked for."""
    module = sources.module(asked_at.path) if asked_at else None
    if module is None or asked_at is None:
        return None
    line = module.text_line(span_of(asked_at))
    asked = [
        Asked(module, tape, question)
        for tape in find_tapes(module)
        for question in tape.questions
        if question.is_on(line)
    ]
    return asked[0] if len(asked) == 1 else None


def written(asked: Asked, place: Place | None) -> Node | None:
    """What stands at a place, in the module of the question; the statement where only the line is known."""
    if place is None or place.path != asked.module.path:
        return None
    span = span_of(place)
    if place.column:
        return node_at(asked.module, span)
    return statement_on(asked.module, asked.module.text_line(span))


def _with_names(event: Gradient, asked: Asked | None) -> Gradient:
    """The event with its sources called as the program calls them, where TensorFlow has no better name."""
    written = asked.question.plain_sources if asked else []
    if asked is None or not written or len(written) != event.asked:
        return event
    return dataclasses.replace(
        event,
        sources=tuple(
            dataclasses.replace(source, name=asked.module.source_of(written[source.index]))
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
