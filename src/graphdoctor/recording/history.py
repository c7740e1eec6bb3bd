"""All traces of one function, in order, each later one with the reason for it."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence

import msgspec
from msgspec.structs import replace

from graphdoctor.model import Cause, Change, Difference, FunctionRef, FunctionSummary
from graphdoctor.recording.format import SEEN, Calls, CompiledShape, End, Trace
from graphdoctor.recording.grouping import Group, Origin, group_traces
from graphdoctor.recording.labels import (
    ANOTHER_OWNER,
    ANOTHER_TEST,
    BOTH_BOOLS,
    LAST_BATCH,
    OUTER_TRACED_AGAIN,
    PER_INSTANCE,
    SETTLED,
    VARIABLE_CREATION,
    label,
)
from graphdoctor.recording.nearest import Nearest
from graphdoctor.recording.recording import Recording
from graphdoctor.recording.serving import USED_AGAIN, served_calls, used_owners

SHOWN_VALUES = 8
# So few graphs, and so many times more calls after the last of them than before, are a choice: buckets,
# a handful of modes. One more graph at each epoch never gets there, however long the epochs are.
FEW_RETRACES = 3
FEW_SHAPES = 2  # for which XLA compiles one graph, as for a smaller last batch
CALLS_AFTER = 2


class Retrace(msgspec.Struct, frozen=True):
    """A trace that is not its function's first: the closest earlier one, and all differences to it.

    `label` says why it is benign, or is None. `needless`: both graphs are equal up to constants
    and static dimensions (None when one of them failed).
    """

    trace: Trace
    closest: Trace
    differences: tuple[Difference, ...]
    label: str | None
    needless: bool | None


class History(msgspec.Struct, frozen=True):
    """The traces of one function, and why it was traced again."""

    function: FunctionRef
    origin: Origin
    traces: tuple[Trace, ...]
    retraces: tuple[Retrace, ...]
    calls: int | None
    dead_objects: frozenset[int]
    dead_functions: frozenset[int]
    compilations: tuple[CompiledShape, ...] = ()
    predicted: "History | None" = None  # what the dry run says of a function that a run traced

    @property
    def is_seen(self) -> bool:
        """Whether a run traced the function."""
        return any(trace.reached == SEEN for trace in self.traces)

    @property
    def traced_well(self) -> int:
        """How many traces came to their end."""
        return sum(trace.failed is None for trace in self.traces)

    @property
    def all_traces(self) -> tuple[Trace, ...]:
        """The traces that were seen, and those that were predicted."""
        return self.traces + (self.predicted.traces if self.predicted else ())

    @property
    def objects(self) -> int:
        """How many Function objects were made from this one definition; in tests, in any one of them."""
        made: dict[str, set[int]] = defaultdict(set)
        for trace in self.traces:
            made[trace.during].add(trace.object)
        return max((len(objects) for objects in made.values()), default=0)

    @property
    def counted_traces(self) -> int:
        """The traces that calls are to blame for, in the process that has most of them."""
        from graphdoctor.recording.joining import process_of

        blameless = (VARIABLE_CREATION, PER_INSTANCE)
        counted = Counter(process_of(trace) for trace in self.traces)
        counted.subtract(process_of(r.trace) for r in self.retraces if r.label in blameless)
        return max(counted.values(), default=0)

    @property
    def kept_traces(self) -> list[Trace]:
        """The traces whose graphs live as long as their Function object does."""
        return [t for t in self.traces if t.object not in self.dead_functions and not t.failed]

    def is_dead(self, trace: Trace) -> bool:
        """Whether the graph can never be used again: an object that it was made for is gone."""
        objects = (argument for argument in trace.arguments if argument.kind == "object")
        return any(argument.identity in self.dead_objects for argument in objects)

    def are_mostly_gone(self, retraces: Sequence[Retrace]) -> bool:
        """Whether half of the Function objects, or more, can never be called again.

        The last one is not counted: it lives until the next one takes its name.
        """
        objects = {retrace.trace.object for retrace in retraces}
        return 2 * len(objects & self.dead_functions) >= len(objects) - 1

    @property
    def alarming(self) -> Iterator[Retrace]:
        """The retraces that are not benign."""
        return (retrace for retrace in self.retraces if retrace.label is None)

    def caused_by(self, change: Change) -> dict[str | None, list[Retrace]]:
        """The retraces in which an argument changed this way, by argument, in order of appearance."""
        found: dict[str | None, list[Retrace]] = defaultdict(list)
        for retrace in self.alarming:
            for argument in {d.argument: None for d in _decisive(retrace) if d.change is change}:
                found[argument].append(retrace)
        return {} if self.has_settled else found

    @property
    def has_settled(self) -> bool:
        """Whether it was traced again a few times at first, and then served many calls with what it had."""
        last = max(self.alarming, key=lambda retrace: retrace.trace.number, default=None)
        if last is None or last.trace.calls is None or self.calls is None or self.processes > 1:
            return False
        if any(d.change is Change.DTYPE for retrace in self.alarming for d in retrace.differences):
            return False  # nobody wants the same computation in two precisions
        if self.begun_with_none:
            return False  # nor a graph for the first call alone
        until_last = last.trace.calls + 1
        few = sum(1 for _ in self.alarming) <= FEW_RETRACES
        return few and self.calls - until_last >= CALLS_AFTER * until_last

    @property
    def each_served_many(self) -> bool:
        """Whether each Function object, with each model that was given to it, was used again and again."""
        served = served_calls(self.traces, self.calls)
        return bool(served) and self.processes == 1 and min(served.values()) >= USED_AGAIN

    @property
    def begun_with_none(self) -> frozenset[str]:
        """The arguments that one retrace is due to because they are None at first, and then handed on.

        Handed on: the dry run sees the result of the very call that it is given to. A mask that some calls
        have and others have not is a choice.
        """
        alarming = list(self.alarming)
        if len(alarming) != 1 or self.predicted is None:
            return frozenset()
        handed_on = {
            argument.path
            for trace in self.predicted.traces
            for argument in trace.arguments
            if argument.made is not None and argument.made == trace.place
        }
        changed = {d.argument or "" if d.before == "None" else "" for d in alarming[0].differences}
        return frozenset(changed) if changed <= handed_on else frozenset()

    @property
    def compiling_seconds(self) -> float:
        """How much longer than the others the calls took that compiled."""
        best = min((shape.best_seconds for shape in self.compilations), default=0.0)
        return sum(max(0.0, shape.first_seconds - best) for shape in self.compilations)

    @property
    def processes(self) -> int:
        """In how many processes it was traced."""
        from graphdoctor.recording.joining import process_of

        return len({process_of(trace) for trace in self.traces})

    def summary(self) -> FunctionSummary:
        """The figures that a report shows of this function."""
        return FunctionSummary(
            name=self.function.name,
            path=self.function.path,
            line=self.function.line,
            objects=self.objects,
            calls=self.calls,
            traces=len(self.traces),
            counted_traces=self.counted_traces,
            retraces=sum(retrace.label != VARIABLE_CREATION for retrace in self.retraces),
            seconds=round(sum(trace.own_seconds for trace in self.traces), 6),
            operations=max((trace.operations for trace in self.traces), default=0),
            causes=tuple(_causes(self.retraces, self.has_settled)),
        )


def histories(recordings: Iterable[Recording]) -> tuple[History, ...]:
    """One history per function of the user's, over all processes, the costliest first."""
    from graphdoctor.recording.joining import renumbered

    return explained(renumbered(recording, index) for index, recording in enumerate(recordings))


