"""What the rules about side effects share: what Python does while tracing, and not again."""

import ast
from collections.abc import Iterator

from graphdoctor.model import FunctionRef
from graphdoctor.recording.format import Calls, Effect
from graphdoctor.recording.places import function_of
from graphdoctor.rules.facts import Facts


def all_effects(facts: Facts, *kinds: str) -> Iterator[tuple[Effect, FunctionRef]]:
    """The effects of these kinds, each with the function that was traced."""
    for event in facts.of(Effect):
        function = facts.function_of(event)
        if event.what in kinds and function is not None and event.place is not None:
            yield event, function


def repeated_effects(facts: Facts, *kinds: str) -> Iterator[tuple[Effect, FunctionRef]]:
    """Those that each call should repeat: not what Python does once, nor in a function called once."""
    single = {function_of(event.function) for event in facts.of(Calls) if event.calls == 1}
    for event, function in all_effects(facts, *kinds):
        if not event.once and function not in single:
            yield event, function


def called(facts: Facts, event: Effect) -> str:
    """What was called, as the source writes it."""
    found = facts.sources.expression_at(facts.span(event.place)) if event.place is not None else None
    if found is None or not isinstance(found[1], ast.Call):
        return event.name
    return found[0].source_of(found[1].func)
