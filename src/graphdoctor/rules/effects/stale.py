"""What the rules about changed captures share: the events, added up, and their messages."""

import dataclasses
from collections.abc import Iterator

from msgspec.structs import replace

from graphdoctor.model import Change, Difference, Finding, Fix, FunctionRef, Grounds, Observed, Safety, Span
from graphdoctor.model.words import count, shortened
from graphdoctor.recording.format import Stale, Value
from graphdoctor.recording.places import function_of, related_to
from graphdoctor.rules.effects.kept import variable_fix
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.rule import Rule

LONGEST_VALUE = 60
# How it is known that a value differs; one that is computed again may be equal.
SHOWN = ("known", "turn", "drawn")


def stale_captures(facts: Facts, kinds: tuple[str, ...]) -> Iterator[Stale]:
    """The latest event for each capture of a function; those of several traces are added up."""
    latest: dict[object, dict[tuple[int, int], Stale]] = {}
    for event in facts.of(Stale):
        if event.state.kind in kinds and event.place is not None:
            place = (event.place.path, event.place.line)
            same = latest.setdefault((_function(facts, event), event.state.name, place), {})
            same[event.object, event.trace] = event
    for by_object in latest.values():
        *_, last = by_object.values()
        counted = [event.calls for event in by_object.values() if event.calls is not None]
        yield dataclasses.replace(last, calls=sum(counted) if counted else None)


def stale_finding(rule: Rule, facts: Facts, event: Stale, order: str, own: Fix | None = None) -> Finding:
    """The finding for a capture that changed, at the place that reads it; `own`: its fix, if no Variable."""
    span = _span(facts, event)
    kept = variable_fix(facts, span, (event.then, event.now), (event.written,)) if own is None else (own, ())
    fix, alternatives = kept
    return rule.finding(
        span,
        _message(facts, event),
        _function(facts, event),
        event=event,
        grounds=_grounds(rule, event),
        argument=event.state.name,
        observed=_observed(event) if event.calls is not None else None,
        related=(related_to(event.written, f"`{event.state.name}` changes here"),) if event.written else (),
        fix=fix if own or fix.edits else Fix(title=_order(event, order), safety=Safety.MANUAL),
        alternatives=alternatives,
    )


def _grounds(rule: Rule, event: Stale) -> Grounds:
    """A value that is computed again may be the same one."""
    grounds = rule.grounds_of(event)
    return grounds if event.differs in SHOWN else replace(grounds, inputs=("a value that may be equal",))


def _order(event: Stale, order: str) -> str:
    return "Keep the object, set its weights" if is_object(event.then) else order


def is_object(value: Value) -> bool:
    """Whether it is a model, a layer or the like; a run knows only what it is."""
    return value.kind == "object" or (bool(value.type) and value.text == f"a {value.type}")


def _function(facts: Facts, event: Stale) -> FunctionRef:
    return facts.function_of(event) or function_of(event.function)


def _span(facts: Facts, event: Stale) -> Span:
    place = event.chain[-1].place
    if place.column:
        return facts.span(place)
    return facts.sources.expression(place.path, place.line, event.state.name)


def _message(facts: Facts, event: Stale) -> str:
    """What happened, in one sentence."""
    then, now = _shown(event.then), _shown(event.now)
    if event.then.kind == "object" and event.now.kind == "unknown":
        now = then  # one of several objects, all of them in its place
    function, reader = _function(facts, event), event.chain[-1].function
    where = "" if reader == function.name else f" (read in `{reader}`)"
    if event.state.kind == "flag":
        return (
            f"`{function.name}` changes `{event.state.name}` while it is traced{where}: calls of this trace "
            f"use {then}, the next trace starts with {now}"
        )
    used = "later calls" if event.calls is None else count(event.calls, "call")
    use = "use" if event.calls is None else "used"
    if not then or not now:
        return (
            f"`{event.state.name}` changed after `{function.name}` was traced{where}; {used} still {use} "
            "the old value"
        )
    if then == now:
        return (
            f"`{event.state.name}` ({then}) was replaced after `{function.name}` was traced{where}; {used} "
            f"still {use} the old one"
        )
    return (
        f"`{event.state.name}` changed from {then} to {now} after `{function.name}` was traced{where}; "
        f"{used} still {use} {then}"
    )


def _shown(value: Value) -> str:
    text = value.text or (f"a {value.type}" if value.kind == "object" else "")
    return shortened(text, LONGEST_VALUE)


def _observed(event: Stale) -> Observed:
    """The figures of one changed capture."""
    difference = Difference(
        argument=event.state.name,
        change=Change.PYTHON_VALUE,
        before=shortened(event.then.text, LONGEST_VALUE),
        now=shortened(event.now.text, LONGEST_VALUE),
    )
    return Observed(traces=0, seconds=0.0, calls=event.calls or 0, differences=(difference,))
