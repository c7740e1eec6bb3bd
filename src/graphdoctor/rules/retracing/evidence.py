"""What rules about retracing share: why a function was or will be traced again, and where to look."""

import dataclasses
from collections import Counter
from collections.abc import Iterator

from graphdoctor.model import Change, Difference, Fix, Observed, Safety, Span
from graphdoctor.model.span import whole_line
from graphdoctor.model.words import duration
from graphdoctor.recording.format import Argument, Place, Trace
from graphdoctor.recording.history import History, Retrace, values_before
from graphdoctor.recording.places import span_of
from graphdoctor.recording.signatures import covering_signature
from graphdoctor.refactoring.syntax.graph_functions import add_option, tensorflow_of
from graphdoctor.rules.facts import Facts
from graphdoctor.source.sites import ExpressionSite, Site

RELAX, SIGNATURE = "Add `reduce_retracing=True`", "Add an `input_signature`"


@dataclasses.dataclass(frozen=True)
class Retracing:
    """A function was traced again because of one argument, or will be: all such retraces of it.

    `argument` is None when no argument is the cause. `predicted` are those of the dry run.
    """

    history: History
    change: Change
    argument: str | None
    retraces: tuple[Retrace, ...]
    predicted: tuple[Retrace, ...] = ()

    @property
    def event(self) -> Trace:
        """The last of the traces, which says how certain it is."""
        if not self.retraces:
            return self.predicted[-1].trace
        last = self.retraces[-1].trace
        return dataclasses.replace(last, foretold=True) if self.predicted else last

    @property
    def value(self) -> Argument | None:
        """The argument as it was given to the last of the traces."""
        return next((a for a in self.event.arguments if a.path == self.argument), None)

    @property
    def count(self) -> int:
        """How many traces it cost, or will cost at least."""
        return len(self.retraces or self.predicted)

    def is_many(self, least: int) -> bool:
        """Whether it cost at least so many traces; a retrace that the dry run predicts has no end."""
        return not self.retraces or len(self.retraces) >= least

    @property
    def values(self) -> set[str]:
        """What the argument was, each once."""
        found = (
            d for r in self.retraces or self.predicted for d in r.differences if d.argument == self.argument
        )
        return {text for difference in found for text in (difference.before, difference.now)}

    @property
    def given(self) -> Argument | None:
        """The argument as the dry run has it, with the expression that gives it."""
        for trace in (*(retrace.trace for retrace in reversed(self.predicted)), *self._predicted_here):
            for argument in trace.arguments:
                if argument.path == self.argument and argument.place is not None:
                    return argument
        return None

    @property
    def _predicted_here(self) -> list[Trace]:
        """What the dry run says of the one call on the line that traced; nothing where there are several."""
        at, expected = self.event.place, self.history.predicted
        if at is None or expected is None or not self.retraces:
            return []
        here = [t for t in expected.traces if t.place and (t.place.path, t.place.line) == (at.path, at.line)]
        return here if len({trace.place for trace in here}) == 1 else []

    @property
    def observed(self) -> Observed | None:
        """The figures, when it was seen."""
        return observed(list(self.retraces), self.argument, self.change) if self.retraces else None

    @property
    def differences(self) -> tuple[Difference, ...]:
        """What differed, one entry per axis."""
        return tuple(_summed_up(list(self.retraces or self.predicted), self.argument, self.change))

    def report(self, because: str) -> str:
        """`step` was traced 4 more times (1.6 s) because …; is traced again at each call because …"""
        name = f"`{self.history.function.name}`"
        figures = self.observed
        if figures is None:
            return f"{name} is traced again at each call because {because}"
        return f"{name} was traced {times(figures.traces)} ({duration(figures.seconds)}) because {because}"

    def text(self, facts: Facts) -> str:
        """The argument as the call writes it; its path where that is a part of the argument."""
        found = facts.sources.node(self.span(facts)) if self.given is not None else None
        if found is None or self.argument is None or not self.argument.isidentifier():
            return self.argument or ""
        return found[0].source_of(found[1])

    def expression(self, facts: Facts) -> ExpressionSite | None:
        """The expression that gives the argument; for a part of one, the whole argument."""
        if self.given is not None:
            return facts.sources.given_at(self.span(facts))
        place = self.event.place
        if place is None or self.argument is None:
            return None
        seen = facts.sources.argument(place.path, place.line, self.history.function, self.argument)
        return seen[:2] if seen is not None else None

    def span(self, facts: Facts) -> Span:
        """Where to look: the argument in the call that retraced most often, else that line."""
        if self.given is not None and self.given.place is not None:
            return span_of(self.given.place)
        return place(self.history, list(self.retraces or self.predicted), self.argument, facts)


