"""What the rules about side effects share: what Python does while tracing, and not again."""

import ast
import dataclasses
from collections.abc import Iterator

from graphdoctor.model import FunctionRef, Observed
from graphdoctor.recording.format import SEEN, Calls, Effect
from graphdoctor.recording.places import function_of
from graphdoctor.rules.facts import Facts


def all_effects(facts: Facts, *kinds: str) -> Iterator[tuple[Effect, FunctionRef]]:
    """The effects of these kinds, each with the function that was traced."""
    for event in facts.of(Effect):
        function = facts.function_of(event)
        if event.what in kinds and function is not None and event.place is not None:
            yield _borne_out(facts, event), function


def repeated_effects(facts: Facts, *kinds: str) -> Iterator[tuple[Effect, FunctionRef]]:
    """Those that each call should repeat: not what Python does once, nor in a function called once."""
    single = {function_of(event.function) for event in facts.of(Calls) if event.calls == 1}
    for event, function in all_effects(facts, *kinds):
        if not event.once and function not in single:
            yield event, function


def figures(facts: Facts, event: Effect) -> Observed | None:
    """How many calls of a run did not repeat an effect; None when nothing ran, or none was left out.

    TensorFlow counts the eager calls of a function itself; `run --calls` is not needed for it.
    """
    history = facts.history_of(event)
    if history is None or history.calls is None or history.calls <= history.traced_well:
        return None
    return Observed(traces=0, seconds=0.0, calls=history.calls - history.traced_well)


def what_ran(facts: Facts, event: Effect, what: str) -> str | None:
    """`print` ran in 1 of 4 calls: only while `step` was traced; None when no run shows it."""
    history = facts.history_of(event)
    if history is None or history.calls is None or figures(facts, event) is None:
        return None
    traced = min(history.traced_well, history.calls)
    return f"{what} ran in {traced} of {history.calls} calls: only while `{history.function.name}` was traced"


def _borne_out(facts: Facts, event: Effect) -> Effect:
    """An effect that was foretold is seen when a run called the function more often than it traced it."""
    if figures(facts, event) is None:
        return event
    return dataclasses.replace(event, reached=SEEN, foretold=event.foretold or event.reached != SEEN)


def called(facts: Facts, event: Effect) -> str:
    """What was called, as the source writes it."""
    found = facts.sources.expression_at(facts.span(event.place)) if event.place is not None else None
    if found is None or not isinstance(found[1], ast.Call):
        return event.name
    return found[0].source_of(found[1].func)
