"""What rules about single events share: where they are, and in which function."""

from collections.abc import Iterator

from graphdoctor.model import FunctionRef, Span
from graphdoctor.recording.format import Event, Place, Use
from graphdoctor.recording.places import function_of
from graphdoctor.rules.facts import Facts
from graphdoctor.source.calls import option_span
from graphdoctor.source.sites import CallSite


def function_at(event: Event) -> FunctionRef | None:
    """The function of the user's in which an event happened."""
    frame = event.frame
    return function_of(frame.definition) if frame is not None and frame.definition is not None else None


def function_name(event: Event) -> str:
    """The last part of that function's name; `<module>` at the top of a file."""
    found = function_at(event)
    return found.name.rpartition(".")[2] if found else "<module>"


def traced_around(facts: Facts, place: Place) -> FunctionRef | None:
    """The innermost of the traced functions in whose text a place stands."""
    found = []
    for history in facts.histories:
        known = facts.sources.function(history.function) if history.function.path == place.path else None
        if known is not None and known.is_on(known.home.text_line(facts.span(place))):
            found.append(history.function)
    return max(found, key=lambda function: function.line) if found else None


def uses(facts: Facts, *ways: str) -> Iterator[Use]:
    """The places where a symbolic tensor is used in one of these ways, and nobody catches what is raised."""
    return (event for event in facts.of(Use) if event.how in ways and event.chain and not event.caught)


def at(event: Event) -> Place:
    """Where an event happened."""
    return event.chain[-1].place


def call_at(facts: Facts, event: Event) -> CallSite | None:
    """The call that an event is about, in the source."""
    return facts.sources.call_at(facts.span(at(event))) if event.chain else None


def option_at(facts: Facts, event: Event, name: str) -> Span:
    """Where an option stands in the call that an event is about; the call where it comes from elsewhere."""
    found = call_at(facts, event)
    option = option_span(*found, name) if found is not None else None
    return option or facts.span(at(event))


def called_text(facts: Facts, event: Event) -> str:
    """What is called there, as the source writes it."""
    return facts.sources.called_text(facts.span(at(event))) if event.chain else ""