def explained(recordings: Iterable[Recording]) -> tuple[History, ...]:
    """The histories of recordings whose numbers are already distinguished."""
    from graphdoctor.recording.joining import join

    found = join([list(_histories_of_process(recording)) for recording in recordings])
    return tuple(sorted(found, key=lambda h: -sum(trace.own_seconds for trace in h.traces)))


def _histories_of_process(recording: Recording) -> Iterator[History]:
    calls = {
        (count.function.path, count.function.line): count.calls
        for count in recording.of(Calls)
        if count.calls is not None
    }
    events: list[Trace | End] = [*recording.traces, *recording.of(End)]
    dead_objects = frozenset(number for event in events for number in event.dead_objects)
    dead_functions = frozenset(number for event in events for number in event.dead_functions)
    groups = group_traces(recording.traces)
    if recording.is_dry:
        yield from _predicted_histories(groups)
        return
    compiled = {event.trace: event.shapes for event in recording.compilations}
    explained = {group: _explain(traces, group.origin) for group, traces in groups.items()}
    used = used_owners(groups, calls)
    explained = {
        group: [_unless_owner_is_used(r, used) for r in retraces] for group, retraces in explained.items()
    }
    again = {retrace.trace.number for retraces in explained.values() for retrace in retraces}
    for group, traces in groups.items():
        counted = calls if group.origin is Origin.FUNCTION else {}
        yield History(
            function=group.function,
            origin=group.origin,
            traces=tuple(traces),
            retraces=tuple(_unless_consequence(retrace, again) for retrace in explained[group]),
            calls=counted.get((group.function.path, group.function.line)),
            dead_objects=dead_objects,
            dead_functions=dead_functions,
            compilations=tuple(shape for trace in traces for shape in compiled.get(trace.number, ())),
        )


