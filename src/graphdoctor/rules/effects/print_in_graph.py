"""GD201."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, FunctionRef, Severity, Span
from graphdoctor.recording.format import PROGRAM, Effect
from graphdoctor.refactoring.calls.printing import graph_print
from graphdoctor.rules.effects.kept import deferring
from graphdoctor.rules.effects.side_effects import all_effects, called_once, calls_from, figures, what_ran
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.offering import offer
from graphdoctor.rules.repair import Repair
from graphdoctor.rules.rule import Example, Rule

TITLE = "Use `tf.print`"
VALUES = ("tensor", "formatted")  # a symbolic tensor that has no value yet
SETTLED = ("tracing", "static")  # it reports the trace itself, or what the trace knows


class PrintInGraph(Rule):
    """`print` in a traced function runs only while tracing.

    What it finds
    A call of Python's `print` that shows a tensor that is a single figure, as a loss or a rate is, in a
    function that TensorFlow traces; or any `print` where it is all that the function does, so that later
    calls do nothing. Other texts are GD219.

    Why it matters
    A traced function runs as Python once; after that its graph runs. `print` shows symbolic tensors at the
    first call and nothing at later calls. A format specification (`{loss:.3f}`) raises: an ERROR.

    How to fix it
    `tf.print` is part of the graph and prints at each call. It writes to standard error by default
    (`output_stream=sys.stdout` changes that), so the fix is marked unsafe.

    When to leave it
    When you want to see when the function is traced, or how it is configured.
    """

    id = "GD201"
    severity = Severity.WRONG
    repair = Repair(prints=True)
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def train(x):
                    loss = tf.reduce_sum(x)
                    print("loss", loss)
                    return loss


                for step in range(3):
                    train(tf.ones([2]))
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def train(x):
                    loss = tf.reduce_sum(x)
                    tf.print("loss", loss)
                    return loss


                for step in range(3):
                    train(tf.ones([2]))
                """,
            output=(
                'loss Tensor("Sum:0", shape=(), dtype=float32)',
                "loss 2\nloss 2\nloss 2",
            ),
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from super().judge(facts)
        for event, function in all_effects(facts, "print"):
            if event.place is None or not shows_value(facts, event, function):
                continue
            span = facts.span(event.place)
            yield self.finding(
                span,
                what_ran(facts, event, "`print`")
                or _unformatted(event, function.name)
                or _is_all(facts, event, function.name)
                or f"`print` runs only while `{function.name}` is traced, not at each call",
                function,
                event=event,
                observed=figures(facts, event),
                worse=Severity.ERROR if event.shows == "formatted" else None,
                fix=in_the_graph(facts, span),
                alternatives=deferring(facts, span, calls_from(event, function)),
            )


def shows_value(facts: Facts, event: Effect, function: FunctionRef) -> bool:
    """Whether a `print` shows what the graph computes, or is all that a repeated call would do."""
    if event.shows in VALUES:
        return True
    return not event.once and event.shows not in SETTLED and _is_alone(facts, event, function)


def _is_alone(facts: Facts, event: Effect, function: FunctionRef) -> bool:
    history = facts.history_of(event)
    empty = history is not None and all(trace.empty for trace in history.traces)
    return empty and event.chain[0].function == PROGRAM and function not in called_once(facts)


def _is_all(facts: Facts, event: Effect, function: str) -> str:
    shown = event.shows in VALUES
    return "" if shown else f"`print` is all that `{function}` does: once it is traced, a call does nothing"


def _unformatted(event: Effect, function: str) -> str:
    formatted = event.shows == "formatted"
    return (
        f"a symbolic tensor cannot be formatted: it has no value while `{function}` is traced"
        if formatted
        else ""
    )


def in_the_graph(facts: Facts, span: Span) -> Fix | None:
    """`print` → `tf.print`."""
    found = facts.sources.call_at(span)
    return offer(TITLE, graph_print(*found)) if found is not None else None