def made_at(retracing: Retracing, facts: Facts) -> Site | None:
    """The call of `tf.function` that made what was traced, where the dry run knows it."""
    traces = [retracing.event, *(retrace.trace for retrace in reversed(retracing.predicted))]
    made = next((trace.made for trace in traces if trace.made is not None), None)
    return facts.sources.node(span_of(made)) if made is not None else None


def ways_to_relax(retracing: Retracing, facts: Facts) -> tuple[Fix, ...]:
    """The options of `tf.function` that trace once for all shapes, the likelier one first."""
    function = facts.sources.function(retracing.history.function)
    made = made_at(retracing, facts)
    tensorflow = tensorflow_of(function, made)
    bound = function.receiver if function is not None else ""
    signature = covering_signature(retracing.history.traces, bound) if retracing.history.is_seen else None
    options = [(RELAX, "reduce_retracing=True")]
    open_ended = function is not None and function.is_open_ended
    if signature is not None and tensorflow is not None and not open_ended:  # no signature covers `**kwargs`
        stated = signature.replace("tf.", f"{tensorflow}.")
        options.append((SIGNATURE, f"input_signature={stated}"))
    edits = ((title, add_option(function, option, made)) for title, option in options)
    return tuple(
        Fix(title=title, safety=Safety.UNSAFE, edits=(edit,)) for title, edit in edits if edit is not None
    )


def retracings(facts: Facts, change: Change) -> Iterator[Retracing]:
    """Every function and argument that changes this way from call to call, the costliest first."""
    for history in facts.histories:
        yield from retracings_of(history, change)


def retracings_of(history: History, change: Change) -> Iterator[Retracing]:
    """The arguments of one function that change this way; what is only predicted, for each call of it.

    When the Function object is new at each iteration, each path to the call is reported: one may be
    justified.
    """
    if history.is_seen:
        seen = history.caused_by(change)
        predicted = history.predicted.caused_by(change) if history.predicted else {}
        for argument in seen:  # the run traced the function: what it did not see was not so
            yield Retracing(
                history, change, argument, tuple(seen[argument]), tuple(predicted.get(argument, ()))
            )
        return
    order = [argument.path for trace in history.traces for argument in trace.arguments]
    causes = history.caused_by(change)
    for argument in sorted(causes, key=lambda path: order.index(path) if path in order else -1):
        calls: dict[tuple[Place, ...], list[Retrace]] = {}
        for retrace in causes[argument]:
            way = tuple(frame.place for frame in retrace.trace.chain)
            calls.setdefault(way if argument is None else way[-1:], []).append(retrace)
        for same_call in calls.values():
            yield Retracing(history, change, argument, (), tuple(same_call))


def observed(retraces: list[Retrace], argument: str | None, change: Change) -> Observed:
    """The figures of some retraces, with one summed-up difference per axis of the argument."""
    proofs = {retrace.needless for retrace in retraces}
    return Observed(
        traces=len(retraces),
        seconds=round(sum(retrace.trace.own_seconds for retrace in retraces), 6),
        differences=tuple(_summed_up(retraces, argument, change)),
        needless=proofs.pop() if len(proofs) == 1 else None if None in proofs else False,
        numbers=tuple(retrace.trace.number for retrace in retraces),
    )


def _summed_up(retraces: list[Retrace], argument: str | None, change: Change) -> list[Difference]:
    by_axis: dict[int | None, list[Difference]] = {}
    for retrace in retraces:
        for difference in retrace.differences:
            if (difference.argument, difference.change) == (argument, change):
                by_axis.setdefault(difference.axis, []).append(difference)
    return [
        Difference(
            argument=argument,
            change=change,
            before=values_before(group),
            now=group[-1].now,
            axis=axis,
        )
        for axis, group in by_axis.items()
    ]


def place(history: History, retraces: list[Retrace], argument: str | None, facts: Facts) -> Span:
    """Where to look: the argument in the call that retraced most often, else that line, else the function."""
    places: Counter[Place] = Counter(r.trace.place for r in retraces if r.trace.place is not None)
    if not places:
        return whole_line(history.function.path, history.function.line)
    most, _ = places.most_common(1)[0]
    path, line = most.path, most.line
    found = facts.sources.argument(path, line, history.function, argument) if argument else None
    if found is not None:
        return found[0].span(found[1])
    return facts.sources.call(path, line, history.function.name.rpartition(".")[2]) or span_of(most)


def times(count: int) -> str:
    """`once more`, `4 more times`."""
    return "once more" if count == 1 else f"{count} more times"
