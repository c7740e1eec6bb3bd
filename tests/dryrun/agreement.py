"""Two recordings of one program → where they agree, where the dry run claims nothing, where they differ."""

from collections import defaultdict
from collections.abc import Hashable, Iterator
from typing import NamedTuple

from graphdoctor.model import Change
from graphdoctor.recording import Recording
from graphdoctor.recording.differences import compare
from graphdoctor.recording.format import (
    ASSUMED,
    FIRST_VARIABLES,
    KINDS,
    MUST,
    PROGRAM,
    Argument,
    Event,
    Failure,
    Gradient,
    Looked,
    Staging,
    Stale,
    Trace,
)
from graphdoctor.recording.grouping import Origin
from graphdoctor.recording.history import History, explained
from graphdoctor.recording.labels import OUTER_TRACED_AGAIN, VARIABLE_CREATION
from graphdoctor.recording.predictions import changing
from graphdoctor.recording.static_and_runtime import MATTER

AGREE, UNKNOWN, DIFFER = "agree", "unknown", "differ"
CAUSE = "cause"
# The dry run alone sees that a function reads a name that went on since it was made.
ONLY_DRY = ("loop", "lambda")
# A run alone counts the variables that a line makes in a first trace: most are made inside Keras, and they
# matter for the seconds of the second trace. That there is a second one the dry run does claim, as traces.
# It alone hears AutoGraph give up on a whole `function`; the dry run claims what in it is at fault.
ONLY_RUN = (FIRST_VARIABLES, "function")
Reason = tuple[str | None, Change]


class Verdict(NamedTuple):
    """What became of one fact: of which kind it is, whether both tell it, and what it is."""

    kind: str
    outcome: str
    what: str


def verdicts(dry: Recording, seen: Recording) -> Iterator[Verdict]:
    """What both recordings say of everything that both recorders can see."""
    yield from _traces(dry, seen)
    for word, kind in KINDS.items():
        if kind in MATTER and kind is not Failure and word in dry.header.sees:
            whole = word in seen.header.sees and not seen.deaths
            if whole or seen.of(kind):
                yield from _events(word, dry.of(kind), seen.of(kind), whole=whole)


def _events(word: str, dry: tuple[Event, ...], seen: tuple[Event, ...], *, whole: bool) -> Iterator[Verdict]:
    """`whole`: what the run does not tell did not happen."""
    predicted = defaultdict(list)
    for event in dry:
        if not (isinstance(event, Stale) and event.state.kind in ONLY_DRY):
            predicted[_matter(event)].append(event)
    met = {_matter(event) for event in seen}
    for matter in sorted(predicted.keys() | met, key=str):
        if matter in predicted and matter in met:
            yield Verdict(word, AGREE, str(matter))
        elif matter in met:
            outcome = UNKNOWN if matter[1] in ONLY_RUN else DIFFER
            yield Verdict(word, outcome, f"not predicted: {matter}")
        else:
            sure = any(map(_is_certain, predicted[matter])) and whole
            yield Verdict(word, DIFFER if sure else UNKNOWN, f"not seen: {matter}")


def _matter(event: Event) -> tuple[int, Hashable]:
    place = event.place
    if isinstance(event, Gradient) and event.reason == "left":
        place = event.broken  # TensorFlow itself asks for the gradient of a `py_function`
    return place.line if place else 0, MATTER[type(event)](event)


def _is_certain(event: Event) -> bool:
    """Whether the dry run says that `python file.py` does this."""
    program = bool(event.chain) and event.chain[0].function == PROGRAM
    return program and event.reached == MUST and event.traced != ASSUMED


def _traces(dry: Recording, seen: Recording) -> Iterator[Verdict]:
    crashed = bool(seen.deaths)
    predicted, met = _histories(dry), _histories(seen)
    left_out = {looked.function.line for looked in dry.of(Looked) if looked.skipped}
    refused = {frame.definition for e in dry.of(Staging) if e.outcome == "refused" for frame in e.chain}
    for name in sorted(predicted.keys() | met.keys()):
        if name not in met:
            sure = any(map(_is_certain, predicted[name].traces)) and not crashed
            yield Verdict("trace", DIFFER if sure else UNKNOWN, f"not seen: {name}")
        elif name not in predicted:
            yield Verdict("trace", UNKNOWN if name[1] in left_out else DIFFER, f"not predicted: {name}")
        elif met[name].origin is Origin.KERAS:  # a run sees the functions that Keras makes of one step
            yield Verdict("trace", AGREE, str(name))
        else:
            fails = any(trace.function in refused for trace in predicted[name].traces)
            yield _counted(name, predicted[name], met[name], crashed=crashed, fails=fails)
            yield from _causes(name, predicted[name], met[name], crashed=crashed)


