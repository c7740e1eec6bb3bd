"""GD122."""

from collections.abc import Iterator

from graphdoctor.model import Change, Finding, Fix, Severity, Span
from graphdoctor.model.span import whole_line
from graphdoctor.model.words import duration
from graphdoctor.recording import Trace
from graphdoctor.recording.format import Loop, Place
from graphdoctor.recording.grouping import Origin
from graphdoctor.recording.places import span_of
from graphdoctor.refactoring.creation.hoisting import hoist_making
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.offering import offer
from graphdoctor.rules.retracing.evidence import Retracing, retracings
from graphdoctor.rules.rule import Example, Rule

FEW_PIPELINES = 4


class PipelineRebuilt(Rule):
    """A dataset that is built again in each epoch traces its functions again in each epoch.

    What it finds
    A function given to `Dataset.map`, `filter` and the like in a loop that builds the same pipeline at each
    iteration; from a run, one that the same line passed five times or more. A pipeline for training, one for
    validation and one for the test are not meant, nor one for each of many files. From the source it is a
    NOTE: in public projects the loop is one over epochs, and a small trace in an epoch costs little. A run
    tells what it costs.

    Why it matters
    Each call of `map` traces its function, and the graphs and what they capture are not always freed. Each
    epoch starts slowly, and memory grows.

    How to fix it
    Build the dataset once, before the loop, and iterate over it again; `shuffle` draws a new order each time.

    When to leave it
    When the pipeline differs each time.
    """

    id = "GD122"
    severity = Severity.NOTE  # what it costs, a run shows
    usual = Severity.SLOW
    examples = (
        Example(
            bad="""
                import tensorflow as tf

                for epoch in range(5):
                    data = tf.data.Dataset.range(4).map(lambda x: x + 1)
                    for batch in data:
                        pass
                """,
            good="""
                import tensorflow as tf

                data = tf.data.Dataset.range(4).map(lambda x: x + 1)
                for epoch in range(5):
                    for batch in data:
                        pass
                """,
            traces=(5, 1),
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        reported: set[Place] = set()
        for retracing in retracings(facts, Change.NEW_FUNCTION_OBJECT):
            history, last = retracing.history, retracing.event
            if history.origin is not Origin.DATASET or retracing.argument is not None:
                continue
            if not retracing.retraces:
                loop = _rebuilding(last)
                if loop is not None and loop.place not in reported:  # one pipeline, however many functions
                    reported.add(loop.place)
                    yield self._found(
                        facts, retracing, f"`{_method(last)}` traces `{history.function.name}` again"
                    )
            elif history.objects > FEW_PIPELINES:
                figures = retracing.observed
                cost = f" ({duration(figures.seconds)})" if figures else ""
                times = f"{history.objects} times{cost}"
                yield self._found(
                    facts, retracing, f"`{_method(last)}` traced `{history.function.name}` {times}"
                )

    def _found(self, facts: Facts, retracing: Retracing, what: str) -> Finding:
        history, last = retracing.history, retracing.event
        when = "each time" if retracing.retraces else "at each iteration"
        return self.finding(
            _span(retracing),
            f"{what} because the pipeline is built again {when}",
            history.function,
            event=last,
            observed=retracing.observed,
            worse=Severity.SLOW if retracing.retraces else None,
            fix=_fix(facts, retracing),
        )


def _fix(facts: Facts, retracing: Retracing) -> Fix:
    span = _span(retracing)
    if span.end_column == span.column:  # a run knows the line
        span = facts.sources.statement(span.path, span.line)
    found = facts.sources.expression_at(span)
    return offer("Build the dataset once", hoist_making(*found) if found is not None else None)


def _span(retracing: Retracing) -> Span:
    """The line of the loop that leads to the pipeline; in a run, that of `map`."""
    history, last = retracing.history, retracing.event
    for frame in last.chain if not retracing.retraces else ():
        if last.anew is not None and any(loop.place == last.anew.place for loop in frame.loops):
            return span_of(frame.place)
    return span_of(last.place) if last.place else whole_line(history.function.path, history.function.line)


def _rebuilding(trace: Trace) -> Loop | None:
    """The loop that builds the same pipeline again at each of many iterations."""
    loop = trace.anew
    many = loop is not None and (loop.turns is None or loop.turns > FEW_PIPELINES)
    return loop if many and not trace.tied else None


def _method(trace: Trace) -> str:
    return (trace.frame.entered if trace.frame else "") or "map"
