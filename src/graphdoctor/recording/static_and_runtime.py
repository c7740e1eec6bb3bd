"""What a run and the dry run tell of the same thing → one event, one history."""

import dataclasses
from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Any, TypeVar, cast

from msgspec.structs import replace

from graphdoctor.recording.format import (
    SEEN,
    WORDS,
    Applied,
    Effect,
    Escape,
    Event,
    Failure,
    Frame,
    Gradient,
    LibraryCall,
    Made,
    Staging,
    Stale,
    Use,
)
from graphdoctor.recording.history import History, explained
from graphdoctor.recording.recording import Recording

Kind = TypeVar("Kind", bound=Event)
# What two events of a kind must share, beside the line, to be the same matter.
MATTER: dict[type[Any], Callable[[Any], Hashable]] = {
    Effect: lambda event: event.what,
    Stale: lambda event: event.state.name,  # of Keras, a run names the loop around the step that is predicted
    Staging: lambda event: event.construct,
    Escape: lambda event: event.state.name.rpartition(".")[2],  # `self.hidden` is `hidden` for a run
    Use: lambda event: event.how,
    Made: lambda event: event.what,
    Applied: lambda event: event.what,
    LibraryCall: lambda event: event.name,
    Gradient: lambda event: event.reason,
    Failure: lambda event: event.type,
}


# State that a run does not look at: what changes between being read and used, all in one trace (a run looks
# between the calls), and what a layer says of each of its variables.
UNSEEN_STATE = ("flag", "lambda", "loop", "trained")


def joined_histories(runs: tuple[History, ...], dry: Sequence[Recording]) -> tuple[History, ...]:
    """One history per function; where a run traced it, the dry run's traces are its predictions."""
    reported = explained(dry) if dry else ()
    predicted = {_named(history): history for history in reported}
    joined = [replace(run, predicted=predicted.get(_named(run))) for run in runs]
    seen = {_named(run) for run in runs}
    return (*joined, *(history for history in reported if _named(history) not in seen))


def _named(history: History) -> Hashable:
    """A function by place and last name: only a run knows the class of a library's method."""
    function = history.function
    return function.path, function.line, function.name.rpartition(".")[2]


def joined_events(
    recordings: Sequence[Recording], kind: type[Kind], covers: Callable[[str], bool]
) -> tuple[Kind, ...]:
    """The events of one kind; what the dry run predicted and a run that could see it did not is left out."""
    runs = [recording for recording in recordings if not recording.is_dry]
    seen = [event for run in runs for event in run.of(kind) if _covered(event, covers)]
    dry = [event for one in recordings if one.is_dry for event in one.of(kind) if _covered(event, covers)]
    if not dry:
        return tuple(seen)
    predicted: dict[Hashable, list[Kind]] = {}
    for event in dry:
        predicted.setdefault(_matter(event), []).append(event)
    joined = [_joined(event, predicted.get(_matter(event), [])) for event in seen]
    for event in seen:  # a function that is traced twice is seen to do it twice
        predicted.pop(_matter(event), None)
    settled = _settled(runs, kind)
    rest = [event for events in predicted.values() for event in events if not settled(event)]
    if kind is Gradient:  # a run that says why a gradient is None has the reason
        asked = {question for event in seen for question in _questions(cast(Gradient, event))}
        rest = [event for event in rest if not asked.intersection(_questions(cast(Gradient, event)))]
    return (*joined, *rest)


def _questions(event: Gradient) -> Iterator[Hashable]:
    """For which sources a gradient was asked, and where."""
    if event.place is not None:
        for source in event.sources:
            yield event.place.path, event.place.line, source.index


def _covered(event: Event, covers: Callable[[str], bool]) -> bool:
    return event.place is None or covers(event.place.path)


def _matter(event: Event) -> Hashable:
    place = event.place
    what = MATTER.get(type(event))
    where = (place.path, place.line) if place else None
    return where, what(event) if what else id(event)


def _joined(seen: Kind, predicted: list[Kind]) -> Kind:
    """What was seen, with the exact chain of what was predicted."""
    if not predicted:
        return seen
    if isinstance(seen, Effect):  # one line may draw twice
        predicted = [
            one for one in predicted if isinstance(one, Effect) and one.name == seen.name
        ] or predicted
    reported = next((one for one in predicted if isinstance(one, Effect) and one.read), predicted[0])
    if isinstance(reported, Effect):  # the source tells more of what is done, and who reads it
        return cast(Kind, dataclasses.replace(reported, trace=seen.trace, reached=SEEN, foretold=True))
    if isinstance(reported, Applied) and isinstance(seen, Applied):
        joined = dataclasses.replace(reported, trace=seen.trace, reached=SEEN, foretold=True)
        options = {**reported.options, **seen.options}
        return cast(
            Kind, dataclasses.replace(joined, calls=seen.calls, seconds=seen.seconds, options=options)
        )
    placed = dataclasses.replace(seen, chain=reported.chain, foretold=True)
    if isinstance(placed, Gradient) and isinstance(reported, Gradient):
        return cast(Kind, _with_places(placed, reported))
    return placed


def _with_places(seen: Gradient, reported: Gradient) -> Gradient:
    """A gradient that was seen, with the exact places of its sources and of where the path breaks."""
    places = {source.index: source.place for source in reported.sources}
    same_line = seen.broken and reported.broken and seen.broken.line == reported.broken.line
    return dataclasses.replace(
        seen,
        sources=tuple(dataclasses.replace(s, place=s.place or places.get(s.index)) for s in seen.sources),
        broken=reported.broken if same_line else seen.broken,
    )


def _settled(runs: list[Recording], kind: type[Event]) -> Callable[[Event], bool]:
    """Whether a run could see this kind, and ran the function that an event is about."""
    traced = {
        (trace.function.path, trace.function.line)
        for run in runs
        if WORDS[kind] in run.header.sees
        for trace in run.traces
        if trace.failed is None  # one that died has not shown what comes after
    }

    def is_settled(event: Event) -> bool:
        if isinstance(event, Stale) and event.state.kind in UNSEEN_STATE:
            return False
        return event.reached != SEEN and any(place in traced for place in _functions(event.chain))

    return is_settled


def _functions(chain: tuple[Frame, ...]) -> Iterator[tuple[str, int]]:
    for frame in chain:
        if frame.definition is not None:
            yield frame.definition.path, frame.definition.line