def _unless_owner_is_used(retrace: Retrace, used: frozenset[int]) -> Retrace:
    """A model of its own for each fold, or each setting that is tried, needs a graph of its own."""
    changed = {d.argument for d in retrace.differences if d.change is Change.OBJECT_IDENTITY}
    others = {d.change for d in retrace.differences} - {Change.OBJECT_IDENTITY, Change.SHAPE}
    new = [a.identity for a in retrace.trace.arguments if a.path in changed and a.variables]
    if retrace.label is None and new and not others and used.issuperset(new):
        return replace(retrace, label=ANOTHER_OWNER)
    return retrace


def _predicted_histories(groups: dict[Group, list[Trace]]) -> Iterator[History]:
    from graphdoctor.recording.predictions import predicted_retraces

    for group, traces in groups.items():
        yield History(
            function=group.function,
            origin=group.origin,
            traces=tuple(traces),
            retraces=predicted_retraces(traces),
            calls=None,
            dead_objects=frozenset(),
            dead_functions=frozenset(),
        )


class Explainer:
    """Explains the traces of one function one by one, as they come."""

    def __init__(self, origin: Origin) -> None:
        self._origin = origin
        # Keras' training and validation have a step each; one is no retrace of the other. Nor is one test's
        # trace to blame on what another test did.
        self._earlier: dict[tuple[str, str], Nearest] = defaultdict(Nearest)
        self._in_tests: dict[str, Nearest] = defaultdict(Nearest)
        self._by_object: dict[int, list[Trace]] = defaultdict(list)

    def explain(self, trace: Trace) -> Retrace | None:
        """Why it was traced again; None for the first trace of all."""
        retrace = self.reason(trace)
        self.add(trace)
        return retrace

    def reason(self, trace: Trace) -> Retrace | None:
        """Why it would be a retrace, if it happened now."""
        same_object = self._by_object[trace.object]
        before, differences = self._earlier[trace.step, trace.during].closest(trace)
        elsewhere = before is None and trace.during != ""
        if elsewhere:
            before, differences = self._in_tests[trace.step].closest(trace)
        if before is None:
            return None
        benign = label(trace, before, differences, same_object, self._origin)
        if benign is None and elsewhere:
            benign = ANOTHER_TEST
        return Retrace(trace, before, differences, benign, _needless(trace, before))

    def add(self, trace: Trace) -> None:
        """Remember a trace that happened."""
        self._earlier[trace.step, trace.during].add(trace)
        if trace.during:
            self._in_tests[trace.step].add(trace)
        self._by_object[trace.object].append(trace)


