"""TensorFlow's exceptions in graph mode → findings in our words, of the rule whose text fits best."""

import functools
import re
from collections.abc import Iterator, Sequence
from typing import Any

from graphdoctor.model import Finding, Fix, FunctionRef, Observed, Safety, Severity, Span
from graphdoctor.model.span import whole_line
from graphdoctor.recording.failing import Failed
from graphdoctor.recording.format import SEEN, Gradient, Trace, Use
from graphdoctor.recording.places import function_of
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.rule import FailureText, Rule

# What TensorFlow and Keras say when a gradient that they were given is None.
OF_GRADIENTS = re.compile(r"None values not supported|[Gg]radient")


def explained_failures(rule: Rule, facts: Facts) -> Iterator[Finding]:
    """One finding for each failure that no other rule explains better."""
    if not rule.failures:
        return
    for failed in facts.failures:
        found = explanation(failed)
        if found is not None and found[0] == rule.id:
            _, text, meaning = found
            order = Fix(title=text.order, safety=Safety.MANUAL)
            yield failure_finding(rule, failed, f"{meaning} ({failed.failure.type})", fix=order)


def explanation(failed: Failed) -> tuple[str, FailureText, str] | None:
    """The rule that explains a failure best, with the text that fits, and what it means here."""
    failure = failed.failure
    carried = tuple((each.path, each.text, each.dtype) for each in failure.carried)
    return _explanation(failure.text, failure.through, failed.in_keras, failed.per_instance, carried)


@functools.lru_cache(maxsize=1024)
def _explanation(
    text: str, through: str, in_keras: bool, per_instance: bool, carried: tuple[tuple[str, str, str], ...]
) -> tuple[str, FailureText, str] | None:
    from graphdoctor.rules.registry import all_rules

    best: tuple[str, FailureText, str] | None = None
    for rule in all_rules():
        for known in rule.failures:
            holds = (in_keras or not known.in_keras) and (per_instance or not known.per_instance)
            if not holds or known.through not in through:
                continue
            found = re.search(known.pattern, text, re.DOTALL)
            if found is None or (best is not None and known.conditions <= best[1].conditions):
                continue
            number = next((number for number in carried if number[2] in found.groups()), None)
            if number is not None or not known.carried:
                best = rule.id, known, known.meaning.format(*found.groups(), **_words(number, found.groups()))
    return best


def _words(number: tuple[str, str, str] | None, dtypes: Sequence[str]) -> dict[str, str]:
    """What a text may say of a number that a loop carries: it is of one of two dtypes."""
    if number is None:
        return {}
    name, start, dtype = number
    return {
        "name": name,
        "start": start,
        "dtype": dtype,
        "other": next((d for d in dtypes if d != dtype), dtype),
    }


def gradient_behind(failed: Failed, facts: Facts) -> Gradient | None:
    """The missing gradient that a failure speaks of, unless it was asked for in another trace."""
    text, numbers = failed.failure.text, {trace.number for trace in failed.traces}
    if not OF_GRADIENTS.search(text):
        return None
    for event in facts.of(Gradient):
        if event.reached == SEEN and (not event.trace or event.trace in numbers):
            return event
    return None


def tells_of_none(failed: Failed, facts: Facts) -> bool:
    """Whether another event says why the line that failed had None: a gradient, or a size while tracing."""
    failure = failed.failure
    if "NoneType" not in failure.text or failure.place is None:
        return False
    sizes = (event for event in facts.of(Use) if event.how == "size")
    places = (event.place for event in (*facts.of(Gradient), *sizes))
    line = (failure.place.path, failure.place.line)
    return any(place is not None and (place.path, place.line) == line for place in places)


def failures_behind(facts: Facts) -> dict[int, Failed]:
    """What failed for want of a gradient, by the identity of the event that tells of it."""
    found = ((gradient_behind(failed, facts), failed) for failed in facts.failures)
    return {id(event): failed for event, failed in found if event is not None}


def failure_finding(rule: Rule, failed: Failed, message: str, **details: Any) -> Finding:
    """The finding for a failure, at the user's innermost line."""
    failure, traces = failed.failure, failed.traces
    return rule.finding(
        _span(failed),
        message,
        _function(failed),
        event=failure,
        observed=what_it_cost(traces) if traces else None,
        worse=Severity.ERROR,
        **details,
    )


def what_it_cost(traces: Sequence[Trace]) -> Observed:
    """The figures of traces that failed."""
    seconds = round(sum(trace.own_seconds for trace in traces), 6)
    numbers = tuple(trace.number for trace in traces)
    return Observed(traces=0, failed=len(traces), seconds=seconds, numbers=numbers)


def _span(failed: Failed) -> Span:
    place = failed.failure.place
    if place is not None:
        return whole_line(place.path, place.line)
    if failed.traces:  # raised by TensorFlow after the function had ended
        return whole_line(failed.traces[-1].function.path, failed.traces[-1].function.line)
    return whole_line("", 0)


def _function(failed: Failed) -> FunctionRef | None:
    last = failed.traces[-1] if failed.traces else None
    return function_of(last.function) if last is not None and not last.library else None
