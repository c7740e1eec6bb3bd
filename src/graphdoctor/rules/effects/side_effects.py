"""What the rules about side effects share: what Python does while tracing, and not again."""

import dataclasses
import re
from collections.abc import Iterator

from graphdoctor.model import FunctionRef, Observed, Span
from graphdoctor.recording.format import MAY, MUST, SEEN, Calls, Effect, Event, Place
from graphdoctor.recording.places import function_of
from graphdoctor.refactoring.calls.random_draws import is_only_a_seed
from graphdoctor.rules.facts import Facts
from graphdoctor.source.parts import is_test_file

OF_TRACES = re.compile(r"trac(?:e(?!back)|ing)")  # `traces`, `retraced`, `tracing`; not `tracks`
READ = "it is read outside the graph"  # what a claim about state takes for granted where nothing reads it
SYMBOLIC = ("tensor", "array")  # what a message shows, or a list gets, that is a tensor without a value


def all_effects(facts: Facts, *kinds: str) -> Iterator[tuple[Effect, FunctionRef]]:
    """The effects of these kinds, each with the function that was traced."""
    for event in facts.of(Effect):
        function = facts.function_of(event)
        if event.what in kinds and function is not None and event.place is not None:
            judged = _as_the_calls_show(facts, event)
            if judged is not None:
                yield judged, function


def _as_the_calls_show(facts: Facts, event: Effect) -> Effect | None:
    """An effect is seen when a run has more calls of the function than traces, or calls were not counted.

    When every call of the run repeated it, the source analysis decides.
    """
    if figures(facts, event) is not None:
        return dataclasses.replace(event, reached=SEEN, foretold=event.foretold or event.reached != SEEN)
    history = facts.history_of(event)
    if event.reached != SEEN or history is None or history.calls is None:
        return event
    return dataclasses.replace(event, reached=MUST, foretold=False) if event.foretold else None


def repeated_effects(facts: Facts, *kinds: str) -> Iterator[tuple[Effect, FunctionRef]]:
    """Those that each call should repeat: not what Python does once, nor in a function called once."""
    single = called_once(facts)
    for event, function in all_effects(facts, *kinds):
        if not event.once and function not in single:
            yield event, function


def called_once(facts: Facts) -> set[FunctionRef]:
    """The functions that a program calls a single time."""
    return {function_of(event.function) for event in facts.of(Calls) if event.calls == 1}


def is_read_by_nobody(event: Effect) -> bool:
    """Whether the source shows the change, and nothing in the project that reads it afterwards."""
    return event.read is None and event.reached != SEEN


def counts_in_test(event: Effect) -> bool:
    """Whether a test counts: how often a function is traced is what it wants to know."""
    return event.counted and event.place is not None and is_test_file(event.place.path)


def speaks_of_traces(facts: Facts, event: Effect) -> bool:
    """Whether traces are what a count is for: its name says so, or the line that reads it."""
    line = facts.sources.text_of_line(event.read.path, event.read.line) if event.read is not None else ""
    return OF_TRACES.search(f"{event.name} {line}".lower()) is not None


def figures(facts: Facts, event: Effect) -> Observed | None:
    """How many calls of a run did not repeat an effect; None when nothing ran, or none was left out.

    What only the source tells, and only of one branch, may not have run. TensorFlow counts the
    eager calls of a function itself; `run --calls` is not needed for it.
    """
    history = facts.history_of(event)
    if event.reached == MAY or history is None or history.calls is None:
        return None
    if history.calls <= history.traced_well:
        return None
    return Observed(traces=0, seconds=0.0, calls=history.calls - history.traced_well)


def what_ran(facts: Facts, event: Effect, what: str) -> str | None:
    """`print` ran in 1 of 4 calls: only while `step` was traced; None when no run shows it."""
    history = facts.history_of(event)
    if history is None or history.calls is None or figures(facts, event) is None:
        return None
    traced = min(history.traced_well, history.calls)
    return f"{what} ran in {traced} of {history.calls} calls: only while `{history.function.name}` was traced"


def is_a_seed(facts: Facts, span: Span) -> bool:
    """Whether the value is the seed of an operation, which draws new numbers at each call."""
    found = facts.sources.expression_at(span)
    return found is not None and is_only_a_seed(*found)


def called(facts: Facts, event: Effect) -> str:
    """What was called, as the source writes it."""
    text = facts.sources.called_text(facts.span(event.place)) if event.place is not None else ""
    return text or event.name


def calls_from(event: Event, function: FunctionRef) -> list[Place]:
    """The calls that lead from a graph function to what happened in it, the first one first."""
    definitions = [frame.definition for frame in event.chain]
    inside = [one is not None and function_of(one) == function for one in definitions]
    first = inside.index(True) if True in inside else len(inside)
    return [frame.place for frame in event.chain[first:-1]]