def _explain(traces: list[Trace], origin: Origin) -> list[Retrace]:
    explainer = Explainer(origin)
    retraces = [retrace for retrace in map(explainer.explain, traces) if retrace is not None]
    retraces = _flags_in_total(retraces)
    sizes = sum(retrace.label is None and _changed_batch_size(retrace) for retrace in retraces)
    if sizes < 2:  # a last batch of the training and one of the validation
        return retraces
    return [replace(r, label=None) if r.label == LAST_BATCH else r for r in retraces]


def _flags_in_total(retraces: list[Retrace]) -> list[Retrace]:
    """One graph for True and one for False is a choice; a graph for each of many combinations is none."""
    if sum(retrace.label == BOTH_BOOLS for retrace in retraces) <= FEW_RETRACES:
        return retraces
    return [
        replace(retrace, label=None, differences=_of_whole_arguments(retrace))
        if retrace.label == BOTH_BOOLS
        else retrace
        for retrace in retraces
    ]


def _of_whole_arguments(retrace: Retrace) -> tuple[Difference, ...]:
    """What differs in parts of one tuple, list or dict, as a difference of the whole: one cause."""
    found: dict[object, Difference] = {}
    for difference in retrace.differences:
        whole = (difference.argument or "").partition("[")[0].partition(".")[0]
        if whole == difference.argument:
            found[whole] = difference
        else:
            before, now = _parts(retrace.closest, whole), _parts(retrace.trace, whole)
            found[whole] = Difference(argument=whole, change=difference.change, before=before, now=now)
    return tuple(found.values())


def _parts(trace: Trace, whole: str) -> str:
    """`(True, False)`: the values in a tuple, list or dict among the arguments."""
    parts = (a for a in trace.arguments if a.path.startswith((f"{whole}[", f"{whole}.")) and a.text)
    return f"({', '.join(part.text for part in parts)})"


def _changed_batch_size(retrace: Retrace) -> bool:
    return any(d.change is Change.SHAPE and d.axis == 0 for d in _decisive(retrace))


def _unless_consequence(retrace: Retrace, again: set[int]) -> Retrace:
    """A function traced inside another one's retrace is traced again because that one was."""
    around = retrace.trace.trace
    if retrace.label is None and around in again and retrace.closest.trace != around:
        return replace(retrace, label=OUTER_TRACED_AGAIN)
    return retrace


def _needless(now: Trace, before: Trace) -> bool | None:
    if now.fingerprint is None or before.fingerprint is None:
        return None
    return now.fingerprint == before.fingerprint


def _decisive(retrace: Retrace) -> tuple[Difference, ...]:
    """The differences that made the trace necessary: a new Function object knows no earlier trace at all."""
    new = tuple(d for d in retrace.differences if d.change is Change.NEW_FUNCTION_OBJECT)
    return new or retrace.differences


def _causes(retraces: tuple[Retrace, ...], settled: bool) -> Iterator[Cause]:
    """Each kind of change of each argument, the costliest first; a retrace counts for all it differs in."""
    groups: dict[tuple[object, ...], list[tuple[Difference, Retrace]]] = defaultdict(list)
    for retrace in retraces:
        for difference in retrace.differences:
            key = (difference.argument, difference.change, difference.axis, retrace.label)
            groups[key].append((difference, retrace))
    ranked = sorted(groups.values(), key=lambda g: -sum(r.trace.own_seconds for _, r in g))
    for group in ranked:
        difference, last = group[-1]
        yield Cause(
            argument=difference.argument,
            change=difference.change,
            before=values_before([d for d, _ in group]),
            now=difference.now,
            axis=difference.axis,
            count=len(group),
            seconds=round(sum(retrace.trace.own_seconds for _, retrace in group), 6),
            benign=last.label is not None,
            label=last.label or (SETTLED if settled else None),
        )


def values_before(differences: list[Difference]) -> str:
    """The values seen before the last one, latest first: `3, 2, 1, 0`."""
    last = differences[-1].now
    seen = [differences[0].before, *(difference.now for difference in differences)]
    distinct = list(dict.fromkeys(value for value in reversed(seen) if value != last))
    shown = distinct[:SHOWN_VALUES]
    return ", ".join(shown) + (", …" if len(distinct) > len(shown) else "")
