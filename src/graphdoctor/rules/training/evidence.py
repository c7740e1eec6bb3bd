"""What the rules about the time of training share: the training, its event, and its lines."""

from graphdoctor.model.span import Span
from graphdoctor.model.words import duration, share
from graphdoctor.recording.format import Place, Steps
from graphdoctor.recording.training_time import Training
from graphdoctor.rules.facts import Facts

# Less is not worth a change.
LEAST_SECONDS = 1.0


def event_of(facts: Facts, training: Training) -> Steps | None:
    """What the run recorded last about the steps of the training."""
    steps = training.steps
    found = [
        event
        for event in facts.of(Steps)
        if event.kind == steps.kind and event.place is not None
        if (event.place.path, event.place.line) == (steps.path, steps.line)
    ]
    return found[-1] if found else None


def part_of(training: Training, *phases: str) -> str:
    """`3.9 s of 4.2 s (93 %)`"""
    taken = training.of(*phases)
    return f"{duration(taken)} of {duration(training.seconds)} ({share(taken, training.seconds)})"


def about(training: Training, phase: str) -> str:
    """`about ` where the seconds of a phase are an estimate."""
    found = training.phases.get(phase)
    return "about " if found is not None and found.estimated else ""


def span_at(facts: Facts, path: str, line: int) -> Span:
    """The text of a line."""
    return facts.span(Place(path=path, line=line))
