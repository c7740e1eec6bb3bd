"""GD201."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Severity, Span
from graphdoctor.recording.format import Effect
from graphdoctor.rewriting.printing import graph_print
from graphdoctor.rules.effects.kept import deferring
from graphdoctor.rules.effects.side_effects import all_effects, calls_from, figures, what_ran
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.offering import offer
from graphdoctor.rules.rule import Example, Rule

TITLE = "Use `tf.print`"


class PrintInGraph(Rule):
    """`print` in a traced function speaks while tracing, and never again.

    What it finds
    A call of Python's `print` in a function that TensorFlow traces, unless it says that it reports
    tracing itself (the words "trace" or "tracing" in its text), or shows nothing but shapes and dtypes.
    Where it shows no tensor that is a single figure, as a loss or a rate is, it is a note from the source
    alone: numbers, flags and texts of Python's tell how something is set up, and a tensor with axes, a
    counter or a file's name is printed to see its shape and kind. In public projects once is enough for
    these.

    Why it matters
    A traced function runs as Python once; after that its graph runs. `print` shows symbolic tensors
    at the first call and nothing at the others. A text that formats one (`{loss:.3f}`) raises: an ERROR.

    How to fix it
    `tf.print` is part of the graph and speaks at each call. It writes to standard error unless
    told otherwise (`output_stream=sys.stdout`), which is why the fix is not called safe.

    When to leave it
    When you want to see when the function is traced, or how it is set up.
    """

    id = "GD201"
    severity = Severity.WRONG
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
            told_once = event.once and event.shows not in ("tensor", "formatted")
            if told_once or event.shows in ("tracing", "static") or event.place is None:
                continue
            span = facts.span(event.place)
            yield self.finding(
                span,
                what_ran(facts, event, "`print`")
                or _unformatted(event, function.name)
                or f"`print` runs only while `{function.name}` is traced, not at each call",
                function,
                event=event,
                observed=figures(facts, event),
                severity=_severity(event),
                fix=_fix(facts, span),
                alternatives=deferring(facts, span, calls_from(event, function)),
            )


def _unformatted(event: Effect, function: str) -> str:
    formatted = event.shows == "formatted"
    return f"a tensor has no value to format while `{function}` is traced, and raises" if formatted else ""


def _severity(event: Effect) -> Severity:
    """A tensor that is to be formatted raises; a number that is printed is shown without its value."""
    return {"formatted": Severity.ERROR, "tensor": Severity.WRONG}.get(event.shows, Severity.NOTE)


def _fix(facts: Facts, span: Span) -> Fix | None:
    found = facts.sources.call_at(span)
    return offer(TITLE, graph_print(*found)) if found is not None else None