def _histories(recording: Recording) -> dict[tuple[str, int], History]:
    """The program's functions by name and line; what Keras makes by the call that makes it do so."""
    found = {}
    for history in explained([recording]):
        function, frame = history.function, history.traces[0].frame
        if history.origin is Origin.KERAS and frame is not None:
            found["step of Keras", frame.place.line] = history
        elif history.origin is not Origin.LIBRARY and function.path.endswith("program.py"):
            found[function.name.rpartition(".")[2], function.line] = history
    return found


def _counted(
    name: tuple[str, int], predicted: History, met: History, *, crashed: bool, fails: bool
) -> Verdict:
    """How many traces there are; what refuses to be traced fails at some time."""
    known = all(map(_is_certain, predicted.traces)) and not any(map(_is_open, predicted.traces))
    if not known or fails:
        return Verdict("trace", UNKNOWN, str(name))
    right = len(predicted.traces) == len(met.traces) or (crashed and len(met.traces) <= len(predicted.traces))
    what = f"{name}: {len(predicted.traces)} predicted, {len(met.traces)} seen"
    return Verdict("trace", AGREE if right else DIFFER, what)


def _is_open(trace: Trace) -> bool:
    """Whether a trace stands for others that come like it."""
    known = all(map(_is_known, trace.arguments)) and not list(changing(trace))
    return trace.anew is not None or not known


def _is_known(argument: Argument) -> bool:
    if argument.kind == "unknown" or (argument.kind == "value" and not argument.text):
        return False
    if argument.kind in ("tensor", "array", "variable"):
        return bool(argument.dtype) and argument.shape is not None and None not in argument.shape
    return True


def _causes(name: tuple[str, int], predicted: History, met: History, *, crashed: bool) -> Iterator[Verdict]:
    """Which argument differs from trace to trace, and how."""
    seen = {
        (difference.argument, difference.change)
        for retrace in met.retraces
        if retrace.label not in (VARIABLE_CREATION, OUTER_TRACED_AGAIN)
        for difference in retrace.differences
    }
    goes_on = dict(_going_on(predicted))
    for cause in sorted(seen, key=str):
        if cause in goes_on or cause in _between(predicted):
            yield Verdict(CAUSE, AGREE, f"{name}: {cause}")
        else:
            outcome = UNKNOWN if _may_be(cause, predicted) else DIFFER
            yield Verdict(CAUSE, outcome, f"not predicted: {name}: {cause}")
    for cause, trace in goes_on.items():
        if cause not in seen:
            sure = _is_certain(trace) and not crashed
            yield Verdict(CAUSE, DIFFER if sure else UNKNOWN, f"not seen: {name}: {cause}")


def _going_on(predicted: History) -> Iterator[tuple[Reason, Trace]]:
    """What differs at each iteration of a loop."""
    for trace in predicted.traces:
        if trace.anew is not None:
            yield (None, Change.NEW_FUNCTION_OBJECT), trace
        for argument, _, change in changing(trace):
            yield (argument.path, change), trace


def _between(predicted: History) -> set[Reason]:
    """What differs between two traces that were predicted."""
    return {
        (difference.argument, difference.change)
        for position, now in enumerate(predicted.traces)
        for before in predicted.traces[:position]
        for difference in compare(now, before)
    }


def _may_be(cause: Reason, predicted: History) -> bool:
    """Whether the dry run does not know the argument, or what it is a part of."""
    if not all(map(_is_certain, predicted.traces)):
        return True
    path = cause[0] or ""
    met = [a for trace in predicted.traces for a in trace.arguments if path.startswith(a.path)]
    return bool(path) and (not met or not all(map(_is_known, met)))
